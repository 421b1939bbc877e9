// The lists of one widget, with their pictures, dragging between them, undo and redo; and the cutoff
// `k` and the lowest relevant grade of the model `cut`, if a reader can change them.
//
// The models are the only state. An action sets new trait values, and every view, including this one,
// is drawn again from those. While an item is dragged, nothing is set: the lists are shown as they
// would be after the drop.

import { disable, makeButton } from "../browser/controls.js";
import { listenForUndo } from "../browser/dom.js";
import { assign, childOf, listen, save, together } from "../browser/model.js";
import { say } from "../browser/words.js";
import { alike } from "./engine.js";
import { shownOf } from "./lanes.js";
import { changeOf, makeList } from "./list.js";
import { makePanel } from "./panel.js";
import { isTouch } from "./press.js";

const REMEMBERED = 200; // steps that can be undone
const CUTS = { k: "cutoff", from: "from", by: "by" }; // and the message for each

// The settings besides dragging: the cutoff, the lowest relevant grade, and the conventions.
const cutOf = (cut) => ({
  k: cut?.get("k") ?? null,
  from: cut?.get("relevant_from") ?? null,
  by: cut?.get("conventions") ?? null,
});

// `show(states, moved)` draws the pictures beside the lists, and returns a sentence for each list.
export function makeStage(root, models, show, { look = () => {}, travels = () => {}, cut } = {}) {
  // `hand`: the item that is dragged, the orders as they would be, and how to give that up
  const stage = {
    root,
    past: [],
    future: [],
    hint: null,
    hand: null,
    moved: models.map(() => null),
  };
  stage.lists = models.map((model) => makeList(stage, model));
  const undo = makeButton("undo", say("controls", "undo"), () => stage.undo());
  const redo = makeButton("redo", say("controls", "redo"), () => stage.redo());
  stage.buttons = [undo, redo];
  const states = () => ({ lists: stage.lists.map((list) => list.state()), cut: cutOf(cut) });
  let known = states();

  function settle({ keep = true, still } = {}) {
    const before = known;
    known = states();
    const changes = stage.lists.map((list, i) =>
      changeOf(list, before.lists[i], known.lists[i], stage.hint),
    );
    const isCut = Object.keys(CUTS).filter((name) => before.cut[name] !== known.cut[name]);
    const cutWords = isCut.map((name) => say("said", CUTS[name], known.cut)).join("");
    stage.hint = null;
    if (!changes.some(Boolean) && !cutWords) return;
    if (keep) {
      stage.past = [...stage.past, before].slice(-REMEMBERED);
      stage.future = [];
    }
    if (changes.some(Boolean)) {
      stage.hand?.giveUp(); // its rows are no longer where they were
      for (const list of stage.lists) list.draw({ still });
      stage.moved = changes;
    }
    const words = stage.show({ changed: true });
    stage.lists.forEach((list, i) => {
      const said = changes[i]?.said ?? cutWords;
      if (said) list.say(`${said} ${words[i]}`.trim());
    });
    showButtons();
  }
  function showButtons() {
    disable(undo, !stage.past.length);
    disable(redo, !stage.future.length);
  }

  // each pair: a list, or `cut`, and its new traits; all of them are one step to undo
  stage.set = (changes, { id = null, keep, still } = {}) => {
    stage.hint = id;
    for (const [{ model }, values] of changes) assign(model, values);
    settle({ keep, still });
    saveAll();
  };
  stage.follow = settle; // a list has changed, but not by dragging
  function saveAll() {
    for (const { model } of stage.lists) save(model);
    if (cut) save(cut);
  }

  function travel(from, to) {
    if (from.length === 0) return;
    to.push(known);
    const goal = from.pop();
    travels(goal.lists);
    for (const [i, list] of stage.lists.entries()) assign(list.model, goal.lists[i]);
    const { k, from: relevant_from, by: conventions } = goal.cut;
    if (cut) assign(cut, { k, relevant_from, conventions });
    settle({ keep: false });
    saveAll();
  }
  stage.undo = () => travel(stage.past, stage.future);
  stage.redo = () => travel(stage.future, stage.past);

  // whether a list has changed, and how to restore all of them
  stage.isMoved = () =>
    stage.lists.some((list) => {
      const [{ start }, { order, grades }] = [list.fixed, list.state()];
      const isGraded = Object.keys(start.grades).some((id) => grades[id] !== start.grades[id]);
      return isGraded || !alike(order, start.order);
    });
  stage.reset = (...others) =>
    stage.set([...stage.lists.map((list) => [list, list.fixed.start]), ...others]);

  // the pictures for the lists as they are, or as they would be while an item is dragged
  stage.show = (how = {}) => {
    const { hand } = stage;
    const shown = states().lists.map((state, i) =>
      hand ? { ...state, order: hand.orders[i] } : state,
    );
    for (const [i, list] of stage.lists.entries()) list.showRanks(shown[i].order);
    if (hand)
      return show(
        shown,
        models.map(() => ({ id: hand.id })),
        { preview: true },
      );
    return show(shown, stage.moved, how);
  };
  stage.look = (list, id) => stage.hand || look(list, id);

  root.addEventListener("pointerdown", (event) =>
    root.classList.toggle("rm-finger", isTouch(event)),
  );
  root.addEventListener("keydown", () => root.classList.remove("rm-finger"));
  stage.start = () => {
    for (const list of stage.lists) list.draw();
    stage.show();
    showButtons();
  };
  // a change of several traits arrives trait by trait
  const changed = () => queueMicrotask(settle);
  stage.stop = together(
    () => stage.hand?.giveUp(),
    listenForUndo(root, stage.undo, stage.redo),
    ...stage.lists.map(({ model }) => listen(model, "change:order change:grades", changed)),
    ...(cut ? [listen(cut, "change:k change:relevant_from change:conventions", changed)] : []),
  );
  return stage;
}

// The basis of a widget with one list: the list, the picture beside it, and undo. `show` gets what is
// shown and how, and its lanes, and returns its description.
export async function makeBoard(model, el, specs, show, { ranks, cut, travels, ...shows } = {}) {
  const own = ranks ?? (await childOf(model, model.get("fixed").ranks));
  const panel = makePanel(specs, model, shows);
  const draw = ([state], [moved], how) => {
    const shown = shownOf(list, state, cutOf(cut));
    const lanes = panel.show(shown, { answers: model.get("answers"), moved, ...how });
    return [show(shown, lanes, how)];
  };
  const look = (_, id) => panel.look(id);
  const stage = makeStage(el, [own], draw, { look, cut, travels });
  const [list] = stage.lists;
  // begins, and draws again when one of these traits changes, until what it returns is called
  const start = (events, ...stops) => {
    stage.start();
    return together(
      listen(model, events, () => stage.show()),
      ...stops,
      stage.stop,
      panel.stop,
    );
  };
  return { panel, stage, list, start };
}
