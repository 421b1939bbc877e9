"""What a reader sees and hears in a widget: one file of English words, by their places.

Each of its texts is a message of the library's catalogs, the place its context.
"""

import json
from collections.abc import Iterable
from functools import cache
from gettext import NullTranslations
from pathlib import Path

from byhand import words as spoken

Forms = dict[str, str]  # of a text about `n` of something: "one" and "other", as CLDR calls them
Words = dict[str, dict[str, str | Forms]]
# an n for each of CLDR's kinds of numbers, the same in all languages that have the kind
_KINDS = {"zero": 0, "one": 1, "two": 2, "few": 3, "many": 11, "other": 100}
ENGLISH = Path(__file__).parent / "words" / "en.json"


@cache
def english() -> Words:
    """Part of a widget -> what is said there -> the words, with names in braces to fill in."""
    return json.loads(ENGLISH.read_text(encoding="utf-8"))


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
        return {kind: form for kind, form in forms.items() if form != forms["other"]} | {
            "other": forms["other"]
        }

    return {
        part: {name: said(part, text) for name, text in texts.items()}
        for part, texts in english().items()
    }


def in_browser() -> str:
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


def listed(names: Iterable[str]) -> str:
    """Names in one phrase."""
    names = list(names)
    if len(names) < 2:
        return "".join(names)
    return say("lists", "and", others=", ".join(names[:-1]), last=names[-1])
