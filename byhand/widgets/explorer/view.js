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
  const {
    measures,
    start_k: startK,
    start_from: startFrom,
    shows,
    means = [],
    choices = [],
  } = fixed;
  const chosen = () => choices.find(({ name }) => name === model.get("conventions"));
  const specs = () => chosen()?.measures ?? measures;
  const { panel, stage, list, start } = await makeBoard(model, el, measures, show, {
    cut: model,
    shows,
    trace: fixed.trace && model,
    measured: (shown, _, answers) => lanesOf(shown, specs(), answers),
  });
  const table = means.length ? makeTableOfMeans(means) : null;
  const first = { k: startK, relevant_from: startFrom, conventions: choices[0]?.name ?? null };

  function show(shown) {
    for (const [name, control] of controls) control?.show(model.get(name));
    put(meaning, { text: chosen()?.says ?? "" });
    const isSet = controls.some(([name, control]) => control && model.get(name) !== first[name]);
    reset.style.visibility = isSet || stage.isMoved() ? "" : "hidden";
    table?.show(shown, specs()[0]);
    return [panel.words(), table?.words()].filter(Boolean).join(" ");
  }
  const set = (values, how) => stage.set([[{ model }, values]], how);
  const box = (name, label, options, keep) =>
    makeSelect(name, say("controls", label), options, (value) => set(keep(value)));
  const levels = Array.from({ length: list.fixed.max_grade }, (_, i) => [i + 1, String(i + 1)]);
  const names = choices.map(({ name }) => [name, name]);
  const controls = [
    [
      "k",
      startK != null &&
        // however far the slider is drawn, it is one step to undo
        makeSlider("k", say("controls", "cutoff"), { min: 1, max: fixed.most_k }, (k, { moving }) =>
          set({ k }, { keep: !moving }),
        ),
    ],
    [
      "relevant_from",
      startFrom != null &&
        box("relevant-from", "relevant from", levels, (grade) => ({
          relevant_from: Number(grade),
        })),
    ],
    ["conventions", names.length > 0 && box("by", "by", names, (conventions) => ({ conventions }))],
  ].filter(([, control]) => control);
  const meaning = make("p.rm-meaning");
  const press = (name, act) =>
    makeButton(name, say("controls", name), act, { title: say("controls", `${name} title`) });
  const reset = press("reset", () => stage.reset([{ model }, first]));
  const [undo, redo] = stage.buttons;
  const ideal = press("ideal", () => stage.set([[list, { order: idealOrder(list) }]]));
  // the first pictures are of dragging alone
  const tools = ["number", "curve"].includes(shows) ? [undo] : [ideal, undo, redo];
  const more = makeMore(
    model,
    [reset],
    makeGroup(say("controls", "change"), ...tools),
    list.frame.keys,
  );
  list.frame.foot.append(more);
  const nodes = controls.map(([, { node }]) => node);
  el.append(make("div.rm-picture", panel.beside(list, ...nodes, names.length && meaning)));
  if (table) list.frame.foot.before(table.node);
  return start("change:answers");
}
