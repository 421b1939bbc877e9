// Lists beside each other; where there is no room for all of them, one at a time.

import { makeButton, makeGroup } from "../browser/controls.js";
import { make, put } from "../browser/dom.js";
import { say } from "../browser/words.js";

export function makeLists(lists, names) {
  const tabs = names.map((name, i) => makeButton(`list-${i}`, name, () => show(i)));
  function show(at) {
    for (const [i, tab] of tabs.entries()) {
      lists[i].classList.toggle("rm-behind", i !== at);
      put(tab, { "aria-pressed": String(i === at) });
    }
  }
  show(0);
  const choice = makeGroup(say("list", "lists"), ...tabs);
  return make("div.rm-lists", choice, make("div.rm-beside", ...lists));
}
