"""Somebody with a phone and a finger: no mouse, no keys but those on the screen."""

import pytest
from explorer_page import Finger
from page_checks import SPILLS
from playwright.sync_api import Locator, Page, expect

# On a slow machine a page scrolls on after a flick, and rows slide on after a drag. What is tapped
# in the meantime is elsewhere, and Playwright scrolls the page in search of it.
RESTS = """() => new Promise((tell) => {
  const y = scrollY;
  const isSliding = () => document.getAnimations().some((each) => each.playState === "running");
  setTimeout(() => tell(y === scrollY && !isSliding()), 100);
})"""


def go(start: Locator, *way: tuple[float, float], rest: float = 0) -> None:
    """Touch, rest so many milliseconds, move along a way from there, and lift."""
    page = start.page
    start.scroll_into_view_if_needed()
    page.wait_for_timeout(100)
    box = start.bounding_box()
    finger = Finger(page)
    finger.press(box["x"] + 30, box["y"] + box["height"] / 2, rest=rest)
    for across, down in way:
        finger.move(across, down, steps=8)
    finger.lift()
    page.wait_for_timeout(400)
    page.wait_for_function(RESTS)


def names(rows: Locator) -> list[str]:
    """What stands in a list, best first."""
    return [each.split()[-1] for each in rows.get_by_role("listitem").all_inner_texts()]


@pytest.mark.parametrize("window", ["phone"], indirect=True)
def test_a_first_hour(page: Page, course: str):
    page.goto(f"{course}/index.html")
    today = page.get_by_role("list", name="Ranked list")
    row = today.get_by_text
    first = names(today)
    expect(page.get_by_text("Hold a row, then drag it")).to_be_visible()

    go(row("ketchup"), (3, -250))  # a flick
    assert page.evaluate("scrollY") > 100
    assert names(today) == first
    page.evaluate("scrollTo(0, 0)")

    go(row("bisque"), (0, -280))  # the row that is asked for: at once
    assert names(today) == ["bisque", *(each for each in first if each != "bisque")]
    expect(page.get_by_text("1.000", exact=True)).to_be_visible()
    go(row("ketchup"), (0, 105), rest=300)  # held
    assert names(today)[:4] == ["bisque", "minestrone", "gazpacho", "ketchup"]
    go(row("minestrone"), (40, 0), (0, -60))  # pulled sideways, then up
    assert names(today)[:2] == ["minestrone", "bisque"]
    row("bisque").tap()
    page.get_by_role("button", name="Move bisque up").tap()
    expect(page.get_by_text("1.000", exact=True)).to_be_visible()
    assert names(today)[:2] == ["bisque", "minestrone"]
    assert page.evaluate("scrollY") < 10

    page.get_by_role("link", name="1 Reciprocal rank").tap()
    lone = page.get_by_role("list", name="lone")
    expect(lone).to_be_visible()  # the page has come
    # as the lesson says: down, off the page, and back
    go(lone.get_by_text("minestrone"), (0, 150))
    expect(page.get_by_role("button", name="1 / rank 1/")).not_to_have_text("1 / rank1/2")
    lone.get_by_text("minestrone").tap()
    page.get_by_role("button", name="Take minestrone out").tap()
    expect(page.get_by_role("button", name="1 / rank 0")).to_be_visible()
    page.get_by_role("button", name="Bring minestrone in").tap()
    page.get_by_role("checkbox", name="1 / rank").tap()
    page.get_by_role("button", name="Commit").tap()
    said = page.get_by_role("status")
    expect(said.filter(has_text="Right")).to_have_count(1)
    page.get_by_role("button", name="Skip the question").tap()
    for right, answer in enumerate(("7", "1/2"), start=2):
        page.get_by_role("textbox").last.tap()
        page.keyboard.insert_text(answer)  # with the keys on the screen
        page.get_by_role("button", name="Commit").last.tap()
        expect(said.filter(has_text="Right")).to_have_count(right)

    page.get_by_role("button", name="parts: contents").tap()
    page.get_by_role("link", name="Exercises").tap()
    expect(page.get_by_role("heading", name="Exercises")).to_be_in_viewport()
    exercise = page.get_by_role("group", name="Your answer").nth(1)
    exercise.get_by_role("textbox").tap()
    page.keyboard.insert_text("1")
    exercise.get_by_role("button", name="Check").tap()
    expect(said.filter(has_text="Right")).to_have_count(4)
    page.reload()
    expect(said.filter(has_text="Right")).to_have_count(4)
    assert page.evaluate(SPILLS) <= 0
