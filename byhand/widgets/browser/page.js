// The widgets of a page without a notebook.

import { render } from "./main.js";
import { PageModel } from "./model.js";

function start(place) {
  const el = document.createElement("div");
  render({ model: new PageModel(JSON.parse(place.dataset.live)), el }).then(() => place.replaceChildren(el));
}

// what is folded away starts when it is opened: a report has dozens of lists
for (const place of document.querySelectorAll("[data-live]")) {
  const folded = place.closest("details:not([open])");
  if (folded) folded.addEventListener("toggle", () => start(place), { once: true });
  else start(place);
}
