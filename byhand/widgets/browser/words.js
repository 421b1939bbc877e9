// What a reader sees or hears, from the files of words, in one language; and its way with numbers.

/* global WORDS -- those of every folder, which `byhand.widgets.embed` puts before this */

const { code, ...MARKS } = WORDS.language; // Python says which
const rules = new Intl.PluralRules(code);

export const LANGUAGE = code;

// A number as the language writes it, from how code does.
export const localised = (number) => number.replace(/[.,]/g, (mark) => MARKS[mark]);

// A whole number, or one with as many decimals as it has.
export const plainly = (number) =>
  localised(number.toLocaleString("en", { maximumFractionDigits: 20 }));

// A number with so many decimals, and a share.
export const rounded = (value, digits = 0) =>
  localised(
    value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  ).replace("-", "−");
export const percent = (share) => `${rounded(100 * share)}%`;

// Some words, filled in; where they have forms, that of `n`.
export function say(section, name, values = {}) {
  const found = WORDS[section][name];
  const text = typeof found === "string" ? found : (found[rules.select(values.n)] ?? found.other);
  const filled = (value) => (typeof value === "number" ? plainly(value) : value);
  return text.replace(/\{(\w+)\}/g, (_, key) => filled(values[key]));
}

// Names in one phrase.
export const listed = (names) =>
  names.length < 2
    ? names.join("")
    : say("lists", "and", { others: names.slice(0, -1).join(", "), last: names.at(-1) });

// Numbers, or what ends in one, in a row: a comma that is in them does not stand between them.
export const inRow = (numbers) => numbers.join(MARKS["."] === "," ? "; " : ", ");

// A rank, or all the ranks that a row stands for.
export function rankWords(rank, span) {
  return span > 1 ? `${rank}–${rank + span - 1}` : String(rank);
}
