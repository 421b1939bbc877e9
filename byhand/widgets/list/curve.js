// Each row's bar under one scale: what it adds, or would. A weight for each rank is a curve, turned so
// that its ranks are the rows: the first hit slides on it (RR), or a hit is as much of it as its grade
// is of the top one (DCG).

import { draw, make, put } from "../browser/dom.js";
import { say } from "../browser/words.js";
import {
  endOf,
  heightOf,
  makeBar,
  makeLines,
  makeScale,
  set,
  settled,
  ticksOf,
} from "./alongside.js";
import { decimals, discount, gainOf, nameOf, ONE_ROW, within } from "./engine.js";
import { counting, equals, factor, joined, makeFormula, ratio, termOf, words } from "./formula.js";
import { listWords, valueWords } from "./lanes.js";

const STEPS = 8; // points of the curve from row to row

// The curve of a weight, a share of the scale for each rank.
function makePath() {
  const [area, path] = [draw("path", { class: "rm-under" }), draw("path", { class: "rm-path" })];
  const node = draw(
    "svg",
    { class: "rm-curve", preserveAspectRatio: "none", "aria-hidden": "true" },
    area,
    path,
  );

  // through the middle of each row, whatever its height
  function show(lines, weight) {
    if (!lines.length || !weight) {
      for (const each of [area, path]) put(each, { d: "" });
      return;
    }
    const middles = settled(lines).map(({ rank, top, height: high }) => [rank, top + high / 2]);
    const sampled = middles.flatMap(([rank, y], i) => {
      const [next, below] = middles[i + 1] ?? [rank, y];
      const n = middles[i + 1] ? STEPS : 1;
      return Array.from({ length: n }, (_, s) => s / n).flatMap((share) => {
        const at = rank + (next - rank) * share;
        // twice, so that a step is level
        return [at - 1e-9, at].map((each) => [y + (below - y) * share, weight(each)]);
      });
    });
    const points = sampled.map(([y, worth]) => `${worth.toFixed(4)} ${y.toFixed(1)}`);
    put(node, { viewBox: `0 0 1 ${heightOf(lines)}` });
    put(path, { d: `M${points.join("L")}` });
    put(area, { d: `M0 ${middles[0][1]}L${points.join("L")}L0 ${middles.at(-1)[1]}z` });
  }
  return { node, show };
}

// `read(now)` says what is shown: the formula, the number, what bars mean, the scale's `end` and ticks,
// each line's `size`, what is `noted` at its end, and the `weight` that the curve is of.
export function makeChart(read, { look = "curve", formula = false, ...own } = {}) {
  const head = formula ? makeFormula() : null;
  const [path, scale] = [makePath(), makeScale()];
  const lane = make("div.rm-lane", { role: "img" }, path.node);
  const bars = makeLines(lane, makeBar);
  let seen = null; // what is shown now

  function show(now) {
    seen = read(now);
    const { title, end, ticks, noted, weight } = seen;
    head?.show(...seen.formula);
    scale.show(title, ticks);
    lane.classList.toggle("rm-curved", Boolean(weight));
    bars.show(now.lines, (part, line) => {
      part.classList.toggle("rm-adds", now.lanes[0].shares[line.place] > 0);
      const note = noted(line);
      put(part.lastChild, { text: note });
      size(part, line);
    });
    path.show(now.lines, weight && ((rank) => weight(rank) / end));
  }
  const size = (part, line) => set(part, { value: seen.size(line) / seen.end });

  return {
    look,
    head: head?.node,
    axis: scale.node,
    lane,
    rides: true,
    show,
    place: ({ lines }) => bars.show(lines, size),
    value: () => seen.value,
    words: ({ shown, lanes }) => listWords(shown, lanes),
    ...own,
  };
}

export function makeCurve([spec]) {
  const isDcg = spec.kind === "DCG";

  function read(now) {
    const { shown, only } = now;
    const known = { gain: "linear", ...only.spec };
    const top = isDcg ? gainOf(shown.top, known) : 1;
    const hitAt = (line) => only.hits.find((each) => each.place === line.place);
    const weight = (rank) => (isDcg ? discount(rank, only.spec) : 1 / rank);
    return {
      formula: FORMULAS[spec.kind](now),
      value: decimals(only.value, isDcg ? 2 : 3),
      title: say("curve", spec.kind),
      end: top,
      ticks: ticksOf(top),
      weight: (rank) => top * weight(rank),
      size: (line) =>
        only.shares[line.place] > 0
          ? weight(line.at) * (isDcg ? gainOf(hitAt(line).grade, known) : 1)
          : 0,
      noted(line) {
        const [share, hit] = [only.shares[line.place], hitAt(line)];
        if (share) return isDcg ? decimals(share, 2) : "";
        if (!hit) return "";
        return say("curve", within(line.rank, only.spec) ? "not the first" : "beyond");
      },
    };
  }
  function explain(id, { shown, only, lines }) {
    const line = lines.find((each) => each.id === id);
    const first = only.hits[0]?.place ?? -1;
    if (isDcg || shown.grades[id] > 0 || first < 0 || !within(line.rank, only.spec)) return null;
    return [say("curve", line.place < first ? "holds down" : "after")];
  }
  return makeChart(read, { formula: true, explain });
}

const FORMULAS = {
  RR({ shown, only }) {
    const [hit] = counting(only);
    const measure = nameOf(only.spec);
    if (!hit) return [say("formula", "no hit", { measure }), [words(`${measure} = 0`)]];
    const values = { measure, rank: hit.rank, value: decimals(only.value) };
    const rank = termOf(shown, hit, String(hit.rank));
    return [say("formula", "RR", values), [words(`${measure} =`), ratio([words("1")], [rank])]];
  },
  DCG({ shown, only }) {
    const hits = counting(only);
    const measure = nameOf(only.spec);
    if (!hits.length) return [say("formula", "no hit", { measure }), [words(measure)]];
    const value = decimals(only.value, 2);
    const worth = (hit) => discount(hit.rank, only.spec);
    const product = (hit) => `${gainOf(hit.grade, only.spec)} × ${factor(worth(hit))}`;
    const terms = hits.map((hit) => termOf(shown, hit, product(hit)));
    const sum = terms.map((each) => each.textContent).join(" + ");
    return [
      say("formula", "sum", { measure, terms: sum, value }),
      [words(`${measure} ${equals(hits.map(worth))}`), ...joined(terms, "+")],
    ];
  },
};

// One number without a name, and what each row adds to it. A trace keeps a dot for each value seen.
export function makeNumber([{ kind }], { trace }) {
  // the model has them again after a reload
  const seen = new Map(
    ((trace || null)?.get("seen") ?? []).map(({ rank, value }) => [rank, value]),
  );
  const chart = makeChart(read, { look: "number" });

  function read({ only }) {
    const isOne = ONE_ROW.includes(kind); // there is one bar, and it is the number
    const end = isOne ? 1 : endOf(only.most);
    return {
      value: valueWords(only),
      title: isOne ? say("number", "axis") : say("panel", "what each rank adds"),
      end,
      ticks: ticksOf(end),
      size: (line) => only.shares[line.place],
      noted: () => "",
    };
  }
  function show(given) {
    chart.show(given);
    if (!trace) return;
    const { only, lines } = given;
    const made = lines[only.shares.findIndex((share) => share > 0)];
    if (made) seen.set(made.rank, only.value);
    if (trace.alone)
      trace.set(
        "seen",
        [...seen].map(([rank, value]) => ({ rank, value })),
      );
    for (const dot of chart.lane.querySelectorAll(".rm-seen")) dot.remove();
    for (const { rank, top, height } of settled(lines)) {
      if (!seen.has(rank)) continue;
      const dot = make("i.rm-seen");
      set(dot, { value: seen.get(rank), top: `${top}px`, high: `${height}px` });
      chart.lane.append(dot);
    }
  }
  const said = ({ only }) => say("number", "said", { value: valueWords(only) });
  function spoken(given) {
    if (!trace) return said(given);
    const dots = [...seen].sort(([a], [b]) => a - b);
    const each = dots.map(([rank, value]) =>
      say("number", "seen", { rank, value: decimals(value) }),
    );
    return `${said(given)} ${say("number", "trace", { seen: each.join("; ") })}`;
  }
  return { ...chart, show, words: spoken, said };
}
