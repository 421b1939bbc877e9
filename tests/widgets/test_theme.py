"""The colours that text and its grounds have in either theme."""

import re

import numpy as np
import pytest

from byhand import figures
from byhand.figures import GAP, GAP_SOFT, HIT, HIT_EDGE, HIT_SOFT, INK, QUIET, WHITE
from byhand.theme import tokens

GROUNDS = {"light": ("#ffffff", "#212121"), "dark": ("#111111", "#e0e0e0")}  # JupyterLab's own
PAGES = {"light": ("#ffffff", "#141a24"), "dark": ("#111111", "#e9edf3")}  # and those of the tokens


def tones(theme: str, grounds: dict = GROUNDS) -> dict[str, str]:
    pairs = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{3,6}), (#[0-9a-f]{6})\);", tokens())
    found = {name: light if theme == "light" else dark for name, light, dark in pairs}
    return found | dict(zip(("ground", "ink"), grounds[theme], strict=True))


def linear(colour: str) -> np.ndarray:
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def luminance(colour: str) -> float:
    return float(linear(colour) @ [0.2126, 0.7152, 0.0722])


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("grounds", [GROUNDS, PAGES], ids=["notebook", "page"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("pairs", "least"),
    [
        ("ink:ground ink:hit-soft ink:gap-soft quiet:ground quiet:hit-soft hit:ground", 4.5),
        ("hit:hit-soft on-hit:hit gap:ground gap:gap-soft good:ground good:good-soft", 4.5),
        ("control:ground hit-edge:ground", 3),
    ],
)
def test_text_and_edges_have_the_contrast_that_they_need(grounds, theme, pairs, least):
    colours = tones(theme, grounds)
    for text, ground in (each.split(":") for each in pairs.split()):
        assert contrast(colours[text], colours[ground]) >= least, (text, ground)


@pytest.mark.parametrize(
    ("text", "ground"),
    [(INK, WHITE), (QUIET, WHITE), (HIT, HIT_SOFT), (WHITE, HIT), (GAP, GAP_SOFT)],
)
def test_text_in_a_figure_has_that_contrast_too(text, ground):
    assert contrast(text.lower(), ground.lower()) >= 4.5


@pytest.mark.parametrize("name", ["hit", "hit-soft", "hit-edge", "gap", "gap-soft"])
def test_hits_and_gaps_in_a_figure_are_those_of_the_lists_on_a_light_page(name):
    assert getattr(figures, name.upper().replace("-", "_")) == tones("light")[name]


@pytest.mark.parametrize("grounds", [GROUNDS, PAGES], ids=["notebook", "page"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("edge", [HIT_EDGE, GAP], ids=["hit", "gap"])
def test_a_box_in_a_figure_stands_out_from_either_ground_by_its_edge(edge, theme, grounds):
    assert contrast(edge, grounds[theme][0]) >= 3
