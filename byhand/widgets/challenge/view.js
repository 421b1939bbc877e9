// A list, and a goal to reach by reordering it.

import { makeButton, makeGroup, makeMore } from "../browser/controls.js";
import { makeCover } from "../browser/cover.js";
import { make } from "../browser/dom.js";
import { change } from "../browser/model.js";
import { say } from "../browser/words.js";
import { ticksOf } from "../list/alongside.js";
import { alike, decimals, nameOf, shortly, sum } from "../list/engine.js";
import { valueBeside, wordsOf } from "../list/lanes.js";
import { makeMeans } from "../list/lists.js";
import { makeBoard } from "../list/stage.js";
import { makeVerdict, verdictOf } from "../list/verdict.js";

export async function view(model, el) {
  const { measures, goal, solution, beside, names } = model.get("fixed");
  const isShown = (order) => alike(order, solution.order);
  const { panel, stage, list, start } = await makeBoard(model, el, measures, show, {
    travels: ([state]) => isShown(state.order) && change(model, { told: true }), // redone is not reached
  });
  const message = makeVerdict();
  message.node.tabIndex = -1;
  const { caption } = list.fixed;
  const called = caption === say("list", "caption") ? say("challenge", "this list") : caption;
  const means = beside.length ? makeMeans([...beside.map((other) => other.name), called]) : null;
  const cover = makeCover(el, "goal", model.get("covers"));

  // the values of the lists beside and of this one; and measure -> value, over all of them
  const all = (shown, { spec, value }) => [
    ...beside.map((other) => valueBeside(other, shown, spec)),
    value,
  ];
  const valuesOf = (shown, lanes) =>
    Object.fromEntries(
      lanes.map((lane) => [lane.spec.asked, sum(all(shown, lane)) / (beside.length + 1)]),
    );

  function show(shown, lanes, how) {
    const values = valuesOf(shown, lanes);
    const n = list.fixed.docking ? list.rows.size : shown.order.length;
    const facts = { values, best: solution.score, n, names };
    const [, there] = verdictOf(goal, facts);
    const told = !how.preview && model.get("told") && isShown(shown.order);
    // only a move counts: what is told may change while the old order stands
    if (how.changed && there && !told && !model.get("done")) change(model, { done: true });
    showMeans(shown, lanes, values);
    message.show(goal, facts, { more: told ? say("challenge", "this is a solution") : "" });
    showButtons(there && !how.preview);
    return `${wordsOf(lanes)}.`;
  }

  function showMeans(shown, [lane], mean) {
    if (!means) return;
    const { spec } = lane;
    const values = all(shown, lane);
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
  const back = () => put(list.fixed.start.order, { told: false });
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
  const picture = make("div.rm-picture", message.node, ...others, panel.beside(list));
  el.append(make("div.rm-ask", picture, more), cover.node);
  return start("change:done change:answers change:told change:shown change:covers", cover.stop);
}
