// Two data sets beside random orders, by the length of the lists of each. Python knows what random
// orders get; here it is looked up.

import { makeMessage } from "./controls.js";
import { make, put } from "./dom.js";
import { makeDials, makePlot, written } from "./dials.js";
import { change, listen, together } from "./model.js";
import { say } from "./words.js";

const HEIGHT = 168;

const between = (value, [low, high]) => (low ?? -Infinity) <= value && value <= (high ?? Infinity);

// What random orders of these lengths get by a measure, and how many times that the means are.
export function againstChance({ means, levels }, at) {
  const chance = levels.map((each, i) => each[at[i]]);
  const lifts = means.map((mean, i) => mean / chance[i]);
  return { chance, lifts, ratio: means[0] / means[1], byChance: chance[0] / chance[1], lead: lifts[0] / lifts[1] };
}

export const isDone = ({ lift, lead }, found) =>
  lift ? found.lifts.every((each) => between(each, lift)) : between(found.lead, lead);

function makeTasks(tasks) {
  const items = tasks.map(({ text }) => make("li", "rm-task", {}, make("span", "rm-tick", { "aria-hidden": "true" }), make("span", "", { text, dir: "auto" }), make("span", "rm-said")));
  const node = make("ul", "rm-tasks", {}, ...items);
  node.hidden = !tasks.length;
  const show = (done) =>
    items.forEach((item, i) => {
      const is = done.includes(i);
      item.classList.toggle("rm-done", is);
      put(item.firstChild, { text: is ? "✓" : "○" });
      put(item.lastChild, { text: is ? say("lengths", "is done") : "" });
    });
  return { node, show };
}

export function viewLengths(model, el) {
  const { names, measures, decades, tasks, dials: given } = model.get("fixed");
  const [name, other] = names;
  const dials = makeDials(model);
  const list = makeTasks(tasks);
  const message = makeMessage();
  const parts = measures.map((measure) => {
    const heading = make("p", "rm-title", { dir: "auto" });
    const plot = makePlot({ height: HEIGHT });
    return { measure, heading, plot, node: make("div", "", {}, heading, plot.node) };
  });
  const [low, high] = decades; // powers of 10
  const ticks = Array.from({ length: high - low - 1 }, (_, i) => 10 ** (low + 1 + i));
  const x = { from: 10 ** low, to: 10 ** high, ticks, digits: Math.max(0, -low - 1), log: true };

  const findings = () => {
    const at = given.map((dial) => dial.values.indexOf(model.get(dial.name)));
    return measures.map((measure) => againstChance(measure, at));
  };
  function show() {
    const found = findings();
    dials.show();
    parts.forEach(({ measure, heading, plot }, i) => {
      const { chance, lifts, ratio, byChance } = found[i];
      const [reported, random] = [ratio, byChance].map((each) => written(each, each < 1 ? 2 : 1));
      put(heading, { text: say("lengths", "ratio", { measure: measure.name, name, other, ratio: reported, chance: random }) });
      const lane = (key, n) =>
        say("lengths", key, { name: names[n], mean: written(measure.means[n], 4), chance: written(chance[n], 4), lift: written(lifts[n], 1) });
      plot.show({
        x,
        y: { from: 0, to: 2, ticks: [], label: say("lengths", "legend") },
        label: names.map((_, n) => lane("lane said", n)).join(" "),
        marks: ({ points, line, words }) => names.flatMap((_, n) => {
          const [mean, level, y] = [measure.means[n], chance[n], 1.3 - n];
          return [
            line([[level, y], [mean, y]], mean < level ? "gap" : "hit"),
            points([[level, y]], "gap", 6),
            points([[mean, y]], "hit", 6),
            words(x.from, y + 0.32, lane("lane", n), "start"),
          ];
        }),
      });
    });
    const done = model.get("done");
    list.show(done);
    const key = done.length < tasks.length ? "done" : "all done";
    message.show(done.length ? { text: say("lengths", key, { n: done.length, all: tasks.length }), tone: "good" } : {});
  }
  function turned() {
    const [found] = findings();
    const done = model.get("done");
    const more = tasks.map((_, i) => i).filter((i) => !done.includes(i) && isDone(tasks[i], found));
    if (more.length) change(model, { done: [...done, ...more] });
    show();
  }
  const plots = make("div", "rm-flow", {}, ...parts.map(({ node }) => node));
  el.append(make("div", "rm-bed", {}, dials.node, plots, list.node, message.node));
  show();
  return together(
    listen(model, "change:first change:second", turned),
    listen(model, "change:done", show),
    ...parts.map(({ plot }) => plot.stop),
  );
}
