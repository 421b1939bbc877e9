// The frame of a small experiment: dials to turn, buttons to draw with, and a chart.

import { disable, makeButton, makeGroup } from "../browser/controls.js";
import { draw, folded, freshId, line, make, makeFigure, put, text } from "../browser/dom.js";
import { change } from "../browser/model.js";
import { localised, say } from "../browser/words.js";

export const rounded = (value, digits = 0) =>
  localised(
    value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  ).replace("-", "−");
export const percent = (share) => `${rounded(100 * share)}%`;

// A slider for each dial of the experiment. Words for the numbers of one: `words[name](value)`.
export function makeDials(model, words = {}) {
  const dials = model.get("fixed").dials.map(({ name, values, digits }) => {
    const id = freshId("dial");
    const input = make("input", "rm-slider", {
      id,
      type: "range",
      "data-name": name,
      min: 0,
      max: values.length - 1,
      step: 1,
    });
    const shown = make("span", "rm-shown", { "aria-hidden": "true" });
    input.addEventListener("input", () => change(model, { [name]: values[Number(input.value)] }));
    const called = make("label", "", { for: id, text: say(model.get("view"), name) });
    const node = make("div", "rm-dial", {}, make("div", "rm-dial-head", {}, called, shown), input);
    const show = () => {
      const value = model.get(name);
      const said = words[name]?.(value) ?? rounded(value, digits);
      input.value = values.indexOf(value);
      put(input, { "aria-valuetext": said });
      put(shown, { text: said });
    };
    return { node, show };
  });
  const node = make("div", "rm-dials", {}, ...dials.map((dial) => dial.node));
  const show = () => {
    for (const dial of dials) dial.show();
  };
  return { node, show };
}

// Buttons that only count: what the draw of a number is, its view knows.
export function makeDraws(model, { many = 100, most = 1000 } = {}) {
  const add = (times) => change(model, { draws: Math.min(most, model.get("draws") + times) });
  const once = makeButton("draw", say("dials", "draw"), () => add(1), { primary: true });
  const often = makeButton("draw-many", say("dials", "draw many", { n: many }), () => add(many));
  const over = makeButton("over", say("dials", "over"), () => change(model, { draws: 0 }));
  const why = make("span", "", { role: "status" }); // these buttons are off
  const show = () => {
    const isAll = model.get("draws") >= most;
    disable(over, !model.get("draws"));
    for (const button of [once, often]) disable(button, isAll);
    put(why, { text: isAll ? say("dials", "all", { n: most }) : "" });
  };
  return { node: makeGroup(say("dials", "draws"), once, often, over, why), show };
}

// The samples drawn so far, made anew when a dial is turned; `sampleAt` makes one by its number.
export function makeSamples() {
  let [samples, made, isAnew] = [[], "", false];
  return (dialled, draws, sampleAt) => {
    const isOld = made === dialled;
    isAnew = isOld ? isAnew && draws === samples.length : samples.length > 0;
    if (!isOld) [samples, made] = [[], dialled];
    while (samples.length < draws) samples.push(sampleAt(samples.length));
    samples.length = draws;
    return [samples, isAnew];
  };
}

// Round numbers between two ends.
export function ticksBetween(from, to, most = 6) {
  const rough = (to - from) / most;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * ten).find((each) => each >= rough * (1 - 1e-9));
  const first = Math.ceil(from / step - 1e-9);
  const n = Math.floor(to / step + 1e-9) - first + 1;
  return Array.from({ length: n }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

const [TOP, BOTTOM, SIDE, LEFT, LABEL, LETTER] = [10, 22, 14, 44, 18, 6.2];

// A chart as wide as its place. An axis is { from, to, ticks, digits, label, log }; without `ticks`
// they are round numbers, and with none of them ([]) it is not drawn.
export function makePlot({ height }) {
  const { node, widthOf, resize } = makeFigure();
  const svg = node.firstChild;
  node.classList.add("rm-chart");
  let again = () => {};
  let valueAt = () => 0;

  function show({ x, y, label, marks }) {
    again = () => show({ x, y, label, marks });
    const width = widthOf();
    const ticksOf = (axis, most) => axis.ticks ?? ticksBetween(axis.from, axis.to, most);
    const [across, up] = [ticksOf(x, width < 500 ? 5 : 8), ticksOf(y, 5)];
    const called = y.label ? folded(y.label, (width - 2 * SIDE) / LETTER) : [];
    const box = {
      left: up.length ? LEFT : SIDE,
      right: width - SIDE,
      top: TOP + LABEL * called.length,
      bottom: height - (across.length ? BOTTOM : 4) - (x.label ? LABEL : 0),
    };
    const place =
      ({ from, to, log }, start, end) =>
      (value) => {
        const [low, high, at] = [from, to, value].map(log ? Math.log10 : Number);
        return start + ((at - low) / (high - low)) * (end - start);
      };
    const [atX, atY] = [place(x, box.left, box.right), place(y, box.bottom, box.top)];
    valueAt = ({ clientX }) => {
      const share =
        (clientX - svg.getBoundingClientRect().left - box.left) / (box.right - box.left);
      return x.from + share * (x.to - x.from);
    };
    const within = (at) => Math.min(Math.max(at, box.left), box.right);
    const tall = (value) => Math.min(Math.max(atY(value), box.top), box.bottom);
    const kind = (look) => (look ? { "data-look": look } : {});
    const tools = {
      points: (points, look, radius = 4) =>
        points.map(([a, b]) =>
          draw("circle", {
            cx: atX(a),
            cy: atY(b),
            r: radius,
            class: "rm-chart-dot",
            ...kind(look),
          }),
        ),
      line: (points, look) => [
        draw("path", {
          d: `M${points.map(([a, b]) => `${atX(a)} ${atY(b)}`).join("L")}`,
          class: "rm-chart-line",
          ...kind(look),
        }),
      ],
      // from and to on the x axis, and how high
      bars: (bars, look) =>
        bars.map(([from, to, high]) => {
          const [left, right] = [within(atX(from)), within(atX(to))];
          const gap = Math.min(1, (right - left) * 0.06);
          return draw("rect", {
            x: left + gap,
            y: tall(high),
            width: Math.max(0, right - left - 2 * gap),
            height: box.bottom - tall(high),
            class: "rm-chart-bar",
            ...kind(look),
          });
        }),
      // a horizontal interval at a height, its middle a dot
      interval([low, middle, high], at, look, radius = 3) {
        const dot = { cx: within(atX(middle)), cy: atY(at), r: radius, class: "rm-chart-dot" };
        const range = line(within(atX(low)), atY(at), within(atX(high)), atY(at), "rm-chart-range");
        put(range, kind(look));
        return [range, draw("circle", { ...dot, ...kind(look) })];
      },
      // a line through the whole chart at an x or a y, with what it stands for
      guide: ({ x: a, y: b }, words = "", look) => {
        const [x1, x2] = a === undefined ? [box.left, box.right] : [atX(a), atX(a)];
        const [y1, y2] = a === undefined ? [atY(b), atY(b)] : [box.top, box.bottom];
        const end = a === undefined || x1 > (box.left + box.right) / 2;
        const at = a === undefined ? [box.right, y1 - 5] : [x1 + (end ? -5 : 5), box.top + 10];
        const ruled = line(x1, y1, x2, y2, "rm-cut");
        put(ruled, kind(look));
        return words
          ? [ruled, text(...at, words, "rm-chart-words", end ? "end" : "start")]
          : [ruled];
      },
      words: (a, b, words, anchor = "middle") => [
        text(atX(a), atY(b), words, "rm-chart-words", anchor),
      ],
    };
    resize(width, height);
    put(node, { "aria-label": label });
    svg.replaceChildren(
      ...across.map((tick) =>
        text(within(atX(tick)), box.bottom + 16, rounded(tick, x.digits), "rm-quiet"),
      ),
      ...up.flatMap((tick) => [
        line(box.left, atY(tick), box.right, atY(tick), "rm-guide"),
        text(box.left - 6, atY(tick) + 4, rounded(tick, y.digits), "rm-quiet", "end"),
      ]),
      line(box.left, box.bottom, box.right, box.bottom, "rm-floor"),
      ...(x.label ? [text((box.left + box.right) / 2, height - 6, x.label, "rm-quiet")] : []),
      ...called.map((words, i) => text(SIDE, 14 + LABEL * i, words, "rm-quiet", "start")),
      ...marks(tools).flat(Infinity),
    );
  }
  const watcher = new ResizeObserver(() => again());
  watcher.observe(node);
  // valueAt: where on the x axis somebody points, if that is no logarithm
  return { node, show, valueAt: (event) => valueAt(event), stop: () => watcher.disconnect() };
}

// What the lines of a chart stand for, where words beside them would lie on one.
export function makeKeys() {
  const node = make("p", "rm-chart-keys", { "aria-hidden": "true" });
  const show = (keys) =>
    node.replaceChildren(
      ...keys.map(([words, look]) => make("span", "", { "data-look": look, text: words })),
    );
  return { node, show };
}

// Numbers beside each other: what each is, the number, and a line about it.
export function makeFacts() {
  const node = make("div", "rm-values rm-facts-of");
  const show = (facts) =>
    node.replaceChildren(
      ...facts.map(({ label, value, note = "" }) =>
        make(
          "div",
          "rm-card",
          {},
          make("div", "rm-aside", { text: label }),
          make("div", "rm-value", { text: value }),
          make("div", "rm-aside", { text: note }),
        ),
      ),
    );
  return { node, show };
}
