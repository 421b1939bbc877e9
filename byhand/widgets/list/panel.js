// A list and what is shown beside it: on top, in the lines of its rows, at their end the number that
// rides on them; and what the row that a reader points at adds, and why.

import { make, put } from "../browser/dom.js";
import { rankWords, say } from "../browser/words.js";
import { fit, heightOf, linesNow, set } from "./alongside.js";
import { makeArea } from "./area.js";
import { makeBars } from "./bars.js";
import { makeCurve, makeNumber } from "./curve.js";
import { decimals, listOf, nameOf, ONE_ROW, whyOf, within } from "./engine.js";
import { makeIdeal } from "./ideal.js";
import { lanesOf, wordsOf } from "./lanes.js";

const WORDY = 40; // letters of a title, which a row for names would cut

const VIEWS = {
  bars: makeBars,
  number: makeNumber,
  curve: makeCurve,
  discount: makeCurve,
  area: makeArea,
  ideal: makeIdeal,
};

function lensOf(shown, lanes, id) {
  const place = shown.order.indexOf(id);
  if (place < 0) return [];
  const rank = listOf(shown.order, shown.grades, shown.spans).ranks[place];
  const grade = shown.grades[id];
  const known = { label: shown.labels[id], rank: rankWords(rank, shown.spans?.[id]), grade };
  const relevant = shown.top === 1 ? "relevant" : "graded";
  const kind = grade == null ? "not judged" : grade ? relevant : "not relevant";
  const head = say("panel", `rank ${kind}`, { ...known, gain: grade });
  if (!grade) return [head];
  return [head, ...lanes.map((lane) => lensLine(lane, { place, rank, grade }))];
}

function lensLine({ spec, shares, hits, divisor }, { place, rank, grade }) {
  const measure = nameOf(spec);
  if (!within(rank, spec)) return say("panel", "beyond", { measure, rank, k: spec.k });
  const hit = hits?.find((each) => each.place === place);
  if (hits && !hit) return say("panel", "below", { measure, grade, rel: spec.rel });
  const share = shares[place] ? decimals(shares[place]) : "0";
  return say("panel", "adds", {
    measure,
    share,
    why: hit ? whyOf(spec, hit, { hits, divisor }) : "",
  });
}

const canPoint = () => matchMedia("(any-hover: hover)").matches;

// Of one measure it is said in the line of its row's name, where there is room.
function makeLens(measures) {
  const look = measures > 1 ? "rm-lens" : "rm-lens rm-one";
  const node = make(`div.${look}`);
  set(node, { lines: measures > 1 ? measures + 1 : 1 });
  const show = (said, rest) => {
    put(node, { class: said.length ? look : `${look} rm-lens-hint` });
    const all = said.length ? said : [rest ?? say("panel", canPoint() ? "lens" : "lens tap")];
    node.replaceChildren(...all.map((line) => make("div", { text: line })));
  };
  return { node, show };
}

// `shows` names what stands beside the list, or makes it; `measured` makes its numbers.
export function makePanel(
  specs,
  { alone },
  { shows = "bars", trace = false, measured = lanesOf } = {},
) {
  const view = (VIEWS[shows] ?? shows)(specs, { alone, trace });
  const lens = view.look === "number" ? null : makeLens(specs.length);
  const node = make(`div.rm-board.rm-shows-${view.look}`);
  const isRiding = view.value && view.rides;
  const number = view.value ? make(`span.rm-result.rm-${isRiding ? "riding" : "equals"}`) : null;
  let [list, heads] = [null, null];
  let [shown, lanes, pointed, lines] = [null, [], null, []];
  const seen = (how = {}) => ({ shown, lanes, only: lanes[0], lines, how });
  let [frame, width, held, mover] = [0, 0, false, null];

  // the list is there once its stage is; `controls` are what a reader sets beside dragging
  function beside(given, ...controls) {
    list = given;
    const { node: ranked, scroll, caption } = list.frame;
    const isWordy = Object.values(list.labels).some((label) => label.length > WORDY);
    ranked.classList.add("rm-with-lane", ...(isWordy ? ["rm-wordy"] : []));
    ranked.classList.toggle("rm-with-tray", list.rows.size > list.fixed.start.order.length);
    set(ranked, { columns: specs.length });
    const top = [view.head, isRiding ? null : number, ...controls].filter(Boolean);
    heads = make("div.rm-heads", make("div.rm-top", ...top), caption, view.axis);
    scroll.before(heads);
    scroll.append(view.lane, ...(isRiding ? [make("div.rm-rides", number)] : []));
    scroll.after(...[view.foot, view.side, lens?.node, view.key].filter(Boolean));
    node.append(ranked);
    watcher.observe(node);
    for (const part of [heads, view.lane, view.side].filter(Boolean)) pointAt(part);
    view.lane.addEventListener("pointerdown", takeHold);
    view.lane.addEventListener("click", tap);
    view.lane.addEventListener("touchmove", (event) => held && event.preventDefault(), {
      passive: false,
    });
    return node;
  }

  // what belongs to an item lights it; the last input wins
  function pointAt(part) {
    const idOf = (event) => event.target.closest("[data-id]")?.dataset.id ?? null;
    part.addEventListener(
      "pointerover",
      (event) => event.pointerType === "mouse" && point(idOf(event)),
    );
    part.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && point(null));
    part.addEventListener("click", (event) => point(idOf(event)));
    part.addEventListener("focusin", (event) => point(idOf(event)));
    part.addEventListener("focusout", () => point(null));
  }
  const point = (id) => list.frame.node.querySelector(".rm-ghost") || look(id);

  // the row is the bar: it is dragged by either
  function takeHold(event) {
    const id = event.target.closest("[data-id]")?.dataset.id;
    if (id === undefined) return;
    event.preventDefault();
    list.rows.get(id).node.dispatchEvent(new PointerEvent("pointerdown", event));
  }

  // a finger's tap on a bar is one on its row, so that no other stays marked
  const tap = ({ target }) =>
    node.closest(".rm-finger") &&
    list.rows.get(target.closest("[data-id]")?.dataset.id)?.node.click();

  function look(given) {
    const id = given ?? focused();
    pointed = given;
    for (const each of node.querySelectorAll("[data-id]"))
      each.classList.toggle("rm-lit", each.dataset.id === id);
    const said = linesOf(id);
    lens?.show(said, view.rest?.(seen()));
  }

  function linesOf(id) {
    const [head, ...others] = lensOf(shown, lanes, id);
    return head ? [head, ...(view.explain?.(id, seen()) ?? others)] : [];
  }
  const focused = () =>
    (node.contains(document.activeElement) &&
      document.activeElement.closest("[data-id]")?.dataset.id) ||
    null;

  function markRows() {
    const adds = new Set(
      shown.order.filter((_, place) => lanes.some((lane) => lane.shares[place] > 0)),
    );
    const cuts = lanes.map((lane) => lane.spec.k);
    const cut = cuts.every((k) => k === cuts[0]) ? cuts[0] : null;
    const beyond = new Set(
      lines.filter((line) => cut != null && line.rank > cut).map((line) => line.id),
    );
    for (const row of list.frame.node.querySelectorAll(".rm-row")) {
      row.classList.toggle("rm-counts", adds.has(row.dataset.id));
      row.classList.toggle("rm-beyond", beyond.has(row.dataset.id));
    }
    for (const part of view.lane.querySelectorAll("[data-id]"))
      part.classList.toggle("rm-asked", list.asked === part.dataset.id);
  }

  function show(now, { answers, moved, ...how } = {}) {
    shown = now;
    mover = moved?.id ?? mover;
    lanes = measured(now, specs, answers);
    held = Boolean(how.preview);
    draw(how);
    cancelAnimationFrame(frame);
    if (held) frame = requestAnimationFrame(follow);
    return lanes;
  }
  function draw(how) {
    // what stands around the rows does not shrink while one is held, or they would leave the hand
    for (const part of [heads, lens?.node].filter(Boolean))
      part.style.minHeight = held ? `${part.getBoundingClientRect().height}px` : "";
    lines = linesNow(list, shown);
    view.show(seen(how));
    ride();
    set(view.lane, { rows: `${view.height?.(seen()) ?? heightOf(lines)}px` });
    const { width: wide } = list.frame.list.getBoundingClientRect();
    if (wide) set(list.frame.node, { wide: `${wide}px` }); // a row is so wide in its tray, too
    put(view.lane, { "aria-label": view.words(seen()) });
    markRows();
    look(lines.find((line) => line.held)?.id ?? pointed);
  }
  // the number is at the row that makes it; where several do, at the one that was moved, if it does
  function ride() {
    if (!number) return;
    const [{ spec, shares }] = lanes;
    const made = (each) => shares[each.place] > 0;
    const byOne = spec.first ?? ONE_ROW.includes(spec.kind);
    const row =
      (!byOne && lines.find((each) => each.id === mover && made(each))) ||
      lines.find(made) ||
      lines.at(-1);
    put(number, { text: view.value(seen()) });
    number.classList.toggle("rm-nowhere", !lines.some(made));
    number.classList.toggle("rm-held", Boolean(row?.held));
    if (row) set(number, { top: `${row.top}px`, high: `${row.height}px` });
  }

  // while an item is held, what belongs to it is where the hand is
  function follow() {
    lines = linesNow(list, shown);
    if (!lines.some((line) => line.held)) return;
    view.place(seen());
    ride();
    frame = requestAnimationFrame(follow);
  }

  // the window's height changes the rows, and so does a list beside this one
  const isStale = () =>
    lines.some(({ id, height }) => list.rows.get(id).node.offsetHeight !== height);
  const watcher = new ResizeObserver(() => {
    const isNew = node.clientWidth !== width;
    if (!shown || !(isNew || isStale())) return;
    width = node.clientWidth;
    const picture = node.closest(".rm-picture");
    if (isNew && picture && !held) fit(picture);
    node.classList.add("rm-settling"); // a new width moves nothing before the reader's eyes
    draw({ preview: held });
    node.getBoundingClientRect();
    node.classList.remove("rm-settling");
  });
  const stop = () => {
    cancelAnimationFrame(frame);
    watcher.disconnect();
  };
  const words = () => view.said?.(seen()) ?? `${wordsOf(lanes)}.`;
  return { node, beside, show, look, words, stop };
}
