// A row of buttons, sliders, fields and choices. Values are traits, so two views agree; a press is
// a message. Built here and not from ready-made widgets because their buttons leak shortcuts.

// A press carries the values along: what was typed just before may still be waiting to be sent.
function press(model, name) {
  model.send({ press: name, values: model.get("values") });
}

function store(model, name, value) {
  model.set("values", { ...model.get("values"), [name]: value });
  model.save_changes();
}

const BUILD = {
  button(model, given) {
    const look = given.primary ? "rm-button rm-primary" : "rm-button";
    const button = make("button", look, { text: given.label, "data-name": given.name });
    if (given.title) button.title = given.title;
    if (given.pressed !== undefined) button.setAttribute("aria-pressed", String(given.pressed));
    if (given.disabled) button.setAttribute("aria-disabled", "true");
    else button.addEventListener("click", () => press(model, given.name));
    return { node: button };
  },

  slider(model, given) {
    const id = freshId("slider");
    const node = make("span", "rm-field");
    const label = make("label", "", { for: id, text: given.label });
    const input = make("input", "rm-slider", { id, type: "range", "data-name": given.name });
    Object.assign(input, { min: given.min, max: given.max, step: 1 });
    const shown = make("output", "rm-shown", { for: id });
    input.addEventListener("input", () => store(model, given.name, Number(input.value)));
    node.append(label, input, shown);
    const refresh = (value) => {
      input.value = value;
      put(shown, { text: String(value) });
    };
    return { node, refresh };
  },

  text(model, given) {
    const id = freshId("text");
    const node = make("span", "rm-field");
    const label = make("label", "", { for: id, text: given.label });
    const input = make("input", "rm-text", { id, type: "text", "data-name": given.name });
    Object.assign(input, { autocomplete: "off", spellcheck: false });
    input.readOnly = Boolean(given.disabled);
    input.addEventListener("input", () => store(model, given.name, input.value));
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && given.enter) press(model, given.enter);
    });
    node.append(label, input);
    const refresh = (value) => {
      if (input.value !== value) input.value = value;
    };
    return { node, refresh };
  },

  choice(model, given) {
    const node = make("fieldset", "rm-choice");
    node.append(make("legend", "rm-said", { text: given.label }));
    const group = freshId("choice");
    const inputs = given.options.map((text, i) => {
      const label = make("label", "rm-option");
      const input = make("input", "", { type: "radio", name: group, value: text });
      input.dataset.name = `${given.name}-${i}`;
      input.disabled = Boolean(given.disabled);
      input.addEventListener("change", () => store(model, given.name, text));
      label.append(input, make("span", "", { text, dir: "auto" }));
      node.append(label);
      return input;
    });
    const refresh = (value) => inputs.forEach((each) => (each.checked = each.value === value));
    return { node, refresh };
  },
};

function render({ model, el }) {
  el.classList.add("rm", "rm-controls");
  el.setAttribute("role", "group");
  guardShortcuts(el);
  let built = new Map();

  function build() {
    const focused = el.contains(document.activeElement) && document.activeElement.dataset.name;
    built = new Map(
      model.get("controls").map((given) => [given.name, BUILD[given.kind](model, given)]),
    );
    el.replaceChildren(...[...built.values()].map((each) => each.node));
    refresh();
    if (focused) el.querySelector(`[data-name="${CSS.escape(focused)}"]`)?.focus();
  }
  function refresh() {
    const values = model.get("values");
    for (const [name, each] of built) each.refresh?.(values[name] ?? "");
  }
  const name = () => put(el, { "aria-label": model.get("caption") });
  build();
  name();
  model.on("change:controls", build);
  model.on("change:values", refresh);
  model.on("change:caption", name);
  return () => {
    model.off("change:controls", build);
    model.off("change:values", refresh);
    model.off("change:caption", name);
  };
}

export default { render };
