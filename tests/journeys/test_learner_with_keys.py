"""Somebody with a keyboard only: every stop is seen, and what is dragged moves by key."""

from playwright.sync_api import Page, expect

FOCUSED = """() => {
  const node = document.activeElement, box = node.getBoundingClientRect();
  const named = node.ariaLabel ?? [...node.labels ?? []].map((each) => each.innerText).join(' ');
  const seen = box.bottom > 0 && box.top < innerHeight && getComputedStyle(node).opacity > 0;
  // a page that has just come has the focus itself, and holds every name
  return { name: node === document.body ? '' : named || node.innerText, seen };
}"""
MOST = 60  # stops from one thing to the next


def tab_to(page: Page, name: str) -> None:
    """Press Tab until what has this in its name has the focus; each stop on the way is seen."""
    for _ in range(MOST):
        page.keyboard.press("Tab")
        found = page.evaluate(FOCUSED)
        assert found["seen"], found
        if name in found["name"]:
            return
    raise AssertionError(f"{MOST} times Tab, and no {name!r}; the last was {found}")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_a_first_hour(page: Page, course: str):
    page.goto(f"{course}/index.html")
    said = page.get_by_role("status")
    tab_to(page, "Move bisque, rank 6 of 8")
    press(page, *["ArrowUp"] * 5)
    moved = said.filter(has_text="bisque moved to rank 1 of 8. The number is 1.000.")
    expect(moved).to_have_count(1)
    press(page, "Control+z", "Control+z")
    expect(page.get_by_role("img", name="The number is 0.333.")).to_be_visible()
    press(page, "Control+y", "Home", "Escape")  # and out of the list
    tab_to(page, "Start here")
    press(page, "Enter")
    page.wait_for_url("**/00-start-here.html")

    # lesson 0: two numbers, a goal, and its exercises
    for guess, right in (("1/10", 1), ("0.5", 2)):
        tab_to(page, "A number, such as")
        page.keyboard.type(guess)
        press(page, "Enter")
        expect(said.filter(has_text="Right")).to_have_count(right)
    goal = page.get_by_text("Keep RR = 1/2 and make AP as high as you can")
    expect(goal.first).to_be_visible()
    tab_to(page, "Skip the list")
    press(page, "Enter")
    tab_to(page, "Move bisque, rank 6 of 8")
    press(page, "ArrowUp", "ArrowUp")
    for missed in ("harira", "rasam"):
        tab_to(page, f"Move {missed}, not in the list")
        press(page, *["ArrowUp"] * 5)
    expect(said.filter(has_text="Reached")).not_to_have_count(0)

    tab_to(page, "Move short, rank 3 of 3")
    press(page, "Home")
    tab_to(page, "Check")
    press(page, "Enter")
    expect(said.filter(has_text="Right")).to_have_count(3)
    for option in ("salad to rank 3", "bisque off the page"):
        tab_to(page, option)
        press(page, "Space")
    tab_to(page, "Check")
    press(page, "Enter")
    expect(said.filter(has_text="Right")).to_have_count(4)
    tab_to(page, "1 · Reciprocal rank")
    press(page, "Enter")
    expect(page.get_by_role("heading", name="Reciprocal rank")).to_be_visible()
