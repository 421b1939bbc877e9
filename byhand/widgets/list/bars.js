// Several measures, a column each: its value on top, and in each row what that rank adds.

import { make, put } from "../browser/dom.js";
import { say } from "../browser/words.js";
import LIMITS from "../limits.json" with { type: "json" };
import { endOf, makeLines, makeScale, set, ticksOf } from "./alongside.js";
import { asFraction, decimals, MEASURES, nameOf, signOf } from "./engine.js";
import { listWords, valueWords } from "./lanes.js";

// Measures from 0 to 1 share a scale, so that their bars can be compared; DCG has its own.
function scalesOf(lanes) {
  const shared = lanes.filter((lane) => !MEASURES[lane.spec.kind]?.unbounded);
  const most = Math.max(0, ...shared.map((lane) => lane.most));
  return lanes.map((lane) => (shared.includes(lane) ? most : lane.most));
}

function scaleWords(lanes) {
  const own = lanes.filter((lane) => MEASURES[lane.spec.kind]?.unbounded);
  const [{ spec }] = lanes;
  if (spec.by) return say("panel", "scale of tools", { measure: nameOf({ ...spec, by: null }) });
  if (lanes.length < 2) return say("panel", "what each rank adds");
  return say("panel", own.length ? "own scales" : "shared scale");
}

export function makeBars(specs, { alone }) {
  const head = make("div.rm-values.rm-across");
  const cellOf = () => make("span.rm-cell", make("i.rm-bar"), make("span.rm-at"));
  const lines = makeLines(make("div.rm-lane", { role: "img" }), () =>
    make("div.rm-line.rm-across", ...specs.map(cellOf)),
  );
  const title = make("div.rm-title-of");
  const scales = specs.map(makeScale);
  const ticks = make("div.rm-across", ...scales.map(({ node }) => node));
  const axis = make("div", title, head, ticks);
  let [before, settled] = [null, null]; // the values before the last change, and since

  function show({ lanes, lines: now, how }) {
    if (how.changed) before = settled;
    const base = how.preview ? settled : before;
    if (!how.preview) settled = lanes;
    head.replaceChildren(...lanes.map((lane, i) => cardOf(lane, base?.[i], alone)));
    const ends = scalesOf(lanes).map(endOf);
    lines.show(now, (part, line) =>
      lanes.forEach((lane, i) => {
        const share = lane.shares[line.place];
        const cell = part.children[i];
        cell.classList.toggle("rm-adds", share > 0);
        cell.classList.toggle("rm-stale", Boolean(lane.stale));
        set(cell, { value: share > 0 ? Math.min(share / ends[i], 1) : 0 });
        put(cell.lastChild, { text: share > 0 ? decimals(share) : "" });
      }),
    );
    put(title, { text: scaleWords(lanes) });
    for (const [i, scale] of scales.entries()) scale.show("", ticksOf(ends[i]));
  }
  const words = ({ shown, lanes }) => listWords(shown, lanes);
  const place = (now) => lines.show(now.lines);
  return { look: "bars", axis, lane: lines.layer, show, place, words };
}

function cardOf(lane, was, alone) {
  const moved = was && was.value != null && Math.abs(lane.value - was.value) > 5e-4;
  // a line stays when there is nothing to say, so that nothing below it jumps
  const said = lane.stale
    ? say("panel", alone ? "needs Python" : "stale")
    : moved
      ? say("panel", "was", { value: decimals(was.value) })
      : "\u00a0";
  const name = nameOf(lane.spec);
  const [words, number] = [
    make("span.rm-name", { title: name }, name, make("span.rm-is", { text: signOf(lane.spec) })),
    make("span.rm-worth", { text: valueWords(lane) }),
  ];
  const fraction = lane.value == null ? "" : asFraction(lane.value, LIMITS.bench);
  return make(
    `div.rm-card${lane.stale ? ".rm-stale" : ""}`,
    make(
      "div.rm-equation",
      make("div.rm-value", words, number),
      make("span.rm-fraction", { text: fraction ? `= ${fraction}` : "\u00a0" }),
    ),
    make("div.rm-aside.rm-was", { text: said }),
  );
}
