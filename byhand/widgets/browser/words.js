// The texts that a reader sees or hears, in one language, and its number format.

/* global WORDS -- those of every folder, which `byhand.widgets.embed` puts before this */

const { code, ...MARKS } = WORDS.language; // Python says which
const rules = new Intl.PluralRules(code);

export const LANGUAGE = code;

// A number in the format of the language, from that of code.
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

// A text, filled in; if it has plural forms, that of `n`.
export function say(section, name, values = {}) {
  const found = WORDS[section][name];
  const text = typeof found === "string" ? found : (found[rules.select(values.n)] ?? found.other);
  const filled = (value) => (typeof value === "number" ? plainly(value) : value);
  return text.replace(/\{(\w+)\}/g, (_, key) => filled(values[key]));
}

export const listed = (names) =>
  names.length < 2
    ? names.join("")
    : say("lists", "and", { others: names.slice(0, -1).join(", "), last: names.at(-1) });

// Numbers, or texts that end in one, in a row; the separator differs from a decimal comma.
export const inRow = (numbers) => numbers.join(MARKS["."] === "," ? "; " : ", ");

// A rank, or all the ranks of a row that sums up several items.
export function rankWords(rank, span) {
  return span > 1 ? `${rank}–${rank + span - 1}` : String(rank);
}
