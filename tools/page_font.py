"""Cut the letters of pages from Hanken Grotesk: `python -m tools.page_font FONT.woff2`.

It needs fonttools with brotli, and hanken-grotesk-latin-wght-normal.woff2 of the npm package
@fontsource-variable/hanken-grotesk. It writes the font into the style sheet that carries it. What
it cuts has to hold what the catalogs say, which a test looks at in a browser.
"""

import base64
import io
import re
import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

SHEET = Path(__file__).parents[1] / "byhand/widgets/browser/face.css"
_LETTERS = [*range(0x20, 0x7F), *range(0xC0, 0x100)]  # Western Europe's
_MARKS = "\u00a0§ªº°±·½–—‘’“”…−"


def cut(source: Path) -> bytes:
    """Those letters of a font, in the weights that pages have."""
    options = Options()
    options.layout_features, options.hinting = ["kern"], False
    options.name_IDs = [0, 1, 2, 5, 13, 14]
    font = TTFont(source)
    cutter = Subsetter(options)
    cutter.populate(unicodes=_LETTERS, text=_MARKS)
    cutter.subset(font)
    font = instantiateVariableFont(font, {"wght": (400, 400, 700)})
    font.flavor, font.recalcTimestamp = "woff2", False
    font.save(made := io.BytesIO())
    return made.getvalue()


if __name__ == "__main__":
    data = base64.b64encode(cut(Path(sys.argv[1]))).decode()
    text = SHEET.read_text(encoding="utf-8")
    SHEET.write_text(re.sub(r"(?<=;base64,)[\w+/=]+", data, text), encoding="utf-8")
