"""What axe-core finds in our part of a notebook, in both themes: colours; the rest is ours."""

import pytest
from browser_harness import Reader
from explorer_page import CHANCES, EXPLORER, GRADED, OTHERS, ExplorerPage
from page_checks import ONLY_COLOURS, violations

OURS = ".jp-OutputArea-output"
CHECKED = f"""async () => {{
  const found = await axe.run('{OURS}', {{ runOnly: ['color-contrast'] }});
  return found.passes.flatMap((rule) => rule.nodes).length;
}}"""


@pytest.mark.parametrize("reader", ["lab"], indirect=True)  # Notebook has the same themes
def test_axe_finds_nothing(reader: Reader, axe_source: str):
    page = reader.page
    page.set_viewport_size({"width": 1250, "height": 6000})
    page.evaluate(axe_source)
    # JupyterLab's body has no height of its own, and axe takes what overflows it for invisible
    height = page.add_style_tag(content="html, body { height: 100vh !important }")
    reader.open([EXPLORER, GRADED, *OTHERS, CHANCES])
    ExplorerPage(page).grip("D4").first.press("Home")
    reader.settle()
    assert violations(page, OURS, **ONLY_COLOURS) == []
    reader.theme("JupyterLab Dark")
    reader.settle()
    assert violations(page, OURS, **ONLY_COLOURS) == []
    assert page.evaluate(CHECKED) > 40
    height.evaluate("node => node.remove()")
    reader.theme("JupyterLab Light")
