// Dragging the rows of a ranked list.

import { put } from "../browser/dom.js";
import { rankWords } from "../browser/words.js";
import { alike, listOf } from "./engine.js";
import { enablePress } from "./press.js";

const TICK = 30; // milliseconds between two looks at whether to scroll
const EDGE = 28; // pixels from the edge of a long list, or of a window, within which it scrolls

// Whether a target is in another list or at another rank than the one before; or at another place of a tray.
const isOther = (one, known) => one.index !== known?.index || one.goal !== known.goal;
const isNew = (one, known) => isOther(one, known) || one.at !== known.at;

// A list, or its tray: where its rows stand without the dragged one, from the top of them; `view`
// scrolls them.
function rackOf(node, view, id) {
  let high = 0;
  const rows = [...node.children]
    .filter((row) => row.dataset.id !== id)
    .map((row) => {
      const place = { id: row.dataset.id, node: row, from: row.offsetTop, top: high };
      place.middle = high + row.offsetHeight / 2;
      high += row.offsetHeight;
      return place;
    });
  return { node, view, rows, high, hidden: node.hidden };
}

// What scrolls the document that a node is in, and between which heights of the window it is seen.
function windowOf(node) {
  let page = node.parentElement;
  const scrolls = () => /auto|scroll/.test(getComputedStyle(page).overflowY);
  while (page && !(scrolls() && page.scrollHeight > page.clientHeight)) page = page.parentElement;
  const covered = Number.parseFloat(getComputedStyle(node).getPropertyValue("--above")) || 0;
  const { top, bottom } = page?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
  return {
    page: page ?? document.scrollingElement,
    top: Math.max(top, 0) + covered,
    bottom: Math.min(bottom, innerHeight),
  };
}

// Nothing moves in the document before the drop: a copy of the row follows the pointer, within the
// list or the tray it would go to; another lies where it would land, and the other rows slide apart.
// What a list gains in height its tray gives up, so that nothing below them moves.
export function enableDragging(stage, home, row) {
  let drag = null;

  function lift({ fromY }) {
    const box = row.node.getBoundingClientRect();
    drag = { height: row.node.offsetHeight, grabbed: fromY - box.top, fromY };
    drag.window = windowOf(home.frame.node);
    drag.ghost = row.node.cloneNode(true);
    drag.ghost.classList.add("rm-ghost");
    drag.slot = row.node.cloneNode(true);
    drag.slot.classList.add("rm-slot");
    drag.slot.classList.remove("rm-docked");
    for (const copy of [drag.ghost, drag.slot]) copy.inert = true;
    drag.goals = stage.lists
      .filter((list) => list === home || accepts(list))
      .map((list) => ({
        list,
        rows: rackOf(list.frame.list, list.frame.scroll, row.id),
        tray: rackOf(list.frame.docked, list.frame.docked, row.id),
      }));
    stage.root.classList.add("rm-dragging");
    home.offer(null);
    row.grip.focus({ preventScroll: true }); // so that Escape reaches us
    drag.crept = performance.now();
    drag.timer = setInterval(creep, TICK);
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

  // where the hand is in the rows of a list or a tray
  const topIn = ({ node }) => drag.y - drag.grabbed - node.getBoundingClientRect().top;

  // the same of a list, as far as its rows are seen: there it lands, and not above or below
  function seenIn(rack) {
    const { scrollTop, clientHeight, scrollHeight } = rack.view;
    const last = scrollHeight > clientHeight ? scrollTop + clientHeight - drag.height : Infinity;
    return Math.max(scrollTop, Math.min(topIn(rack), last));
  }

  // `at` is its place in the list, whose `index` it is, or in the tray, where that is -1. Of a row that
  // is in the list the tray is lower than of one that is not, so that none can flicker between them.
  function target() {
    const goal = goalAt(drag.x, drag.y);
    const { list, rows, tray } = goal;
    const isOut = list.fixed.docking && drag.y > list.frame.foot.getBoundingClientRect().top;
    const rack = isOut ? tray : rows;
    const top = isOut ? topIn(rack) : seenIn(rack);
    const at = rack.rows.filter(({ middle }) => top > middle).length;
    return { goal, at, index: isOut ? -1 : at };
  }

  // the rack in which the item of one list would be, and at which place; a list without a tray keeps it
  function placeIn({ list, rows, tray }, { goal, at, index }) {
    if (list === goal.list) return [index < 0 ? tray : rows, at];
    if (list === home && !list.fixed.docking)
      return [rows, list.model.get("order").indexOf(row.id)];
    return [tray, list.placeInTray(row.id)];
  }

  // lets the rows of each list and tray stand as they would after a drop
  function slide(where) {
    for (const each of drag.goals) {
      const { list, rows, tray } = each;
      const [rack, at] = placeIn(each, where);
      const isGoal = list === where.goal.list;
      for (const { node, rows: others, high, ...rest } of [rows, tray]) {
        const gains = node === rack.node ? drag.height : 0;
        others.forEach((other, i) => {
          const shift = other.top + (gains && i >= at ? gains : 0) - other.from;
          other.node.style.transform = shift ? `translateY(${shift}px)` : "";
        });
        node.style.height = `${high + gains}px`;
        node.hidden = rest.hidden && !gains;
      }
      list.frame.dock.classList.toggle("rm-over", isGoal && where.index < 0);
      list.rows
        .get(row.id)
        .node.classList.toggle("rm-lifted", list === home || (isGoal && where.index >= 0));
      if (isGoal) hold(list, rack, at, where.index < 0);
    }
  }

  // what is held looks as what it would become, and is as wide
  function hold(list, rack, at, isOut) {
    const { ghost, slot } = drag;
    const top = rack.rows[at]?.top ?? rack.high;
    drag.rack = rack;
    for (const copy of [slot, ghost]) if (copy.parentNode !== rack.node) rack.node.append(copy);
    slot.style.top = `${top}px`;
    ghost.classList.toggle("rm-docked", isOut);
    ghost.classList.toggle("rm-hit", list.rows.get(row.id).node.classList.contains("rm-hit"));
    if (!isOut) return;
    // a long tray scrolls to where the item would be
    const { view } = rack;
    view.scrollTop = Math.min(top, Math.max(view.scrollTop, top + drag.height - view.clientHeight));
  }

  // it follows the hand as far as its rows are seen
  function carry() {
    const { node, view } = drag.rack;
    const last = Math.min(node.offsetHeight, view.scrollTop + view.clientHeight) - drag.height;
    drag.ghost.style.top = `${Math.max(view.scrollTop, Math.min(topIn(drag.rack), last))}px`;
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
    const before = drag.target;
    let next = target();
    if (isNew(next, before)) {
      slide(next);
      // a tray that has grown stands higher
      const there = target();
      if (isNew(there, next)) slide(there);
      next = there;
    }
    drag.target = next;
    carry();
    if (!isOther(next, before)) return;
    stage.hand = { id: row.id, orders: orders(next), giveUp };
    stage.show();
    const rank = next.index < 0 ? "–" : rankIn(next);
    for (const copy of [drag.ghost, drag.slot]) put(copy.querySelector(".rm-rank"), { text: rank });
  }

  function rankIn({ goal: { list }, index }) {
    const order = orders(drag.target)[stage.lists.indexOf(list)];
    return rankWords(listOf(order, {}, list.spans).ranks[index], list.spans[row.id]);
  }

  // how far to scroll where the hand is so near to the edges: the nearer the faster, so that what is
  // beside them can be aimed at
  const fast = (within) => Math.min(10, Math.ceil(within / 3));
  function pull({ top, bottom }, most = Infinity) {
    const [above, below] = [top + EDGE - drag.y, drag.y - bottom + EDGE];
    return above > 0 ? -fast(above) : below > 0 && below < most ? fast(below) : 0;
  }

  // a list that goes on outside the window is scrolled into it first; a machine that is late scrolls
  // as fast, in larger steps
  function creep() {
    const late = Math.round((performance.now() - drag.crept) / TICK);
    const steps = Math.max(1, Math.min(late, 10));
    drag.crept = performance.now();
    const { view } = drag.rack;
    const box = view.getBoundingClientRect();
    const { page, ...edges } = drag.window;
    const by = pull(edges);
    const outside = by < 0 ? edges.top - box.top : box.bottom - edges.bottom;
    // no further than to its end, or the hand would be too far from it for it to scroll itself
    if (by && outside > 0 && by > 0 === drag.y > drag.fromY)
      page.scrollTop += Math.sign(by) * Math.min(Math.abs(by) * steps, Math.ceil(outside));
    else view.scrollTop += pull(box, EDGE + 12) * steps;
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
    for (const { list, rows, tray } of goals) {
      for (const { node, rows: others, hidden } of [rows, tray]) {
        for (const other of others) other.node.style.transform = "";
        node.style.height = "";
        node.hidden = hidden;
      }
      list.frame.dock.classList.remove("rm-over");
      list.rows.get(row.id).node.classList.remove("rm-lifted");
    }
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

  function land({ goal, at, index }) {
    if (index < 0) goal.list.putInTray(row.id, at);
    const before = stage.lists.map((list) => list.model.get("order"));
    const after = orders({ goal, index });
    const changed = stage.lists
      .map((list, i) => [list, { order: after[i] }, before[i]])
      .filter(([, { order }, was]) => !alike(order, was));
    if (changed.length) stage.set(changed, { id: row.id, still: true });
    else {
      goal.list.draw({ still: true });
      stage.show();
    }
    const landed = goal.list.rows.get(row.id);
    landed.grip.focus({ preventScroll: true });
    // its buttons wait for a tap or a key; the click that ends a drag is none
    setTimeout(() => landed.node.classList.add("rm-dropped"));
  }

  // it is also taken up by its buttons, which in a narrow list cover it; a press that rests is theirs
  const letGo = enablePress(row.node, {
    takes: () => !stage.hand && !row.grip.hidden,
    isAtOnce: () => home.asked === row.id, // its dots, too, are where a thumb begins to scroll
    lift,
    follow,
    end,
  });
}
