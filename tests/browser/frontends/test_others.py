"""The Challenge, the Prediction, the Duel and the CoinTosses, in the browser and by keyboard."""

import re

import numpy as np
from browser_harness import Reader
from explorer_page import CHALLENGE, DUEL, PREDICTIONS, TOSSES, ExplorerPage
from playwright.sync_api import expect

from byhand.statistics import randomisation_p

MISSED = """from byhand.widgets import Challenge, Goal
Challenge(["D1", "D2"], {"D2", "D9"}, Goal.highest("AP"))"""
MEANS = """from byhand.widgets import Challenge, Goal
Challenge(
    ["D5", "D3", "D1", "D4"], {"D4"}, Goal.reach("RR", "2/3"),
    beside={"Q1": (["D4", "D2"], {"D4"}), "Q2": (["D1", "D4"], {"D4"})},
)"""


def test_a_challenge_by_keyboard(reader: Reader):
    reader.open([CHALLENGE])
    page = ExplorerPage(reader)
    verdict = page.find(".rm-verdict")
    expect(page.find(".rm-title")).to_have_text("Goal 1: Make RR = 1/2.")
    expect(verdict).to_have_text("RR is 0.333, which is 0.167 away from it.")
    page.grip("D3").press("ArrowUp")
    expect(verdict).to_have_text("✓ Reached.")
    page.button("Next goal").press("Enter")
    page.expect_focus(page.button("Goal 2"))
    expect(page.find(".rm-title")).to_have_text("Goal 2: Make AP as high as you can.")
    page.expect_order("D1", "D2", "D3", "D4")
    page.button("Show a solution").press("Space")
    page.expect_value("AP = 1.000")
    expect(page.find(".rm-more")).to_have_text("This is a solution.")
    expect(page.button("✓ Goal 1")).to_have_attribute("aria-pressed", "false")
    assert page.find(".rm-out").count() == 0
    assert page.find("button.rm-grade").count() == 0


def test_what_a_challenge_does_not_retrieve_has_no_grip(reader: Reader):
    reader.open([MISSED])
    reader.settle()
    page = ExplorerPage(reader)
    expect(page.row("D9").locator(".rm-label")).to_have_text("D9")
    expect(page.row("D9").get_by_role("button")).to_have_count(0)
    expect(page.row("D1").locator(".rm-grip")).to_be_visible()
    x, y, to_x, to_y = (*page.row("D9").bounding_box().values(),)[:2] * 2
    reader.page.mouse.move(x + 40, y + 8)
    reader.page.mouse.down()
    reader.page.mouse.move(to_x + 40, to_y - 60, steps=4)
    expect(page.find(".rm-ghost")).to_have_count(0)
    reader.page.mouse.up()


def test_a_challenge_of_means_shows_the_lists_beside(reader: Reader):
    reader.open([MEANS])
    page = ExplorerPage(reader)
    beside = page.find(".rm-beside")
    expect(beside).to_contain_text("MRR = 0.583")
    expect(beside.locator("li").nth(1)).to_have_text("Q2D1D4 ●RR = 0.500")
    page.hold("D4", "D3")
    expect(beside).to_contain_text("MRR = 0.667")
    expect(page.find(".rm-verdict")).to_have_text("✓ Reached.")
    expect(page.button("Next goal")).to_have_count(0)
    reader.page.mouse.up()
    expect(page.find(".rm-verdict")).to_have_text("✓ Reached.")


def test_predictions_by_keyboard(reader: Reader):
    reader.open([PREDICTIONS])
    page = reader.page
    cells = reader.cells()
    number, choice, order = (page.locator(".rm-verdict").nth(n) for n in range(3))
    field = page.get_by_label("Your prediction").get_by_role("textbox")
    field.focus()
    page.keyboard.type("1/4 mddxab")
    page.keyboard.press("Enter")
    expect(number).to_contain_text("is no number")
    tell = page.get_by_role("button", name="Show the answer")
    for guess, said in (("1", "Not yet. Where is the first?"), ("4", "Not yet. That is the rank.")):
        expect(tell).to_have_count(0)
        field.fill(guess)
        page.keyboard.press("Enter")
        expect(number).to_have_text(said)
    expect(tell).to_have_count(1)
    field.fill("1/4")
    page.keyboard.press("Enter")
    expect(number).to_have_text("✓ Right: the answer is 0.25 (1/4).")
    expect(page.locator(".rm-more").first).to_have_text("One over four.")
    page.get_by_role("button", name="Try again").press("Enter")
    for guess in ("2", "3"):
        field.fill(guess)
        page.keyboard.press("Enter")
    expect(number).to_have_text("Not yet. At rank 4.")
    tell.press("Enter")
    expect(number).to_have_text("The answer is 0.25 (1/4).")

    expect(page.locator(".rm-letter")).to_have_text(["a", "b"])
    page.get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("m")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(choice).to_have_text("✓ Right.")
    page.keyboard.press("Shift+Enter")  # neither "Try again" nor the cell again
    reader.settle()
    expect(choice).to_have_text("✓ Right.")

    page.locator("[data-id=B] .rm-grip").press("Home")
    page.get_by_role("button", name="Commit").press("Enter")
    expect(order).to_have_text("✓ Right: the answer is B > A > C.")
    assert reader.cells() == cells


def test_a_duel_by_mouse(reader: Reader):
    reader.open([DUEL])
    verdict = reader.page.locator(".rm-verdict")
    expect(verdict).to_have_text("RR cannot tell the two apart. AP and nDCG can: old is better.")
    old, new = (reader.page.locator(".rm-ranked").nth(n) for n in (0, 1))
    new.get_by_role("button", name="Move D5 up").click()
    expect(verdict).to_have_text("RR, AP and nDCG cannot tell the two apart.")
    old.get_by_role("button", name="Grade of D1: not relevant").click()
    expect(verdict).to_have_text("RR, AP and nDCG say: old is better.")
    expect(new.locator("[data-id=D1] .rm-word")).to_have_text("relevant")
    expect(reader.page.locator(".rm-figure").first).to_have_attribute(
        "aria-label", "Hits at rank 1, 2, 3 of 3. RR = 1.000, AP = 1.000, nDCG = 1.000."
    )


def test_an_item_is_dragged_from_one_list_of_a_duel_to_the_other(reader: Reader):
    reader.open([DUEL, "print(duel)"])
    expect(reader.page.locator(".rm-verdict")).to_contain_text("old is better")
    reader.settle()
    old, new = (reader.page.locator(".rm-ranked").nth(n) for n in (0, 1))
    old.locator("[data-id=D1] .rm-grip").hover()  # waits until it stands still
    goal = new.locator(".rm-scroll [data-id=D2]").bounding_box()
    mouse = reader.page.mouse
    mouse.down()
    mouse.move(goal["x"] + 30, goal["y"] + 10, steps=6)
    pairs = reader.page.locator(".rm-pairs .rm-value")
    expect(pairs.first).to_have_text("RR: 1.000 ≠ 0.333")
    mouse.up()
    expect(old.locator(".rm-scroll .rm-label")).to_have_text(["D4", "D5"])
    expect(old.locator(".rm-dock .rm-label")).to_have_text(["D1", "D2", "D3"])
    expect(new.locator(".rm-scroll .rm-label")).to_have_text(["D1", "D2", "D4", "D3", "D5"])
    expect(pairs.first).to_have_text("RR: 1.000 ≠ 0.333")
    assert "new: D1 > D2 > D4* > D3 > D5*" in reader.printed(1)
    new.locator("[data-id=D1] .rm-grip").press("Control+z")
    expect(old.locator(".rm-scroll .rm-label")).to_have_text(["D1", "D4", "D5"])
    expect(new.locator(".rm-scroll .rm-label")).to_have_text(["D2", "D4", "D3", "D5"])


def test_coins_are_tossed_by_keyboard_and_python_hears_of_it(reader: Reader):
    reader.open([TOSSES, "print(coins, coins.p)\ncoins.reset()"])
    page = ExplorerPage(reader)
    verdict = page.find(".rm-verdict")
    page.button("Toss 100 times").press("Enter")
    page.button("Toss").press("Space")
    expect(verdict).to_contain_text("Toss 101: mean ")
    expect(verdict).to_have_attribute("aria-live", "polite")
    printed = reader.printed(1)
    reached, p = re.search(r"101 tosses, (\d+) as far: p = [\d.]+\) ([\d.]+)", printed).groups()
    assert float(p) == (int(reached) + 1) / 102
    expect(verdict).to_contain_text("No toss yet")
    exact = randomisation_p(np.array([0.5, 0.25, -0.125, 0]))
    assert abs(float(p) - exact) < 4 * (exact * (1 - exact) / 101) ** 0.5
