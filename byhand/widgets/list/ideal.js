// My list beside the ideal one, on one scale: the sum so far of each. What is hatched is the gap.

import { make, put } from "../browser/dom.js";
import { listed, say } from "../browser/words.js";
import { heightOf, makeScale, set, settled } from "./alongside.js";
import { decimals, discount, gainOf, inIdeal, nameOf, sum, within } from "./engine.js";
import { makeFormula, ratio, words } from "./formula.js";
import { listWords } from "./lanes.js";
import { showMark } from "./row.js";

const PARTS = ["before", "now", "gap", "until"]; // of a sum so far

// The items of the ideal list, best first: all that were judged, or, as the measure has it, those of
// them that were retrieved; as many as the cutoff lets in.
function idealOf(shown, spec) {
  const retrieved = new Set(shown.order);
  const gradeOf = (id) => shown.grades[id] ?? 0;
  return shown.ids
    .filter((id) => gradeOf(id) > 0 && gradeOf(id) >= (spec.rel ?? 0))
    .filter((id) => spec.ideal !== "retrieved" || retrieved.has(id))
    .sort((a, b) => gradeOf(b) - gradeOf(a))
    .filter((_, i) => inIdeal(i + 1, shown.order.length, spec))
    .map((id, i) => ({
      id,
      grade: gradeOf(id),
      adds: gainOf(gradeOf(id), spec) * discount(i + 1, spec),
      missed: !retrieved.has(id),
    }));
}

// A step for each row, and for each rank of the ideal list below them: both sums so far.
function stepsOf(shown, only, lines) {
  const ideal = idealOf(shown, only.spec);
  const steps = settled(lines).map((row) => {
    return { ...row, next: row.rank + (shown.spans?.[row.id] ?? 1) };
  });
  for (let rank = steps.at(-1)?.next ?? 1; rank <= ideal.length; rank += 1) {
    const { top, height } = steps.at(-1) ?? { top: -44, height: 44 };
    steps.push({ id: null, rank, next: rank + 1, top: top + height, height });
  }
  let [mine, most] = [0, 0];
  return steps.map((step) => {
    const adds = step.id === null ? 0 : only.shares[step.place] * only.divisor;
    mine += adds;
    most += sum(ideal.slice(step.rank - 1, step.next - 1).map((each) => each.adds));
    const inside = within(step.rank, only.spec);
    return { ...step, adds, mine, most, best: ideal[step.rank - 1], inside };
  });
}

export function makeIdeal() {
  const head = makeFormula();
  const title = (name) => make("span.rm-title-of", { text: say("ideal", name) });
  const lane = make("div.rm-lane", { role: "img" });
  const scale = makeScale();
  const axis = make("div.rm-pair", scale.node, title("ideal"));
  const key = make(
    "p.rm-key",
    ...PARTS.map((name) => make("span", make(`i.rm-${name}`), say("ideal", name))),
  );
  let steps = [];

  function show({ shown, only, lines }) {
    steps = stepsOf(shown, only, lines);
    const { mine, most } = steps.at(-1) ?? { mine: 0, most: 0 };
    head.show(...formulaOf(only, mine, most));
    scale.show(say("ideal", "so far"), [
      [0, "0"],
      [1, decimals(most, 2)],
    ]);
    while (lane.children.length > steps.length) lane.lastChild.remove();
    while (lane.children.length < steps.length) lane.append(makeStep());
    for (const [i, step] of steps.entries()) {
      showStep(lane.children[i], step, { shown, most, last: i + 1 === steps.length });
    }
  }
  // what a row adds, in words, and without one what cannot be closed
  function explain(id) {
    const step = steps.find((each) => each.id === id);
    const values = step && {
      rank: step.rank,
      mine: decimals(step.mine, 2),
      ideal: decimals(step.most, 2),
      gap: decimals(step.most - step.mine, 2),
    };
    return step?.inside ? [say("ideal", "down to", values)] : null;
  }
  function rest({ shown }) {
    const missed = steps
      .filter((step) => step.best?.missed)
      .map((step) => shown.labels[step.best.id]);
    return missed.length
      ? say("ideal", "missed", { labels: listed(missed), n: missed.length })
      : null;
  }
  function said({ shown, lanes }) {
    const best = steps
      .filter((step) => step.best)
      .map((step) =>
        say("ideal", step.best.missed ? "best missed" : "best", {
          label: shown.labels[step.best.id],
          grade: step.best.grade,
        }),
      );
    return `${listWords(shown, lanes)} ${say("ideal", "list", { items: best.join(", ") || "–" })}`;
  }
  return {
    look: "ideal",
    head: head.node,
    axis,
    lane,
    value: ({ only }) => decimals(only.value),
    key,
    show,
    place: () => {},
    height: () => heightOf(steps),
    words: said,
    explain,
    rest,
  };
}

const makeStep = () =>
  make(
    "div.rm-step.rm-pair",
    make("div.rm-run", ...PARTS.map((name) => make(`i.rm-${name}`)), make("span.rm-total")),
    make(
      "div.rm-best",
      make("span.rm-best-words", make("span.rm-best-name"), make("small")),
      make("span"),
    ),
  );

function showStep(node, step, { shown, most, last }) {
  const [run, best] = node.children;
  const share = (part) => (most > 0 && step.inside ? part / most : 0);
  set(node, { top: `${step.top}px`, high: `${step.height}px` });
  set(run, {
    before: share(step.mine - step.adds),
    adds: share(step.adds),
    "gap-share": Math.max(0, share(step.most - step.mine)),
  });
  if (step.id === null) delete run.dataset.id;
  else run.dataset.id = step.id;
  node.classList.toggle("rm-beyond", !step.inside);
  put(run.lastChild, { text: last ? decimals(step.mine, 2) : "" });
  best.hidden = !step.best;
  if (!step.best) return;
  const { id, grade, missed } = step.best;
  best.dataset.id = id;
  best.classList.toggle("rm-unfound", missed);
  put(best, { title: shown.labels[id] });
  const [label, note] = best.firstChild.children;
  put(label, { text: shown.labels[id] });
  put(note, { text: missed ? say("ideal", "not found") : "" });
  best.lastChild.hidden = shown.top === 1;
  showMark(best.lastChild, grade, shown.top);
}

function formulaOf(only, mine, most) {
  const measure = nameOf(only.spec);
  if (!(most > 0)) return [say("formula", "no hit", { measure }), [words(measure)]];
  const [upper, lower] = [decimals(mine, 2), decimals(most, 2)];
  const value = decimals(only.value);
  const over = make("span.rm-mine", { text: say("ideal", "mine is", { mine: upper }) });
  return [
    say("formula", "share", { measure, mine: upper, ideal: lower, value }),
    [words(`${measure} =`), ratio([over], [words(say("ideal", "in all", { ideal: lower }))])],
  ];
}
