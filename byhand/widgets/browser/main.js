// Which of the views shows a widget, wherever it is.

import { viewBench } from "./bench.js";
import { viewChallenge } from "./challenge.js";
import { guardShortcuts, make } from "./dom.js";
import { viewDraws } from "./draws.js";
import { viewDrops } from "./drops.js";
import { viewDuel } from "./duel.js";
import { viewExplorer, viewList } from "./explorer.js";
import { listen, together } from "./model.js";
import { viewNegatives } from "./negatives.js";
import { viewOwn } from "./own.js";
import { viewPrediction } from "./prediction.js";
import { viewQueries } from "./queries.js";
import { viewSwitchboard } from "./switchboard.js";
import { viewTosses } from "./tosses.js";
import { LANGUAGE, say } from "./words.js";

const LISTS = { list: viewList, explorer: viewExplorer, challenge: viewChallenge, duel: viewDuel, own: viewOwn };
const VIEWS = {
  ...LISTS,
  bench: viewBench,
  draws: viewDraws,
  drops: viewDrops,
  negatives: viewNegatives,
  prediction: viewPrediction,
  queries: viewQueries,
  switchboard: viewSwitchboard,
  tosses: viewTosses,
};

export async function render({ model, el }) {
  const view = VIEWS[model.get("view")];
  if (!view) return renderLater({ model, el });
  el.classList.add("rm", `rm-${model.get("view")}`);
  el.lang = LANGUAGE; // a notebook may be in another
  guardShortcuts(el);
  return view(model, el);
}

// A busy machine may draw a widget before what it shows has come.
function renderLater({ model, el }) {
  let stop = () => {};
  const wait = listen(model, "change:view", async () => {
    wait();
    el.replaceChildren();
    stop = await render({ model, el });
  });
  el.classList.add("rm");
  el.lang = LANGUAGE;
  el.append(make("p", "", { text: say("late", "waiting") }));
  return together(wait, () => stop());
}
