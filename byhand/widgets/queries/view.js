// Several queries, a list each: the value of each as a bar, and their mean through the bars.

import { makeButton, makeSlider, makeTries } from "../browser/controls.js";
import { make } from "../browser/dom.js";
import { change, childOf, listen, together } from "../browser/model.js";
import { plainly, say } from "../browser/words.js";
import { fit, ticksOf } from "../list/alongside.js";
import { decimals, evaluate, hitsOf, listOf, nameOf, shortly } from "../list/engine.js";
import { joined, makeFormula, ratio, term, words } from "../list/formula.js";
import { makeLists, makeMeans } from "../list/lists.js";
import { makeStage } from "../list/stage.js";
import { makeVerdict } from "../list/verdict.js";

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
// a mean rank says less as 26/3
function valueWords(value) {
  if (!isNumber(value)) return "?";
  return value > 1 && !Number.isInteger(value)
    ? decimals(value, value > 10 ? 1 : 3)
    : shortly(value);
}

export async function view(model, el) {
  const { ranks, measure, formulas, stops, digits, goal, best, names: called } = model.get("fixed");
  const models = await Promise.all(ranks.map((each) => childOf(model, each)));
  const stage = makeStage(el, models, show, { look: (list) => light(stage.lists.indexOf(list)) });
  const names = stage.lists.map(({ fixed }) => fixed.caption);
  const means = makeMeans(names);
  const sum = makeFormula();
  const verdict = goal ? makeVerdict() : null;

  const written = (value, formula = model.get("formula")) =>
    digits == null || formula === "mean rank" || !isNumber(value)
      ? valueWords(value)
      : decimals(value, digits);
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

  const tried = Object.entries(formulas);
  const titled = tried.map(([name, shown]) => ({ name, title: [shown] }));
  const choices = tried.length > 1 ? makeTries(model, say("queries", "formulas"), titled) : null;
  const write = (never) => (never === null ? "∞" : plainly(never));
  const slider = stops.length
    ? makeSlider("never", say("queries", "never"), { stops: [...stops, null], write }, (never) =>
        change(model, { never }),
      )
    : null;
  const reset = makeButton("reset", say("controls", "reset"), () => stage.reset());

  // a query and its term light each other
  const both = [sum.node, means.node];
  function light(at) {
    for (const each of both.flatMap((node) => [...node.querySelectorAll("[data-id]")]))
      each.classList.toggle("rm-lit", each.dataset.id === String(at));
  }
  const lightTerm = ({ target }) => light(target.closest("[data-id]")?.dataset.id);
  for (const node of both)
    for (const name of ["pointerover", "pointerleave", "focusin", "focusout", "click"])
      node.addEventListener(name, lightTerm);

  function show(states) {
    const formula = model.get("formula");
    const values = valuesUnder(formula, states);
    const mean = meanOver(values);
    const name = formulas[formula] ?? say("queries", "of all", { measure: nameOf(measure) });
    const told = say("queries", "result", { name, value: written(mean) });
    const exact = written(mean).includes("/") ? written(mean) : "";
    const number = exact ? decimals(mean, mean > 10 ? 1 : 3) : written(mean);
    markRows(states);
    const result = mean === null ? [] : [words("="), words(written(mean))];
    sum.show(told, [words(name), ...termsOf(values), ...result]);
    means.show({ ...scaleOf(formula, states, values), values, mean, number });
    verdict?.show(goal, {
      values: { [measure.asked]: meanOver(valuesUnder("mean of all", states, null)) },
      best,
      n: stage.lists.reduce((total, list) => total + list.rows.size, 0),
      names: called,
      digits: digits ?? 3,
    });
    reset.style.visibility = stage.isMoved() ? "" : "hidden";
    choices?.show(
      tried.map(([each]) => [meanOver(valuesUnder(each, states))]),
      written,
    );
    slider?.show(model.get("never"));
    return states.map(() => told);
  }
  // also in the hand
  function markRows(states) {
    stage.lists.forEach((list, i) => {
      const { order, grades } = states[i];
      const { shares } = evaluate(listOf(order, grades), measure);
      for (const { classList, dataset } of list.frame.node.querySelectorAll(".rm-row"))
        classList.toggle("rm-counts", shares[order.indexOf(dataset.id)] > 0);
    });
  }
  function termsOf(values) {
    const counted = [...values.entries()].filter(([, each]) => each !== null);
    if (!counted.length) return [];
    const terms = counted.map(([i, each]) =>
      term(String(i), written(each), `${names[i]}: ${written(each)}`),
    );
    return [words("="), ratio(joined(terms, "+"), [words(String(counted.length))])];
  }
  function scaleOf(formula, states, values) {
    const isRank = formula === "mean rank";
    const longest = states.map(({ order }) => order.length);
    const end = isRank ? Math.max(...longest, ...values.filter(isNumber)) : 1;
    return {
      title: isRank ? say("queries", "ranks") : nameOf(measure),
      ticks: ticksOf(end),
      end,
      never: states.map(({ order, grades }) => !order.some((id) => grades[id] > 0)),
      words: values.map((each) => (each === null ? say("queries", "never name") : written(each))),
    };
  }

  const [{ frame }, ...others] = stage.lists;
  frame.hint.append(...others.map((list) => list.frame.offered));
  const picture = make(
    "div.rm-picture.rm-bed",
    ...(goal ? [verdict.node] : []),
    ...(choices ? [choices.node] : []),
    make("div.rm-top", sum.node, ...(slider ? [slider.node] : [])),
    means.node,
    makeLists(
      stage.lists.map((list) => list.frame.node),
      names,
    ),
    make("div.rm-how", frame.hint, reset),
  );
  el.append(goal ? make("div.rm-ask", picture) : picture);
  stage.start();
  // where one list is in sight at a time, the name of a query shows its list, too
  means.node.addEventListener("click", ({ target }) => {
    const at = target.closest("[data-id]")?.dataset.id;
    picture.querySelector(`[data-name="list-${at}"]`)?.click();
  });
  let width = 0;
  const watcher = new ResizeObserver(() => {
    if (picture.clientWidth !== width && !stage.hand) fit(picture);
    width = picture.clientWidth;
  });
  watcher.observe(picture);
  return together(
    listen(model, "change:formula change:never", () => stage.show()),
    stage.stop,
    () => watcher.disconnect(),
  );
}
