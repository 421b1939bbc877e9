"""Each particle of the Korean catalogs is the one that the noun before it takes."""

import re
from collections import Counter

import polib
import pytest
from catalogs import CATALOGS

HANGUL = "[가-힣]"
# whether a particle follows a syllable that ends in a consonant; ㄹ counts as none before 로
AFTER_CONSONANT = {"을": True, "를": False, "이": True, "가": False, "은": True, "는": False}
AFTER_CONSONANT |= {"과": True, "와": False, "으로": True, "로": False}
BETWEEN = r"(?:\([^()가-힣]*\))?[*`’”]*"  # 할인(discount)을, **할인**을
# where these stand, nearly nothing else does; the others end nouns and verbs, too
CERTAIN = re.compile(rf"({HANGUL})({BETWEEN})(을|를|은|와|으로)(?!{HANGUL})")
VERBS = re.compile(r"(?:나|지|이|부)(?:은|을)$")  # 나은, 지을: of verbs that lose their ㅅ
NOUN = re.compile(rf"(?<!{HANGUL})({HANGUL}{{2,}}){BETWEEN}(?:을|를|의|에서)(?!{HANGUL})")
AFTER_NOUN = re.compile(
    rf"(?<!{HANGUL})({HANGUL}{{2,}})({BETWEEN})({'|'.join(AFTER_CONSONANT)})(?!{HANGUL})"
)


@pytest.fixture(scope="module")
def said():
    entries = [entry for folder in CATALOGS for entry in polib.pofile(str(folder / "ko.po"))]
    return [text for each in entries for text in (each.msgstr, *each.msgstr_plural.values())]


def nouns(texts):
    """What stands before a particle that only nouns take, again and again."""
    found = Counter(word for text in texts for word in NOUN.findall(text))
    return {word for word, times in found.items() if times >= 3}


def is_wrong(syllable, particle):
    last = (ord(syllable) - ord("가")) % 28  # 0: none, 8: ㄹ
    return AFTER_CONSONANT[particle] != (last > 0 and not (particle.endswith("로") and last == 8))


def wrong(text, known=frozenset()):
    """The nouns of a text, each with the particle that it does not take."""
    for word, between, particle in CERTAIN.findall(text):
        verb = not between and VERBS.search(word + particle)
        if is_wrong(word, particle) and not verb:
            yield word + between + particle
    for word, between, particle in AFTER_NOUN.findall(text):
        if word in known and is_wrong(word[-1], particle):
            yield word + between + particle


def test_every_particle_is_that_of_its_noun(said):
    known = nouns(said)
    assert {"쿼리", "정밀도", "점수"} <= known
    assert [(each, text) for text in said for each in wrong(text, known)] == []
