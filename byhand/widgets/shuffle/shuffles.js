// Shuffles, or permutations: the buttons for one, ten or a thousand more, and what has come of them.

import { disable, makeButton, makeGroup } from "../browser/controls.js";
import { make, put } from "../browser/dom.js";
import { change, listen } from "../browser/model.js";
import { plainly, say } from "../browser/words.js";
import { sum } from "../list/engine.js";

const TIMES = [1, 10, 1000];
const MOST = 10_000;

// `show()` draws what there is now and says it; `pressed`: what else a button changes; `section`: whose
// words name them.
export function makeShuffles(model, show, { pressed, times = TIMES, section = "shuffle" } = {}) {
  const buttons = times.map((n) => {
    const press = () =>
      change(model, { shuffles: Math.min(MOST, model.get("shuffles") + n), ...pressed });
    const button = makeButton(`shuffle-${n}`, plainly(n), press, { primary: n === 1 });
    put(button, { "aria-label": say(section, "times", { n }) });
    return button;
  });
  const hear = () => {
    for (const each of buttons) disable(each, model.get("shuffles") >= MOST);
    show();
  };
  const name = say(section, "again");
  return {
    makeGroup: (...others) => makeGroup(name, make("b", { text: name }), ...buttons, ...others),
    stop: listen(model, "change:shuffles", hear),
  };
}

// The first n values of draws, and their mean; `draw(i)` is the value of one.
export function makeDrawn(draw) {
  const drawn = [];
  return (n) => {
    while (drawn.length < n) drawn.push(draw(drawn.length));
    const values = drawn.slice(0, n);
    return { values, mean: sum(values) / n };
  };
}
