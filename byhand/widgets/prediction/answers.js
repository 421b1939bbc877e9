// Kinds of answers: which guesses are valid, which are right, and the feedback on wrong ones.
// Python's `answers.py` does the same.

import { say } from "../browser/words.js";
import LIMITS from "../limits.json" with { type: "json" };
import { alike } from "../list/engine.js";

// A number as people write it: 0.25, 1/4, 25 %, and 0,25 with a comma; null if it is none. Python's
// number_in reads the same.
const NUMBER = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(?:\/(\d+))?(%?)$/i;

export function numberOf(entered) {
  const found = entered
    .replace(/[ \t\r\n\u00a0\u202f]/g, "")
    .replaceAll(",", ".")
    .match(NUMBER);
  if (!found) return null;
  const [, above, below, percent] = found;
  if (below && (Number(below) === 0 || !/^[+-]?\d+$/.test(above))) return null;
  const value = Number(above) / Number(below ?? 1);
  return Number.isFinite(value) ? value / (percent ? 100 : 1) : null;
}

const isNear = (value, other, limit = LIMITS.slip) => Math.abs(value - other) < limit;

const number = {
  refused(entered, question) {
    const guess = numberOf(entered);
    if (guess === null)
      return entered.trim()
        ? say("prediction", "no number", { guess: entered })
        : say("prediction", "nothing");
    const close =
      !number.isRight(entered, question) && isNear(guess, question.answer, LIMITS.close);
    return close && !question.slips.some(([slip]) => number.isSlip(entered, slip))
      ? say("prediction", "close")
      : "";
  },
  isRight: (entered, { answer, tolerance }) => Math.abs(numberOf(entered) - answer) <= tolerance,
  isSlip: (entered, slip) => isNear(numberOf(entered), slip),
};
const optionsIn = ({ options, keys = options }) => ({ options: keys.join(", ") });
const choice = {
  refused: (chosen, question) => (chosen ? "" : say("prediction", "choose", optionsIn(question))),
  isRight: (chosen, { answer }) => chosen === answer,
  isSlip: (chosen, slip) => chosen === slip,
};
const several = {
  refused: (ticked, question) =>
    ticked.length ? "" : say("prediction", "tick", optionsIn(question)),
  isRight: (ticked, { answer }) => alike(ticked, answer),
  isSlip: alike,
};
// an order in parts, where it does not matter within them
function partsOf(items, parts) {
  const rest = [...items];
  return parts.map((n) => rest.splice(0, n).sort().join("\n"));
}
const order = {
  refused: () => "",
  isRight: (guess, { answer, parts }) =>
    parts ? alike(partsOf(guess, parts), partsOf(answer, parts)) : alike(guess, answer),
  // with any items between those of a slip
  isSlip: (guess, slip) =>
    alike(
      guess.filter((id) => slip.includes(id)),
      slip,
    ),
};
const KINDS = { number, choice, several, order };

export const refused = (entered, question) => KINDS[question.kind].refused(entered, question);

// The feedback on the n-th wrong guess, from 1.
function commentOn(guess, n, question) {
  const { hints, slips, kind } = question;
  const { isSlip } = KINDS[kind];
  const slip = slips.find(([each]) => isSlip(guess, each))?.[1];
  const hint = hints[Math.min(n, hints.length) - 1];
  const said = slip && n === 1 ? [slip] : [slip, hint];
  return [...new Set(said)].filter(Boolean).join(" ");
}

// For a question without a wrong guess: the number of options on which guess and answer agree.
function agreed(ticked, { opinion, answer, keys }) {
  const n = keys.filter((key) => ticked.includes(key) === answer.includes(key)).length;
  return opinion.replace("{n}", n).replace("{of}", keys.length);
}

export function replyTo(question, guesses, told) {
  const { kind, shown_answer: answer, why, parts, opinion } = question;
  if (told) return { text: say("prediction", "the answer", { answer }), more: why, over: true };
  if (guesses.length === 0) return {};
  const guess = guesses.at(-1);
  if (opinion) return { text: agreed(guess, question), more: why, over: true };
  if (KINDS[kind].isRight(guess, question)) {
    const isOnly = ["number", "order"].includes(kind) && !parts;
    const inWords = isOnly ? "right" : "right choice";
    return { text: say("prediction", inWords, { answer }), tone: "good", more: why, over: true };
  }
  // repeating a guess is not another try
  const n = new Set(guesses.map((each) => JSON.stringify(each))).size;
  const hint = commentOn(guess, n, question);
  const words = hint ? say("prediction", "hint", { hint }) : say("prediction", "wrong");
  return { text: words, tone: "warn", offer: n >= 2 };
}
