// A question: in a lesson, before it goes on; on a page, also as an exercise.

import { makeButton, makeField, makeGroup, makeMessage, makeOptions } from "../browser/controls.js";
import { makeCover } from "../browser/cover.js";
import { make } from "../browser/dom.js";
import { change, childOf, listen, together } from "../browser/model.js";
import { say } from "../browser/words.js";
import { makeStage } from "../list/stage.js";
import { refused, replyTo } from "./answers.js";

function entryOf({ kind, question, options, keys = options }, enter) {
  if (kind === "number") return makeField(say("prediction", "number label"), enter);
  if (!options) return null;
  const several = kind === "several";
  const label = say("prediction", several ? "several label" : question ? "prediction" : "exercise");
  return makeOptions(
    label,
    keys.map((key, i) => [key, options[i]]),
    { several },
  );
}

export async function view(model, el) {
  const question = model.get("fixed");
  const ranks = question.ranks ? await childOf(model, question.ranks) : null;
  const isExercise = !question.question; // its question is printed above it
  const stage = ranks && makeStage(el, [ranks], moved);
  const entry = entryOf(question, enter);
  const message = makeMessage();
  message.node.tabIndex = -1;
  const commit = makeButton("commit", say("prediction", isExercise ? "check" : "commit"), enter, {
    primary: true,
  });
  const again = makeButton("again", say("prediction", "again"), () => {
    answer({ guesses: [], told: false, covers: false });
    stage?.set([[stage.lists[0], ranks.get("fixed").start]]);
    (entry?.inputs[0] ?? commit).focus();
  });
  const tell = makeButton("show", say("prediction", "show"), () => {
    answer({ told: true });
    inSight();
  });
  const skip = makeButton("skip", say("prediction", "skip"), () => {
    answer({ covers: false });
    const { text, more } = replyTo(question, [], true);
    message.show({ text: say("prediction", "skipped", { answer: text }), more });
    if (question.opinion) entry.mark(question.answer);
    inSight();
  });
  const cover = makeCover(el, "prediction");
  const asked = make("div.rm-title", { text: question.question, dir: "auto" });
  const parts = [stage?.lists[0].frame.node, entry?.node, commit, tell, skip];
  const controls = makeGroup(
    say("prediction", isExercise ? "exercise" : "prediction"),
    ...parts.filter(Boolean),
  );
  asked.hidden = isExercise;

  // feedback on another order disappears
  function moved(_, __, { changed }) {
    if (changed && !reply().over) message.show({});
    return [""];
  }
  function answer(values) {
    change(model, values);
    show();
  }
  function enter() {
    if (reply().over) return;
    const given = entry ? entry.value() : ranks.get("order");
    const why = refused(given, question);
    if (why) message.show({ text: why, tone: "bad" });
    else answer({ guesses: [...model.get("guesses"), given] });
    inSight();
  }
  // at the lower edge of a window, the reader would see no change
  const inSight = () => (again.hidden ? message.node : again).scrollIntoView({ block: "nearest" });
  const reply = () => replyTo(question, model.get("guesses"), model.get("told"));

  function show() {
    const said = reply();
    const over = Boolean(said.over);
    const asking = model.get("covers") && !over;
    message.show(said);
    const focused = [commit, tell, skip].find((button) => button === document.activeElement);
    cover.show(asking, over);
    skip.hidden = !asking;
    commit.hidden = over;
    again.hidden = !over;
    tell.hidden = !said.offer;
    // not to "Try again": the next Enter would press it
    if (focused?.hidden) (over ? message.node : commit).focus({ preventScroll: over });
    entry?.lock(over);
    if (question.opinion) entry.mark(over ? question.answer : []);
    // a list that is answered has no more to drag
    for (const how of stage?.lists[0].frame.hint.querySelectorAll(":scope > span") ?? [])
      how.hidden = over;
    const guesses = model.get("guesses");
    if (guesses.length !== shown) entry?.put(guesses.at(-1));
    shown = guesses.length;
  }
  let shown = -1; // number of guesses that the field has shown
  el.append(make("div.rm-ask", asked, controls, message.node, again), cover.node);
  stage?.start();
  show();
  return together(listen(model, "change:guesses change:told change:covers", show), cover.stop, () =>
    stage?.stop(),
  );
}
