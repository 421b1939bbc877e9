// The step table. Cells are text; a table wider than its place scrolls, and can then have focus.

function row(tag, cells, numeric) {
  const node = make("tr");
  cells.forEach((text, i) => {
    const look = numeric[i] ? "rm-number" : i === 1 ? "rm-item" : "rm-short";
    const cell = make(tag, look, { text, dir: "auto" });
    if (tag === "th") cell.scope = "col";
    if (text === "0.000") cell.classList.add("rm-zero");
    node.append(cell);
  });
  return node;
}

function render({ model, el }) {
  el.classList.add("rm", "rm-steps");
  guardShortcuts(el);
  const details = make("details");
  details.open = true;
  const summary = make("summary");
  const scroll = make("div", "rm-steps-scroll");
  details.append(summary, scroll);
  el.append(details);

  function update() {
    const { columns, numeric, rows, marked, total } = model.get("table");
    const table = make("table");
    table.setAttribute("aria-label", model.get("caption"));
    const head = make("thead");
    head.append(row("th", columns, numeric));
    const body = make("tbody");
    rows.forEach((cells, i) => {
      const node = row("td", cells, numeric);
      if (i === marked) {
        node.className = "rm-moved";
        node.children[1].append(make("span", "rm-moved-note", { text: "moved" }));
      }
      body.append(node);
    });
    const foot = make("tfoot");
    if (total.length) foot.append(row("td", total, numeric));
    table.append(head, body, foot);
    scroll.replaceChildren(table);
    put(summary, { text: model.get("caption") });
    measure();
  }

  function measure() {
    const wide = scroll.scrollWidth > scroll.clientWidth + 1;
    if (!wide) {
      for (const name of ["tabindex", "role", "aria-label"]) scroll.removeAttribute(name);
    } else {
      put(scroll, { tabindex: "0", role: "group", "aria-label": model.get("caption") });
    }
  }

  const watcher = new ResizeObserver(measure);
  watcher.observe(scroll);
  update();
  model.on("change:table change:caption", update);
  return () => {
    watcher.disconnect();
    model.off("change:table change:caption", update);
  };
}

export default { render };
