// What a reader sees or hears, from the file of words.

import WORDS from "../words/en.json" with { type: "json" };

export function say(section, name, values = {}) {
  return WORDS[section][name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

export function both(names) {
  const and = say("lists", "and");
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${and} ${names.at(-1)}`;
}

// A rank, or all the ranks that a row stands for.
export function rankWords(rank, span) {
  return span > 1 ? `${rank}–${rank + span - 1}` : String(rank);
}
