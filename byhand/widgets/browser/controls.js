// Buttons, sliders, choices and messages. Built here and not from ready-made widgets because their
// buttons leak shortcuts to the notebook.

import { freshId, make, put } from "./dom.js";
import { change } from "./model.js";
import { say } from "./words.js";

export function makeButton(name, label, onPress, { title, primary } = {}) {
  const look = primary ? "rm-button rm-primary" : "rm-button";
  const button = make(`button.${look}`, {
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
  return make("div.rm-controls", { role: "group", "aria-label": label }, ...children);
}

// Controls that are not needed at first, behind a button; they stay open or closed as the reader left
// them.
export function makeMore(model, others, ...inside) {
  const id = freshId("more");
  const box = make("div.rm-box-of-more", { id }, ...inside);
  const button = makeButton("more", say("controls", "more"), () => {
    change(model, { more: !model.get("more") });
    show();
  });
  const show = () => {
    box.hidden = !model.get("more");
    put(button, { "aria-expanded": String(!box.hidden), "aria-controls": id });
  };
  show();
  return make("div.rm-later", ...others, button, box);
}

// A slider over stops, or from `min` to `max`. `write` puts a value into words; `onInput` also gets
// whether the slider is still being dragged, because one drag is one change.
export function makeSlider(
  name,
  label,
  { stops, min = 0, max, write, look = "rm-field" },
  onInput,
) {
  const id = freshId("slider");
  const ends = { min, max: stops ? stops.length - 1 : max, step: 1 };
  const input = make("input.rm-slider", { id, type: "range", "data-name": name, ...ends });
  const shown = make("output.rm-shown", { for: id, "aria-hidden": "true" }); // the input says it
  const node = make(`span.${look}`, make("label", { for: id, text: label }), input, shown);
  let moving = false;
  input.addEventListener("input", () => {
    onInput(stops ? stops[Number(input.value)] : Number(input.value), { moving });
    moving = true;
  });
  input.addEventListener("change", () => (moving = false));
  const show = (value) => {
    const text = write?.(value) ?? String(value ?? "–");
    input.value = stops ? stops.indexOf(value) : value;
    put(input, { "aria-valuetext": text });
    put(shown, { text });
  };
  return { node, show };
}

// Formulas to choose from, each with its name and its number, or one number per list, the highest marked.
export function makeTries(model, label, formulas, lists = [""]) {
  const tries = formulas.map(({ name, title }) => {
    const rows = lists.map((list) => {
      const [value, moved] = [make("b.rm-choice-number"), make("span.rm-moved-by")];
      const named = [make("span.rm-of-list", { text: list }), value];
      const parts = lists.length > 1 ? named : [value, moved];
      return { value, moved, node: make("span.rm-choice-row", ...parts) };
    });
    const parts = [make("span.rm-choice-name", ...title), ...rows.map((row) => row.node)];
    const button = make("button.rm-try", { "data-name": name }, ...parts);
    button.addEventListener("click", () => change(model, { formula: name }));
    return { name, button, rows };
  });
  const node = make(
    "div.rm-tries",
    { role: "group", "aria-label": label },
    ...tries.map((each) => each.button),
  );
  // so many stand in a row where there is little room
  const across = { 3: 3, 4: lists.length > 1 ? 2 : 4 }[formulas.length] ?? 2;
  node.style.setProperty("--across", across);

  // `values[i]`: those of a formula, as `write` says them; `moved[i]`: what the last move has changed
  function show(values, write, moved) {
    for (const [i, { name, button, rows }] of tries.entries()) {
      const known = values[i].filter((value) => value !== null);
      const [least, most] = [Math.min(...known), Math.max(...known)];
      put(button, { "aria-pressed": String(name === model.get("formula")) });
      rows.forEach((row, list) => {
        const value = values[i][list];
        const isMost = value !== null && most - value < 1e-9 && value - least > 1e-9;
        row.node.classList.toggle("rm-wins", isMost);
        put(row.value, { text: write(value, name) });
        put(row.moved, { text: moved?.[i][list] || "\u00a0" });
      });
    }
  }
  return { node, show };
}

export function makeSelect(name, label, options, onChoose) {
  const id = freshId("select");
  const choices = options.map(([value, text]) => make("option", { value, text }));
  const select = make("select", { id, "data-name": name }, ...choices);
  select.addEventListener("change", () => onChoose(select.value));
  const node = make("span.rm-field", make("label", { for: id, text: label }), select);
  return { node, show: (value) => (select.value = String(value)) };
}

export function makeField(label, onEnter) {
  const id = freshId("text");
  const input = make("input.rm-text", {
    id,
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    spellcheck: "false",
  });
  const node = make("span.rm-entry", make("label", { for: id, text: label }), input);
  input.addEventListener("keydown", (event) => event.key === "Enter" && onEnter());
  return {
    node,
    inputs: [input],
    value: () => input.value,
    put: (value = "") => (input.value = value),
    lock: (off) => (input.readOnly = off),
  };
}

// Each option is a key and its words; where they are the same, it is a letter to press.
export function makeOptions(label, options, { several = false } = {}) {
  const letters = options.every(([key, words]) => key === words && key.length === 1);
  const node = make(
    `fieldset.${letters ? "rm-choice rm-letters" : "rm-choice"}`,
    make(`legend.${several ? "" : "rm-said"}`, { text: label }),
  );
  const name = freshId("choice");
  const inputs = options.map(([key, words], i) => {
    const input = make("input", { type: several ? "checkbox" : "radio", name, value: key });
    const letter = make("span.rm-letter", {
      text: key.length === 1 ? key : String.fromCharCode(97 + i),
    });
    const text = make("span", { text: words, dir: "auto" });
    node.append(make("label.rm-option", input, ...(letters ? [text] : [letter, text])));
    return input;
  });
  const chosen = () => inputs.filter((input) => input.checked).map((input) => input.value);
  return {
    node,
    inputs,
    value: () => (several ? chosen() : (chosen()[0] ?? "")),
    put(value = []) {
      for (const input of inputs) input.checked = [value].flat().includes(input.value);
    },
    lock(off) {
      for (const input of inputs) input.disabled = off;
    },
    // beside the reader's ticks, those of the judges
    mark(keys) {
      for (const input of inputs) {
        input.parentNode.querySelector(".rm-theirs")?.remove();
        if (keys.includes(input.value))
          input.parentNode.append(make("span.rm-theirs", { text: "●" }));
      }
    },
  };
}

// A heading with the task, a verdict that a screen reader speaks, and an explanation.
export function makeMessage() {
  const heading = make("div.rm-title", { dir: "auto" });
  const verdict = make("div.rm-verdict.rm-empty", { role: "status", "aria-live": "polite" });
  const more = make("div.rm-more", { dir: "auto" });
  const node = make("div.rm-message", heading, verdict, more);
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
