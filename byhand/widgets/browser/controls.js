// Buttons, a slider, a field and choices. Built here and not from ready-made widgets because their
// buttons leak shortcuts to the notebook.

import { freshId, make, put } from "./dom.js";
import { change } from "./model.js";
import { say } from "./words.js";

export function makeButton(name, label, onPress, { title, primary } = {}) {
  const look = primary ? "rm-button rm-primary" : "rm-button";
  const button = make("button", look, {
    text: label,
    "data-name": name,
    ...(title ? { title } : {}),
  });
  button.addEventListener(
    "click",
    () => button.getAttribute("aria-disabled") !== "true" && onPress(),
  );
  return button;
}

export const disable = (button, off) => put(button, { "aria-disabled": String(Boolean(off)) });

export function makeGroup(label, ...children) {
  return make("div", "rm-controls", { role: "group", "aria-label": label }, ...children);
}

// What is not needed at first, behind a button in a row with others; it stays as the reader left it.
export function makeMore(model, others, ...inside) {
  const id = freshId("more");
  const box = make("div", "rm-box-of-more", { id }, ...inside);
  const button = makeButton("more", say("controls", "more"), () => {
    change(model, { more: !model.get("more") });
    show();
  });
  const show = () => {
    box.hidden = !model.get("more");
    put(button, { "aria-expanded": String(!box.hidden), "aria-controls": id });
  };
  show();
  return make("div", "rm-later", {}, ...others, button, box);
}

export function makeSlider(name, label, { min, max }, onInput) {
  const id = freshId("slider");
  const input = make("input", "rm-slider", {
    id,
    type: "range",
    "data-name": name,
    min,
    max,
    step: 1,
  });
  const shown = make("output", "rm-shown", { for: id });
  const node = make(
    "span",
    "rm-field",
    {},
    make("label", "", { for: id, text: label }),
    input,
    shown,
  );
  let moving = false; // from the first value to the one that is kept
  input.addEventListener("input", () => {
    onInput(Number(input.value), { moving });
    moving = true;
  });
  input.addEventListener("change", () => (moving = false));
  const show = (value) => {
    input.value = value;
    put(shown, { text: String(value ?? "–") });
  };
  return { node, show };
}

// A name, and a list to choose from: pairs of a value and what it is called.
export function makeSelect(name, label, options, onChoose) {
  const id = freshId("select");
  const choices = options.map(([value, text]) => make("option", "", { value, text }));
  const select = make("select", "", { id, "data-name": name }, ...choices);
  select.addEventListener("change", () => onChoose(select.value));
  const node = make("span", "rm-field", {}, make("label", "", { for: id, text: label }), select);
  return { node, show: (value) => (select.value = String(value)) };
}

// What to do, how it went, and why: a heading, a verdict that a screen reader speaks, and more.
export function makeMessage() {
  const heading = make("div", "rm-title", { dir: "auto" });
  const verdict = make("div", "rm-verdict rm-empty", { role: "status", "aria-live": "polite" });
  const more = make("div", "rm-more", { dir: "auto" });
  const node = make("div", "rm-message", {}, heading, verdict, more);
  const MARKS = { good: "✓ ", warn: "" };
  const show = ({ title = "", text: words = "", tone = "plain", more: after = "" }) => {
    put(heading, { text: title });
    put(verdict, {
      text: words && `${MARKS[tone] ?? ""}${words}`,
      class: `rm-verdict rm-${words ? tone : "empty"}`,
    });
    put(more, { text: after });
    heading.hidden = !title;
    more.hidden = !after;
  };
  return { node, show };
}
