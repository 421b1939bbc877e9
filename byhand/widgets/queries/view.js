// Several queries, a list each: the value of each as a bar, and their mean through the bars.

import { makeButton, makeGroup, makeSlider } from "../browser/controls.js";
import { freshId, listenForUndo, make, put } from "../browser/dom.js";
import { assign, change, childOf, listen, save, together } from "../browser/model.js";
import { plainly, say } from "../browser/words.js";
import { decimals, evaluate, hitsOf, listOf, nameOf, shortly } from "../list/engine.js";
import { joined, makeFormula, ratio, result, term, words } from "../list/formula.js";
import { makeTiles } from "./tiles.js";

// What one query brings to the mean; null if it is left out. `byhand.widgets.queries` has the same.
export function ofQuery(formula, first, value, never) {
  if (formula === "mean rank") return first ?? never ?? Infinity;
  if (first != null) return value;
  return formula === "mean of hits" ? null : 1 / (never ?? Infinity);
}

export function meanOver(values) {
  const counted = values.filter((value) => value !== null);
  return counted.length ? counted.reduce((total, each) => total + each, 0) / counted.length : null;
}

const isNumber = (value) => value !== null && Number.isFinite(value);
const written = (value) => (isNumber(value) ? shortly(value) : "?");

export async function view(model, el) {
  const { ranks, measure, formulas, stops } = model.get("fixed");
  const models = await Promise.all(ranks.map((each) => childOf(model, each)));
  const queries = models.map(makeQuery);
  const [past, future] = [[], []];
  const sum = makeFormula();
  const said = make("div", "rm-said", { role: "status", "aria-live": "polite" });
  let news = ""; // of the last move, to be said with what it makes
  let [preview, chosen] = [null, null]; // the order that a drag would make; the tile that was tapped

  function makeQuery(own, i) {
    const fixed = own.get("fixed");
    const query = { model: own, fixed, i, id: String(i) };
    query.state = () => ({
      grades: own.get("grades"),
      order: preview?.i === i ? preview.order : own.get("order"),
    });
    query.set = (order, id) => set([[query, order]], id);
    query.preview = (order) => {
      preview = order && { i, order };
      show();
    };
    query.counts = (id, shown) => {
      const found = evaluate(listOf(shown, own.get("grades")), measure);
      return found.shares[shown.indexOf(id)] > 0;
    };
    query.choose = (id) => {
      chosen = { query, id };
      showTools();
    };
    query.tiles = makeTiles(query);
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
    const name = make("div", "rm-search", { text: fixed.caption, dir: "auto" });
    query.node = make(
      "div",
      "rm-query",
      { role: "group", "aria-label": fixed.caption },
      name,
      query.tiles.node,
      query.track,
    );
    query.node.addEventListener("pointerenter", () => light(query.id));
    query.node.addEventListener("pointerleave", () => light(null));
    query.node.addEventListener("focusin", () => light(query.id));
    query.node.addEventListener("focusout", () => light(null));
    return query;
  }

  function set(changes, id = null, { remember = true } = {}) {
    preview = null;
    if (remember) {
      past.push(models.map((each) => each.get("order")));
      future.length = 0;
    }
    for (const [query, order] of changes) {
      const before = query.model.get("order");
      assign(query.model, { order });
      save(query.model);
      if (id !== null) speak(query, id, before, order);
    }
    show();
  }
  function speak(query, id, before, order) {
    const how = !order.includes(id) ? "taken out" : before.includes(id) ? "moved" : "brought in";
    const values = { label: query.tiles.label(id), rank: order.indexOf(id) + 1, n: order.length };
    news = say("queries", how, values);
  }
  function travel(from, to) {
    if (!from.length) return;
    to.push(models.map((each) => each.get("order")));
    set(
      queries.map((query, i) => [query, from.at(-1)[i]]),
      null,
      { remember: false },
    );
    from.pop();
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
    set(queries.map((query) => [query, query.fixed.start.order])),
  );

  function makeTools() {
    const label = make("span", "rm-tool-words", { id: freshId("hint") });
    const act = (name, run) => {
      const button = makeButton(name, say("queries", name), () =>
        run(chosen.query, chosen.id, chosen.query.model.get("order")),
      );
      return button;
    };
    const buttons = {
      earlier: act("earlier", ({ tiles }, id, order) => tiles.place(id, order.indexOf(id) - 1)),
      later: act("later", ({ tiles }, id, order) => tiles.place(id, order.indexOf(id) + 1)),
      out: act("out", ({ tiles }, id) => tiles.place(id, null)),
      in: act("in", ({ tiles }, id, order) => tiles.place(id, order.length)),
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
    for (const query of queries) query.tiles.choose(chosen?.query === query ? chosen.id : null);
    const isIn = chosen?.query.model.get("order").includes(chosen.id);
    label.replaceChildren(...(chosen ? [chosen.query.tiles.label(chosen.id)] : hints));
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

  function show() {
    const formula = model.get("formula");
    const states = queries.map((query) => query.state());
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
      query.tiles.draw(order);
      query.node.classList.toggle("rm-never", never);
      query.node.classList.toggle("rm-left-out", value === null);
      query.track.style.setProperty("--v", value === null ? 0 : Math.min(value / scale, 1));
      query.track.style.setProperty("--mean", isNumber(mean) ? mean / scale : 0);
      query.track.classList.toggle("rm-no-mean", !isNumber(mean));
      put(query.value, { text: value === null ? say("queries", "never name") : written(value) });
    });
    const name = nameNow(formula);
    const counted = [...values.entries()].filter(([, each]) => each !== null);
    const value = !isNumber(mean)
      ? "?"
      : Number.isInteger(mean)
        ? String(mean)
        : decimals(mean, mean > 10 ? 1 : 3);
    const exact = isNumber(mean) && written(mean).includes("/") ? [words(written(mean))] : [];
    const terms = counted.map(([i, each]) =>
      term(String(i), written(each), `${queries[i].fixed.caption}: ${written(each)}`),
    );
    const end = result(value);
    if (exact.length) end.append(" ", ...exact);
    sum.show(say("queries", "result", { name, value: written(mean) }), [
      words(name),
      ...(terms.length
        ? [words("="), ratio(joined(terms, "+"), [words(String(counted.length))])]
        : []),
      end,
    ]);
    const starts = queries.map(({ fixed }) => fixed.start);
    const moved = queries.some(
      (query) => query.model.get("order").join("\n") !== query.fixed.start.order.join("\n"),
    );
    const first = meanOver(valuesUnder(formula, starts));
    put(was, { text: moved ? say("queries", "at first", { value: written(first) }) : "" });
    reset.hidden = !moved;
    for (const { name: each, button, number } of choices) {
      put(button, { "aria-pressed": String(each === formula) });
      put(number, { text: written(meanOver(valuesUnder(each, states))) });
    }
    if (slider) {
      const never = model.get("never");
      slider.show(ends.indexOf(never));
      put(slider.node.querySelector("output"), { text: never === null ? "∞" : plainly(never) });
    }
    showTools();
    if (news && !preview) {
      put(said, {
        text: `${news} ${say("queries", "result", { name, value: written(mean) })}`,
      });
      news = "";
    }
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
  show();
  const changed = () => queueMicrotask(show);
  return together(
    listenForUndo(
      el,
      () => travel(past, future),
      () => travel(future, past),
    ),
    listen(model, "change:formula change:never", changed),
    ...models.map((each) => listen(each, "change:order", changed)),
  );
}
