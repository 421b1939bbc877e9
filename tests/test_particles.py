"""Each particle of the Korean catalogs is the one that the noun before it takes."""

import re

import polib
import pytest
from catalogs import CATALOGS

HANGUL = "[가-힣]"
# whether a particle follows a syllable that ends in a consonant; ㄹ counts as none before 로
AFTER_CONSONANT = {"을": True, "를": False, "은": True, "와": False, "으로": True}
BETWEEN = r"(?:\([^()가-힣]*\))?[*`’”]*"  # 할인(discount)을, **할인**을
# where these stand, nearly nothing else does; the others end nouns and verbs, too
CERTAIN = re.compile(rf"({HANGUL})({BETWEEN})(을|를|은|와|으로)(?!{HANGUL})")
VERBS = re.compile(r"(?:나|지|이|부)(?:은|을)$")  # 나은, 지을: of verbs that lose their ㅅ


@pytest.fixture(scope="module")
def said():
    entries = [entry for folder in CATALOGS for entry in polib.pofile(str(folder / "ko.po"))]
    return [text for each in entries for text in (each.msgstr, *each.msgstr_plural.values())]


def is_wrong(syllable, particle):
    last = (ord(syllable) - ord("가")) % 28  # 0: none, 8: ㄹ
    return AFTER_CONSONANT[particle] != (last > 0 and not (particle.endswith("로") and last == 8))


def wrong(text):
    """The nouns of a text, each with the particle that it does not take."""
    for word, between, particle in CERTAIN.findall(text):
        verb = not between and VERBS.search(word + particle)
        if is_wrong(word, particle) and not verb:
            yield word + between + particle


def test_every_particle_is_that_of_its_noun(said):
    assert len(said) > 1000
    assert [(each, text) for text in said for each in wrong(text)] == []
