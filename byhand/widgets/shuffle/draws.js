// Random orders and the values of a measure for them. A browser test compares them with Python's.

import { bitsOf } from "../browser/random.js";
import LIMITS from "../limits.json" with { type: "json" };
import { evaluate } from "../list/engine.js";

// The ranks at which `n` hits land among `total` items.
export function landedOf(seed, shuffle, n, total) {
  const bits = bitsOf(seed, shuffle);
  const moved = new Map();
  return Array.from({ length: n }, (_, i) => {
    const at = i + Math.floor((bits() / 2 ** 32) * (total - i));
    const rank = (moved.get(at) ?? at) + 1;
    moved.set(at, moved.get(i) ?? i);
    return rank;
  });
}

// The same shuffle of all rows of a list: their order, and the rank of each.
export function dealOf(seed, shuffle, { order, grades, total }) {
  const isHit = (id) => grades[id] > 0;
  const ids = [...order.filter(isHit).sort(), ...order.filter((id) => !isHit(id))];
  const landed = landedOf(seed, shuffle, ids.length, total); // of the hits as without the others
  const places = ids.map((_, i) => i).sort((a, b) => landed[a] - landed[b]);
  return { order: places.map((i) => ids[i]), ranks: places.map((i) => landed[i]) };
}

// The value of a list of `total` items, from the ranks of its hits.
export function valueAt(ranks, ids, { total, grades, judged, spec }) {
  const places = ranks.map((_, i) => i).sort((a, b) => ranks[a] - ranks[b]);
  const list = {
    order: places.map((i) => ids[i]),
    ranks: places.map((i) => ranks[i]),
    nRetrieved: total,
    grades,
    judged,
  };
  return evaluate(list, spec).value;
}

// The most of it.
export function mostAt(ids, known) {
  const best = [...ids].sort((a, b) => known.grades[b] - known.grades[a]);
  return valueAt(
    best.map((_, i) => i + 1),
    best,
    known,
  );
}

export const reaching = (values, least) =>
  values.filter((value) => value >= least - LIMITS.near).length;
