// A list in random order, again and again: where the mean of its RR settles.

import { makeMessage } from "./controls.js";
import { makeDials, makeDraws, makePlot } from "./dials.js";
import { make } from "./dom.js";
import { decimals, sum } from "./engine.js";
import { listen, together } from "./model.js";
import { bitsOf } from "./random.js";
import { say } from "./words.js";

const [HEIGHT, MOST] = [260, 1000]; // of the chart; shuffles

// For each rank, how likely the first relevant item stands there.
export function firstRanks(items, relevant) {
  let left = 1;
  return Array.from({ length: items - relevant + 1 }, (_, i) => {
    const here = (left * relevant) / (items - i);
    left -= here;
    return here;
  });
}

export const levelOf = (likely) => sum(likely.map((each, i) => each / (i + 1)));

export function firstOf(likely, { seed, draw }) {
  let left = bitsOf(seed, draw)() / 2 ** 32;
  const place = likely.findIndex((each) => (left -= each) < 0);
  return place < 0 ? likely.length : place + 1;
}

export function viewShuffles(model, el) {
  const { seed } = model.get("fixed");
  const dials = makeDials(model);
  const buttons = makeDraws(model, { most: MOST, words: "shuffles" });
  const message = makeMessage();
  const plot = makePlot({ height: HEIGHT });

  function show() {
    const [items, relevant, draws] = ["items", "relevant", "draws"].map((name) => model.get(name));
    const likely = firstRanks(items, relevant);
    const level = levelOf(likely);
    let total = 0;
    const values = Array.from({ length: draws }, (_, draw) => 1 / firstOf(likely, { seed, draw }));
    const means = values.map((value, i) => [i + 1, (total += value) / (i + 1)]);
    const last = values.at(-1);
    const words = {
      draws, items, relevant, chance: decimals(level), rank: draws ? Math.round(1 / last) : "", value: draws ? decimals(last) : "", mean: draws ? decimals(total / draws) : "",
    };
    dials.show();
    buttons.show();
    message.show({ text: say("shuffles", draws ? "drawn" : "none", words) });
    plot.show({
      x: { from: 1, to: MOST, log: true, ticks: [1, 10, 100, 1000], label: say("shuffles", "x") },
      y: { from: 0, to: 1, digits: 1, label: say("shuffles", "y") },
      label: draws ? say("shuffles", "picture", { n: draws, ...words }) : say("shuffles", "of", { n: relevant, ...words }),
      marks: ({ line, points, guide }) => [
        points(values.map((value, i) => [i + 1, value]), "quiet", 2),
        draws ? [line(means), points(means.slice(-1), "hit", 5)] : [],
        guide({ y: level }, say("shuffles", "level", words)),
      ],
    });
  }
  el.append(make("div", "rm-bed", {}, dials.node, buttons.node, plot.node, message.node));
  show();
  return together(listen(model, "change:items change:relevant change:draws", () => queueMicrotask(show)), plot.stop);
}
