// How far an order is from a goal, in a sentence, with room for the longest that may follow.

import { makeMessage } from "../browser/controls.js";
import { make } from "../browser/dom.js";
import { listed, say } from "../browser/words.js";
import LIMITS from "../limits.json" with { type: "json" };
import { decimals, shortly } from "./engine.js";

const AIMS = { highest: "below", lowest: "above", reach: "away", nearest: "nearer" };

// The score of values for a goal; higher is better for any aim.
function scoreOf(goal, values) {
  const value = values[goal.measure];
  if (goal.aim === "highest") return value;
  return goal.aim === "lowest" ? -value : -Math.abs(value - goal.target);
}

// Each measure whose value is not the required one, and the required value.
const unmetOf = (goal, values) =>
  goal.given.filter(([name, value]) => Math.abs(values[name] - value) > LIMITS.near);

const isReached = (score, best) => score > best - LIMITS.near;

// The current and required values of some measures, in sentences.
function needWords(given, { values, names, digits }) {
  const said = given.map(([name, target]) => {
    const value = decimals(values[name], digits);
    return say("challenge", "has to be", { measure: names[name], value, target: shortly(target) });
  });
  return said.join(" ");
}

function farWords(goal, gap, { values, names, digits }) {
  const [measure, value] = [names[goal.measure], decimals(values[goal.measure], digits)];
  return say("challenge", AIMS[goal.aim], { measure, value, gap: decimals(gap, digits) });
}

export function verdictOf(goal, facts) {
  const unmet = unmetOf(goal, facts.values);
  if (unmet.length) return [needWords(unmet, facts), false];
  const score = scoreOf(goal, facts.values);
  if (isReached(score, facts.best)) return [reachedWords(goal, facts), true];
  const gap = goal.target == null ? facts.best - score : -score;
  return [farWords(goal, gap, facts), false];
}

// The orders that were searched, so that "no better" claims no more.
function reachedWords(goal, { n, names }) {
  if (goal.aim === "reach") return say("challenge", "reached");
  const found = { lowest: "lowest", nearest: "nearest" }[goal.aim] ?? "best";
  if (goal.given.length === 0) return say("challenge", found, { n });
  const given = goal.given.map(([name, value]) => `${names[name]} = ${shortly(value)}`);
  return say("challenge", `${found} given`, { given: listed(given), n });
}

// The goal, the distance from it, and more. Room for later messages is reserved from the start, so that
// rows do not move while they are dragged.
export function makeVerdict() {
  const message = makeMessage();
  const verdict = message.node.querySelector(".rm-verdict");
  const room = make("div.rm-room", { "aria-hidden": "true" });
  const both = make("div.rm-verdicts");
  verdict.replaceWith(both);
  both.append(verdict, room);
  function show(goal, facts, others = {}) {
    const [text, there] = verdictOf(goal, facts);
    const longest = [
      `✓ ${reachedWords(goal, facts)}`,
      farWords(goal, 0, facts),
      needWords(goal.given, facts),
    ];
    room.replaceChildren(...longest.map((each) => make("div", { text: each })));
    message.show({ title: goal.sentence, text, tone: there ? "good" : "plain", ...others });
  }
  return { node: message.node, show };
}
