// Dials to turn, and numbers as people write them.

import { freshId, make, put } from "../browser/dom.js";
import { change } from "../browser/model.js";
import { localised, say } from "../browser/words.js";

export const rounded = (value, digits = 0) =>
  localised(
    value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  ).replace("-", "−");
export const percent = (share) => `${rounded(100 * share)}%`;

// A slider for each dial of a widget. Words for the numbers of one: `words[name](value)`.
export function makeDials(model, words = {}) {
  const dials = model.get("fixed").dials.map(({ name, values, digits }) => {
    const id = freshId("dial");
    const input = make("input", "rm-slider", {
      id,
      type: "range",
      "data-name": name,
      min: 0,
      max: values.length - 1,
      step: 1,
    });
    const shown = make("span", "rm-shown", { "aria-hidden": "true" });
    input.addEventListener("input", () => change(model, { [name]: values[Number(input.value)] }));
    const called = make("label", "", { for: id, text: say(model.get("view"), name) });
    const node = make("div", "rm-dial", {}, make("div", "rm-dial-head", {}, called, shown), input);
    const show = () => {
      const value = model.get(name);
      const said = words[name]?.(value) ?? rounded(value, digits);
      input.value = values.indexOf(value);
      put(input, { "aria-valuetext": said });
      put(shown, { text: said });
    };
    return { node, show };
  });
  const node = make("div", "rm-dials", {}, ...dials.map((dial) => dial.node));
  const show = () => {
    for (const dial of dials) dial.show();
  };
  return { node, show };
}

// Round numbers between two ends.
export function ticksBetween(from, to, most = 6) {
  const rough = (to - from) / most;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * ten).find((each) => each >= rough * (1 - 1e-9));
  const first = Math.ceil(from / step - 1e-9);
  const n = Math.floor(to / step + 1e-9) - first + 1;
  return Array.from({ length: n }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}
