// A limit to drag over the intervals of changes, and what a gate says of each.

import { change, listen, together } from "../browser/model.js";
import { say } from "../browser/words.js";
import { makeDials, makePlot, rounded } from "../experiment/dials.js";

const LANE = 46; // the height of a change

// What a gate says of two ends.
function verdictOf([low, , high], limit) {
  if (low > limit) return "pass";
  if (high < limit) return "fail";
  return high < 0 ? "lower" : "open";
}

const LOOKS = { pass: "hit", fail: "gap", lower: "quiet", open: "quiet" };

export function view(model, el) {
  const fixed = model.get("fixed");
  const [rows, [{ values, digits }]] = [fixed.changes, fixed.dials];
  const dials = makeDials(model);
  const plot = makePlot({ height: LANE * rows.length + 70 });
  const x = {
    from: values[0],
    to: Math.max(0.03, ...rows.map(([, [, , high]]) => high + 0.01)),
    digits: 2,
    label: say("limit", "axis"),
  };

  function show() {
    const limit = model.get("limit");
    const shown = rounded(limit, digits);
    dials.show();
    const found = rows.map(([name, ends]) => [name, ends, verdictOf(ends, limit)]);
    const told = found.map(([name, , verdict]) => `${name}: ${say("limit", verdict)}`).join("; ");
    plot.show({
      x,
      y: { from: rows.length, to: -0.5, ticks: [] },
      label: say("limit", "picture", { limit: shown, told }),
      marks: ({ interval, guide, points, words }) => [
        ...guide({ x: limit }, say("limit", "at", { limit: shown })),
        ...points([[limit, rows.length]], "ink", 8),
        ...found.flatMap(([name, ends, verdict], i) => [
          ...interval(ends, i + 0.65, LOOKS[verdict], 4),
          ...words(x.from + (x.to - x.from) / 50, i + 0.35, name, "start"), // past the lowest limit
          ...words(x.to, i + 0.35, say("limit", verdict), "end"),
        ]),
      ],
    });
  }

  function drag(event) {
    if (event.buttons !== 1) return;
    const at = plot.valueAt(event);
    const nearest = values.reduce((a, b) => (Math.abs(b - at) < Math.abs(a - at) ? b : a));
    change(model, { limit: nearest });
  }
  plot.node.classList.add("rm-across");
  plot.node.addEventListener("pointerdown", (event) => {
    plot.node.setPointerCapture(event.pointerId);
    drag(event);
  });
  plot.node.addEventListener("pointermove", drag);
  el.append(dials.node, plot.node);
  show();
  return together(listen(model, "change:limit", show), plot.stop);
}
