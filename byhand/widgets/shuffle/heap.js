// A heap of values, dots while they fit and then bars; what it is held against stands in it as lines,
// and under it its mean walks.

import { columnsOf, draw, line, text } from "../browser/dom.js";
import { plainly, say } from "../browser/words.js";
import { rounded, ticksBetween } from "../draws/dials.js";

const [TOP, AXIS, TRACE, FOOT] = [40, 24, 46, 18]; // pixels, from top to bottom
const TITLE = 18; // pixels for what the trace is called
const MOST_DOTS = 60;
const FAR = 10_000; // shuffles, at the end of the trace
const LETTER = 6.9; // pixels of one

// Bins of one width, of which the first is around `low` and the last around `high`. What stands for a bin
// stands where its values are, if all are one, as are those of RR at a rank; else in its middle.
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

// `known`: the values and their means so far, least and most of the axis, what it is held against
// and the words for that, none for a level that is not to be seen yet. Where the other side counts
// as well, `far` bars differ. `section`: whose words say what was done so often.
export function heap(known, { left, right, height }) {
  const {
    values,
    means,
    own,
    level,
    low,
    high,
    named,
    far = () => false,
    section = "shuffle",
  } = known;
  const room = right - left;
  const bins = binsOf(known, room > 300 ? 31 : 21);
  const ends = [low - bins.width / 2, high + bins.width / 2];
  const x = (value) => left + (room * (value - ends[0])) / (ends[1] - ends[0]);
  const floor = height - FOOT - TRACE - TITLE - AXIS;
  const tall = floor - TOP;
  const wide = x(bins.width) - x(0);
  const most = Math.max(...bins.counts);
  const dot = Math.min(wide, 14);
  const last = values.at(-1);
  const parts = [line(left, floor, right, floor, "rm-floor")];

  if (values.length <= MOST_DOTS && most * dot <= tall) {
    const piles = bins.counts.map(() => 0);
    values.forEach((value, i) => {
      const bin = bins.bin(value);
      piles[bin] += 1;
      const at = { cx: x(bins.at(bin)), cy: floor - (piles[bin] - 0.5) * dot };
      const look = i === values.length - 1 ? "rm-newest" : far(value) ? "rm-far" : "";
      parts.push(draw("circle", { ...at, r: dot * 0.43, class: `rm-drawn ${look}` }));
    });
  } else {
    bins.counts.forEach((count, bin) => {
      const up = (tall * count) / most;
      const middle = bins.at(bin);
      const at = { x: x(middle - bins.width / 2) + 0.5, y: floor - up };
      const look = far(middle) ? "rm-drawn rm-far" : "rm-drawn";
      if (count) parts.push(draw("rect", { ...at, width: wide - 1, height: up, class: look }));
      if (bin === bins.bin(last)) {
        const top = { cx: at.x + wide / 2 - 0.5, cy: at.y - 5, r: 3.5 };
        parts.push(draw("circle", { ...top, class: "rm-drawn rm-newest" }));
      }
    });
  }
  const ticks = high > low ? ticksBetween(low, high, room > 300 ? 6 : 4) : [low];
  const decimals = ticks.map((tick) => String(tick).split(".")[1]?.length ?? 0);
  for (const tick of ticks)
    parts.push(
      line(x(tick), floor, x(tick), floor + 4, "rm-floor"),
      text(x(tick), floor + 17, rounded(tick, Math.max(...decimals)), "rm-quiet"),
    );
  // each name in a line of its own, within the picture
  const shown = (value, y, words, look) => {
    const half = (columnsOf(words) * LETTER) / 2;
    const at = Math.min(Math.max(x(value), left + half), right - half);
    return [line(x(value), TOP - 6, x(value), floor, look), text(at, y, words, `${look}-name`)];
  };
  if (named.level) parts.push(shown(level, 28, named.level, "rm-exact"));
  parts.push(shown(own, 11, named.own, "rm-own"));
  const span = (high - low) * 0.25 || 1;
  parts.push(...traced(means, { left, right, level, span, height, isTold: named.level, section }));
  return parts.flat();
}

function traced(means, { left, right, level, span, height, isTold, section }) {
  const [top, base] = [height - FOOT - TRACE, height - FOOT];
  const x = (n) => left + ((right - left) * Math.log10(n)) / Math.log10(FAR);
  const y = (mean) => {
    const by = Math.min(Math.max((mean - level) / span, -1), 1);
    return (top + base) / 2 - (by * (base - top)) / 2;
  };
  const title = say(section, right - left > 300 ? "so far" : "far");
  const parts = [text(left, top - 4, title, "rm-quiet", "start")];
  if (isTold) parts.push(line(left, y(level), right, y(level), "rm-exact"));
  for (const n of [1, 10, 100, 1000, FAR]) {
    const anchor = n === 1 ? "start" : n === FAR ? "end" : "middle";
    if (right - left > 300 || n !== 1000)
      parts.push(text(x(n), height - 4, plainly(n), "rm-quiet", anchor));
  }
  if (!means.length) return parts;
  let reached = Number.NEGATIVE_INFINITY;
  const points = means.flatMap((mean, i) => {
    const at = x(i + 1);
    if (at - reached < 1 && i + 1 < means.length) return [];
    reached = at;
    return [`${at.toFixed(1)} ${y(mean).toFixed(1)}`];
  });
  const end = { cx: x(means.length), cy: y(means.at(-1)), r: 4 };
  return [
    ...parts,
    draw("path", { d: `M${points.join("L")}`, class: "rm-mean-trace" }),
    draw("circle", { ...end, class: "rm-mean-now" }),
  ];
}
