// The formulas of one list. `byhand.metrics` has the same in Python, and a browser test compares them.

import { localised, plainly, say } from "../browser/words.js";
import LIMITS from "../limits.json" with { type: "json" };

// A list: its items, best first, their grades (0 for an unjudged item), and the number of ranks of each
// (one, unless its row sums up several irrelevant items).
export function listOf(order, grades, spans = {}) {
  let rank = 1;
  const ranks = order.map((id) => {
    const first = rank;
    rank += Object.hasOwn(spans, id) ? spans[id] : 1;
    return first;
  });
  const judged = Object.values(grades).filter((grade) => grade > 0);
  const nobody = Object.fromEntries(Object.keys(spans).map((id) => [id, null]));
  return { order, ranks, grades: { ...grades, ...nobody }, nRetrieved: rank - 1, judged };
}

export const alike = (one, other) =>
  one.length === other.length && one.every((id, i) => id === other[i]);

// The hits as a measure counts them, each with its number among the hits, and the number of items
// judged not relevant above it.
const isHit = (grade, rel) => grade >= (rel ?? 0.5);
const isOther = (grade, rel) => grade != null && !isHit(grade, rel);
export function hitsOf(list, rel) {
  const hits = [];
  let others = 0;
  list.order.forEach((id, place) => {
    const grade = list.grades[id] ?? 0;
    if (isHit(grade, rel))
      hits.push({ place, rank: list.ranks[place], grade, nth: hits.length + 1, others });
    else if (isOther(list.grades[id], rel)) others += 1;
  });
  return hits;
}

const DISCOUNTS = {
  log2: (rank) => 1 / Math.log2(rank + 1),
  log2_from_2: (rank) => 1 / Math.max(Math.log2(rank), 1),
};
export const discount = (rank, spec) => DISCOUNTS[spec.discount](rank);
const GAINS = { linear: (grade) => grade, exponential: (grade) => 2 ** grade - 1, binary: () => 1 };
export const gainOf = (grade, spec) => GAINS[spec.gain](grade);
// no cutoff is null, and undefined where Python itself runs in the browser: `== null` is either
export const within = (rank, spec) => spec.k == null || rank <= spec.k;
export const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

// Whether the ideal order of a list reaches down to a rank.
export const inIdeal = (rank, nRetrieved, spec) =>
  spec.ideal === "uncut" || (within(rank, spec) && (spec.ideal !== "length" || rank <= nRetrieved));

function idealDcg({ list, hits, judged }, spec) {
  const grades = spec.ideal === "retrieved" ? hits.map((hit) => hit.grade) : judged;
  const best = [...grades]
    .sort((a, b) => b - a)
    .filter((_, i) => inIdeal(i + 1, list.nRetrieved, spec));
  return sum(best.map((grade, i) => gainOf(grade, spec) * discount(i + 1, spec)));
}

// ERR: the probability of stopping at a hit, and that of reading past hits.
const stopAt = (hit, spec) => (2 ** hit.grade - 1) / 2 ** spec.max_rel;
const reachedAfter = (hits, spec) => hits.reduce((left, hit) => left * (1 - stopAt(hit, spec)), 1);
// RBP: the share of a reader's attention that a rank has.
const weightOf = (rank, spec) => (1 - spec.p) * spec.p ** (rank - 1);

// Bpref: 1 minus the penalty for items judged not relevant above.
function preferred(hit, spec, { list, judged }) {
  const others = Object.values(list.grades).filter((grade) => isOther(grade, spec.rel)).length;
  return 1 - (others && Math.min(hit.others, judged.length) / Math.min(others, judged.length));
}

// How many relevant items a measure divides by: at most as many as the cutoff has room for.
const capped = (nRelevant, spec) =>
  spec.denominator === "capped" && spec.k != null ? Math.min(nRelevant, spec.k) : nRelevant;

const discounted = (hit, spec) => gainOf(hit.grade, spec) * discount(hit.rank, spec);

// The credit of a hit, the divisor of the sum, and the values for their explanation.
export const MEASURES = {
  RR: { credit: (hit) => (hit.nth === 1 ? 1 / hit.rank : 0) },
  Success: { credit: (hit) => (hit.nth === 1 ? 1 : 0) },
  AP: {
    credit: (hit) => hit.nth / hit.rank,
    divisor({ hits, judged }, spec) {
      if (spec.denominator === "retrieved")
        return hits.filter((hit) => within(hit.rank, spec)).length;
      return capped(judged.length, spec);
    },
  },
  P: { credit: () => 1, divisor: ({ list }, spec) => spec.k ?? list.nRetrieved },
  R: { credit: () => 1, divisor: ({ judged }, spec) => capped(judged.length, spec) },
  Rprec: {
    credit: (hit, _spec, { judged }) => (hit.rank <= judged.length ? 1 : 0),
    divisor: ({ judged }) => judged.length,
  },
  Bpref: { credit: preferred, divisor: ({ judged }) => judged.length },
  DCG: { credit: discounted, unbounded: true },
  ERR: {
    credit: (hit, spec, { hits }) =>
      (reachedAfter(hits.slice(0, hit.nth - 1), spec) * stopAt(hit, spec)) / hit.rank,
  },
  RBP: { credit: (hit, spec) => weightOf(hit.rank, spec) },
  nDCG: { credit: discounted, divisor: idealDcg },
};

export const ONE_ROW = ["RR", "Success"]; // the first hit makes it, and no other

// The value of a list under a measure, and what each of its places adds to it.
export function evaluate(list, spec) {
  const measure = MEASURES[spec.kind];
  const hits = hitsOf(list, spec.rel);
  const judged = list.judged.filter((grade) => grade >= (spec.rel ?? 0));
  const divisor = measure.divisor?.({ list, hits, judged }, spec) ?? 1;
  const shares = list.order.map(() => 0);
  let total = 0;
  for (const hit of hits) {
    if (!within(hit.rank, spec) || divisor <= 0) continue;
    const credit = measure.credit(hit, spec, { hits, list, judged });
    total += credit;
    shares[hit.place] = credit / divisor;
  }
  return { value: divisor > 0 ? total / divisor : 0, shares, hits, divisor };
}

// The most that one rank can add: the credit of the best item at rank 1.
export function mostOf(list, spec) {
  const best = Object.keys(list.grades).sort(
    (a, b) => (list.grades[b] ?? 0) - (list.grades[a] ?? 0),
  )[0];
  if (best === undefined || !(list.grades[best] > 0)) return 0;
  const others = list.order.filter((id) => id !== best);
  const first = listOf([best, ...others.slice(0, Math.max(list.order.length - 1, 0))], list.grades);
  return Math.max(0, ...evaluate(first, spec).shares);
}

// A value as a fraction in lowest terms, or "" if it is whole or not a simple fraction.
export function asFraction(value, largest = LIMITS.denominator) {
  if (!Number.isFinite(value)) return "";
  let [p0, q0, p1, q1] = [0, 1, 1, 0];
  for (let rest = value; ; ) {
    const whole = Math.floor(rest);
    [p0, q0, p1, q1] = [p1, q1, whole * p1 + p0, whole * q1 + q0];
    if (q1 > largest) return "";
    if (Math.abs(p1 / q1 - value) < LIMITS.rounding) return q1 > 1 ? `${p1}/${q1}` : "";
    if (rest === whole) return "";
    rest = 1 / (rest - whole);
  }
}

export const decimals = (value, n = 3) => localised(value.toFixed(n));

export const signed = (value) =>
  `${value < 0 ? "−" : value > 0 ? "+" : ""}${decimals(Math.abs(value))}`;

// A value as a simple fraction or a whole number, else with three decimals.
export const shortly = (value) =>
  Number.isInteger(value) ? String(value) : asFraction(value, LIMITS.simple) || decimals(value);

// The name of a measure with the cutoff that it has here.
// under several conventions a measure has the names of the tools
export const nameOf = (spec) => spec.by ?? (spec.k == null ? spec.stem : `${spec.stem}@${spec.k}`);
// between the name and the value: the name of a tool is not equal to it
export const signOf = (spec) => (spec.by ? ": " : " = ");
export const withCutoff = (spec, k) => (spec.k == null && k ? { ...spec, k } : spec);
// only a measure of hits has a lowest grade that is relevant
export const withLowest = (spec, rel) => (rel && spec.rel === null ? { ...spec, rel } : spec);

export function whyOf(spec, hit, { hits, divisor }) {
  const short = (value) => (Number.isInteger(value) ? plainly(value) : decimals(value));
  const counted = { AP: hit.nth, P: divisor, R: divisor, Rprec: divisor, Bpref: hit.others }[
    spec.kind
  ];
  const isLate = { RR: hit.nth > 1, Success: hit.nth > 1, Rprec: hit.rank > divisor }[spec.kind];
  // if there is no room for all, it is a share of the ranks
  const kind = spec.denominator === "capped" && divisor === spec.k ? { R: "P" }[spec.kind] : null;
  return say("adds", isLate ? `${spec.kind} nothing` : (kind ?? spec.kind), {
    rank: hit.rank,
    n: counted,
    gain: short(gainOf(hit.grade, { gain: "linear", ...spec })),
    discount: decimals(discount(hit.rank, { discount: "log2", ...spec })),
    divisor: short(divisor),
    reached: short(reachedAfter(hits.slice(0, hit.nth - 1), spec)),
    stop: short(stopAt(hit, spec)),
    p: spec.p,
  });
}
