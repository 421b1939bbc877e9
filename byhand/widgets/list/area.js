// AP as an area: a column for each relevant item, as high as the precision at its row. Those that
// were never found are hatched. Level it, and the whole stands as high as AP.

import { makeButton } from "../browser/controls.js";
import { make, put } from "../browser/dom.js";
import { say } from "../browser/words.js";
import { makeBar, makeLines, note, set } from "./alongside.js";
import { decimals, nameOf } from "./engine.js";
import { counting, joined, labelOf, makeFormula, ratio, result, term, words } from "./formula.js";
import { listWords } from "./lanes.js";

const LABELLED = 7; // more columns are too narrow for a fraction below each

const precisionWords = (hit) => `${hit.nth}/${hit.rank}`;

export function makeArea() {
  const head = makeFormula();
  const bars = makeLines(make("div", "rm-lane", { role: "img" }), makeBar);
  const axis = makeAxis(["0", say("area", "precision"), "1"]);
  const square = makeSquare();

  let now = null;

  function show(given) {
    now = given;
    const {
      shown,
      lanes: [only],
      lines,
      how,
    } = now;
    const hits = counting(only);
    head.show(...formulaOf(shown, only, hits));
    bars.show(lines, (part, line) => {
      const hit = hits.find((each) => each.place === line.place);
      part.classList.toggle("rm-adds", Boolean(hit));
      set(part, { value: hit ? hit.nth / hit.rank : 0, thick: 1 });
      note(part, hit ? say("area", "of", { nth: hit.nth, rank: hit.rank }) : "");
    });
    square.show(shown, only, hits, how.preview);
  }
  // what is no hit still counts: it stands in the way of those below
  function explain(id) {
    const {
      shown,
      lanes: [only],
      lines,
    } = now;
    const { place } = lines.find((line) => line.id === id);
    const isAbove = counting(only).some((hit) => hit.place > place);
    return isAbove && !(shown.grades[id] > 0) ? [say("area", "thins out")] : null;
  }
  const said = ({ shown, lanes }) => listWords(shown, lanes);
  return {
    look: "area",
    heads: [head.node],
    lane: bars.layer,
    axis,
    side: square.node,
    show,
    place: bars.place,
    words: said,
    explain,
  };
}

const makeAxis = (ticks) =>
  make(
    "div",
    "rm-axis rm-scale",
    { "aria-hidden": "true" },
    ...ticks.map((tick) => make("span", "", { text: tick })),
  );

function formulaOf(shown, only, hits) {
  const [measure, value] = [nameOf(only.spec), decimals(only.value)];
  if (!hits.length) return [say("formula", "no hit", { measure }), [words(measure), result("0")]];
  const terms = hits.map((hit) => {
    const known = { term: precisionWords(hit), label: labelOf(shown, hit), rank: hit.rank };
    return term(shown.order[hit.place], precisionWords(hit), say("formula", "term", known));
  });
  const missing = Array.from({ length: only.divisor - hits.length }, () => words("0"));
  const over = joined([...terms, ...missing], "+");
  const sum = over.map((each) => each.textContent).join(" ");
  return [
    say("formula", "mean", { measure, terms: sum, n: only.divisor, value }),
    [words(`${measure} =`), ratio(over, [words(String(only.divisor))]), result(value)],
  ];
}

function makeSquare() {
  const columns = make("div", "rm-columns");
  const level = make("span", "rm-level", {}, make("span"));
  const square = make("div", "rm-square", { role: "img" }, columns, level);
  const labels = make("div", "rm-under-columns", { "aria-hidden": "true" });
  const button = makeButton("level", say("area", "level"), () => turn());
  const node = make("div", "rm-area", {}, square, labels, button);
  let [flat, last] = [false, null];

  function turn() {
    flat = !flat;
    put(button, { "aria-pressed": String(flat), text: say("area", flat ? "columns" : "level") });
    show(...last);
  }
  function show(shown, only, hits, live) {
    last = [shown, only, hits, false];
    const n = Math.max(only.divisor, 0);
    const found = Array.from({ length: n }, (_, i) => hits[i]);
    while (columns.children.length > n) columns.lastChild.remove();
    while (columns.children.length < n) columns.append(make("span", "rm-col", {}, make("i")));
    square.classList.toggle("rm-live", Boolean(live));
    found.forEach((hit, i) => {
      const column = columns.children[i];
      column.classList.toggle("rm-unfound", !hit);
      if (hit) column.dataset.id = shown.order[hit.place];
      else delete column.dataset.id;
      set(column, { value: flat ? only.value : hit ? hit.nth / hit.rank : 0 });
    });
    set(level, { value: only.value });
    put(level.firstChild, { text: `${nameOf(only.spec)} ${decimals(only.value)}` });
    labels.replaceChildren(
      ...(n > LABELLED ? [] : found).map((hit) => {
        const text = flat ? decimals(only.value) : hit ? precisionWords(hit) : "0";
        return make("span", hit || flat ? "" : "rm-unfound", { text });
      }),
    );
    const heights = hits
      .map((hit) => say("area", "of", { nth: hit.nth, rank: hit.rank }))
      .join(", ");
    const values = {
      n,
      heights: heights || "–",
      missing: n - hits.length,
      value: decimals(only.value),
    };
    put(square, { "aria-label": say("area", "square", values) });
  }
  return { node, show };
}
