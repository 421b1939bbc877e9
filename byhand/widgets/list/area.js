// AP as an area: a column for each relevant item, as high as the precision at its row. Columns of
// missed items are empty. Levelled, all columns are as high as AP.

import { makeButton } from "../browser/controls.js";
import { make, put } from "../browser/dom.js";
import { say } from "../browser/words.js";
import { set, ticksOf } from "./alongside.js";
import { makeChart } from "./curve.js";
import { decimals, nameOf } from "./engine.js";
import { counting, joined, ratio, termOf, words } from "./formula.js";

const LABELLED = 7; // more columns are too narrow for a fraction below each

const precisionWords = (hit) => `${hit.nth}/${hit.rank}`;

export function makeArea() {
  const square = makeSquare();
  const chart = makeChart(read, { look: "area", formula: true, side: square.node, explain });

  function read({ shown, only }) {
    const hits = counting(only);
    const hitAt = (line) => hits.find((each) => each.place === line.place);
    return {
      formula: formulaOf(shown, only, hits),
      title: say("area", "precision"),
      end: 1,
      ticks: ticksOf(1),
      size: (line) => (hitAt(line) ? hitAt(line).nth / hitAt(line).rank : 0),
      noted: (line) =>
        hitAt(line) ? say("area", "of", { nth: hitAt(line).nth, rank: hitAt(line).rank }) : "",
    };
  }
  function show(given) {
    chart.show(given);
    square.show(given.shown, given.only, counting(given.only), given.how.preview);
  }
  // an item that is not a hit still counts: it pushes down the hits below
  function explain(id, { shown, only, lines }) {
    const { place } = lines.find((line) => line.id === id);
    const isAbove = counting(only).some((hit) => hit.place > place);
    return isAbove && !(shown.grades[id] > 0) ? [say("area", "thins out")] : null;
  }
  return { ...chart, show, value: null }; // its number stands below the square
}

const zero = () => make("span.rm-missed", { text: "0" });

function formulaOf(shown, only, hits) {
  const [measure, value] = [nameOf(only.spec), decimals(only.value)];
  if (!hits.length) return [say("formula", "no hit", { measure }), [words(measure)]];
  const terms = hits.map((hit) => termOf(shown, hit, precisionWords(hit)));
  const missing = Array.from({ length: only.divisor - hits.length }, zero);
  const over = joined([...terms, ...missing], "+");
  const sum = over.map((each) => each.textContent).join(" ");
  return [
    say("formula", "mean", { measure, terms: sum, n: only.divisor, value }),
    [words(`${measure} =`), ratio(over, [words(String(only.divisor))])],
  ];
}

function makeSquare() {
  const columns = make("div.rm-columns");
  const level = make("span.rm-level");
  const name = make("span.rm-level-name", { "aria-hidden": "true" });
  const square = make("div.rm-square", { role: "img" }, columns, level);
  const labels = make("div.rm-under-columns", { "aria-hidden": "true" });
  const button = makeButton("level", say("area", "level"), () => turn());
  const number = make("span.rm-result");
  const node = make("div.rm-area", name, square, labels, button, number);
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
    while (columns.children.length < n) columns.append(make("span.rm-col", make("i")));
    square.classList.toggle("rm-held", Boolean(live));
    found.forEach((hit, i) => {
      const column = columns.children[i];
      column.classList.toggle("rm-unfound", !hit);
      if (hit) column.dataset.id = shown.order[hit.place];
      else delete column.dataset.id;
      set(column, { value: flat ? only.value : hit ? hit.nth / hit.rank : 0 });
    });
    set(level, { value: only.value });
    put(name, { text: nameOf(only.spec) });
    put(number, { text: decimals(only.value) });
    const shares = (n > LABELLED ? [] : found).map((hit) =>
      make(`span.${hit ? "" : "rm-unfound"}`, { text: hit ? precisionWords(hit) : "0" }),
    );
    const same = make("span", { text: decimals(only.value) }); // all are as high: one says so
    labels.replaceChildren(...(flat ? [same] : shares));
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
