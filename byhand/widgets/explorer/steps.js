// The step table. Cells are text; a table wider than its place scrolls, and can then have focus.

import { make, put } from "../browser/dom.js";
import { plainly, rankWords, say } from "../browser/words.js";
import { decimals, listOf, nameOf, sum } from "../list/engine.js";

// What a column is called, as in Python: with the lowest relevant grade if a measure has its own, and
// with what else it depends on if there is one with another. `known` has that of the columns so far.
function headingOf(name, spec, known) {
  const by = spec.workings[name];
  const basis = by ? (spec[by] ?? null) : null;
  known[name] ??= [];
  const bases = known[name];
  if (bases.includes(basis)) return null;
  const heading = say("steps", name);
  const others = bases.push(basis) > 1;
  if (by === "rel" ? basis == null : !others) return heading;
  return by === "gain" ? `${heading} (${basis})` : `${heading} (${by}=${basis})`;
}

function cellWords(name, value) {
  if (name.endsWith("so far")) return String(value);
  return name === "gain" ? plainly(Number(value.toPrecision(6))) : decimals(value);
}

// Columns of the table: a heading, the text of each place, whether it is a number, and its total.
export function tableOf(shown, lanes) {
  const list = listOf(shown.order, shown.grades, shown.spans);
  const rows = list.ranks
    .map((_, place) => place)
    .filter((place) => !shown.k || list.ranks[place] <= shown.k);
  const grades = shown.order.map((id) => (shown.spans?.[id] ? "" : (shown.grades[id] ?? "–")));
  const words = (values) => rows.map((place) => values[place]);
  const columns = [
    {
      name: say("steps", "rank"),
      cells: words(list.ranks.map((rank, i) => rankWords(rank, shown.spans?.[shown.order[i]]))),
      number: true,
    },
    { name: say("steps", "item"), cells: words(shown.order.map((id) => shown.labels[id])) },
    ...(shown.top > 1
      ? [{ name: say("steps", "grade"), cells: words(grades.map(String)), number: true }]
      : []),
    {
      name: say("steps", "hit"),
      cells: words(grades.map((grade) => (grade > 0 ? say("steps", "a hit") : ""))),
      working: true,
    },
  ];
  const known = {};
  for (const { spec, shares, columns: workings } of lanes) {
    for (const [name, values] of Object.entries(workings ?? {})) {
      const heading = headingOf(name, spec, known);
      if (heading === null) continue;
      // of several ranks in one row there is no one value
      const cells = values.map((value, i) =>
        shown.spans?.[shown.order[i]] ? "" : cellWords(name, value),
      );
      columns.push({ name: heading, cells: words(cells), number: true, working: true });
    }
    columns.push({
      name: say("steps", "share of", { measure: nameOf(spec) }),
      cells: words(shares.map((share) => decimals(share))),
      number: true,
      total: decimals(sum(words(shares))),
    });
  }
  return { columns, places: rows };
}

function tableRow(tag, columns, textOf) {
  const row = make("tr");
  columns.forEach((column, i) => {
    const look = column.number ? "rm-number" : i === 1 ? "rm-item" : "rm-short";
    const words = textOf(column, i);
    const cell = make(tag, look, { text: words, dir: "auto" });
    if (tag === "th") cell.scope = "col";
    if (column.working) cell.classList.add("rm-working");
    if (words === decimals(0)) cell.classList.add("rm-zero");
    row.append(cell);
  });
  return row;
}

export function makeSteps() {
  const caption = say("steps", "caption");
  const table = make("table", "", { "aria-label": caption });
  const scroll = make("div", "rm-steps-scroll", {}, table);
  const details = make("details", "", { open: "" }, make("summary", "", { text: caption }), scroll);
  const node = make("div", "rm-steps", {}, details);

  function show(shown, lanes, moved) {
    const { columns, places } = tableOf(shown, lanes);
    const body = make("tbody");
    places.forEach((place, i) => {
      const row = tableRow("td", columns, (column) => column.cells[i]);
      if (shown.order[place] === moved?.id) {
        row.className = "rm-moved";
        row.children[1].append(make("span", "rm-moved-note", { text: say("steps", moved.how) }));
      }
      body.append(row);
    });
    const foot = tableRow("td", columns, (column, i) =>
      i === 1 ? say("steps", "sum") : (column.total ?? ""),
    );
    const head = make(
      "thead",
      "",
      {},
      tableRow("th", columns, (column) => column.name),
    );
    table.replaceChildren(head, body, make("tfoot", "", {}, foot));
  }

  function measure() {
    if (scroll.scrollWidth <= scroll.clientWidth + 1) {
      for (const name of ["tabindex", "role", "aria-label"]) scroll.removeAttribute(name);
    } else put(scroll, { tabindex: "0", role: "group", "aria-label": caption });
  }
  const watcher = new ResizeObserver(measure);
  for (const each of [scroll, table]) watcher.observe(each);
  return { node, show, stop: () => watcher.disconnect() };
}
