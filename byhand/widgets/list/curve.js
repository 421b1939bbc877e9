// A weight for each rank, turned so that its ranks are the rows: the first hit slides on it (RR), or
// each hit is as long as its rank is worth and as thick as its grade (DCG).

import { draw, make, put } from "../browser/dom.js";
import { say } from "../browser/words.js";
import { heightOf, makeBar, makeLines, note, set, settled } from "./alongside.js";
import { decimals, discount, gainOf, nameOf, within } from "./engine.js";
import { counting, joined, labelOf, makeFormula, ratio, result, term, words } from "./formula.js";
import { listWords } from "./lanes.js";

const STEPS = 8; // points of the curve from row to row

const KINDS = {
  RR: {
    weight: (rank) => 1 / rank,
    ticks: ["0", "¼", "½", "¾", "1"],
    thick: () => 1,
    explain(line, { shown, lanes: [only] }) {
      const first = only.hits[0]?.place ?? -1;
      if (shown.grades[line.id] > 0 || first < 0 || !within(line.rank, only.spec)) return null;
      return [say("curve", line.place < first ? "holds down" : "after")];
    },
    noted: (share, { hit, inside }) =>
      share ? decimals(share) : hit ? say("curve", inside ? "not the first" : "beyond") : "",
  },
  DCG: {
    weight: discount,
    ticks: ["0", "¼", "½", "¾", "1"],
    thick: (gain, most) => gain / most,
    noted: (share, { hit, inside }) =>
      share || !hit || inside ? decimals(share, 2) : say("curve", "beyond"),
  },
};

// The curve of a weight, from 0 to 1 for each rank.
export function makePath() {
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
    const points = middles.flatMap(([rank, y], i) => {
      const [next, below] = middles[i + 1] ?? [rank, y];
      const n = middles[i + 1] ? STEPS : 1;
      return Array.from(
        { length: n },
        (_, s) =>
          `${weight(rank + ((next - rank) * s) / n).toFixed(4)} ${(y + ((below - y) * s) / n).toFixed(1)}`,
      );
    });
    put(node, { viewBox: `0 0 1 ${heightOf(lines)}` });
    put(path, { d: `M${points.join("L")}` });
    put(area, { d: `M0 ${middles[0][1]}L${points.join("L")}L0 ${middles.at(-1)[1]}z` });
  }
  return { node, show };
}

export function makeCurve([spec]) {
  const { kind } = spec;
  const { weight: weightAt, ticks, thick, noted, explain = () => null } = KINDS[kind];
  const weight = (rank) => weightAt(rank, spec);
  const head = makeFormula();
  const path = makePath();
  const lane = make("div", "rm-lane", { role: "img" }, path.node);
  const axis = make(
    "div",
    "rm-axis rm-scale",
    { "aria-hidden": "true" },
    ...ticks.map((tick) => make("span", "", { text: tick })),
  );
  const bars = makeLines(lane, makeBar);
  let now = null;

  function show(given) {
    now = given;
    const {
      shown,
      lanes: [only],
      lines,
    } = now;
    head.show(...FORMULAS[kind](now));
    bars.show(lines, (part, line) => {
      const share = only.shares[line.place];
      const hit = only.hits.find((each) => each.place === line.place);
      const gain = hit ? gainOf(hit.grade, { gain: "linear", ...only.spec }) : 0;
      part.classList.toggle("rm-adds", share > 0);
      part.classList.toggle("rm-beyond", !within(line.rank, only.spec));
      set(part, {
        thick: share > 0 ? thick(gain, gainOf(shown.top, { gain: "linear", ...only.spec })) : 0,
      });
      note(part, noted(share, { hit, inside: within(line.rank, only.spec) }));
      size(part, line);
    });
    path.show(lines, weight);
  }
  const size = (part, line) => set(part, { value: weight(line.at) });

  const place = (lines) => bars.place(lines, size);
  const said = ({ shown, lanes }) => listWords(shown, lanes);
  const why = (id) =>
    explain(
      now.lines.find((line) => line.id === id),
      now,
    );
  return { look: "curve", heads: [head.node], lane, axis, show, place, words: said, explain: why };
}

const FORMULAS = {
  RR({ shown, lanes: [only] }) {
    const [hit] = counting(only);
    const measure = nameOf(only.spec);
    if (!hit) return [say("formula", "no hit", { measure }), [words(measure), result("0")]];
    const value = decimals(only.value);
    const said = say("formula", "term", {
      term: hit.rank,
      label: labelOf(shown, hit),
      rank: hit.rank,
    });
    return [
      say("formula", "RR", { measure, rank: hit.rank, value }),
      [
        words(`${measure} =`),
        ratio([words("1")], [term(shown.order[hit.place], String(hit.rank), said)]),
        result(value),
      ],
    ];
  },
  DCG({ shown, lanes: [only] }) {
    const hits = counting(only);
    const measure = nameOf(only.spec);
    if (!hits.length) return [say("formula", "no hit", { measure }), [words(measure), result("0")]];
    const value = decimals(only.value, 2);
    const short = (number) => (Number.isInteger(number) ? String(number) : decimals(number, 2));
    const terms = hits.map((hit) => {
      const sum = `${gainOf(hit.grade, only.spec)} × ${short(discount(hit.rank, only.spec))}`;
      return term(
        shown.order[hit.place],
        sum,
        say("formula", "term", { term: sum, label: labelOf(shown, hit), rank: hit.rank }),
      );
    });
    return [
      say("formula", "sum", {
        measure,
        terms: terms.map((each) => each.textContent).join(" + "),
        value,
      }),
      [words(`${measure} =`), ...joined(terms, "+"), result(value)],
    ];
  },
};
