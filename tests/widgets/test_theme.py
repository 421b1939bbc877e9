"""The colours that text and its grounds have in either theme."""

import re

import pytest

from byhand.figures import BLUE, BLUE_SOFT, GREY, INK, INK_ANYWHERE, PALE, QUIET, WHITE
from byhand.widgets.embed import style

GROUNDS = {"light": ("#ffffff", "#212121"), "dark": ("#111111", "#e0e0e0")}  # JupyterLab's own


def tones(theme: str) -> dict[str, str]:
    pairs = re.findall(r"--rm-([\w-]+): light-dark\((#[0-9a-f]{3,6}), (#[0-9a-f]{6})\);", style())
    found = {name: light if theme == "light" else dark for name, light, dark in pairs}
    found["ground"], found["ink"] = GROUNDS[theme]
    return found


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        (text, ground)
        for text in ("ink", "quiet", "hit")
        for ground in ("ground", "shade", "hit-soft")
    ]
    + [("on-hit", "hit")]
    + [("good", "good-soft"), ("warn", "warn-soft"), ("good", "ground"), ("warn", "ground")],
)
def test_text_has_a_contrast_of_at_least_four_and_a_half(theme, text, ground):
    colours = tones(theme)
    assert contrast(colours[text], colours[ground]) >= 4.5


def test_a_figure_has_the_colours_of_the_light_theme():
    tone = tones("light")
    assert [tone[name] for name in ("quiet", "hit", "on-hit", "hit-soft", "control", "edge")] == [
        colour.lower() for colour in (QUIET, BLUE, WHITE, BLUE_SOFT, GREY, PALE)
    ]


@pytest.mark.parametrize(
    ("text", "ground"),
    [(INK, WHITE), (QUIET, WHITE), (BLUE, WHITE), (BLUE, BLUE_SOFT), (WHITE, BLUE)],
)
def test_text_in_a_figure_has_that_contrast_too(text, ground):
    assert contrast(text.lower(), ground.lower()) >= 4.5


def test_text_that_is_shown_on_any_ground_can_be_read_on_either():
    assert contrast(INK_ANYWHERE, GROUNDS["light"][0]) >= 4.5
    assert contrast(INK_ANYWHERE, GROUNDS["dark"][0]) >= 4.1
