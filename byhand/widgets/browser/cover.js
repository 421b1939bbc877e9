// What stands in place of what a question or a goal covers: why, and which parts of a page.

import { make, put } from "./dom.js";
import { say } from "./words.js";

const isAsking = (node) => node?.querySelector(".rm-asking > .rm-cover") != null;
const indexOf = (node) => Number(node.closest(".jp-Cell")?.dataset.windowedListIndex);

// Cells in which a cover ends: the heading above an exercise, and each below the last question.
function endsAmong(cells, questions) {
  const ends = new Set();
  // no question and no exercise has come yet, from below
  let isLast = !questions.some((each) => indexOf(each) > indexOf(cells.at(-1)));
  let isAbove = false; // an exercise, whose heading has not come yet
  for (const cell of cells.toReversed()) {
    if (cell.querySelector(".rm-answer")) isAbove = true;
    if (cell.querySelector(".rm-answer, .rm-cover")) isLast = false;
    if (!cell.querySelector(".jp-MarkdownOutput h2")) continue;
    if (isLast || isAbove) ends.add(cell);
    isAbove = false;
  }
  return ends;
}

// Marks the cells that are not to be seen (ask.css): those below an open question, which may be
// open questions too, up to one that is answered or to where the reader's own work begins.
function markCells(parent) {
  const cells = [...parent.children];
  const questions = [...parent.rmQuestions];
  const ends = endsAmong(cells, questions);
  let covers = false;
  let last = -1;
  for (const cell of cells) {
    const at = indexOf(cell) || last + 1;
    // those between are out of sight, and not there
    if (at !== last + 1) {
      const above = questions.filter((each) => indexOf(each) < at);
      covers = isAsking(above.sort((a, b) => indexOf(a) - indexOf(b)).at(-1)?.parentElement);
    }
    const asks = isAsking(cell);
    if (ends.has(cell) || (cell.querySelector(".rm-cover") && !asks)) covers = false;
    cell.classList.toggle("rm-covered", covers);
    covers ||= asks;
    last = at;
  }
}

// Marks them again whenever one has come or is rendered; what moves in a widget is none of them.
function watchCells(cells) {
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
  let cells = null; // of a notebook, which keep what covers some of them
  let unwatch = null;

  function look() {
    if (!el.isConnected) return;
    cells ??= covers ? el.closest(".jp-Cell")?.parentElement : null;
    if (cells) {
      cells.rmQuestions ??= new Set();
      cells.rmQuestions.add(el);
    }
    if (node.hidden) return stop();
    if (cells) unwatch ??= watchCells(cells);
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
  function leave() {
    placed.disconnect();
    cells?.rmQuestions.delete(el);
    stop();
  }
  return { node, show, stop: leave };
}
