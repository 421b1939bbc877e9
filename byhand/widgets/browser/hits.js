// The rank of each query's first hit, to drag, and two markers: 1/MRR and the mean rank.

import { makeButton, makeGroup } from "./controls.js";
import { make, put } from "./dom.js";
import { decimals, shortly, sum } from "./engine.js";
import { change, listen } from "./model.js";
import { plainly, say } from "./words.js";

export function meansOf(ranks) {
  const mrr = sum(ranks.map((rank) => 1 / (rank ?? Infinity))) / ranks.length;
  const isFound = ranks.every((rank) => rank != null);
  return { mrr, inverse: mrr ? 1 / mrr : null, mean: isFound ? sum(ranks) / ranks.length : null };
}

const written = (value) =>
  value === null ? "?" : Number.isInteger(value) ? plainly(value) : decimals(value, 2);

export function viewHits(model, el) {
  const { cases, queries, ends, start } = model.get("fixed");
  const ranks = () => model.get("hits")[model.get("case")];
  const end = () => ends[model.get("case")];
  const never = () => end() + end() / 10; // what lies beyond the end stands there
  const at = (rank) => (Math.min(rank, never()) - 1) / (never() - 1);
  const keep = (next) => change(model, { hits: { ...model.get("hits"), [model.get("case")]: next } });

  const tabs = cases.map((name) => // a dict of a stored notebook has its keys sorted
    makeButton(name, name, () => change(model, { case: name })));
  const rows = queries.map((name, i) => {
    const input = make("input", "rm-dot-of", { type: "range", min: 1, step: 1, "aria-label": say("hits", "dot", { name }) });
    const shown = make("span", "rm-end", { "aria-hidden": "true" });
    input.addEventListener("input", () => {
      const value = Number(input.value);
      const back = ranks()[i] === null && value < never(); // from "never" the first step is to the end
      const rank = value <= end() ? value : back ? end() : null;
      keep(ranks().map((each, n) => (n === i ? rank : each)));
    });
    const node = make("div", "rm-hit-row", {}, make("span", "rm-search", { text: name, dir: "auto" }), input, shown);
    return { node, input, shown };
  });
  const number = (look, name) => {
    const value = make("b", "rm-big");
    const node = make("span", `rm-fact ${look}`, {}, make("span", "", { text: say("hits", name) }), value);
    return { node, value };
  };
  const [inverse, mean, mrr] = [number("rm-solid", "inverse"), number("rm-dashed", "mean"), number("rm-plain", "mrr")];
  const marks = [make("i", "rm-mark-of rm-solid"), make("i", "rm-mark-of rm-dashed")];
  const axis = make("div", "rm-ticks", { "aria-hidden": "true", "data-name": say("hits", "axis") });
  const zone = make("i", "rm-never-zone");
  const plot = make("div", "rm-plot", {}, make("div", "rm-marks", {}, zone, ...marks), ...rows.map(({ node }) => node), axis);
  const reset = makeButton("reset", say("queries", "reset"), () => change(model, { hits: start }));
  const said = make("div", "rm-said", { role: "status", "aria-live": "polite" });

  function show() {
    const [now, found] = [ranks(), meansOf(ranks())];
    tabs.forEach((tab) => put(tab, { "aria-pressed": String(tab.dataset.name === model.get("case")) }));
    rows.forEach(({ input, shown, node }, i) => {
      const rank = now[i] ?? null;
      put(input, { max: never(), "aria-valuetext": rank === null ? say("queries", "never name") : say("hits", "rank", { rank }) });
      input.value = rank ?? never();
      put(shown, { text: rank === null ? say("queries", "never name") : plainly(rank) });
      node.classList.toggle("rm-never", rank === null);
    });
    [[inverse, found.inverse], [mean, found.mean]].forEach(([{ value }, each], i) => {
      put(value, { text: written(each) });
      marks[i].hidden = each === null;
      marks[i].style.setProperty("--at", each === null ? 0 : at(each));
    });
    put(mrr.value, { text: shortly(found.mrr) });
    zone.style.setProperty("--at", (at(end()) + 1) / 2);
    const ticks = end() === 10 ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [1, end() / 4, end() / 2, (end() * 3) / 4, end()];
    axis.replaceChildren(
      ...[...ticks.map((rank) => [rank, plainly(rank)]), [never(), say("queries", "never name")]].map(([rank, text]) => {
        const tick = make("span", rank > end() ? "rm-last" : rank > 99 && rank === end() ? "rm-wide" : "", { text });
        tick.style.setProperty("--at", at(rank));
        return tick;
      }),
    );
    const isMoved = JSON.stringify(model.get("hits")) !== JSON.stringify(start);
    reset.style.visibility = isMoved ? "" : "hidden";
    const words = { inverse: written(found.inverse), mean: written(found.mean), mrr: shortly(found.mrr) };
    put(said, { text: isMoved ? say("hits", "said", words) : "" });
  }
  el.append(
    make("div", "rm-bed", {},
      makeGroup(say("hits", "cases"), ...(tabs.length > 1 ? tabs : [])),
      make("div", "rm-facts", {}, mrr.node, inverse.node, mean.node),
      plot, reset, said),
  );
  show();
  return listen(model, "change:case change:hits", () => queueMicrotask(show));
}
