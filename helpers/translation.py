"""Translations of the lessons' texts; the library has its own."""

from gettext import NullTranslations

from byhand import words
from byhand.errors import DataError, failure
from helpers.places import NOTEBOOKS

NAME = "name"  # gettext context of names of recipes and lists


def catalog() -> NullTranslations:
    """Return the lessons' catalog in the current language."""
    return words.catalog(words.language(), NOTEBOOKS / "locale")


def gettext(message: str) -> str:
    """Translate a text of the lessons."""
    return catalog().gettext(message)


def ngettext(one: str, many: str, n: int) -> str:
    """Translate a text with a plural form for `n`."""
    return catalog().ngettext(one, many, n)


def name(english: str) -> str:
    """Translate the name of a recipe or list; other texts are unchanged."""
    return catalog().pgettext(NAME, english)


class LessonError(DataError):
    """An error in a lesson or a student's work."""


def why(error: Exception) -> str:
    """Return the message of an error, without the file's name."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) if isinstance(error, DataError) else failure(error)
