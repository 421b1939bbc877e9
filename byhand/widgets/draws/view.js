// Samples from a world whose truth is known: what each interval catches, and what a test finds.

import { makeMessage } from "../browser/controls.js";
import { listen, together } from "../browser/model.js";
import { bitsOf, drawnOf } from "../browser/random.js";
import { say } from "../browser/words.js";
import { decimals, signed, sum } from "../list/engine.js";
import {
  makeDials,
  makeDraws,
  makeFacts,
  makePlot,
  makeSamples,
  percent,
  rounded,
} from "./dials.js";
import { momentsOf, studentP, studentReach } from "./student.js";

const SHOWN = 24; // intervals
const [RANGES, BARS] = [310, 190]; // heights

// The mean of a draw of n values, and its interval.
export function sampleOf(values, { seed, draw, n, reach = studentReach(n - 1) }) {
  const { mean, error } = momentsOf(
    drawnOf(bitsOf(seed, draw), n, values.length).map((i) => values[i]),
  );
  return { mean, error, low: mean - reach * error, high: mean + reach * error };
}

const pOf = ({ mean, error }, n) => (error ? studentP(mean / error, n - 1) : mean ? 0 : 1);

// a p that rounds to 0 is not 0
const shownP = (p) => (p < 0.0005 ? `< ${decimals(0.001)}` : `= ${decimals(p)}`);

const holds = ({ low, high }, truth) => low <= truth && truth <= high;
const findingOf = ({ low, high }) => (low > 0 ? "found" : high < 0 ? "wrong" : "cannot tell");

// How many of the means are in each bin: [from, to, how many].
function binned(samples, width) {
  const counts = new Map();
  for (const { mean } of samples)
    counts.set(Math.floor(mean / width), (counts.get(Math.floor(mean / width)) ?? 0) + 1);
  return [...counts].map(([bin, count]) => [bin * width, (bin + 1) * width, count]);
}

export function view(model, el) {
  const {
    differences,
    seed,
    power,
    low: from,
    high: to,
    goal,
    dials: declared,
    names: [name, other],
  } = model.get("fixed");
  const middle = sum(differences) / differences.length;
  const truths = declared.find((each) => each.name === "truth").values;
  const dials = makeDials(model, { truth: signed });
  const buttons = makeDraws(model);
  const [aim, message, facts] = [makeMessage(), makeMessage(), makeFacts()];
  const [ranges, means] = [makePlot({ height: RANGES }), makePlot({ height: BARS })];
  const drawn = makeSamples();
  let [samples, isAnew] = [[], false];

  function catchUp({ truth, n, draws }) {
    const values = differences.map((each) => each - middle + truth);
    const reach = studentReach(n - 1);
    [samples, isAnew] = drawn(`${truth} ${n}`, draws, (draw) =>
      sampleOf(values, { seed, draw, n, reach }),
    );
  }
  function showCharts({ truth, n, caught, finding }) {
    const x = { from, to, digits: 1 };
    const guides = (guide) => [
      guide(0, "", "quiet"),
      guide(truth, say("draws", "truth is", { truth: signed(truth) })),
    ];
    const draws = samples.length;
    ranges.show({
      x: { ...x, ticks: [] },
      y: { from: SHOWN + 1, to: 0, label: say("draws", "ranges") },
      label: say("draws", "intervals", { queries: n, n: caught, draws, truth: signed(truth) }),
      marks: ({ interval, guide }) => [
        ...guides(guide),
        ...samples
          .slice(-SHOWN)
          .reverse()
          .map((each, i) =>
            interval([each.low, each.mean, each.high], i + 1.5, holds(each, truth) ? "hit" : "gap"),
          ),
      ],
    });
    const wide = (to - from) / 60;
    const bins = binned(samples, wide);
    means.show({
      x: { ...x, label: say("draws", "axis", { name, other }) },
      y: {
        from: 0,
        to: Math.max(8, ...bins.map(([, , count]) => count)) * 1.2,
        label: say("draws", "bars"),
      },
      label: say("draws", "means", { some: finding.length, draws }),
      marks: ({ bars, guide }) => [
        ...bars(bins, "quiet"),
        ...bars(binned(finding, wide), "hit"),
        ...guides(guide),
      ],
    });
  }
  function show() {
    const [truth, n, draws] = ["truth", "n", "draws"].map((each) => model.get(each));
    catchUp({ truth, n, draws });
    const caught = samples.filter((each) => holds(each, truth)).length;
    const found = samples.filter((each) => findingOf(each) === "found");
    const computed = percent(power[String(n)][truths.indexOf(truth)]);
    const share = (some) => (draws ? percent(some / draws) : "–");
    const mean = found.length ? sum(found.map((each) => each.mean)) / found.length : null;
    dials.show();
    buttons.show();
    if (goal) {
      const isDrawn = truth === goal.truth && draws >= goal.draws;
      const isReached = isDrawn && n === goal.n;
      const known = { truth: signed(goal.truth), power: percent(goal.power), least: goal.draws };
      const now = { n, computed, draws, share: share(found.length) };
      const reached = { text: say("draws", "goal reached", now), tone: "good" };
      const above = isDrawn && n > goal.n ? { text: say("draws", "goal with fewer", now) } : {};
      aim.show({ title: say("draws", "goal", known), ...(isReached ? reached : above) });
    }
    const last = samples.at(-1);
    const ends = last && {
      low: signed(last.low),
      high: signed(last.high),
      mean: signed(last.mean),
      p: shownP(pOf(last, n)),
    };
    const said = last ? `${holds(last, truth) ? "holds" : "misses"}, ${findingOf(last)}` : "none";
    message.show({
      text:
        isAnew && last
          ? say("dials", "anew", { n: draws })
          : say("draws", said, { draws, name, other, ...ends }),
    });
    facts.show([
      {
        label: say("draws", "caught"),
        value: share(caught),
        note: say("draws", "of", { some: caught, draws }),
      },
      {
        label: say("draws", "power", { name }),
        value: share(found.length),
        note: say("draws", "computed", { power: computed }),
      },
      {
        label: say("draws", "typical"),
        value: mean === null ? "–" : signed(mean),
        note: mean && truth ? say("draws", "times", { times: rounded(mean / truth, 1) }) : "",
      },
    ]);
    showCharts({
      truth,
      n,
      caught,
      finding: samples.filter((each) => findingOf(each) !== "cannot tell"),
    });
  }
  el.append(
    dials.node,
    buttons.node,
    ...(goal ? [aim.node] : []), // it grows: below the dials, so that none of them moves in a hand
    message.node,
    facts.node,
    ranges.node,
    means.node,
  );
  show();
  return together(
    listen(model, "change:truth change:n change:draws", show),
    ranges.stop,
    means.stop,
  );
}
