// Where a reader enters an answer: a field for a number, options to choose or to tick.

import { freshId, make } from "../browser/dom.js";

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
    // beside what the reader ticked, what somebody else did
    mark(keys) {
      for (const input of inputs) {
        input.parentNode.querySelector(".rm-theirs")?.remove();
        if (keys.includes(input.value))
          input.parentNode.append(make("span.rm-theirs", { text: "●" }));
      }
    },
  };
}
