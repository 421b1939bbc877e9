// How a row or a tile is taken up and let go: by mouse and pen as soon as they move, by a finger that
// rests on it for a moment, or pulls sideways. A finger that moves up or down at once scrolls.

const DRAG_FROM = 4; // pixels a mouse or a pen travels before a press is a drag
const REST = 10; // pixels within which a finger rests
const HOLD = 200; // milliseconds until a finger that rests has taken it up

export const isTouch = (event) => event.pointerType === "touch";

// `takes(event)` says whether a press may take it up, `isAtOnce()` whether a finger does without
// a rest. `lift(press)`, `follow(press)` and `end(keep)` do it. What is returned lets go without them.
export function enablePress(node, { takes, isAtOnce = () => false, lift, follow, end }) {
  let press = null; // where it began, where it is, and whether it has taken it up

  function takeUp() {
    if (!takes(press.event)) return forget();
    press.isUp = true;
    clearTimeout(press.timer);
    // a page may not before the reader has touched it
    if (isTouch(press.event) && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(10);
    node.setPointerCapture(press.pointer);
    document.addEventListener("touchmove", still, { passive: false }); // another finger's, too
    lift(press);
    follow(press);
  }
  function forget() {
    clearTimeout(press?.timer);
    document.removeEventListener("touchmove", still);
    press = null;
  }
  function finish(keep) {
    const { isUp } = press;
    forget();
    if (isUp) end(keep);
  }
  function move({ event, x, y, fromX, fromY, isUp, rests }) {
    const [across, down] = [Math.abs(x - fromX), Math.abs(y - fromY)];
    if (isUp) follow(press);
    else if (!rests && Math.hypot(across, down) >= (isTouch(event) ? REST : DRAG_FROM)) takeUp();
    else if (rests && down > REST && down > across)
      forget(); // it scrolls
    else if (rests && across > REST) takeUp();
  }

  node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || press || !takes(event)) return;
    const { clientX: x, clientY: y, pointerId: pointer } = event;
    press = {
      event,
      pointer,
      x,
      y,
      fromX: x,
      fromY: y,
      rests: isTouch(event) && !isAtOnce(),
    };
    // the click of what is captured is not its button's
    if (isTouch(event) || !event.target.closest(".rm-tool")) node.setPointerCapture(pointer);
    if (isTouch(event)) press.timer = setTimeout(takeUp, HOLD);
  });
  node.addEventListener("pointermove", (event) => {
    if (event.pointerId !== press?.pointer) return;
    if (event.buttons === 0) return finish(false); // let go where nobody heard of it
    move(Object.assign(press, { x: event.clientX, y: event.clientY }));
  });
  for (const [name, keep] of [
    ["pointerup", true],
    ["pointercancel", false],
    ["lostpointercapture", false],
  ]) {
    node.addEventListener(name, (event) => event.pointerId === press?.pointer && finish(keep));
  }
  // whether a finger scrolls is settled at its press: what it has taken up can only prevent it
  const still = (event) => {
    if (!press?.isUp || !event.cancelable) return;
    event.preventDefault();
    event.stopPropagation(); // JupyterLab opens a menu of its own
  };
  node.addEventListener("touchmove", still, { passive: false });
  node.addEventListener("contextmenu", still);
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !press) return;
    event.preventDefault();
    finish(false);
  });
  return forget;
}
