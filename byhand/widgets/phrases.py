"""The texts of the widgets, for Python and JavaScript.

Each text in a `words.json` is a message of the library's catalogs; its section is the context.
"""

import json
from functools import cache
from gettext import NullTranslations
from pathlib import Path

from byhand import words as spoken

Forms = dict[str, str]  # plural forms by CLDR category: "one" and "other"
Phrases = dict[str, dict[str, str | Forms]]
# example of each CLDR plural category, valid in all languages that have it
_KINDS = {"zero": 0, "one": 1, "two": 2, "few": 3, "many": 11, "other": 100}
FILES = sorted(Path(__file__).parent.glob("*/words.json"))


@cache
def english() -> Phrases:
    """Return the English texts by section and name, with placeholders in braces."""
    parts = (json.loads(path.read_text(encoding="utf-8")) for path in FILES)
    return {part: texts for each in parts for part, texts in each.items()}


def phrases() -> Phrases:
    """Return the texts in the current language."""
    return _in(spoken.catalog(spoken.language()))


@cache
def _in(catalog: NullTranslations) -> Phrases:
    def translated(part: str, text: str | Forms) -> str | Forms:
        if isinstance(text, str):
            return catalog.pgettext(part, text)
        one, other = text["one"], text["other"]
        forms = {kind: catalog.npgettext(part, one, other, n) for kind, n in _KINDS.items()}
        usual = forms.pop("other")
        return {kind: form for kind, form in forms.items() if form != usual} | {"other": usual}

    return {
        part: {name: translated(part, text) for name, text in texts.items()}
        for part, texts in english().items()
    }


def phrases_json() -> str:
    """Return the JSON for the browser's words.js: the texts and the number format."""
    marks = {mark: spoken.localised(mark) for mark in ".,"}
    return json.dumps(
        phrases() | {"language": {"code": spoken.language(), **marks}}, ensure_ascii=False
    )


def say(part: str, name: str, /, **values: object) -> str:
    """Return a text with its values filled in, in the plural form of `n` if it has forms."""
    text = english()[part][name]
    if isinstance(text, dict):
        one, other = text["one"], text["other"]
        translated = spoken.npgettext(part, one, other, int(values["n"]))
    else:
        translated = spoken.pgettext(part, text)
    return translated.format(**{key: _grouped(value) for key, value in values.items()})


def _grouped(value: object) -> object:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return spoken.localised(f"{value:,}") if whole else value
