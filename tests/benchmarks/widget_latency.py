"""How long after the drop the numbers and the picture are new, in JupyterLab.

Run it with `python tests/benchmarks/widget_latency.py`. It prints medians and asserts nothing:
what they are depends on the machine. Wanted on two cores: text within 60 ms, picture within 150.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "browser")]

from browser_harness import Reader, chromium_path, launch, serve  # noqa: E402
from explorer_page import ExplorerPage  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

DROPS = 40
CELL = """from helpers.widgets import Explorer
explorer = Explorer([f"D{{i}}" for i in range(1, {n} + 1)], {{"D2", "D4", "D9"}})
explorer"""
WATCH = """() => {
  window.drops = [];
  const after = (name) => () => {
    const drop = window.drops.at(-1);
    if (drop && drop[name] === undefined) drop[name] = performance.now() - drop.at;
  };
  const watch = (selector, name) => {
    // widgets.HTML replaces what is inside, so its own element is watched
    const node = document.querySelector(selector).closest('.widget-html');
    new MutationObserver(after(name)).observe(node, { childList: true, subtree: true });
  };
  watch('.rm-values', 'text');
  watch('.rm-figure', 'figure');
  addEventListener('pointerup', () => window.drops.push({ at: performance.now() }), true);
}"""


def measure(reader: Reader, n_items: int) -> dict[str, list[float]]:
    """Milliseconds from each drop to the new text and to the new picture."""
    reader.open([CELL.format(n=n_items)])
    page = ExplorerPage(reader)
    page.find(".rm-figure").wait_for()
    reader.settle()
    reader.page.evaluate(WATCH)
    for _ in range(DROPS // 2):
        for item, target in (("D4", "D1"), ("D1", "D4")):
            page.drag_with_mouse(item, target)
            reader.settle()
    drops = reader.page.evaluate("window.drops")
    complete = [drop for drop in drops if "text" in drop and "figure" in drop]
    return {name: [drop[name] for drop in complete] for name in ("text", "figure")}


def main() -> None:
    """Print the medians for a short and a long list."""
    if not chromium_path():
        sys.exit("This needs Chromium; see the message of `pytest tests/browser`.")
    with (
        tempfile.TemporaryDirectory() as folder,
        serve(Path(folder) / "server") as server,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        page = browser.new_page(viewport={"width": 1250, "height": 1400})
        reader = Reader(page, server, "lab")
        reader.begin()
        for n_items in (8, 30):
            for name, found in measure(reader, n_items).items():
                print(
                    f"{n_items:2d} items, drop to {name:6s}: median {median(found):3.0f} ms, "
                    f"nine in ten within {quantiles(found, n=10)[-1]:3.0f} ms ({len(found)} drops)"
                )
        browser.close()


if __name__ == "__main__":
    main()
