// Buttons that shuffle, or deal, once, ten times, a thousand times; and what has been shown of that so far.

import { disable, makeButton, makeGroup } from "../browser/controls.js";
import { make, put } from "../browser/dom.js";
import { change, listen, together } from "../browser/model.js";
import { plainly, say } from "../browser/words.js";

const TIMES = [1, 10, 1000];
const MOST = 10_000;
const [TICK, FRAMES] = [40, 40]; // milliseconds between pictures of a heap that grows, and how many

// `grown()` draws what there is now, `told()` says it once it has grown to its end; `pressed`: what else
// a button changes; `section`: whose words name them.
export function makeShuffles(
  model,
  { grown, told, pressed = {}, times: given = TIMES, section = "shuffle" },
) {
  let [timer, seen] = [0, model.get("shuffles")];
  const times = given.map((n) => {
    const press = () =>
      change(model, { shuffles: Math.min(MOST, model.get("shuffles") + n), ...pressed });
    const button = makeButton(`shuffle-${n}`, plainly(n), press, { primary: n === 1 });
    put(button, { "aria-label": say(section, "times", { n }) });
    return button;
  });
  // one by one, or in so many steps
  function grow() {
    clearTimeout(timer);
    const goal = model.get("shuffles");
    const isLess = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const step =
      isLess || goal < seen ? Number.POSITIVE_INFINITY : Math.ceil((goal - seen) / FRAMES);
    for (const each of times) disable(each, goal >= MOST);
    const tick = () => {
      seen = step > goal ? goal : Math.min(goal, seen + step);
      grown();
      if (seen < goal) timer = setTimeout(tick, step > 1 ? TICK : 2 * TICK);
      else if (goal) told();
    };
    tick();
  }
  const name = say(section, "again");
  return {
    makeGroup: (...others) => makeGroup(name, make("b", "", { text: name }), ...times, ...others),
    seen: () => seen,
    stop: together(listen(model, "change:shuffles", grow), () => clearTimeout(timer)),
  };
}
