// Keys pressed in a widget belong to the widget. A focused button in an output leaves the notebook
// in command mode, where `d d` deletes the cell and `m` turns it to Markdown. The notebook asks the
// focused element itself, not its ancestors, whether to leave its keys alone. While Ctrl or Cmd is
// down the mark is lifted, so that saving and the like still work.
const MARK = "data-lm-suppress-shortcuts";

function guardShortcuts(root) {
  const mark = (event) => event.target.setAttribute(MARK, "true");
  const lift = (event) => event.target.removeAttribute(MARK);
  const isCommand = (event) => event.key === "Control" || event.key === "Meta";
  root.addEventListener("focusin", mark);
  root.addEventListener("focusout", lift);
  root.addEventListener("keydown", (event) => isCommand(event) && lift(event));
  root.addEventListener("keyup", (event) => isCommand(event) && mark(event));
}

// Elements are built, never parsed: a label is text, whatever it looks like.
function make(tag, className = "", attributes = {}) {
  const node = document.createElement(tag);
  node.className = className;
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") node.textContent = value;
    else node.setAttribute(name, value);
  }
  if (tag === "button") node.type = "button";
  return node;
}

// An attribute or a text is written only when it differs: a screen reader may speak of each write.
function put(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") {
      if (node.textContent !== value) node.textContent = value;
    } else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  }
}

// Each widget has its own copy of this module, so a counter would start again in each.
const freshId = (stem) => `rm-${stem}-${Math.random().toString(36).slice(2)}`;
