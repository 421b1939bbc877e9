"""The colours that text and its grounds have in either theme."""

import re
from pathlib import Path

import pytest

import helpers.widgets

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


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        (text, ground)
        for text in ("ink", "quiet", "hit")
        for ground in ("ground", "shade", "hit-soft")
    ]
    + [("good", "good-soft"), ("warn", "warn-soft"), ("good", "ground"), ("warn", "ground")],
)
def test_text_has_a_contrast_of_at_least_four_and_a_half(theme, text, ground):
    colours = tones(theme)
    light, dark = sorted((luminance(colours[text]), luminance(colours[ground])), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 4.5
