// Visitors walk down a list and stop: what they get there, per row read, is the metric. A test in a
// browser holds that to `byhand.metrics`.

import { disable, makeButton, makeGroup } from "../browser/controls.js";
import { draw, folded, line, make, put, text } from "../browser/dom.js";
import { change } from "../browser/model.js";
import { plainly, say } from "../browser/words.js";
import { heightOf } from "../list/alongside.js";
import { decimals, evaluate, hitsOf, listOf, sum } from "../list/engine.js";
import { listWords } from "../list/lanes.js";
import { makeBoard } from "../list/stage.js";

const [PACE, PAUSE] = [340, 800]; // milliseconds for a row, and at a stop
// at letters of 16 px, as are all numbers of the picture: a class has larger ones
const [BELOW, FOOT] = [30, 26]; // pixels of what lies below the page, and of the shares
const WIDE = 380; // pixels from which there is room for more words
const letters = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

const isLess = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const readWords = (rank) => (rank === Infinity ? "∞" : plainly(rank));
const shareWords = (good, rank) => (rank === Infinity ? "0" : `${good}/${plainly(rank)}`);

// Ranks below a page of `n`, at which a visitor sees that what is missing never comes.
const beyond = (n) => [n + 1, n + 2, ...[20, 100, 1000].filter((each) => each > n + 2), Infinity];

// The rank after so many steps down a page of `n`.
const rankAfter = (row, n) => (row <= n ? row : (beyond(n)[row - n - 1] ?? Infinity));

// Of RR one visitor, who wants one; of AP one for each relevant item, and the n-th wants n of them.
export function visitorsOf(list, kind) {
  const hits = hitsOf(list);
  const n = kind === "RR" ? 1 : list.judged.length;
  return Array.from({ length: n }, (_, i) => ({
    stop: hits[i]?.rank ?? Infinity,
    got: hits[i] ? (i + 1) / hits[i].rank : 0,
  }));
}
export const gotByAll = (visitors) =>
  visitors.length ? sum(visitors.map(({ got }) => got)) / visitors.length : 0;

// Where the walk is: who has stopped, who walks or stands where, and what each got.
function walkOf(shown, { spec, hits }, { walked, row }) {
  const list = listOf(shown.order, shown.grades, shown.spans);
  const n = list.nRetrieved;
  const visitors = visitorsOf(list, spec.kind);
  const done = Math.min(walked, visitors.length);
  // who has just stopped stands there until the next one walks
  const who = row || !done ? done : done - 1;
  const goal = visitors[Math.min(who, visitors.length - 1)]?.stop ?? 0;
  const rank = row ? Math.min(rankAfter(row, n), goal) : done ? goal : 0;
  const good = hits.filter((hit) => hit.rank <= rank).length;
  return { n, spec, hits, visitors, done, who, rank, row, good, isOver: done === visitors.length };
}

// What is said of the one who walks or has just stopped, and of all of them.
function wordsOf({ spec: { kind: measure }, visitors, who, rank, row, good, isOver }) {
  const visitor = who + 1;
  if (!visitors.length) return say("visitors", "nobody", { measure });
  if (!rank) return say("visitors", "wants", { visitor, n: visitor });
  const known = { visitor, good, read: readWords(rank) };
  if (row) return say("visitors", "reads", known);
  const last = say("visitors", rank === Infinity ? "never" : "stops", known);
  const value = decimals(gotByAll(visitors));
  return isOver
    ? `${last} ${say("visitors", "all", { measure, n: visitors.length, value })}`
    : last;
}

function makeWalks(now) {
  const [back, legs] = [draw("g"), draw("path")];
  const man = draw("g", { class: "rm-walker" }, draw("circle", { cy: -7, r: 4 }), legs);
  const svg = draw("svg", { class: "rm-walks", "aria-hidden": "true" }, back, man);
  const lane = make("div.rm-lane", { role: "img" }, svg);
  const head = make("div.rm-walks-head", { "aria-hidden": "true" });

  function show(given) {
    const walk = now(given);
    const u = letters();
    const width = lane.clientWidth || 460;
    const page = heightOf(given.lines);
    const middle = (rank) => {
      const at = given.lines.findLast((each) => each.rank <= rank);
      return rank > walk.n || !at ? page + (BELOW / 2) * u : at.top + at.height / 2;
    };
    const isWide = width > WIDE * u;
    const foot = page + (BELOW + FOOT * 0.7) * u;
    const look = isWide ? "rm-walks rm-wide" : "rm-walks";
    put(svg, { class: look, width, height: page + (BELOW + FOOT) * u });
    const drawn = tracksOf(walk, { lines: given.lines, width, page, middle, isWide, foot, u });
    back.replaceChildren(...drawn.parts);
    man.classList.toggle("rm-nowhere", drawn.x === null);
    const open = walk.rank % 2 ? 4 : 1.5;
    put(legs, { d: `M0-3V3M-4 1 0-2 4 1M0 3-${open} 9.5M0 3 ${open} 9.5` });
    const y = walk.rank ? middle(walk.rank) : -10 * u;
    if (drawn.x !== null) man.style.transform = `translate(${drawn.x}px, ${y}px) scale(${u})`;
  }
  return {
    look: "walks",
    axis: head,
    lane,
    show,
    place: show,
    height: ({ lines }) => heightOf(lines) + (BELOW + FOOT) * letters(),
    words: ({ shown, lanes }) => listWords(shown, lanes),
    said: (given) => wordsOf(now(given)),
  };
}

// The parts of the tracks, and where across them the one who walks is.
function tracksOf(walk, { lines, width, page, middle, isWide, foot, u }) {
  const { visitors, done, who, rank, row, good, isOver, n, spec, hits } = walk;
  const room = (isWide ? 150 : 46) * u;
  const isMany = visitors.length > 1;
  // one track leaves its words the room beside the title of the number
  const most = (isMany ? 110 : 260) * u;
  const step = Math.min((width - room) / Math.max(visitors.length, 1), most);
  const end = step * Math.max(visitors.length, 1) + room;
  const x = (i) => step * (i + 0.5);
  const words = isMany ? (isWide ? "leaves after" : "after") : "leaves";
  const parts = [];
  // many in the 90 pixels that JupyterLab leaves on a phone: no words, and smaller dots
  if (isMany && step > 12 * u)
    parts.push(text(0, -28 * u, say("visitors", words), "rm-quiet", "start"));
  else if (isWide) parts.push(text(x(0), -28 * u, say("visitors", words), "rm-quiet"));
  const isHit = (given) => hits.some((hit) => hit.rank === given);
  const hasRoom = step > 17 * u;
  visitors.forEach((each, i) => {
    const isDone = i < done;
    const to = isDone ? each.stop : i === who ? rank : 0;
    const look = i === who && rank ? "rm-now" : "rm-quiet";
    if (isMany && step > 16 * u) parts.push(text(x(i), -8 * u, plainly(i + 1), look));
    parts.push(line(x(i), 0, x(i), page, "rm-track"));
    parts.push(line(x(i), page, x(i), page + BELOW * u, "rm-track rm-on"));
    if (to) parts.push(line(x(i), 0, x(i), middle(Math.min(to, n)), "rm-way"));
    if (to > n) parts.push(line(x(i), page, x(i), page + BELOW * u, "rm-way rm-never"));
    for (const { rank: nth, top, height: high } of lines) {
      const hit = isHit(nth);
      const at = { cx: x(i), cy: top + high / 2, r: Math.min((hit ? 6 : 3.5) * u, 0.46 * step) };
      const seen = nth > to ? "rm-unread" : hit ? "rm-good" : "rm-read";
      parts.push(draw("circle", { ...at, class: seen }));
    }
    const share = isDone ? (each.got ? shareWords(i + 1, each.stop) : "0") : "";
    if (share && (hasRoom || i === who))
      parts.push(text(x(i), foot, share, each.got ? "rm-share" : "rm-share rm-none"));
  });
  parts.push(text(-12, page + (BELOW / 2 + 4) * u, say("visitors", "for ever"), "rm-quiet", "end"));
  if (done) parts.push(text(-12, foot, say("visitors", "share"), "rm-quiet", "end"));
  const value = decimals(gotByAll(visitors));
  const number = isOver ? value : rank ? shareWords(good, rank) : "?";
  const isLow = isOver || (rank > n && !isWide); // where the tracks leave it room
  const at = isLow ? foot + (isWide ? -2 : 1) * u : middle(rank || 1) + (isWide ? 12 : 7) * u;
  // the metric's name is over its value; a share's is above the numbers of the visitors, also in two
  // lines, and at the foot it has its name before it
  const title = isLow ? [] : folded(say("visitors", "so far"), isWide ? 30 : 10);
  title.forEach((each, i) => {
    parts.push(text(end, (-28 - 15 * (title.length - 1 - i)) * u, each, "rm-quiet", "end"));
  });
  if (isOver) parts.push(text(end, at - (isWide ? 36 : 20) * u, spec.kind, "rm-now", "end"));
  const big = text(end, at, number, rank ? "rm-number-now" : "rm-number-now rm-not-yet", "end");
  big.style.fontSize = `${(isWide && rank ? 2.5 : 1.15) * (number.length > 5 ? 0.7 : 1)}rem`;
  if (visitors.length) parts.push(big);
  const isGone = !visitors.length || (isOver && !row && who >= visitors.length);
  return { parts, x: isGone ? null : x(who) + (rank || isMany ? (isWide ? 17 : 11) * u : 0) };
}

export async function view(model, el) {
  const { measures } = model.get("fixed");
  const specNow = () => measures.find(({ kind }) => kind === model.get("measure"));
  const measured = ({ order, grades, spans }) => {
    const spec = specNow();
    return [{ spec, ...evaluate(listOf(order, grades, spans), spec) }];
  };
  const now = ({ shown, lanes: [lane] }) => {
    const [walked, row] = ["walked", "row"].map((name) => model.get(name));
    return walkOf(shown, lane, { walked, row });
  };
  const shows = () => makeWalks(now);
  const board = await makeBoard(model, el, [specNow()], show, { shows, measured });
  const { panel, stage, list, start } = board;
  let timer = 0;
  let walk = null;

  function show(shown, lanes) {
    walk = now({ shown, lanes });
    const { kind } = walk.spec;
    for (const { name, button } of modes) put(button, { "aria-pressed": String(name === kind) });
    for (const each of [play, step]) disable(each, !walk.visitors.length);
    put(play, { text: say("visitors", timer ? "pause" : "play") });
    over.style.visibility = walk.done || walk.row || stage.isMoved() ? "" : "hidden";
    put(info, { text: wordsOf(walk) });
    return panel.words();
  }
  const tell = () => put(said, { text: wordsOf(walk) });

  // one row further, or at a stop; then the next visitor
  function go() {
    const { done, row, isOver, visitors, n } = walk;
    if (!visitors.length) return;
    const [who, to] = isOver ? [0, 1] : [done, row + 1];
    const isThere = rankAfter(to, n) >= visitors[who].stop;
    change(model, isThere ? { walked: who + 1, row: 0 } : { walked: who, row: to });
  }
  function halt() {
    clearTimeout(timer);
    timer = 0;
    stage.show();
  }
  function run() {
    const { length: all } = walk.visitors;
    if (isLess()) {
      change(model, { walked: all, row: 0 });
      return tell();
    }
    const tick = () => {
      go();
      const isStop = !walk.row;
      if (isStop) tell();
      if (isStop && walk.done >= all) return halt();
      timer = setTimeout(tick, isStop ? PAUSE : PACE);
    };
    timer = setTimeout(tick, 0);
    stage.show();
  }
  const modes = measures.map(({ kind: name }) => {
    const button = makeButton(name, say("visitors", name), () => {
      halt();
      change(model, { measure: name, walked: 0, row: 0 });
    });
    return { name, button };
  });
  const play = makeButton("play", "", () => (timer ? halt() : run()), { primary: true });
  const step = makeButton("step", say("visitors", "step"), () => {
    halt();
    go();
    tell();
  });
  const over = makeButton("over", say("visitors", "over"), () => {
    halt();
    stage.reset();
    change(model, { walked: 0, row: 0 });
  });
  const info = make("p.rm-walk-words");
  const said = make("div.rm-said", { role: "status", "aria-live": "polite" });
  if (modes.length > 1)
    el.append(makeGroup(say("visitors", "measures"), ...modes.map(({ button }) => button)));
  const buttons = makeGroup(say("visitors", "walk"), play, step, over);
  el.append(panel.beside(list), make("div.rm-walk-foot", buttons, info), said);
  return start("change:measure change:walked change:row", () => clearTimeout(timer));
}
