// The means of lists that follow the dragged one: a row for each, and a column for each list.

import { make, put } from "../browser/dom.js";
import { say } from "../browser/words.js";
import { asFraction, decimals, nameOf, sum, withCutoff } from "../list/engine.js";
import { valueBeside } from "../list/lanes.js";

const DIGITS = 4; // as many as are often printed

export function makeTableOfMeans(means) {
  const columns = [...new Set(means.flatMap(({ lists }) => lists.map(({ name }) => name)))];
  const caption = make("caption");
  const heading = (text, scope) => make("th", { text, scope, dir: "auto" });
  const rows = means.map(({ name, lists }) => {
    const cells = [...columns, null].map(() => make("td"));
    return { name, lists, cells, node: make("tr", heading(name, "row"), ...cells) };
  });
  const heads = [...columns, say("queries", "mean")].map((text) => heading(text, "col"));
  const node = make(
    "table.rm-table-of-means",
    caption,
    make("thead", make("tr", make("td"), ...heads)),
    make("tbody", ...rows.map((row) => row.node)),
  );
  let said = "";

  function fill(cell, value) {
    cell.replaceChildren(
      make("span.rm-worth", { text: decimals(value, DIGITS) }),
      " ",
      make("span.rm-fraction", { text: asFraction(value) }),
    );
  }
  function show(shown, measure) {
    const spec = withCutoff(measure, shown.k);
    put(caption, { text: say("means", "caption", { measure: nameOf(spec) }) });
    const all = rows.map(({ name, lists, cells }) => {
      const values = lists.map((each) => valueBeside(each, shown, spec));
      for (const [i, each] of lists.entries()) fill(cells[columns.indexOf(each.name)], values[i]);
      const mean = sum(values) / values.length;
      fill(cells.at(-1), mean);
      return say("means", "said", { name, value: decimals(mean, DIGITS) });
    });
    said = all.join(" ");
  }
  return { node, show, words: () => said };
}
