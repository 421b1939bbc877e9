// A list, and goals to reach by reordering it.

import { makeButton, makeGroup, makeMessage, makeMore } from "../browser/controls.js";
import { isCovering, makeCover } from "../browser/cover.js";
import { make, put } from "../browser/dom.js";
import { change, childOf, listen, together } from "../browser/model.js";
import { listed, say } from "../browser/words.js";
import { ticksOf } from "../list/alongside.js";
import { valueBeside } from "../list/beside.js";
import { alike, decimals, nameOf, shortly, sum } from "../list/engine.js";
import { isReached, scoreOf, unmetOf } from "../list/goals.js";
import { lanesOf, shownOf, wordsOf } from "../list/lanes.js";
import { makeMeans } from "../list/means.js";
import { makePanel } from "../list/panel.js";
import { makeStage } from "../list/stage.js";

const AIMS = { highest: "below", lowest: "above", reach: "away" };

// What an order has to have and has not, in sentences.
function unmetWords(goal, values, first, moved, names) {
  if (goal.one_swap && moved !== 2)
    return [moved ? say("challenge", "swap", { n: moved }) : say("challenge", "swap none")];
  return unmetOf(goal, values, first).map(([name, target]) =>
    say("challenge", "has to be", {
      measure: names[name],
      value: decimals(values[name]),
      target: shortly(target),
    }),
  );
}

// How far a list is from a goal, in a sentence; whether it has what it has to have; whether it is
// there.
function verdictOf(goal, { values, first, moved, best, n, names }) {
  const unmet = unmetWords(goal, values, first, moved, names);
  if (unmet.length) return [unmet.join(" "), false, false];
  const score = scoreOf(goal, values, first);
  const there = isReached(goal, score, best);
  const [measure, value] = [names[goal.measure], decimals(values[goal.measure])];
  if (goal.aim === "change") {
    if (!there) return [say("challenge", "still", { measure, value }), true, false];
    return [
      say("challenge", "changed", { measure, change: decimals(score), most: decimals(best) }),
      true,
      true,
    ];
  }
  if (there) return [reachedWords(goal, first, n, names), true, true];
  const gap = decimals(goal.aim === "reach" ? -score : best - score);
  return [say("challenge", AIMS[goal.aim], { measure, value, gap }), true, false];
}

// What else may be said of a goal: the longest of it has its room from the first, so that the rows stay
// under the hand that drags them.
function othersOf(goal, { values, first, best, n, names }) {
  const [measure, value] = [names[goal.measure], decimals(values[goal.measure])];
  const [gap, most] = [decimals(0), decimals(best)];
  const needs = goal.given.map(([name, target]) =>
    say("challenge", "has to be", {
      measure: names[name],
      value: decimals(values[name]),
      target: shortly(target ?? first[name]),
    }),
  );
  const said =
    goal.aim === "change"
      ? [
          say("challenge", "still", { measure, value }),
          say("challenge", "changed", { measure, change: gap, most }),
        ]
      : [
          `✓ ${reachedWords(goal, first, n, names)}`,
          say("challenge", AIMS[goal.aim], { measure, value, gap }),
        ];
  return [...said, needs.join(" "), ...(goal.one_swap ? [say("challenge", "swap none")] : [])];
}

// What was searched, so that "no better" claims no more.
function reachedWords(goal, first, n, names) {
  if (goal.aim === "reach") return say("challenge", "reached");
  if (goal.one_swap) return say("challenge", "best swap");
  const found = goal.aim === "lowest" ? "lowest" : "best";
  if (goal.given.length === 0) return say("challenge", found, { n });
  const given = goal.given.map(
    ([name, value]) => `${names[name]} = ${shortly(value ?? first[name])}`,
  );
  return say("challenge", `${found} given`, { given: listed(given), n });
}

export async function view(model, el) {
  const { ranks: given, measures: specs, goals, solutions, beside, names } = model.get("fixed");
  const ranks = await childOf(model, given);
  const panel = makePanel(specs, model);
  const message = makeMessage();
  message.node.tabIndex = -1;
  const [verdict, room] = [
    message.node.querySelector(".rm-verdict"),
    make("div", "rm-room", { "aria-hidden": "true" }),
  ];
  const verdicts = make("div", "rm-verdicts");
  verdict.replaceWith(verdicts);
  verdicts.append(verdict, room);
  const { caption } = ranks.get("fixed");
  const called = caption === say("list", "caption") ? say("challenge", "this list") : caption;
  const means = beside.length ? makeMeans([...beside.map((other) => other.name), called]) : null;
  const cover = makeCover(el, goals.length > 1 ? "goals" : "goal");
  const stage = makeStage(el, [ranks], show, {
    look: (_, id) => panel.look(id),
    travels: ([state]) => isShown(state.order) && change(model, { told: true }), // redone is not reached
  });
  const [list] = stage.lists;
  const { start } = list.fixed;

  // the values of the lists beside and of this one; and measure -> value, over all of them
  const all = (state, { spec, value }) => [
    ...beside.map((other) => valueBeside(other, state, spec)),
    value,
  ];
  const valuesOf = (state, lanes = lanesOf(shownOf(list, state), specs, model.get("answers"))) =>
    Object.fromEntries(
      lanes.map((lane) => [lane.spec.asked, sum(all(state, lane)) / (beside.length + 1)]),
    );
  const first = valuesOf(start);

  const nItems = (state) => (list.fixed.docking ? list.rows.size : state.order.length);
  const isShown = (order) => alike(order, solutions[model.get("current")].order);

  function keep(score, order, reached) {
    const best = [...model.get("best")];
    const at = model.get("current");
    if (best[at] != null && score <= best[at].score) return;
    best[at] = { score, order, reached };
    change(model, { best });
  }

  function show([state], [moved], how) {
    const at = model.get("current");
    const goal = goals[at];
    const shown = shownOf(list, state);
    const lanes = panel.show(shown, { answers: model.get("answers"), moved, ...how });
    const values = valuesOf(state, lanes);
    const nMoved = state.order.filter((id, i) => id !== start.order[i]).length;
    const facts = {
      values,
      first,
      moved: nMoved,
      best: solutions[at].score,
      n: nItems(state),
      names,
    };
    const [words, met, there] = verdictOf(goal, facts);
    room.replaceChildren(...othersOf(goal, facts).map((text) => make("div", "", { text })));
    const told = !how.preview && model.get("told") && isShown(state.order);
    // only a move counts: another goal, or what is told, may change while the old order stands
    if (how.changed && met && !told) keep(scoreOf(goal, values, first), state.order, there);
    showMeans(state, lanes, values);
    message.show({
      title:
        goals.length > 1
          ? say("challenge", "title", { n: at + 1, sentence: goal.sentence })
          : goal.sentence,
      text: words,
      tone: there ? "good" : "plain",
      more: told ? say("challenge", "this is a solution") : bestSoFar(goal, at),
    });
    more.style.visibility = told || isKept(model.get("best")[at]) ? "" : "hidden";
    showButtons(there && !how.preview);
    list.swapping(goal.one_swap);
    return [`${wordsOf(lanes)}.`];
  }

  // this list among those beside it, and the mean over all of them
  function showMeans(state, [lane], mean) {
    if (!means) return;
    const { spec } = lane;
    const values = all(state, lane);
    means.show({
      title: nameOf(spec),
      ticks: ticksOf(1),
      end: 1,
      values,
      never: values.map((each) => each === 0),
      words: values.map(shortly),
      mean: mean[spec.asked],
      number: decimals(mean[spec.asked]),
    });
  }

  const isKept = (kept) => Boolean(kept) && !alike(kept.order, start.order);
  // before there is a best, the words that will take about as much room
  function bestSoFar(goal, at) {
    const best = model.get("best")[at];
    const kept = isKept(best) ? best : { order: start.order };
    return say("challenge", kept.reached ? "reached with" : "best so far", {
      measure: names[goal.measure],
      value: decimals(valuesOf({ ...start, order: kept.order })[goal.measure]),
      order: kept.order.map((id) => list.labels[id]).join(" > "),
    });
  }

  function go(to) {
    change(model, { current: to, told: false });
    putInto(start.order);
  }
  function putInto(order) {
    stage.set([[list, { order }]]);
    stage.show();
  }
  const buttons = goals.map((goal, n) =>
    makeButton(`goal-${n}`, "", () => go(n), { title: goal.sentence }),
  );
  const next = makeButton("next", say("challenge", "next"), () => go(model.get("current") + 1), {
    primary: true,
  });
  const reset = makeButton(
    "reset",
    say("controls", "reset"),
    () => {
      change(model, { told: false });
      putInto(start.order);
    },
    { title: say("challenge", "reset title") },
  );
  const solution = makeButton("solution", say("challenge", "solution"), () => {
    change(model, { told: true, shown: [...new Set([...seen(), model.get("current")])] });
    putInto(solutions[model.get("current")].order);
  });

  // the goals of which a solution was shown; a page may have been made before that was kept
  const seen = () => model.get("shown") ?? [];
  const skip = makeButton("skip", say("challenge", "skip"), () => {
    change(model, { covers: false });
    stage.show();
  });

  function showButtons(there) {
    const at = model.get("current");
    const best = model.get("best");
    const isOpen = goals.some((_, n) => !best[n]?.reached && !seen().includes(n));
    const onSkip = document.activeElement === skip;
    skip.hidden = !(isCovering(model) && isOpen);
    cover.show(!skip.hidden, !isOpen);
    if (onSkip && skip.hidden) (there ? message.node : solution).focus();
    buttons.forEach((button, n) => {
      put(button, {
        text: say("challenge", best[n]?.reached ? "goal done" : "goal", { n: n + 1 }),
        "aria-pressed": String(n === at),
      });
    });
    const onNext = document.activeElement === next;
    const onSolution = document.activeElement === solution;
    next.hidden = !there || at + 1 >= goals.length;
    solution.hidden = there;
    if (onSolution && there) message.node.focus();
    if (onNext && next.hidden) buttons[at].focus();
  }

  const aims = goals.length > 1 ? [makeGroup(say("challenge", "goals"), ...buttons)] : [];
  const tools = makeGroup(say("challenge", "tools"), reset, stage.buttons[0]);
  list.frame.foot.append(makeMore(model, [solution, skip], tools, list.frame.keys));
  message.node.append(next);
  const more = message.node.querySelector(".rm-more"); // below the list, which is not to jump
  const others = means ? [means.node] : [];
  const picture = [...aims, message.node, ...others, panel.beside(list)];
  el.append(make("div", "rm-ask", {}, make("div", "rm-picture", {}, ...picture), more), cover.node);
  stage.start();
  const events = "change:current change:best change:answers change:told change:shown change:covers";
  return together(
    listen(model, events, () => stage.show()),
    stage.stop,
    panel.stop,
  );
}
