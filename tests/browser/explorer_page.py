"""What a reader sees of a widget, and the ways to take hold of it."""

from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

ASKED = """from byhand.widgets import Challenge, Goal, Prediction
from byhand.widgets.prediction.answers import Number
Prediction("What is 2 + 2?", Number(answer=4), covers=True)"""
REACHED = """Challenge(["D1", "D2"], {"D2"}, Goal.highest("RR"), covers=True)"""
COVERED = [ASKED, "It is four.", "print('computed: 4')", "## On\n\nFour again.", ASKED, REACHED]
COVERED += ["Swap them.", "print('swapped')", ASKED, "print('last')", "## More\n\nAll four."]
# of each cell, whether its text or output is seen
SEEN = """() => [...document.querySelectorAll('.jp-Cell')].map((cell) => {
  const shown = cell.querySelector('.jp-MarkdownOutput p, .jp-OutputArea-output');
  return shown && shown.checkVisibility({ visibilityProperty: true });
})"""
# whether no row and no bar moves, or is about to
_STILL = """() => [...document.querySelectorAll('.rm-row, .rm-line, .rm-run')].every(
  (node) => node.getAnimations().every(({ playState }) => playState !== 'running')
)"""


class Finger:
    """One finger on a page, whose touches are the browser's own."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.browser = page.context.new_cdp_session(page)
        self.at = (0.0, 0.0)

    def _touch(self, kind: str, *points: dict[str, float]) -> None:
        self.browser.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def press(self, x: float, y: float, *, rest: float = 0) -> None:
        """Put it down, and let it rest for so many milliseconds."""
        self.at = (x, y)
        self._touch("touchStart", {"x": x, "y": y})
        if rest:  # a busy page takes its time over no wait at all
            self.page.wait_for_timeout(rest)

    def move(self, across: float, down: float, *, steps: int = 6) -> None:
        """Move it by so much in steps."""
        x, y = self.at
        self.at = (x + across, y + down)
        for n in range(1, steps + 1):
            self._touch("touchMove", {"x": x + across * n / steps, "y": y + down * n / steps})

    def lift(self) -> None:
        """Take it away."""
        self._touch("touchEnd")


@dataclass
class ExplorerPage:
    """A widget on a page, or all that a notebook shows."""

    page: Page
    scope: str = ".jp-Notebook"

    def find(self, selector: str) -> Locator:
        """Parts of the explorer."""
        return self.page.locator(f"{self.scope} {selector}")

    def row(self, item: str) -> Locator:
        """The row of an item, in the list or in the dock."""
        return self.find(f'.rm-row[data-id="{item}"]:not(.rm-ghost, .rm-slot)')

    def grip(self, item: str) -> Locator:
        """What is dragged, and what takes the keys."""
        return self.row(item).locator(".rm-grip")

    def button(self, name: str) -> Locator:
        """A button by its accessible name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def tool(self, item: str, which: str) -> Locator:
        """A button of a row ("grade", "up", "down", "out"), which comes when the row is clicked."""
        self.grip(item).click()
        return self.row(item).locator(f".rm-{which}")

    def open_more(self) -> None:
        """Open what stands behind "More"."""
        for more in self.find("[data-name=more]").all():
            if more.get_attribute("aria-expanded") == "false":
                more.click()

    def expect_order(self, *items: str) -> None:
        """Wait until the list holds these items, best first."""
        expect(self.find(".rm-scroll .rm-label")).to_have_text(list(items))

    def expect_value(self, text: str) -> None:
        """Wait until one of the values reads like this."""
        expect(self.find(".rm-value").filter(has_text=text)).to_have_count(1)

    @property
    def values(self) -> list[str]:
        """What the cards say now."""
        return self.find(".rm-value").all_text_contents()

    def press(self, *names: str) -> None:
        """Press buttons by their `data-name`."""
        for name in names:
            button = self.find(f"[data-name={name}]")
            if not button.is_visible():
                self.open_more()
            button.click()

    def wait_until_still(self) -> None:
        """Wait until what moves has arrived; a busy machine may not even have begun to move it."""
        self.page.wait_for_function(_STILL, polling=50)

    def way(self, item: str, target: str) -> tuple[float, float, float, float]:
        """From the middle of an item's grip to just above the middle of another row."""
        self.wait_until_still()
        self.grip(item).hover()
        grip, goal = self.grip(item).bounding_box(), self.row(target).bounding_box()
        x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
        return x, y, x + 20, goal["y"] + goal["height"] * 0.3

    def hold(self, item: str, target: str) -> None:
        """Press, and move in steps to above another row."""
        _, _, x, y = self.way(item, target)
        self.page.mouse.down()
        self.page.mouse.move(x, y, steps=6)

    def drag_with_mouse(self, item: str, target: str) -> None:
        """The same, and let go."""
        self.hold(item, target)
        self.page.mouse.up()

    def drag_with_finger(self, item: str, target: str) -> None:
        """The same with a touch on the grip, as the browser itself gets one."""
        x, y, to_x, to_y = self.way(item, target)
        finger = Finger(self.page)
        finger.press(x, y, rest=280)
        finger.move(to_x - x, to_y - y)
        finger.lift()

    def drag_with_pen(self, item: str, target: str) -> None:
        """The same with a pen."""
        x, y, *goal = self.way(item, target)
        pen = self.page.context.new_cdp_session(self.page)
        held = {"pointerType": "pen", "button": "left", "buttons": 1, "clickCount": 1}
        for kind, at in (("mousePressed", (x, y)), ("mouseMoved", goal), ("mouseReleased", goal)):
            event = {"type": kind, "x": at[0], "y": at[1], **held}
            pen.send("Input.dispatchMouseEvent", event)
