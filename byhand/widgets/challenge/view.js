// A list, and a goal to reach by reordering it.

import { makeButton, makeGroup, makeMore } from "../browser/controls.js";
import { makeCover } from "../browser/cover.js";
import { make } from "../browser/dom.js";
import { change, childOf, listen, together } from "../browser/model.js";
import { say } from "../browser/words.js";
import { ticksOf } from "../list/alongside.js";
import { valueBeside } from "../list/beside.js";
import { alike, decimals, nameOf, shortly, sum } from "../list/engine.js";
import { shownOf, wordsOf } from "../list/lanes.js";
import { makeMeans } from "../list/means.js";
import { makePanel } from "../list/panel.js";
import { makeStage } from "../list/stage.js";
import { makeVerdict, verdictOf } from "../list/verdict.js";

export async function view(model, el) {
  const { ranks: given, measures: specs, goal, solution, beside, names } = model.get("fixed");
  const ranks = await childOf(model, given);
  const panel = makePanel(specs, model);
  const message = makeVerdict();
  message.node.tabIndex = -1;
  const { caption } = ranks.get("fixed");
  const called = caption === say("list", "caption") ? say("challenge", "this list") : caption;
  const means = beside.length ? makeMeans([...beside.map((other) => other.name), called]) : null;
  const cover = makeCover(el, "goal", model.get("covers"));
  const stage = makeStage(el, [ranks], show, {
    look: (_, id) => panel.look(id),
    travels: ([state]) => isShown(state.order) && change(model, { told: true }), // redone is not reached
  });
  const [list] = stage.lists;
  const { start } = list.fixed;
  const isShown = (order) => alike(order, solution.order);

  // the values of the lists beside and of this one; and measure -> value, over all of them
  const all = (state, { spec, value }) => [
    ...beside.map((other) => valueBeside(other, state, spec)),
    value,
  ];
  const valuesOf = (state, lanes) =>
    Object.fromEntries(
      lanes.map((lane) => [lane.spec.asked, sum(all(state, lane)) / (beside.length + 1)]),
    );

  function show([state], [moved], how) {
    const shown = shownOf(list, state);
    const lanes = panel.show(shown, { answers: model.get("answers"), moved, ...how });
    const values = valuesOf(state, lanes);
    const n = list.fixed.docking ? list.rows.size : state.order.length;
    const facts = { values, best: solution.score, n, names };
    const [, there] = verdictOf(goal, facts);
    const told = !how.preview && model.get("told") && isShown(state.order);
    // only a move counts: what is told may change while the old order stands
    if (how.changed && there && !told && !model.get("done")) change(model, { done: true });
    showMeans(state, lanes, values);
    message.show(goal, facts, { more: told ? say("challenge", "this is a solution") : "" });
    showButtons(there && !how.preview);
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

  function put(order, values) {
    change(model, values);
    stage.set([[list, { order }]]);
    stage.show();
  }
  const title = say("challenge", "reset title");
  const back = () => put(start.order, { told: false });
  const reset = makeButton("reset", say("controls", "reset"), back, { title });
  const solve = makeButton("solution", say("challenge", "solution"), () =>
    put(solution.order, { told: true, shown: true }),
  );
  const skip = makeButton("skip", say("challenge", "skip"), () => {
    change(model, { covers: false });
    stage.show();
  });

  function showButtons(there) {
    const isOpen = !model.get("done") && !model.get("shown");
    const focused = document.activeElement;
    skip.hidden = !(model.get("covers") && isOpen);
    solve.hidden = there;
    cover.show(!skip.hidden, !isOpen);
    if (focused === skip && skip.hidden) (there ? message.node : solve).focus();
    if (focused === solve && there) message.node.focus();
  }

  const tools = makeGroup(say("challenge", "tools"), reset, stage.buttons[0]);
  list.frame.foot.append(makeMore(model, [solve, skip], tools, list.frame.keys));
  const more = message.node.querySelector(".rm-more"); // below the list, which is not to jump
  const others = means ? [means.node] : [];
  const picture = make("div", "rm-picture", {}, message.node, ...others, panel.beside(list));
  el.append(make("div", "rm-ask", {}, picture, more), cover.node);
  stage.start();
  const events = "change:done change:answers change:told change:shown change:covers";
  return together(
    listen(model, events, () => stage.show()),
    stage.stop,
    panel.stop,
    cover.stop,
  );
}
