// Class mode: one part fills the screen, in large letters, and content after a question stays covered
// until the question is answered. Progress is neither stored nor used.

import { put } from "../byhand/widgets/browser/dom.js";
import { change } from "../byhand/widgets/browser/model.js";

const COVERED = "main :has(.rm-asking) ~ :not(.own)"; // as in ask.css
const bar = document.getElementById("talk");

export const talks = Boolean(bar) && new URLSearchParams(location.search).has("class");

// Whether something is covered by a question before it.
export const isCovered = (node) => node.matches(`${COVERED}, ${COVERED} *`);

// Opens all questions and goals that cover content, or only those that cover `node`.
export function uncover(started, node) {
  if (node && !isCovered(node)) return;
  for (const { place, model } of started) {
    const isBefore =
      !node || place.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (isBefore && place.querySelector(".rm-asking")) change(model, { covers: false });
  }
}

// Keys that another element uses: a field, a list, or an element that scrolls sideways.
const isTaken = ({ target, defaultPrevented, ctrlKey, metaKey, altKey, shiftKey }) =>
  defaultPrevented ||
  ctrlKey ||
  metaKey ||
  altKey ||
  shiftKey ||
  target.matches("input, textarea") ||
  (target.tabIndex >= 0 && target.scrollWidth > target.clientWidth);

// The link to class mode, for readers who may want it.
export function offerTalk() {
  if (bar) bar.hidden = false;
}

const titlesOf = (part) => part.querySelector("h1, h2") ?? [];

// `leadsTo` returns the target of the address, if any; `onPart` is called when another part is shown.
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
      .at(-1); // a piece has no heading of its own
  // Shows another part from its top, or from an element in it.
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
    // keys continue from here, but the focus stays on the bar
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
  again.addEventListener("click", () => location.reload()); // which covers the content after this part again
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
    // a part that is longer than the screen scrolls to its end first
    if (!by || isTaken(event) || (event.key.startsWith("Page") && rest > 2)) return;
    event.preventDefault();
    step(by);
  });
  const first = leadsTo(); // the address changes with the part
  show(0);
  land(first);
}
