// Dragging the rows of a ranked list.

const DRAG_FROM = 4; // pixels a pointer travels before a press is a drag

// One path for mouse, touch and pen. Nothing moves in the document before the drop: a copy of the
// row follows the pointer and a line shows where it would land.
function enableDragging(el, model, act, row, { list, scroll, dock }) {
  let drag = null;

  function target(y) {
    const dockTop = dock.getBoundingClientRect().top;
    if (model.get("docking") && y > dockTop) return { dock: true };
    const others = [...list.children].filter((node) => node !== row.node);
    const boxes = others.map((node) => node.getBoundingClientRect());
    const found = boxes.findIndex((box) => y < box.top + box.height / 2);
    const index = found < 0 ? others.length : found;
    const edge = found < 0 ? boxes.at(-1)?.bottom : boxes[index].top;
    return { index, edge: edge ?? list.getBoundingClientRect().top };
  }

  function lift(event) {
    const box = row.node.getBoundingClientRect();
    drag.ghost = row.node.cloneNode(true);
    drag.ghost.classList.add("rm-ghost");
    drag.ghost.inert = true;
    drag.ghost.style.width = `${box.width}px`;
    drag.offset = event.clientY - box.top;
    drag.line = make("div", "rm-line", { "aria-hidden": "true" });
    row.node.classList.add("rm-lifted");
    row.grip.focus({ preventScroll: true }); // so that Escape reaches us
    el.append(drag.line, drag.ghost);
    drag.timer = setInterval(() => creep(), 30);
  }

  function creep() {
    if (!scroll.classList.contains("rm-long")) return;
    const box = scroll.getBoundingClientRect();
    if (drag.y < box.top + 28) scroll.scrollTop -= 10;
    else if (drag.y > box.bottom - 28 && drag.y < box.bottom + 12) scroll.scrollTop += 10;
    else return;
    follow();
  }

  function follow() {
    const frame = el.getBoundingClientRect();
    const box = scroll.getBoundingClientRect();
    drag.target = target(drag.y);
    drag.ghost.style.top = `${drag.y - drag.offset - frame.top}px`;
    drag.ghost.style.left = `${box.left - frame.left}px`;
    dock.classList.toggle("rm-over", Boolean(drag.target.dock));
    drag.line.hidden = Boolean(drag.target.dock);
    const edge = Math.max(box.top, Math.min(drag.target.edge, box.bottom));
    drag.line.style.top = `${edge - frame.top - 1}px`;
    drag.line.style.left = `${box.left - frame.left}px`;
    drag.line.style.width = `${box.width}px`;
  }

  function end(drop) {
    if (!drag) return;
    const { target: where, ghost, line, timer } = drag;
    drag = null;
    clearInterval(timer);
    ghost?.remove();
    line?.remove();
    row.node.classList.remove("rm-lifted");
    dock.classList.remove("rm-over");
    if (!drop || !where) return;
    if (where.dock) act.takeOut(row.id);
    else act.place(row.id, where.index);
    row.grip.focus({ preventScroll: true });
  }

  row.node.addEventListener("pointerdown", (event) => {
    const button = event.target.closest("button");
    const onGrip = button === row.grip;
    // a finger drags by the grip only, so that it scrolls the page everywhere else
    if (event.button !== 0 || drag || (button && !onGrip)) return;
    if (!onGrip && event.pointerType === "touch") return;
    drag = { pointer: event.pointerId, x: event.clientX, y: event.clientY, from: event.clientY };
    row.node.setPointerCapture(event.pointerId);
  });
  row.node.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    drag.y = event.clientY;
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.from) < DRAG_FROM) return;
      lift(event);
    }
    follow();
  });
  row.node.addEventListener("pointerup", () => end(true));
  row.node.addEventListener("pointercancel", () => end(false));
  row.node.addEventListener("lostpointercapture", () => end(false));
  row.node.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && drag) {
      event.preventDefault();
      end(false);
    }
  });
}
