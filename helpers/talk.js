// A lesson that a lecturer talks through: one part fills the screen, in large letters, and what a
// question covers stays covered until it is opened. Nothing of it is kept, nor is what was kept used.

import { put } from "../byhand/widgets/browser/dom.js";
import { change } from "../byhand/widgets/browser/model.js";

const COVERED = "main :has(.rm-asking) ~ :not(.own)"; // as in ask.css
const bar = document.getElementById("talk");

export const talks = Boolean(bar) && new URLSearchParams(location.search).has("class");

// Whether something is covered by a question before it.
export const isCovered = (node) => node.matches(`${COVERED}, ${COVERED} *`);

// Opens each question and goal that covers, or those that cover something. `started` has the models.
export function uncover(started, node) {
  if (node && !isCovered(node)) return;
  for (const { place, model } of started) {
    const isBefore =
      !node || place.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (isBefore && place.querySelector(".rm-asking")) change(model, { covers: false });
  }
}

// Keys that something else has a use for: a field, a list, what scrolls sideways.
const isTaken = ({ target, defaultPrevented, ctrlKey, metaKey, altKey, shiftKey }) =>
  defaultPrevented ||
  ctrlKey ||
  metaKey ||
  altKey ||
  shiftKey ||
  target.matches("input, textarea") ||
  (target.tabIndex >= 0 && target.scrollWidth > target.clientWidth);

// The way here, for those who may want it.
export function offerTalk() {
  if (bar) bar.hidden = false;
}

const titlesOf = (part) => part.querySelector("h1, h2") ?? [];

// `leadsTo` gives where the address leads, if anywhere; `onPart` hears when another part is shown.
export function startTalk(started, leadsTo, onPart) {
  const parts = [...document.querySelectorAll("main > section:not(:has(.next))")];
  const said = bar.querySelector("[role=status]");
  const [back, on, all, again] = bar.querySelectorAll("button");
  let at = -1;

  const say = (text) => put(said, { text });
  const headOf = () =>
    parts
      .slice(0, at + 1)
      .flatMap(titlesOf)
      .at(-1); // a piece has none of its own
  // Another part, from its top, or from where in it something stands.
  function show(i, node) {
    parts[at]?.classList.remove("on");
    at = i;
    parts[at].classList.add("on");
    const head = headOf();
    put(back, { "aria-disabled": String(at === 0) });
    put(on, { "aria-disabled": String(at === parts.length - 1) });
    say(head.textContent);
    history.replaceState(null, "", `${location.pathname}?class#${(node ?? head).id}`);
    scrollTo(0, 0);
    if (node && node !== head) node.scrollIntoView();
    // keys go on from here, but stay on the bar
    if (!bar.contains(document.activeElement)) parts[at].focus({ preventScroll: true });
    onPart();
  }
  function step(by) {
    const next = parts[at + by];
    if (next && isCovered(next)) say(bar.dataset.stays);
    else if (next) show(at + by);
  }
  function land(node) {
    const i = node ? parts.findIndex((part) => part.contains(node)) : -1;
    if (i < 0) return;
    uncover(started, node);
    show(i, node);
  }

  document.body.classList.add("talks");
  bar.prepend(document.querySelector(".toggle"));
  bar.querySelector("[href='?class']").remove();
  put(bar.querySelector("a"), { href: location.pathname });
  for (const node of bar.querySelectorAll("[hidden]")) node.hidden = false;
  bar.hidden = false;
  for (const part of parts) part.tabIndex = -1;
  back.addEventListener("click", () => step(-1));
  on.addEventListener("click", () => step(1));
  all.addEventListener("click", () => uncover(started));
  again.addEventListener("click", () => location.reload()); // which covers what follows this part
  for (const { model } of started)
    model.on("change", () => {
      say(headOf().textContent);
      onPart();
    });
  addEventListener("hashchange", () => land(leadsTo()));
  addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
    const { scrollHeight } = document.documentElement;
    const rest = by > 0 ? scrollHeight - innerHeight - scrollY : scrollY;
    // what is longer than the screen is read to its end
    if (!by || isTaken(event) || (event.key.startsWith("Page") && rest > 2)) return;
    event.preventDefault();
    step(by);
  });
  const first = leadsTo(); // the address changes with the part
  show(0);
  land(first);
}
