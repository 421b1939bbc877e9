"""The one exception that speaks about a user's data, and how it shows a value.

.. include:: ../docs/errors.md
"""

import re
from collections.abc import Callable, Mapping, Sequence

_LONG = 200
# what moves a terminal's cursor, colours it, turns a line round or is no character at all
_STEERS = re.compile(r"[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

# where a message speaks of an option: its name, and a value
_OPTION = re.compile("\ue000(\\w+)=(\\w*)\ue001")
_OF_CONVENTIONS = ("missing", "no_relevant")


def option(name: str, value: str = "") -> str:
    """An option in the message of a `DataError`: Python and a command write it differently."""
    return f"\ue000{name}={value}\ue001"


class DataError(ValueError):
    """What is wrong with the data: what was found, where, what was expected, what to do.

    Every complaint of this package about data that a user supplied is a `DataError`,
    so one `except DataError` catches them all. It is a `ValueError`.

    Attributes:
        message: the text as far as it holds for every reader, with its options marked (`option`).
        ways: what their columns may be of ours: if more than one, only their owner can tell which
            is right. The text goes on "pass" and ends in them, as Python's `columns=`; that of a
            command goes on "add", and says the same with an option.
        argument: what such columns are passed as, in Python.
        file: which of several files it is about, where that is known.
        table: which table the error is about, "run" or "qrels"; None if it is about neither.
        missing: the columns of ours that are not there.
    """

    def __init__(
        self,
        message: str = "",
        *,
        columns: Mapping[object, str] | Sequence[Mapping[object, str]] | None = None,
        table: str | None = None,
        missing: Sequence[str] = (),
    ) -> None:
        ways = [columns] if isinstance(columns, Mapping) else columns or []
        self.ways = tuple(dict(way) for way in ways if way)
        super().__init__(message)
        self.message = message
        self.file: str | None = None
        self.table = table
        self.missing = tuple(missing)
        self.argument = "columns"

    def __str__(self) -> str:
        passed = [f"{self.argument}={way}" for way in self.ways]
        return self.said("pass", passed, self._as_passed) + "." * bool(passed)

    def said(self, verb: str, ways: Sequence[str], spelled: Callable[[str, str], str]) -> str:
        """The whole text for one kind of reader.

        Args:
            verb: what its reader does with an option.
            ways: the options that say what the columns may be.
            spelled: writes an option of this name and value.
        """
        text = _OPTION.sub(lambda found: spelled(*found.groups()), self.message)
        if ways:
            text += f"{'' if text.endswith(':') else f' {verb}'} {' or '.join(ways)}"
        return printable(text)

    def _as_passed(self, name: str, value: str) -> str:
        if name == "columns":
            return f"{self.argument}="
        return f"Conventions({name}={value!r})" if name in _OF_CONVENTIONS else f"{name}={value!r}"


def shown(value: object) -> str:
    """A value as Python writes it; of a long one, the beginning."""
    import numpy as np  # whatever a command says of itself, it says without

    text = repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= _LONG else f"{text[:81]}…"


def both(parts: Sequence[str]) -> str:
    """Parts of a sentence with commas and an "and".

    Example:
        >>> both(["query_id", "doc_id", "score"])
        'query_id, doc_id and score'
    """
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def one_line(text: str) -> str:
    """A text without its line breaks, for a terminal."""
    return " ".join(text.split())


def printable(text: str) -> str:
    """A text for a terminal: what would steer that stands as Python writes it.

    Example:
        >>> print(printable("a\x1b[2Jb\u202ec"))
        a\\x1b[2Jb\\u202ec
    """
    return _STEERS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def failure(error: BaseException) -> str:
    """What ended a command that is no fault of the data, in one line."""
    if isinstance(error, MemoryError):
        return "There is not enough memory."
    if isinstance(error, ImportError):
        while isinstance(error.__context__, ImportError):
            error = error.__context__
        return f"The package or a library of it cannot be loaded: {one_line(str(error))}"
    if isinstance(error, FileNotFoundError) and not error.filename:
        return "The current folder is not there any more. Change into one that is."
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return one_line(str(error))
