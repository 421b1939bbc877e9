// Two lists under the same measures, to see which measure tells them apart.

import { makeButton, makeGroup, makeMessage, makeMore } from "../browser/controls.js";
import { card, flow, make } from "../browser/dom.js";
import { childOf, listen, together } from "../browser/model.js";
import { listed, say } from "../browser/words.js";
import LIMITS from "../limits.json" with { type: "json" };
import { asFraction, decimals, nameOf } from "../list/engine.js";
import { shownOf, wordsOf } from "../list/lanes.js";
import { makePanel } from "../list/panel.js";
import { makeStage } from "../list/stage.js";

const differ = ([, a, b]) => Math.abs(a - b) > LIMITS.near;

// Which measures tell two lists apart, and which list they prefer: measure names and two values.
function duelWords(pairs, [first, second]) {
  const names = (some) => some.map(([name]) => name);
  const blind = names(pairs.filter((pair) => !differ(pair)));
  const said = blind.length ? [say("duel", "blind", { measures: listed(blind) })] : [];
  for (const [list, sign] of [
    [first, 1],
    [second, -1],
  ]) {
    const fans = names(pairs.filter((pair) => differ(pair) && sign * (pair[1] - pair[2]) > 0));
    if (fans.length === 0) continue;
    said.push(
      say("duel", blind.length ? "can" : "say", { measures: listed(fans), list, n: fans.length }),
    );
  }
  return said.join(" ");
}

function pairCard([name, a, b]) {
  const sign = differ([name, a, b]) ? "≠" : "=";
  const fractions = [a, b].map((value) => asFraction(value, LIMITS.simple));
  const exact = fractions.every(Boolean) ? fractions.join(` ${sign} `) : "";
  const fraction = make("span", "rm-fraction", { text: exact });
  return card(`${name}: ${decimals(a)} ${sign} ${decimals(b)}`, "rm-card", fraction);
}

export async function view(model, el) {
  // a page may have been made before a duel had a goal
  const { ranks, measures: specs, k, goal = {}, sentence = "", solution = [] } = model.get("fixed");
  const models = await Promise.all(ranks.map((each) => childOf(model, each)));
  const panels = models.map(() =>
    makePanel(specs, model, { values: specs.length === 1, example: true }),
  );
  const scores = make("div", "rm-values rm-pairs");
  const message = makeMessage();
  if (sentence) message.node.tabIndex = -1; // the focus goes there once the duel is won
  const stage = makeStage(el, models, show, {
    look: (list, id) => panels[stage.lists.indexOf(list)].look(id),
    shared: true,
  });
  const names = stage.lists.map((list) => list.fixed.caption);

  function show(states, _, how) {
    const answers = model.get("answers") ?? [];
    const lanes = states.map((state, i) =>
      panels[i].show(shownOf(stage.lists[i], state, k), { answers: answers[i], ...how }),
    );
    const pairs = lanes[0].map((lane, i) => [
      nameOf(lane.spec),
      lane.value ?? NaN,
      lanes[1][i].value ?? NaN,
    ]);
    scores.replaceChildren(...pairs.map(pairCard));
    const verdict = verdictOf(pairs);
    const onTell = document.activeElement === tell;
    message.show({ title: sentence, ...verdict });
    tell.hidden = verdict.tone === "good";
    if (onTell && tell.hidden) message.node.focus();
    return lanes.map((each) => `${wordsOf(each)}.`);
  }
  // what the two lists are now, and whether that is what was asked for
  function verdictOf(pairs) {
    const text = duelWords(pairs, names);
    const isWon =
      sentence &&
      specs.every(({ asked }, i) => (goal[asked] ?? differ(pairs[i])) === differ(pairs[i]));
    return isWon ? { text: `${say("challenge", "reached")} ${text}`, tone: "good" } : { text };
  }
  const tell = makeButton("solution", say("challenge", "solution"), () =>
    stage.set(
      stage.lists.map((list, i) => [list, { order: solution[i], grades: list.fixed.start.grades }]),
    ),
  );
  const reset = makeButton(
    "reset",
    say("controls", "reset"),
    () => stage.set(stage.lists.map((list) => [list, list.fixed.start])),
    { title: say("duel", "reset title") },
  );
  const columns = stage.lists.map((list, i) => panels[i].beside(list));
  const controls = makeGroup(say("duel", "controls"), reset, ...stage.buttons);
  const later = makeMore(model, [], controls, stage.lists[0].frame.keys);
  if (sentence) {
    const tools = make("div", "rm-controls", {}, tell);
    el.append(make("div", "rm-ask", {}, message.node, scores, flow(...columns), tools, later));
  } else el.append(scores, message.node, flow(...columns), later);
  stage.start();
  const stops = panels.map((panel) => panel.stop);
  return together(
    listen(model, "change:answers", () => stage.show()),
    stage.stop,
    ...stops,
  );
}
