// One number without a name: it rides at the row that makes it. A trace keeps what was seen of it.

import { draw, line, make, makeFigure, put, text } from "../browser/dom.js";
import { say } from "../browser/words.js";
import { set } from "./alongside.js";
import { decimals } from "./engine.js";
import { valueWords } from "./lanes.js";

const ONE_ROW = ["RR", "Success"]; // the first hit makes it, and no other

export function makeNumber([{ kind }], { trace }) {
  const number = make("span", "rm-riding");
  const rides = ONE_ROW.includes(kind);
  const lane = make("div", rides ? "rm-lane" : "rm-lane rm-still", { role: "img" }, number);
  const plot = trace ? makeTrace(trace) : null;
  let maker = null; // the item whose row makes the number

  function show({ shown, lanes: [only], lines }) {
    maker = shown.order[only.shares.findIndex((share) => share > 0)] ?? null;
    put(number, { text: valueWords(only) });
    number.classList.toggle("rm-nowhere", maker === null);
    place(lines);
    plot?.show(lines.length, lines.find((each) => each.id === maker)?.rank, only.value);
  }
  function place(lines) {
    const row = lines.find((each) => each.id === maker) ?? lines.at(-1);
    if (!row) return;
    set(number, { top: `${row.top}px`, high: `${row.height}px` });
    number.classList.toggle("rm-held", Boolean(row.held));
  }
  const words = ({ lanes: [only] }) => say("number", "said", { value: valueWords(only) });
  return { look: "number", lane, side: plot?.node, show, place, words, said: words };
}

const [LEFT, RIGHT, TOP, HEIGHT, FOOT] = [26, 40, 24, 150, 40];
const INSIDE = 14; // pixels from the scale to the first rank

// A dot for each value seen: the rank across, the number up. The model has them again after a reload.
function makeTrace(model) {
  const { node, svg, widthOf, resize } = makeFigure();
  const seen = new Map((model.get("seen") ?? []).map((dot) => [`${dot.rank}`, dot]));
  put(node, { class: "rm-figure rm-trace" });

  function show(n, rank, value) {
    if (rank !== undefined) {
      seen.delete(`${rank}`);
      seen.set(`${rank}`, { rank, value });
      if (model.alone) model.set("seen", [...seen.values()]);
    }
    const width = widthOf();
    const x = (at) =>
      LEFT + INSIDE + ((width - LEFT - INSIDE - RIGHT) * (at - 1)) / Math.max(n - 1, 1);
    const y = (at) => TOP + HEIGHT * (1 - at);
    const dots = [...seen.values()];
    const now = rank === undefined ? null : dots.at(-1);
    resize(width, TOP + HEIGHT + FOOT);
    svg.replaceChildren(
      ...[0, 1].map((at) => text(LEFT - 8, y(at) + 4, String(at), "rm-quiet", "end")),
      ...[0.5, 1].map((at) => line(LEFT, y(at), width - RIGHT, y(at), "rm-guide")),
      line(LEFT, y(0), width - RIGHT, y(0), "rm-floor"),
      ...Array.from({ length: n }, (_, i) => text(x(i + 1), y(0) + 17, String(i + 1), "rm-quiet")),
      text(width - RIGHT, y(0) + 35, say("number", "across"), "rm-quiet", "end"),
      ...dots.map((dot) =>
        draw("circle", {
          cx: x(dot.rank),
          cy: y(dot.value),
          r: dot === now ? 7 : 5,
          class: dot === now ? "rm-seen rm-now" : "rm-seen",
        }),
      ),
      ...(now
        ? [text(x(now.rank) + 11, y(now.value) - 6, decimals(now.value), "rm-seen-value", "start")]
        : []),
    );
    const said = [...dots]
      .sort((a, b) => a.rank - b.rank)
      .map((dot) => say("number", "seen", { rank: dot.rank, value: decimals(dot.value) }));
    put(node, { "aria-label": say("number", "trace", { seen: said.join("; ") }) });
  }
  return { node, show };
}
