// How far an order is from a goal, in a sentence, with room for the longest that may follow.

import { makeMessage } from "../browser/controls.js";
import { make } from "../browser/dom.js";
import { listed, say } from "../browser/words.js";
import { decimals, shortly } from "./engine.js";
import { isReached, scoreOf, unmetOf } from "./goals.js";

const AIMS = { highest: "below", lowest: "above", reach: "away", nearest: "nearer" };

// What an order has to have and has not, in sentences.
function unmetWords(goal, { values, first, moved, names, digits }) {
  if (goal.one_swap && moved !== 2)
    return [moved ? say("challenge", "swap", { n: moved }) : say("challenge", "swap none")];
  return unmetOf(goal, values, first).map(([name, target]) =>
    say("challenge", "has to be", {
      measure: names[name],
      value: decimals(values[name], digits),
      target: shortly(target),
    }),
  );
}

// How far a list is from a goal, in a sentence; whether it has what it has to have; whether it is
// there.
export function verdictOf(goal, facts) {
  const { values, first, best, n, names, digits } = facts;
  const unmet = unmetWords(goal, facts);
  if (unmet.length) return [unmet.join(" "), false, false];
  const score = scoreOf(goal, values, first);
  const there = isReached(goal, score, best);
  const [measure, value] = [names[goal.measure], decimals(values[goal.measure], digits)];
  if (goal.aim === "change") {
    if (!there) return [say("challenge", "still", { measure, value }), true, false];
    return [
      say("challenge", "changed", { measure, change: decimals(score), most: decimals(best) }),
      true,
      true,
    ];
  }
  if (there) return [reachedWords(goal, first, n, names), true, true];
  const gap = decimals(goal.target == null ? best - score : -score, digits);
  return [say("challenge", AIMS[goal.aim], { measure, value, gap }), true, false];
}

// What else may be said of a goal: the longest of it has its room from the first, so that the rows stay
// under the hand that drags them.
function othersOf(goal, { values, first, best, n, names, digits }) {
  const [measure, value] = [names[goal.measure], decimals(values[goal.measure], digits)];
  const [gap, most] = [decimals(0, digits), decimals(best, digits)];
  const needs = goal.given.map(([name, target]) =>
    say("challenge", "has to be", {
      measure: names[name],
      value: decimals(values[name]),
      target: shortly(target ?? first[name]),
    }),
  );
  const said =
    goal.aim === "change"
      ? [
          say("challenge", "still", { measure, value }),
          say("challenge", "changed", { measure, change: gap, most }),
        ]
      : [
          `✓ ${reachedWords(goal, first, n, names)}`,
          say("challenge", AIMS[goal.aim], { measure, value, gap }),
        ];
  return [...said, needs.join(" "), ...(goal.one_swap ? [say("challenge", "swap none")] : [])];
}

// What was searched, so that "no better" claims no more.
function reachedWords(goal, first, n, names) {
  if (goal.aim === "reach") return say("challenge", "reached");
  if (goal.one_swap) return say("challenge", "best swap");
  const found = { lowest: "lowest", nearest: "nearest" }[goal.aim] ?? "best";
  if (goal.given.length === 0) return say("challenge", found, { n });
  const given = goal.given.map(
    ([name, value]) => `${names[name]} = ${shortly(value ?? first[name])}`,
  );
  return say("challenge", `${found} given`, { given: listed(given), n });
}

// The goal, how far one is from it, and more; `there` once it is reached.
export function makeVerdict() {
  const message = makeMessage();
  const verdict = message.node.querySelector(".rm-verdict");
  const room = make("div", "rm-room", { "aria-hidden": "true" });
  const both = make("div", "rm-verdicts");
  verdict.replaceWith(both);
  both.append(verdict, room);
  function show(goal, facts, others = {}) {
    const [text, , there] = verdictOf(goal, facts);
    room.replaceChildren(...othersOf(goal, facts).map((each) => make("div", "", { text: each })));
    message.show({ title: goal.sentence, text, tone: there ? "good" : "plain", ...others });
  }
  return { node: message.node, show };
}
