"""What is missing, in hand: as wide as where it goes, coloured as what it becomes, on nothing."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from explorer_page import ExplorerPage, Finger
from page_checks import STARTED, until
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
    "trials": Bench({"a": (TODAY, GRADES), "b": (LATE, GRADES)}, ["rank", "1/rank"], extra=92),
    "own": OwnList(OWN, measures=["RR", "AP"]),
}  # fmt: skip
HANDS = ["mouse", "finger"]
WIDTHS = [1280, 390]

LOOK = Path(__file__).with_name("tray_look.js")
SETTLE = """async () => {
  for (let i = 0; i < 2; i += 1) await new Promise(requestAnimationFrame);
  document.getAnimations().forEach((each) => each.finish());
  for (let i = 0; i < 2; i += 1) await new Promise(requestAnimationFrame);
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
    page.add_init_script(path=LOOK)
    page.goto(path.as_uri())
    until(page, STARTED)
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
        return self.place.first.evaluate("(place) => lookAtTray(place)")

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


def assert_in_order(seen: dict, before: dict) -> None:
    """What is held is on nothing, what is beside it is drawn for it, nothing below has moved."""
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
        assert_in_order(seen, before)
    seen = hand.to_tray()
    assert seen["nLines"] == n
    assert_in_order(seen, before)
    held = hand.to_place(2)
    hand.let_go()
    row = place.locator(f'.rm-scroll .rm-row[data-id="{item}"]')
    expect(row).to_have_count(1)
    dropped = hand.look()
    for what in ("said", "clothes"):
        assert held[what] == dropped[what]
    assert held["foot"] == pytest.approx(dropped["foot"], abs=0.5)
    # and out again, as what is missing looks
    hand.take(row.first)
    out = hand.to_tray()
    assert out["nLines"] == n
    assert_in_order(out, dropped)
    hand.let_go()
    expect(place.locator(f'.rm-dock .rm-row[data-id="{item}"]').first).to_be_visible()
    assert out["clothes"] == hand.look()["clothes"]


NO_TRAY = {
    "number": Explorer(TODAY, {"bisque"}, shows="number"),
    "trial": Bench({"a": (TODAY, {"bisque"})}, ["AP"]),
}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", NO_TRAY)
def test_where_nothing_is_missing_the_line_of_how_says_where_to_drop(
    show: Callable[..., ExplorerPage], name: str, width: int
):
    place = show(NO_TRAY[name], width=width)
    place.grip("tart").press("ArrowUp")  # "Reset" is there
    controls = [place.button(name) for name in ("More", "Reset") if place.button(name).count()]
    before = [each.bounding_box() for each in controls]
    place.hold("bisque", "focaccia")
    drop = place.find(".rm-drop")
    expect(drop).to_have_text("Drop here to leave an item out")
    expect(drop).to_be_visible()
    expect(place.find(".rm-hint")).to_have_css("visibility", "hidden")
    box = drop.bounding_box()
    for other in before:
        beside = box["x"] + box["width"] <= other["x"]
        assert beside or box["y"] + box["height"] <= other["y"]
    place.page.mouse.move(box["x"] + 40, box["y"] + box["height"] / 2, steps=4)
    expect(place.find(".rm-dock .rm-ghost")).to_have_count(1)
    ghost, row = (place.find(w).first.bounding_box() for w in (".rm-ghost", ".rm-scroll .rm-row"))
    assert ghost["width"] == pytest.approx(row["width"], abs=0.1)
    assert ghost["y"] + ghost["height"] <= drop.bounding_box()["y"] + 0.5
    for each, was in zip(controls, before, strict=True):
        assert each.bounding_box()["y"] == pytest.approx(was["y"], abs=0.5)
    place.page.keyboard.press("Escape")
    place.page.mouse.up()
    expect(drop).to_be_hidden()
