"""The glossary is right: its editions agree, and no message says one of its terms otherwise."""

import re

import nbformat
import polib
import pytest
from catalogs import CATALOGS, ROOT

EDITIONS = ("pt", "ko")  # in the order of the columns
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


def catalog(folder, language):
    return polib.pofile(str(folder / f"{language}.po"), encoding="utf-8")


def glossary(language):
    """Each row of the glossary, as its cells in English and in a language."""
    notebook = nbformat.read(ROOT / "notebooks/words-and-sources.ipynb", as_version=4)
    (cell,) = (each.source for each in notebook.cells if each.source.startswith("## Glossary"))
    said = {each.msgid: each.msgstr for each in catalog(ROOT / "notebooks/locale", language)}
    rows = [row for row in cell.splitlines() if row in said and row.startswith("|")]
    return [[[each.strip() for each in of.split("|")[1:-1]] for of in (r, said[r])] for r in rows]


def terms(language):
    """The word of each English term of the glossary."""
    found = {}
    for english, said in glossary(language):
        if len(english) == 4 and english[0] != "word":
            words = english[2 + EDITIONS.index(language)].split(", ")
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


terms_of = {language: terms(language) for language in EDITIONS}


@pytest.mark.parametrize("language", EDITIONS)
def test_the_editions_of_the_glossary_have_the_same_words(language):
    later = [(english, said) for english, said in glossary(language) if len(english) == 4]
    assert len(later) > 20
    for english, said in later:
        assert said[2:] == english[2:]


@pytest.mark.parametrize("language", EDITIONS)
@pytest.mark.parametrize("folder", CATALOGS, ids=lambda folder: folder.parent.name)
def test_no_message_says_a_term_otherwise(folder, language):
    assert len(terms_of[language]) > 30
    found = [
        (term, entry.msgid, said)
        for entry in catalog(folder, language)
        for said in [*entry.msgstr_plural.values()] or [entry.msgstr]
        for term in otherwise(language, entry.msgid, said)
    ]
    assert found == []
