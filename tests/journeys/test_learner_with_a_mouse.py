"""Somebody with a mouse: the front page, lesson 1 to an exercise, home, and back the next day."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect


def test_a_first_hour_and_the_next_day(
    window: BrowserContext, page: Page, course: str, drag: Callable[..., None]
):
    page.goto(f"{course}/index.html")
    today = page.get_by_role("list", name="Ranked list")
    expect(page.get_by_text("There it is: 1.")).to_be_hidden()
    drag(today, "bisque", "ketchup")
    expect(today.get_by_role("listitem").first).to_contain_text("bisque")
    expect(page.get_by_role("img", name="The number is 1.000.")).to_be_visible()
    way = page.get_by_role("img", name="rank 6: 0.167")  # it kept a dot where the bisque was
    expect(way).to_be_visible()
    expect(page.get_by_text("There it is: 1.")).to_be_visible()
    expect(page.get_by_text("watch the number")).to_be_hidden()
    page.get_by_role("link", name="1 Reciprocal rank").click()

    # four formulas, and which of them is any good
    lone = page.get_by_role("list", name="lone")
    drag(lone, "minestrone", "dumplings")
    expect(page.get_by_role("button", name="1 / rank 1/8")).to_be_visible()
    said = page.get_by_role("status")
    page.get_by_role("checkbox", name="straight line").check()
    page.get_by_role("button", name="Commit").click()
    expect(said.filter(has_text="Not yet")).to_be_visible()
    expect(page.get_by_role("heading", name="Exercises")).to_be_hidden()
    page.get_by_role("checkbox", name="straight line").uncheck()
    page.get_by_role("checkbox", name="1 / rank").check()
    page.get_by_role("button", name="Commit").click()
    expect(said.filter(has_text="Right")).to_have_count(1)

    # a visitor walks down today's page, and down a better one
    page.get_by_role("button", name="Play").click()
    walked = "1 good of {} read. RR is what the visitor got: {:.3f}."
    expect(page.get_by_text(f"Visitor 1 stops: {walked.format(2, 0.5)}").last).to_be_visible()
    drag(page.get_by_role("list", name="Ranked list"), "minestrone", "ketchup")
    expect(page.get_by_text(walked.format(1, 1)).last).to_be_visible()

    # the next question is skipped, the one after it answered, and the cutoff moved
    page.get_by_role("button", name="Skip the question").click()
    for right, answer in enumerate(("7", "1/2"), start=2):  # the second of a document's list
        page.get_by_role("textbox").last.fill(answer)
        page.get_by_role("button", name="Commit").last.click()
        expect(said.filter(has_text="Right")).to_have_count(right)
    page.get_by_role("slider", name="Cutoff k").first.fill("1")
    cut = "RR@1 = 0: no hit counts."
    expect(page.get_by_label(cut)).to_be_visible()

    exercise = page.get_by_role("group", name="Your answer").nth(1)
    for guess, reply in (("1/3", "Not yet"), ("1", "Right")):
        exercise.get_by_role("textbox").fill(guess)
        exercise.get_by_role("button", name="Check").click()
        expect(said.filter(has_text=reply).last).to_be_visible()
    expect(said.filter(has_text="Right")).to_have_count(4)

    page.get_by_role("link", name="Ranking Metrics by Hand").click()
    card = page.get_by_role("listitem").filter(has_text="Reciprocal rank")
    expect(card).to_contain_text(["4 of 7 done"])
    page.close()

    page = window.new_page()
    page.goto(f"{course}/index.html")
    page.get_by_role("link", name="Go on: 1 Reciprocal rank").click()
    rows = page.get_by_role("list", name="lone").get_by_role("listitem")
    expect(rows.last).to_contain_text("minestrone")
    expect(page.get_by_text("RR is what the visitor got: 1.000.").last).to_be_visible()
    expect(page.get_by_label(cut)).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Right")).to_have_count(4)
    expect(page.get_by_role("button", name="Skip the question")).to_have_count(0)

    # lesson 7 throws the dice
    page.goto(f"{course}/07-what-would-chance-get.html")
    page.get_by_role("button", name="Skip the question").first.click()
    page.get_by_role("button", name="Shuffle 1,000 times").first.click()
    expect(page.get_by_text("1,000 shuffles: the mean of RR is 0.6").last).to_be_visible()
