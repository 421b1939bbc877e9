"""The lessons' words in the language that is spoken; the library has its own."""

from gettext import NullTranslations

from byhand import words
from byhand.errors import DataError, failure
from helpers.places import NOTEBOOKS

NAME = "name"  # the context of a recipe's and a list's name


def catalog() -> NullTranslations:
    """The words of the lessons in the language that is spoken."""
    return words.catalog(words.language(), NOTEBOOKS / "locale")


def gettext(message: str) -> str:
    """A text of the lessons."""
    return catalog().gettext(message)


def ngettext(one: str, many: str, n: int) -> str:
    """A text about `n` of something."""
    return catalog().ngettext(one, many, n)


def name(english: str) -> str:
    """The name of a recipe or a list; what is no such name stays as it is."""
    return catalog().pgettext(NAME, english)


class LessonError(DataError):
    """What is wrong with a lesson, or with what a student hands in."""


def why(error: Exception) -> str:
    """What went wrong with a file that is named before it."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) if isinstance(error, DataError) else failure(error)
