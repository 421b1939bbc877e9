"""Make font subsets for figures and pages: `python tools/fonts.py TEXT FORMULAS KOREAN` (.woff2).

It needs fonttools with brotli, hanken-grotesk-latin-wght-normal.woff2 of the npm package
@fontsource-variable/hanken-grotesk, stix-two-math-latin-400-normal.woff2 of
@fontsource/stix-two-math, and noto-sans-kr-korean-400-normal.woff2 of @fontsource/noto-sans-kr.
Browser tests check that the subsets have all letters of catalogs and formulas. The font of figures
gets a new name, as the licence requires for fonts with reserved names.
"""

import base64
import io
import re
import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

from byhand.words import languages

ROOT = Path(__file__).parents[1]
NAME = "Ranking Metrics Hangul"
LETTERS = "".join(map(chr, [*range(0x20, 0x7F), *range(0xC0, 0x100)]))  # Western European
MARKS = "\u00a0§ªº°±·½–—‘’“”…−"
ITALICS = "".join(map(chr, [*range(0x1D434, 0x1D468), 0x210E]))  # mathematical italics
SIGNS = "·…⋯−×±√∑≤≥≠≈"
OTHERS = "·…‘’“”→×−~、。〈〉《》「」『』【】㎜％（），．：；？！～"  # also in Korean names


def korean() -> str:
    """Return the 2,350 syllables of KS X 1001, for common text, and the Korean letters."""
    syllables = map(chr, range(0xAC00, 0xD7A4))
    common = (each for each in syllables if len(each.encode("euc_kr", "ignore")) == 2)
    return "".join(common) + "".join(map(chr, range(0x3131, 0x3164)))


def cut(source: str, text: str, features: tuple[str, ...] = ()) -> TTFont:
    """Return a subset of a font, in the weights of pages."""
    options = Options()
    options.layout_features, options.hinting = [*features], False
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    font = TTFont(source)
    cutter = Subsetter(options)
    cutter.populate(text=text)
    cutter.subset(font)
    if "fvar" in font:
        font = instantiateVariableFont(font, {"wght": (400, 400, 700)})
    font.recalcTimestamp = False
    return font


def into_sheet(sheet: str, font: TTFont) -> None:
    """Embed a font in a style sheet."""
    font.flavor = "woff2"
    font.save(made := io.BytesIO())
    data = base64.b64encode(made.getvalue()).decode()
    text = (ROOT / sheet).read_text(encoding="utf-8")
    text = re.sub(r"(?<=;base64,)[\w+/=]*", data, text)
    (ROOT / sheet).write_text(text, encoding="utf-8")


def for_figures(source: str) -> None:
    """Write the Korean font for figures."""
    font = cut(source, korean() + OTHERS)
    names = {1: NAME, 2: "Regular", 3: NAME, 4: NAME, 6: NAME.replace(" ", "")}
    names[13] = "This Font Software is licensed under the SIL Open Font License, Version 1.1."
    for number, text in names.items():
        font["name"].setName(text, number, 3, 1, 0x409)
    font["name"].names = [each for each in font["name"].names if each.platformID == 3]
    font.flavor = None
    font.save(ROOT / "byhand/figures/hangul.ttf")


if __name__ == "__main__":
    text, formulas, hangul = sys.argv[1:]
    into_sheet("byhand/theme/face.css", cut(text, LETTERS + MARKS, ("kern",)))
    into_sheet("helpers/formulas.css", cut(formulas, LETTERS + ITALICS + SIGNS))
    into_sheet("helpers/pages.css", cut(hangul, languages()["ko"]))
    for_figures(hangul)
