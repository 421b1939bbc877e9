// Where visitors stop, and what they get there. `byhand.metrics` has what comes of it in Python, and
// a test in a browser holds these to those.

import { hitsOf, sum } from "../list/engine.js";

// Ranks below a page of `n`, at which a visitor sees that what is missing never comes.
export const beyond = (n) => [
  n + 1,
  n + 2,
  ...[20, 100, 1000].filter((each) => each > n + 2),
  Infinity,
];

// The rank after so many steps down a page of `n`.
export const rankAfter = (row, n) => (row <= n ? row : (beyond(n)[row - n - 1] ?? Infinity));

// Of RR one visitor, who wants one; of AP one for each relevant item, and the n-th wants n of them.
export function visitorsOf(list, kind) {
  const hits = hitsOf(list);
  const n = kind === "RR" ? 1 : list.judged.length;
  return Array.from({ length: n }, (_, i) => ({
    stop: hits[i]?.rank ?? Infinity,
    got: hits[i] ? (i + 1) / hits[i].rank : 0,
  }));
}
export const gotByAll = (visitors) =>
  visitors.length ? sum(visitors.map(({ got }) => got)) / visitors.length : 0;
