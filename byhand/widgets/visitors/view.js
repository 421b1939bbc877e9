// Visitors walk down a list and stop: what they get there, per row read, is the metric.

import { disable, makeButton, makeDials, makeGroup } from "../browser/controls.js";
import { draw, folded, line, make, put, text } from "../browser/dom.js";
import { change } from "../browser/model.js";
import { plainly, rounded, say } from "../browser/words.js";
import { heightOf } from "../list/alongside.js";
import { decimals, discount, evaluate, listOf, sum } from "../list/engine.js";
import { listWords } from "../list/lanes.js";
import { makeBoard } from "../list/stage.js";
import { gotByAll, rankAfter, stopOf, visitorsOf } from "./walks.js";

const [PACE, PAUSE] = [340, 800]; // milliseconds for a row, and at a stop
const [FEW, SEND, MOST] = [10, 100, 10_000]; // visitors of RBP: by Play, at once, and in all
const HURRY = 3; // times as fast walk those of RBP after the first
// at letters of 16 px, as are all numbers of the picture: a class has larger ones
const [BELOW, FOOT] = [30, 26]; // pixels of what lies below the page, and of the shares
const WIDE = 380; // pixels from which there is room for more words
const letters = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

const isLess = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const readWords = (rank) => (rank === Infinity ? "∞" : plainly(rank));
const shareWords = (good, rank) => (rank === Infinity ? "0" : `${good}/${plainly(rank)}`);

// Where the walk is: who has stopped, who walks or stands where, and what each got.
function walkOf(shown, { spec, hits }, { seed, p, walked, row }) {
  const list = listOf(shown.order, shown.grades, shown.spans);
  const n = list.nRetrieved;
  const isChance = spec.kind === "RBP";
  const visitors = isChance ? [] : visitorsOf(list, spec.kind);
  const most = isChance ? MOST : visitors.length;
  const done = Math.min(walked, most);
  const goalOf = (i) => (isChance ? Math.min(stopOf(seed, i, p), n + 1) : visitors[i].stop);
  // who has just stopped stands there until the next one walks
  const who = row || !done ? done : done - 1;
  const goal = most ? goalOf(Math.min(who, most - 1)) : 0;
  const rank = row ? Math.min(rankAfter(row, n), goal) : done ? goal : 0;
  const good = hits.filter((hit) => hit.rank <= rank).length;
  const isOver = done === most;
  return {
    list,
    n,
    spec,
    hits,
    visitors,
    done,
    most,
    goalOf,
    who,
    rank,
    row,
    good,
    isOver,
    p,
    seed,
  };
}

// What is said of the one who walks or has just stopped, and of all of them.
function wordsOf({ spec, n, visitors, who, rank, row, good, isOver, p, hits }) {
  const visitor = who + 1;
  if (spec.kind === "RBP") {
    if (!rank) return "";
    const isGood = hits.some((hit) => hit.rank === rank);
    const how = rank > n ? "stops below" : isGood ? "stops at good" : "stops at other";
    return say("visitors", row ? "at row" : how, { visitor, rank, p: rounded(p, 2) });
  }
  const { kind: measure } = spec;
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

// Of RBP: its sum, and how many of those who were sent stopped at something good.
function chanceWords({ p, hits, good, done, value }) {
  const terms = hits.map((hit) => decimals(p ** (hit.rank - 1), 2)).join(" + ");
  const total = hits.length > 1 ? `(${terms})` : terms || "0";
  const added = say("visitors", "sum", { p: rounded(p, 2), sum: total, value: decimals(value) });
  if (!done) return added;
  return `${added} ${say("visitors", "tally", { good, n: done, share: decimals(good / done) })}`;
}

// How many of the first `done` stopped at each rank.
function makeCounts(seed) {
  let [stops, known] = [[], null];
  return (p, done) => {
    if (p !== known) stops = [];
    known = p;
    while (stops.length < done) stops.push(stopOf(seed, stops.length, p));
    const counts = new Map();
    for (const rank of stops.slice(0, done)) counts.set(rank, (counts.get(rank) ?? 0) + 1);
    return counts;
  };
}

// The picture beside the list: tracks of visitors, or two discounts and who stopped where.
function makeWalks(now, countsOf) {
  const [back, legs] = [draw("g"), draw("path")];
  const man = draw("g", { class: "rm-walker" }, draw("circle", { cy: -7, r: 4 }), legs);
  const svg = draw("svg", { class: "rm-walks", "aria-hidden": "true" }, back, man);
  const lane = make("div.rm-lane", { role: "img" }, svg);
  const head = make("div.rm-walks-head", { "aria-hidden": "true" });
  let last = null;

  function show(given) {
    last = given;
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
    const place = { width, page, middle, isWide, foot, u };
    put(svg, {
      class: isWide ? "rm-walks rm-wide" : "rm-walks",
      width,
      height: page + (BELOW + FOOT) * u,
    });
    const drawn = walk.spec.kind === "RBP" ? chance(walk, place) : tracks(walk, place);
    back.replaceChildren(...drawn.parts.flat(Infinity));
    man.classList.toggle("rm-nowhere", drawn.x === null);
    const open = walk.rank % 2 ? 4 : 1.5;
    put(legs, { d: `M0-3V3M-4 1 0-2 4 1M0 3-${open} 9.5M0 3 ${open} 9.5` });
    const y = walk.rank ? middle(walk.rank) : -10 * u;
    if (drawn.x !== null) man.style.transform = `translate(${drawn.x}px, ${y}px) scale(${u})`;
  }

  function tracks(walk, { width, page, middle, isWide, foot, u }) {
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
      for (const { rank: nth, top, height: high } of lines()) {
        const hit = isHit(nth);
        const at = { cx: x(i), cy: top + high / 2, r: Math.min((hit ? 6 : 3.5) * u, 0.46 * step) };
        const seen = nth > to ? "rm-unread" : hit ? "rm-good" : "rm-read";
        parts.push(draw("circle", { ...at, class: seen }));
      }
      const share = isDone ? (each.got ? shareWords(i + 1, each.stop) : "0") : "";
      if (share && (hasRoom || i === who))
        parts.push(text(x(i), foot, share, each.got ? "rm-share" : "rm-share rm-none"));
    });
    parts.push(
      text(-12, page + (BELOW / 2 + 4) * u, say("visitors", "for ever"), "rm-quiet", "end"),
    );
    parts.push(text(-12, foot, say("visitors", "share"), "rm-quiet", "end"));
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
    const look = `rm-number-now${number.length > 5 ? " rm-long" : rank ? "" : " rm-not-yet"}`;
    if (visitors.length) parts.push(text(end, at, number, look, "end"));
    const isGone = !visitors.length || (isOver && !row && who >= visitors.length);
    return { parts, x: isGone ? null : x(who) + (isWide ? 17 : 11) * u };
  }

  function chance(walk, { width, page, middle, isWide, foot, u }) {
    const { p, spec, hits, done, n } = walk;
    const isTight = width < 130 * u; // in what a notebook leaves on a phone
    const [left, gap, room] = (isWide ? [28, 22, 84] : isTight ? [12, 8, 24] : [20, 16, 46]).map(
      (each) => each * u,
    );
    const wide = Math.min((width - left - gap - room) / 2, 260 * u);
    const side = left + 2 * wide + gap + room;
    const others = left + wide + gap;
    const counts = countsOf(p, done);
    const below = [...counts].reduce((all, [rank, count]) => all + (rank > n ? count : 0), 0);
    const power = draw("tspan", { dy: -5 * u, class: "rm-power", text: say("visitors", "power") });
    const arrive = say("visitors", "arrive");
    const own = text(left, -28 * u, isWide ? `${arrive}: p` : arrive, "rm-quiet", "start");
    if (isWide) own.append(power);
    const other = isWide ? `nDCG: ${say("visitors", "discount")}` : "nDCG";
    const parts = [
      own,
      text(others, -28 * u, other, "rm-quiet", "start"),
      text(side, (isTight ? -46 : -8) * u, say("visitors", "stopped"), "rm-quiet", "end"),
    ];
    for (const [x, end] of [[left], [others]].map(([start]) => [start, start + wide])) {
      parts.push(line(x, 0, x, page, "rm-floor"), line(end, 0, end, page, "rm-track"));
      parts.push(text(x, -8 * u, "0", "rm-quiet"));
      if (isWide || (x === left) !== isTight) parts.push(text(end, -8 * u, "1", "rm-quiet"));
    }
    const isHit = (given) => hits.some((hit) => hit.rank === given);
    for (const { rank, top, height } of lines()) {
      const look = isHit(rank) ? "rm-weight rm-adds" : "rm-weight";
      const bar = (x, value) =>
        draw("rect", {
          x,
          y: top + height * 0.22,
          width: value * wide,
          height: height * 0.56,
          class: look,
        });
      parts.push(bar(left, p ** (rank - 1)), bar(others, discount(rank, { discount: "log2" })));
      const count = counts.get(rank);
      const stopped = count ? plainly(count) : done ? "–" : ""; // nobody has walked yet
      parts.push(
        text(side, middle(rank) + 4 * u, stopped, isHit(rank) ? "rm-share" : "rm-quiet", "end"),
      );
    }
    const further = page + (BELOW / 2 + 4) * u;
    parts.push(text(-12, further, say("visitors", "further"), "rm-quiet", "end"));
    if (done) parts.push(text(side, further, below ? plainly(below) : "–", "rm-quiet", "end"));
    parts.push(text(-12, foot, spec.kind, "rm-quiet", "end"));
    parts.push(text(left, foot, decimals(walk.value), "rm-share rm-sum", "start"));
    if (done)
      parts.push(text(side, foot, `${plainly(walk.good)}/${plainly(done)}`, "rm-now", "end"));
    return { parts, x: left / 2 - 2 };
  }
  const lines = () => last.lines;
  const place = (moved) => show({ ...last, lines: moved });
  const height = () => heightOf(last.lines) + (BELOW + FOOT) * letters();
  const words = ({ shown, lanes }) => listWords(shown, lanes);
  return {
    look: "walks",
    axis: head,
    lane,
    show,
    place,
    height,
    words,
    said: () => wordsOf(now(last)),
  };
}

export async function view(model, el) {
  const { measures, seed } = model.get("fixed");
  const counted = makeCounts(seed);
  const specNow = () => {
    const spec = measures.find(({ kind }) => kind === model.get("measure"));
    return spec.kind === "RBP" ? { ...spec, p: model.get("p") } : spec;
  };
  const measured = ({ order, grades, spans }) => {
    const spec = specNow();
    return [{ spec, ...evaluate(listOf(order, grades, spans), spec) }];
  };
  const now = ({ shown, lanes: [lane] }) => {
    const [p, walked, row] = ["p", "walked", "row"].map((name) => model.get(name));
    const walk = walkOf(shown, lane, { seed, p, walked, row });
    const counts = walk.spec.kind === "RBP" ? counted(p, walk.done) : null;
    const good = counts ? sum(lane.hits.map((hit) => counts.get(hit.rank) ?? 0)) : walk.good;
    return { ...walk, good, value: lane.value };
  };
  const shows = () => makeWalks(now, counted);
  const board = await makeBoard(model, el, [specNow()], show, { shows, measured });
  const { panel, stage, list, start } = board;
  let timer = 0;
  let walk = null;

  function show(shown, lanes) {
    walk = now({ shown, lanes });
    const { kind } = walk.spec;
    for (const { name, button } of modes) put(button, { "aria-pressed": String(name === kind) });
    const isChance = kind === "RBP";
    more.hidden = dials.node.hidden = !isChance;
    dials.show();
    disable(more, walk.done >= MOST);
    for (const each of [play, step]) disable(each, !walk.most);
    put(play, { text: say("visitors", timer ? "pause" : "play") });
    over.style.visibility = walk.done || walk.row || stage.isMoved() ? "" : "hidden";
    const words = wordsOf(walk);
    put(info, { text: isChance && !walk.row ? chanceWords(walk) : words });
    return panel.words();
  }
  const tell = () => {
    const all = [wordsOf(walk), info.textContent];
    put(said, { text: [...new Set(all)].join(" ") });
  };

  // one row further, or at a stop; then the next visitor
  function go() {
    const { done, row, isOver, most, goalOf, n } = walk;
    if (!most || (isOver && walk.spec.kind === "RBP")) return;
    const [who, to] = isOver ? [0, 1] : [done, row + 1];
    const isThere = rankAfter(to, n) >= goalOf(who);
    change(model, isThere ? { walked: who + 1, row: 0 } : { walked: who, row: to });
  }
  function halt() {
    clearTimeout(timer);
    timer = 0;
    stage.show();
  }
  function run() {
    const isChance = walk.spec.kind === "RBP";
    const goal = isChance ? Math.min(walk.done + FEW, MOST) : walk.most;
    if (isLess()) {
      change(model, { walked: goal, row: 0 });
      return tell();
    }
    const tick = () => {
      go();
      const isStop = !walk.row;
      if (isStop) tell();
      if (isStop && walk.done >= goal) return halt();
      timer = setTimeout(tick, (isStop ? PAUSE : PACE) / (isChance && walk.done ? HURRY : 1));
    };
    timer = setTimeout(tick, 0);
    stage.show();
  }
  const chosen = (measure) => {
    halt();
    change(model, { measure, walked: 0, row: 0 });
  };
  const modes = measures.map(({ kind: name }) => {
    const button = makeButton(name, say("visitors", name), () => chosen(name));
    return { name, button };
  });
  const play = makeButton("play", "", () => (timer ? halt() : run()), { primary: true });
  const step = makeButton("step", say("visitors", "step"), () => {
    halt();
    go();
    tell();
  });
  const more = makeButton("send-many", `+ ${SEND}`, () => {
    halt();
    change(model, { walked: Math.min(walk.done + SEND, MOST), row: 0 });
    tell();
  });
  put(more, { "aria-label": say("visitors", "send", { n: SEND }) });
  const over = makeButton("over", say("visitors", "over"), () => {
    halt();
    stage.reset();
    change(model, { walked: 0, row: 0 });
  });
  const dials = makeDials(model);
  const info = make("p.rm-walk-words");
  const said = make("div.rm-said", { role: "status", "aria-live": "polite" });
  if (modes.length > 1)
    el.append(makeGroup(say("visitors", "measures"), ...modes.map(({ button }) => button)));
  const buttons = makeGroup(say("visitors", "walk"), play, step, more, over);
  const foot = make("div.rm-walk-foot", buttons, dials.node, info);
  el.append(panel.beside(list), foot, said);
  return start("change:measure change:p change:walked change:row", () => clearTimeout(timer));
}
