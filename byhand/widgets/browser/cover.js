// What stands in place of what a question or a goal covers on a page: why, and which parts.

import { make, put } from "./dom.js";
import { say } from "./words.js";

// Whether what follows is to be covered while it is open: a notebook hides nothing of its cells.
export const isCovering = (model) => Boolean(model.alone && model.get("covers"));

function partsAfter(el) {
  const isAfter = (node) => el.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING;
  const after = [...document.querySelectorAll("main h2")].filter(isAfter);
  return after.filter((node) => !node.checkVisibility()).map((heading) => heading.textContent);
}

export function makeCover(el, of) {
  const why = make(
    "p",
    "",
    {},
    make("b", "", { text: say("cover", of) }),
    ` ${say("cover", `${of} why`)}`,
  );
  const list = make("ul", "", { "aria-label": say("cover", "parts") });
  const node = make("div", "rm-cover", {}, why, list);

  function show(isOpen, isDone) {
    el.classList.toggle("rm-asking", isOpen);
    el.classList.toggle("rm-done", isDone); // a page counts those
    node.hidden = !isOpen;
    // once it is on its page
    if (isOpen)
      requestAnimationFrame(() => {
        list.replaceChildren(...partsAfter(el).map((text) => make("li", "", { text })));
        put(list, { class: list.children.length ? "" : "rm-none" });
      });
  }
  return { node, show };
}
