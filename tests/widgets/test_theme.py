"""The colours of figures, which no checker of pages sees, and of edges; axe-core checks text."""

import re

from byhand import figures
from byhand.figures import GAP, GAP_SOFT, HIT, HIT_EDGE, HIT_SOFT, INK, QUIET, WHITE
from byhand.theme import tokens

# a colour -> as it is on a light page, and on a dark one
TONES = {
    name: pair
    for name, *pair in re.findall(
        r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", tokens()
    )
}


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def test_an_edge_that_means_something_stands_out_from_its_ground():
    for theme, ground in enumerate(("#ffffff", "#111111")):
        edges = [TONES["control"][theme], TONES["hit-edge"][theme], HIT_EDGE, GAP]
        assert min(contrast(edge, ground) for edge in edges) >= 3


def test_a_figure_has_the_colours_of_the_lists_on_a_light_page_and_its_text_can_be_read():
    for name in ("hit", "hit-soft", "hit-edge", "gap", "gap-soft"):
        assert getattr(figures, name.upper().replace("-", "_")) == TONES[name][0]
    pairs = (INK, WHITE), (QUIET, WHITE), (HIT, HIT_SOFT), (WHITE, HIT), (GAP, GAP_SOFT)
    assert min(contrast(*pair) for pair in pairs) >= 4.5
