"""The colours that text and its grounds have in either theme."""

import re
from pathlib import Path

import pytest

import helpers.widgets
from helpers.figures.style import BLUE, BLUE_SOFT, INK, QUIET, WHITE
from helpers.widgets import Explorer, picture

CSS = (Path(helpers.widgets.__file__).parent / "base.css").read_text(encoding="utf-8")
GROUNDS = {"light": ("#ffffff", "#212121"), "dark": ("#111111", "#e0e0e0")}  # JupyterLab's own


def tones(theme: str) -> dict[str, str]:
    blocks = re.findall(r"\{([^}]*--rm-hit:[^}]*)\}", CSS)
    block = blocks[0 if theme == "light" else 1]
    found = dict(re.findall(r"--rm-([\w-]+): (#[0-9a-f]{6});", block))
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


@pytest.mark.parametrize(
    ("text", "ground"),
    [(INK, WHITE), (QUIET, WHITE), (BLUE, WHITE), (BLUE, BLUE_SOFT), (WHITE, BLUE)],
)
def test_text_in_a_figure_has_that_contrast_too(text, ground):
    assert contrast(text.lower(), ground.lower()) >= 4.5


def test_a_figure_has_the_colours_of_the_light_theme():
    of_the_notebook = {INK: "ink"}
    for colour, name in picture._THEME.items() - of_the_notebook.items():
        assert tones("light")[name] == colour.lower()


def test_every_colour_of_a_live_picture_is_one_of_the_theme():
    explorer = Explorer([*"abcdef"], {"b": 1, "d": 3, "e": 2, "x": 1}, max_grade=3, k=4)
    svg = explorer._board.figure.value
    alone = re.sub(r"var\(--rm-[\w-]+, #[0-9A-F]{6}\)", "", svg)
    assert "var(--rm-on-hit" in svg
    assert re.findall(r"#[0-9a-fA-F]{6}", alone) == []
    assert set(re.findall(r"var\(--rm-([\w-]+),", svg)) <= {*tones("dark")}
