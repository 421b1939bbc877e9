"""What a reader sees and hears in a widget: one file of words for a language, and their places."""

import json
from functools import cache
from pathlib import Path

LANGUAGE = "en"
_FOLDER = Path(__file__).parent / "words"


@cache
def words() -> dict[str, dict[str, str]]:
    """Part of a widget -> what is said there -> the words, with names in braces to fill in."""
    return json.loads((_FOLDER / f"{LANGUAGE}.json").read_text(encoding="utf-8"))


def say(part: str, name: str, /, **values: object) -> str:
    """Some words, filled in."""
    return words()[part][name].format(**values)


def listed(names: list[str]) -> str:
    """Names in one phrase."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {say('lists', 'and')} {names[-1]}"
