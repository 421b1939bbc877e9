// Samples of a change that ruins few queries: whom a t interval lets pass, and whom the gate.

import { makeMessage } from "../browser/controls.js";
import { listen, together } from "../browser/model.js";
import { bitsOf } from "../browser/random.js";
import { say } from "../browser/words.js";
import {
  makeDials,
  makeDraws,
  makeFacts,
  makePlot,
  makeSamples,
  percent,
  rounded,
} from "../experiment/dials.js";
import { momentsOf, studentReach } from "../experiment/student.js";
import { signed, sum } from "../list/engine.js";

const SHOWN = 10; // samples
const LANES = 150; // the height of their intervals
const MOST = 500;
const ENOUGH = 20; // samples to go by

const stopWords = (share) => `${rounded(100 * share, Math.round(1000 * share) % 10 ? 1 : 0)}%`;

const density = (z) => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);

// How much of a normal distribution lies below z: a series, exact to a float where |z| < 6.
function normalBelow(z) {
  if (Math.abs(z) > 6) return z < 0 ? 0 : 1;
  let [term, total] = [z, z];
  for (let k = 3; Math.abs(term) > 1e-17; k += 2) total += term *= (z * z) / k;
  return 0.5 + density(z) * total;
}

// `mean_bounds` of byhand/statistics/bounds.py, where the formulas are explained.
export function boundsOf(sample, most, alpha) {
  return [
    lowerOf(sample, most, alpha),
    -lowerOf(
      sample.map((each) => -each),
      most,
      alpha,
    ),
  ];
}

function lowerOf(sample, most, alpha) {
  const all = [...sample, -most];
  const centre = sum(all) / all.length;
  const values = all.map((each) => each - centre);
  const least = Math.min(...values);
  if (!(least < 0)) return -most;
  let [low, high, bound] = [0, 1, 0];
  while (high - low >= 1e-12) {
    const middle = (low + high) / 2;
    const found = boundAt(values, middle / least);
    bound = found.bound;
    if (found.below < alpha) high = middle;
    else low = middle;
  }
  return bound + centre;
}

// One loop, as it runs for each of many samples.
function boundAt(values, tilt) {
  let [total, squares, logs] = [0, 0, 0];
  for (const each of values) {
    const ratio = 1 / (1 - tilt * each);
    total += ratio;
    squares += ratio * ratio;
    logs += Math.log(ratio);
  }
  const n = values.length;
  const mean = total / n;
  const bound = (mean - 1) / (tilt * mean);
  const w = -Math.sqrt(Math.max(2 * (n * Math.log(mean) - logs), 0));
  const u = -Math.sqrt(Math.max(squares / mean ** 2 - n, 0));
  if (!w || !u) return { bound, below: 0.5 };
  return { bound, below: normalBelow(w) + density(w) * (1 / w - 1 / u) };
}

// The changes of the queries of a sample. The same queries fall, and more with them, as the share grows.
export function changesOf({ seed, draw, share, fall, n, little }) {
  const bits = bitsOf(seed, draw);
  const uniform = () => bits() / 2 ** 32;
  return Array.from({ length: n }, () => {
    const [hit, lost] = [uniform(), uniform()];
    return hit < share ? -fall : -little * lost;
  });
}

// What a pair of ends says of a limit.
const outcomeOf = ([low, high], limit) =>
  low > -limit ? "held" : high < -limit ? "dropped" : "cannot tell";

// A sample, judged in both ways.
export function judged(
  changes,
  { limit, alpha, reach = studentReach(changes.length - 1, 2 * alpha) },
) {
  const { mean, error } = momentsOf(changes);
  const ends = {
    t: [mean - reach * error, mean + reach * error],
    gate: boundsOf(changes, 1, alpha),
  };
  return { mean, ends, t: outcomeOf(ends.t, limit), gate: outcomeOf(ends.gate, limit) };
}

export function view(model, el) {
  const { max_drop: limit, alpha, little, seed } = model.get("fixed");
  const dials = makeDials(model, { share: stopWords });
  const buttons = makeDraws(model, { most: MOST });
  const message = makeMessage();
  const facts = makeFacts();
  const plots = { t: makePlot({ height: LANES }), gate: makePlot({ height: LANES + 40 }) };
  const drawn = makeSamples();
  let [samples, isAnew] = [[], false];

  function catchUp({ draws, ...now }) {
    const reach = studentReach(now.n - 1, 2 * alpha);
    [samples, isAnew] = drawn(JSON.stringify(now), draws, (draw) => {
      const changes = changesOf({ seed, little, ...now, draw });
      const fell = changes.filter((each) => each === -now.fall).length;
      return { fell, ...judged(changes, { limit, alpha, reach }) };
    });
  }
  function show() {
    const [share, fall, n, draws] = ["share", "fall", "n", "draws"].map((name) => model.get(name));
    catchUp({ share, fall, n, draws });
    dials.show();
    buttons.show();
    const truth = -share * fall - ((1 - share) * little) / 2;
    const isBad = truth < -limit;
    const known = { truth: signed(truth), limit };
    const last = samples.at(-1);
    const counted = { draws, queries: n, n: last?.fell };
    const passed = (who) => samples.filter((each) => each[who] === "held").length;
    const isEnough = !isBad && draws >= ENOUGH && passed("gate") >= 0.8 * draws;
    const now =
      last &&
      (isAnew
        ? say("dials", "anew", { n: draws })
        : [
            say("drops", "sample", counted),
            say("drops", `t ${last.t}`),
            say("drops", `gate ${last.gate}`),
          ].join(" "));
    message.show({
      title: say("drops", isBad ? "bad" : "fine", known),
      text: isEnough
        ? say("drops", "enough", { n, share: percent(passed("gate") / draws) })
        : now || say("drops", "none"),
      more: isEnough ? now : "",
      tone: isEnough ? "good" : "plain",
    });
    facts.show(
      ["t", "gate"].map((who) => {
        const some = passed(who);
        const told = { some, draws };
        return {
          label: say("drops", `passed by ${who}`),
          value: draws ? percent(some / draws) : "–",
          note: draws ? say("drops", some ? (isBad ? "wrong" : "right") : "none passed", told) : "",
        };
      }),
    );
    const latest = samples.slice(-SHOWN).reverse();
    const right = isBad ? "dropped" : "held";
    for (const [who, plot] of Object.entries(plots)) {
      const of = (outcome) => latest.filter((each) => each[who] === outcome).length;
      const told = {
        shown: latest.length,
        held: of("held"),
        dropped: of("dropped"),
        open: of("cannot tell"),
      };
      const isLower = who === "gate";
      plot.show({
        x: {
          from: truth - 0.2,
          to: 0.12,
          digits: 2,
          ...(isLower ? { label: say("drops", "axis") } : { ticks: [] }),
        },
        y: { from: SHOWN + 0.5, to: -1.2, ticks: [], label: say("drops", `${who} lanes`) },
        label: say("drops", `${who} picture`, told),
        marks: ({ interval, guide }) => [
          ...guide(
            { x: -limit },
            isLower ? "" : say("drops", "limit is", { limit: signed(-limit) }),
          ),
          ...latest.map(({ mean, ends, [who]: outcome }, i) =>
            interval(
              [ends[who][0], mean, ends[who][1]],
              i + 1,
              outcome === "cannot tell" ? "quiet" : outcome === right ? "hit" : "gap",
            ),
          ),
        ],
      });
    }
  }
  el.append(dials.node, buttons.node, message.node, facts.node, plots.t.node, plots.gate.node);
  show();
  const changed = "change:share change:fall change:n change:draws";
  return together(listen(model, changed, show), plots.t.stop, plots.gate.stop);
}
