"""The Challenge, the Prediction and the Duel, in the browser and by keyboard."""

from browser_harness import Reader
from explorer_page import CHALLENGE, DUEL, PREDICTIONS, ExplorerPage
from playwright.sync_api import expect


def test_a_challenge_by_keyboard(reader: Reader):
    reader.open([CHALLENGE])
    page = ExplorerPage(reader)
    verdict = page.find(".rm-verdict")
    expect(page.find(".rm-title")).to_have_text("Goal 1: Make RR = 1/2.")
    expect(verdict).to_have_text("RR is 0.333, which is 0.167 away from it.")
    page.grip("D3").press("ArrowUp")
    expect(verdict).to_have_text("✓ Reached.")
    page.button("Goal 2").press("Enter")
    expect(page.find(".rm-title")).to_have_text("Goal 2: Make AP as high as you can.")
    page.expect_order("D1", "D2", "D3", "D4")
    page.expect_focus(page.button("Goal 2"))
    page.button("Show a solution").press("Space")
    page.expect_value("AP = 1.000")
    expect(page.find(".rm-more")).to_have_text("This is a solution.")
    expect(page.button("✓ Goal 1")).to_have_attribute("aria-pressed", "false")
    assert page.find(".rm-out").count() == 0
    assert page.find("button.rm-grade").count() == 0


def test_predictions_by_keyboard(reader: Reader):
    reader.open([PREDICTIONS])
    page = reader.page
    cells = reader.cells()
    number, choice, order = (page.locator(".rm-verdict").nth(n) for n in (1, 3, 5))
    field = page.get_by_label("Your prediction").get_by_role("textbox")
    field.focus()
    page.keyboard.type("1/4 mddxab")
    page.keyboard.press("Enter")
    expect(number).to_contain_text("is no number")
    field.fill("1/4")
    page.keyboard.press("Enter")
    expect(number).to_have_text("✓ Right: the answer is 0.25 (1/4).")

    page.get_by_role("radio", name="RR").focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("m")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(choice).to_have_text("✓ Right.")

    page.locator("[data-id=B] .rm-grip").press("Home")
    page.get_by_role("button", name="Commit").last.press("Enter")
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
    expect(reader.page.locator(".rm-figure").first).to_have_attribute(
        "aria-label", "Hits at rank 1, 2, 3 of 3. RR = 1.000, AP = 1.000, nDCG = 1.000."
    )
