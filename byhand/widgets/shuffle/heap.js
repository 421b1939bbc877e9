// A histogram of values, as dots while they fit, then as bars; reference values are lines in it.

import { columnsOf, draw, line, text, ticksBetween } from "../browser/dom.js";
import { rounded } from "../browser/words.js";

const [TOP, AXIS] = [40, 44]; // pixels above and below
const MOST_DOTS = 60;
const LETTER = 6.9; // pixels of one

// Bins of equal width, the first around `low` and the last around `high`. The mark of a bin is at its
// value if all its values are equal, as those of RR at a rank are, otherwise in its middle.
function binsOf({ values, low, high }, most) {
  const last = high > low ? most - 1 : 0;
  const width = last ? (high - low) / last : 1;
  const counts = Array(last + 1).fill(0);
  const bin = (value) => Math.min(last, Math.max(0, Math.round((value - low) / width)));
  const only = counts.map(() => null);
  for (const value of values) {
    const i = bin(value);
    const middle = low + i * width;
    only[i] = counts[i] && only[i] !== value ? middle : value;
    counts[i] += 1;
  }
  return { counts, width, bin, at: (i) => only[i] };
}

// `known`: the values, of which a triangle marks the mean; least and most of the axis; what they are held
// against; the words for that, for the axis, and for no values, and none for a level that is not to be
// seen yet. Where the other side counts as well, `far` bars differ.
export function heap(known, { left, right, height }) {
  const { values, mean, own, level, low, high, named, far = () => false } = known;
  const room = right - left;
  const bins = binsOf(known, room > 300 ? 31 : 21);
  const ends = [low - bins.width / 2, high + bins.width / 2];
  const x = (value) => left + (room * (value - ends[0])) / (ends[1] - ends[0]);
  const floor = height - AXIS;
  const box = { x, floor, tall: floor - TOP, wide: x(bins.width) - x(0) };
  const dot = Math.min(box.wide, 14);
  const isFew = values.length <= MOST_DOTS && Math.max(...bins.counts) * dot <= box.tall;
  const aside = left + room * (own > (low + high) / 2 ? 0.25 : 0.75);
  // each name in a line of its own, within the picture
  const shown = (value, y, words, look) => {
    const half = (columnsOf(words) * LETTER) / 2;
    const at = Math.min(Math.max(x(value), left + half), right - half);
    return [line(x(value), TOP - 6, x(value), floor, look), text(at, y, words, `${look}-name`)];
  };
  return [
    line(left, floor, right, floor, "rm-floor"),
    ...(isFew ? dotsOf(values, bins, dot, far, box) : barsOf(values, bins, far, box)),
    ...ticksOf(low, high, x, floor, room > 300 ? 6 : 4),
    ...(values.length
      ? [draw("path", { d: `M${x(mean)} ${floor}l-5 8h10z`, class: "rm-mean-of" })]
      : [text(aside, height / 2, named.empty ?? "", "rm-quiet")]),
    text(left + room / 2, height - 4, named.axis, "rm-quiet"),
    ...(named.level ? shown(level, 28, named.level, "rm-exact") : []),
    ...shown(own, 11, named.own, "rm-own"),
  ];
}

export function ticksOf(low, high, x, floor, most) {
  const ticks = high > low ? ticksBetween(low, high, most) : [low];
  const decimals = ticks.map((tick) => String(tick).split(".")[1]?.length ?? 0);
  return ticks.flatMap((tick) => [
    line(x(tick), floor, x(tick), floor + 4, "rm-floor"),
    text(x(tick), floor + 21, rounded(tick, Math.max(...decimals)), "rm-quiet"),
  ]);
}

function dotsOf(values, bins, dot, far, { x, floor }) {
  const piles = bins.counts.map(() => 0);
  return values.map((value, i) => {
    const bin = bins.bin(value);
    piles[bin] += 1;
    const at = { cx: x(bins.at(bin)), cy: floor - (piles[bin] - 0.5) * dot, r: dot * 0.43 };
    const look = i === values.length - 1 ? "rm-newest" : far(value) ? "rm-far" : "";
    return draw("circle", { ...at, class: `rm-drawn ${look}` });
  });
}

function barsOf(values, bins, far, { x, floor, tall, wide }) {
  const most = Math.max(...bins.counts);
  const newest = bins.bin(values.at(-1));
  return bins.counts.flatMap((count, bin) => {
    if (!count) return [];
    const [middle, up] = [bins.at(bin), (tall * count) / most];
    const at = { x: x(middle - bins.width / 2) + 0.5, y: floor - up };
    const look = far(middle) ? "rm-drawn rm-far" : "rm-drawn";
    const bar = draw("rect", { ...at, width: wide - 1, height: up, class: look });
    const top = { cx: at.x + wide / 2 - 0.5, cy: at.y - 5, r: 3.5, class: "rm-drawn rm-newest" };
    return bin === newest ? [bar, draw("circle", top)] : [bar];
  });
}
