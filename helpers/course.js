// What course pages do besides their lists: they store the reader's progress, in this browser only,
// continue where the reader was, and delete the progress on request. The texts are in the page.

import { draw, make, put } from "../byhand/widgets/browser/dom.js";
import { startAll } from "../byhand/widgets/browser/start.js";
import { replyTo } from "../byhand/widgets/prediction/answers.js";
import { isCovered, offerTalk, startTalk, talks, uncover } from "./talk.js";

const PREFIX = "ranking-metrics-by-hand/";
const keyOf = (path) => PREFIX + (path.match(/([^/]*?)(\.html)?$/)[1] || "index");
const PAGE = keyOf(location.pathname);
const find = (name) => document.getElementById(name);
const keeping = find("keeping");
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key]);

// The storage; null if the browser does not allow it, as in some private windows.
const store = (() => {
  try {
    localStorage.setItem(PREFIX, "");
    localStorage.removeItem(PREFIX);
    return localStorage;
  } catch {
    return null;
  }
})();

// The initial progress of a page.
const EMPTY = { lists: {}, first: {}, done: [], of: 0, at: null, when: 0 };
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const fits = ({ lists, first, done, of, at, when }) =>
  isObject(lists) &&
  isObject(first) &&
  Object.values(first).every(Array.isArray) && // the tries before one began anew
  Array.isArray(done) &&
  done.every((key) => typeof key === "string") &&
  Number.isInteger(of) &&
  of >= 0 &&
  (at === null || (isObject(at) && typeof at.id === "string" && Number.isFinite(at.by))) &&
  Number.isFinite(when);

// The stored progress of a page; invalid data is deleted, and the page says so.
function read(key) {
  const text = store?.getItem(key) ?? null;
  if (text === null) return structuredClone(EMPTY);
  try {
    const found = JSON.parse(text);
    const known = isObject(found) && Object.keys(found).every((name) => Object.hasOwn(EMPTY, name));
    const kept = { ...EMPTY, ...found };
    if (known && fits(kept)) return kept;
  } catch {
    // not JSON
  }
  store.removeItem(key);
  sayTorn(document.querySelector("main > *"));
  return structuredClone(EMPTY);
}
function sayTorn(node) {
  if (node.previousElementSibling?.className !== "torn")
    node.before(make("p.torn", { role: "status", text: keeping.dataset.torn }));
}

// a class sees the page as new, and nothing is stored
const page = talks ? structuredClone(EMPTY) : read(PAGE);
// the tasks of a page: predictions, exercises, goals
const tasks = [...document.querySelectorAll("[data-live]")].filter((place) =>
  /"view":"(prediction|challenge)"/.test(place.dataset.live),
);
page.done = page.done.filter((key) => tasks.some((task) => task.dataset.key === key)); // of this edition
let gone = null; // the deleted progress, while that can be undone
let due = 0;

function flush() {
  if (!due) return;
  clearTimeout(due);
  due = 0;
  try {
    store.setItem(PAGE, JSON.stringify({ ...page, when: Date.now() }));
  } catch (error) {
    console.warn("This browser keeps no more:", error);
  }
}
function keep() {
  if (store && !gone && !talks) due ||= setTimeout(flush, 200);
}

// A widget is identified by its key, which is the same in all languages, like the stored names.
const pairs = Object.entries(
  JSON.parse(document.querySelector(".languages")?.dataset.names ?? "{}"),
);
const english = new Map(pairs);
const local = new Map(pairs.map(([translated, name]) => [name, translated]));

function renamed(kept, names) {
  if (typeof kept === "string") return names.get(kept) ?? kept;
  if (Array.isArray(kept)) return kept.map((each) => renamed(each, names));
  if (!kept || typeof kept !== "object") return kept;
  return Object.fromEntries(
    Object.entries(kept).map(([key, each]) => [renamed(key, names), renamed(each, names)]),
  );
}

const memory = {
  read: (place) => renamed(page.lists[place.dataset.key], local),
  write(place, kept) {
    const { key } = place.dataset;
    const before = page.lists[key]?.values.guesses;
    if (before?.length && !kept.values.guesses?.length) page.first[key] ??= before;
    page.lists[key] = renamed(kept, english);
    keep();
    count();
    showPartsSoon();
  },
  forget(place) {
    delete page.lists[place.dataset.key];
    delete page.first[place.dataset.key];
    page.done = page.done.filter((key) => key !== place.dataset.key);
    keep();
    sayTorn(place.parentElement);
  },
};

// The parts of a page ----------------------------------------------------------------------------

const nav = find("parts");
const toggle = document.querySelector(".toggle");
const links = [...(nav?.querySelectorAll("a") ?? [])];
const heads = links.map((link) => find(decodeURIComponent(link.hash.slice(1))));
const top = (node) => node.getBoundingClientRect().top;
const isAfter = (node, other) =>
  other.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING;
const tasksOf = heads.map((head, i) =>
  tasks.filter((task) => isAfter(task, head) && !(heads[i + 1] && isAfter(task, heads[i + 1]))),
);
const isDone = (task) => page.done.includes(task.dataset.key);
let aim = null; // the part that was chosen in the contents, until the reader goes on

// In class mode, the part on the screen, or the part to which this piece belongs.
function partShown() {
  const on = document.querySelector("main > .on");
  const within = heads.findIndex((head) => on.contains(head));
  return Math.max(
    within,
    heads.findLastIndex((head) => isAfter(on, head)),
    0,
  );
}

// The part being read: its heading is above a line, which moves down near the end of the page, so that
// the last parts can be current.
function here() {
  if (aim) return heads.indexOf(aim);
  if (talks) return partShown();
  const rest = document.documentElement.scrollHeight - innerHeight - scrollY;
  const line = Math.max(innerHeight * 0.4, innerHeight - rest);
  return Math.max(
    0,
    heads.findLastIndex((head) => !isCovered(head) && top(head) < line),
  );
}

// A part is done once all its tasks are answered.
function showParts() {
  for (const task of tasks)
    if (!isDone(task) && task.querySelector(".rm-done")) page.done.push(task.dataset.key);
  const now = here();
  heads.forEach((head, i) => {
    const asks = tasksOf[i].length > 0;
    const done = asks && tasksOf[i].every(isDone);
    const looks = Object.entries({ now: i === now, done, plain: !asks, shut: isCovered(head) });
    for (const node of [links[i].parentElement, toggle.querySelectorAll("i")[i]])
      for (const [look, has] of looks) node.classList.toggle(look, has);
    if (i === now) put(links[i], { "aria-current": "step" });
    else links[i].removeAttribute("aria-current");
    const state = isCovered(head) ? nav.dataset.shut : done ? nav.dataset.done : "";
    put(links[i].querySelector(".sr") ?? links[i].appendChild(make("span.sr")), {
      text: state && `, ${state}`,
    });
  });
  put(find("at"), { text: fill(find("at").dataset.say, { at: now + 1, n: heads.length }) });
  page.of = tasks.length;
  const by = Math.round(-top(heads[now]));
  page.at = scrollY > 0 ? { id: heads[now].id, by } : null;
  keep();
}

let looking = 0;
function showPartsSoon() {
  if (heads.length && !looking) {
    looking = requestAnimationFrame(() => {
      looking = 0;
      showParts();
    });
  }
}

// An address may end in anything: "#100%" cannot be decoded.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const leadsTo = () => location.hash && find(decoded(location.hash.slice(1)));

// Goes to the target of an address, and skips the questions that cover it.
function land(started) {
  uncover(started, leadsTo());
  leadsTo().scrollIntoView();
}

const isNew = performance.getEntriesByType("navigation")[0]?.type === "navigate";

// Goes to where the reader was, to the top of a finished lesson, or to the target of an address.
function goOn(started) {
  const head = page.at && find(page.at.id);
  if (isNew && leadsTo()) land(started);
  else if (head && !isCovered(head) && !(isNew && tasks.length && tasks.every(isDone))) {
    scrollTo({ top: scrollY + top(head) + page.at.by, behavior: "instant" });
  }
}

function open(shown) {
  put(toggle, { "aria-expanded": String(shown) });
}
if (nav) {
  toggle.addEventListener("click", () => open(toggle.getAttribute("aria-expanded") !== "true"));
  nav.addEventListener("click", (event) => {
    open(false);
    aim = heads[links.indexOf(event.target.closest("a"))] ?? null;
    showPartsSoon();
  });
  for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"])
    addEventListener(kind, () => (aim = null), { passive: true });
  addEventListener("keydown", (event) => event.key === "Escape" && open(false));
}

find("languages")?.addEventListener(
  "beforetoggle",
  ({ newState }) => nav && newState === "open" && open(false),
);

// On a phone, a row of the audit is a paragraph, in which each cell needs its heading.
for (const table of document.querySelectorAll("table.record")) {
  const columns = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
  for (const row of table.tBodies[0].rows)
    for (const [i, cell] of [...row.cells].entries()) put(cell, { "data-head": columns[i] });
}

// An exam shows how many answers are right at the first try, and links to the others ---------------

const score = find("score");
function count() {
  if (!score) return;
  const asked = tasks.filter((task) => task.dataset.question);
  const [right, wrong] = [[], []];
  for (const task of asked) {
    const { key, live } = task.dataset;
    const [first] = [...(page.first[key] ?? []), ...(page.lists[key]?.values.guesses ?? [])];
    if (first !== undefined)
      (replyTo(JSON.parse(live).fixed, [first], false).over ? right : wrong).push(task);
  }
  const [first, of] = [right.length, asked.length];
  const { said, all, passed } = score.dataset;
  const more = first === of ? all : first >= 0.75 * of ? passed : "";
  put(score, { text: [fill(said, { first, of }), more].filter(Boolean).join(". ") });
  const others = wrong.flatMap((task) => {
    const { question } = task.dataset;
    task.id ||= question;
    return [" ", make("a", { href: `#${task.id}`, text: question.split("-").at(-1) })];
  });
  const missed = find("missed");
  missed.hidden = !others.length;
  missed.querySelector("span").replaceChildren(...others);
}
count();

// The lessons on the front page ------------------------------------------------------------------

const cards = find("lessons");

function ringOf(share) {
  const ring = { cx: 9, cy: 9, r: 7, fill: "none" };
  const round = (look, more) => draw("circle", { ...ring, class: look, ...more });
  const part = { "stroke-dasharray": `${share * 44} 44`, transform: "rotate(-90 9 9)" };
  const tick = draw("path", { d: "M5 9.3l3 3 5.3-6", class: "tick" });
  const whole = [draw("circle", { ...ring, r: 8.5, class: "full" }), tick];
  const inside = share >= 1 ? whole : [round("rest"), ...(share ? [round("share", part)] : [])];
  return draw("svg", { viewBox: "0 0 18 18", "aria-hidden": "true" }, ...inside);
}

const isBegun = ({ at, done }) => Boolean(at || done.length);

function showCards() {
  const start = find("go");
  start.dataset.first ??= start.textContent;
  start.dataset.href ??= start.getAttribute("href");
  const lessons = [...cards.querySelectorAll(".lesson")].map((card) => {
    const link = card.querySelector("h3 a");
    const kept = read(keyOf(link.pathname));
    const share = kept.of ? kept.done.length / kept.of : 0;
    card.querySelector(".kept")?.remove();
    const words =
      share >= 1
        ? cards.dataset.all
        : fill(cards.dataset.some, { done: kept.done.length, n: kept.of });
    const ring = [ringOf(share), ...(share ? [make("b", { text: words })] : [])];
    card.querySelector(".meta")?.append(make("span.kept", ...ring));
    return { link, share, when: isBegun(kept) ? kept.when : 0 };
  });
  const first = read(keyOf(new URL(start.dataset.href, location.href).pathname));
  const last = lessons.reduce(
    (best, each, i) => (each.when > (lessons[best]?.when ?? 0) ? i : best),
    -1,
  );
  const begun = last >= 0 && lessons[last].share < 1 ? last : last + 1;
  const next =
    last >= 0 || (first.of && first.done.length >= first.of) ? lessons[begun]?.link : null;
  put(start, {
    text: next
      ? (next.dataset.go ?? fill(start.dataset.say, { lesson: next.textContent.trim() }))
      : start.dataset[isBegun(first) ? "begun" : "first"],
    href: next ? next.getAttribute("href") : start.dataset.href,
  });
  for (const way of document.querySelectorAll(".start > [data-way]"))
    way.hidden = (way.dataset.way === "back") !== Boolean(next); // how long lesson 0 takes, or back
}

// Deleting progress ------------------------------------------------------------------------------

const said = keeping.querySelector("span");
const forget = find("forget");
const words = { kept: said.textContent, forget: forget.textContent };

function showKeeping() {
  put(said, { text: !store ? said.dataset.none : gone ? said.dataset.gone : words.kept });
  put(forget, { text: gone ? forget.dataset.undo : words.forget });
  forget.hidden = !store;
  keeping.hidden = false;
}
forget.addEventListener("click", () => {
  flush();
  if (gone) {
    for (const [key, text] of gone) store.setItem(key, text);
    gone = null;
  } else {
    gone = Object.entries(store).filter(([key]) => key.startsWith(PREFIX));
    for (const [key] of gone) store.removeItem(key);
  }
  showKeeping();
  if (cards) showCards();
});

history.scrollRestoration = "manual";
addEventListener("pagehide", flush);
document.addEventListener("visibilitychange", flush);
showKeeping();
if (cards) addEventListener("pageshow", showCards);
// the list of the front page always starts in its first order
const starting = startAll(cards || talks ? null : memory).catch((error) => {
  reportError(error);
  return [];
});
const frame = () => new Promise(requestAnimationFrame);
starting.then(async (started) => {
  if (talks) return startTalk(started, leadsTo, showPartsSoon);
  offerTalk();
  await frame();
  await frame(); // now the heights of the rows are final
  goOn(started);
  showPartsSoon();
  // the target of a link in the contents stays covered
  addEventListener("hashchange", () => !aim && leadsTo() && land(started));
  addEventListener("scroll", showPartsSoon, { passive: true });
  addEventListener("resize", showPartsSoon);
});
