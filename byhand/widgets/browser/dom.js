// Elements are built, never parsed: a label is text, whatever it looks like.

const SVG = "http://www.w3.org/2000/svg";

// `make("span.rm-name", { title }, child, "words")`: the attributes may be left out.
export function make(what, ...parts) {
  const [tag, ...looks] = what.split(".");
  const node = document.createElement(tag);
  if (looks.length) node.className = looks.join(" ");
  if (tag === "button") node.type = "button";
  if (parts[0]?.constructor === Object) put(node, parts.shift());
  node.append(...parts);
  return node;
}

export function draw(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  put(node, attributes);
  node.append(...children);
  return node;
}

export function text(x, y, words, look, anchor = "middle") {
  return draw("text", { x, y, class: look, "text-anchor": anchor, text: words });
}

export const line = (x1, y1, x2, y2, look) => draw("line", { x1, y1, x2, y2, class: look });

// How wide words are, in Latin letters.
export const columnsOf = (words) =>
  [...words].reduce((total, each) => total + (each > "\u1100" ? 2 : 1), 0);

export function folded(words, room) {
  const lines = [];
  for (const word of words.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && columnsOf(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

// A picture as wide as its place. `paint(width, known)` returns its height, its parts, and its label,
// a description in words.
export function makeFigure(look, paint) {
  const svg = draw("svg", { "aria-hidden": "true" });
  const node = make(`div.rm-figure.${look}`, { role: "img" }, svg);
  let last = null;
  function show(known = last) {
    last = known;
    if (last === null) return;
    const width = node.clientWidth || 460; // not on the page yet
    const { height, label, parts } = paint(width, last);
    put(svg, { viewBox: `0 0 ${width} ${height}`, width, height });
    put(node, { "aria-label": label });
    svg.replaceChildren(...parts);
  }
  const watcher = new ResizeObserver(() => show());
  watcher.observe(node);
  return { node, show, stop: () => watcher.disconnect() };
}

export function ticksBetween(from, to, most = 6) {
  const rough = (to - from) / most;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * ten).find((each) => each >= rough * (1 - 1e-9));
  const first = Math.ceil(from / step - 1e-9);
  const n = Math.floor(to / step + 1e-9) - first + 1;
  return Array.from({ length: n }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

// An attribute or a text is written only when it differs: a screen reader may speak of each write.
export function put(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") {
      if (node.textContent !== value) node.textContent = value;
    } else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
  }
}

// Each widget has its own copy of this module, so a counter would start again in each.
export const freshId = (stem) => `rm-${stem}-${Math.random().toString(36).slice(2)}`;

// Keys pressed in a widget belong to the widget. A focused button in an output leaves the notebook
// in command mode, where `d d` deletes the cell and `m` turns it to Markdown. The notebook asks the
// focused element itself, not its ancestors, whether to leave its keys alone. While Ctrl or Cmd is
// down the mark is lifted, so that saving and the like still work.
const MARK = "data-lm-suppress-shortcuts";

export function guardShortcuts(root) {
  // Shift+Enter means "run this cell", and a button would take it for Enter
  const leave = (event) => {
    if (
      event.key !== "Enter" ||
      !event.shiftKey ||
      event.target.matches("input[type=text], textarea")
    )
      return;
    event.preventDefault();
    event.stopPropagation();
  };
  root.addEventListener("keydown", leave, true);
  const mark = (event) => event.target.setAttribute(MARK, "true");
  const lift = (event) => event.target.removeAttribute(MARK);
  const isCommand = (event) => event.key === "Control" || event.key === "Meta";
  root.addEventListener("focusin", mark);
  root.addEventListener("focusout", lift);
  root.addEventListener("keydown", (event) => isCommand(event) && lift(event));
  root.addEventListener("keyup", (event) => isCommand(event) && mark(event));
}

// Undo and redo are taken at the window, before a notebook's own listeners see the key.
export function listenForUndo(root, undo, redo) {
  const listen = (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || !root.contains(event.target)) return;
    if (event.target.matches("input[type=text], textarea")) return; // a field has an undo of its own
    const key = event.key.toLowerCase();
    const action = key === "z" ? (event.shiftKey ? redo : undo) : key === "y" ? redo : null;
    if (!action) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    action();
  };
  addEventListener("keydown", listen, true);
  return () => removeEventListener("keydown", listen, true);
}
