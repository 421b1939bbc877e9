// A hit rate among sampled negatives, and how it changes with their number.

import { makeButton, makeGroup, makeMessage } from "../browser/controls.js";
import { make, put } from "../browser/dom.js";
import { change, listen, together } from "../browser/model.js";
import { inRow, say } from "../browser/words.js";
import { makeDials, makeKeys, makePlot } from "../experiment/dials.js";
import { decimals, sum } from "../list/engine.js";

const MEASURES = ["HR", "RR"];
const LOOKS = ["hit", "ink"];
const TENS = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000];
const HEIGHT = 300;
const SAME = 1e-9; // nearer than this, two values are equal

// The ranks that an item may have among so many of the others, and how likely each is: the number
// that come before it is hypergeometric. Counted from the likeliest, nothing gets too large.
export function ranksAmong(rank, items, negatives) {
  const [before, after] = [rank - 1, items - rank];
  const least = Math.max(0, negatives - after);
  const most = Math.min(negatives, before);
  const rise = (above) =>
    ((before - above) * (negatives - above)) / ((above + 1) * (after - negatives + above + 1));
  const weights = Array(most - least + 1).fill(0);
  let top = least;
  while (top < most && rise(top) > 1) top += 1;
  weights[top - least] = 1;
  for (let above = top; above < most; above += 1)
    weights[above + 1 - least] = weights[above - least] * rise(above);
  for (let above = top; above > least; above -= 1)
    weights[above - 1 - least] = weights[above - least] / rise(above - 1);
  const all = sum(weights);
  return { first: least + 1, likely: weights.map((each) => each / all) };
}

function expectedAmong(measure, rank, { items, negatives, k }) {
  const { first, likely } = ranksAmong(rank, items, negatives);
  if (measure === "HR") return sum(likely.slice(0, Math.max(0, k + 1 - first)));
  return sum(likely.map((each, i) => each / (first + i)));
}

const anywhere = (measure, negatives, k) =>
  measure === "HR"
    ? Math.min(1, k / (negatives + 1))
    : sum(Array.from({ length: negatives + 1 }, (_, i) => 1 / (i + 1))) / (negatives + 1);

// Which of the values is the highest: its place, or null where two are.
function highestOf(values) {
  const highest = Math.max(...values);
  const places = values.flatMap((value, i) => (highest - value < SAME ? [i] : []));
  return places.length > 1 ? null : places[0];
}

export function view(model, el) {
  const {
    names,
    places,
    items,
    k,
    dials: [{ values: stops }],
  } = model.get("fixed");
  const all = items - 1;
  const known = new Map(); // what was worked out once
  const valuesAt = (measure, negatives) => {
    const key = `${measure} ${negatives}`;
    if (!known.has(key)) {
      const each = new Map(places.flat().map((rank) => [rank, 0]));
      for (const rank of each.keys())
        each.set(rank, expectedAmong(measure, rank, { items, negatives, k }));
      const means = places.map((own) => sum(own.map((rank) => each.get(rank))) / own.length);
      known.set(key, [...means, anywhere(measure, negatives, k)]);
    }
    return known.get(key);
  };
  const called = [...names, say("negatives", "chance")];
  const named = (measure) => (measure === "HR" ? `HR@${k}` : measure);
  const tabs = MEASURES.map((measure) =>
    makeButton(measure, named(measure), () => change(model, { measure })),
  );
  const dials = makeDials(model);
  const message = makeMessage();
  const keys = makeKeys();
  const plot = makePlot({ height: HEIGHT });

  function show() {
    const [measure, n] = [model.get("measure"), model.get("negatives")];
    const now = valuesAt(measure, n);
    const [first, best] = [now, valuesAt(measure, all)].map((values) =>
      highestOf(values.slice(0, -1)),
    );
    const isRight = first === best;
    const verdict =
      n === all
        ? "all"
        : isRight
          ? "right"
          : first === null
            ? "shared"
            : best === null
              ? "shared in truth"
              : "wrong";
    const said = called.map((name, i) => `${name} ${decimals(now[i])}`);
    const words = {
      n,
      all,
      measure: named(measure),
      values: inRow(said),
      first: names[first],
      best: names[best],
    };
    for (const tab of tabs) put(tab, { "aria-pressed": String(tab.dataset.name === measure) });
    dials.show();
    message.show({ text: say("negatives", verdict, words), tone: isRight ? "good" : "warn" });
    keys.show(said.map((each, i) => [each, lookOf(i)]));
    plot.show({
      x: {
        from: 1,
        to: all,
        log: true,
        ticks: TENS.filter((each) => each < items),
        label: say("negatives", "x"),
      },
      y: {
        from: 0,
        to: 1,
        ticks: [0, 0.2, 0.4, 0.6, 0.8, 1],
        digits: 1,
        label: named(measure),
      },
      label: say("negatives", "picture", words),
      marks: ({ line, points, guide }) => [
        guide({ x: n }, "", "quiet"),
        called.map((_, i) =>
          line(
            stops.map((stop) => [stop, valuesAt(measure, stop)[i]]),
            lookOf(i),
          ),
        ),
        called.map((_, i) => points([[n, now[i]]], lookOf(i), 5)),
      ],
    });
  }
  const lookOf = (i) => (i === names.length ? "gap" : LOOKS[i % LOOKS.length]);
  el.append(
    make(
      "div",
      "rm-bed",
      {},
      makeGroup(say("negatives", "measures"), ...tabs),
      dials.node,
      keys.node,
      plot.node,
      message.node,
    ),
  );
  show();
  return together(
    listen(model, "change:negatives change:measure", () => queueMicrotask(show)),
    plot.stop,
  );
}
