// A ranked list: rows that are dragged, moved with keys or buttons, graded, taken out, brought in.

import { draw, freshId, make, put } from "./dom.js";
import { enableDragging } from "./drag.js";
import { alike, listOf } from "./engine.js";
import { rankWords, say } from "./words.js";

const LONG = 12; // rows above which the list scrolls inside
const DOCKED = 6; // rows above which the dock scrolls
const ICONS = {
  up: "M3 10.5 8 5.5l5 5",
  down: "M3 5.5 8 10.5l5-5",
  out: "M4 4l8 8M12 4l-8 8",
  in: "M8 3v10M3 8h10",
};

function icon(name) {
  const svg = draw("svg", { viewBox: "0 0 16 16", "aria-hidden": "true", class: "rm-icon" });
  svg.append(draw("path", { d: ICONS[name] }));
  return svg;
}

// What the reader can do to a list.
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

function gripKeys(list, row, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { act, model } = list;
  const order = model.get("order");
  const at = order.indexOf(row.id);
  const inList = at >= 0;
  const keys = {
    ArrowUp: () => act.place(row.id, inList ? at - 1 : order.length),
    ArrowDown: () => inList && act.place(row.id, at + 1),
    Home: () => act.place(row.id, 0),
    End: () => act.place(row.id, order.length),
    Insert: () => inList || act.place(row.id, order.length),
    Delete: () => act.takeOut(row.id),
    Backspace: () => act.takeOut(row.id),
    Enter: () => act.cycle(row.id),
  };
  const digit = /^[0-9]$/.test(event.key);
  const run = digit ? () => act.grade(row.id, Number(event.key)) : keys[event.key];
  if (!run) return;
  event.preventDefault();
  run();
}

// A row is one stop for Tab, its grip; → and ← go on to its buttons and back.
function rowKeys(row, event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
  const stops = [...row.node.querySelectorAll("button")].filter((each) => !each.hidden);
  const next = stops[stops.indexOf(event.target) + step];
  event.preventDefault();
  next?.focus({ preventScroll: true });
}

// Of an item that nobody judged the grade is null, or undefined where Python runs in the browser.
function gradeWords(grade, top) {
  if (grade == null) return say("list", "not judged");
  const relevance = say("list", grade > 0 ? "relevant" : "not relevant");
  return top === 1 ? relevance : say("list", "grade said", { grade, relevance });
}

function makeRow(list, id, label) {
  const { act, model, fixed } = list;
  const grading = fixed.grading && !list.spans[id];
  const node = make("li", "rm-row", { role: "listitem", "data-id": id });
  const grip = make("button", "rm-grip");
  const rank = make("span", "rm-rank", { "aria-hidden": "true" });
  const name = make("span", "rm-label", { text: label, dir: "auto" });
  const pips = make("span", "rm-pips", { "aria-hidden": "true" });
  const word = make("span", "rm-word");
  const grade = make(grading ? "button" : "span", "rm-grade", {}, pips, word);
  const body = make("span", "rm-body", {}, name, ...(fixed.judged ? [grade] : []));
  const tool = (look, ...icons) =>
    make("button", `rm-tool rm-${look}`, { tabindex: "-1" }, ...icons.map(icon));
  const [up, down, out] = [tool("up", "up"), tool("down", "down"), tool("out", "out", "in")];
  const tools = make("span", "rm-tools", {}, up, down, ...(fixed.docking ? [out] : []));
  node.append(grip, rank, body, tools);
  const row = { id, node, grip };

  const at = () => model.get("order").indexOf(id);
  up.addEventListener("click", () => at() > 0 && act.place(id, at() - 1));
  down.addEventListener("click", () => act.place(id, at() + 1));
  out.addEventListener("click", () =>
    at() < 0 ? act.place(id, model.get("order").length) : act.takeOut(id),
  );
  if (grading) {
    grade.tabIndex = -1;
    grade.addEventListener("click", () => act.cycle(id));
  }
  grip.addEventListener("keydown", (event) => gripKeys(list, row, event));
  node.addEventListener("keydown", (event) => rowKeys(row, event));
  node.addEventListener("pointerenter", () => list.look(id));
  node.addEventListener("pointerleave", () => list.look(null));
  node.addEventListener("focusin", () => list.look(id));
  node.addEventListener("focusout", () => list.look(null));

  row.showRank = (ranks, order) => {
    const place = order.indexOf(id);
    put(rank, { text: place < 0 ? "–" : rankWords(ranks[place], list.spans[id]) });
  };
  row.refresh = (order, ranks, value, top) => {
    const place = order.indexOf(id);
    const inList = place >= 0;
    const stays = !inList && !fixed.docking;
    const most = list.spans[id] ? 1 : top; // of several items in one row there is no one grade
    const values = {
      label,
      place: inList
        ? say("list", "place", { rank: ranks[place], n: list.nRetrieved() })
        : say("list", "not retrieved"),
      grade: gradeWords(value, most),
    };
    const shown = most === 1 || value == null ? values.grade : String(value);
    node.classList.toggle("rm-hit", value > 0 && fixed.judged);
    node.classList.toggle("rm-docked", !inList);
    node.classList.toggle("rm-fixed", stays);
    row.showRank(ranks, order);
    const rings = list.spans[id] ? "" : "○".repeat(top - value);
    put(pips, { text: value == null ? "–" : "●".repeat(value) + rings });
    put(word, { text: shown });
    put(grip, { "aria-label": say("list", fixed.judged ? "move judged" : "move", values) });
    if (grading) put(grade, { "aria-label": say("list", "grade of", { label, grade: shown }) });
    put(up, { "aria-label": say("list", "up", values), "aria-disabled": String(place === 0) });
    const last = place === order.length - 1;
    put(down, { "aria-label": say("list", "down", values), "aria-disabled": String(last) });
    put(out, { "aria-label": say("list", inList ? "out" : "in", values) });
    up.hidden = down.hidden = !inList;
    // what may not be brought in has nothing to take hold of
    grip.hidden = stays;
    out.children[0].style.display = inList ? "" : "none";
    out.children[1].style.display = inList ? "none" : "";
  };
  return row;
}

function hintOf(fixed) {
  const top = fixed.max_grade;
  return [
    say("list", "hint"),
    ...(fixed.grading ? [say("list", top === 1 ? "hint relevance" : "hint grades", { top })] : []),
    ...(fixed.docking ? [say("list", "hint docking")] : []),
    say("list", "hint buttons"),
    say("list", "hint leave"),
  ].join(" · ");
}

function makeFrame(fixed) {
  const captionId = freshId("caption");
  const dockId = freshId("dock");
  const frame = {
    node: make("div", "rm-ranked"),
    caption: make("div", "rm-caption", { id: captionId, text: fixed.caption }),
    skip: make("button", "rm-skip", { text: say("list", "skip") }),
    scroll: make("div", "rm-scroll"),
    list: make("ol", "rm-rows", { role: "list", "aria-labelledby": captionId }),
    dock: make("div", "rm-dock"),
    dockTitle: make("div", "rm-dock-title", { id: dockId }),
    docked: make("ul", "rm-rows", { role: "list", "aria-labelledby": dockId }),
    hint: make("p", "rm-hint", { id: freshId("hint"), text: hintOf(fixed) }),
    said: make("div", "rm-said", { role: "status", "aria-live": "polite" }),
    after: make("span", "rm-after", { tabindex: "-1" }),
  };
  frame.scroll.append(frame.list);
  frame.dock.append(frame.dockTitle, frame.docked);
  frame.node.append(frame.caption, frame.skip, frame.scroll, frame.dock, frame.hint, frame.said, frame.after);
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
  if (n === docked.length) return say("list", "dock relevant");
  return n ? say("list", "dock some", { n }) : say("list", "dock");
}

function arrange(container, nodes) {
  nodes.forEach((node, i) => {
    if (container.children[i] !== node) container.insertBefore(node, container.children[i] ?? null);
  });
}

// Without what every object has, for an item may be called "constructor".
const bare = (values) => Object.assign(Object.create(null), values);

export function makeList(stage, model) {
  const fixed = model.get("fixed");
  const frame = makeFrame(fixed);
  const list = { model, fixed, frame, rows: new Map(), spans: bare(fixed.spans) };
  list.labels = Object.fromEntries(fixed.items.map(({ id, label }) => [id, label]));
  list.state = () => ({ order: model.get("order"), grades: model.get("grades") });
  list.nRetrieved = () => listOf(model.get("order"), {}, list.spans).nRetrieved;
  list.set = (values, id = null) => stage.set([[list, values]], { id });
  list.look = (id) => stage.look(list, id);
  list.act = actionsOf(list);
  for (const { id, label } of fixed.items) {
    const row = makeRow(list, id, label);
    row.grip.setAttribute("aria-describedby", frame.hint.id);
    enableDragging(stage, list, row);
    list.rows.set(id, row);
  }
  frame.scroll.classList.toggle("rm-long", list.rows.size > LONG);

  list.draw = () => {
    const { order, grades } = list.state();
    const { ranks } = listOf(order, grades, list.spans);
    const top = fixed.max_grade;
    const retrieved = new Set(order);
    const docked = [...list.rows.keys()].filter((id) => !retrieved.has(id));
    const focused = frame.node.contains(document.activeElement) ? document.activeElement : null;
    arrange(frame.list, order.map((id) => list.rows.get(id).node));
    arrange(frame.docked, docked.map((id) => list.rows.get(id).node));
    for (const [id, row] of list.rows) row.refresh(order, ranks, grades[id], top);
    put(frame.dockTitle, { text: dockTitle(docked, grades) });
    frame.dock.hidden = !fixed.docking && docked.length === 0;
    frame.docked.hidden = docked.length === 0;
    // what scrolls and holds nothing to focus is reached itself
    if (!fixed.docking && docked.length > DOCKED) put(frame.docked, { tabindex: "0" });
    keepFocus(focused);
  };

  // moving a node drops its focus, and a button that its row no longer shows cannot have it
  function keepFocus(focused) {
    const node = focused?.closest(".rm-row");
    if (!node) return;
    const wanted = focused.hidden ? node.querySelector(".rm-grip") : focused;
    if (document.activeElement !== wanted) wanted.focus({ preventScroll: true });
    node.scrollIntoView({ block: "nearest" });
  }

  list.showRanks = (order) => {
    const { ranks } = listOf(order, {}, list.spans);
    for (const row of list.rows.values()) row.showRank(ranks, order);
  };
  list.say = (text) => put(frame.said, { text });
  return list;
}

// The one item whose move makes `now` of `before`, or null; `hint` settles an exchange.
function moverOf(before, now, hint) {
  const without = (order, id) => order.filter((other) => other !== id);
  const touched = [...now.filter((id) => !before.includes(id)), ...before.filter((id) => !now.includes(id))];
  const moved = touched.length ? touched : now.filter((id, i) => id !== before[i]);
  const movers = moved.filter((id) => alike(without(before, id), without(now, id)));
  return movers.includes(hint) ? hint : (movers[0] ?? null);
}

// What became of a list, as which item, what it did and a sentence; null if nothing did.
export function changeOf(list, before, now, hint) {
  const label = (id) => list.labels[id];
  if (!alike(before.order, now.order)) {
    const id = moverOf(before.order, now.order, hint);
    const n = list.nRetrieved();
    if (id === null) return { id, said: say("said", "new order", { n }) };
    if (!now.order.includes(id)) return { id, said: say("said", "taken out", { label: label(id) }) };
    const rank = listOf(now.order, {}, list.spans).ranks[now.order.indexOf(id)];
    const verb = before.order.includes(id) ? "moved" : "brought in";
    return { id, how: verb, said: say("said", verb, { label: label(id), rank, n }) };
  }
  const graded = Object.keys(now.grades).filter((id) => now.grades[id] !== before.grades[id]);
  if (graded.length === 0) return null;
  const top = list.fixed.max_grade;
  const words = graded.map((id) =>
    say("said", "graded", { label: label(id), grade: gradeWords(now.grades[id], top) }),
  );
  const said = graded.length <= 3 ? words.join(" ") : say("said", "new grades");
  return { id: graded.length === 1 ? graded[0] : null, how: "graded", said };
}
