// Dials to turn, buttons to draw samples with, and a chart.

import { disable, makeButton, makeGroup } from "../browser/controls.js";
import { draw, folded, freshId, line, make, makeFigure, put, text } from "../browser/dom.js";
import { change } from "../browser/model.js";
import { localised, say } from "../browser/words.js";

export const rounded = (value, digits = 0) =>
  localised(
    value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  ).replace("-", "−");
export const percent = (share) => `${rounded(100 * share)}%`;

// A slider for each dial of a widget. Words for the numbers of one: `words[name](value)`.
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

const [TOP, BOTTOM, SIDE, LABEL, LETTER] = [10, 22, 14, 18, 6.2];

// A chart as wide as its place. Its x axis is { from, to, ticks, digits, label }: without `ticks` they
// are round numbers, and with none of them ([]) it is not drawn; its y axis is { from, to, label }.
export function makePlot({ height }) {
  const { node, widthOf, resize } = makeFigure();
  const svg = node.firstChild;
  node.classList.add("rm-chart");
  let again = () => {};

  function show({ x, y, label, marks }) {
    again = () => show({ x, y, label, marks });
    const width = widthOf();
    const across = x.ticks ?? ticksBetween(x.from, x.to, width < 500 ? 5 : 8);
    const called = folded(y.label, (width - 2 * SIDE) / LETTER);
    const box = {
      left: SIDE,
      right: width - SIDE,
      top: TOP + LABEL * called.length,
      bottom: height - (across.length ? BOTTOM : 4) - (x.label ? LABEL : 0),
    };
    const place =
      ({ from, to }, start, end) =>
      (value) =>
        start + ((value - from) / (to - from)) * (end - start);
    const [atX, atY] = [place(x, box.left, box.right), place(y, box.bottom, box.top)];
    const within = (at) => Math.min(Math.max(at, box.left), box.right);
    const tools = {
      // from and to on the x axis, and how high
      bars: (bars, look) =>
        bars.map(([from, to, high]) => {
          const [left, right] = [within(atX(from)), within(atX(to))];
          const gap = Math.min(1, (right - left) * 0.06);
          return draw("rect", {
            x: left + gap,
            y: atY(high),
            width: Math.max(0, right - left - 2 * gap),
            height: box.bottom - atY(high),
            class: "rm-chart-bar",
            "data-look": look,
          });
        }),
      // a horizontal interval at a height, its middle a dot
      interval([low, middle, high], at, look) {
        const dot = { cx: within(atX(middle)), cy: atY(at), r: 3, class: "rm-chart-dot" };
        const range = line(within(atX(low)), atY(at), within(atX(high)), atY(at), "rm-chart-range");
        put(range, { "data-look": look });
        return [range, draw("circle", { ...dot, "data-look": look })];
      },
      // a line through the whole chart at an x, with what it stands for
      guide(at, words = "", look) {
        const x1 = atX(at);
        const end = x1 > (box.left + box.right) / 2;
        const ruled = line(x1, box.top, x1, box.bottom, "rm-cut");
        if (look) put(ruled, { "data-look": look });
        const beside = [x1 + (end ? -5 : 5), box.top + 10];
        return words
          ? [ruled, text(...beside, words, "rm-chart-words", end ? "end" : "start")]
          : [ruled];
      },
    };
    resize(width, height);
    put(node, { "aria-label": label });
    svg.replaceChildren(
      ...across.map((tick) =>
        text(within(atX(tick)), box.bottom + 16, rounded(tick, x.digits), "rm-quiet"),
      ),
      line(box.left, box.bottom, box.right, box.bottom, "rm-floor"),
      ...(x.label ? [text((box.left + box.right) / 2, height - 6, x.label, "rm-quiet")] : []),
      ...called.map((words, i) => text(SIDE, 14 + LABEL * i, words, "rm-quiet", "start")),
      ...marks(tools).flat(Infinity),
    );
  }
  const watcher = new ResizeObserver(() => again());
  watcher.observe(node);
  return { node, show, stop: () => watcher.disconnect() };
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
