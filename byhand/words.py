"""Words in a language: the English text is the key, and a catalog (.po) has the others.

The language is that of the process (`use_language`), or of one report (`speaking`).
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
_HEADER = re.compile(r'^"X-(\w+): (.+?)\\n"$', re.MULTILINE)  # of a catalog, what is ours
_process = {"language": ENGLISH}  # cells of a notebook run each in a context of their own
_spoken: ContextVar[str | None] = ContextVar("spoken", default=None)

N_ = str  # marks a text that is translated where it is shown


@cache
def _headers() -> dict[str, dict[str, str]]:
    """What each catalog's header says of its language: Name, Decimal, Thousands."""
    texts = {path.stem: path.read_text("utf-8") for path in sorted(_FOLDER.glob("*.po"))}
    return {code: dict(_HEADER.findall(text)) for code, text in texts.items()}


def languages() -> dict[str, str]:
    """The languages that there are: each one's code, and what it calls itself."""
    return {ENGLISH: "English"} | {code: said["Name"] for code, said in _headers().items()}


def checked(language: str) -> str:
    """A language's code; ValueError if there is no such language."""
    if language not in languages():
        known = ", ".join(f"{code!r} ({name})" for code, name in languages().items())
        raise ValueError(f"There is no language {language!r}. Use one of {known}.")
    return language


def use_language(language: str) -> None:
    """Let everything that is said from now on, in this process, be said in this language.

    Args:
        language: its code, such as `"ko"`; a ValueError says which there are.

    Example:
        >>> use_language("en")
    """
    _process["language"] = checked(language)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Within this, what is said is said in this language."""
    token = _spoken.set(checked(language))
    try:
        yield
    finally:
        _spoken.reset(token)


def language() -> str:
    """The code of the language that is spoken."""
    return _spoken.get() or _process["language"]


class _Catalog(_gettext.GNUTranslations):
    def gettext(self, message: str) -> str:
        return message and super().gettext(message)  # that of "" is the catalog's head


@cache
def catalog(language: str, folder: Path = _FOLDER) -> _gettext.NullTranslations:
    """The words of a language, from the catalogs in a folder: the library's if none is named.

    A text that a catalog lacks, or has in doubt, stays English.
    """
    path = folder / f"{language}.po"
    if not path.is_file():
        return _gettext.NullTranslations()
    import polib  # not for English

    return _Catalog(BytesIO(polib.pofile(str(path), encoding="utf-8").to_binary()))


def gettext(message: str) -> str:
    """A text of the library in the language that is spoken."""
    return catalog(language()).gettext(message)


def pgettext(context: str, message: str) -> str:
    """The same of a text that means different things in different contexts."""
    return catalog(language()).pgettext(context, message)


def ngettext(one: str, many: str, n: int) -> str:
    """The same of a text about `n` of something."""
    return catalog(language()).ngettext(one, many, n)


def npgettext(context: str, one: str, many: str, n: int) -> str:
    """The same of a text about `n` of something that means different things elsewhere."""
    return catalog(language()).npgettext(context, one, many, n)


def localised(number: str) -> str:
    """A number as the language writes it, from how Python does."""
    marks = _headers().get(language(), {"Decimal": ".", "Thousands": ","})
    return number.translate({ord("."): marks["Decimal"], ord(","): marks["Thousands"]})


def typeset(number: str) -> str:
    """The same as a page, a figure and a table show it: with a minus, which is no hyphen.

    What a terminal shows, and what programs read, keeps the sign that Python writes.

    Example:
        >>> typeset("-1,240.5")
        '−1,240.5'
    """
    return localised(number).replace("-", "−")


# as Python writes it; one of three digits behind its only mark may be said in a language already
_NUMBER = re.compile(
    r"(?<![\w.,])(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]\d+)?(?![\w]|[.,]\w)"
)
_EITHER = re.compile(r"\d{1,3}(?:,\d{3})+|[1-9]\d{0,2}\.\d{3}")


def localised_text(text: str, said: str | None = None) -> str:
    """A text with the numbers that Python wrote into it as the language writes them.

    Args:
        text: what has numbers of either kind.
        said: where those stand that are written as the language does. A number such as 1.240,
            which may be of either kind, stays if it stands there; without this it stays anyway.

    Example:
        >>> with speaking("pt"):
        ...     localised_text("RR = 0.5, 0,008"), localised_text("4.500 de 10.000", "de 10.000")
        ('RR = 0,5, 0,008', '4,500 de 10.000')
    """
    if localised(".") == ".":
        return text

    def written(found: re.Match[str]) -> str:
        number = found[0]
        kept = _EITHER.fullmatch(number) and (said is None or number in said)
        return number if kept else localised(number)

    return _NUMBER.sub(written, text)


class _Localised(Formatter):
    """Fills a text, with numbers as the language writes them."""

    def format_field(self, value: object, how: str) -> str:
        shown = format(value.spoken() if isinstance(value, Message) else value, how)
        return localised(shown) if isinstance(value, Number) else shown


def filled(message: str, /, **values: object) -> str:
    """A translated text with its values, numbers as the language writes them.

    Example:
        >>> filled("{n:,} queries", n=1234)
        '1,234 queries'
    """
    return _Localised().vformat(message, (), values)


class Message(str):
    """What is kept, compared and written to files in English, and said in another language later.

    Example:
        >>> note = Message("{n:,} queries", n=1234)
        >>> note == "1,234 queries", spoken(note)
        (True, '1,234 queries')
    """

    translated = staticmethod(gettext)  # those of the lessons have another catalog

    def __new__(cls, message: str, /, **values: object) -> Self:
        """The message with its values, in English."""
        made = super().__new__(cls, message.format(**values))
        made._said = message, values
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        """What a copy is made of."""
        message, values = self._said
        return (message,), values

    def spoken(self) -> str:
        """The message in the language that is spoken, with its values."""
        message, values = self._said
        return filled(self.translated(message), **values)


def together(messages: Iterable[Message], between: str = " ") -> Message:
    """Sentences, or what else is said in one go."""
    each = {f"s{place}": one for place, one in enumerate(messages)}
    return Message(between.join(f"{{{name}}}" for name in each), **each)


def spoken(said: str) -> str:
    """A text in the language that is spoken; one that is no `Message` and no key stays."""
    return said.spoken() if isinstance(said, Message) else gettext(said)


def text_width(text: str) -> int:
    """How many columns of a terminal a text takes: a letter of Hangul takes two.

    Example:
        >>> text_width("query"), text_width("쿼리")
        (5, 4)
    """
    return sum(1 + (east_asian_width(letter) in "WF") for letter in text)


def padded(text: str, columns: int, *, right: bool = False) -> str:
    """A text with blanks behind it, or before it, up to so many columns."""
    blanks = " " * (columns - text_width(text))
    return blanks + text if right else text + blanks


def folded(text: str, columns: int) -> str:
    """A text in lines of at most so many columns, broken between words.

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
    """Names, or other parts of a sentence, one after the other.

    Example:
        >>> listed(["AP", "RR", "P@5"]), listed(["AP"])
        ('AP, RR and P@5', 'AP')
    """
    *names, last = parts
    if not names:
        return last
    return gettext("{names} and {last}").format(names=", ".join(names), last=last)


def in_row(numbers: Iterable[str]) -> str:
    """Numbers, or what ends in one, in a row: a comma within one does not stand between two."""
    return ("; " if localised(".") == "," else ", ").join(numbers)
