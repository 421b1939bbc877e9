// Samples from a world whose truth is known: what each interval catches, and what a test finds.

import { disable, makeButton, makeGroup, makeMessage, makeSlider } from "../browser/controls.js";
import { draw, folded, line, make, makeFigure, put, text } from "../browser/dom.js";
import { change, listen, together } from "../browser/model.js";
import { bitsOf, drawnOf } from "../browser/random.js";
import { percent, plainly, rounded, say } from "../browser/words.js";
import { decimals, signed, sum } from "../list/engine.js";
import { ticksOf } from "../shuffle/heap.js";
import { momentsOf, studentP } from "./student.js";

const [SHOWN, MANY, MOST] = [24, 100, 1000]; // intervals; samples at once, and in all
const [HIGH, TOP, BOTTOM, SIDE, LABEL, LETTER] = [350, 10, 44, 14, 18, 6.9]; // pixels of the chart

// The mean of a draw of n values, and its interval of so many standard errors on either side.
export function sampleOf(values, { seed, nth, n, reach }) {
  const { mean, error } = momentsOf(
    drawnOf(bitsOf(seed, nth), n, values.length).map((i) => values[i]),
  );
  return { mean, error, low: mean - reach * error, high: mean + reach * error };
}

const pOf = ({ mean, error }, n) => (error ? studentP(mean / error, n - 1) : mean ? 0 : 1);

// a p that rounds to 0 is not 0
const shownP = (p) => (p < 0.0005 ? `< ${decimals(0.001)}` : `= ${decimals(p)}`);

const holds = ({ low, high }, truth) => low <= truth && truth <= high;
const findingOf = ({ low, high }) => (low > 0 ? "found" : high < 0 ? "wrong" : "inconclusive");

// The latest samples, newest on top: their intervals on an axis, and the truth as a line through them.
const makeIntervals = ({ low: from, high: to, names: [name, other] }) =>
  makeFigure("rm-chart", (width, { samples, truth, label }) => {
    const [left, right] = [SIDE, width - SIDE];
    const called = folded(say("draws", "ranges"), (width - 2 * SIDE) / LETTER);
    const [top, foot] = [TOP + LABEL * called.length, HIGH - BOTTOM];
    const x = (value) => {
      const at = left + ((value - from) / (to - from)) * (right - left);
      return Math.min(Math.max(at, left), right);
    };
    const latest = samples.slice(-SHOWN).reverse();
    const intervals = latest.map(({ low, mean, high }, i) => {
      const y = top + ((foot - top) * (i + 1.5)) / (SHOWN + 1);
      const look = { "data-look": holds({ low, high }, truth) ? "hit" : "gap" };
      const range = line(x(low), y, x(high), y, "rm-chart-range");
      put(range, look);
      return [range, draw("circle", { cx: x(mean), cy: y, r: 3, class: "rm-chart-dot", ...look })];
    });
    const zero = line(x(0), top, x(0), foot, "rm-cut");
    put(zero, { "data-look": "quiet" });
    const isLate = x(truth) > width / 2;
    const words = say("draws", "truth is", { truth: signed(truth) });
    const beside = [x(truth) + (isLate ? -5 : 5), top + 10];
    const parts = [
      ...ticksOf(from, to, x, foot, width < 500 ? 5 : 8),
      line(left, foot, right, foot, "rm-floor"),
      text(width / 2, HIGH - 6, say("draws", "axis", { name, other }), "rm-quiet"),
      ...called.map((each, i) => text(SIDE, 14 + LABEL * i, each, "rm-quiet", "start")),
      zero,
      line(x(truth), top, x(truth), foot, "rm-cut"),
      text(...beside, words, "rm-chart-words", isLate ? "end" : "start"),
      ...intervals.flat(),
    ];
    return { height: HIGH, label, parts };
  });

const cardOf = ([label, value, note]) =>
  make(
    "div.rm-card",
    make("div.rm-aside", { text: label }),
    make("div.rm-value", { text: value }),
    make("div.rm-aside", { text: note }),
  );

export function view(model, el) {
  const { differences, seed, power, reach, goal, stops, names } = model.get("fixed");
  const [name, other] = names;
  const middle = sum(differences) / differences.length;
  const dialOf = (trait, write) => {
    const keep = (value) => change(model, { [trait]: value });
    const how = { stops: stops[trait], write, look: "rm-dial" };
    return makeSlider(trait, say("draws", trait), how, keep);
  };
  const [truthDial, sizeDial] = [dialOf("truth", signed), dialOf("n", plainly)];
  const [aim, message, chart] = [makeMessage(), makeMessage(), makeIntervals(model.get("fixed"))];
  const facts = make("div.rm-values.rm-facts-of");
  let [samples, made, isAnew] = [[], "", false];

  // what is drawn so far, again where a dial has been turned: what a sample is, its number says
  function catchUp({ truth, n, draws }) {
    const dialled = `${truth} ${n}`;
    isAnew = made === dialled ? isAnew && draws === samples.length : samples.length > 0;
    if (made !== dialled) [samples, made] = [[], dialled];
    const values = differences.map((each) => each - middle + truth);
    while (samples.length < draws)
      samples.push(sampleOf(values, { seed, nth: samples.length, n, reach: reach[n] }));
    samples.length = draws;
  }
  function showGoal({ truth, n, draws, computed, share }) {
    const isDrawn = truth === goal.truth && draws >= goal.draws;
    const known = { truth: signed(goal.truth), power: percent(goal.power), least: goal.draws };
    const now = { n, computed, draws, share };
    const reached = { text: say("draws", "goal reached", now), tone: "good" };
    const above = isDrawn && n > goal.n ? { text: say("draws", "goal with fewer", now) } : {};
    aim.show({
      title: say("draws", "goal", known),
      ...(isDrawn && n === goal.n ? reached : above),
    });
  }
  function lastWords({ truth, n, draws }) {
    const last = samples.at(-1);
    if (!last) return say("draws", "none");
    if (isAnew) return say("dials", "anew", { n: draws });
    const [low, high, mean] = [last.low, last.high, last.mean].map(signed);
    const said = `${holds(last, truth) ? "holds" : "misses"}, ${findingOf(last)}`;
    return say("draws", said, { draws, name, other, low, high, mean, p: shownP(pOf(last, n)) });
  }
  function show() {
    const [truth, n, draws] = ["truth", "n", "draws"].map((each) => model.get(each));
    catchUp({ truth, n, draws });
    const caught = samples.filter((each) => holds(each, truth)).length;
    const found = samples.filter((each) => findingOf(each) === "found");
    const computed = percent(power[String(n)][stops.truth.indexOf(truth)]);
    const share = (some) => (draws ? percent(some / draws) : "–");
    const mean = found.length ? sum(found.map((each) => each.mean)) / found.length : null;
    const times = mean && truth ? say("draws", "times", { times: rounded(mean / truth, 1) }) : "";
    const known = [
      [say("draws", "caught"), share(caught), say("draws", "of", { some: caught, draws })],
      [
        say("draws", "power", { name }),
        share(found.length),
        say("draws", "computed", { power: computed }),
      ],
      [say("draws", "typical"), mean === null ? "–" : signed(mean), times],
    ];
    truthDial.show(truth);
    sizeDial.show(n);
    disable(over, !draws);
    for (const button of [once, often]) disable(button, draws >= MOST);
    put(why, { text: draws >= MOST ? say("dials", "all", { n: MOST }) : "" });
    if (goal) showGoal({ truth, n, draws, computed, share: share(found.length) });
    message.show({ text: lastWords({ truth, n, draws }) });
    facts.replaceChildren(...known.map(cardOf));
    const label = { queries: n, n: caught, draws, truth: signed(truth) };
    chart.show({ samples, truth, label: say("draws", "intervals", label) });
  }
  const add = (times) => change(model, { draws: Math.min(MOST, model.get("draws") + times) });
  const once = makeButton("draw", say("dials", "draw"), () => add(1), { primary: true });
  const often = makeButton("draw-many", say("dials", "draw many", { n: MANY }), () => add(MANY));
  const over = makeButton("over", say("dials", "over"), () => change(model, { draws: 0 }));
  const why = make("span", { role: "status" }); // these buttons are off
  const buttons = makeGroup(say("dials", "draws"), once, often, over, why);
  // the goal grows: below the dials, so that none of them moves in a hand
  el.append(
    make("div.rm-dials", truthDial.node, sizeDial.node),
    buttons,
    ...(goal ? [aim.node] : []),
    message.node,
    facts,
    chart.node,
  );
  show();
  return together(listen(model, "change:truth change:n change:draws", show), chart.stop);
}
