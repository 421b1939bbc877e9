// A list, and goals to reach by reordering it.

import { makeButton, makeGroup, makeMore } from "../browser/controls.js";
import { makeCover } from "../browser/cover.js";
import { make, put } from "../browser/dom.js";
import { change, childOf, listen, together } from "../browser/model.js";
import { say } from "../browser/words.js";
import { ticksOf } from "../list/alongside.js";
import { valueBeside } from "../list/beside.js";
import { alike, decimals, nameOf, shortly, sum } from "../list/engine.js";
import { scoreOf } from "../list/goals.js";
import { lanesOf, shownOf, wordsOf } from "../list/lanes.js";
import { makeMeans } from "../list/means.js";
import { makePanel } from "../list/panel.js";
import { makeStage } from "../list/stage.js";
import { makeVerdict, verdictOf } from "../list/verdict.js";

export async function view(model, el) {
  const { ranks: given, measures: specs, goals, solutions, beside, names } = model.get("fixed");
  const ranks = await childOf(model, given);
  const panel = makePanel(specs, model);
  const message = makeVerdict();
  message.node.tabIndex = -1;
  const { caption } = ranks.get("fixed");
  const called = caption === say("list", "caption") ? say("challenge", "this list") : caption;
  const means = beside.length ? makeMeans([...beside.map((other) => other.name), called]) : null;
  const cover = makeCover(el, goals.length > 1 ? "goals" : "goal", model.get("covers"));
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
    const [, met, there] = verdictOf(goal, facts);
    const told = !how.preview && model.get("told") && isShown(state.order);
    // only a move counts: another goal, or what is told, may change while the old order stands
    if (how.changed && met && !told) keep(scoreOf(goal, values, first), state.order, there);
    showMeans(state, lanes, values);
    const { sentence } = goal;
    message.show(goal, facts, {
      title: goals.length > 1 ? say("challenge", "title", { n: at + 1, sentence }) : sentence,
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
  const skip = makeButton("skip", say("challenge", goals.length > 1 ? "skip all" : "skip"), () => {
    change(model, { covers: false });
    stage.show();
  });

  function showButtons(there) {
    const at = model.get("current");
    const best = model.get("best");
    const isOpen = goals.some((_, n) => !best[n]?.reached && !seen().includes(n));
    const onSkip = document.activeElement === skip;
    skip.hidden = !(model.get("covers") && isOpen);
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
    cover.stop,
  );
}
