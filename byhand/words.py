"""Translate texts with gettext: the English text is the key, `locale/*.po` has the translations.

`use_language` sets the language of the process, `speaking` that of one block of code.
"""

import gettext as _gettext
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from io import BytesIO
from numbers import Number
from pathlib import Path
from string import Formatter
from typing import Self
from unicodedata import east_asian_width

ENGLISH = "en"
_FOLDER = Path(__file__).parent / "locale"
_HEADER = re.compile(r'^"X-(\w+): (.+?)\\n"$', re.MULTILINE)  # our own fields in a catalog's header
_process = {"language": ENGLISH}  # not a ContextVar: each notebook cell has its own context
_spoken: ContextVar[str | None] = ContextVar("spoken", default=None)

N_ = str  # marks a text that is translated where it is shown


@cache
def _headers() -> dict[str, dict[str, str]]:
    """Return the Name, Decimal and Thousands of each catalog's header."""
    texts = {path.stem: path.read_text("utf-8") for path in sorted(_FOLDER.glob("*.po"))}
    return {code: dict(_HEADER.findall(text)) for code, text in texts.items()}


def languages() -> dict[str, str]:
    """Map the code of each language to its name in that language."""
    return {ENGLISH: "English"} | {code: header["Name"] for code, header in _headers().items()}


def checked(language: str) -> str:
    """Return a language code; raise a ValueError if there is no such language."""
    if language not in languages():
        known = ", ".join(f"{code!r} ({name})" for code, name in languages().items())
        raise ValueError(f"There is no language {language!r}. Use one of {known}.")
    return language


def use_language(language: str) -> None:
    """Set the language of widgets, figures and reports for the rest of this process.

    Args:
        language: A language code, such as `"ko"`; a ValueError lists the valid ones.

    Example:
        >>> use_language("en")
    """
    _process["language"] = checked(language)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Use a language within a `with` block."""
    token = _spoken.set(checked(language))
    try:
        yield
    finally:
        _spoken.reset(token)


def language() -> str:
    """Return the code of the current language."""
    return _spoken.get() or _process["language"]


class _Catalog(_gettext.GNUTranslations):
    def gettext(self, message: str) -> str:
        return message and super().gettext(message)  # "" would return the header


@cache
def catalog(language: str, folder: Path = _FOLDER) -> _gettext.NullTranslations:
    """Return the translations of a language from a folder, by default those of the library.

    Missing and fuzzy translations stay English.
    """
    path = folder / f"{language}.po"
    if not path.is_file():
        return _gettext.NullTranslations()
    import polib  # slow to import, and not needed for English

    return _Catalog(BytesIO(polib.pofile(str(path), encoding="utf-8").to_binary()))


def gettext(message: str) -> str:
    """Translate a text of the library into the current language."""
    return catalog(language()).gettext(message)


def pgettext(context: str, message: str) -> str:
    """Translate a text whose meaning depends on its context."""
    return catalog(language()).pgettext(context, message)


def ngettext(one: str, many: str, n: int) -> str:
    """Translate a text about `n` things."""
    return catalog(language()).ngettext(one, many, n)


def npgettext(context: str, one: str, many: str, n: int) -> str:
    """Translate a text about `n` things whose meaning depends on its context."""
    return catalog(language()).npgettext(context, one, many, n)


def localised(number: str) -> str:
    """Convert a number that Python formatted to the format of the current language."""
    marks = _headers().get(language(), {"Decimal": ".", "Thousands": ","})
    return number.translate({ord("."): marks["Decimal"], ord(","): marks["Thousands"]})


def typeset(number: str) -> str:
    """Convert a number for pages, figures and tables, with a minus sign instead of a hyphen.

    Terminals and data files keep Python's hyphen.

    Example:
        >>> typeset("-1,240.5")
        '−1,240.5'
    """
    return localised(number).replace("-", "−")


# numbers as Python writes them; those of _EITHER could also be localised already
_NUMBER = re.compile(
    r"(?<![\w.,])(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]\d+)?(?![\w]|[.,]\w)"
)
_EITHER = re.compile(r"\d{1,3}(?:,\d{3})+|[1-9]\d{0,2}\.\d{3}")


def localised_text(text: str, said: str | None = None) -> str:
    """Convert the numbers that Python wrote into a text to the format of the current language.

    Args:
        text: A text with numbers in either format.
        said: A text with the numbers that are already localised. Ambiguous numbers such as 1.240
            stay if they are in it, or always by default.

    Example:
        >>> with speaking("pt"):
        ...     localised_text("RR = 0.5, 0,008"), localised_text("4.500 de 10.000", "de 10.000")
        ('RR = 0,5, 0,008', '4,500 de 10.000')
    """
    if localised(".") == ".":
        return text

    def written(match: re.Match[str]) -> str:
        number = match[0]
        kept = _EITHER.fullmatch(number) and (said is None or number in said)
        return number if kept else localised(number)

    return _NUMBER.sub(written, text)


class _Localised(Formatter):
    """Fill a text, with numbers in the format of the current language."""

    def format_field(self, value: object, how: str) -> str:
        text = format(value.spoken() if isinstance(value, Message) else value, how)
        return localised(text) if isinstance(value, Number) else text


def filled(message: str, /, **values: object) -> str:
    """Fill a translated text with values, with numbers in the format of the current language.

    Example:
        >>> filled("{n:,} queries", n=1234)
        '1,234 queries'
    """
    return _Localised().vformat(message, (), values)


class Message(str):
    """A text that is stored and compared in English, and translated when it is shown.

    Example:
        >>> note = Message("{n:,} queries", n=1234)
        >>> note == "1,234 queries", spoken(note)
        (True, '1,234 queries')
    """

    translated = staticmethod(gettext)  # the lessons use another catalog

    def __new__(cls, message: str, /, **values: object) -> Self:
        """Create the English text from its values."""
        text = super().__new__(cls, message.format(**values))
        text._said = message, values
        return text

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        """Return the arguments for a copy."""
        message, values = self._said
        return (message,), values

    def spoken(self) -> str:
        """Return the message, with its values, in the current language."""
        message, values = self._said
        return filled(self.translated(message), **values)


def together(messages: Iterable[Message], between: str = " ") -> Message:
    """Join messages into one."""
    named = {f"s{n}": message for n, message in enumerate(messages)}
    return Message(between.join(f"{{{name}}}" for name in named), **named)


def spoken(text: str) -> str:
    """Translate a text into the current language; texts without a translation stay."""
    return text.spoken() if isinstance(text, Message) else gettext(text)


def text_width(text: str) -> int:
    """Return the number of terminal columns of a text: a Hangul letter takes two.

    Example:
        >>> text_width("query"), text_width("쿼리")
        (5, 4)
    """
    return sum(1 + (east_asian_width(letter) in "WF") for letter in text)


def padded(text: str, columns: int, *, right: bool = False) -> str:
    """Pad a text with blanks on its right, or its left, to a number of terminal columns."""
    blanks = " " * (columns - text_width(text))
    return blanks + text if right else text + blanks


def folded(text: str, columns: int) -> str:
    """Wrap a text between words into lines of at most `columns` terminal columns.

    Example:
        >>> folded("one query", 8), folded("쿼리 하나", 8)
        ('one\\nquery', '쿼리\\n하나')
    """
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}") <= columns:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return "\n".join(lines)


def listed(parts: Sequence[str]) -> str:
    """Join names or other parts of a sentence with commas and "and".

    Example:
        >>> listed(["AP", "RR", "P@5"]), listed(["AP"])
        ('AP, RR and P@5', 'AP')
    """
    *names, last = parts
    if not names:
        return last
    return gettext("{names} and {last}").format(names=", ".join(names), last=last)


def in_row(numbers: Iterable[str]) -> str:
    """Join numbers with commas, or with semicolons if the language has decimal commas."""
    return ("; " if localised(".") == "," else ", ").join(numbers)
