// Formulas that make a number of a list. `byhand.widgets.bench` has the same in Python, and a test in
// a browser holds these to those.

import LIMITS from "../limits.json" with { type: "json" };
import { hitsOf, sum } from "../list/engine.js";

// what a hit is worth: by its rank, its number among the hits, and the length of the list
export const WEIGHTS = {
  rank: (rank) => rank,
  line: (rank, _nth, n) => (n + 1 - rank) / n,
  five: (rank) => (rank < LIMITS.few + 0.5 ? 1 : 0), // its curve falls between two ranks
  "1/rank": (rank) => 1 / rank,
  one: () => 1,
  share: (rank, nth) => nth / rank,
  "1/log2": (rank) => 1 / Math.log2(rank + 1),
};

// what a hit is worth by its grade
export const gainOf = ({ power, graded }, grade) => (power ? 2 ** grade - 1 : graded ? grade : 1);

// The number of a list, what each of its places adds to it, and what the sum is divided by.
export function tried(formula, list, extra = 0) {
  const hits = hitsOf(list);
  const n = list.nRetrieved + extra;
  const divisor =
    { five: LIMITS.few, relevant: list.judged.length, hits: hits.length }[formula.over] ?? 1;
  const counted = formula.first ? hits.slice(0, 1) : hits;
  const worth = counted.map(
    ({ rank, nth, grade }) => gainOf(formula, grade) * WEIGHTS[formula.weight](rank, nth, n),
  );
  const shares = list.order.map(() => 0);
  for (const [i, { place }] of counted.entries()) {
    shares[place] = divisor ? worth[i] / divisor : 0;
  }
  const none = divisor ? formula.never : null;
  return {
    value: hits.length && divisor ? sum(worth) / divisor : none,
    shares,
    hits,
    counted,
    worth,
    divisor,
    n,
  };
}
