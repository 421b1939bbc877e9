"""What is missing, in hand: as wide as where it goes, in the colours of what it becomes, on nothing."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from explorer_page import ExplorerPage, Finger
from page_checks import FINISH, STARTED
from playwright.sync_api import Browser, Locator, Page, expect

from byhand.reports.page import page as page_around
from byhand.widgets import Bench, Challenge, Explorer, Goal, OwnList
from byhand.widgets.embed import live_html

TODAY = ["ketchup", "minestrone", "gazpacho", "lasagne", "focaccia", "bisque", "salad", "tart"]
SOUPS = {"minestrone", "gazpacho", "bisque", "harira", "rasam"}
GRADES = {"bisque": 3, "gazpacho": 2, "harira": 3, "minestrone": 1, "rasam": 1}
LATE = [*TODAY[:1], *TODAY[3:5], *TODAY[1:3], *TODAY[5:]]
OWN = "first answer\nsecond answer *\nthird answer\nfourth answer *\n---\nmissed answer *"
WIDGETS = {
    "number": Explorer(TODAY, SOUPS, shows="number"),
    "curve": Explorer(TODAY, SOUPS, shows="curve", k=8),
    "bars": Explorer(TODAY, SOUPS),
    "area": Explorer(TODAY, SOUPS, measures=["AP"], shows="area"),
    "discount": Explorer(TODAY, GRADES, measures=["DCG"], shows="discount", max_grade=3),
    "ideal": Explorer(TODAY, GRADES, measures=["nDCG"], shows="ideal", max_grade=3, k=8),
    "goal": Challenge(TODAY, SOUPS, Goal.reach("AP", "1/2"), docking=True),
    "trial": Bench({"today": (TODAY, SOUPS)}, ["1/rank", "AP"]),
    "trials": Bench({"today": (TODAY, GRADES), "late": (LATE, GRADES)}, ["rank", "1/rank"], extra=92),
    "own": OwnList(OWN, measures=["RR", "AP"]),
}  # fmt: skip
HANDS = ["mouse", "finger"]
WIDTHS = [1280, 390, 360]

# what is seen of one widget while something is held
LOOK = """(place) => {
  const seen = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const box = (node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return { left, top, right, bottom };
  };
  const all = (which, within = frame) => [...within.querySelectorAll(which)].filter(seen);
  const ghost = place.querySelector('.rm-ghost');
  const frame = (ghost ?? place.querySelector('.rm-row')).closest('.rm-ranked');
  const ink = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (...colours) => {  // each over the one before
    for (const colour of colours) { ink.fillStyle = colour; ink.fillRect(0, 0, 1, 1); }
    return [...ink.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((each) => each / 255).map((each) =>
      each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const style = (node) => getComputedStyle(node);
  const contrast = (node) => {
    const under = [];
    for (let each = node; each; each = each.parentElement) under.unshift(style(each).backgroundColor);
    const [one, other] = [rgb('white', ...under), rgb('white', ...under, style(node).color)].map(light);
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  };
  const clothes = (row) => {
    const tile = row.querySelector('.rm-tile');
    const { backgroundColor, backgroundImage, borderTopStyle, borderTopColor, color } = style(tile);
    return [backgroundColor, backgroundImage, borderTopStyle, borderTopColor, color];
  };
  // every line of text within what clips it
  const texts = [];
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: of, data } = walker.currentNode;
    if (!data.trim() || !seen(of) || of.closest('.rm-said, .rm-keys, .rm-skip, option')) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const clip = of.closest('.rm-label, .rm-best-name, .rm-name')?.getBoundingClientRect();
    for (const { left, top, right, bottom } of range.getClientRects()) {
      texts.push({ of, data, left, right, row: Boolean(of.closest('.rm-row, .rm-line.rm-held')),
        top: Math.max(top, clip?.top ?? top), bottom: Math.min(bottom, clip?.bottom ?? bottom) });
    }
  }
  const on = (one, other, by = 1.5) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > by
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > by;
  const rows = all('.rm-scroll .rm-row:not(.rm-ghost, .rm-slot)');
  const list = frame.querySelector('.rm-scroll > .rm-rows');
  const lane = frame.querySelector('.rm-lane');
  const scroll = frame.querySelector('.rm-scroll');
  const path = lane.querySelector('.rm-path');
  const toScreen = path?.getScreenCTM();
  const points = path?.getAttribute('d')
    ? Array.from({ length: 2000 }, (_, i) =>
        path.getPointAtLength((path.getTotalLength() * i) / 1999).matrixTransform(toScreen))
    : [];
  const middle = (node) => {
    const { left, top, right, bottom } = box(node);
    return { x: (left + right) / 2, y: (top + bottom) / 2 };
  };
  const top = Math.max(0, ...rows.map((row) => Number(row.querySelector('.rm-mark').dataset.grade)));
  const isTop = (line) => Number(
    frame.querySelector(`.rm-row[data-id="${line.dataset.id}"] .rm-mark`).dataset.grade) === top;
  const dots = points.length
    ? all('.rm-curved > .rm-adds').filter(isTop).map((line) => {
        const at = middle(line.querySelector('.rm-dot'));
        return Math.min(...points.map(({ x, y }) => Math.hypot(x - at.x, y - at.y)));
      })
    : [];
  const lines = all('.rm-lane > :is(.rm-line, .rm-step):not(.rm-held)');
  const places = [...rows, ...all('.rm-scroll .rm-slot')].map((row) => middle(row).y).sort((a, b) => a - b);
  const under = all('.rm-lens, .rm-how, .rm-dock, .rm-key, .rm-below', place);
  const controls = all('button:not(.rm-grip, .rm-tool, .rm-term, .rm-skip), input, label', place);
  return {
    height: rows[0].offsetHeight,
    list: box(list),
    width: [list, ...(ghost ? [ghost] : [])].map((node) => node.getBoundingClientRect().width),
    left: [list, ...(ghost ? [ghost] : [])].map((node) => node.getBoundingClientRect().left),
    clothes: ghost && clothes(ghost),
    contrasts: ghost ? all('.rm-label, .rm-mark > span', ghost).map(contrast) : [],
    covered: ghost ? [...all('.rm-lane, .rm-heads, .rm-riding, .rm-best, .rm-area, .rm-lens, .rm-how, .rm-dock-title', place), ...controls]
      .filter((node) => on(box(node), box(ghost))).map((node) => node.className || node.textContent) : [],
    printed: texts.flatMap((one, i) => texts.slice(i + 1)
      .filter((other) => one.of !== other.of && !(one.row && other.row) && on(one, other, 3))
      .map((other) => `${one.data} / ${other.data}`)),
    onControls: texts.flatMap((one) => controls
      .filter((node) => on(one, box(node)) && !node.textContent.includes(one.data))
      .map((node) => `${one.data} / ${node.textContent}`)),
    axis: under.filter((node) => on(box(node), box(lane))).map((node) => node.className),
    axisEnds: all('.rm-heads .rm-ticks').length === 1 && !lane.querySelector('.rm-pair')
      ? ['left', 'right'].map((side) => box(frame.querySelector('.rm-axis'))[side] - box(lane)[side]) : [],
    laneEnds: box(lane).bottom - box(list).bottom,
    lines: lines.map((line) => Math.min(...places.map((y) => Math.abs(y - middle(line).y)))),
    nLines: lane.querySelectorAll('.rm-line, .rm-run[data-id]').length,
    dots,
    foot: [...place.querySelectorAll('.rm-how, .rm-later > :not([hidden])')]
      .filter((node) => node.getClientRects().length).map((node) => box(node).top - box(scroll).top),
    below: box(place.nextElementSibling).top - box(scroll).top,
    said: all('.rm-heads, .rm-riding, .rm-under-columns, .rm-at, .rm-best').map((node) => node.textContent),
  };
}"""
SETTLE = """async () => {
  for (let i = 0; i < 3; i += 1) await new Promise(requestAnimationFrame);
  document.getAnimations().forEach((each) => each.finish());
  for (let i = 0; i < 3; i += 1) await new Promise(requestAnimationFrame);
}"""
TO_TOP = "node => scrollBy({top: node.getBoundingClientRect().top - 230, behavior: 'instant'})"


@pytest.fixture(scope="module", params=WIDTHS)
def page(
    request: pytest.FixtureRequest, chromium: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Page]:
    body = "".join(
        f'<section id="{name}"><h2>{name}</h2>{live_html(widget.page_state(), "")}</section>'
        for name, widget in WIDGETS.items()
    )
    body += '<div style="height: 100vh"></div>'  # there is always where to scroll to
    path: Path = tmp_path_factory.mktemp("tray") / "page.html"
    path.write_text(page_around(title="Trays", head="<h1>Trays</h1>", body=body), "utf-8")
    size = {"width": request.param, "height": 900}
    context = chromium.new_context(
        viewport=size, has_touch=True, is_mobile=request.param < 500, offline=True
    )
    page = context.new_page()
    page.goto(path.as_uri())
    page.wait_for_function(STARTED)
    yield page
    context.close()


class Hand:
    """A mouse or a finger, which takes a row up by its name and carries it by its middle."""

    def __init__(self, page: Page, kind: str) -> None:
        self.place, self.page = page.locator("body"), page
        self.finger = Finger(page) if kind == "finger" else None
        self.at, self.holds = (0.0, 0.0), False

    def take(self, row: Locator) -> None:
        """Press on it until it is held."""
        self.place.locator(".rm-scroll").first.evaluate(TO_TOP)
        self.page.wait_for_timeout(350)  # no double tap
        # a press on a button is the button's, unless it is a finger's
        part = row.locator(".rm-label" if self.finger else ".rm-grip").bounding_box()
        box = row.bounding_box()
        self.at = (part["x"] + 8, box["y"] + box["height"] / 2)
        self.holds = True
        if self.finger:
            self.finger.press(*self.at, rest=280)
        else:
            self.page.mouse.move(*self.at)
            self.page.mouse.down()
            self.page.mouse.move(self.at[0] + 6, self.at[1])
        expect(self.page.locator(".rm-ghost")).to_have_count(1, timeout=3000)

    def to(self, y: float) -> dict:
        """Carry it to a height; what is seen then."""
        x = self.at[0] + 6
        if self.finger:
            self.finger.move(x - self.finger.at[0], y - self.finger.at[1], steps=4)
        else:
            self.page.mouse.move(x, y, steps=4)
        self.page.evaluate(SETTLE)
        return self.look()

    def to_place(self, index: int) -> dict:
        """Carry it to a place of the list, however that moves."""
        for _ in range(2):
            seen = self.look()
            seen = self.to(seen["list"]["top"] + (index + 0.5) * seen["height"])
        return seen

    def to_tray(self) -> dict:
        """Carry it over the tray, and to its place there."""
        tray = self.place.locator(".rm-dock:visible").first
        box = tray.bounding_box()
        self.to(box["y"] + box["height"] - 12)
        slot = self.place.locator(".rm-slot").bounding_box()
        return self.to(slot["y"] + slot["height"] / 2)

    def look(self) -> dict:
        return self.place.first.evaluate(LOOK)

    def let_go(self) -> None:
        """Drop what it holds, if it does."""
        if self.finger and self.holds:
            self.finger.lift()
        elif self.holds:
            self.page.mouse.up()
            self.page.mouse.move(0, 0)
        self.holds = False
        expect(self.page.locator(".rm-ghost")).to_have_count(0)
        self.page.evaluate(SETTLE)


def assert_in_order(seen: dict, before: dict, page: Page, hand: Hand) -> None:
    """What is held is on nothing, what is beside it is drawn for it, and nothing below has moved."""
    assert seen["width"][1] == pytest.approx(seen["width"][0], abs=0.5)
    assert seen["left"][1] == pytest.approx(seen["left"][0], abs=0.5)
    for what in ("covered", "printed", "onControls", "axis"):
        assert seen[what] == [], what
    assert seen["axisEnds"] == pytest.approx([0] * len(seen["axisEnds"]), abs=0.5)
    assert seen["laneEnds"] >= -0.5
    assert max(seen["lines"], default=0) <= 1
    assert max(seen["dots"], default=0) <= 1.5
    assert seen["foot"] == pytest.approx(before["foot"], abs=0.5)
    assert seen["below"] == pytest.approx(before["below"], abs=0.5)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.evaluate(FINISH)
        contrasts = hand.look()["contrasts"]
        assert contrasts
        assert min(contrasts) >= 4.5, (scheme, contrasts)
    page.emulate_media(color_scheme=None)


@pytest.fixture(params=HANDS)
def hand(request: pytest.FixtureRequest, page: Page) -> Iterator[Hand]:
    """It holds nothing afterwards."""
    hand = Hand(page, request.param)
    yield hand
    hand.let_go()


@pytest.mark.parametrize("name", WIDGETS)
def test_what_is_missing_is_carried_into_the_list_and_back(page: Page, hand: Hand, name: str):
    hand.place = place = page.locator(f"#{name}")
    missing = place.locator(".rm-dock .rm-row:visible").first
    item = missing.get_attribute("data-id")
    before = hand.look()
    n = before["nLines"]
    hand.take(missing)
    for index in (2, n, 0):
        seen = hand.to_place(index)
        assert seen["nLines"] == n + 1
        assert_in_order(seen, before, page, hand)
    seen = hand.to_tray()
    assert seen["nLines"] == n
    assert_in_order(seen, before, page, hand)
    held = hand.to_place(2)
    hand.let_go()
    row = place.locator(f'.rm-scroll .rm-row[data-id="{item}"]')
    expect(row).to_have_count(1)
    dropped = hand.look()
    assert held["said"] == dropped["said"]
    assert held["foot"] == pytest.approx(dropped["foot"], abs=0.5)
    # and out again, as what is missing looks
    hand.take(row.first)
    out = hand.to_tray()
    assert out["nLines"] == n
    assert_in_order(out, dropped, page, hand)
    hand.let_go()
    expect(place.locator(f'.rm-dock .rm-row[data-id="{item}"]').first).to_be_visible()
