// Formulas to try on lists: the number of each, its curve on a button, and the chosen one in the rows.

import { makeButton, makeGroup, makeMore, makeTries } from "../browser/controls.js";
import { make, put } from "../browser/dom.js";
import { change, childOf, listen, together } from "../browser/model.js";
import { inRow, say } from "../browser/words.js";
import LIMITS from "../limits.json" with { type: "json" };
import { ticksOf } from "../list/alongside.js";
import { makeChart } from "../list/curve.js";
import { asFraction, decimals, listOf } from "../list/engine.js";
import { equals, factor, joined, ratio, term, termOf, words } from "../list/formula.js";
import { shownOf } from "../list/lanes.js";
import { makeLists } from "../list/lists.js";
import { makePanel } from "../list/panel.js";
import { makeStage } from "../list/stage.js";
import { gainOf, tried, WEIGHTS } from "./formulas.js";

// the same in print: a power stands up, and what is in brackets stays in one line
const written = (formula) =>
  formula.shown
    .replaceAll(/\([^)]*\)/g, (inside) => inside.replaceAll(" ", "\u00a0"))
    .split(/\^(\p{L}+)/u)
    .map((part, i) => (i % 2 ? make("sup", { text: part }) : part));
const isWords = (formula, value) => `${formula.shown}: ${value}`;
function resultWords(value) {
  if (value === null) return "?";
  if (Number.isInteger(value)) return String(value);
  return (value < 1 && asFraction(value, LIMITS.bench)) || decimals(value);
}
// how far a number is from what it was before the last move
function byWords(value, was) {
  if (value === null || was === null) return "";
  if (Math.abs(value - was) < 1e-9) return "±0";
  return `${value < was ? "−" : "+"}${resultWords(Math.abs(value - was))}`;
}
// the same where it stands alone: a fraction is for the formula
const bigWords = (value) =>
  value === null || Number.isInteger(value) ? resultWords(value) : decimals(value);
const scaleOf = (formula, n) => (formula.weight === "rank" ? n : 1);
// What a hit is worth, as it is worked out.
const WORTHS = {
  rank: ({ rank }) => rank,
  line: ({ rank }, n) => `(${n} + 1 − ${rank})/${n}`,
  five: ({ rank }) => (rank <= LIMITS.few ? 1 : 0),
  one: (_hit, _n, gain) => gain,
  share: ({ nth, rank }) => `${nth}/${rank}`,
  "1/rank": ({ rank }, _n, gain) => (rank === 1 ? gain : `${gain}/${rank}`),
  "1/log2": ({ rank }, _n, gain) => `${gain} × ${factor(WEIGHTS["1/log2"](rank))}`,
};
const worthWords = (formula, hit, n) =>
  String(WORTHS[formula.weight](hit, n, gainOf(formula, hit.grade)));

// The same at the end of a bar: its number, or how many of how many.
function shortWords({ weight, graded }, { worth }, { rank, nth }) {
  if (weight === "share") return `${nth}/${rank}`;
  if (!graded || weight === "one") return resultWords(worth[nth - 1]);
  return decimals(worth[nth - 1]); // so that they add up to the number
}

// The chosen formula beside a list: its terms on top, its curve and a bar for each hit in the rows.
function makeTried(chosen, rides) {
  const below = make("div.rm-below");

  function read({ shown, only }) {
    const { formula, found } = only;
    const { n } = found;
    const top = gainOf(formula, shown.top);
    const end = top * scaleOf(formula, n);
    const hitAt = (line) => found.hits.find((each) => each.place === line.place);
    put(below, { text: found.extra ? say("bench", "below", { n: found.extra }) : "" });
    return {
      formula: headOf(formula, found, shown),
      value: bigWords(found.value),
      title: say("bench", "counts"),
      end,
      ticks: ticksOf(end),
      weight:
        formula.weight === "share" ? null : (rank) => top * WEIGHTS[formula.weight](rank, 1, n),
      size(line) {
        const hit = found.counted.find((each) => each.place === line.place);
        return hit ? gainOf(formula, hit.grade) * WEIGHTS[formula.weight](line.at, hit.nth, n) : 0;
      },
      noted(line) {
        const hit = hitAt(line);
        if (!found.counted.includes(hit)) return hit ? say("curve", "not the first") : "";
        const text = shortWords(formula, found, hit);
        return rides && text === bigWords(found.value) ? "" : text; // which stands in this row, too
      },
    };
  }
  function headOf(formula, found, shown) {
    const terms = found.counted.map((hit) => termOf(shown, hit, worthWords(formula, hit, found.n)));
    const missed =
      formula.over === "relevant"
        ? shown.ids.filter((id) => shown.grades[id] > 0 && !shown.order.includes(id))
        : [];
    const zeros = missed.map((id) => term(id, "0", `0: ${shown.labels[id]}`, ".rm-missed"));
    const sum = joined([...terms, ...zeros], "+");
    const value = resultWords(found.value);
    const all = sum.length ? sum : [words(value)];
    const whole = formula.over ? [ratio(all, [words(String(found.divisor))])] : all;
    const worths = found.counted.map(({ rank }) => WEIGHTS[formula.weight](rank));
    const sign = formula.weight === "1/log2" ? equals(worths) : "=";
    const name = rides ? make("span", ...written(formula)) : words(shown.name);
    return [isWords(formula, value), [name, words(sign), ...whole]];
  }
  function explain(id, { shown, only }) {
    const { formula, found } = only;
    const hit = found.hits.find((each) => shown.order[each.place] === id);
    if (!hit) return [];
    if (!found.counted.includes(hit)) return [say("bench", "not the first")];
    const worth = worthWords(formula, hit, found.n);
    return [say("bench", formula.over ? "hit over" : "hit", { worth, divisor: found.divisor })];
  }
  const said = ({ only }) => isWords(chosen(), resultWords(only.found.value));
  return makeChart(read, {
    formula: true,
    foot: below,
    rides,
    explain,
    rest: () => "\u00a0",
    words: said,
  });
}

export async function view(model, el) {
  const { ranks, formulas, extra } = model.get("fixed");
  const models = await Promise.all(ranks.map((each) => childOf(model, each)));
  const chosen = () => formulas.find(({ name }) => name === model.get("formula"));
  const foundOf = (formula, { order, grades }) => {
    const below = model.get("longer") ? extra : 0;
    return { ...tried(formula, listOf(order, grades), below), extra: below };
  };
  const measured = (shown) => {
    const formula = chosen();
    const spec = { stem: formula.shown, k: null, first: formula.first };
    const found = foundOf(formula, shown);
    return [{ spec, formula, found, shares: found.shares }];
  };
  const isOne = models.length === 1;
  const shows = () => makeTried(chosen, isOne); // beside two lists its number has no room to ride
  const panels = models.map(() => makePanel([chosen()], model, { shows, measured }));
  const stage = makeStage(el, models, show, {
    look: (list, id) => panels[stage.lists.indexOf(list)].look(id),
  });
  const names = stage.lists.map((list) => list.fixed.caption);
  const titled = formulas.map((formula) => ({ name: formula.name, title: written(formula) }));
  const tries = makeTries(model, say("bench", "formulas"), titled, names);
  let [before, settled] = [null, null]; // the values before the last change, and since

  function show(states, changes, how) {
    const founds = formulas.map((formula) => states.map((state) => foundOf(formula, state)));
    const values = founds.map((each) => each.map(({ value }) => value));
    if (how.changed) before = settled;
    const base = how.preview ? settled : before;
    if (!how.preview) settled = values;
    const moved = base?.map((was, i) => was.map((value, list) => byWords(values[i][list], value)));
    tries.show(values, resultWords, isOne ? moved : null);
    for (const [i, state] of states.entries()) {
      const shown = shownOf(stage.lists[i], state, { name: names[i] });
      panels[i].show(shown, { moved: changes[i], ...how });
    }
    put(longer, { "aria-pressed": String(model.get("longer")) });
    reset.style.visibility = model.get("longer") || stage.isMoved() ? "" : "hidden";
    const said = (at) => formulas.map((each, i) => isWords(each, resultWords(values[i][at])));
    return states.map((_, at) => `${inRow(said(at))}.`);
  }
  const longer = makeButton("longer", say("bench", "longer", { n: extra }), () =>
    change(model, { longer: !model.get("longer") }),
  );
  const reset = makeButton("reset", say("controls", "reset"), () => {
    stage.reset();
    change(model, { longer: false });
  });
  const control = extra ? [longer] : [];
  const [first, ...others] = stage.lists;
  first.frame.hint.append(...others.map((list) => list.frame.offered));
  const lists = stage.lists.map((list, i) => panels[i].beside(list, ...(isOne ? control : [])));
  const tools = makeGroup(say("controls", "change"), stage.buttons[0]);
  const later = makeMore(
    model,
    [...(isOne ? [] : [...control, first.frame.hint]), reset],
    tools,
    first.frame.keys,
  );
  const all = isOne ? lists[0] : makeLists(lists, names);
  if (isOne) first.frame.foot.append(later);
  const parts = extra ? [later, all] : [all, later]; // what changes all is in sight with the numbers
  el.append(make("div.rm-picture.rm-bed", tries.node, ...(isOne ? lists : parts)));
  stage.start();
  return together(
    listen(model, "change:formula", () => stage.show()),
    listen(model, "change:longer", () => stage.show({ changed: true })),
    stage.stop,
    ...panels.map((panel) => panel.stop),
  );
}
