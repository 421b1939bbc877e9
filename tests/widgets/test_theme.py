"""The colours that text and its grounds have in either theme."""

import re

import numpy as np
import pytest

from byhand import figures
from byhand.figures import GAP, GAP_SOFT, HIT, HIT_EDGE, HIT_SOFT, INK, QUIET, WHITE
from byhand.theme import tokens

GROUNDS = {"light": ("#ffffff", "#212121"), "dark": ("#111111", "#e0e0e0")}  # JupyterLab's own
PAGES = {"light": ("#ffffff", "#141a24"), "dark": ("#111111", "#e9edf3")}  # and those of the tokens
# CSS Color 4: linear sRGB to the cone responses, and the roots of these to OKLab
CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)


def tones(theme: str, grounds: dict = GROUNDS) -> dict[str, str]:
    pairs = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{3,6}), (#[0-9a-f]{6})\);", tokens())
    found = {name: light if theme == "light" else dark for name, light, dark in pairs}
    found["ground"], found["ink"] = grounds[theme]
    found["field"] = mixed(found["hit-soft"], found["ground"], 0.5)
    found["surface"] = found["ground"]
    if theme == "dark":
        found["surface"] = mixed(found["hit"], found["field"], 0.11)
    return found


def linear(colour: str) -> np.ndarray:
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def mixed(one: str, other: str, part: float) -> str:
    """As color-mix(in oklab, …) has it; the roots mix as OKLab does, which is linear in them."""
    a, b = (np.cbrt(CONES @ linear(each)) for each in (one, other))
    parts = np.linalg.inv(CONES) @ (part * a + (1 - part) * b) ** 3
    shown = np.where(parts <= 0.0031308, 12.92 * parts, 1.055 * parts.clip(0) ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(each * 255):02x}" for each in shown.clip(0, 1))


def luminance(colour: str) -> float:
    return float(linear(colour) @ [0.2126, 0.7152, 0.0722])


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("grounds", [GROUNDS, PAGES], ids=["notebook", "page"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        (text, ground)
        for text in ("ink", "quiet", "hit")
        for ground in ("ground", "field", "surface", "hit-soft")
    ]
    + [("on-hit", "hit"), ("ink", "gap-soft"), ("gap", "gap-soft"), ("good", "good-soft")]
    + [(text, ground) for text in ("good", "gap") for ground in ("ground", "field", "surface")],
)
def test_text_has_a_contrast_of_at_least_four_and_a_half(grounds, theme, text, ground):
    colours = tones(theme, grounds)
    assert contrast(colours[text], colours[ground]) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("edge", ["control", "hit-edge"])
def test_an_edge_that_means_something_has_a_contrast_of_three(theme, edge):
    colours = tones(theme, PAGES)
    assert contrast(colours[edge], colours["field"]) >= 3


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
