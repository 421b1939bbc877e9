"""The one exception that speaks about a user's data, and how it shows a value.

.. include:: ../docs/errors.md
"""

import re
from collections.abc import Mapping, Sequence
from textwrap import wrap

_LONG = 200
# what moves a terminal's cursor, colours it, turns a line round or is no character at all
_STEERS = re.compile(r"[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_COLUMNS = re.compile(r"(?<!\w)columns=")


class DataError(ValueError):
    """Invalid data or an invalid option: what is wrong, where, and how to fix it.

    Every complaint of this package about data that a user supplied is a `DataError`,
    so one `except DataError` catches them all. It is a `ValueError`. Its text is English,
    and names arguments as Python has them: `duplicates="best"`, `columns={"Edge": "doc_id"}`.

    Args:
        message: one sentence that says what is wrong, where, and what was found; one that says
            how to fix it.
        columns: what the columns of the table may be of ours, by their names: one mapping, or
            several of which only the owner of the data can tell which is right. The text goes on
            "pass" and ends in them.
        table: which table the error is about, "run" or "qrels"; None if it is about neither.
        missing: the columns of ours that are not there.

    Attributes:
        message: the text without the ways to name columns.
        ways: these ways.
        argument: the argument of Python that takes them.
        file: which of several files it is about, if that is known.
        option: the name of the option whose value is refused.
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
        self.message = message
        super().__init__(self.message)
        self.file: str | None = None
        self.table = table
        self.missing = tuple(missing)
        self.argument = "columns"
        self.option: str | None = None

    def __str__(self) -> str:
        text = _COLUMNS.sub(f"{self.argument}=", self.message)
        passed = " or ".join(f"{self.argument}={way}" for way in self.ways)
        return printable(going_on(text, "pass", passed) + "." * bool(passed))

    def _render_traceback_(self) -> list[str]:
        """In a notebook, the message alone: the cell above it is where it comes from."""
        return wrap(f"{type(self).__name__}: {self}", 88)


def going_on(text: str, verb: str, ways: str) -> str:
    """Return a message of an error that goes on with ways to name columns, if there are any."""
    if not ways:
        return text
    return f"{text} {ways}" if text.endswith(":") else f"{text} {verb} {ways}"


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
    *names, last = parts or [""]
    return f"{', '.join(names)} and {last}" if names else last


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
    """Return what ended a command that is no fault of the data, in one line."""
    if isinstance(error, MemoryError):
        return "There is not enough memory."
    if isinstance(error, ImportError):
        return f"The package or a library of it cannot be loaded: {_not_loaded(error)}"
    if isinstance(error, FileNotFoundError) and not error.filename:
        return "The current folder no longer exists. Change into one that does."
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return one_line(str(error))


def _not_loaded(error: ImportError) -> str:
    """Return why, as the import that failed first says, or the first of ours."""
    while isinstance(error.__context__, ImportError) and not (
        error.__suppress_context__ and error.__cause__ is None
    ):
        error = error.__context__
    if error.msg.startswith("No module named"):
        return f"{error.name} is not installed"
    return one_line(str(error))
