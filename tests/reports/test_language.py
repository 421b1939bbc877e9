"""A report in another language: nothing of it stays English, and what programs read does."""

import gettext
import re
from html import unescape

import pytest
from marked import Marked, outside
from small_runs import NEW, OLD, QRELS, report_at
from test_golden import REPORTS

from byhand import report, words
from byhand.errors import DataError
from byhand.reports import rendering
from byhand.reports.gate_command import main as gate

NAMES = {"RR", "AP", "nDCG", "inf", "groups", "csv", "en", "ko"}  # of measures and files


@pytest.fixture(scope="class")
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


def seen(html):
    """What a reader sees or hears of HTML."""
    html = re.sub(r"<(style|script)\b.*?</\1>", " ", html, flags=re.DOTALL)
    heard = re.findall(r'(?:aria-label|title|alt)="([^"]*)"', html)
    return unescape(" ".join([re.sub(r"<[^>]*>", " ", html), *heard]))


class TestNoWordIsLeftUntranslated:
    @pytest.mark.parametrize("name", REPORTS)
    def test_of_a_page(self, name, marked):
        found = REPORTS[name](marked)
        html = found.html()
        assert f'<html lang="{marked}">' in html
        assert english(seen(html[html.index("<body") :])) == set()

    def test_of_the_line_of_a_gate(self, marked, capsys):
        gate([str(OLD), str(NEW), "--qrels", str(QRELS), "--language", marked])
        line = capsys.readouterr().out.replace("ranking-gate", "")
        assert "⟦" in line
        assert english(line) == set()


def test_what_programs_read_is_english_in_any_language(tmp_path):
    for language in ("en", "pt"):
        found = report_at([1, 2] * 10, [2, 3] * 10, measures=["AP", "RR"], language=language)
        found.save(*(tmp_path / f"{language}.{form}" for form in ("json", "csv")))
        assert found.language == language
    for ending in ("json", "csv"):
        assert (tmp_path / f"en.{ending}").read_text() == (tmp_path / f"pt.{ending}").read_text()


def test_an_unknown_language_is_refused_with_what_there_is():
    with pytest.raises(DataError, match=r"language: There is no language 'xx'.*'pt' \(Português\)"):
        report([NEW, OLD], QRELS, language="xx")
