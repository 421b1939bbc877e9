// What orders do for a goal. Python's `goals.py` has the same.

import LIMITS from "../limits.json" with { type: "json" };

// How well values do for a goal, higher is better, whatever the aim.
export function scoreOf(goal, values) {
  const value = values[goal.measure];
  if (goal.aim === "highest") return value;
  return goal.aim === "lowest" ? -value : -Math.abs(value - goal.target);
}

// Each measure that has not the value it has to have, and that value.
export const unmetOf = (goal, values) =>
  goal.given.filter(([name, value]) => Math.abs(values[name] - value) > LIMITS.near);

export const isReached = (score, best) => score > best - LIMITS.near;
