// A list under its measures: the value of each, and what each place adds to it.

import { inRow, say } from "../browser/words.js";
import {
  alike,
  decimals,
  evaluate,
  hitsOf,
  listOf,
  MEASURES,
  mostOf,
  nameOf,
  signOf,
  withCutoff,
  withLowest,
} from "./engine.js";

export function shownOf({ labels, spans, rows, fixed }, state, cut = {}) {
  return { ...state, ids: [...rows.keys()], labels, spans, top: fixed.max_grade, ...cut };
}

// Each measure of a list: its value, what each place adds, and the most that one rank can add.
export function lanesOf(shown, specs, answers) {
  const list = listOf(shown.order, shown.grades, shown.spans);
  return specs.map((given) => {
    const spec = withLowest(withCutoff(given, shown.k), shown.from);
    if (MEASURES[spec.kind]) {
      return { spec, ...evaluate(list, spec), most: mostOf(list, spec) };
    }
    // a measure that only Python computes is known once Python has the order
    const none = { value: null, shares: shown.order.map(() => 0), most: 1 };
    const lane = answers?.lanes?.[given.asked] ?? none;
    return {
      spec,
      ...(isFor(shown, answers) ? lane : { ...none, value: lane.value, stale: true }),
    };
  });
}

function isFor(shown, { order = [], grades = {}, k, from, by } = {}) {
  const cut = Object.entries({ k, from, by });
  const isCut = cut.every(([name, value]) => (shown[name] ?? null) === (value ?? null));
  const isGraded = Object.keys(grades).every((id) => grades[id] === shown.grades[id]);
  return isCut && isGraded && alike(shown.order, order);
}

export const valueWords = (lane) => (lane.value == null ? "?" : decimals(lane.value));
export const wordsOf = (lanes) =>
  inRow(lanes.map((lane) => nameOf(lane.spec) + signOf(lane.spec) + valueWords(lane)));

// A list in words, as the picture's text alternative.
export function listWords(shown, lanes, list = listOf(shown.order, shown.grades, shown.spans)) {
  const hits = hitsOf(list, shown.from).map((hit) => hit.rank);
  const missed = list.judged.filter((grade) => grade >= (shown.from ?? 0)).length - hits.length;
  const found = hits.length
    ? say("panel", "hits", { ranks: hits.join(", "), n: hits.length, length: list.nRetrieved })
    : say("panel", "no hits");
  const unseen = missed > 0 ? ` ${say("panel", "missed", { n: missed })}` : "";
  return `${found}${unseen} ${wordsOf(lanes)}.`;
}

// The value of a list beside a dragged one: as it stays, or as its items have the dragged order.
// `byhand.widgets.list.beside` has the same in Python.
export function valueBeside({ values, items, grades }, { order }, spec) {
  if (values) return values[spec.asked];
  const own = order.filter((id) => items.includes(id));
  return evaluate(listOf(own, grades), spec).value;
}
