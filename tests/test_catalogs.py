"""The catalogs of every language: all is translated, as its English and as the glossary say."""

import re
from collections import Counter
from itertools import product

import catalogs
import nbformat
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
    return po(*request.param)


def po(folder, language):
    return polib.pofile(str(folder / f"{language}.po"), encoding="utf-8")


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
    catalog = po(NOTEBOOKS / "locale", code)
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
BETWEEN = r"(?:\([^()가-힣]*\))?[*`’”]*"  # 할인(discount)을, **할인**을
# where these stand, nearly nothing else does; the others end nouns and verbs, too
CERTAIN = re.compile(rf"({HANGUL})({BETWEEN})(을|를|은|와|으로)(?!{HANGUL})")
AFTER_CONSONANT = ("을", "은", "으로")
VERBS = re.compile(r"(?:나|지|이|부)(?:은|을)$")  # 나은, 지을: of verbs that lose their ㅅ


def wrong(text):
    """The nouns of a text, each with the particle that it does not take."""
    for word, between, particle in CERTAIN.findall(text):
        last = (ord(word) - ord("가")) % 28  # the consonant at the end of a syllable; 0: none
        ends = last > 0 and not (particle == "으로" and last == 8)  # ㄹ, which counts as none
        verb = not between and VERBS.search(word + particle)
        if ends != (particle in AFTER_CONSONANT) and not verb:
            yield word + between + particle


def test_every_korean_particle_is_that_of_its_noun():
    entries = [each for folder in catalogs.CATALOGS for each in po(folder, "ko")]
    said = [text for each in entries for text in (each.msgstr, *each.msgstr_plural.values())]
    assert len(said) > 1000
    assert [(each, text) for text in said for each in wrong(text)] == []


# ---- the glossary

# what is no English word in a message: places, code, links and titles of what is cited
NO_WORDS = re.compile(
    r"\{[^{}]*\}|%\(\w+\)s|`[^`]+`|\]\([^)]+\)|\*[A-Z][^*]{20,}\*|[\w.]+\(.*?\)|Conventions|--[\w-]+|\w+=\S+"
)
BESIDE = re.compile(r"([^|()]+?) ?\(([a-z ]+)[),]")  # a word with its English, consulta (query)
# words that are a term in some uses only: how these are found
USES = {
    "query": r"quer(?:y|ies)(?! relevance)",
    "score": r"(?:the|its|highest|no|of) scores?",
    "rank": r"(?:at|the|first|each|of|by) ranks?(?! (?:all|it|them)\b)",
    "grade": r"(?:by|of|the|low|a) grades?",
    "reciprocal": r"(?:the|their|of) reciprocals?(?! rank)",
    "precision": r"(?<!rank-biased )(?<!average )(?<!context )(?<!contextual )(?<!printed )"
    r"precision(?! that)",
    "average precision": r"(?<!mean )average precision",
    "run": r"(?:the|a|new|old|each|one|other|every|your) runs?",
    "gate": r"(?<!;)gates?",
}
# what may be said besides the word of the glossary, where that would be too much
ALSO = {
    "pt": {"score": "valor", "power": "poder", "reciprocal rank": r"\bRR"}
    | {"mean reciprocal rank": "MRR"},
    "ko": {"item": "개|관련|한 줄에|이름 바꿈", "score": "값|동점", "rank": "위|내려"}
    | {"reciprocal rank": "역수", "tie": "무"},
}


def glossary(language):
    """Each row of the glossary, as its cells in English and in a language."""
    notebook = nbformat.read(NOTEBOOKS / "words-and-sources.ipynb", as_version=4)
    (cell,) = (each.source for each in notebook.cells if each.source.startswith("## Glossary"))
    said = {each.msgid: each.msgstr for each in po(NOTEBOOKS / "locale", language)}
    rows = [row for row in cell.splitlines() if row in said and row.startswith("|")]
    return [[[each.strip() for each in of.split("|")[1:-1]] for of in (r, said[r])] for r in rows]


def terms(language):
    """The word of each English term of the glossary."""
    found = {}
    for english, said in glossary(language):
        if len(english) == 4 and english[0] != "word":
            words = english[{"pt": 2, "ko": 3}[language]].split(", ")
            found |= dict(zip(english[0].split(", "), words, strict=False))
        elif beside := BESIDE.search(said[1]):
            found[beside[2]] = beside[1]
    return found


def otherwise(language, english, said):
    """The terms that the English of a message has, and that it does not say by their words."""
    english = NO_WORDS.sub("", english)
    for term, word in terms_of[language].items():
        use = USES.get(term, rf"{re.escape(term)}s?")
        if re.search(rf"(?<![-\w])(?:{use})(?![-\w])", english, re.IGNORECASE):
            ways = re.sub(r" ?\(.*", "", word)  # lift(향상도)
            if language == "pt":  # it is inflected
                ways = re.sub(r"(?:ão|\w)\b(?<=\w{3})", r"\\w*", ways)
            if term in ALSO[language]:
                ways += f"|{ALSO[language][term]}"
            if not re.search(ways, said, re.IGNORECASE):
                yield term


terms_of = {language: terms(language) for language in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_editions_of_the_glossary_have_the_same_words(language):
    later = [(english, said) for english, said in glossary(language) if len(english) == 4]
    assert len(later) > 20
    for english, said in later:
        assert said[2:] == english[2:]


def test_no_message_says_a_term_of_the_glossary_otherwise(catalog):
    language = catalog.metadata["Language"]
    assert len(terms_of[language]) > 30
    found = [
        (term, entry.msgid, said)
        for entry in catalog
        for said in [*entry.msgstr_plural.values()] or [entry.msgstr]
        for term in otherwise(language, entry.msgid, said)
    ]
    assert found == []
