// A list is shuffled, again and again: what each order gets lands in a heap beside it.

import { makeButton } from "../browser/controls.js";
import { draw, make, put } from "../browser/dom.js";
import { change, childOf, listen } from "../browser/model.js";
import { percent, say } from "../browser/words.js";
import { heightOf } from "../list/alongside.js";
import { alike, decimals, evaluate, listOf, nameOf } from "../list/engine.js";
import { listWords, wordsOf } from "../list/lanes.js";
import { makeBoard } from "../list/stage.js";
import { dealOf, landedOf, mostAt, reaching, valueAt } from "./draws.js";
import { heap } from "./heap.js";
import { makeDrawn, makeShuffles } from "./shuffles.js";

const LEAST = 206; // pixels of height for the heap
const ENOUGH = 1000; // shuffles, which show by themselves what is exact

// A list whose rows may stand as the newest shuffle has them, which is not the order that is the
// reader's; but what a hand moves becomes that. A shuffle that was undone may be done again.
const standingAs = (ranks, { order, again, moved }) => ({
  get: (name) => (name === "order" && order()) || ranks.get(name),
  set(name, value) {
    if (name === "order" && again(value)) return;
    ranks.set(name, value);
    if (name === "order") moved();
  },
  on: (events, hear) => ranks.on(events, hear),
  off: (events, hear) => ranks.off(events, hear),
  save_changes: () => ranks.save_changes(),
});

// What does not change with the order: where hits land by chance, and what that is worth.
function makeChance(seed) {
  const kept = new Map();
  return (key, ids, known) => {
    if (!kept.has(key)) {
      const landed = (i) => landedOf(seed, i, ids.length, known.total);
      const drawn = makeDrawn((i) => valueAt(landed(i), ids, known));
      kept.set(key, { drawn, low: 0, high: Math.max(1, mostAt(ids, known)) });
    }
    const { drawn, ...chance } = kept.get(key);
    return (n) => ({ ...chance, ...drawn(n) });
  };
}

const isToldOf = ({ values }) => values.length >= ENOUGH;

function makeHeap(now, others) {
  const svg = draw("svg", { class: "rm-heap", "aria-hidden": "true" });
  const lane = make("div.rm-lane", { role: "img" }, svg);
  const head = make("div.rm-heap-head", { "aria-hidden": "true" });
  const height = ({ lines }) => Math.max(heightOf(lines), LEAST);
  const foot = make("div.rm-below");
  function show(given) {
    const { n, below } = others();
    put(foot, { text: n ? say("bench", "below", { n }) : "" });
    foot.style.visibility = below ? "" : "hidden";
    const width = lane.clientWidth || 460;
    const size = { width, height: height(given) };
    put(svg, size);
    svg.replaceChildren(...heap(now(given), { left: 8, right: width - 4, ...size }));
  }
  const words = ({ shown, lanes }) => listWords(shown, lanes, lanes[0].placed);
  return { look: "heap", axis: head, lane, foot, show, place: show, height, words };
}

export async function view(model, el) {
  const { ranks: given, measure: spec, levels, others, times, seed } = model.get("fixed");
  const ranks = await childOf(model, given);
  const chanceOf = makeChance(seed);
  const withOthers = (n) => n + (model.get("longer") ? others : 0);
  // how the newest shuffle has the rows; null while they are as the reader has them, and where a row
  // stands for several items, of which each would be somewhere else
  const dealt = () => (model.get("newest") ? newest() : null);
  function newest() {
    const { spans } = ranks.get("fixed");
    const done = model.get("shuffles");
    if (!done || Object.keys(spans).length) return null;
    const [order, grades] = ["order", "grades"].map((name) => ranks.get(name));
    return dealOf(seed, done - 1, { order, grades, total: withOthers(order.length) });
  }
  const takeBack = () => change(model, { newest: false });
  function again(order) {
    const isIt = alike(order, newest()?.order ?? []);
    if (isIt) change(model, { newest: true });
    return isIt;
  }
  const { panel, stage, list, start } = await makeBoard(model, el, [spec], show, {
    ranks: standingAs(ranks, { order: () => dealt()?.order, again, moved: takeBack }),
    shows: () => makeHeap(now, () => ({ n: withOthers(0), below: !standing() })),
    measured: (shown) => measuredAt(shown, standing()),
  });
  const standing = () => (stage.hand ? null : dealt());
  function listAt({ order, grades, spans }, at) {
    const plain = listOf(order, grades, spans);
    return { ...plain, ranks: at?.ranks ?? plain.ranks, nRetrieved: withOthers(plain.nRetrieved) };
  }
  const measuredAt = (shown, at) => {
    const placed = listAt(shown, at);
    return [{ spec, placed, ...evaluate(placed, spec) }];
  };
  function now({ shown, only }) {
    const { placed } = only;
    const mine = standing() ? { ...shown, order: ranks.get("order") } : shown;
    const [{ value: own }] = measuredAt(mine, null);
    const ids = placed.order.filter((id) => shown.grades[id] > 0).sort();
    const known = { total: placed.nRetrieved, grades: placed.grades, judged: placed.judged, spec };
    const longer = model.get("longer");
    const chance = chanceOf(longer, ids, known)(model.get("shuffles"));
    const level = levels[Number(longer)];
    const isAlone = !chance.values.length;
    const named = {
      own: isAlone ? wordsOf([only]) : say("shuffle", "own", { value: decimals(own) }),
      level: isToldOf(chance) ? say("shuffle", "exact", { value: decimals(level) }) : "",
      axis: nameOf(spec),
      empty: say("shuffle", "none"),
    };
    return { ...chance, own, level, named };
  }
  const info = make("p.rm-heap-words");
  const said = make("div.rm-said", { role: "status", "aria-live": "polite" });
  const shuffled = () => {
    stage.show();
    stand();
    if (model.get("shuffles")) put(said, { text: info.textContent });
  };
  const shuffles = makeShuffles(model, shuffled, { pressed: { newest: true }, times });
  list.listOf = (order) => listAt({ order, grades: {}, spans: list.spans }, standing());
  // after what a hand has done, which is drawn already; the first of several shuffles is a step to undo
  let isDealt = Boolean(dealt());
  const stand = () =>
    queueMicrotask(() => {
      const was = isDealt;
      isDealt = Boolean(dealt());
      stage.follow({ keep: isDealt && !was });
    });

  function wordsAt({ values, mean: all, own, level }) {
    const n = values.length;
    const measure = nameOf(spec);
    const unseen = Math.max(...times) < ENOUGH ? "" : say("shuffle", "unseen", { n: ENOUGH });
    if (!n) return unseen;
    const reach = reaching(values, own);
    const known = { value: decimals(own), n: reach, share: percent(reach / n) };
    const mean = say("shuffle", "mean", { n, measure, mean: decimals(all) });
    const reached = say("shuffle", "reach", known);
    if (!isToldOf({ values })) return `${mean} ${reached} ${unseen}`.trim();
    return `${mean} ${say("shuffle", "level", { measure, level: decimals(level) })} ${reached}`;
  }
  function show(shown, [only]) {
    const words = wordsAt(now({ shown, only }));
    put(more, { "aria-pressed": String(model.get("longer")) });
    const isNew = model.get("shuffles") || model.get("longer") || stage.isMoved();
    over.style.visibility = isNew ? "" : "hidden";
    yours.style.visibility = dealt() ? "" : "hidden";
    const isMine = !standing();
    put(whose, { text: say("shuffle", isMine ? "yours" : "newest") });
    whose.classList.toggle("rm-shuffled", !isMine);
    put(info, { text: words });
    return words;
  }
  const more = makeButton("longer", say("shuffle", "longer", { n: others }), () =>
    change(model, { longer: !model.get("longer") }),
  );
  const yours = makeButton("yours", say("shuffle", "yours"), takeBack);
  const whose = make("div.rm-whose");
  const over = makeButton("over", say("shuffle", "over"), () => {
    stage.reset();
    change(model, { shuffles: 0, longer: false });
  });
  if (others) el.append(make("div.rm-controls", more));
  el.append(
    panel.beside(list),
    make("div.rm-heap-foot", shuffles.makeGroup(yours, over), info),
    said,
  );
  list.frame.caption.after(whose);
  return start(
    "change:longer",
    listen(ranks, "change:order", takeBack),
    listen(model, "change:newest change:longer", stand),
    shuffles.stop,
  );
}
