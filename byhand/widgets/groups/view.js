// Two groups whose labels are dealt anew: the difference of each deal lands in a heap.

import { makeButton } from "../browser/controls.js";
import { draw, line, make, makeFigure, put, text } from "../browser/dom.js";
import { change, listen, together } from "../browser/model.js";
import { say } from "../browser/words.js";
import { decimals, signed, sum } from "../list/engine.js";
import { landedOf } from "../shuffle/draws.js";
import { heap } from "../shuffle/heap.js";
import { makeShuffles } from "../shuffle/shuffles.js";
import { dealsOf, differenceOf, isAsFar } from "./deals.js";

const [STRIP, HEAP] = [62, 262]; // pixels of height: of one group, of the heap
const SIDE = 8;

export function view(model, el) {
  const { names, values: groups, low, high, seed } = model.get("fixed");
  const values = groups.flat();
  const n = groups[0].length;
  const seen = differenceOf(
    values,
    groups[0].map((_, i) => i + 1),
  );
  const deals = dealsOf(values, n, seen);
  const drawn = { values: [], means: [], total: 0 };
  const shuffles = makeShuffles(model, {
    grown: () => show(),
    told: () => tell(),
    section: "groups",
  });
  const { node, svg, widthOf, resize } = makeFigure();
  const info = make("p", "rm-heap-words");
  const said = make("div", "rm-said", { role: "status", "aria-live": "polite" });
  const over = makeButton("over", say("groups", "over"), () =>
    change(model, { shuffles: 0, reached: 0 }),
  );
  const tell = () => put(said, { text: info.textContent });
  const [name, other] = names;
  node.classList.add("rm-heap");

  function catchUp(times) {
    for (let i = drawn.values.length; i < times; i += 1) {
      const value = differenceOf(values, landedOf(seed, i, n, values.length));
      drawn.total += value;
      drawn.values.push(value);
      drawn.means.push(drawn.total / (i + 1));
    }
    return { values: drawn.values.slice(0, times), means: drawn.means.slice(0, times) };
  }
  // the values under the labels of now, each as it was at first: full or a ring
  function strips(places, width, isDealt) {
    const [from, to] = [Math.min(...values), Math.max(...values)];
    const x = (value) => SIDE + ((width - 2 * SIDE) * (value - from)) / (to - from || 1);
    const inFirst = new Set(places);
    const members = [values.map((_, i) => i).filter((i) => inFirst.has(i + 1))];
    const label = isDealt ? "dealt group" : "group";
    members.push(values.map((_, i) => i).filter((i) => !inFirst.has(i + 1)));
    return members.flatMap((of, group) => {
      const mean = sum(of.map((i) => values[i])) / of.length;
      const floor = STRIP * (group + 1) - 8;
      const known = { name: names[group], n: of.length, mean: decimals(mean) };
      return [
        text(SIDE, STRIP * group + 14, say("groups", label, known), "rm-group", "start"),
        line(SIDE, floor, width - SIDE, floor, "rm-floor"),
        ...of.map((i) =>
          draw("circle", {
            cx: x(values[i]),
            cy: floor - 8 - (i % 3) * 6,
            r: 4,
            class: i < n ? "rm-value-of rm-on" : "rm-value-of",
          }),
        ),
        draw("path", { d: `M${x(mean)} ${floor}l-5 8h10z`, class: "rm-mean-of" }),
      ];
    });
  }
  function show() {
    const times = shuffles.seen();
    const now = catchUp(times);
    const width = widthOf();
    const places = times
      ? landedOf(seed, times - 1, n, values.length)
      : groups[0].map((_, i) => i + 1);
    const height = 2 * STRIP + 8;
    const named = {
      own: say("groups", "seen", { value: signed(seen) }),
      level: say("groups", "none"),
    };
    const far = (value) => isAsFar(value, seen);
    const known = { ...now, own: seen, level: 0, low, high, named, far, section: "groups" };
    const below = draw("g", { transform: `translate(0 ${height})` });
    below.append(...heap(known, { left: SIDE, right: width - SIDE, height: HEAP }));
    resize(width, height + HEAP);
    svg.replaceChildren(...strips(places, width, times > 0), below);
    put(node, { "aria-label": wordsOf(now.values) });
    put(info, { text: wordsOf(now.values) });
    over.style.visibility = times ? "" : "hidden";
  }
  function wordsOf(all) {
    const reached = all.filter((value) => isAsFar(value, seen)).length;
    const p = decimals((reached + 1) / (all.length + 1));
    const known = { n: all.length, reached, value: signed(seen), p };
    const counted = deals && { n: deals.far, all: deals.all, p: decimals(deals.far / deals.all) };
    return [
      all.length
        ? say("groups", "deals", known)
        : say("groups", "title", { name, other, value: signed(seen) }),
      ...(counted && all.length ? [say("groups", "ways", counted)] : []),
    ].join(" ");
  }
  // Python hears how many were as far
  function count() {
    const { values: all } = catchUp(model.get("shuffles"));
    const reached = all.filter((value) => isAsFar(value, seen)).length;
    if (reached !== model.get("reached")) change(model, { reached });
  }
  el.append(
    node,
    make("p", "rm-heap-legend", { text: say("groups", "legend", { name, other }) }),
    make("div", "rm-heap-foot", {}, shuffles.makeGroup(over), info),
    said,
  );
  show();
  const watcher = new ResizeObserver(show);
  watcher.observe(el);
  return together(listen(model, "change:shuffles", count), shuffles.stop, () =>
    watcher.disconnect(),
  );
}
