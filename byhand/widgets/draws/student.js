// Student's t for whole degrees of freedom. A test compares it with `byhand.statistics`.

import { sum } from "../list/engine.js";

// The two-sided p of a t: a finite sum (Abramowitz and Stegun, 26.7.3 and 26.7.4).
export function studentP(t, freedom) {
  const angle = Math.atan(Math.abs(t) / Math.sqrt(freedom));
  const isOdd = freedom % 2 === 1;
  let term = isOdd ? Math.cos(angle) : 1;
  let total = freedom > 1 ? term : 0;
  for (let i = isOdd ? 3 : 2; i <= freedom - 2; i += 2) {
    term *= (Math.cos(angle) ** 2 * (i - 1)) / i;
    total += term;
  }
  const inside = Math.sin(angle) * total;
  return Math.max(0, 1 - (isOdd ? (2 / Math.PI) * (angle + inside) : inside));
}

export function momentsOf(values) {
  const mean = sum(values) / values.length;
  const squares = values.reduce((total, each) => total + (each - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (values.length - 1) / values.length) };
}
