// What is seen of one widget, also while something is held.
globalThis.lookAtTray = (place) => {
  const COVERED =
    ".rm-lane, .rm-heads, .rm-riding, .rm-best, .rm-area, .rm-lens, .rm-how, .rm-dock-title";
  const SAID = ".rm-heads, .rm-riding, .rm-under-columns, .rm-at, .rm-best";
  const CONTROLS = "button:not(.rm-grip, .rm-tool, .rm-term, .rm-skip), input, label";

  const seen = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const box = (node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return { left, top, right, bottom };
  };
  const all = (which, within = frame) => [...within.querySelectorAll(which)].filter(seen);
  const ghost = place.querySelector(".rm-ghost");
  const frame = (ghost ?? place.querySelector(".rm-row")).closest(".rm-ranked");
  const ink = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (...colours) => {
    // each over the one before
    for (const colour of colours) {
      ink.fillStyle = colour;
      ink.fillRect(0, 0, 1, 1);
    }
    return [...ink.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (colour) => {
    const [r, g, b] = colour
      .map((each) => each / 255)
      .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const style = (node) => getComputedStyle(node);
  const contrast = (node) => {
    const under = [];
    for (let each = node; each; each = each.parentElement)
      under.unshift(style(each).backgroundColor);
    const [one, other] = [rgb("white", ...under), rgb("white", ...under, style(node).color)].map(
      light,
    );
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  };
  const clothes = (row) => {
    const tile = row.querySelector(".rm-tile");
    const { backgroundColor, backgroundImage, borderTopStyle, borderTopColor, color } = style(tile);
    return [backgroundColor, backgroundImage, borderTopStyle, borderTopColor, color];
  };
  // every line of text within what clips it
  const texts = [];
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: of, data } = walker.currentNode;
    if (!data.trim() || !seen(of) || of.closest(".rm-said, .rm-keys, .rm-skip, option")) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const clip = of.closest(".rm-label, .rm-best-name, .rm-name")?.getBoundingClientRect();
    for (const { left, top, right, bottom } of range.getClientRects()) {
      texts.push({
        of,
        data,
        left,
        right,
        row: Boolean(of.closest(".rm-row, .rm-line.rm-held")),
        top: Math.max(top, clip?.top ?? top),
        bottom: Math.min(bottom, clip?.bottom ?? bottom),
      });
    }
  }
  const on = (one, other, by = 1.5) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > by &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > by;
  const rows = all(".rm-scroll .rm-row:not(.rm-ghost, .rm-slot)");
  const list = frame.querySelector(".rm-scroll > .rm-rows");
  const lane = frame.querySelector(".rm-lane");
  const scroll = frame.querySelector(".rm-scroll");
  const path = lane.querySelector(".rm-path");
  const toScreen = path?.getScreenCTM();
  const points = path?.getAttribute("d")
    ? Array.from({ length: 2000 }, (_, i) =>
        path.getPointAtLength((path.getTotalLength() * i) / 1999).matrixTransform(toScreen),
      )
    : [];
  const middle = (node) => {
    const { left, top, right, bottom } = box(node);
    return { x: (left + right) / 2, y: (top + bottom) / 2 };
  };
  const top = Math.max(
    0,
    ...rows.map((row) => Number(row.querySelector(".rm-mark").dataset.grade)),
  );
  const isTop = (line) =>
    Number(frame.querySelector(`.rm-row[data-id="${line.dataset.id}"] .rm-mark`).dataset.grade) ===
    top;
  const dots = points.length
    ? all(".rm-curved > .rm-adds")
        .filter(isTop)
        .map((line) => {
          const at = middle(line.querySelector(".rm-dot"));
          return Math.min(...points.map(({ x, y }) => Math.hypot(x - at.x, y - at.y)));
        })
    : [];
  const lines = all(".rm-lane > :is(.rm-line, .rm-step):not(.rm-held)");
  const places = [...rows, ...all(".rm-scroll .rm-slot")]
    .map((row) => middle(row).y)
    .sort((a, b) => a - b);
  const under = all(".rm-lens, .rm-how, .rm-dock, .rm-key, .rm-below", place);
  const controls = all(CONTROLS, place);
  return {
    height: rows[0].offsetHeight,
    list: box(list),
    width: [list, ...(ghost ? [ghost] : [])].map((node) => node.getBoundingClientRect().width),
    left: [list, ...(ghost ? [ghost] : [])].map((node) => node.getBoundingClientRect().left),
    clothes: clothes(ghost ?? frame.querySelector(".rm-row:focus-within") ?? rows[0]),
    contrasts: ghost ? all(".rm-label, .rm-mark > span", ghost).map(contrast) : [],
    covered: ghost
      ? [...all(COVERED, place), ...controls]
          .filter((node) => on(box(node), box(ghost)))
          .map((node) => node.className || node.textContent)
      : [],
    printed: texts.flatMap((one, i) =>
      texts
        .slice(i + 1)
        .filter((other) => one.of !== other.of && !(one.row && other.row) && on(one, other, 3))
        .map((other) => `${one.data} / ${other.data}`),
    ),
    onControls: texts.flatMap((one) =>
      controls
        .filter((node) => on(one, box(node)) && !node.textContent.includes(one.data))
        .map((node) => `${one.data} / ${node.textContent}`),
    ),
    axis: under.filter((node) => on(box(node), box(lane))).map((node) => node.className),
    axisEnds:
      all(".rm-heads .rm-ticks").length === 1 && !lane.querySelector(".rm-pair")
        ? ["left", "right"].map(
            (side) => box(frame.querySelector(".rm-axis"))[side] - box(lane)[side],
          )
        : [],
    laneEnds: box(lane).bottom - box(list).bottom,
    lines: lines.map((line) => Math.min(...places.map((y) => Math.abs(y - middle(line).y)))),
    nLines: lane.querySelectorAll(".rm-line, .rm-run[data-id]").length,
    dots,
    foot: [...place.querySelectorAll(".rm-how, .rm-later > :not([hidden])")]
      .filter((node) => node.getClientRects().length)
      .map((node) => box(node).top - box(scroll).top),
    below: box(place.nextElementSibling).top - box(scroll).top,
    said: all(SAID).map((node) => node.textContent),
  };
};
