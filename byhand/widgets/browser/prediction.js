// A question that a reader answers before the lesson does.

import { makeButton, makeChoice, makeField, makeGroup, makeMessage } from "./controls.js";
import { make } from "./dom.js";
import { alike } from "./engine.js";
import { change, childOf, listen, together } from "./model.js";
import { makeStage } from "./stage.js";
import { say } from "./words.js";
import LIMITS from "../limits.json" with { type: "json" };

// A number as people write it: 0.25, 1/4, 25 %, and 0,25 with a comma; null if it is none. Python's
// number_in reads the same.
const NUMBER = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(?:\/(\d+))?(%?)$/i;

export function numberOf(entered) {
  const found = entered.replace(/[ \t\r\n\u00a0\u202f]/g, "").replaceAll(",", ".").match(NUMBER);
  if (!found) return null;
  const [, above, below, percent] = found;
  if (below && (Number(below) === 0 || !/^[+-]?\d+$/.test(above))) return null;
  const value = Number(above) / Number(below ?? 1);
  return Number.isFinite(value) ? value / (percent ? 100 : 1) : null;
}

const KINDS = {
  number: {
    read: numberOf,
    isRight: (guess, { answer, tolerance }) => Math.abs(numberOf(guess) - answer) <= tolerance,
    missing: (entered) => (entered.trim() ? say("prediction", "no number", { guess: entered }) : say("prediction", "nothing")),
    slip: (guess, slips) => slips.find(([slip]) => Math.abs(numberOf(guess) - slip) < LIMITS.slip)?.[1],
  },
  choice: {
    read: (entered) => entered || null,
    isRight: (guess, { answer }) => guess === answer,
    missing: () => say("prediction", "choose"),
    slip: (guess, slips) => slips.find(([slip]) => slip === guess)?.[1],
  },
  order: {
    read: (entered) => entered,
    isRight: (guess, { answer }) => alike(guess, answer),
    missing: () => "",
    slip: () => undefined,
  },
};

// What to say to the guesses so far, the last one among them.
function replyTo(question, guesses, told) {
  const { kind, shown_answer: answer, why, hints, slips } = question;
  if (told) return { text: say("prediction", "the answer", { answer }), more: why, over: true };
  if (guesses.length === 0) return {};
  const guess = guesses.at(-1);
  if (KINDS[kind].isRight(guess, question)) {
    const words = kind === "choice" ? say("prediction", "right choice") : say("prediction", "right", { answer });
    return { text: words, tone: "good", more: why, over: true };
  }
  const hint = KINDS[kind].slip(guess, slips) ?? hints[Math.min(guesses.length, hints.length) - 1];
  const words = hint ? say("prediction", "hint", { hint }) : say("prediction", "wrong");
  return { text: words, tone: "warn", offer: guesses.length >= 2 };
}

export async function viewPrediction(model, el) {
  const question = model.get("fixed");
  const kind = KINDS[question.kind];
  const ranks = question.ranks ? await childOf(model, question.ranks) : null;
  const message = makeMessage();
  message.node.tabIndex = -1;
  const stage = ranks && makeStage(el, [ranks], () => [""]);
  const label = say("prediction", "caption");
  const commit = makeButton("commit", say("prediction", "commit"), enter, { primary: true });
  const again = makeButton("again", say("prediction", "again"), () => {
    answer({ guesses: [], told: false, covers: false });
    stage?.set([[stage.lists[0], stage.lists[0].fixed.start]]);
  });
  const tell = makeButton("show", say("prediction", "show"), () => answer({ told: true }));
  const skip = makeButton("skip", say("prediction", "skip"), () => {
    answer({ covers: false });
    message.show({ text: say("prediction", "skipped") });
  });
  const covered = make("div", "rm-hint", { text: say("prediction", "covered") });
  const choice = question.kind === "choice" ? makeChoice(label, question.options) : null;
  const field = question.kind === "number" ? makeField(label, enter) : null;
  const asked = make("div", "rm-title", { text: question.question, dir: "auto" });
  const parts = [stage?.lists[0].frame.node, choice?.node, field?.node, commit, tell, again, skip];
  const controls = makeGroup(label, ...parts.filter(Boolean));

  function answer(values) {
    change(model, values);
    show();
    if (values.guesses?.length === 0) (field?.input ?? choice?.inputs[0] ?? commit).focus();
  }

  function entered() {
    if (choice) return choice.inputs.find((input) => input.checked)?.value ?? "";
    return field ? field.input.value : ranks.get("order");
  }

  function enter() {
    if (over()) return;
    const given = entered();
    if (kind.read(given) === null) return message.show({ text: kind.missing(given) });
    answer({ guesses: [...model.get("guesses"), given] });
  }
  const reply = () => replyTo(question, model.get("guesses"), model.get("told"));
  const over = () => Boolean(reply().over);

  function show() {
    const said = reply();
    message.show(said);
    const focused = [commit, tell, skip].find((button) => button === document.activeElement);
    const asking = model.get("covers") && !over();
    el.classList.toggle("rm-asking", asking);
    skip.hidden = covered.hidden = !asking;
    commit.hidden = over();
    again.hidden = !over();
    tell.hidden = !said.offer;
    // not to "Try again": the next Enter would press it
    if (focused?.hidden) (over() ? message.node : commit).focus();
    if (field) field.input.readOnly = over();
    for (const input of choice?.inputs ?? []) input.disabled = over();
    if (model.get("guesses").length === 0 && !over()) {
      if (field) field.input.value = "";
      for (const input of choice?.inputs ?? []) input.checked = false;
    }
  }
  el.append(asked, controls, message.node, covered);
  stage?.start();
  show();
  return together(listen(model, "change:guesses change:told change:covers", show), () => stage?.stop());
}
