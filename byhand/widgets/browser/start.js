// The widgets of a page without a notebook, each in its place.

import { render } from "./main.js";
import { PageModel } from "./model.js";

async function show(place, kept) {
  const el = document.createElement("div");
  const model = new PageModel(JSON.parse(place.dataset.live));
  if (kept !== undefined) model.give(kept);
  await render({ model, el });
  place.replaceChildren(el);
  return model;
}

async function start(place, memory) {
  const kept = memory?.read(place);
  const model = await show(place, kept).catch((error) => {
    if (kept === undefined) throw error;
    memory.forget(place); // values that an earlier version of the page has stored may not fit
    return show(place);
  });
  if (memory) model.hearAll(() => memory.write(place, model.kept));
  return { place, model };
}

// `memory`, if a page has one, returns the stored values of a widget in a place, stores new ones, and
// deletes those that do not fit.
// A folded widget starts when it is opened, because a report has dozens of lists. Returns the models of
// the others, each with its place.
export async function startAll(memory) {
  document.body.getBoundingClientRect(); // starts loading the fonts
  await document.fonts.ready; // rows are fitted to texts, so their widths must be final
  const started = [];
  for (const place of document.querySelectorAll("[data-live]")) {
    const folded = place.closest("details:not([open])");
    if (folded) folded.addEventListener("toggle", () => start(place, memory), { once: true });
    else started.push(start(place, memory));
  }
  return Promise.all(started);
}
