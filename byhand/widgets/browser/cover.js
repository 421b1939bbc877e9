// What stands in place of what a question or a goal covers: why, and on a page which parts.

import { make, put } from "./dom.js";
import { say } from "./words.js";

// The headings after an element of a page, up to the reader's own files, which stay in sight; in a
// notebook all do.
function partsAfter(el) {
  if (!el.closest("[data-live]")) return [];
  const isAfter = (node) => el.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING;
  const after = [...document.querySelectorAll("main h2")].filter(isAfter);
  const own = after.findIndex((heading) => heading.id.endsWith("your-own-files"));
  return after.slice(0, own < 0 ? undefined : own).map((heading) => heading.textContent);
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

  function show(isOpen) {
    el.classList.toggle("rm-asking", isOpen);
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
