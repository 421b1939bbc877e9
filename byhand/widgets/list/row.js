// A row of a ranked list: its grip, its mark, its name, and the buttons that come when it is used.

import { make, put } from "../browser/dom.js";
import { rankWords, say } from "../browser/words.js";
import { isTouch } from "./press.js";

const PIPS = 5; // grades above it are a number only

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
  const stops = [row.grip, ...row.tools.children].filter((each) => !each.hidden);
  const next = stops[stops.indexOf(event.target) + step];
  event.preventDefault();
  next?.focus({ preventScroll: true });
}

// The grade of an unjudged item is null, or undefined if Python runs in the browser.
export function gradeWords(grade, top) {
  if (grade == null) return say("list", "not judged");
  const kind = grade > 0 ? "relevant" : "not relevant";
  return top === 1 ? say("list", kind) : say("list", `grade ${kind}`, { grade });
}

// A dot, full for a relevant item; in a graded list, as many dots as the top grade, and the number.
export function showMark(node, grade, top) {
  const known = { class: top > 1 ? "rm-mark rm-graded" : "rm-mark", "data-grade": grade ?? "none" };
  if (Object.entries(known).every(([name, value]) => node.getAttribute(name) === String(value)))
    return;
  put(node, known);
  const dots = top > 1 && top <= PIPS && grade != null ? top : top > 1 ? 0 : 1;
  const pips = Array.from({ length: dots }, (_, i) => make(`i.${i < grade ? "rm-on" : ""}`));
  node.replaceChildren(...pips, ...(top > 1 ? [make("span", { text: String(grade ?? "–") })] : []));
}

export function makeRow(list, id, label) {
  const { act, model, fixed } = list;
  const grading = fixed.grading && fixed.judged && !list.spans[id];
  const kind = list.spans[id] ? "rm-row rm-fold" : "rm-row";
  const node = make(`li.${kind}`, { role: "listitem", "data-id": id });
  const grip = make("button.rm-grip");
  const rank = make("span.rm-rank", { "aria-hidden": "true" });
  const mark = make("span", { "aria-hidden": "true" });
  const name = make("span.rm-label", { text: label, dir: "auto", title: label });
  const tool = (look, known, ...inside) =>
    make(`button.rm-tool.rm-${look}`, { tabindex: "-1", ...known }, ...inside);
  const grade = tool("grade", {}, make("span", { "aria-hidden": "true" }));
  const [up, down] = [tool("up", { "data-sign": "▲" }), tool("down", { "data-sign": "▼" })];
  const out = tool("out");
  const tools = make(
    "span.rm-tools",
    ...(grading ? [grade] : []),
    up,
    down,
    ...(fixed.docking ? [out] : []),
  );
  const tile = make("div.rm-tile", grip, ...(fixed.judged ? [mark] : []), name, tools);
  node.append(rank, tile);
  const row = { id, node, grip, tools, takeBack: () => tile.append(tools) };

  const at = () => model.get("order").indexOf(id);
  up.addEventListener("click", () => at() > 0 && act.place(id, at() - 1));
  down.addEventListener("click", () => act.place(id, at() + 1));
  out.addEventListener("click", () =>
    at() < 0 ? act.place(id, model.get("order").length) : act.takeOut(id),
  );
  grade.addEventListener("click", () => act.cycle(id));
  // a press on a button leaves the focus in the row, on which the buttons are seen
  tools.addEventListener("mousedown", (event) => event.preventDefault());
  // after a drop its buttons stay away until it is asked for them
  const ask = () => {
    node.classList.remove("rm-dropped");
    list.offer(null);
  };
  node.addEventListener("keydown", ask);
  node.addEventListener("focusout", ask);
  node.addEventListener("click", (event) => {
    node.classList.remove("rm-dropped");
    if (tools.contains(event.target) || grip.hidden) return;
    grip.focus({ preventScroll: true });
    // also where they would lie on its name
    if (node.closest(".rm-finger") || !name.clientWidth) list.offer(row);
  });
  grip.addEventListener("keydown", (event) => gripKeys(list, row, event));
  node.addEventListener("keydown", (event) => rowKeys(row, event));
  // a row that comes under a mouse at rest was not pointed at
  const isMove = ({ screenX, screenY }) => {
    const was = list.mouse;
    list.mouse = `${screenX} ${screenY}`;
    return was !== list.mouse;
  };
  // the row under the pointer, or else the one with the focus
  const focused = () => list.frame.node.querySelector(".rm-row:focus-within")?.dataset.id ?? null;
  node.addEventListener("pointermove", isMove);
  node.addEventListener(
    "pointerenter",
    (event) => isMove(event) && !isTouch(event) && list.look(id),
  );
  node.addEventListener("pointerleave", () => list.look(focused()));
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
      rank: ranks[place],
      n: list.nRetrieved(),
      grade: gradeWords(value, most),
    };
    const shown = most === 1 || value == null ? values.grade : String(value);
    node.classList.toggle("rm-hit", value > 0 && fixed.judged);
    node.classList.toggle("rm-docked", !inList);
    node.classList.toggle("rm-fixed", stays);
    row.showRank(ranks, order);
    for (const each of [mark, grade.firstChild]) showMark(each, value, most);
    const moves = ["move", ...(fixed.judged ? ["judged"] : []), ...(inList ? [] : ["docked"])].join(
      " ",
    );
    put(grip, { "aria-label": say("list", moves, values) });
    const words = {
      grade: [grade, say("list", "grade of", { label, grade: shown })],
      up: [up, say("list", "up", values)],
      down: [down, say("list", "down", values)],
      out: [out, say("list", inList ? "out" : "in", values)],
    };
    for (const [button, said] of Object.values(words))
      put(button, { "aria-label": said, title: said });
    put(up, { "aria-disabled": String(place === 0) });
    put(down, { "aria-disabled": String(place === order.length - 1) });
    up.hidden = down.hidden = !inList;
    const n = [...tools.children].filter((each) => !each.hidden).length;
    node.style.setProperty("--tools", `${1.75 * n}rem`);
    // an item that cannot be brought in has no grip
    grip.hidden = stays;
    put(out, { "data-sign": inList ? "×" : "+" });
  };
  return row;
}
