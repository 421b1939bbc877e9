"""A lecturer who shows a lesson on a screen, lets the class vote, and keeps nothing of it."""

import pytest
from page_checks import until
from playwright.sync_api import Page, expect

KEPT = "() => JSON.stringify(localStorage)"
SIZE = "() => parseFloat(getComputedStyle(document.querySelector('main p')).fontSize)"


def kept(page: Page) -> str:
    page.wait_for_timeout(400)  # what is kept is written
    return page.evaluate(KEPT)


def test_a_lesson_is_talked_through_with_keys(page: Page, course: str):
    # at home the lecturer has answered the first question; the class is not to see that
    page.goto(f"{course}/05-choosing-a-metric.html")
    asked = page.locator("[data-question='05-guess']")
    asked.locator("input[value=c]").check()
    asked.get_by_role("button", name="Commit").click()
    small = page.evaluate(SIZE)
    expect(page.get_by_role("link", name="Leave")).to_be_hidden()
    page.get_by_role("link", name="Present it to a class").click()

    shown = page.locator("main > section:visible:not(.opening:not(.on))")
    expect(shown).to_have_count(1)
    expect(shown.get_by_role("heading")).to_have_text("Choosing a metric")
    before = kept(page)
    assert "guesses" in before
    size = page.viewport_size
    page.set_viewport_size({"width": 1920, "height": 1100})  # of a projector: letters grow with it
    assert page.evaluate(SIZE) == pytest.approx(1.4 * small)
    page.set_viewport_size(size)
    page.keyboard.press("ArrowRight")  # to the lists that the title page speaks of
    expect(shown.get_by_role("button", name="Move ketchup").first).to_be_visible()
    for heading in ("The question", "A metric describes a reader"):
        page.keyboard.press("ArrowRight")
        expect(shown).to_have_count(1)
        expect(shown.get_by_role("heading")).to_have_text(heading)
        expect(page.get_by_role("status").last).to_have_text(heading)

    # what the question covers stays covered, also to the keys, until it is opened
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("A question or a goal covers what follows")).to_be_visible()
    expect(shown.get_by_role("heading")).to_have_text("A metric describes a reader")
    expect(asked.get_by_role("button", name="Commit")).to_be_visible()
    asked.get_by_role("button", name="Show the answer").click()
    expect(asked).to_contain_text("The answer:")
    page.keyboard.press("ArrowRight")
    expect(shown.get_by_role("heading")).to_have_text("Who are your readers?")
    page.keyboard.press("ArrowLeft")
    expect(shown.get_by_role("heading")).to_have_text("A metric describes a reader")

    # another group: what comes is covered again; and then all is open
    page.get_by_role("button", name="Cover again").click()
    expect(shown).to_have_count(1)
    expect(shown.get_by_role("heading")).to_have_text("A metric describes a reader")
    expect(asked.get_by_role("button", name="Skip the question")).to_be_visible()
    page.get_by_role("button", name="Uncover all").click()
    page.get_by_role("button", name="parts: contents").click()
    expect(page.get_by_role("link", name=", covered")).to_have_count(0)
    page.get_by_role("link", name="Exercises").click()
    expect(shown.get_by_role("heading")).to_have_text("Exercises")

    # with a presenter's clicker, a part that is longer than the screen is read to its end
    page.keyboard.press("PageDown")
    expect(shown.get_by_role("heading")).to_have_text("Exercises")
    until(page, "scrollY > 0")
    for _ in range(9):
        page.keyboard.press("PageDown")
        page.wait_for_timeout(200)  # it has scrolled
    expect(shown.get_by_role("heading").first).to_have_text("Recap")

    # the lecturer's own answers are as they were
    assert kept(page) == before
    page.get_by_role("link", name="Leave").click()
    expect(asked).to_contain_text("Right")


def test_a_link_leads_the_class_to_a_part(page: Page, course: str):
    page.goto(f"{course}/pt/05-choosing-a-metric.html?class#a-metric-describes-a-reader")
    shown = page.locator("main > section:visible:not(.opening:not(.on))")
    expect(shown.locator("#a-metric-describes-a-reader")).to_be_visible()
    # a list has the arrows while it is in hand
    shown.locator(".rm-grip").first.press("ArrowRight")
    expect(shown.locator("#a-metric-describes-a-reader")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Ocultar de novo")).to_be_visible()
