// A list with its measures: drag it, and every number and the picture follow.

import { makeButton, makeGroup, makeMore, makeSelect, makeSlider } from "../browser/controls.js";
import { make, put } from "../browser/dom.js";
import { say } from "../browser/words.js";
import { lanesOf } from "../list/lanes.js";
import { idealOrder } from "../list/list.js";
import { makeBoard } from "../list/stage.js";
import { makeTableOfMeans } from "./means.js";

export async function view(model, el) {
  const fixed = model.get("fixed");
  const { measures, start_k: k, start_from: from, shows, means = [], choices = [] } = fixed;
  const chosen = () => choices.find(({ name }) => name === model.get("conventions"));
  const specs = () => chosen()?.measures ?? measures;
  const { panel, stage, list, start } = await makeBoard(model, el, measures, show, {
    cut: model,
    shows,
    trace: fixed.trace && model,
    measured: (shown, _, answers) => lanesOf(shown, specs(), answers),
  });
  const table = means.length ? makeTableOfMeans(means) : null;
  const first = { k, relevant_from: from, conventions: choices[0]?.name ?? null };

  function show(shown) {
    for (const [name, control] of controls) control.show(model.get(name));
    put(meaning, { text: chosen()?.says ?? "" });
    const isSet = [...controls.keys()].some((name) => model.get(name) !== first[name]);
    reset.style.visibility = isSet || stage.isMoved() ? "" : "hidden";
    table?.show(shown, specs()[0]);
    return [panel.words(), table?.words()].filter(Boolean).join(" ");
  }
  const set = (values, how) => stage.set([[{ model }, values]], how);
  const box = (name, label, options, keep) =>
    makeSelect(name, say("controls", label), options, (value) => set(keep(value)));
  const controls = new Map(); // by the name of their trait
  if (k != null) {
    const ends = { min: 1, max: fixed.most_k };
    // however far the slider is drawn, it is one step to undo
    const setK = (now, { moving }) => set({ k: now }, { keep: !moving });
    controls.set("k", makeSlider("k", say("controls", "cutoff"), ends, setK));
  }
  if (from != null) {
    const levels = Array.from({ length: list.fixed.max_grade }, (_, i) => [i + 1, String(i + 1)]);
    const setFrom = (grade) => ({ relevant_from: Number(grade) });
    controls.set("relevant_from", box("relevant-from", "relevant from", levels, setFrom));
  }
  if (choices.length) {
    const names = choices.map(({ name }) => [name, name]);
    controls.set(
      "conventions",
      box("by", "by", names, (conventions) => ({ conventions })),
    );
  }
  const meaning = make("p.rm-meaning");
  const press = (name, act) =>
    makeButton(name, say("controls", name), act, { title: say("controls", `${name} title`) });
  const reset = press("reset", () => stage.reset([{ model }, first]));
  const [undo, redo] = stage.buttons;
  const ideal = press("ideal", () => stage.set([[list, { order: idealOrder(list) }]]));
  // the first pictures are of dragging alone
  const tools = ["number", "curve"].includes(shows) ? [undo] : [ideal, undo, redo];
  const group = makeGroup(say("controls", "change"), ...tools);
  list.frame.foot.append(makeMore(model, [reset], group, list.frame.keys));
  const nodes = [...controls.values()].map(({ node }) => node);
  el.append(make("div.rm-picture", panel.beside(list, ...nodes, choices.length && meaning)));
  if (table) list.frame.foot.after(table.node);
  return start("change:answers");
}
