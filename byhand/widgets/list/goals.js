// What orders do for a goal. Python's `goals.py` has the same.

import LIMITS from "../limits.json" with { type: "json" };

// How well values do for a goal, higher is better, whatever the aim.
export function scoreOf(goal, values, first) {
  const value = values[goal.measure];
  if (goal.aim === "highest") return value;
  if (goal.aim === "lowest") return -value;
  if (goal.aim === "change") return Math.abs(value - first[goal.measure]);
  return -Math.abs(value - goal.target);
}

// Each measure that has not the value it has to have, and that value.
export const unmetOf = (goal, values, first) =>
  goal.given
    .map(([name, value]) => [name, value ?? first[name]])
    .filter(([name, value]) => Math.abs(values[name] - value) > LIMITS.near);

// Whether that is as good as the best score, or, where something is to change, a change at all.
export const isReached = (goal, score, best) =>
  goal.aim === "change" ? score > LIMITS.near : score > best - LIMITS.near;
