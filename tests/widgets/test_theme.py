"""The colours of figures, which no checker of pages sees, and of edges; axe-core checks text."""

import re

import pytest

from byhand import figures
from byhand.figures import GAP, GAP_SOFT, HIT, HIT_EDGE, HIT_SOFT, INK, QUIET, WHITE
from byhand.theme import tokens

GROUNDS = {"light": "#ffffff", "dark": "#111111"}


def tones(theme: str) -> dict[str, str]:
    pairs = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", tokens())
    return {name: light if theme == "light" else dark for name, light, dark in pairs}


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", GROUNDS)
def test_an_edge_that_means_something_stands_out_from_its_ground(theme):
    edges = [tones(theme)["control"], tones(theme)["hit-edge"], HIT_EDGE, GAP]
    assert min(contrast(edge.lower(), GROUNDS[theme]) for edge in edges) >= 3


def test_a_figure_has_the_colours_of_the_lists_on_a_light_page_and_its_text_can_be_read():
    for name in ("hit", "hit-soft", "hit-edge", "gap", "gap-soft"):
        assert getattr(figures, name.upper().replace("-", "_")) == tones("light")[name]
    for text, ground in ((INK, WHITE), (QUIET, WHITE), (HIT, HIT_SOFT), (WHITE, HIT)):
        assert contrast(text.lower(), ground.lower()) >= 4.5
    assert contrast(GAP.lower(), GAP_SOFT.lower()) >= 4.5
