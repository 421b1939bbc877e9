// Pictures in the lines of a list's rows, as high as the rows, which follow a dragged row.

import { make, put } from "../browser/dom.js";
import { listOf, shortly } from "./engine.js";

const middleOf = (line) => line.top + line.height / 2;

// The line of each place: its item and rank, and where it is, in pixels from the first row.
function linesOf(list, { order, spans }) {
  const { ranks } = listOf(order, {}, spans);
  let top = 0;
  return order.map((id, place) => {
    const [rank, height] = [ranks[place], list.rows.get(id).node.offsetHeight];
    const line = { id, place, rank, at: rank, top, height };
    top += line.height;
    return line;
  });
}

// The rank at a height: between two rows, between their ranks.
function rankAt(lines, height) {
  const after = lines.findIndex((line) => middleOf(line) >= height);
  if (after <= 0) return lines.at(after).rank;
  const [one, other] = [lines[after - 1], lines[after]];
  const share = (height - middleOf(one)) / (middleOf(other) - middleOf(one));
  return one.rank + share * (other.rank - one.rank);
}

// The same lines; that of a dragged item is where the pointer is, at a rank between two.
export function linesNow(list, shown) {
  const lines = linesOf(list, shown);
  const ghost = list.frame.node.querySelector(".rm-ghost");
  const held = ghost && lines.find((line) => line.id === ghost.dataset.id);
  if (!held) return lines;
  const last = lines.at(-1);
  const by = ghost.getBoundingClientRect().top - list.frame.list.getBoundingClientRect().top;
  const top = Math.max(0, Math.min(by, last.top + last.height - held.height));
  const at = rankAt(lines, top + held.height / 2);
  return lines.map((line) => (line === held ? { ...line, top, at, held: true } : line));
}

// The same lines as they will be after the drop, including that of a dragged item.
export function settled(lines) {
  let below = 0;
  return lines.map((line) => {
    const top = below;
    below += line.height;
    return { ...line, top };
  });
}

export const heightOf = (lines) => lines.reduce((total, line) => total + line.height, 0);

export const set = (node, values) => {
  for (const [name, value] of Object.entries(values)) node.style.setProperty(`--${name}`, value);
};

// One part for each line, which goes where its item goes. `build` makes a part.
export function makeLines(layer, build) {
  const parts = new Map();
  const show = (lines, fill = () => {}) => {
    const gone = new Set(parts.keys());
    for (const line of lines) {
      gone.delete(line.id);
      const known = parts.get(line.id);
      const part = known ?? build();
      part.dataset.id = line.id;
      fill(part, line);
      set(part, { top: `${line.top}px`, high: `${line.height}px` });
      part.classList.toggle("rm-held", Boolean(line.held));
      if (known) continue;
      parts.set(line.id, part);
      layer.append(part);
    }
    for (const id of gone) {
      parts.get(id).remove();
      parts.delete(id);
    }
  };
  return { layer, show };
}

// The end of a scale that takes `most`: a whole number, or one over one; and its ticks, which are whole
// numbers where it is longer than 1, for there are no ranks between.
export const endOf = (most) =>
  most > 1 ? Math.ceil(most) : 1 / Math.floor(1 / (most || 1) + 1e-9);
const middleTick = (end) => (end > 1 ? Math.round(end / 2) : end / 2);
export const ticksOf = (end) =>
  [
    0,
    ...(end > 1 && end <= 5 ? Array.from({ length: end - 1 }, (_, i) => i + 1) : [middleTick(end)]),
    end,
  ].map((at) => [at / end, shortly(at)]);

// The meaning of the bars, and their scale: a share and a label for each tick. A new scale is marked
// for a moment.
export function makeScale() {
  const [title, marks] = [make("span"), make("div.rm-ticks")];
  const node = make("div.rm-axis", { "aria-hidden": "true" }, title, marks);
  let known = null;
  function show(words, ticks) {
    const now = ticks.map(([, text]) => text).join(" ");
    put(title, { text: words });
    if (now === known) return;
    const made = ticks.map(([, text]) => make(`span.${known ? "rm-rescaled" : ""}`, { text }));
    marks.replaceChildren(...made);
    for (const [i, [at]] of ticks.entries()) set(made[i], { at });
    known = now;
  }
  return { node, show };
}

// The rows of a picture are as high as it leaves them: its sheet divides what all else does not take.
export function fit(picture) {
  const lists = [...picture.querySelectorAll(".rm-ranked")].filter((each) => each.clientWidth);
  const rowsIn = (list) => [...list.querySelectorAll(".rm-row:not(.rm-ghost, .rm-slot)")];
  const rows = lists.map(rowsIn).sort((one, other) => other.length - one.length)[0] ?? [];
  if (!rows.length) return;
  const taken = rows.reduce((total, row) => total + row.offsetHeight, 0);
  const more = picture.querySelector(".rm-box-of-more")?.offsetHeight ?? 0;
  const fixed = Math.ceil(picture.getBoundingClientRect().height) - more - taken;
  set(picture, { slots: rows.length, fixed: `${fixed}px` });
}

export const makeBar = () =>
  make("div.rm-line", make("i.rm-bar"), make("i.rm-dot"), make("span.rm-at"));
