// A switch for each choice on which tools differ, and what the measures become. Python has worked
// out every value; here they are picked and averaged.

import { makeMessage } from "../browser/controls.js";
import { freshId, make, put } from "../browser/dom.js";
import { change, listen } from "../browser/model.js";
import { listed, localised, say } from "../browser/words.js";
import LIMITS from "../limits.json" with { type: "json" };
import { decimals, signed, sum } from "../list/engine.js";

const MANY_QUERIES = 12; // more have no rows, only their mean
const STAYS = 5; // rows that leave room for the switches on a phone

const alikeIn = (one, other) =>
  Object.entries(one).every(([name, option]) => other[name] === option);

// What the queries have under some choices, null where one is left out, and their mean; or why there
// is none. Some queries have what a choice about them says, and such a choice may refuse them.
export function pickedFrom({ of, values, of_some: ofSome }, chosen) {
  const some = Object.entries(ofSome[chosen.unjudged]).map(([name, said]) => [
    said.skip,
    said[chosen[name]],
  ]);
  const all = [...some.map(([, own]) => own), values[of.map((name) => chosen[name]).join(" ")]];
  const why = all.find((each) => typeof each === "string");
  if (why) return { mean: null, why };
  const found = all.at(-1).map((value, i) => {
    const said = some.filter(([skipped]) => skipped[i] === null).map(([, own]) => own[i]);
    return said.includes(null) ? null : (said.at(-1) ?? value);
  });
  const counted = found.filter((value) => value !== null);
  return { values: found, mean: counted.length ? sum(counted) / counted.length : null };
}

export function view(model, el) {
  const { queries, choices, measures, presets, goal } = model.get("fixed");
  const names = measures.map(({ name }) => name);
  const message = makeMessage();
  const spoken = make("div", "rm-said", { role: "status" });
  const table = makeTable(names, queries.length > MANY_QUERIES ? [] : queries, goal);
  const meaning = make("p", "rm-meaning"); // of the switch that was turned last
  const all = makeSwitch(
    say("switchboard", "all as"),
    "all-as",
    presets.map(([name]) => [name, name]),
    (name) => take(Object.fromEntries(presets.map(([each, , of]) => [each, of]))[name], null),
  );
  const switches = choices.map((choice) =>
    makeChoice(choice, (option, by) => take(turned(model.get("chosen"), choice[0], option), by)),
  );
  // those of all measures, and those of some of them
  const begin = presets[0][2];
  const concerns = ([name]) => names.filter((measure) => name in begin[measure]);
  const isOfAll = (choice) => concerns(choice).length === names.length;
  const groupOf = (title, has) => {
    const inside = switches.filter((_, i) => has(choices[i])).map(({ node }) => node);
    const head = make("b", "rm-of", { text: title });
    return inside.length ? [make("div", "rm-switches", {}, head, ...inside)] : [];
  };
  const some = names.filter((name) =>
    choices.some((c) => !isOfAll(c) && concerns(c).includes(name)),
  );
  const groups = [
    ...groupOf(say("switchboard", "of all"), isOfAll),
    ...groupOf(say("switchboard", "of some", { measures: listed(some) }), (c) => !isOfAll(c)),
  ];
  all.node.classList.add("rm-all-as");
  let [shown, before] = [null, null]; // the choices that are drawn, and their means

  function take(chosen, by) {
    show(chosen, by);
    change(model, { chosen });
  }
  // `by`: the switch that made the choices, which says what they mean
  function show(chosen, by = null) {
    shown = chosen;
    const found = measures.map((measure) => pickedFrom(measure, chosen[measure.name]));
    const means = found.map(({ mean }) => mean);
    const moved = names.map((_, i) => (before ? movedBy(before[i], means[i]) : ""));
    const reached = reachedOf(goal, names, means);
    const there = goal.length > 0 && reached.length === goal.length;
    table.show(found, moved, reached);
    for (const each of switches) each.show(chosen, begin);
    meaning.replaceChildren(...(by?.meaning() ?? []));
    const alike = presets.map(([, , of]) => names.every((name) => alikeIn(of[name], chosen[name])));
    all.show(presets.find((_, i) => alike[i])?.[0], "–");
    put(spoken, { text: before ? changeWords(names, before, means, moved) : "" });
    message.show({
      title: goal.length
        ? say("switchboard", "goal", {
            wanted: listed(
              goal.map(([measure, value]) => `${measure}\u00a0=\u00a0${localised(value)}`),
            ),
          })
        : "",
      text: [
        there && say("switchboard", "reached"),
        refusalWords(names, found),
        whoseWords(presets.filter((_, i) => alike[i])),
      ]
        .filter(Boolean)
        .join(" "),
      tone: there ? "good" : "plain",
    });
    before = means;
  }
  el.append(
    make("div", "rm-bed", {}, message.node, table.node, all.node, ...groups, meaning, spoken),
  );
  show(model.get("chosen"));
  return listen(model, "change:chosen", () => {
    const chosen = model.get("chosen");
    if (chosen !== shown) show(chosen);
  });
}

// A switch counts for all measures that it concerns.
const turned = (chosen, name, option) =>
  Object.fromEntries(
    Object.entries(chosen).map(([measure, of]) => [
      measure,
      name in of ? { ...of, [name]: option } : of,
    ]),
  );

// A name, and a list to choose from, in words: all switches and the number fit on one screen.
function makeSwitch(label, name, options, onTurn) {
  const id = freshId("switch");
  const mixed = make("option", "", { value: "", hidden: "" }); // none of them
  const choose = make(
    "select",
    "",
    { id, "data-name": name },
    mixed,
    ...options.map(([value, text]) => make("option", "", { value, text })),
  );
  choose.addEventListener("change", () => onTurn(choose.value));
  const node = make(
    "div",
    "rm-switch",
    {},
    make("label", "", { for: id, text: label }),
    make("span", "rm-turn", {}, choose),
  );
  const show = (option, otherwise = "") => {
    put(mixed, { text: otherwise });
    choose.value = option ?? "";
  };
  return { node, show };
}

// A choice: its options, and what the one that is on means, and how it is typed.
function makeChoice([name, label, options], onTurn) {
  let on = []; // each measure that it concerns, and its option
  const own = makeSwitch(
    label,
    name,
    options.map(([option, , brief]) => [option, brief]),
    (option) => onTurn(option, choice),
  );
  const words = Object.fromEntries(options.map(([option, , brief]) => [option, brief]));
  const sentences = Object.fromEntries(
    options.map(([option, clause]) => [
      option,
      `${clause.replace(/^[a-zà-ý](?![A-Z])/, (first) => first.toUpperCase())}.`,
    ]),
  );
  const typed = () => make("code", "", { text: `${name}="${on[0][1]}"` });
  const choice = { ...own, show, meaning: () => [`${sentences[on[0][1]]} `, typed()] };

  function show(chosen, begin) {
    on = Object.entries(chosen)
      .filter(([, of]) => name in of)
      .map(([measure, of]) => [measure, of[name]]);
    const isOther = on.some(([measure, option]) => begin[measure][name] !== option);
    own.node.classList.toggle("rm-turned", isOther);
    const taken = [...new Set(on.map(([, option]) => option))];
    own.show(
      taken.length === 1 ? taken[0] : undefined,
      taken.map((option) => words[option]).join(" · "),
    );
  }
  return choice;
}

// The mean of each measure, how far the last turn moved it, and a row for each query.
function makeTable(names, queries, goal) {
  const body = make("tbody");
  const head = [say("switchboard", "query"), ...names].map((name) =>
    make("th", "", { scope: "col", text: name }),
  );
  const node = make(
    "table",
    queries.length > STAYS ? "rm-means" : "rm-means rm-stays",
    {},
    make("caption", "rm-said", { text: say("switchboard", "table") }),
    make("thead", "", {}, make("tr", "", {}, ...head)),
    body,
  );
  const row = (name, cells, look) =>
    make("tr", look, {}, make("th", "", { scope: "row", text: name }), ...cells);
  let last = []; // what stood in the cells of the queries

  function show(found, moved, reached) {
    const means = found.map(({ mean }, i) => {
      const by = make("span", "rm-moved-by", { text: moved[i] || "\u00a0" }); // its line stays, so that nothing jumps
      return make(
        "td",
        moved[i] ? "rm-changed" : "",
        {},
        make("span", "rm-mean-value", { text: meanWords(mean) }),
        by,
      );
    });
    const cells = queries.map((_, q) =>
      found.map(({ values }) =>
        !values ? "–" : values[q] === null ? say("switchboard", "left out") : decimals(values[q]),
      ),
    );
    const looks = (q, i) =>
      [
        last[q] && last[q][i] !== cells[q][i] ? "rm-changed" : "",
        /\d/.test(cells[q][i]) ? "" : "rm-zero",
      ]
        .join(" ")
        .trim();
    const wanted = names.map((name) => {
      const [, printed = "–"] = goal.find(([each]) => each === name) ?? [];
      return make("td", reached.includes(name) ? "rm-good" : "", {
        text: reached.includes(name) ? `✓ ${localised(printed)}` : localised(printed),
      });
    });
    body.replaceChildren(
      ...(goal.length ? [row(say("switchboard", "wanted"), wanted)] : []),
      row(say("switchboard", "mean"), means, "rm-of-all"),
      ...queries.map((name, q) =>
        row(
          name,
          cells[q].map((text, i) => make("td", looks(q, i), { text })),
        ),
      ),
    );
    last = cells;
  }
  return { node, show };
}

const meanWords = (mean) => (mean === null ? say("switchboard", "no mean") : decimals(mean));

// How far a mean has moved, in short; nothing if it has not.
function movedBy(was, now) {
  if (was === now || (was !== null && now !== null && Math.abs(was - now) < LIMITS.near)) return "";
  return was === null || now === null
    ? say("switchboard", "was", { value: meanWords(was) })
    : signed(now - was);
}

// What the last turn did, in words.
function changeWords(names, before, means, moved) {
  const said = names.map(
    (measure, i) =>
      moved[i] &&
      say("switchboard", "moved", { measure, was: meanWords(before[i]), now: meanWords(means[i]) }),
  );
  const still = names.filter((_, i) => !moved[i]);
  if (still.length === names.length) return say("switchboard", "none moved");
  return [...said, still.length && say("switchboard", "not moved", { measures: listed(still) })]
    .filter(Boolean)
    .join(" ");
}

function refusalWords(names, found) {
  const reasons = [...new Set(found.map(({ why }) => why).filter(Boolean))];
  return reasons
    .map((why) =>
      say("switchboard", "refused", {
        why,
        measures: listed(names.filter((_, i) => found[i].why === why)),
      }),
    )
    .join(" ");
}

function whoseWords(alike) {
  if (!alike.length) return say("switchboard", "nobody");
  return say("switchboard", "whose", {
    tools: listed(
      alike.map(([tool, nearly]) => (nearly ? say("switchboard", "nearly", { tool }) : tool)),
    ),
  });
}

// The measures whose mean is, rounded, the one that somebody reported.
const reachedOf = (goal, names, means) =>
  goal
    .filter(([name, printed, within]) => {
      const mean = means[names.indexOf(name)];
      return mean !== null && Math.abs(mean - printed) <= within + LIMITS.near;
    })
    .map(([name]) => name);
