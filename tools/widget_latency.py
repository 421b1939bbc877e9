"""How long a move of the hand takes to show, in JupyterLab: values, ranks, bars and rows.

Run it with `PYTHONPATH=.:tests/browser python tools/widget_latency.py`. It prints medians and
asserts nothing: what they are depends on the machine. Wanted: less than 16 ms a move for 30 items,
few frames over 32 ms.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles

from browser_harness import Reader, chromium_path, launch, serve
from explorer_page import ExplorerPage
from playwright.sync_api import sync_playwright

DRAGS = 8
CELL = """from byhand.widgets import Explorer
explorer = Explorer([f"D{{i}}" for i in range(1, {n} + 1)], {{"D2", "D4", "D9"}})
explorer"""
# From the event, before any of our code, until the page is laid out anew.
WATCH = """() => {
  window.moves = [];
  window.frames = [];
  if (window.watched) return;
  window.watched = true;
  let began = 0;
  addEventListener('pointermove', () => { began = performance.now(); }, true);
  addEventListener('pointermove', () => {
    if (!document.querySelector('.rm-ghost')) return;
    document.body.offsetHeight;
    window.moves.push(performance.now() - began);
  });
  let last = performance.now();
  const frame = (now) => {
    if (document.querySelector('.rm-ghost')) window.frames.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""


def measure(reader: Reader, n_items: int) -> tuple[list[float], list[float]]:
    """Milliseconds of each move of a drag, and of each frame while dragging."""
    reader.open([CELL.format(n=n_items)])
    page = ExplorerPage(reader.page)
    page.find(".rm-lane").wait_for()
    reader.settle()
    reader.page.evaluate(WATCH)
    mouse = reader.page.mouse
    for _ in range(DRAGS):
        x, y, to_x, to_y = page.way("D8", "D1")
        mouse.move(x, y)
        mouse.down()
        mouse.move(to_x, to_y, steps=40)
        mouse.move(x, y, steps=40)
        mouse.up()
    return reader.page.evaluate("[window.moves, window.frames]")


def main() -> None:
    """Print the medians for a short and a long list."""
    if not chromium_path():
        sys.exit("This needs Chromium; see the message of `pytest tests/browser`.")
    with (
        tempfile.TemporaryDirectory() as folder,
        serve(Path(folder) / "server") as server,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright.chromium)
        reader = Reader(browser.new_page(viewport={"width": 1250, "height": 1400}), server, "lab")
        reader.begin()
        for n_items in (8, 30):
            moves, frames = measure(reader, n_items)
            slow = sum(each > 32 for each in frames)
            print(
                f"{n_items:2d} items: a move takes {median(moves):4.1f} ms in the median, nine in "
                f"ten at most {quantiles(moves, n=10)[-1]:4.1f} ms ({len(moves)} moves); "
                f"{slow} of {len(frames)} frames over 32 ms"
            )
        browser.close()


if __name__ == "__main__":
    main()
