// Random numbers that start alike each time (mulberry32): 32 bits at each call.

function bitsFrom(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

// What a seed and the number of a draw make, so that these two are all there is to keep.
export const bitsOf = (seed, number) =>
  bitsFrom(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));

// Which of some values are drawn; one may be drawn again.
export const drawnOf = (bits, n, size) =>
  Array.from({ length: n }, () => Math.floor((bits() / 2 ** 32) * size));
