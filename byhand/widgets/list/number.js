// One number without a name, and what each row adds to it. A trace keeps a dot for each value seen.

import { make } from "../browser/dom.js";
import { say } from "../browser/words.js";
import { endOf, set, settled, ticksOf } from "./alongside.js";
import { makeChart } from "./curve.js";
import { decimals, ONE_ROW } from "./engine.js";
import { valueWords } from "./lanes.js";

export function makeNumber([{ kind }], { trace }) {
  // the model has them again after a reload
  const seen = new Map(
    ((trace || null)?.get("seen") ?? []).map(({ rank, value }) => [rank, value]),
  );
  const chart = makeChart(read, { look: "number" });

  function read({ only }) {
    const isOne = ONE_ROW.includes(kind); // there is one bar, and it is the number
    const end = isOne ? 1 : endOf(only.most);
    return {
      value: valueWords(only),
      title: isOne ? say("number", "axis") : say("panel", "what each rank adds"),
      end,
      ticks: ticksOf(end),
      size: (line) => only.shares[line.place],
      noted: () => "",
    };
  }
  function show(given) {
    chart.show(given);
    if (!trace) return;
    const { only, lines } = given;
    const made = lines[only.shares.findIndex((share) => share > 0)];
    if (made) seen.set(made.rank, only.value);
    if (trace.alone)
      trace.set(
        "seen",
        [...seen].map(([rank, value]) => ({ rank, value })),
      );
    for (const dot of chart.lane.querySelectorAll(".rm-seen")) dot.remove();
    for (const { rank, top, height } of settled(lines)) {
      if (!seen.has(rank)) continue;
      const dot = make("i.rm-seen");
      set(dot, { value: seen.get(rank), top: `${top}px`, high: `${height}px` });
      chart.lane.append(dot);
    }
  }
  const said = ({ only }) => say("number", "said", { value: valueWords(only) });
  function words(given) {
    if (!trace) return said(given);
    const dots = [...seen].sort(([a], [b]) => a - b);
    const each = dots.map(([rank, value]) =>
      say("number", "seen", { rank, value: decimals(value) }),
    );
    return `${said(given)} ${say("number", "trace", { seen: each.join("; ") })}`;
  }
  return { ...chart, show, words, said };
}
