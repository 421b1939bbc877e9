// A number typed digit by digit, and the ways to get it that are left.

import { makeMessage } from "./controls.js";
import { makePlot, written } from "./dials.js";
import { make } from "./dom.js";
import { makeField } from "./fields.js";
import { change, listen, together } from "./model.js";
import { localised, say } from "./words.js";

const [NEAR, EXACT] = [0.01, 1e-9]; // as in `which_conventions`
const [HEIGHT, SHOWN, AROUND] = [130, 8, 4]; // of the chart; explanations; units to both sides

// A number as printed, and the unit of its last digit; null where it is none.
export function printed(text, percent) {
  const found = /^\s*(\d*[.,]?(\d*))\s*(%?)\s*$/.exec(text);
  if (!found || !/\d/.test(text)) return null;
  const [, body, after, sign] = found;
  const number = Number(body.replace(",", "."));
  const asPercent = sign || (number > 1 && percent);
  const digits = after.length + (asPercent ? 2 : 0);
  return { number: Number((asPercent ? number / 100 : number).toFixed(digits)), unit: 10 ** -digits, digits };
}

const fits = ([value, cut], { number, unit }) =>
  cut ? value >= number - EXACT && value < number + unit - EXACT : Math.abs(value - number) <= unit / 2 + EXACT;

// The ways that give a number, without those that only add departures to a simpler one; and how
// many as simple as the first would be expected of a number that has nothing to do with them.
export function explained(ways, asked) {
  const found = [];
  for (const way of ways.filter((each) => fits(each, asked))) {
    if (!found.some(([, , less]) => less.every((at) => way[2].includes(at)))) found.push(way);
  }
  if (!found.length) return { found, expected: 0 };
  const [[, , { length }, step]] = found;
  const reach = Math.max(NEAR, asked.unit);
  const near = ways.filter(([value, , at]) => at.length <= length && Math.abs(value - asked.number) <= reach + EXACT);
  const likely = near.map((way) => Math.min(1, Math.max(asked.unit, Math.min(step, way[3])) / (2 * reach)));
  return { found, expected: likely.reduce((sum, each) => sum + each, 0) };
}

export function viewSuspects(model, el) {
  const { measure, departures, ways, percent } = model.get("fixed");
  const words = ([, , at]) => at.map((each) => departures[each]).join("; ") || say("suspects", "as given");
  const field = makeField(say("suspects", "field", { measure }), () => {});
  const [input] = field.inputs;
  const message = makeMessage();
  const list = make("ol", "rm-suspects");
  const rest = make("p", "rm-quiet");
  const plot = makePlot({ height: HEIGHT });
  const most = Math.max(...ways.map(([, , at]) => at.length));

  function show() {
    const typed = model.get("number");
    if (input.value !== typed) field.put(typed);
    const asked = printed(typed, percent);
    const { found, expected } = asked ? explained(ways, asked) : { found: [], expected: 0 };
    const known = { n: found.length, all: ways.length, measure, number: localised(typed.trim().replace(",", ".")), expected: written(expected, expected < 0.1 ? 3 : 1) };
    const verdict = !asked ? "none yet" : !found.length ? "nobody" : expected >= 1 ? "anybody" : found.length > 1 ? "some" : "one";
    message.show({
      text: say("suspects", verdict, known),
      tone: verdict === "one" ? "good" : "plain",
      more: found.length && expected < 1 ? say("suspects", "by chance", known) : "",
    });
    list.replaceChildren(...found.slice(0, SHOWN).map((way) =>
      make("li", "", {}, make("b", "", { text: written(way[0], Math.min(8, asked.digits + 1)) }), ` ${words(way)}`)));
    rest.textContent = found.length > SHOWN ? say("suspects", "more", { n: found.length - SHOWN }) : "";
    const values = ways.map(([value]) => value).filter((value) => !percent || value <= 1); // a DCG is far off
    const [from, to] = asked
      ? [asked.number - AROUND * asked.unit, asked.number + AROUND * asked.unit]
      : [Math.min(...values), Math.max(...values)];
    const near = ways.filter(([value]) => value >= from && value <= to);
    plot.show({
      x: { from, to, digits: Math.min(8, (asked?.digits ?? 1) + 1), label: measure },
      y: { from: -0.6, to: most + 0.6, ticks: Array.from({ length: most + 1 }, (_, i) => i), label: say("suspects", "y") },
      label: say("suspects", "picture", known),
      marks: ({ points, guide }) => [
        asked ? [guide({ x: asked.number - asked.unit / 2 }, "", "quiet"), guide({ x: asked.number + asked.unit / 2 }, "", "quiet")] : [],
        near.map((way) => points([[way[0], way[2].length]], asked && fits(way, asked) ? "hit" : "quiet", asked && fits(way, asked) ? 5 : 3)),
      ],
    });
  }
  input.addEventListener("input", () => change(model, { number: input.value }));
  el.append(make("div", "rm-bed", {}, make("div", "rm-controls", {}, field.node), message.node, list, rest, plot.node));
  show();
  return together(listen(model, "change:number", show), plot.stop);
}
