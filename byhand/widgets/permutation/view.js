// Signs that are flipped, or labels that are permuted: each permutation lands in a heap.

import { makeButton } from "../browser/controls.js";
import { draw, line, make, makeFigure, put, text } from "../browser/dom.js";
import { change, together } from "../browser/model.js";
import { bitsOf } from "../browser/random.js";
import { say } from "../browser/words.js";
import { decimals, signed, sum } from "../list/engine.js";
import { landedOf } from "../shuffle/draws.js";
import { heap, ticksOf } from "../shuffle/heap.js";
import { makeDrawn, makeShuffles } from "../shuffle/shuffles.js";

const [STRIP, AXIS, HEAP, SIDE] = [84, 52, 214, 8]; // pixels: height of a row of values, of their axis, of
// the heap; margin
const [DOT, LEAST, PILE] = [9, 5, 46]; // pixels from one dot to the next, as far as it can be seen; of a pile

export const meanOf = (differences, signs) =>
  sum(differences.map((each, i) => each * signs[i])) / differences.length;

// `places`: which of all values, counted from 1, are in the first group.
export function differenceOf(values, places) {
  const first = sum(places.map((place) => values[place - 1]));
  return first / places.length - (sum(values) - first) / (values.length - places.length);
}

// What is permuted: the value of a permutation, −1 being what was observed, and its rows: each dot
// with where it is and whether it is as it was.
const KINDS = {
  signs({ values: [differences], seed }) {
    // the number of a permutation determines its signs, so it is all that the model has to keep
    const signs = (permutation) => {
      const bits = bitsOf(seed, permutation);
      return differences.map(() => (permutation < 0 || bits() % 2 ? 1 : -1));
    };
    const reach = Math.max(...differences.map(Math.abs));
    return {
      ends: [-reach, reach],
      value: (i) => meanOf(differences, signs(i)),
      rows: (i) => {
        const now = signs(i);
        return [differences.map((each, j) => ({ at: each * now[j], isKept: now[j] > 0 }))];
      },
    };
  },
  labels({ values: [a, b], seed }) {
    const values = [...a, ...b];
    const places = (i) =>
      i < 0 ? a.map((_, j) => j + 1) : landedOf(seed, i, a.length, values.length);
    return {
      ends: [Math.min(0, ...values), Math.max(0, ...values)],
      value: (i) => differenceOf(values, places(i)),
      rows: (i) => {
        const inFirst = new Set(places(i));
        const dots = values.map((at, j) => ({ at, isKept: j < a.length }));
        return [true, false].map((side) => dots.filter((_, j) => inFirst.has(j + 1) === side));
      },
    };
  },
};

// Values in piles, full ones below: dots, or bars where dots would be too small to be told apart.
function pilesOf(dots, x) {
  const columns = Map.groupBy(dots, ({ at }) => Math.round((x(at) - x(0)) / DOT));
  return [...columns].map(([column, pile]) => ({ cx: x(0) + column * DOT, pile }));
}

function drawPile({ cx, pile }, step, floor) {
  const kept = pile.filter(({ isKept }) => isKept).length;
  const lookOf = (isKept) => `rm-value-of${isKept ? " rm-on" : ""}`;
  if (step >= LEAST) {
    const cy = (i) => floor - 2 - (i + 0.5) * step;
    const at = (i) => ({ cx, cy: cy(i), r: step * 0.42, class: lookOf(i < kept) });
    return pile.map((_, i) => draw("circle", at(i)));
  }
  const bar = (n, below, isKept) => {
    const height = n && Math.max(n * step, 2); // a single value is still to be seen
    const at = { x: cx - 3.5, y: floor - below * step - height, width: 7, height };
    return draw("rect", { ...at, class: lookOf(isKept) });
  };
  return [bar(kept, 0, true), bar(pile.length - kept, kept, false)];
}

export function view(model, el) {
  const { kind, names, measure, values, far, end, seed } = model.get("fixed");
  const [name, other] = names;
  const called = [measure, kind === "signs" && `${name} − ${other}`].filter(Boolean).join(", ");
  const world = KINDS[kind]({ values, seed });
  const observed = world.value(-1);
  const isFar = (value) => Math.abs(value) >= far;
  const drawn = makeDrawn(world.value);
  const shuffles = makeShuffles(model, permuted, { section: kind });
  const figure = makeFigure("rm-heap", paint);
  const info = make("p.rm-heap-words");
  const said = make("div.rm-said", { role: "status", "aria-live": "polite" });
  const over = makeButton("over", say("permutation", "over"), () =>
    change(model, { shuffles: 0, reached: 0 }),
  );

  // the values as they are permuted now: full as it was at first, or a ring
  function strips(rows, width, times) {
    const [from, to] = world.ends;
    const x = (value) => 2 * SIDE + ((width - 4 * SIDE) * (value - from)) / (to - from || 1);
    const foot = STRIP * rows.length - 16;
    const piles = rows.map((dots) => pilesOf(dots, x));
    const most = Math.max(...piles.flat().map(({ pile }) => pile.length));
    const step = Math.min(DOT, PILE / most);
    const parts = rows.flatMap((dots, row) => {
      const mean = sum(dots.map(({ at }) => at)) / dots.length;
      const floor = STRIP * (row + 1) - 16;
      const known = { name: names[row], n: dots.length, mean: decimals(mean) };
      const label = say(kind, times ? "new row" : "row", known);
      return [
        text(SIDE, STRIP * row + 14, label, "rm-group", "start"),
        line(SIDE, floor, width - SIDE, floor, "rm-floor"),
        ...piles[row].flatMap((each) => drawPile(each, step, floor)),
        draw("path", { d: `M${x(mean)} ${floor}l-5 8h10z`, class: "rm-mean-of" }),
      ];
    });
    const axis = text(width / 2, foot + 38, called, "rm-quiet");
    return [...parts, ...ticksOf(from, to, x, foot), axis];
  }
  function paint(width, times) {
    const now = drawn(times);
    const rows = world.rows(times - 1);
    const top = rows.length * STRIP + AXIS;
    const named = {
      own: say("permutation", "seen", { value: signed(observed) }),
      level: say("permutation", "none"),
      axis: say("draws", "axis", { name, other }),
    };
    const known = { ...now, own: observed, level: 0, low: -end, high: end, named, far: isFar };
    const box = { left: SIDE, right: width - SIDE, height: HEAP };
    const below = heap(known, box);
    const parts = [
      ...strips(rows, width, times),
      draw("g", { transform: `translate(0 ${top})` }, ...below),
    ];
    return { height: top + HEAP, label: wordsOf(now.values), parts };
  }
  function wordsOf(all) {
    const value = signed(observed);
    if (!all.length) return say("permutation", "title", { name, other, value });
    const reached = all.filter(isFar).length;
    const p = decimals((reached + 1) / (all.length + 1));
    return say("permutation", "times", { n: all.length, reached, value, p });
  }
  function show(times) {
    figure.show(times);
    put(info, { text: wordsOf(drawn(times).values) });
    over.style.visibility = times ? "" : "hidden";
  }
  // Python hears how many were as far
  function permuted() {
    const times = model.get("shuffles");
    show(times);
    if (times) put(said, { text: info.textContent });
    const reached = drawn(times).values.filter(isFar).length;
    if (reached !== model.get("reached")) change(model, { reached });
  }
  el.append(
    figure.node,
    make("p.rm-heap-legend", { text: say(kind, "legend", { name, other }) }),
    make("div.rm-heap-foot", shuffles.makeGroup(over), info),
    said,
  );
  show(model.get("shuffles"));
  return together(shuffles.stop, figure.stop);
}
