// A list with its measures: drag it, and every number and the picture follow.

import { makeButton, makeGroup, makeMore, makeSelect, makeSlider } from "../browser/controls.js";
import { make, put } from "../browser/dom.js";
import { childOf, listen, together } from "../browser/model.js";
import { say } from "../browser/words.js";
import { alike } from "../list/engine.js";
import { lanesOf, shownOf } from "../list/lanes.js";
import { idealOrder } from "../list/list.js";
import { makePanel } from "../list/panel.js";
import { makeStage } from "../list/stage.js";
import { makeTableOfMeans } from "./means.js";

export async function view(model, el) {
  const {
    ranks: given,
    measures,
    start_k: startK,
    start_from: startFrom,
    most_k: mostK,
    shows,
    trace,
    means = [],
    choices = [],
  } = model.get("fixed");
  const ranks = await childOf(model, given);
  const chosen = () => choices.find(({ name }) => name === model.get("conventions"));
  const specs = () => chosen()?.measures ?? measures;
  const measured = (shown, _, answers) => lanesOf(shown, specs(), answers);
  const panel = makePanel(measures, model, { shows, trace: trace && model, measured });
  const table = means.length ? makeTableOfMeans(means) : null;
  const stage = makeStage(el, [ranks], show, { look: (_, id) => panel.look(id), cut: model });
  const [list] = stage.lists;

  function show([state], [moved], how) {
    const [k, from, by] = ["k", "relevant_from", "conventions"].map((name) => model.get(name));
    const shown = shownOf(list, state, { k, from, by });
    panel.show(shown, { answers: model.get("answers"), moved, ...how });
    slider?.show(k);
    lowest?.show(from);
    tool?.show(by);
    put(meaning, { text: chosen()?.says ?? "" });
    const { start } = list.fixed;
    const isNew =
      k !== startK ||
      (lowest && from !== startFrom) ||
      (tool && by !== choices[0].name) ||
      !alike(state.order, start.order) ||
      Object.keys(start.grades).some((id) => state.grades[id] !== start.grades[id]);
    reset.style.visibility = isNew ? "" : "hidden";
    table?.show(shown, specs()[0]);
    return [[panel.words(), table?.words()].filter(Boolean).join(" ")];
  }
  // however far the slider is drawn, it is one step to undo
  const setK = (k, { moving }) => stage.set([[{ model }, { k }]], { keep: !moving });
  const slider =
    startK == null
      ? null
      : makeSlider("k", say("controls", "cutoff"), { min: 1, max: mostK }, setK);
  const levels = Array.from({ length: list.fixed.max_grade }, (_, i) => [i + 1, String(i + 1)]);
  const setFrom = (grade) => stage.set([[{ model }, { relevant_from: Number(grade) }]]);
  const lowest =
    startFrom == null
      ? null
      : makeSelect("relevant-from", say("controls", "relevant from"), levels, setFrom);
  const names = choices.map(({ name }) => [name, name]);
  const setTool = (conventions) => stage.set([[{ model }, { conventions }]]);
  const tool = names.length ? makeSelect("by", say("controls", "by"), names, setTool) : null;
  const meaning = make("p", "rm-meaning");
  const press = (name, act) =>
    makeButton(name, say("controls", name), act, { title: say("controls", `${name} title`) });
  const reset = press("reset", () => {
    stage.set([
      [list, list.fixed.start],
      [{ model }, { k: startK, relevant_from: startFrom, conventions: choices[0]?.name ?? null }],
    ]);
  });
  const [undo, redo] = stage.buttons;
  // the first pictures are of dragging alone, and the first has a number without a name
  const isFirst = ["number", "curve"].includes(shows);
  const tools = [
    press("ideal", () => stage.set([[list, { order: idealOrder(list) }]])),
    undo,
    redo,
  ];
  const controls = makeGroup(say("controls", "change"), ...(isFirst ? [undo] : tools));
  list.frame.foot.append(makeMore(model, [reset], controls, list.frame.keys));
  const set = [slider, lowest, tool].map((each) => each?.node);
  el.append(make("div", "rm-picture", {}, panel.beside(list, ...set, tool && meaning)));
  if (table) list.frame.foot.before(table.node);
  stage.start();
  return together(
    listen(model, "change:answers", () => stage.show()),
    stage.stop,
    panel.stop,
  );
}
