// Dragging the rows of a ranked list.

import { put } from "../browser/dom.js";
import { rankWords } from "../browser/words.js";
import { alike, listOf } from "./engine.js";
import { enablePress } from "./press.js";

const TICK = 30; // milliseconds between two looks at whether to scroll
const EDGE = 28; // pixels from the edge of a long list, or of a window, within which it scrolls

// Whether a target is at another rank than the one before; or at another place of the tray.
const isOther = (one, known) => one.index !== known?.index;
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
// What the list gains in height its tray gives up, so that nothing below them moves.
export function enableDragging(stage, list, row) {
  const { frame, fixed, model } = list;
  let drag = null;

  function lift({ fromY }) {
    const box = row.node.getBoundingClientRect();
    drag = { height: row.node.offsetHeight, grabbed: fromY - box.top, fromY };
    drag.window = windowOf(frame.node);
    drag.ghost = row.node.cloneNode(true);
    drag.ghost.classList.add("rm-ghost");
    drag.slot = row.node.cloneNode(true);
    drag.slot.classList.add("rm-slot");
    drag.slot.classList.remove("rm-docked");
    for (const copy of [drag.ghost, drag.slot]) copy.inert = true;
    drag.rows = rackOf(frame.list, frame.scroll, row.id);
    drag.tray = rackOf(frame.docked, frame.docked, row.id);
    stage.root.classList.add("rm-dragging");
    list.offer(null);
    row.grip.focus({ preventScroll: true }); // so that Escape reaches us
    drag.crept = performance.now();
    drag.timer = setInterval(creep, TICK);
  }

  // where the hand is in the rows of the list or the tray
  const topIn = ({ node }) => drag.y - drag.grabbed - node.getBoundingClientRect().top;

  // the same of the list, as far as its rows are seen: there it lands, and not above or below
  function seenIn(rack) {
    const { scrollTop, clientHeight, scrollHeight } = rack.view;
    const last = scrollHeight > clientHeight ? scrollTop + clientHeight - drag.height : Infinity;
    return Math.max(scrollTop, Math.min(topIn(rack), last));
  }

  // `at` is its place in the list, whose `index` it is, or in the tray, where that is -1. Of a row that
  // is in the list the tray is lower than of one that is not, so that none can flicker between them.
  function target() {
    const isOut = fixed.docking && drag.y > frame.foot.getBoundingClientRect().top;
    const rack = isOut ? drag.tray : drag.rows;
    const top = isOut ? topIn(rack) : seenIn(rack);
    const at = rack.rows.filter(({ middle }) => top > middle).length;
    return { at, index: isOut ? -1 : at };
  }

  // lets the rows of the list and the tray stand as they would after a drop
  function slide({ at, index }) {
    drag.rack = index < 0 ? drag.tray : drag.rows;
    for (const { node, rows, high, hidden } of [drag.rows, drag.tray]) {
      const gains = node === drag.rack.node ? drag.height : 0;
      rows.forEach((other, i) => {
        const shift = other.top + (i >= at ? gains : 0) - other.from;
        other.node.style.transform = shift ? `translateY(${shift}px)` : "";
      });
      node.style.height = `${high + gains}px`;
      node.hidden = hidden && !gains;
    }
    frame.dock.classList.toggle("rm-over", index < 0);
    row.node.classList.add("rm-lifted");
    hold(drag.rack, at, index < 0);
  }

  // what is held looks as what it would become, and is as wide
  function hold(rack, at, isOut) {
    const { ghost, slot } = drag;
    const top = rack.rows[at]?.top ?? rack.high;
    for (const copy of [slot, ghost]) if (copy.parentNode !== rack.node) rack.node.append(copy);
    slot.style.top = `${top}px`;
    ghost.classList.toggle("rm-docked", isOut);
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

  function orderAt({ index }) {
    const order = model.get("order").filter((id) => id !== row.id);
    if (index >= 0) order.splice(index, 0, row.id);
    return order;
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
    const order = orderAt(next);
    stage.hand = { id: row.id, list, order, giveUp };
    stage.show();
    const rank = listOf(order, {}, list.spans).ranks[next.index];
    const text = next.index < 0 ? "–" : rankWords(rank, list.spans[row.id]);
    for (const copy of [drag.ghost, drag.slot]) put(copy.querySelector(".rm-rank"), { text });
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
    const { target: where, ghost, slot, timer, rows, tray } = drag;
    drag = null;
    clearInterval(timer);
    ghost.remove();
    slot.remove();
    stage.hand = null;
    // what slid stands where it will be; it must not slide there once more
    stage.root.classList.remove("rm-dragging");
    for (const { node, rows: others, hidden } of [rows, tray]) {
      for (const other of others) other.node.style.transform = "";
      node.style.height = "";
      node.hidden = hidden;
    }
    frame.dock.classList.remove("rm-over");
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

  function land({ at, index }) {
    if (index < 0) list.putInTray(row.id, at);
    const order = orderAt({ index });
    if (!alike(order, model.get("order")))
      stage.set([[list, { order }]], { id: row.id, still: true });
    else {
      list.draw({ still: true });
      stage.show();
    }
    row.grip.focus({ preventScroll: true });
    // its buttons wait for a tap or a key; the click that ends a drag is none
    setTimeout(() => row.node.classList.add("rm-dropped"));
  }

  // it is also taken up by its buttons, which in a narrow list cover it; a press that rests is theirs
  const letGo = enablePress(row.node, {
    takes: () => !stage.hand && !row.grip.hidden,
    isAtOnce: () => list.asked === row.id, // its dots, too, are where a thumb begins to scroll
    lift,
    follow,
    end,
  });
}
