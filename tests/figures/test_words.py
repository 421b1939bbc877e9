"""Figures in other languages: their words, their numbers, and a glyph for each letter."""

import io
import logging
import warnings
from pathlib import Path

import pandas as pd
import polib
from matplotlib.font_manager import FontProperties, fontManager, get_font

from byhand import figures
from byhand.words import speaking

ROOT = Path(__file__).parents[2]
BARS = pd.DataFrame({"RR": {"비스크": 1.0, "라자냐": 0.25}}).rename_axis("쿼리")


def test_hangul_is_drawn_in_letters_and_not_in_boxes(caplog):
    with speaking("ko"), warnings.catch_warnings(), caplog.at_level(logging.WARNING):
        warnings.simplefilter("error")  # of a glyph that is missing matplotlib warns
        ax = figures.draw_bars(BARS, title="수프", ylabel="값")
        for kind in ("png", "svg", "pdf"):
            ax.figure.savefig(io.BytesIO(), format=kind)
    assert not [each for each in caplog.records if each.name.startswith("matplotlib")]


def test_there_is_a_glyph_for_each_letter_of_the_catalogs():
    families = ["DejaVu Sans", "Ranking Metrics Hangul"]
    fonts = [get_font(fontManager.findfont(FontProperties(each))) for each in families]
    known = set().union(*(font.get_charmap() for font in fonts))
    for path in ROOT.glob("*/locale/*.po"):
        catalog = polib.pofile(str(path))
        said = "".join("".join([each.msgstr, *each.msgstr_plural.values()]) for each in catalog)
        lacking = {letter for letter in said if letter.isprintable()} - {*map(chr, known)}
        assert not lacking, path
