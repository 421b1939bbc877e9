// Several queries, a list each: the value of each as a bar, and their mean through the bars.

import { makeButton, makeGroup, makeSlider } from "../browser/controls.js";
import { freshId, make, put } from "../browser/dom.js";
import { change, childOf, listen, together } from "../browser/model.js";
import { plainly, say } from "../browser/words.js";
import { alike, decimals, evaluate, hitsOf, listOf, nameOf, shortly } from "../list/engine.js";
import { joined, makeFormula, ratio, result, term, words } from "../list/formula.js";
import { makeStage } from "../list/stage.js";
import { makeTiles } from "./tiles.js";

// What one query brings to the mean; null if it is left out. `byhand.widgets.queries` has the same.
export function ofQuery(formula, first, value, never) {
  if (formula === "mean rank") return first ?? never ?? Infinity;
  if (first != null) return value;
  return formula === "mean of hits" ? null : 1 / (never ?? Infinity);
}

function meanOver(values) {
  const counted = values.filter((value) => value !== null);
  return counted.length ? counted.reduce((total, each) => total + each, 0) / counted.length : null;
}

const isNumber = (value) => value !== null && Number.isFinite(value);
const valueWords = (value) => (isNumber(value) ? shortly(value) : "?");

export async function view(model, el) {
  const { ranks, measure, formulas, stops } = model.get("fixed");
  const models = await Promise.all(ranks.map((each) => childOf(model, each)));
  const said = make("div", "rm-said", { role: "status", "aria-live": "polite" });
  const stage = makeStage(el, models, show, {
    makeEach: (own, each) => makeTiles(own, each, { counts, choose }),
  });
  const queries = stage.lists.map(makeQuery);
  const sum = makeFormula();
  let chosen = null; // the tile that was tapped
  for (const list of stage.lists) list.say = (text) => put(said, { text });

  function counts(list, id, order) {
    const found = evaluate(listOf(order, list.model.get("grades")), measure);
    return found.shares[order.indexOf(id)] > 0;
  }
  function choose(list, id) {
    chosen = { list, id };
    showTools();
  }
  function makeQuery({ node: tiles, fixed }, i) {
    const query = { id: String(i), name: fixed.caption };
    query.bar = make("span", "rm-bar-of");
    query.value = make("span", "rm-end");
    query.track = make(
      "div",
      "rm-track",
      {},
      query.bar,
      query.value,
      make("span", "rm-mean", { "data-name": say("queries", "mean") }),
    );
    const name = make("div", "rm-search", { text: query.name, dir: "auto" });
    const group = { role: "group", "aria-label": query.name };
    query.node = make("div", "rm-query", group, name, tiles, query.track);
    for (const event of ["pointerenter", "focusin"])
      query.node.addEventListener(event, () => light(query.id));
    for (const event of ["pointerleave", "focusout"])
      query.node.addEventListener(event, () => light(null));
    return query;
  }

  const nameNow = (formula) =>
    formulas.length
      ? say("queries", formula)
      : say("queries", "of all", { measure: nameOf(measure) });
  const valuesUnder = (formula, states, never = model.get("never")) =>
    states.map(({ order, grades }) => {
      const list = listOf(order, grades);
      const { value } = evaluate(list, measure);
      return ofQuery(
        formula,
        value > 0 ? hitsOf(list)[0].rank : null,
        value,
        formula === "mean of hits" ? null : never,
      );
    });

  const choices = formulas.map((name) => {
    const number = make("b", "rm-choice-number");
    const button = make(
      "button",
      "rm-try",
      { "data-name": name },
      make("span", "", { text: say("queries", name) }),
      number,
    );
    button.addEventListener("click", () => change(model, { formula: name }));
    return { name, button, number };
  });
  const ends = [...stops, null];
  const slider = stops.length
    ? makeSlider("never", say("queries", "never"), { min: 0, max: stops.length }, (at) =>
        change(model, { never: ends[at] }),
      )
    : null;
  const tools = makeTools();
  const reset = makeButton("reset", say("queries", "reset"), () =>
    stage.set(stage.lists.map((list) => [list, list.fixed.start])),
  );

  function makeTools() {
    const label = make("span", "rm-tool-words", { id: freshId("hint") });
    const act = (name, rank) =>
      makeButton(name, say("queries", name), () =>
        chosen.list.place(chosen.id, rank(chosen.list.state().order)),
      );
    const buttons = {
      earlier: act("earlier", (order) => order.indexOf(chosen.id) - 1),
      later: act("later", (order) => order.indexOf(chosen.id) + 1),
      out: act("out", () => null),
      in: act("in", (order) => order.length),
    };
    put(buttons.earlier, { text: "◀", "aria-label": say("queries", "earlier") });
    put(buttons.later, { text: "▶", "aria-label": say("queries", "later") });
    return {
      node: make("div", "rm-piece-tools", {}, label, ...Object.values(buttons)),
      label,
      buttons,
    };
  }
  const hints = ["fine", "coarse"].map((by) =>
    make("span", `rm-${by}`, { text: say("queries", `hint ${by}`) }),
  );
  function showTools() {
    const { label, buttons } = tools;
    for (const list of stage.lists) list.showChosen(chosen?.list === list ? chosen.id : null);
    const isIn = chosen?.list.state().order.includes(chosen.id);
    label.replaceChildren(...(chosen ? [chosen.list.labels[chosen.id]] : hints));
    for (const name of ["earlier", "later", "out"]) buttons[name].hidden = !chosen || !isIn;
    buttons.in.hidden = !chosen || isIn;
  }

  // a query and its term light each other
  function light(id) {
    for (const each of sum.node.querySelectorAll(".rm-term"))
      each.classList.toggle("rm-lit", each.dataset.id === id);
    for (const query of queries) query.node.classList.toggle("rm-lit", query.id === id);
  }
  const lightTerm = (event) => light(event.target.closest(".rm-term")?.dataset.id ?? null);
  for (const name of ["pointerover", "pointerleave", "focusin", "focusout", "click"])
    sum.node.addEventListener(name, lightTerm);

  function show(states) {
    const formula = model.get("formula");
    const values = valuesUnder(formula, states);
    const mean = meanOver(values);
    const scale =
      formula === "mean rank"
        ? Math.max(...states.map(({ order }) => order.length), ...values.filter(isNumber))
        : 1;
    queries.forEach((query, i) => {
      const { order, grades } = states[i];
      const value = values[i];
      const never = !order.some((id) => grades[id] > 0);
      query.node.classList.toggle("rm-never", never);
      query.node.classList.toggle("rm-left-out", value === null);
      query.track.style.setProperty("--v", value === null ? 0 : Math.min(value / scale, 1));
      query.track.style.setProperty("--mean", isNumber(mean) ? mean / scale : 0);
      query.track.classList.toggle("rm-no-mean", !isNumber(mean));
      put(query.value, { text: value === null ? say("queries", "never name") : valueWords(value) });
    });
    const name = nameNow(formula);
    const counted = [...values.entries()].filter(([, each]) => each !== null);
    const value = !isNumber(mean)
      ? "?"
      : Number.isInteger(mean)
        ? String(mean)
        : decimals(mean, mean > 10 ? 1 : 3);
    const exact = isNumber(mean) && valueWords(mean).includes("/") ? [words(valueWords(mean))] : [];
    const terms = counted.map(([i, each]) =>
      term(String(i), valueWords(each), `${queries[i].name}: ${valueWords(each)}`),
    );
    const end = result(value);
    if (exact.length) end.append(" ", ...exact);
    const told = say("queries", "result", { name, value: valueWords(mean) });
    sum.show(told, [
      words(name),
      ...(terms.length
        ? [words("="), ratio(joined(terms, "+"), [words(String(counted.length))])]
        : []),
      end,
    ]);
    const starts = stage.lists.map(({ fixed }) => fixed.start);
    const moved = stage.lists.some((list, at) => !alike(list.state().order, starts[at].order));
    const first = meanOver(valuesUnder(formula, starts));
    put(was, { text: moved ? say("queries", "at first", { value: valueWords(first) }) : "" });
    reset.hidden = !moved;
    for (const { name: each, button, number } of choices) {
      put(button, { "aria-pressed": String(each === formula) });
      put(number, { text: valueWords(meanOver(valuesUnder(each, states))) });
    }
    if (slider) {
      const never = model.get("never");
      slider.show(ends.indexOf(never));
      put(slider.node.querySelector("output"), { text: never === null ? "∞" : plainly(never) });
    }
    showTools();
    return states.map(() => told);
  }

  const was = make("span", "rm-was-first");
  const top = make("div", "rm-sum", {}, sum.node, was, reset);
  const bed = make(
    "div",
    "rm-bed rm-board",
    {},
    ...(slider ? [make("div", "rm-controls", {}, slider.node)] : []),
    top,
    make("div", "rm-searches", {}, ...queries.map((query) => query.node)),
    tools.node,
    said,
  );
  if (choices.length)
    bed.prepend(makeGroup(say("queries", "formulas"), ...choices.map(({ button }) => button)));
  el.append(bed);
  stage.start();
  return together(
    listen(model, "change:formula change:never", () => stage.show()),
    stage.stop,
  );
}
