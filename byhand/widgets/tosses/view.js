// A coin for each query keeps or turns round its difference: what do the means of such tosses make?

import { disable, makeButton, makeGroup, makeMessage } from "../browser/controls.js";
import { draw, line, make, makeFigure, put, text } from "../browser/dom.js";
import { change, listen, together } from "../browser/model.js";
import { bitsOf } from "../browser/random.js";
import { say } from "../browser/words.js";
import { decimals, signed } from "../list/engine.js";

const [DOTS_TOP, DOTS_HEIGHT, BARS_TOP, BARS_HEIGHT] = [26, 118, 208, 112];
const TOSSES_HEIGHT = BARS_TOP + BARS_HEIGHT + 28;
const TOSSES_SIDE = 12;
const BAR_FULL = 8; // tosses in a bar before the others shrink
const MANY = 100;

// The number of a toss says how its coins fall, so that number is all there is to keep.
export function coinsOf(seed, toss, n) {
  const bits = bitsOf(seed, toss);
  let thirtyTwo = 0;
  return Array.from({ length: n }, (_, i) => {
    if (i % 32 === 0) thirtyTwo = bits();
    return (thirtyTwo >>> (i % 32)) & 1 ? 1 : -1;
  });
}

export const meanOf = (differences, signs) =>
  differences.reduce((sum, difference, i) => sum + difference * signs[i], 0) / differences.length;

// The bin of a mean, counted from the one around 0; on an edge it belongs to the bin further out.
const binOf = (mean, { width, last }) =>
  Math.sign(mean) * Math.min(last, Math.round((Math.abs(mean) / width) * (1 + 1e-9)));

// Where each dot stands, piled up where several have about the same value.
function pilesOf(values, at, radius) {
  const piles = new Map();
  return values.map((value) => {
    const column = Math.round((at(value) - at(0)) / (2 * radius));
    const height = piles.get(column) ?? 0;
    piles.set(column, height + 1);
    return { x: at(0) + column * 2 * radius, height };
  });
}

function makeTosses({ differences, far, names, width: binWidth, last }) {
  const n = differences.length;
  const radius = n <= 30 ? 6 : n <= 100 ? 4 : 3;
  const bins = { width: binWidth, last };
  const seen = Math.abs(
    meanOf(
      differences,
      differences.map(() => 1),
    ),
  ); // far, but for rounding
  const widest = Math.max(...differences.map(Math.abs)) || 1;
  const dots = differences.map((each) =>
    draw("circle", {
      r: radius - 0.75,
      class: "rm-coin",
      ...(each ? {} : { "data-coin": "none" }),
    }),
  );
  const drop = draw("circle", { r: 4, class: "rm-toss-far", opacity: 0 });
  const [behind, front] = [draw("g"), draw("g")];
  const { node, widthOf, resize } = makeFigure(behind, ...dots, front, drop);
  const floor = DOTS_TOP + DOTS_HEIGHT;
  const base = BARS_TOP + BARS_HEIGHT;

  function show({ signs, mean, means }, { falls = false } = {}) {
    const width = widthOf();
    const half = width / 2 - TOSSES_SIDE;
    const reach = (last + 0.5) * binWidth;
    const [above, below] = [widest, reach].map(
      (end) => (value) => width / 2 + (value / end) * (half - radius),
    );
    // the means lie closer together than the queries: the middle of the scale opens out below
    const isEnlarged = reach < 0.9 * widest;
    const opening = [-reach, reach].map((end) => [
      [above(end), floor],
      [below(end), BARS_TOP - 6],
      [below(end), base],
    ]);
    const values = differences.map((each, i) => each * signs[i]);
    const places = pilesOf(values, above, radius);
    const step = Math.min(
      2 * radius,
      (DOTS_HEIGHT - 2 * radius) / Math.max(1, ...places.map((each) => each.height)),
    );
    dots.forEach((dot, i) => {
      if (differences[i]) put(dot, { "data-coin": signs[i] > 0 ? "kept" : "turned" });
      dot.style.transform = `translate(${places[i].x}px, ${floor - radius - places[i].height * step}px)`;
    });
    const counts = Array(2 * last + 1).fill(0);
    for (const each of means) counts[binOf(each, bins) + last] += 1;
    const full = Math.max(BAR_FULL, ...counts);
    const wide = below(binWidth) - below(0);
    const bars = counts.map((count, i) => {
      const middle = (i - last) * binWidth;
      const tall = (BARS_HEIGHT * count) / full;
      const look = Math.abs(middle) > far ? "rm-toss rm-toss-far" : "rm-toss";
      return draw("rect", {
        x: below(middle) - wide * 0.47,
        y: base - tall,
        width: wide * 0.94,
        height: tall,
        class: look,
      });
    });
    resize(width, TOSSES_HEIGHT);
    behind.replaceChildren(
      ...(isEnlarged
        ? [
            draw("path", {
              d: `M${[...opening[0], ...opening[1].reverse()].join("L")}z`,
              class: "rm-opening",
            }),
          ]
        : []),
      text(
        TOSSES_SIDE,
        12,
        `← ${say("tosses", "better", { name: names[1] })}`,
        "rm-quiet",
        "start",
      ),
      text(
        width - TOSSES_SIDE,
        12,
        `${say("tosses", "better", { name: names[0] })} →`,
        "rm-quiet",
        "end",
      ),
      line(width / 2, DOTS_TOP - 6, width / 2, floor, "rm-guide"),
      ...[floor, base].map((y) => line(TOSSES_SIDE, y, width - TOSSES_SIDE, y, "rm-floor")),
      ...bars,
    );
    front.replaceChildren(
      draw("path", { d: `M${above(mean)} ${floor + 2}l-6 10h12z`, class: "rm-toss-far" }),
      text(
        Math.min(Math.max(above(mean), 60), width - 60),
        floor + 26,
        say("tosses", "mean", { mean: signed(mean) }),
      ),
      text(width / 2, BARS_TOP - 13, say("tosses", isEnlarged ? "enlarged" : "bars"), "rm-quiet"),
      ...[-widest, widest].map((end) =>
        text(above(end), floor + 16, signed(end), "rm-quiet", end < 0 ? "start" : "end"),
      ),
      draw("path", { d: `M${below(mean)} ${base + 1}l-5 8h10z`, class: "rm-toss-far" }),
      ...(far > 0 ? [-far, far] : []).flatMap((end) => [
        line(below(end), BARS_TOP - 6, below(end), base, "rm-cut"),
        text(below(end), base + 21, signed(Math.sign(end) * seen)),
      ]),
      text(width / 2, base + 21, "0"),
    );
    if (falls && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      const frame = (x, y, opacity) => ({ transform: `translate(${x}px, ${y}px)`, opacity });
      drop.animate(
        [
          frame(above(mean), floor + 8, 1),
          frame(below(mean), base - 6, 1),
          frame(below(mean), base - 6, 0),
        ],
        { duration: 700, easing: "ease-in" },
      );
    }
  }
  return { node, show };
}

export function view(model, el) {
  const { differences, seed, far } = model.get("fixed");
  const n = differences.length;
  const kept = differences.map(() => 1);
  const seen = meanOf(differences, kept);
  const means = []; // of the tosses so far
  const figure = makeTosses(model.get("fixed"));
  const message = makeMessage();
  const isFar = (mean) => Math.abs(mean) >= far;
  let shown = 0; // tosses

  const catchUp = (tosses) => {
    while (means.length < tosses) means.push(meanOf(differences, coinsOf(seed, means.length, n)));
    means.length = tosses;
  };
  const toss = (times) => {
    catchUp(model.get("tosses") + times);
    change(model, { tosses: means.length, reached: means.filter(isFar).length });
  };
  const once = makeButton("toss", say("tosses", "once"), () => toss(1), { primary: true });
  const often = makeButton("toss-many", say("tosses", "many", { n: MANY }), () => toss(MANY));
  const over = makeButton("over", say("tosses", "over"), () =>
    change(model, { tosses: 0, reached: 0 }),
  );

  function show() {
    const tosses = model.get("tosses");
    catchUp(tosses);
    const signs = tosses ? coinsOf(seed, tosses - 1, n) : kept;
    const mean = meanOf(differences, signs);
    figure.show({ signs, mean, means }, { falls: tosses === shown + 1 });
    shown = tosses;
    const reached = means.filter(isFar).length;
    const turned = signs.filter((sign, i) => sign < 0 && differences[i]).length;
    const p = decimals((reached + 1) / (tosses + 1));
    const known = { n, turned, seen: signed(seen), mean: signed(mean), tosses, reached, p };
    put(figure.node, { "aria-label": say("tosses", "picture", known) });
    disable(over, !tosses);
    message.show({
      text: say("tosses", tosses ? "tossed" : "none", known),
      more: tosses ? say("tosses", "tally", { ...known, n: reached }) : "\u00a0", // its line stays, so that nothing jumps
    });
  }
  el.append(
    make("div", "rm-title", { text: say("tosses", "title", { n }) }),
    makeGroup(say("tosses", "controls"), once, often, over),
    message.node,
    figure.node,
  );
  show();
  const watcher = new ResizeObserver(show);
  watcher.observe(el);
  return together(listen(model, "change:tosses", show), () => watcher.disconnect());
}
