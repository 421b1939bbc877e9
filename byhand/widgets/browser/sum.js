// A formula with its numbers: NAME = (a + b + 0) / under = VALUE. A term lights with what it stands for.

import { make, put } from "./dom.js";
import { asFraction, decimals } from "./engine.js";
import LIMITS from "../limits.json" with { type: "json" };

// A value as a simple fraction or a whole number, else with three decimals.
export const shortly = (value) =>
  Number.isInteger(value) ? String(value) : asFraction(value, LIMITS.simple) || decimals(value);

// `light(id)` is called with the term that is pointed at or tapped, null where none is.
export function makeSum(light = () => {}) {
  const node = make("div", "rm-sum");
  let lit = null;

  // `terms`: [{ id, text, nil }], `under`: what their sum is divided by, "" where nothing is
  function show({ name, terms, under = "", value, exact = "" }) {
    const over = make("span", "rm-terms");
    terms.forEach((each, i) => {
      const term = make("span", `rm-term${each.nil ? " rm-nil" : ""}`, { text: each.text, "data-id": each.id });
      term.addEventListener("pointerenter", () => light(each.id));
      term.addEventListener("pointerleave", () => light(null));
      term.addEventListener("click", () => light(each.id));
      over.append(...(i ? ["+"] : []), term);
    });
    const whole = under === "" ? over : make("span", "rm-frac", {}, over, make("span", "", { text: under }));
    const big = make("b", "rm-big", { text: value });
    const equals = exact && make("span", "rm-exact", { text: exact });
    node.replaceChildren(
      make("span", "rm-of", { text: `${name} =` }),
      whole,
      make("span", "rm-is", {}, "=", big, ...(equals ? [equals] : [])),
    );
    point(lit);
  }
  function point(id) {
    lit = id;
    for (const term of node.querySelectorAll(".rm-term")) term.classList.toggle("rm-lit", term.dataset.id === id);
  }
  const label = (words) => put(node, { role: "img", "aria-label": words });
  return { node, show, point, label };
}
