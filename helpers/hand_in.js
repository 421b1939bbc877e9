// What a reader answered on this page, as a text to copy and a file to save. Nothing is sent.

import { make, put } from "../byhand/widgets/browser/dom.js";
import { replyTo } from "../byhand/widgets/prediction/answers.js";

const FORM = 1; // of the line that `python -m helpers answers` reads
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
const different = (tries) => [
  ...new Map(tries.map((each) => [JSON.stringify(each), each])).values(),
];

// What a reader entered for a question: each try once, and how it ended.
function answerTo(task, { values = {}, first = [], opened }) {
  const { fixed } = JSON.parse(task.dataset.live);
  const { guesses = [], told = false, covers } = values;
  const tries = different([...first, ...guesses]);
  const right = tries.findIndex((each) => replyTo(fixed, [each], false).over);
  return {
    question: task.dataset.question,
    tries,
    right: right < 0 ? null : right + 1, // the number of the try
    shown: told || opened,
    skipped: covers === false && !tries.length && !told,
  };
}

// `read(task)` gives what is kept of it. What is handed in follows it each time that the part is
// opened; what comes back counts again how many are right and links to the others, where a page says
// that: in an exam.
export function startHandIn(node, [score, missed], tasks, read) {
  const asked = tasks.filter((task) => task.dataset.question);
  const words = node.dataset;
  const name = node.querySelector("input");
  const text = node.querySelector("textarea");
  const said = node.querySelector("[role=status]");
  const [copy, save] = node.querySelectorAll("button");

  function sheet() {
    const answers = asked.map((task) => answerTo(task, read(task)));
    return {
      "ranking-metrics-by-hand": FORM,
      lesson: words.lesson,
      edition: words.edition,
      name: name.value.trim(),
      when: new Date().toISOString(),
      first: answers.filter(({ right }) => right === 1).length,
      of: answers.length,
      answers,
    };
  }
  function lineOf({ question, tries, right, shown, skipped }) {
    const how = right ? "right" : skipped ? "skipped" : tries.length ? "wrong" : "none";
    const entered = tries.map((each) => [each].flat().join(" > ")).join(" | ");
    const line = fill(words[how], { n: right, tries: entered });
    return `${question}: ${line}${shown ? ` ${words.shown}` : ""}`;
  }
  function textOf(made) {
    const head = [document.title, made.name, fill(words.score, made)].filter(Boolean);
    return [...head, ...made.answers.map(lineOf), "", JSON.stringify(made)].join("\n");
  }
  function show() {
    text.value = textOf(sheet());
    put(said, { text: "" });
  }
  // three of four are a good result, as an exam says itself
  function count() {
    if (!score) return;
    const made = sheet();
    const { all, passed } = score.dataset;
    const more = made.first === made.of ? all : made.first >= 0.75 * made.of ? passed : "";
    put(score, { text: [fill(words.score, made), more].filter(Boolean).join(". ") });
    const links = made.answers.flatMap(({ question, tries, right }, i) => {
      if (!tries.length || right === 1) return [];
      asked[i].id ||= question;
      return [" ", make("a", "", { href: `#${asked[i].id}`, text: question.split("-").at(-1) })];
    });
    missed.hidden = !links.length;
    missed.querySelector("span").replaceChildren(...links);
  }

  node.addEventListener("toggle", show);
  name.addEventListener("input", show);
  copy.addEventListener("click", async () => {
    show();
    try {
      await navigator.clipboard.writeText(text.value);
      put(said, { text: words.copied });
    } catch {
      text.select(); // a page in a frame may not
      put(said, { text: words.select });
    }
  });
  save.addEventListener("click", () => {
    const made = sheet();
    const href = URL.createObjectURL(
      new Blob([JSON.stringify(made, null, 1)], { type: "text/json" }),
    );
    const who = made.name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
    make("a", "", {
      href,
      download: `${[made.lesson, who].filter(Boolean).join("-")}.json`,
    }).click();
    URL.revokeObjectURL(href);
    put(said, { text: words.saved });
  });
  count();
  return count;
}
