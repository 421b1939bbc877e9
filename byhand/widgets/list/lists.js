// Several lists: beside each other or, where there is no room for all of them, one at a time; and the
// mean of their values.

import { makeButton, makeGroup } from "../browser/controls.js";
import { make, put } from "../browser/dom.js";
import { say } from "../browser/words.js";
import { makeScale, set } from "./alongside.js";

export function makeLists(lists, names) {
  const tabs = names.map((name, i) => makeButton(`list-${i}`, name, () => show(i)));
  function show(at) {
    for (const [i, tab] of tabs.entries()) {
      lists[i].classList.toggle("rm-behind", i !== at);
      put(tab, { "aria-pressed": String(i === at) });
    }
  }
  show(0);
  const choice = makeGroup(say("list", "lists"), ...tabs);
  return make("div.rm-lists", choice, make("div.rm-beside", ...lists));
}

// The value of each query as a bar, a line through the bars where their mean is, and its number at the
// end of the line. At a row it would read as the value of that query.
export function makeMeans(names) {
  const scale = makeScale();
  const number = make("b.rm-result");
  const rows = names.map((name, i) => {
    const [bar, value] = [make("i.rm-bar"), make("span.rm-end")];
    const mean = make("span.rm-mean");
    const track = make("div.rm-track", bar, value, mean);
    const label = make("div.rm-search", { text: name, dir: "auto" });
    return { value, node: make("div.rm-query", { "data-id": String(i) }, label, track) };
  });
  const called = make("span", { text: say("queries", "mean") });
  const node = make(
    "div.rm-means",
    scale.node,
    ...rows.map((row) => row.node),
    make("div.rm-mean-is", make("div", called, number)),
  );

  // a value is null where a query is left out; `never` says which have no hit
  function show({ title, ticks, end, values, never = [], words, mean, number: text }) {
    scale.show(title, ticks);
    const share = (value) =>
      Number.isFinite(value) ? Math.min(value / end, 1) : Number(value > 0);
    rows.forEach(({ value, node: row }, i) => {
      row.classList.toggle("rm-never", Boolean(never[i]));
      put(value, { text: words[i] });
      set(row, { v: share(values[i]), letters: words[i].length });
    });
    const isMean = mean !== null && Number.isFinite(mean);
    node.classList.toggle("rm-no-mean", !isMean);
    set(node, { mean: isMean ? mean / end : 0 });
    put(number, { text });
  }
  return { node, show };
}
