// The cover over the content after a question or a goal: why it is covered, and which parts are.

import { make } from "./dom.js";
import { say } from "./words.js";

const isAsking = (node) => node?.querySelector(".rm-asking > .rm-cover") != null;
const indexOf = (node) => Number(node.closest(".jp-Cell")?.dataset.windowedListIndex);

// Marks the cells to hide (ask.css): all cells below an open question, even other open questions, up
// to one that is answered.
function markCells(parent) {
  const cells = [...parent.children];
  const questions = [...parent.rmQuestions];
  let covers = false;
  let last = -1;
  for (const cell of cells) {
    const at = indexOf(cell) || last + 1;
    // cells between are outside the window, and not rendered
    if (at !== last + 1) {
      const above = questions.filter((each) => indexOf(each) < at);
      covers = isAsking(above.sort((a, b) => indexOf(a) - indexOf(b)).at(-1)?.parentElement);
    }
    const asks = isAsking(cell);
    if (cell.querySelector(".rm-cover") && !asks) covers = false;
    cell.classList.toggle("rm-covered", covers);
    covers ||= asks;
    last = at;
  }
}

// Marks them again whenever a cell is added or rendered; changes within a widget do not count.
function watchCells(cells, onMarked) {
  const isInside = ({ target }) => target.closest?.(".rm, .cm-editor");
  function mark() {
    markCells(cells);
    onMarked();
  }
  const watch = new MutationObserver((all) => all.every(isInside) || mark());
  watch.observe(cells, { childList: true, subtree: true });
  mark();
  return () => {
    watch.disconnect();
    requestAnimationFrame(() => markCells(cells));
  };
}

// The covered headings; in a notebook, without the sign that links to each.
function partsAfter(el) {
  const isAfter = (node) => el.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING;
  const after = [...document.querySelectorAll("main h2, .jp-MarkdownCell.rm-covered h2")].filter(
    isAfter,
  );
  const hidden = after.filter((node) => !node.checkVisibility());
  return hidden.map((heading) => heading.textContent.replace("¶", ""));
}

export function makeCover(el, of, covers = true) {
  const why = make("p", make("b", { text: say("cover", of) }), ` ${say("cover", `${of} why`)}`);
  const list = make("ul", { "aria-label": say("cover", "parts") });
  const node = make(`div.${covers ? "rm-cover" : ""}`, why, list);
  let cells = null; // of a notebook; covers stay in its cells
  let unwatch = null;

  function look() {
    if (!el.isConnected) return;
    cells ??= covers ? el.closest(".jp-Cell")?.parentElement : null;
    if (cells) {
      cells.rmQuestions ??= new Set();
      cells.rmQuestions.add(el);
    }
    if (node.hidden) return stop();
    if (cells) unwatch ??= watchCells(cells, listParts);
    listParts();
  }
  function listParts() {
    list.replaceChildren(...partsAfter(el).map((text) => make("li", { text })));
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
