"""Cut the letters of figures from Noto Sans KR: `python -m tools.hangul_font FONT.woff2`.

It needs fonttools with brotli, and noto-sans-kr-korean-400-normal.woff2 of the npm package
@fontsource/noto-sans-kr. What it writes is stored, under a name of its own, as a licence asks
whose fonts have reserved names.
"""

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

OUT = Path(__file__).parents[1] / "byhand/figures/hangul.ttf"
NAME = "Ranking Metrics Hangul"
_OTHERS = "·…‘’“”→×−~、。〈〉《》「」『』【】㎜％（），．：；？！～"  # beside Hangul, for names


def korean() -> str:
    """The 2,350 syllables of KS X 1001, all that common text has, and the letters of syllables."""
    syllables = (chr(code) for code in range(0xAC00, 0xD7A4))
    return "".join(filter(_in_ks, syllables)) + "".join(map(chr, range(0x3131, 0x3164)))


def _in_ks(letter: str) -> bool:
    try:
        return len(letter.encode("euc_kr")) == 2
    except UnicodeEncodeError:
        return False


def cut(source: Path) -> None:
    """Write those letters of a font, and the names that say whose they are."""
    options = Options()
    options.layout_features, options.hinting, options.notdef_outline = [], False, True
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "BASE", "vhea", "vmtx", "VORG", "STAT"]
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    font = TTFont(source)
    cutter = Subsetter(options)
    cutter.populate(text=korean() + _OTHERS)
    cutter.subset(font)
    names = {1: NAME, 2: "Regular", 3: NAME, 4: NAME, 6: NAME.replace(" ", "")}
    names[13] = "This Font Software is licensed under the SIL Open Font License, Version 1.1."
    for number, text in names.items():
        font["name"].setName(text, number, 3, 1, 0x409)
    font["name"].names = [each for each in font["name"].names if each.platformID == 3]
    font["OS/2"].usWeightClass = 400
    font.flavor, font.recalcTimestamp = None, False
    font.save(OUT)


if __name__ == "__main__":
    cut(Path(sys.argv[1]))
