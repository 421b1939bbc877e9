// Random orders, each a line: where the first relevant item stands, by how many are relevant.

import { make } from "../browser/dom.js";
import { listen, together } from "../browser/model.js";
import { inRow, say } from "../browser/words.js";
import { makeDials, makeFacts, makePlot, rounded } from "../experiment/dials.js";
import { landedOf } from "../shuffle/draws.js";

const HEIGHT = 270; // of the chart
const MEASURES = ["RR", "AP"]; // in this order, where a page sorts them

export function view(model, el) {
  const {
    items,
    lists,
    seed,
    levels,
    dials: [{ values: stops }],
  } = model.get("fixed");
  // all that may be relevant, in each list: the dial says how many of them are
  const ranks = Array.from({ length: lists }, (_, i) => landedOf(seed, i, stops.at(-1), items));
  const dials = makeDials(model);
  const facts = makeFacts();
  const plot = makePlot({ height: HEIGHT });

  function show() {
    const n = model.get("relevant");
    const now = MEASURES.map((name) => ({
      label: say("orders", name),
      value: rounded(levels[name][stops.indexOf(n)], 4),
      note: say("orders", "times", {
        times: rounded(levels[name][stops.indexOf(n)] / levels[name][0], 1),
        n: stops[0],
      }),
    }));
    dials.show();
    facts.show(now);
    const said = MEASURES.map((name, i) => `${name} ${now[i].value}`);
    plot.show({
      x: { from: 1, to: items, ticks: [1, items / 2, items], label: say("orders", "x") },
      y: { from: lists - 0.3, to: -0.7, ticks: [] },
      label: say("orders", "picture", { n, items, levels: inRow(said) }),
      marks: ({ line, points }) =>
        ranks.map((all, y) => {
          const [first, ...others] = all.slice(0, n).sort((a, b) => a - b);
          return [
            line(
              [
                [1, y],
                [items, y],
              ],
              "quiet",
            ),
            points(
              others.map((rank) => [rank, y]),
              "quiet",
              2.5,
            ),
            points([[first, y]], "hit", 5.5),
          ];
        }),
    });
  }
  el.append(make("div", "rm-bed", {}, dials.node, plot.node, facts.node));
  show();
  return together(
    listen(model, "change:relevant", () => queueMicrotask(show)),
    plot.stop,
  );
}
