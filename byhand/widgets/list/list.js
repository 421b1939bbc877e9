// A ranked list: rows that are dragged, moved with keys or buttons, graded, taken out, brought in.

import { freshId, make, put } from "../browser/dom.js";
import { say } from "../browser/words.js";
import { enableDragging } from "./drag.js";
import { alike, listOf } from "./engine.js";
import { gradeWords, makeRow } from "./row.js";

const LONG = 12; // rows above which the list scrolls inside
const DOCKED = 7; // rows above which the dock scrolls, as in its sheet

function actionsOf(list) {
  const { model, fixed } = list;
  const order = () => model.get("order");
  return {
    place(id, index) {
      const isIn = order().includes(id);
      if (!isIn && !fixed.docking) return;
      const rest = order().filter((other) => other !== id);
      rest.splice(Math.max(0, Math.min(index, rest.length)), 0, id);
      if (!alike(rest, order())) list.set({ order: rest }, id);
    },
    takeOut(id) {
      if (!fixed.docking || !order().includes(id)) return;
      list.set({ order: order().filter((other) => other !== id) }, id);
    },
    grade(id, grade) {
      if (!fixed.grading || grade > fixed.max_grade || list.spans[id]) return;
      list.set({ grades: { ...model.get("grades"), [id]: grade } }, id);
    },
    cycle(id) {
      this.grade(id, ((model.get("grades")[id] ?? 0) + 1) % (fixed.max_grade + 1));
    },
  };
}

// Every key, for a screen reader and for who asks for more.
function keysOf(fixed) {
  const top = fixed.max_grade;
  return [
    say("list", "keys"),
    ...(fixed.grading ? [say("list", top === 1 ? "keys relevance" : "keys grades", { top })] : []),
    ...(fixed.docking ? [say("list", "keys docking")] : []),
    say("list", "keys buttons"),
    say("list", "keys leave"),
  ].join(" · ");
}

function makeFrame(fixed) {
  const captionId = freshId("caption");
  const dockId = freshId("dock");
  const offered = make("div.rm-offered");
  // one line of how: for a mouse and keys, and for a finger
  const hints = ["fine", "coarse"].map((by) =>
    make(`span.rm-${by}`, { text: say("list", `drag ${by}`) }),
  );
  const frame = {
    node: make("div.rm-ranked"),
    caption: make("div.rm-caption", { id: captionId, text: fixed.caption }),
    skip: make("button.rm-skip", { text: say("list", "skip") }),
    scroll: make("div.rm-scroll"),
    list: make("ol.rm-rows", { role: "list", "aria-labelledby": captionId }),
    dock: make("div.rm-dock"),
    dockTitle: make("div.rm-dock-title", { id: dockId }),
    docked: make("ul.rm-rows", { role: "list", "aria-labelledby": dockId }),
    hint: make("div.rm-hint", ...hints, offered),
    drop: make("div.rm-drop", { text: say("list", "dock empty") }),
    offered,
    keys: make("p.rm-keys", { id: freshId("keys"), text: keysOf(fixed) }),
    foot: make("div.rm-foot"),
    said: make("div.rm-said", { role: "status", "aria-live": "polite" }),
    after: make("span.rm-after", { tabindex: "-1" }),
  };
  frame.caption.hidden = fixed.caption === say("list", "caption"); // its name for a screen reader still
  frame.scroll.append(frame.skip, frame.list);
  frame.dock.append(frame.dockTitle, frame.docked);
  const how = make("div.rm-how", frame.hint, ...(fixed.docking ? [frame.drop] : []));
  frame.foot.append(frame.dock, how, frame.after);
  frame.node.append(frame.caption, frame.scroll, frame.foot, frame.keys, frame.said);
  const leave = () => frame.after.focus({ preventScroll: true });
  frame.skip.addEventListener("click", leave);
  frame.node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    leave();
  });
  return frame;
}

function dockTitle(docked, grades) {
  if (docked.length === 0) return say("list", "dock empty");
  const n = docked.filter((id) => grades[id] > 0).length;
  const words = n === docked.length ? "dock relevant" : n ? "dock some" : "dock";
  const all = docked.length > DOCKED ? `: ${docked.length}` : "";
  return say("list", words, { n }) + all;
}

function arrange(container, nodes) {
  nodes.forEach((node, i) => {
    if (container.children[i] !== node) container.insertBefore(node, container.children[i] ?? null);
  });
}

// Lets the rows go to where `move` puts them.
function slideRows(list, move) {
  const tops = () => [...list.rows.values()].map(({ node }) => node.getBoundingClientRect().top);
  const duration = 1000 * parseFloat(getComputedStyle(list.frame.node).getPropertyValue("--slide"));
  const before = tops();
  move();
  if (!duration) return;
  const after = tops();
  [...list.rows.values()].forEach(({ node }, i) => {
    const from = { transform: `translateY(${before[i] - after[i]}px)` };
    if (before[i] !== after[i])
      node.animate([from, { transform: "none" }], { duration, easing: "ease-out" });
  });
}

// Without what every object has, for an item may be called "constructor".
const bare = (values) => Object.assign(Object.create(null), values);

export function makeList(stage, model) {
  const fixed = model.get("fixed");
  const frame = makeFrame(fixed);
  const list = {
    model,
    fixed,
    frame,
    rows: new Map(),
    spans: bare(fixed.spans),
  };
  frame.node.classList.toggle("rm-folded", Object.keys(list.spans).length > 0);
  list.labels = Object.fromEntries(fixed.items.map(({ id, label }) => [id, label]));
  list.state = () => ({ order: model.get("order"), grades: model.get("grades") });
  list.listOf = (order) => listOf(order, {}, list.spans); // the rank of each row
  list.nRetrieved = () => list.listOf(model.get("order")).nRetrieved;
  list.set = (values, id = null) => stage.set([[list, values]], { id });
  list.look = (id) => stage.look(list, id);
  list.act = actionsOf(list);
  for (const { id, label } of fixed.items) {
    const row = makeRow(list, id, label);
    row.grip.setAttribute("aria-describedby", frame.keys.id);
    enableDragging(stage, list, row);
    list.rows.set(id, row);
  }
  frame.scroll.classList.toggle("rm-long", list.rows.size > LONG);

  // the buttons of the row that a finger has tapped stand in the place of the line of how: not under the
  // finger, nor on a name; and they stay there while the row moves
  let offered = null;
  list.offer = (row) => {
    if (row === offered) return;
    offered?.takeBack();
    offered = row;
    if (!row) return;
    frame.offered.append(row.tools);
    row.tools.scrollIntoView({ block: "nearest" }); // below a long list they would not be seen
  };

  // what is missing stands where a hand has put it, else in the order of the items
  let tray = [];
  const ids = [...list.rows.keys()];
  list.placeInTray = (id) =>
    tray.filter((other) => other !== id && ids.indexOf(other) < ids.indexOf(id)).length;
  list.putInTray = (id, at) => {
    tray = tray.filter((other) => other !== id);
    tray.splice(at, 0, id);
  };

  // `still` after a drop: the rows stand where they will
  list.draw = ({ still = false } = {}) => {
    const { order, grades } = list.state();
    const { ranks } = list.listOf(order);
    const top = fixed.max_grade;
    const retrieved = new Set(order);
    tray = tray.filter((id) => !retrieved.has(id));
    for (const id of ids)
      if (!retrieved.has(id) && !tray.includes(id)) list.putInTray(id, list.placeInTray(id));
    const docked = tray;
    const used = offered;
    const focused = frame.node.contains(document.activeElement) ? document.activeElement : null;
    const place = () => {
      arrange(
        frame.list,
        order.map((id) => list.rows.get(id).node),
      );
      arrange(
        frame.docked,
        docked.map((id) => list.rows.get(id).node),
      );
      // where there is one relevant item it is what a task asks for: a finger takes it up at once
      const wanted = [...list.rows.keys()].filter((id) => grades[id] > 0);
      list.asked = wanted.length === 1 ? wanted[0] : null;
      for (const [id, row] of list.rows) {
        row.refresh(order, ranks, grades[id], top);
        row.node.classList.toggle("rm-asked", id === list.asked);
      }
      put(frame.dockTitle, { text: dockTitle(docked, grades) });
      // a tray that had something keeps its place
      const never = fixed.start.order.length === list.rows.size;
      frame.dock.classList.toggle("rm-no-dock", docked.length === 0 && never);
      frame.dock.classList.toggle("rm-empty-dock", docked.length === 0);
      frame.dock.hidden = !fixed.docking && docked.length === 0;
      frame.docked.hidden = docked.length === 0;
      // what scrolls and holds nothing to focus is reached itself
      if (!fixed.docking && docked.length > DOCKED) put(frame.docked, { tabindex: "0" });
      keepFocus(focused);
      list.offer(used);
    };
    if (still || !frame.node.isConnected) place();
    else slideRows(list, place);
  };

  // moving a node drops its focus, and a button that its row no longer shows cannot have it
  function keepFocus(focused) {
    const node = focused?.closest(".rm-row");
    if (!node) return;
    const grip = node.querySelector(".rm-grip");
    if (!grip.hidden && document.activeElement !== focused) grip.focus({ preventScroll: true });
    if (!focused.hidden) focused.focus({ preventScroll: true });
    node.scrollIntoView({ block: "nearest" });
  }

  list.showRanks = (order) => {
    const { ranks } = list.listOf(order);
    for (const row of list.rows.values()) row.showRank(ranks, order);
    // what would be missing, while an item is held
    const docked = ids.filter((id) => !order.includes(id));
    put(frame.dockTitle, { text: dockTitle(docked, model.get("grades")) });
  };
  list.say = (text) => put(frame.said, { text });
  return list;
}

// The one item whose move makes `now` of `before`, or null; `hint` settles an exchange.
function moverOf(before, now, hint) {
  const without = (order, id) => order.filter((other) => other !== id);
  const touched = [
    ...now.filter((id) => !before.includes(id)),
    ...before.filter((id) => !now.includes(id)),
  ];
  const moved = touched.length ? touched : now.filter((id, i) => id !== before[i]);
  const movers = moved.filter((id) => alike(without(before, id), without(now, id)));
  return movers.includes(hint) ? hint : (movers[0] ?? null);
}

// What became of a list, as which item and a sentence; null if nothing did.
export function changeOf(list, before, now, hint) {
  const label = (id) => list.labels[id];
  if (!alike(before.order, now.order)) {
    const id = moverOf(before.order, now.order, hint);
    const n = list.nRetrieved();
    if (id === null) return { id, said: say("said", "new order", { n }) };
    if (!now.order.includes(id))
      return { id, said: say("said", "taken out", { label: label(id) }) };
    const rank = listOf(now.order, {}, list.spans).ranks[now.order.indexOf(id)];
    const verb = before.order.includes(id) ? "moved" : "brought in";
    return { id, said: say("said", verb, { label: label(id), rank, n }) };
  }
  const graded = Object.keys(now.grades).filter((id) => now.grades[id] !== before.grades[id]);
  if (graded.length === 0) return null;
  const top = list.fixed.max_grade;
  const words = graded.map((id) =>
    say("said", "graded", { label: label(id), grade: gradeWords(now.grades[id], top) }),
  );
  const said = graded.length <= 3 ? words.join(" ") : say("said", "new grades");
  return { id: graded.length === 1 ? graded[0] : null, said };
}

// Every relevant item first, the best grade first; missed ones come in where that is allowed.
export function idealOrder(list) {
  const { order, grades } = list.state();
  const missed = [...list.rows.keys()].filter((id) => !order.includes(id) && grades[id] > 0);
  const all = [...order, ...(list.fixed.docking ? missed : [])];
  return all.sort((a, b) => (grades[b] ?? 0) - (grades[a] ?? 0));
}
