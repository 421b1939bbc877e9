// A list under its measures: the value of each, and what each place adds to it.

import { inRow, say } from "../browser/words.js";
import {
  alike,
  decimals,
  discount,
  evaluate,
  gainOf,
  hitsOf,
  isOther,
  listOf,
  MEASURES,
  mostOf,
  nameOf,
  reachedAfter,
  signOf,
  stopAt,
  weightOf,
  withCutoff,
  withLowest,
} from "./engine.js";

// What is shown of a list: its state, and what does not change.
export function shownOf(list, state, { k = null, from = null, by = null } = {}) {
  const { labels, spans, rows, fixed } = list;
  return { ...state, ids: [...rows.keys()], labels, spans, k, from, by, top: fixed.max_grade };
}

// The workings of a measure, a value for each place of a list.
function columnsOf(list, spec) {
  const found = hitsOf(list, spec.rel);
  const hits = new Map(found.map((hit) => [hit.place, hit]));
  const sums = (are) => are.map((_, place) => are.slice(0, place + 1).filter(Boolean).length);
  const soFar = sums(list.order.map((_, place) => hits.has(place)));
  const above = (place) => found.slice(0, soFar[place - 1] ?? 0);
  const all = {
    "hits so far": () => soFar,
    precision: () => soFar.map((n, place) => n / list.ranks[place]),
    discount: () => list.ranks.map((rank) => discount(rank, spec)),
    gain: () => list.order.map((_, i) => (hits.has(i) ? gainOf(hits.get(i).grade, spec) : 0)),
    reached: () => list.order.map((_, place) => reachedAfter(above(place), spec)),
    stopped: () =>
      list.order.map((_, place) => (hits.has(place) ? stopAt(hits.get(place), spec) : 0)),
    "not relevant so far": () => sums(list.order.map((id) => isOther(list.grades[id], spec.rel))),
    weight: () => list.ranks.map((rank) => weightOf(rank, spec)),
  };
  return Object.fromEntries(Object.keys(spec.workings).map((name) => [name, all[name]()]));
}

// Each measure of a list: its value, what each place adds, and the most that one rank can add.
export function lanesOf(shown, specs, answers) {
  const list = listOf(shown.order, shown.grades, shown.spans);
  return specs.map((given) => {
    const spec = withLowest(withCutoff(given, shown.k), shown.from);
    if (MEASURES[spec.kind]) {
      return {
        spec,
        ...evaluate(list, spec),
        most: mostOf(list, spec),
        columns: columnsOf(list, spec),
      };
    }
    // a measure that only Python knows is answered once the order has reached it
    const none = { value: null, shares: shown.order.map(() => 0), most: 1 };
    const lane = answers?.lanes?.[given.asked] ?? none;
    return {
      spec,
      ...(isFor(shown, answers) ? lane : { ...none, value: lane.value, stale: true }),
    };
  });
}

function isFor(shown, { order = [], grades = {}, k, from, by } = {}) {
  const same =
    alike(shown.order, order) &&
    (shown.k ?? null) === (k ?? null) &&
    (shown.from ?? null) === (from ?? null) &&
    (shown.by ?? null) === (by ?? null);
  return same && Object.keys(grades).every((id) => grades[id] === shown.grades[id]);
}

export const valueWords = (lane) => (lane.value == null ? "?" : decimals(lane.value));
export const wordsOf = (lanes) =>
  inRow(lanes.map((lane) => nameOf(lane.spec) + signOf(lane.spec) + valueWords(lane)));

// A list in words, as the picture's text alternative.
export function listWords(shown, lanes, list = listOf(shown.order, shown.grades, shown.spans)) {
  const hits = hitsOf(list, shown.from).map((hit) => hit.rank);
  const missed = list.judged.filter((grade) => grade >= (shown.from ?? 0)).length - hits.length;
  const found = hits.length
    ? say("panel", "hits", { ranks: hits.join(", "), n: list.nRetrieved })
    : say("panel", "no hits");
  const unseen = missed > 0 ? ` ${say("panel", "missed", { n: missed })}` : "";
  return `${found}${unseen} ${wordsOf(lanes)}.`;
}
