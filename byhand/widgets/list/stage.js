// The lists of one widget: what is shown beside them, undone and redone; with them the cutoff `k` and
// the lowest relevant grade of the model `cut`, where a reader can change that.
//
// The models are the only state. What the reader does becomes new trait values, and every view,
// this one too, is drawn again from those. While an item is dragged nothing is set: the lists are
// shown as they would be.

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
const CUTS = { k: "cutoff", from: "from", by: "by" }; // and what is said of each

// What a reader can set beside dragging: the cutoff, the lowest relevant grade, and the conventions.
const cutOf = (cut) => ({
  k: cut?.get("k") ?? null,
  from: cut?.get("relevant_from") ?? null,
  by: cut?.get("conventions") ?? null,
});

// `show(states, moved)` draws what stands beside the lists, and says it, a sentence for each list.
export function makeStage(root, models, show, { look = () => {}, travels = () => {}, cut } = {}) {
  // `hand`: the item that is dragged, its list, the order as it would be, and how to give that up
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
  stage.follow = settle; // a list stands otherwise, and no hand has moved it
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

  // whether a list is not as it was at first, and how to have all of them as they were
  stage.isMoved = () =>
    stage.lists.some((list) => {
      const [{ start }, { order, grades }] = [list.fixed, list.state()];
      const isGraded = Object.keys(start.grades).some((id) => grades[id] !== start.grades[id]);
      return isGraded || !alike(order, start.order);
    });
  stage.reset = (...others) =>
    stage.set([...stage.lists.map((list) => [list, list.fixed.start]), ...others]);

  // what stands beside the lists, as they are; or as they would be, while an item is dragged
  stage.show = (how = {}) => {
    const { hand } = stage;
    const isHeld = stage.lists.map((list) => hand?.list === list);
    const shown = states().lists.map((state, i) =>
      isHeld[i] ? { ...state, order: hand.order } : state,
    );
    for (const [i, list] of stage.lists.entries()) list.showRanks(shown[i].order);
    const moved = hand ? isHeld.map((held) => (held ? { id: hand.id } : null)) : stage.moved;
    return show(shown, moved, hand ? { preview: true } : how);
  };
  stage.look = (list, id) => stage.hand || look(list, id);

  root.classList.toggle("rm-finger", matchMedia("(pointer: coarse)").matches);
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

// What a widget of one list stands on: the list, what is shown beside it, and its undo. `show` learns what
// is shown, its lanes and how, and returns what is said of it.
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
