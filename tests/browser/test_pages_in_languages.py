"""The pages in other languages: they live, and fit a phone."""

from pathlib import Path

import pytest
from page_checks import ALL_BUT_COLOURS, SPILLS, STARTED, violations, watch
from playwright.sync_api import Page

from byhand.words import ENGLISH, languages
from helpers.places import NOTEBOOKS

OTHERS = [each for each in languages() if each != ENGLISH]
PAGES = ["index", *sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))]
LESSON = "03-average-precision.html"


@pytest.mark.parametrize("language", OTHERS)
def test_every_page_lives_and_fits_a_phone(
    page: Page, editions: Path, axe_source: str, language: str
):
    seen = watch(page)
    page.set_viewport_size({"width": 390, "height": 844})
    for name in PAGES:
        page.goto((editions / language / f"{name}.html").as_uri())
        page.wait_for_function(STARTED)
        assert page.evaluate(SPILLS) <= 0, name
        assert page.locator("body > header").bounding_box()["height"] <= 49, name
        if f"{name}.html" == LESSON:
            page.evaluate(axe_source)
            assert violations(page, **ALL_BUT_COLOURS) == []  # colours are those of the English
    assert seen == []
