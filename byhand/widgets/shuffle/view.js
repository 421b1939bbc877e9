// A list is shuffled, again and again: what each order gets lands in a heap beside it.

import { makeButton, makeGroup } from "../browser/controls.js";
import { draw, make, put, text } from "../browser/dom.js";
import { change, childOf, listen, together } from "../browser/model.js";
import { say } from "../browser/words.js";
import { percent } from "../experiment/dials.js";
import { heightOf } from "../list/alongside.js";
import { alike, decimals, evaluate, listOf, nameOf } from "../list/engine.js";
import { listWords, shownOf } from "../list/lanes.js";
import { makePanel } from "../list/panel.js";
import { makeStage } from "../list/stage.js";
import { endsOf, landedOf, reaching, valueAt, waysOf } from "./draws.js";
import { heap } from "./heap.js";
import { makeShuffles } from "./shuffles.js";

const LEAST = 288; // pixels of height for the heap

// What does not change with the order: where hits land by chance, and what that is worth.
function makeChance(seed) {
  const kept = new Map();
  return (key, ids, known) => {
    if (!kept.has(key)) {
      const [low, high] = endsOf(ids, known);
      kept.set(key, { values: [], means: [], total: 0, low, high, ways: waysOf(ids, known) });
    }
    const chance = kept.get(key);
    const grow = (n) => {
      for (let i = chance.values.length; i < n; i += 1) {
        const value = valueAt(landedOf(seed, i, ids.length, known.total), ids, known);
        chance.total += value;
        chance.values.push(value);
        chance.means.push(chance.total / (i + 1));
      }
      return { ...chance, values: chance.values.slice(0, n), means: chance.means.slice(0, n) };
    };
    return grow;
  };
}

// Beside the rows where the newest shuffle has put the hits, and the heap.
function makeHeap(now) {
  const svg = draw("svg", { class: "rm-heap", "aria-hidden": "true" });
  const lane = make("div", "rm-lane", { role: "img" }, svg);
  const head = make("div", "rm-heap-head", { "aria-hidden": "true" });
  let last = null;
  const height = () => Math.max(heightOf(last.lines), LEAST);

  function show(given) {
    last = given;
    const known = now(given);
    const width = lane.clientWidth || 460;
    const left = width > 300 ? 40 : 24;
    put(svg, { width, height: height() });
    svg.replaceChildren(
      ...newest(known, given.lines),
      ...heap(known, { left, right: width - 4, height: height() }),
    );
  }
  function newest({ landed }, lines) {
    if (!landed) return [];
    return [
      text(0, -6, say("shuffle", "newest"), "rm-quiet", "start"),
      ...lines.map(({ rank, top, height: high }) =>
        draw("circle", {
          cx: 7,
          cy: top + high / 2,
          r: landed.includes(rank) ? 5.5 : 1.5,
          class: landed.includes(rank) ? "rm-landed rm-on" : "rm-landed",
        }),
      ),
    ];
  }
  const place = (lines) => show({ ...last, lines });
  const words = ({ shown, lanes }) => listWords(shown, lanes);
  return { look: "heap", axis: head, lane, show, place, height, words };
}

export async function view(model, el) {
  const { ranks: given, measures, levels, others, seed } = model.get("fixed");
  const ranks = await childOf(model, given);
  const chanceOf = makeChance(seed);
  const atNow = () => measures.findIndex(({ asked }) => asked === model.get("measure"));

  const measured = ({ order, grades, spans }) => {
    const list = listOf(order, grades, spans);
    const nRetrieved = list.nRetrieved + (model.get("longer") ? others : 0);
    return [{ spec: measures[atNow()], ...evaluate({ ...list, nRetrieved }, measures[atNow()]) }];
  };
  const now = ({ shown, lanes: [{ spec, value: own }] }) => {
    const list = listOf(shown.order, shown.grades, shown.spans);
    const longer = model.get("longer");
    const ids = list.order.filter((id) => shown.grades[id] > 0).sort();
    const total = list.nRetrieved + (longer ? others : 0);
    const known = { total, grades: list.grades, judged: list.judged, spec };
    const n = shuffles.seen();
    const chance = chanceOf(`${atNow()} ${longer}`, ids, known)(n);
    const landed = n ? landedOf(seed, n - 1, ids.length, total) : null;
    const level = levels[atNow()][Number(longer)];
    const named = {
      own: say("shuffle", "own", { value: decimals(own) }),
      level: say("shuffle", "exact", { value: decimals(level) }),
    };
    return { ...chance, spec, own, level, named, landed };
  };
  const info = make("p", "rm-heap-words");
  const said = make("div", "rm-said", { role: "status", "aria-live": "polite" });
  const shuffles = makeShuffles(model, { grown: () => stage.show(), told: () => tell() });
  const tell = () => put(said, { text: info.textContent });
  const panel = makePanel([measures[atNow()]], model, { shows: () => makeHeap(now), measured });
  const stage = makeStage(el, [ranks], show, { look: (_, id) => panel.look(id) });
  const [list] = stage.lists;

  function wordsOf({ spec, values, means, own, level, ways }) {
    const n = values.length;
    const measure = nameOf(spec);
    if (!n) return say("shuffle", "level", { measure, level: decimals(level) });
    const all = { n, measure, mean: decimals(means.at(-1)), level: decimals(level) };
    const reach = reaching(values, own);
    const known = { value: decimals(own), n: reach, share: percent(reach / n) };
    const both = `${say("shuffle", "mean", all)} ${say("shuffle", "reach", known)}`;
    if (!ways) return both;
    const count = reaching(ways, own);
    const counted = { n: count, all: ways.length, share: percent(count / ways.length) };
    return `${both} ${say("shuffle", "ways", counted)}`;
  }
  function show([state], _, how) {
    const shown = shownOf(list, state);
    const lanes = panel.show(shown, how);
    const words = wordsOf(now({ shown, lanes }));
    for (const [i, button] of modes.entries())
      put(button, { "aria-pressed": String(i === atNow()) });
    put(longer, { "aria-pressed": String(model.get("longer")) });
    const isMoved =
      model.get("shuffles") ||
      model.get("longer") ||
      !alike(list.fixed.start.order, list.model.get("order"));
    over.style.visibility = isMoved ? "" : "hidden";
    put(info, { text: words });
    return [words];
  }
  const modes = measures.map((spec) =>
    makeButton(spec.asked, nameOf(spec), () => change(model, { measure: spec.asked })),
  );
  const longer = makeButton("longer", say("shuffle", "longer", { n: others }), () =>
    change(model, { longer: !model.get("longer") }),
  );
  const over = makeButton("over", say("shuffle", "over"), () => {
    stage.set([[list, list.fixed.start]]);
    change(model, { shuffles: 0, longer: false });
  });
  const choices = [...(modes.length > 1 ? modes : []), ...(others ? [longer] : [])];
  if (choices.length) el.append(makeGroup(say("shuffle", "measures"), ...choices));
  el.append(
    panel.beside(list),
    make("div", "rm-heap-foot", {}, shuffles.makeGroup(over), info),
    said,
  );
  stage.start();
  return together(
    listen(model, "change:measure change:longer", () => stage.show()),
    shuffles.stop,
    stage.stop,
    panel.stop,
  );
}
