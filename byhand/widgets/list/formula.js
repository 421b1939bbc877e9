// The number and where it comes from, in one line. Each term belongs to a row and lights up with it.

import { make, put } from "../browser/dom.js";
import { plainly, say } from "../browser/words.js";

// The hits that a measure counts, and what one is called.
export const counting = ({ shares, hits }) => hits.filter((hit) => shares[hit.place] > 0);
const labelOf = (shown, hit) => shown.labels[shown.order[hit.place]];

// A term is a button, so that it can be pointed at, tapped and focused: `said` is what it is in words.
export const term = (id, text, said, look = "") =>
  make(`button.rm-term${look}`, { "data-id": id, "aria-label": said, text });
export const termOf = (shown, hit, text) => {
  const known = { term: text, label: labelOf(shown, hit), rank: hit.rank };
  return term(shown.order[hit.place], text, say("formula", "term", known));
};
export const words = (text) => make("span", { text });

export function ratio(over, under) {
  const side = (parts) => make("span.rm-side", ...parts);
  return make("span.rm-ratio", side(over), side(under));
}

// A discount as a factor: with it a product comes out by hand as a number of two decimals. Where it is
// rounded, what follows is only about the sum.
const near = (discount) => Number(discount.toFixed(3));
export const factor = (discount) => plainly(near(discount));
export const equals = (discounts) => (discounts.every((each) => near(each) === each) ? "=" : "≈");

export const joined = (parts, sign) =>
  parts.flatMap((part, i) => (i ? [words(sign), part] : [part]));

// One stop for Tab; ← and → go from term to term.
export function makeFormula() {
  const node = make("div.rm-formula", { role: "group" });
  const terms = () => [...node.querySelectorAll(".rm-term")];
  node.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step && terms()[terms().indexOf(event.target) + step];
    if (!next) return;
    event.preventDefault();
    next.focus({ preventScroll: true });
  });
  node.addEventListener("focusin", (event) => {
    for (const each of terms()) each.tabIndex = each === event.target ? 0 : -1;
  });
  const show = (said, parts) => {
    const at = terms().indexOf(document.activeElement);
    put(node, { "aria-label": said });
    node.replaceChildren(...parts);
    for (const [i, each] of terms().entries()) each.tabIndex = i === Math.max(at, 0) ? 0 : -1;
    if (at >= 0) terms()[Math.min(at, terms().length - 1)]?.focus({ preventScroll: true });
  };
  return { node, show };
}
