"""`DataError`, the exception for invalid user data, and helpers that format messages.

.. include:: ../docs/errors.md
"""

import re
from collections.abc import Mapping, Sequence

_LONG = 200
# control characters, bidirectional marks and surrogates
_STEERS = re.compile(r"[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_COLUMNS = re.compile(r"(?<!\w)columns=")


class DataError(ValueError):
    """Invalid data or an invalid option: what is wrong, where, and how to fix it.

    This package raises `DataError` for all invalid user data. It is a `ValueError`, like the error
    for an unknown measure or preset. Its text is English and shows arguments as Python code:
    `duplicates="best"`, `columns={"Edge": "doc_id"}`.

    Args:
        message: One sentence on what is wrong, where, and what was found, and one on how to fix it.
        columns: A mapping from the table's column names to ours that may fix the error, or several
            if only the owner of the data can choose. The text then ends with "pass" and these
            mappings.
        table: The table that is invalid: "run", "qrels", or None (the default) for neither.
        missing: Our columns that the table lacks, by default none.

    Attributes:
        message: The text without the mappings.
        ways: The mappings.
        argument: The Python argument that accepts them.
        file: The invalid file of several, if it is known.
        option: The name of an invalid option.
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
        """Show only the message in notebooks: the cell above is the source."""
        return [f"{type(self).__name__}: {self}"]  # unbroken, so that its advice can be pasted


def going_on(text: str, verb: str, ways: str) -> str:
    """Append the column mappings to pass, if there are any, to a message."""
    if not ways:
        return text
    return f"{text} {ways}" if text.endswith(":") else f"{text} {verb} {ways}"


def shown(value: object) -> str:
    """Return the `repr` of a value, shortened if it is long."""
    import numpy as np  # slow to import, and commands rarely need it

    text = repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= _LONG else f"{text[:81]}…"


def both(parts: Sequence[str]) -> str:
    """Join parts of a sentence with commas and "and".

    Example:
        >>> both(["query_id", "doc_id", "score"])
        'query_id, doc_id and score'
    """
    *names, last = parts or [""]
    return f"{', '.join(names)} and {last}" if names else last


def one_line(text: str) -> str:
    """Return a text without line breaks."""
    return " ".join(text.split())


def printable(text: str) -> str:
    """Return text for a terminal, with control characters escaped.

    Example:
        >>> print(printable("a\\x1b[2Jb\\u202ec"))
        a\\x1b[2Jb\\u202ec
    """
    return _STEERS.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def failure(error: BaseException) -> str:
    """Return one line on an error that the data did not cause."""
    if isinstance(error, MemoryError):
        return "There is not enough memory."
    if isinstance(error, ImportError):
        return f"The package or one of its libraries cannot be loaded: {_not_loaded(error)}."
    if isinstance(error, FileNotFoundError) and not error.filename:
        return "The current folder no longer exists. Change into one that does."
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return one_line(str(error))


def _not_loaded(error: ImportError) -> str:
    """Return the reason of the first import that failed."""
    while isinstance(error.__context__, ImportError) and not (
        error.__suppress_context__ and error.__cause__ is None
    ):
        error = error.__context__
    if error.msg.startswith("No module named"):
        return f"{error.name} is not installed"
    return one_line(str(error))
