// A ranked list: rows that are dragged, moved with keys or buttons, graded, taken out, brought in.
// The model is the only state. What the reader does becomes new trait values, and every view,
// this one too, is drawn again from those.

const LONG = 12; // rows above which the list scrolls inside
const ICONS = {
  up: "M3 10.5 8 5.5l5 5",
  down: "M3 5.5 8 10.5l5-5",
  out: "M4 4l8 8M12 4l-8 8",
  in: "M8 3v10M3 8h10",
};

function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  put(svg, { viewBox: "0 0 16 16", "aria-hidden": "true", class: "rm-icon" });
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

function iconButton(name) {
  const button = make("button", `rm-tool rm-${name}`);
  button.append(icon(name));
  return button;
}

// What the reader can do to the list, in terms of the traits.
function actions(model) {
  const order = () => model.get("order");
  const save = (id, traits) => {
    model.set("moved", id);
    for (const [name, value] of Object.entries(traits)) model.set(name, value);
    model.save_changes();
  };
  return {
    place(id, index) {
      const isIn = order().includes(id);
      if (!isIn && !model.get("docking")) return;
      const rest = order().filter((other) => other !== id);
      rest.splice(Math.max(0, Math.min(index, rest.length)), 0, id);
      if (rest.some((other, i) => other !== order()[i])) save(id, { order: rest });
    },
    takeOut(id) {
      if (!model.get("docking") || !order().includes(id)) return;
      save(id, { order: order().filter((other) => other !== id) });
    },
    grade(id, grade) {
      if (!model.get("grading") || grade > model.get("max_grade")) return;
      save(id, { grades: { ...model.get("grades"), [id]: grade } });
    },
    cycle(id) {
      this.grade(id, (model.get("grades")[id] + 1) % (model.get("max_grade") + 1));
    },
  };
}

function gripKeys(model, act, id, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const order = model.get("order");
  const at = order.indexOf(id);
  const last = order.length;
  const inList = at >= 0;
  const keys = {
    ArrowUp: () => act.place(id, inList ? at - 1 : last),
    ArrowDown: () => inList && act.place(id, at + 1),
    Home: () => act.place(id, 0),
    End: () => act.place(id, last),
    Insert: () => inList || act.place(id, last),
    Delete: () => act.takeOut(id),
    Backspace: () => act.takeOut(id),
    Enter: () => act.cycle(id),
  };
  const run = /^[0-9]$/.test(event.key) ? () => act.grade(id, Number(event.key)) : keys[event.key];
  if (!run) return;
  event.preventDefault();
  run();
}

function makeRow(model, act, id, label) {
  const node = make("li", "rm-row", { role: "listitem", "data-id": id });
  const grip = make("button", "rm-grip");
  const rank = make("span", "rm-rank", { "aria-hidden": "true" });
  const name = make("span", "rm-label", { text: label, dir: "auto" });
  const grading = model.get("grading");
  const grade = make(grading ? "button" : "span", "rm-grade");
  const pips = make("span", "rm-pips", { "aria-hidden": "true" });
  const word = make("span", "rm-word");
  grade.append(pips, word);
  const body = make("span", "rm-body");
  body.append(name, ...(model.get("judged") ? [grade] : []));
  const tools = make("span", "rm-tools");
  const up = iconButton("up");
  const down = iconButton("down");
  const out = make("button", "rm-tool rm-out");
  const outIcon = icon("out");
  const inIcon = icon("in");
  out.append(outIcon, inIcon);
  tools.append(up, down);
  if (model.get("docking")) tools.append(out);
  node.append(grip, rank, body, tools);

  const at = () => model.get("order").indexOf(id);
  up.addEventListener("click", () => at() > 0 && act.place(id, at() - 1));
  down.addEventListener("click", () => act.place(id, at() + 1));
  out.addEventListener("click", () =>
    at() < 0 ? act.place(id, model.get("order").length) : act.takeOut(id),
  );
  if (grading) grade.addEventListener("click", () => act.cycle(id));
  grip.addEventListener("keydown", (event) => gripKeys(model, act, id, event));

  function refresh(index, total, value, top) {
    const inList = index >= 0;
    const words = value > 0 ? "relevant" : "not relevant";
    const shown = top === 1 ? words : String(value);
    const place = inList ? `rank ${index + 1} of ${total}` : "not retrieved";
    node.classList.toggle("rm-hit", value > 0);
    node.classList.toggle("rm-docked", !inList);
    put(rank, { text: inList ? String(index + 1) : "–" });
    put(pips, { text: "●".repeat(value) + "○".repeat(top - value) });
    put(word, { text: shown });
    const told = model.get("judged") ? `, ${top === 1 ? words : `grade ${value}`}` : "";
    put(grip, { "aria-label": `Move ${label}, ${place}${told}` });
    if (grading) put(grade, { "aria-label": `Grade of ${label}: ${shown}` });
    put(up, { "aria-label": `Move ${label} up`, "aria-disabled": String(index === 0) });
    put(down, { "aria-label": `Move ${label} down`, "aria-disabled": String(index === total - 1) });
    put(out, { "aria-label": inList ? `Take ${label} out` : `Bring ${label} in` });
    up.hidden = down.hidden = !inList;
    outIcon.style.display = inList ? "" : "none";
    inIcon.style.display = inList ? "none" : "";
  }
  return { id, node, grip, name, refresh };
}

function makeFrame(model) {
  const captionId = freshId("caption");
  const dockId = freshId("dock");
  const hintId = freshId("hint");
  const frame = {
    caption: make("div", "rm-caption", { id: captionId }),
    scroll: make("div", "rm-scroll"),
    list: make("ol", "rm-rows", { role: "list", "aria-labelledby": captionId }),
    dock: make("div", "rm-dock"),
    dockTitle: make("div", "rm-dock-title", { id: dockId }),
    docked: make("ul", "rm-rows", { role: "list", "aria-labelledby": dockId }),
    hint: make("p", "rm-hint", { id: hintId }),
    said: make("div", "rm-said", { role: "status", "aria-live": "polite" }),
  };
  frame.scroll.append(frame.list);
  frame.dock.append(frame.dockTitle, frame.docked);
  const top = model.get("max_grade");
  const grades = top === 1 ? "Enter changes relevance" : `Enter or 0–${top} sets the grade`;
  frame.hint.textContent = [
    "Drag a row, or use its grip: ↑ ↓ move",
    ...(model.get("grading") ? [grades] : []),
    ...(model.get("docking") ? ["Delete takes out"] : []),
  ].join(" · ");
  return frame;
}

function dockTitle(docked, grades) {
  if (docked.length === 0) return "Drop here to leave an item out";
  const relevant = docked.filter((id) => grades[id] > 0).length;
  if (relevant === docked.length) return "Judged relevant, not retrieved";
  return relevant ? `Not retrieved (${relevant} judged relevant)` : "Not retrieved";
}

function arrange(container, nodes) {
  nodes.forEach((node, i) => {
    if (container.children[i] !== node) container.insertBefore(node, container.children[i] ?? null);
  });
}

function render({ model, el }) {
  el.classList.add("rm", "rm-ranked");
  guardShortcuts(el);
  const act = actions(model);
  const frame = makeFrame(model);
  el.append(frame.caption, frame.scroll, frame.dock, frame.hint, frame.said);
  const rows = new Map();
  for (const { id, label } of model.get("items")) {
    const row = makeRow(model, act, id, label);
    row.grip.setAttribute("aria-describedby", frame.hint.id);
    enableDragging(el, model, act, row, frame);
    rows.set(id, row);
  }
  frame.scroll.classList.toggle("rm-long", rows.size > LONG);
  frame.dock.hidden = !model.get("docking") && rows.size === model.get("order").length;

  function update() {
    const order = model.get("order");
    const grades = model.get("grades");
    const top = model.get("max_grade");
    const retrieved = new Set(order);
    const docked = [...rows.keys()].filter((id) => !retrieved.has(id));
    const focused = el.contains(document.activeElement) ? document.activeElement : null;
    arrange(frame.list, order.map((id) => rows.get(id).node));
    arrange(frame.docked, docked.map((id) => rows.get(id).node));
    order.forEach((id, i) => rows.get(id).refresh(i, order.length, grades[id], top));
    docked.forEach((id) => rows.get(id).refresh(-1, order.length, grades[id], top));
    put(frame.dockTitle, { text: dockTitle(docked, grades) });
    frame.docked.hidden = docked.length === 0;
    keepFocus(focused);
  }

  // moving a node drops its focus, and a button that its row no longer shows cannot have it
  function keepFocus(focused) {
    if (!focused) return;
    const row = focused.closest(".rm-row");
    const wanted = focused.hidden ? row.querySelector(".rm-grip") : focused;
    if (document.activeElement !== wanted) wanted.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  }

  const say = () => put(frame.said, { text: model.get("status") });
  const name = () => put(frame.caption, { text: model.get("caption") });
  update();
  name();
  model.on("change:order change:grades", update);
  model.on("change:status", say);
  model.on("change:caption", name);
  return () => {
    model.off("change:order change:grades", update);
    model.off("change:status", say);
    model.off("change:caption", name);
  };
}

export default { render };
