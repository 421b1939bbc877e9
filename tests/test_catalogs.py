"""The catalogs of every language: all is translated, and holds what its English does."""

import re
from collections import Counter
from itertools import product

import catalogs
import polib
import pytest

from byhand import words
from helpers.places import NOTEBOOKS

# what a translation may not change: places to fill, code, links, tags and formulas
KEPT = {
    "places": re.compile(r"\{[^{}]*\}|%\(\w+\)s|%%"),
    "code": re.compile(r"`[^`]+`"),
    "links": re.compile(r"\]\(([^)]+)\)"),
    "tags": re.compile(r"</?[a-z]+[^>]*>"),
    "formulas": re.compile(r"\$[^$]+\$"),
}
LANGUAGES = [code for code in words.languages() if code != words.ENGLISH]
CATALOGS = list(product(catalogs.CATALOGS, LANGUAGES))
NAMES = [f"{folder.parent.name} {code}" for folder, code in CATALOGS]


@pytest.fixture(params=CATALOGS, ids=NAMES, scope="module")
def catalog(request):
    folder, code = request.param
    return polib.pofile(str(folder / f"{code}.po"), encoding="utf-8")


def forms(entry):
    """Each form of a message with the English that it is held to, the plural if it has one."""
    if not entry.msgid_plural:
        return [(entry.msgid, entry.msgstr)]
    some = {0: entry.msgid} if len(entry.msgstr_plural) > 1 else {}
    return [(some.get(n, entry.msgid_plural), said) for n, said in entry.msgstr_plural.items()]


def kept(kind, text):
    """What a translation keeps of a text: a formula except for the words in it."""
    return KEPT[kind].findall(re.sub(r"\\text\{.*?\}", r"\\text{}", text))


def test_every_message_is_translated(catalog):
    assert [entry.msgid for entry in catalog.untranslated_entries()] == []
    assert [entry.msgid for entry in catalog.fuzzy_entries()] == []
    assert [entry.msgid for entry in catalog.obsolete_entries()] == []


def columns(catalog, entry):
    """How a lesson's own columns are called in its code, which is translated, and in English."""
    lessons = {path for path, _ in entry.occurrences if path.endswith(".ipynb")}
    return {
        f"`{each.msgstr}`": f"`{each.msgid}`"
        for each in catalog
        if lessons.intersection(path for path, _ in each.occurrences)
    }


@pytest.mark.parametrize("kind", KEPT)
def test_a_translation_keeps_what_is_no_word(catalog, kind):
    changed = [
        (english, said)
        for entry in catalog.translated_entries()
        for english, said in forms(entry)
        if (same := Counter(kept(kind, english))) != Counter(kept(kind, said))
        and same != Counter(columns(catalog, entry).get(each, each) for each in kept(kind, said))
    ]
    assert changed == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_sentence_about_notebooks_begins_alike_so_that_pages_omit_it(code):
    catalog = polib.pofile(str(NOTEBOOKS / "locale" / f"{code}.po"), encoding="utf-8")
    begins = catalog.find("In a notebook,").msgstr
    assert begins
    for each in catalog:
        assert each.msgstr.count(begins) == each.msgid.count("In a notebook,"), each.msgstr


@pytest.mark.parametrize("folder", catalogs.CATALOGS, ids=lambda folder: folder.parent.name)
def test_the_catalogs_have_what_is_said_now_and_nothing_else(folder, tmp_path):
    """`make catalogs` would change nothing."""
    said = list(catalogs.CATALOGS[folder]())
    for code in LANGUAGES:
        copy = tmp_path / f"{code}.po"
        copy.write_bytes((folder / f"{code}.po").read_bytes())
        assert not catalogs.update(copy, said), f"{copy.name} lags behind: make catalogs"


HANGUL = "[가-힣]"
# whether a particle follows a syllable that ends in a consonant; ㄹ counts as none before 로
AFTER_CONSONANT = {"을": True, "를": False, "은": True, "와": False, "으로": True}
BETWEEN = r"(?:\([^()가-힣]*\))?[*`’”]*"  # 할인(discount)을, **할인**을
# where these stand, nearly nothing else does; the others end nouns and verbs, too
CERTAIN = re.compile(rf"({HANGUL})({BETWEEN})(을|를|은|와|으로)(?!{HANGUL})")
VERBS = re.compile(r"(?:나|지|이|부)(?:은|을)$")  # 나은, 지을: of verbs that lose their ㅅ


def is_wrong(syllable, particle):
    last = (ord(syllable) - ord("가")) % 28  # 0: none, 8: ㄹ
    return AFTER_CONSONANT[particle] != (last > 0 and not (particle.endswith("로") and last == 8))


def wrong(text):
    """The nouns of a text, each with the particle that it does not take."""
    for word, between, particle in CERTAIN.findall(text):
        verb = not between and VERBS.search(word + particle)
        if is_wrong(word, particle) and not verb:
            yield word + between + particle


def test_every_korean_particle_is_that_of_its_noun():
    entries = [each for folder in catalogs.CATALOGS for each in polib.pofile(f"{folder}/ko.po")]
    said = [text for each in entries for text in (each.msgstr, *each.msgstr_plural.values())]
    assert len(said) > 1000
    assert [(each, text) for text in said for each in wrong(text)] == []
