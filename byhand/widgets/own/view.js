// A list of the reader's own: written or pasted as text, and then a list like any other.

import { makeMessage } from "../browser/controls.js";
import { freshId, make } from "../browser/dom.js";
import { change, listen, PageModel, together } from "../browser/model.js";
import { say } from "../browser/words.js";
import { view as viewExplorer } from "../explorer/view.js";
import LIMITS from "../limits.json" with { type: "json" };

const LINE_ENDS = /\r\n|[\r\n\u2028\u2029]/;

// A line's item and its stars. No expression: one that looks for a last star takes a minute for a
// line of 60,000 blanks.
function itemAndStars(line) {
  const words = line.trim();
  let [start, end] = [0, words.length];
  while (words[start] === "*") start += 1;
  while (end > start && words[end - 1] === "*") end -= 1;
  return [words.slice(start, end).trim(), start + words.length - end];
}

// Half a character, which no address and no message to Python can hold, as the sign for one.
const whole = (text) => text.replace(/\p{Surrogate}/gu, "\ufffd");

// What steers a line, or is no character at all, as Python's errors write it.
const STEERS = /[^\P{Cc}\t\n]|[\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/gu;
function printable(text) {
  return text.replace(STEERS, (sign) => {
    const code = sign.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, "0")}`;
  });
}

// One item a line, a star for each grade; below "---" stands what was not retrieved.
export function readList(text) {
  const order = [];
  const grades = new Map();
  const lines = new Map();
  let retrieved = true;
  for (const [i, line] of text.split(LINE_ENDS).entries()) {
    const [item, stars] = itemAndStars(line);
    const isRule = /^-{3,}$/.test(item);
    const complain = (name, values) => ({
      problem: say("own", name, { line: i + 1, item: printable(item), ...values }),
    });
    if (isRule && !stars) retrieved = false;
    else if ((isRule || !item) && stars) return complain("no item");
    else if (stars > LIMITS.grade) return complain("stars", { most: LIMITS.grade });
    else if (lines.has(item)) return complain("twice", { first: lines.get(item) });
    else if (item) {
      lines.set(item, i + 1);
      if (retrieved) order.push(item);
      grades.set(item, stars);
    }
  }
  return { order, grades };
}

function writeList(items, order, grades) {
  const line = (item) => `${item} ${"*".repeat(grades[item])}`.trim();
  const retrieved = new Set(order);
  const missed = items.filter((item) => !retrieved.has(item));
  return [...order.map(line), ...(missed.length ? ["---", ...missed.map(line)] : [])].join("\n");
}

// The list as the widgets that a list has: its traits are those that Python would send.
function ownExplorer(measures, { order, grades }) {
  const items = [...grades.keys()].map((id) => ({ id, label: id }));
  const start = { order, grades: Object.fromEntries(grades) };
  const top = Math.max(1, ...grades.values());
  const may = { grading: true, docking: true, judged: true };
  const list = {
    ...start,
    fixed: { items, start, max_grade: top, spans: {}, caption: "", ...may },
  };
  const fixed = { ranks: list, measures, seed: 0, start_k: null, most_k: 1 };
  return new PageModel({ fixed, k: null, answers: {} });
}

const LINKED = "#list=";

// Whether a measure asks for more than what is relevant: its lessons speak of grades.
const isGraded = ({ workings, rel }) => "gain" in workings || "reached" in workings || rel > 1;

export async function view(model, el) {
  const id = freshId("own");
  const caption = model.get("fixed").measures.some(isGraded) ? "graded caption" : "caption";
  const field = make("textarea", "rm-text", {
    id,
    rows: 8,
    spellcheck: "false",
    autocomplete: "off",
    dir: "auto",
  });
  const message = makeMessage();
  const link = make("a", "", { text: say("own", "link") });
  const place = make("div");
  let stop = () => {};
  let drawn = null;

  async function draw() {
    const text = model.get("text");
    if (field.value !== text) field.value = text;
    link.href = LINKED + encodeURIComponent(whole(text));
    if (text === drawn) return;
    drawn = text;
    const found = readList(text);
    const problem = found.problem ?? (found.order.length ? "" : say("own", "empty"));
    message.show({ text: problem, tone: "warn" });
    place.inert = Boolean(problem); // what is shown is the list before
    place.classList.toggle("rm-stale", Boolean(problem));
    if (problem) return;
    stop();
    const explorer = ownExplorer(model.get("fixed").measures, found);
    const { ranks } = explorer.get("fixed");
    const inner = make("div", "rm-explorer");
    stop = await viewExplorer(explorer, inner);
    place.replaceChildren(inner);
    ranks.on("change:order change:grades", () => {
      drawn = writeList([...found.grades.keys()], ranks.get("order"), ranks.get("grades"));
      change(model, { text: drawn });
    });
  }
  // someone sent a list: it stands in the address
  function follow() {
    if (!model.alone || !location.hash.startsWith(LINKED)) return;
    try {
      model.set("text", decodeURIComponent(location.hash.slice(LINKED.length)));
    } catch {
      message.show({ text: say("own", "torn link"), tone: "warn" });
    }
    el.scrollIntoView();
  }

  field.addEventListener("input", () => change(model, { text: whole(field.value) }));
  el.append(
    make("label", "rm-title", { for: id, text: say("own", caption) }),
    field,
    message.node,
    place,
  );
  if (model.alone) message.node.after(link);
  const hearing = listen(model, "change:text", draw);
  await draw();
  addEventListener("hashchange", follow);
  requestAnimationFrame(follow); // once it stands in the page
  return together(
    hearing,
    () => removeEventListener("hashchange", follow),
    () => stop(),
  );
}
