// Which of the views shows a widget, wherever it is.

import { guardShortcuts, make } from "./dom.js";
import { listen, together } from "./model.js";
import { LANGUAGE, say } from "./words.js";

/* global VIEWS -- that of each folder with a view.js, which `byhand.widgets.embed` puts before this */

export async function render({ model, el }) {
  const view = VIEWS[model.get("view")];
  if (!view) return renderLater({ model, el });
  el.classList.add("rm", `rm-${model.get("view")}`);
  el.lang = LANGUAGE; // a notebook may be in another
  guardShortcuts(el);
  return view(model, el);
}

// On a busy machine, a widget may be drawn before its state arrives.
function renderLater({ model, el }) {
  let stop = () => {};
  const wait = listen(model, "change:view", async () => {
    wait();
    el.replaceChildren();
    stop = await render({ model, el });
  });
  el.classList.add("rm");
  el.lang = LANGUAGE;
  el.append(make("p", { text: say("late", "waiting") }));
  return together(wait, () => stop());
}
