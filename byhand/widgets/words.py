"""What Python and the browser's code share: the words, the limits, numbers as people write them.

Each text in a folder's `words.json` is a message of the library's catalogs, its place the context.
"""

import json
import re
from fractions import Fraction
from functools import cache
from gettext import NullTranslations
from math import isfinite
from pathlib import Path

from byhand import words as spoken

Forms = dict[str, str]  # of a text about `n` of something: "one" and "other", as CLDR calls them
Words = dict[str, dict[str, str | Forms]]
# an n for each of CLDR's kinds of numbers, the same in all languages that have the kind
_KINDS = {"zero": 0, "one": 1, "two": 2, "few": 3, "many": 11, "other": 100}
FILES = sorted(Path(__file__).parent.glob("*/words.json"))
LIMITS = json.loads(Path(__file__).with_name("limits.json").read_text(encoding="utf-8"))
NEAR = LIMITS["near"]  # two values of a measure that differ by less are one value
# the same in the browser's numberOf
_BLANKS = str.maketrans(dict.fromkeys(" \t\r\n\u00a0\u202f", "") | {",": "."})
_NUMBER = re.compile(
    r"([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?)(?:/([0-9]+))?(%?)", re.IGNORECASE
)


@cache
def english() -> Words:
    """Part of a widget -> what is said there -> the words, with names in braces to fill in."""
    parts = (json.loads(path.read_text(encoding="utf-8")) for path in FILES)
    return {part: texts for each in parts for part, texts in each.items()}


def words() -> Words:
    """The same in the language that is spoken."""
    return _in(spoken.catalog(spoken.language()))


@cache
def _in(catalog: NullTranslations) -> Words:
    def said(part: str, text: str | Forms) -> str | Forms:
        if isinstance(text, str):
            return catalog.pgettext(part, text)
        one, other = text["one"], text["other"]
        forms = {kind: catalog.npgettext(part, one, other, n) for kind, n in _KINDS.items()}
        usual = forms.pop("other")
        return {kind: form for kind, form in forms.items() if form != usual} | {"other": usual}

    return {
        part: {name: said(part, text) for name, text in texts.items()}
        for part, texts in english().items()
    }


def words_json() -> str:
    """What the browser's words.js reads: the words, and how the language writes numbers."""
    marks = {mark: spoken.localised(mark) for mark in ".,"}
    return json.dumps(
        words() | {"language": {"code": spoken.language(), **marks}}, ensure_ascii=False
    )


def say(part: str, name: str, /, **values: object) -> str:
    """Some words, filled in; where they have forms, that of `n`."""
    text = english()[part][name]
    if isinstance(text, dict):
        one, other = text["one"], text["other"]
        said = spoken.npgettext(part, one, other, int(values["n"]))
    else:
        said = spoken.pgettext(part, text)
    return said.format(**{key: _written(value) for key, value in values.items()})


def _written(value: object) -> object:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return spoken.localised(f"{value:,}") if whole else value


def number_in(entered: str) -> float | None:
    """A number as people write it: 0.25, 1/4, 25 %, and 0,25 with a comma; None if it is none.

    Example:
        >>> number_in("1/4"), number_in("25 %"), number_in("0,25"), number_in("1_0")
        (0.25, 0.25, 0.25, None)
    """
    found = _NUMBER.fullmatch(entered.translate(_BLANKS))
    if not found:
        return None
    above, below, percent = found.groups()
    if below and (not float(below) or not above.lstrip("+-").isdecimal()):
        return None
    value = float(above) / float(below or 1)
    return value / (100 if percent else 1) if isfinite(value) else None


def as_fraction(value: float, *, largest: int = LIMITS["denominator"]) -> str:
    """A value as a fraction in lowest terms, or "" where it is whole or no simple fraction.

    Example:
        >>> as_fraction(0.25), as_fraction(5 / 9), as_fraction(1.0), as_fraction(0.6309297535714574)
        ('1/4', '5/9', '', '')
    """
    near = Fraction(value).limit_denominator(largest)
    # within a few rounding errors of a sum of fractions; an irrational value is never that near
    simple = abs(float(near) - value) < LIMITS["rounding"] and near.denominator > 1
    return f"{near.numerator}/{near.denominator}" if simple else ""


def shortly(value: float) -> str:
    """A value as a fraction if it is a simple one, else with three decimals.

    Example:
        >>> shortly(0.5), shortly(1.0), shortly(0.6309)
        ('1/2', '1', '0.631')
    """
    return as_fraction(value, largest=LIMITS["simple"]) or (
        f"{value:.0f}" if value == int(value) else f"{value:.3f}"
    )
