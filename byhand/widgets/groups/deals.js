// Labels dealt out to the values of two groups: the difference of the means that this makes.

import LIMITS from "../limits.json" with { type: "json" };
import { sum } from "../list/engine.js";
import { placesOf } from "../shuffle/draws.js";

// `places`: which of all values, counted from 1, are in the first group.
export function differenceOf(values, places) {
  const first = sum(places.map((place) => values[place - 1]));
  const rest = values.length - places.length;
  return first / places.length - (sum(values) - first) / rest;
}

// Whether it is as far from 0 as the one seen, but for rounding.
export const isAsFar = (difference, seen) => Math.abs(difference) >= Math.abs(seen) - LIMITS.near;

// How many of all ways to deal the labels are as far, and how many ways there are; null if too many.
export function dealsOf(values, n, seen) {
  const ways = placesOf(Array(n).fill(0), values.length);
  if (!ways) return null;
  const far = ways.filter((places) => isAsFar(differenceOf(values, places), seen)).length;
  return { far, all: ways.length };
}
