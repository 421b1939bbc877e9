"""What axe-core finds in our part of the page, in both themes."""

from collections.abc import Iterator

import pytest
from browser_harness import COLOURS, Reader
from explorer_page import EXPLORER, GRADED, OTHERS, ExplorerPage

RULES = """async (rules) => {
  const only = rules.length ? { runOnly: rules } : {};
  const found = await axe.run('.jp-OutputArea-output', { resultTypes: ['violations'], ...only });
  return found.violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.target} ${node.failureSummary}`));
}"""
CHECKED = """async () => {
  const found = await axe.run('.jp-OutputArea-output', { runOnly: ['color-contrast'] });
  return found.passes.flatMap((rule) => rule.nodes).length;
}"""


@pytest.fixture
def axe(reader: Reader, axe_source: str) -> Iterator[None]:
    """Have axe-core in the page, and the page as axe-core needs it."""
    reader.page.evaluate(axe_source)
    # JupyterLab's body has no height of its own, and axe takes what overflows it for invisible
    height = reader.page.add_style_tag(content="html, body { height: 100vh !important }")
    yield
    height.evaluate("node => node.remove()")
    reader.theme("JupyterLab Light")


@pytest.mark.usefixtures("axe")
def test_axe_finds_nothing(reader: Reader):
    reader.page.set_viewport_size({"width": 1250, "height": 6000})
    reader.open([EXPLORER, GRADED, *OTHERS])
    page = ExplorerPage(reader.page)
    page.grip("D4").first.press("Home")
    reader.settle()
    assert reader.page.evaluate(RULES, []) == []
    reader.theme("JupyterLab Dark")  # only colours depend on it
    reader.settle()
    assert reader.page.evaluate(RULES, COLOURS) == []
    assert reader.page.evaluate(CHECKED) > 40


def test_every_control_is_reached_with_tab_and_has_a_name(reader: Reader):
    reader.open([EXPLORER])
    reader.page.locator(".rm-button").first.focus()
    names = []
    for _ in range(50):
        name = reader.page.evaluate(
            """() => {
              const node = document.activeElement;
              if (!node.closest('.rm')) return null;
              return node.getAttribute('aria-label') || node.textContent;
            }"""
        )
        if name is None:
            break
        names.append(name)
        reader.page.keyboard.press("Tab")
    assert names == [
        *("Reset", "Shuffle", "Ideal order", "Undo", "Redo", "Skip the list"),
        "Move D1, rank 1 of 5, not relevant",
        "Move D2, rank 2 of 5, not relevant",
        "Move D3, rank 3 of 5, not relevant",
        "Move D4, rank 4 of 5, relevant",
        "Move D5, rank 5 of 5, not relevant",
        "Step by step",
    ]
