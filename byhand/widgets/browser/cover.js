// What stands in place of what a question or a goal covers: why, and which parts of a page.

import { make, put } from "./dom.js";
import { together } from "./model.js";
import { say } from "./words.js";

// Cells of a notebook up to which a question covers: a heading, another question.
const ENDS = ".jp-MarkdownOutput :is(h1, h2, h3), .rm-cover";

// Marks the cells whose text and outputs are not to be seen (ask.css).
function markCells(cells) {
  let covers = false;
  let last = -1;
  for (const cell of cells.children) {
    const at = Number(cell.dataset.windowedListIndex ?? last + 1);
    // those between are out of sight, and not there
    if (at !== last + 1) covers = cell.classList.contains("rm-covered");
    const isEnd = cell.querySelector(ENDS) !== null;
    if (isEnd) covers = cell.querySelector(".rm-asking") !== null;
    cell.classList.toggle("rm-covered", covers && !isEnd);
    last = at;
  }
}

// Marks them again whenever one has come or is rendered; what moves in a widget is none of them.
function watchCells(el) {
  const cells = el.closest(".jp-Cell")?.parentElement;
  if (!cells) return null;
  const isInside = ({ target }) => target.closest?.(".rm, .cm-editor");
  const watch = new MutationObserver((all) => all.every(isInside) || markCells(cells));
  watch.observe(cells, { childList: true, subtree: true });
  markCells(cells);
  return () => {
    watch.disconnect();
    requestAnimationFrame(() => markCells(cells));
  };
}

function partsAfter(el) {
  const isAfter = (node) => el.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING;
  const after = [...document.querySelectorAll("main h2")].filter(isAfter);
  return after.filter((node) => !node.checkVisibility()).map((heading) => heading.textContent);
}

export function makeCover(el, of, covers = true) {
  const why = make(
    "p",
    "",
    {},
    make("b", "", { text: say("cover", of) }),
    ` ${say("cover", `${of} why`)}`,
  );
  const list = make("ul", "", { "aria-label": say("cover", "parts") });
  const node = make("div", covers ? "rm-cover" : "", {}, why, list);
  let unwatch = null;

  function look() {
    if (node.hidden) return stop();
    unwatch ??= watchCells(el);
    list.replaceChildren(...partsAfter(el).map((text) => make("li", "", { text })));
    put(list, { class: list.children.length ? "" : "rm-none" });
  }
  function stop() {
    unwatch?.();
    unwatch = null;
  }
  const placed = new ResizeObserver(() => requestAnimationFrame(look));
  placed.observe(el);

  function show(isOpen, isDone) {
    el.classList.toggle("rm-asking", isOpen);
    el.classList.toggle("rm-done", isDone); // a page counts those
    node.hidden = !isOpen;
    requestAnimationFrame(look);
  }
  return { node, show, stop: together(() => placed.disconnect(), stop) };
}
