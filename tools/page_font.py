"""Cut the letters of pages: `python -m tools.page_font TEXT.woff2 FORMULAS.woff2 KOREAN.woff2`.

It needs fonttools with brotli, hanken-grotesk-latin-wght-normal.woff2 of the npm package
@fontsource-variable/hanken-grotesk, stix-two-math-latin-400-normal.woff2 of
@fontsource/stix-two-math, and noto-sans-kr-korean-400-normal.woff2 of @fontsource/noto-sans-kr. It
writes each into the style sheet that carries it. What it cuts has to
hold what the catalogs and formulas say, which tests look at in a browser.
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
_LETTERS = [*range(0x20, 0x7F), *range(0xC0, 0x100)]  # Western Europe's
_MARKS = "\u00a0§ªº°±·½–—‘’“”…−"
_ITALICS = [*range(0x1D434, 0x1D468), 0x210E]  # as a browser sets one letter of a formula
_SIGNS = "·…⋯−×±√∑≤≥≠≈"


def cut(source: Path, letters: list[int], marks: str, features: list[str]) -> bytes:
    """Those letters of a font, in the weights that pages have; of formulas how to set them, too."""
    options = Options()
    options.layout_features, options.hinting = features, False
    options.name_IDs = [0, 1, 2, 5, 13, 14]
    font = TTFont(source)
    cutter = Subsetter(options)
    cutter.populate(unicodes=letters, text=marks)
    cutter.subset(font)
    if "fvar" in font:
        font = instantiateVariableFont(font, {"wght": (400, 400, 700)})
    font.flavor, font.recalcTimestamp = "woff2", False
    font.save(made := io.BytesIO())
    return made.getvalue()


if __name__ == "__main__":
    for source, sheet, *chosen in (
        (sys.argv[1], "byhand/theme/face.css", _LETTERS, _MARKS, ["kern"]),
        (sys.argv[2], "helpers/formulas.css", [*_LETTERS, *_ITALICS], _SIGNS, []),
        (sys.argv[3], "helpers/pages.css", [], languages()["ko"], []),
    ):
        data = base64.b64encode(cut(Path(source), *chosen)).decode()
        text = (ROOT / sheet).read_text(encoding="utf-8")
        text = re.sub(r"(?<=;base64,)[\w+/=]*", data, text)
        (ROOT / sheet).write_text(text, encoding="utf-8")
