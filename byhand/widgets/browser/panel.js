// What stands beside a list: its values as cards, and its picture, in which each rank has a bar for
// what it adds to each measure.

import { card, draw, line, make, makeFigure, put, text } from "./dom.js";
import { asFraction, decimals, listOf, MEASURES, nameOf, whyOf, within } from "./engine.js";
import { lanesOf, listWords, valueWords } from "./lanes.js";
import { rankWords, say } from "./words.js";

const GUTTER = 30; // pixels left of the first rank, for the scale
const [CELL_MOST, COLUMNS_LEAST] = [96, 5];
const [BOX_TOP, BOX_HEIGHT] = [18, 34];
const LINE = 16;
const [BAR_HEIGHT, LANE_HEIGHT] = [54, 92];
const MISSED_SHOWN = 3;
const NAMES_FROM = 26; // pixels that a box must have to carry a label
const LETTERS = 60; // more never fit into a box
const LABEL_SIZES = [12, 10]; // pixels
const DOTS_FROM = 13;
const NUMBERS_FROM = 33;

const ruler = document.createElement("canvas").getContext("2d");

// A label as it fits into so many pixels: smaller before it is cut, and an ellipsis where it is.
function fits(label, room, hit) {
  const letters = [...label.slice(0, LETTERS)];
  const fit = (words, size) => {
    ruler.font = `${hit ? 600 : 400} ${size}px system-ui, sans-serif`;
    return ruler.measureText(words).width <= room;
  };
  const size = LABEL_SIZES.find((each) => label.length <= LETTERS && fit(label, each));
  if (size) return { words: label, size };
  const least = LABEL_SIZES.at(-1);
  while (letters.length && !fit(`${letters.join("")}…`, least)) letters.pop();
  return { words: letters.length ? `${letters.join("")}…` : "", size: least };
}

function makeCards(alone) {
  const node = make("div", "rm-values");
  let [before, settled] = [null, null]; // the values before the last change, and since
  const show = (lanes, { preview, changed }) => {
    if (changed) before = settled;
    const base = preview ? settled : before;
    if (!preview) settled = lanes;
    node.replaceChildren(...lanes.map((lane, i) => cardOf(lane, base?.[i], alone)));
  };
  return { node, show };
}

function cardOf(lane, was, alone) {
  const moved = was && was.value != null && Math.abs(lane.value - was.value) > 5e-4;
  // the line stays when there is nothing to say, so that nothing below it jumps
  const said = lane.stale
    ? say("panel", alone ? "needs Python" : "stale")
    : moved
      ? say("panel", "was", { value: decimals(was.value) })
      : "\u00a0";
  const fraction = lane.value == null ? "" : asFraction(lane.value);
  return card(
    `${nameOf(lane.spec)} = ${valueWords(lane)}`,
    `rm-card${lane.stale ? " rm-stale" : ""}`,
    ...(fraction ? [make("span", "rm-fraction", { text: fraction })] : []),
    make("span", "rm-was", { text: said }),
  );
}

// Where things stand in the picture: a column for each place, then those of missed items.
function planOf(shown, width) {
  const list = listOf(shown.order, shown.grades, shown.spans);
  const retrieved = new Set(shown.order);
  const missed = shown.ids.filter((id) => shown.grades[id] > 0 && !retrieved.has(id));
  const extra = missed.slice(0, MISSED_SHOWN);
  const n = shown.order.length;
  const columns = Math.max(n + (missed.length ? extra.length + 0.6 : 0), COLUMNS_LEAST);
  const cell = Math.min(CELL_MOST, (width - GUTTER - 2) / columns);
  const at = (place) => GUTTER + cell * (place < n ? place : place + 0.6);
  const top = BOX_TOP + BOX_HEIGHT + LINE * (missed.length ? 2 : 1) + 10; // of the lanes
  return { list, n, missed, extra, cell, at, top, right: GUTTER + cell * n };
}

function boxOf(shown, plan, id, place) {
  const grade = shown.grades[id] ?? 0;
  const inList = place < plan.n;
  const rank = plan.list.ranks[place];
  const beyond = inList && shown.k && rank > shown.k;
  const look = [
    "rm-box",
    grade > 0 && (inList ? "rm-box-hit" : "rm-box-missed"),
    beyond && "rm-box-beyond",
  ];
  const [x, width] = [plan.at(place) + plan.cell * 0.05, plan.cell * 0.9];
  const middle = x + width / 2;
  const fitted = plan.cell >= NAMES_FROM ? fits(shown.labels[id], width - 5, grade > 0) : {};
  const label = fitted.words ?? "";
  const dots = grade > 0 && plan.cell >= DOTS_FROM ? dotsOf(grade, shown.top, label) : "";
  const ranked = plan.cell >= 15 || rank % 5 === 0;
  const number = inList ? (ranked ? rankWords(rank, plan.cell > 40 ? shown.spans?.[id] : 1) : "") : "–";
  const up = label && dots ? 6 : 0;
  return draw(
    "g",
    { class: look.filter(Boolean).join(" ") },
    draw("title", { text: shown.labels[id] }),
    text(middle, BOX_TOP - 6, number, "rm-quiet"),
    draw("rect", { x, y: BOX_TOP, width, height: BOX_HEIGHT, rx: Math.min(4, width / 3) }),
    ...(label ? [text(middle, BOX_TOP + BOX_HEIGHT / 2 + 4 - up, label, `rm-box-label rm-size-${fitted.size}`)] : []),
    ...(dots ? [text(middle, BOX_TOP + BOX_HEIGHT / 2 + (label ? 13 : 4), dots, "rm-box-dots")] : []),
  );
}

function dotsOf(grade, top, label) {
  if (top === 1 || !label) return "●";
  return grade <= 3 ? "●".repeat(grade) : String(grade);
}

// Measures from 0 to 1 share a scale, so that their bars can be compared; DCG has its own.
function scalesOf(lanes) {
  const shared = lanes.filter((lane) => !MEASURES[lane.spec.kind]?.unbounded);
  const most = Math.max(0, ...shared.map((lane) => lane.most));
  return lanes.map((lane) => (shared.includes(lane) ? most : lane.most));
}

function laneOf(plan, lane, most, top) {
  const floor = top + LANE_HEIGHT - 8;
  const ceiling = floor - BAR_HEIGHT;
  const bars = lane.shares.flatMap((share, place) => {
    if (share <= 0) return [];
    const tall = Math.max(1, BAR_HEIGHT * Math.min(share / most, 1));
    const [x, width] = [plan.at(place) + plan.cell * 0.18, plan.cell * 0.64];
    const bar = draw("rect", { x, y: floor - tall, width, height: tall, class: "rm-bar" });
    if (plan.cell < NUMBERS_FROM) return [bar];
    return [bar, text(x + width / 2, floor - tall - 4, decimals(share), "rm-number")];
  });
  const across = (y, look) => line(GUTTER, y, plan.right, y, look);
  return draw(
    "g",
    { class: `rm-lane${lane.stale ? " rm-stale" : ""}` },
    text(GUTTER, top + 8, `${nameOf(lane.spec)} = ${valueWords(lane)}`, "rm-lane-name", "start"),
    ...(most > 0
      ? [
          across(ceiling, "rm-guide"),
          text(GUTTER - 4, ceiling + 4, String(Number(most.toPrecision(2))), "rm-quiet rm-tick", "end"),
        ]
      : []),
    text(GUTTER - 4, floor + 3, "0", "rm-quiet rm-tick", "end"),
    across(floor, "rm-floor"),
    ...bars,
  );
}

function makePicture(look) {
  const column = draw("rect", { class: "rm-column", y: 0 });
  const { node, svg, widthOf, resize } = makeFigure();
  let plan = null;
  let shown = null;

  function show(now, lanes) {
    shown = now;
    const width = widthOf();
    plan = planOf(now, width);
    const height = plan.top + LANE_HEIGHT * lanes.length;
    const most = scalesOf(lanes);
    const cut = now.k ? plan.list.ranks.filter((rank) => rank <= now.k).length : plan.n;
    const x = GUTTER + plan.cell * cut;
    resize(width, height);
    put(node, { "aria-label": listWords(now, lanes) });
    put(column, { width: plan.cell, height });
    svg.replaceChildren(
      column,
      ...now.order.map((id, place) => boxOf(now, plan, id, place)),
      ...plan.extra.map((id, i) => boxOf(now, plan, id, plan.n + i)),
      text(GUTTER, plan.top - 8, scaleWords(lanes), "rm-quiet", "start"),
      ...(plan.missed.length ? [missedWords(plan, width)] : []),
      ...lanes.map((lane, i) => laneOf(plan, lane, most[i], plan.top + LANE_HEIGHT * i)),
      ...(cut < plan.n ? [line(x, 2, x, height - 8, "rm-cut")] : []),
    );
  }

  function point(id) {
    const place = shown?.order.indexOf(id) ?? -1;
    column.style.display = place < 0 ? "none" : "";
    if (place >= 0) put(column, { x: plan.at(place) });
  }

  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const place = Math.floor((event.clientX - box.left - GUTTER) / plan.cell);
    look(shown.order[place] ?? null);
  });
  svg.addEventListener("pointerleave", () => look(null));
  point(null);
  return { node, show, point };
}

function scaleWords(lanes) {
  const own = lanes.filter((lane) => MEASURES[lane.spec.kind]?.unbounded);
  if (lanes.length < 2) return say("panel", "what each rank adds");
  return say("panel", own.length ? "own scales" : "shared scale");
}

function missedWords(plan, width) {
  const words = say("panel", "not retrieved", { n: plan.missed.length });
  const end = Math.min(width - 2, plan.at(plan.n + plan.extra.length));
  return text(end, BOX_TOP + BOX_HEIGHT + LINE, words, "rm-quiet", "end");
}

// What the rank that a reader points at adds to each measure, and why.
function lensOf(shown, lanes, id) {
  const place = shown.order.indexOf(id);
  if (place < 0) return [];
  const rank = listOf(shown.order, shown.grades, shown.spans).ranks[place];
  const grade = shown.grades[id];
  const known = { label: shown.labels[id], rank: rankWords(rank, shown.spans?.[id]), grade };
  const zero = grade == null ? "not judged" : "not relevant";
  const kind = !grade ? zero : shown.top === 1 ? "relevant" : "relevant graded";
  const what = say("panel", kind, { grade, gain: grade });
  const head = say("panel", "rank", { ...known, what });
  if (!grade) return [head];
  return [head, ...lanes.map((lane) => lensLine(lane, { place, rank, grade }))];
}

function lensLine({ spec, shares, hits, divisor }, { place, rank, grade }) {
  const measure = nameOf(spec);
  if (!within(rank, spec)) return say("panel", "beyond", { measure, rank, k: spec.k });
  const hit = hits?.find((each) => each.place === place);
  if (hits && !hit) return say("panel", "below", { measure, grade, rel: spec.rel });
  const share = shares[place] ? decimals(shares[place]) : "0";
  return say("panel", "adds", { measure, share, why: hit ? whyOf(spec, hit, { hits, divisor }) : "" });
}

function makeLens() {
  const node = make("div", "rm-lens");
  // it keeps its height, so that nothing below it jumps
  const show = (lines, room) => {
    put(node, { class: lines.length ? "rm-lens" : "rm-lens rm-lens-hint" });
    const said = lines.length ? lines : [say("panel", "lens")];
    const all = [...said, ...Array(Math.max(0, room - said.length)).fill("\u00a0")];
    node.replaceChildren(...all.map((line) => make("div", "", { text: line })));
  };
  return { node, show };
}

// The cards, the picture and the lens of one list.
export function makePanel(specs, { alone }, { cards = true } = {}) {
  const values = makeCards(alone);
  let [shown, lanes, pointed] = [null, [], null];
  const picture = makePicture((id) => look(id));
  const lens = makeLens();
  const node = make("div", "rm-panel", {}, ...(cards ? [values.node] : []), picture.node, lens.node);

  function look(id) {
    pointed = id;
    picture.point(id);
    lens.show(lensOf(shown, lanes, id), specs.length + 1);
  }
  function show(now, { answers, ...how } = {}) {
    shown = now;
    lanes = lanesOf(now, specs, answers);
    values.show(lanes, how);
    picture.show(now, lanes);
    look(pointed);
    return lanes;
  }
  let width = 0;
  const watcher = new ResizeObserver(() => {
    if (!shown || node.clientWidth === width) return;
    width = node.clientWidth;
    picture.show(shown, lanes);
    look(pointed);
  });
  watcher.observe(node);
  return { node, show, look, stop: () => watcher.disconnect() };
}
