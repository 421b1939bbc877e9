"""A report in another language: nothing of it stays English."""

import gettext
import re
from html import unescape

import pytest
from guards import without_module
from marked import Marked, outside
from small_runs import NEW, OLD, QRELS, text_of
from test_golden import REPORTS

from byhand import words
from byhand.reports import rendering
from byhand.reports.gate_command import main as gate

NAMES = {"RR", "AP", "nDCG", "inf", "groups", "csv", "en", "ko"}  # of measures and files


@pytest.fixture(scope="module")
def marked():
    """That language, under the code xx."""

    def catalog(language, folder=None):
        return Marked() if language == "xx" else gettext.NullTranslations()

    with pytest.MonkeyPatch.context() as patch:
        for module in (words, rendering):
            patch.setattr(module, "catalog", catalog)
        patch.setattr(words, "languages", lambda: {"en": "English", "xx": "⟦⟧"})
        rendering.templates.cache_clear()
        yield "xx"
    rendering.templates.cache_clear()


def english(text):
    """The words of a text that no message has."""
    return set(re.findall(r"[^\W\d_]{2,}", outside(text))) - NAMES


@pytest.mark.parametrize("name", REPORTS)
def test_no_word_of_a_page_is_left_untranslated(name, marked):
    html = without_module(REPORTS[name](marked).html())
    assert f'<html lang="{marked}">' in html
    heard = re.findall(r'(?:aria-label|title|alt)="([^"]*)"', html)
    assert english(" ".join([text_of(html), *map(unescape, heard)])) == set()


def test_nor_is_one_of_the_line_of_the_gate(marked, capsys):
    gate([str(OLD), str(NEW), "--qrels", str(QRELS), "--language", marked])
    line = capsys.readouterr().out.replace("ranking-gate", "")
    assert "⟦" in line
    assert english(line) == set()
