// Samples from a world whose truth is known: what each interval catches, and what a test finds.

import { makeMessage } from "./controls.js";
import { make } from "./dom.js";
import { makeDials, makeDraws, makeFacts, makePlot, written } from "./dials.js";
import { decimals, sum } from "./engine.js";
import { listen, together } from "./model.js";
import { bitsOf, drawnOf } from "./random.js";
import { momentsOf, studentP, studentReach } from "./student.js";
import { say } from "./words.js";

const SHOWN = 24; // intervals
const [RANGES, BARS] = [300, 190]; // heights

const signed = (value) => `${value < 0 ? "−" : "+"}${decimals(Math.abs(value))}`;
const percent = (share) => say("dials", "percent", { value: written(100 * share) });

// The mean of a draw of n values, its interval, and p.
export function sampleOf(values, { seed, draw, n, reach = studentReach(n - 1) }) {
  const { mean, error } = momentsOf(drawnOf(bitsOf(seed, draw), n, values.length).map((i) => values[i]));
  return { mean, error, low: mean - reach * error, high: mean + reach * error };
}

const pOf = ({ mean, error }, n) => (error ? studentP(mean / error, n - 1) : mean ? 0 : 1);

export function viewDraws(model, el) {
  const { differences, seed, power, from, to, names } = model.get("fixed");
  const middle = sum(differences) / differences.length;
  const dials = makeDials(model, { truth: signed });
  const buttons = makeDraws(model);
  const message = makeMessage();
  const facts = makeFacts();
  const intervals = makePlot({ height: RANGES });
  const means = makePlot({ height: BARS });
  let [samples, made] = [[], ""]; // of the draws so far, and by which dials

  function catchUp({ truth, n, draws }) {
    if (made !== `${truth} ${n}`) [samples, made] = [[], `${truth} ${n}`];
    const values = differences.map((each) => each - middle + truth);
    const reach = studentReach(n - 1);
    while (samples.length < draws) samples.push(sampleOf(values, { seed, draw: samples.length, n, reach }));
    samples.length = draws;
  }
  function show() {
    const [truth, n, draws] = ["truth", "n", "draws"].map((name) => model.get(name));
    catchUp({ truth, n, draws });
    const caught = samples.filter(({ low, high }) => low <= truth && truth <= high);
    const found = samples.filter(({ low }) => low > 0);
    const wrong = samples.filter(({ high }) => high < 0);
    const computed = power[String(n)][model.get("fixed").dials[0].values.indexOf(truth)];
    dials.show();
    buttons.show();
    const last = samples.at(-1);
    const holds = last && last.low <= truth && truth <= last.high;
    const verdict = !last ? "none" : `${holds ? "holds" : "misses"}, ${last.low > 0 ? "found" : last.high < 0 ? "wrong" : "cannot tell"}`;
    const ends = last && { low: signed(last.low), high: signed(last.high), mean: signed(last.mean), p: decimals(pOf(last, n)) };
    message.show({ text: say("draws", verdict, { draws: written(draws), n: written(n), name: names[0], other: names[1], ...ends }) });
    const share = (some) => (draws ? percent(some.length / draws) : "–");
    const of = (some) => say("draws", "of", { some: written(some.length), draws: written(draws) });
    const typical = found.length ? sum(found.map((each) => each.mean)) / found.length : null;
    const times = typical && truth ? say("draws", "times", { times: written(typical / truth, 1) }) : "";
    facts.show([
      { label: say("draws", "caught"), value: share(caught), note: of(caught) },
      { label: say("draws", "power", { name: names[0] }), value: share(found), note: say("draws", "computed", { power: percent(computed) }) },
      { label: say("draws", "typical"), value: typical === null ? "–" : signed(typical), note: times },
    ]);
    const x = { from, to, digits: 1 };
    const guides = (guide) => [guide({ x: 0 }, "", "quiet"), guide({ x: truth }, say("draws", "truth is", { truth: signed(truth) }))];
    intervals.show({
      x: { ...x, ticks: [] },
      y: { from: SHOWN, to: 0, ticks: [] },
      label: say("draws", "intervals", { some: caught.length, draws, truth: signed(truth) }),
      marks: ({ interval, guide }) => [
        ...guides(guide),
        ...samples.slice(-SHOWN).reverse().map(({ low, mean, high }, i) =>
          interval([low, mean, high], i + 1, low <= truth && truth <= high ? "hit" : "gap")),
      ],
    });
    const wide = (to - from) / 60;
    const counted = (some) => {
      const counts = new Map();
      for (const { mean } of some) counts.set(Math.floor(mean / wide), (counts.get(Math.floor(mean / wide)) ?? 0) + 1);
      return [...counts].map(([bin, count]) => [bin * wide, (bin + 1) * wide, count]);
    };
    const all = counted(samples);
    means.show({
      x: { ...x, label: say("draws", "axis", { name: names[0], other: names[1] }) },
      y: { from: 0, to: Math.max(8, ...all.map(([, , count]) => count)) * 1.15, ticks: [], label: say("draws", "bars") },
      label: say("draws", "means", { some: found.length, draws }),
      marks: ({ bars, guide }) => [...bars(all, "quiet"), ...bars(counted([...found, ...wrong]), "hit"), ...guides(guide)],
    });
  }
  el.append(dials.node, buttons.node, message.node, facts.node, intervals.node, means.node);
  show();
  return together(listen(model, "change:truth change:n change:draws", show), intervals.stop, means.stop);
}
