// A list that lies: its items side by side as tiles, then those that are not on the page.

import { make, put } from "../browser/dom.js";
import { say } from "../browser/words.js";
import { alike } from "../list/engine.js";
import { enablePress } from "../list/press.js";

// A list of a stage, as `makeList` makes another. `counts(list, id, order)` says whether an item counts
// there, `choose(list, id)` hears which tile has the focus or was tapped.
export function makeTiles(stage, model, { counts, choose }) {
  const fixed = model.get("fixed");
  const node = make("ol", "rm-pieces", { role: "list", "aria-label": fixed.caption });
  const gap = make(
    "li",
    "rm-off",
    { role: "listitem" },
    make("span", "", { text: say("queries", "off") }),
  );
  const tiles = new Map(fixed.items.map(({ id, label }) => [id, makeTile(id, label)]));
  const labels = Object.fromEntries(fixed.items.map(({ id, label }) => [id, label]));
  const order = () => model.get("order");
  const list = { node, model, fixed, labels, spans: {}, place, showRanks, draw: () => {} };
  list.state = () => ({ order: order(), grades: model.get("grades") });
  list.nRetrieved = () => order().length;
  list.showChosen = (id) => {
    for (const [each, { item }] of tiles) item.classList.toggle("rm-chosen", each === id);
  };
  let cells = [];

  function makeTile(id, label) {
    const rank = make("span", "rm-nth", { "aria-hidden": "true" });
    const button = make(
      "button",
      "rm-piece",
      {},
      rank,
      make("span", "rm-piece-name", { text: label, dir: "auto" }),
    );
    const item = make("li", "", { role: "listitem", "data-id": id }, button);
    button.addEventListener("focus", () => choose(list, id));
    button.addEventListener("click", () => choose(list, id));
    button.addEventListener("keydown", (event) => keys(id, event));
    enableDrag(id, button);
    return { item, button, rank };
  }

  function place(id, index) {
    const rest = order().filter((other) => other !== id);
    if (index !== null) rest.splice(Math.max(0, Math.min(index, rest.length)), 0, id);
    if (!alike(rest, order())) stage.set([[list, { order: rest }]], { id });
  }
  function keys(id, event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = order().indexOf(id);
    const isIn = at >= 0;
    const step = (by) => place(id, isIn ? at + by : order().length);
    const acts = {
      ArrowLeft: () => step(-1),
      ArrowRight: () => isIn && step(1),
      ArrowUp: () => step(-1),
      ArrowDown: () => isIn && step(1),
      Home: () => place(id, 0),
      End: () => place(id, order().length),
      Delete: () => place(id, null),
      Backspace: () => place(id, null),
      ...(isIn ? {} : { Enter: () => step(0), Insert: () => step(0) }),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  // The cells slide to their places. While one is held none is moved in the document, or the hand
  // would lose it.
  function arrange(shown) {
    const docked = [...tiles.keys()].filter((id) => !shown.includes(id));
    const before = cells.map((cell) => [cell, cell.getBoundingClientRect()]);
    const focused = node.contains(document.activeElement) ? document.activeElement : null;
    cells = [
      ...shown.map((id) => tiles.get(id).item),
      gap,
      ...docked.map((id) => tiles.get(id).item),
    ];
    const isHeld = node.querySelector(".rm-held");
    cells.forEach((cell, i) => {
      cell.style.order = isHeld ? i : "";
      if (!isHeld && node.children[i] !== cell) node.insertBefore(cell, node.children[i] ?? null);
    });
    if (focused && document.activeElement !== focused) focused.focus({ preventScroll: true });
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const [cell, from] of before) {
      const to = cell.getBoundingClientRect();
      const [x, y] = [from.left - to.left, from.top - to.top];
      if (cell.classList.contains("rm-held") || !from.width || !(x || y)) continue;
      cell.animate([{ transform: `translate(${x}px, ${y}px)` }, {}], {
        duration: 160,
        easing: "ease-out",
      });
    }
  }

  function showRanks(shown) {
    const { grades } = list.state();
    const first = shown.find((id) => grades[id] > 0);
    arrange(shown);
    for (const [id, { item, button, rank }] of tiles) {
      const at = shown.indexOf(id);
      const kind = !(grades[id] > 0) ? "" : id === first ? " first" : " relevant";
      const where = { label: labels[id], rank: at + 1, n: shown.length };
      put(button, {
        "aria-label": say("queries", `${at < 0 ? "missing" : "place"}${kind}`, where),
      });
      put(rank, { "data-rank": at < 0 ? "–" : at + 1 });
      item.classList.toggle("rm-fits", grades[id] > 0);
      item.classList.toggle("rm-counts", counts(list, id, shown));
      item.classList.toggle("rm-missing", at < 0);
    }
  }

  function enableDrag(id, button) {
    let drag = null;
    const lift = ({ fromX, fromY }) => {
      const { item } = tiles.get(id);
      drag = { held: item, fromX, fromY };
      for (const cell of cells) for (const each of cell.getAnimations()) each.finish();
      // where the cells lie now is where they lie all the time, for all are of one size
      drag.slots = cells.map((cell) => cell.getBoundingClientRect());
      drag.start = item.getBoundingClientRect();
      drag.slot = cells.indexOf(item);
      drag.scroll = [scrollX, scrollY];
      item.classList.add("rm-held");
    };
    const nearest = (x, y) => {
      const far = drag.slots.map((box) =>
        Math.hypot(x - box.left - box.width / 2, y - box.top - box.height / 2),
      );
      return far.indexOf(Math.min(...far));
    };
    const orderAt = (slot) => {
      const rest = order().filter((other) => other !== id);
      if (slot <= rest.length) rest.splice(slot, 0, id);
      return rest;
    };
    const preview = (next) => {
      const orders = stage.lists.map((each) => (each === list ? next : each.state().order));
      stage.hand = { id, orders, giveUp };
      stage.show();
    };
    const follow = (press) => {
      const [x, y] = [press.x + scrollX - drag.scroll[0], press.y + scrollY - drag.scroll[1]];
      const slot = nearest(x, y);
      if (slot !== drag.slot) preview(orderAt(slot));
      drag.slot = slot;
      const now = cells.indexOf(drag.held);
      const [dx, dy] = [
        x - drag.fromX + drag.start.left - drag.slots[now].left,
        y - drag.fromY + drag.start.top - drag.slots[now].top,
      ];
      drag.held.style.transform = `translate(${dx}px, ${dy}px)`;
    };
    const putDown = () => {
      drag.held.classList.remove("rm-held");
      drag.held.style.transform = "";
      drag = null;
      stage.hand = null;
    };
    const end = (keep) => {
      const next = orderAt(drag.slot);
      putDown();
      if (keep && !alike(next, order())) stage.set([[list, { order: next }]], { id });
      else stage.show();
    };
    function giveUp() {
      letGo();
      putDown();
    }
    const letGo = enablePress(button, { takes: () => !stage.hand, lift, follow, end });
  }
  return list;
}
