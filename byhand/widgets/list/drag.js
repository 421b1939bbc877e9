// Dragging the rows of a ranked list.

import { put } from "../browser/dom.js";
import { rankWords } from "../browser/words.js";
import { alike, listOf } from "./engine.js";
import { enablePress, isTouch } from "./press.js";

const EDGE = 28; // pixels from the edge of a long list within which it scrolls

// Where the rows of a list stand without the dragged one, in the coordinates of what scrolls.
function rowsWithout(list, id) {
  let top = 0;
  return list.model
    .get("order")
    .filter((other) => other !== id)
    .map((other) => {
      const { node } = list.rows.get(other);
      const place = { node, from: node.offsetTop, top, height: node.offsetHeight };
      top += place.height;
      return place;
    });
}

// What stands under the rows and goes up or down with their number.
function belowOf({ frame }) {
  const all = [...frame.node.children];
  return all.slice(all.indexOf(frame.scroll) + 1);
}

// Nothing moves in the document before the drop: a copy of the row follows the pointer, another lies
// where it would land, and the other rows slide apart.
export function enableDragging(stage, home, row) {
  let drag = null;

  function lift({ fromX, fromY }) {
    const box = row.node.getBoundingClientRect();
    drag = { fromX, height: row.node.offsetHeight, grabbed: fromY - box.top };
    drag.ghost = row.node.cloneNode(true);
    drag.ghost.classList.add("rm-ghost");
    drag.slot = row.node.cloneNode(true);
    drag.slot.classList.add("rm-slot");
    for (const copy of [drag.ghost, drag.slot]) copy.inert = true;
    drag.ghost.style.width = `${box.width}px`;
    // outside the rows it does not know how narrow they are
    for (const name of ["--grip", "--mark"]) {
      drag.ghost.style.setProperty(name, getComputedStyle(row.node).getPropertyValue(name));
    }
    drag.goals = stage.lists
      .filter((list) => list === home || accepts(list))
      .map((list) => ({
        list,
        rows: rowsWithout(list, row.id),
        dock: list.frame.dock,
        below: belowOf(list),
      }));
    row.node.classList.add("rm-lifted");
    stage.root.classList.add("rm-dragging");
    row.grip.focus({ preventScroll: true }); // so that Escape reaches us
    home.frame.node.append(drag.ghost);
    drag.timer = setInterval(creep, 30);
  }

  const accepts = (list) =>
    list.rows.has(row.id) && list.fixed.docking && !list.model.get("order").includes(row.id);

  // the list under the pointer, or the one it comes from
  function goalAt(x, y) {
    const under = drag.goals.find(({ list }) => {
      const box = list.frame.node.getBoundingClientRect();
      return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    });
    return under ?? drag.goals.find(({ list }) => list === home);
  }

  function target() {
    const goal = goalAt(drag.x, drag.y);
    const { list, rows } = goal;
    // where the dock stands in the layout: what is seen of it may just be sliding
    const dockTop = list.frame.node.getBoundingClientRect().top + list.frame.foot.offsetTop;
    if (list.fixed.docking && drag.y > dockTop) return { goal, index: -1 };
    const scroll = list.frame.scroll.getBoundingClientRect();
    const top = drag.y - drag.grabbed - scroll.top + list.frame.scroll.scrollTop;
    let index = 0;
    for (const each of rows) if (top > each.top + each.height / 2) index += 1;
    return { goal, index };
  }

  // lets the rows of each list stand as they would after a drop
  function slide({ goal, index }) {
    for (const { list, rows, dock, below } of drag.goals) {
      const lands = list === goal.list && index >= 0;
      rows.forEach(({ node, from, top }, i) => {
        const shift = top + (lands && i >= index ? drag.height : 0) - from;
        node.style.transform = shift ? `translateY(${shift}px)` : "";
      });
      const gone = list === home && list.model.get("order").includes(row.id) && !lands;
      const come = lands && !list.model.get("order").includes(row.id);
      const shift = list.frame.scroll.classList.contains("rm-long")
        ? 0
        : (come - gone) * drag.height;
      for (const node of below) node.style.transform = shift ? `translateY(${shift}px)` : "";
      dock.classList.toggle("rm-over", list === goal.list && index < 0);
    }
    drag.slot.hidden = index < 0;
    if (index < 0) return;
    const before = goal.rows[index - 1];
    drag.slot.style.top = `${before ? before.top + before.height : 0}px`;
    if (drag.slot.parentNode !== goal.list.frame.list) goal.list.frame.list.append(drag.slot);
  }

  // the orders of all lists, as they would be
  function orders({ goal, index }) {
    return stage.lists.map((list) => {
      const rest = list.model.get("order").filter((id) => id !== row.id);
      const isHome = list === home && goal.list !== home && !home.fixed.docking;
      if (list === goal.list && index >= 0) rest.splice(index, 0, row.id);
      else if (list !== home || isHome) return list.model.get("order");
      return rest;
    });
  }

  function follow({ x, y }) {
    Object.assign(drag, { x, y });
    const frame = home.frame.node.getBoundingClientRect();
    const box = home.frame.scroll.getBoundingClientRect();
    drag.ghost.style.top = `${drag.y - drag.grabbed - frame.top}px`;
    drag.ghost.style.left = `${box.left - frame.left + (stage.lists.length > 1 ? drag.x - drag.fromX : 0)}px`;
    const next = target();
    if (next.index === drag.target?.index && next.goal === drag.target.goal) return;
    drag.target = next;
    slide(next);
    stage.hand = { id: row.id, orders: orders(next), giveUp };
    stage.show();
    const rank = next.index < 0 ? "–" : rankIn(next);
    for (const copy of [drag.ghost, drag.slot]) put(copy.querySelector(".rm-rank"), { text: rank });
  }

  function rankIn({ goal: { list }, index }) {
    const order = orders(drag.target)[stage.lists.indexOf(list)];
    return rankWords(listOf(order, {}, list.spans).ranks[index], list.spans[row.id]);
  }

  function creep() {
    const { scroll } = (drag.target?.goal.list ?? home).frame;
    const box = scroll.getBoundingClientRect();
    if (drag.y < box.top + EDGE) scroll.scrollTop -= 10;
    else if (drag.y > box.bottom - EDGE && drag.y < box.bottom + 12) scroll.scrollTop += 10;
    follow(drag); // the page may have scrolled, too
  }

  // puts all back, and returns where the item was held
  function clear() {
    const { target: where, ghost, slot, timer, goals } = drag;
    drag = null;
    clearInterval(timer);
    ghost.remove();
    slot.remove();
    stage.hand = null;
    // what slid stands where it will be; it must not slide there once more
    stage.root.classList.remove("rm-dragging");
    for (const { rows, dock, below } of goals) {
      for (const node of [...rows.map((each) => each.node), ...below]) node.style.transform = "";
      dock.classList.remove("rm-over");
    }
    row.node.classList.remove("rm-lifted");
    return where;
  }

  function end(drop) {
    const where = clear();
    if (drop) land(where);
    else stage.show();
  }
  function giveUp() {
    letGo();
    clear();
  }

  function land({ goal, index }) {
    const before = stage.lists.map((list) => list.model.get("order"));
    const after = orders({ goal, index });
    const changed = stage.lists
      .map((list, i) => [list, { order: after[i] }, before[i]])
      .filter(([, { order }, was]) => !alike(order, was));
    if (changed.length) stage.set(changed, { id: row.id, still: true });
    else stage.show();
    goal.list.rows.get(row.id).grip.focus({ preventScroll: true });
  }

  // a press on a button is the button's, unless that is the grip; a finger may rest on one or pull it,
  // for on a phone the buttons of a row cover it
  const onGrip = (event) => event.target.closest("button") === row.grip;
  const letGo = enablePress(row.node, {
    takes: (event) =>
      !stage.hand &&
      !home.isSwapping &&
      !row.grip.hidden &&
      (isTouch(event) || onGrip(event) || !event.target.closest("button")),
    isAtOnce: (event) => onGrip(event) || home.asked === row.id,
    lift,
    follow,
    end,
  });
}
