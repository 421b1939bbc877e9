// The reader's own list, or one list per query: typed or pasted as text, then shown as lists to drag.

import { makeMessage } from "../browser/controls.js";
import { freshId, make } from "../browser/dom.js";
import { change, listen, PageModel, together } from "../browser/model.js";
import { say } from "../browser/words.js";
import { view as viewExplorer } from "../explorer/view.js";
import LIMITS from "../limits.json" with { type: "json" };
import { view as viewQueries } from "../queries/view.js";

const LINE_ENDS = /\r\n|[\r\n\u2028\u2029]/;

// The item of a line and its stars. Not a regular expression: one that looks for the last star takes
// a minute for a line of 60,000 blanks.
function itemAndStars(line) {
  const words = line.trim();
  let [start, end] = [0, words.length];
  while (words[start] === "*") start += 1;
  while (end > start && words[end - 1] === "*") end -= 1;
  return [words.slice(start, end).trim(), start + words.length - end];
}

// Replaces half of a surrogate pair, which cannot be sent to Python.
const whole = (text) => text.replace(/\p{Surrogate}/gu, "\ufffd");

// Control characters and invalid characters, written as in Python's errors.
const STEERS = /[^\P{Cc}\t\n]|[\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/gu;
function printable(text) {
  return text.replace(STEERS, (sign) => {
    const code = sign.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, "0")}`;
  });
}

// One item per line, a star for each grade; items below "---" were not retrieved. `above` counts the
// lines above the text.
export function readList(text, above = 0) {
  const order = [];
  const grades = new Map();
  const lines = new Map();
  let retrieved = true;
  for (const [i, line] of text.split(LINE_ENDS).entries()) {
    const [item, stars] = itemAndStars(line);
    const isRule = /^-{3,}$/.test(item);
    const complain = (name, values) => ({
      problem: say("own", name, { line: above + i + 1, item: printable(item), ...values }),
    });
    if (isRule && !stars) retrieved = false;
    else if ((isRule || !item) && stars) return complain("no item");
    else if (stars > LIMITS.grade) return complain("stars", { most: LIMITS.grade });
    else if (lines.has(item)) return complain("twice", { first: lines.get(item) });
    else if (item) {
      lines.set(item, above + i + 1);
      if (retrieved) order.push(item);
      grades.set(item, stars);
    }
  }
  return { order, grades };
}

// Queries, separated by empty lines: the query on the first line, and its list below.
export function readQueries(text) {
  const queries = new Map();
  let name = null;
  for (const [i, line] of text.split(LINE_ENDS).entries()) {
    const words = line.trim();
    if (!words) name = null;
    else if (name !== null) queries.get(name).lines.push(line);
    else if (queries.has(words)) {
      const values = { line: i + 1, query: printable(words), first: queries.get(words).above };
      return { problem: say("own", "query twice", values) };
    } else {
      name = words;
      queries.set(name, { above: i + 1, lines: [] });
    }
  }
  const lists = [...queries].map(([query, { above, lines }]) => ({
    query,
    ...readList(lines.join("\n"), above),
  }));
  return { problem: lists.find(({ problem }) => problem)?.problem, lists };
}

function writeList(items, order, grades) {
  const line = (item) => `${item} ${"*".repeat(grades[item])}`.trim();
  const retrieved = new Set(order);
  const missed = items.filter((item) => !retrieved.has(item));
  return [...order.map(line), ...(missed.length ? ["---", ...missed.map(line)] : [])].join("\n");
}

// A list as the widget that Python would send.
function ownRanks({ order, grades, query = "" }) {
  const items = [...grades.keys()].map((id) => ({ id, label: id }));
  const start = { order, grades: Object.fromEntries(grades) };
  const top = Math.max(1, ...grades.values());
  const may = { grading: true, docking: true, judged: true };
  return {
    ...start,
    fixed: { items, start, max_grade: top, spans: {}, caption: query, ...may },
  };
}
function ownExplorer(measures, list) {
  const fixed = { ranks: ownRanks(list), measures, start_k: null, most_k: 1 };
  return new PageModel({ fixed, k: null, answers: {} });
}
function ownQueries([measure], lists) {
  const fixed = { ranks: lists.map(ownRanks), measure, formulas: {}, stops: [] };
  return new PageModel({ fixed, formula: "mean of all", never: null });
}

// Whether a measure uses grades, not only relevance.
const isGraded = ({ workings, rel }) => "gain" in workings || "reached" in workings || rel > 1;

export async function view(model, el) {
  const id = freshId("own");
  const { measures, queries: several, label } = model.get("fixed");
  const caption = several ? "queries" : measures.some(isGraded) ? "graded caption" : "caption";
  const field = make("textarea.rm-text", {
    id,
    rows: Math.max(several ? 14 : 8, model.get("text").split("\n").length + 1),
    spellcheck: "false",
    autocomplete: "off",
    dir: "auto",
  });
  const message = makeMessage();
  const place = make("div");
  el.classList.add(several ? "rm-queries" : "rm-explorer");
  let stop = () => {};
  let drawn = null;

  async function draw() {
    const text = model.get("text");
    if (field.value !== text) field.value = text;
    if (text === drawn) return;
    drawn = text;
    const found = several ? readQueries(text) : readList(text);
    const isEmpty = !(several ? found.lists : found.order)?.length;
    const problem = found.problem ?? (isEmpty ? say("own", several ? "no query" : "empty") : "");
    message.show({ text: problem, tone: "warn" });
    place.inert = Boolean(problem); // what is shown is the list before
    place.classList.toggle("rm-stale", Boolean(problem));
    if (problem) return;
    stop();
    const shown = several ? ownQueries(measures, found.lists) : ownExplorer(measures, found);
    const inner = make("div");
    stop = await (several ? viewQueries : viewExplorer)(shown, inner);
    place.replaceChildren(inner);
    const lists = [shown.get("fixed").ranks].flat();
    const written = (ranks, { grades, query }) =>
      [query, writeList([...grades.keys()], ranks.get("order"), ranks.get("grades"))]
        .filter(Boolean)
        .join("\n");
    for (const each of lists)
      each.on("change:order change:grades", () => {
        const all = several ? found.lists : [found];
        drawn = lists.map((ranks, i) => written(ranks, all[i])).join("\n\n");
        change(model, { text: drawn });
      });
  }
  field.addEventListener("input", () => change(model, { text: whole(field.value) }));
  el.append(
    make("label.rm-title", { for: id, text: label ?? say("own", caption) }),
    field,
    message.node,
    place,
  );
  const hearing = listen(model, "change:text", draw);
  await draw();
  return together(hearing, () => stop());
}
