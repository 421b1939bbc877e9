"""The one exception that speaks about a user's data, and how it shows a value."""

from collections.abc import Mapping, Sequence

import numpy as np

_LONG = 200


class DataError(ValueError):
    """What is wrong with the data: what was found, where, what was expected, what to do.

    Every complaint of this package about data that a user supplied is a `DataError`,
    so one `except DataError` catches them all. It is a `ValueError`.

    Attributes:
        message: the text as far as it holds for every reader.
        columns: what their columns may be of ours. The text ends in it, as Python's `columns=`;
            a command says the same with an option.
        table: which table the error is about, "run" or "qrels"; None if it is about neither.
        missing: the columns of ours that are not there.

    Example:
        >>> from helpers import reciprocal_rank
        >>> try:
        ...     reciprocal_rank(["D4", "D1", "D4"], {"D4"})
        ... except DataError as error:
        ...     print(error)
        'D4' stands at rank 1 and again at rank 3 of the ranked list. \
A ranked list holds each item once: remove the repeat.
        >>> print(DataError("No score. If 'sim' is it, pass", columns={"sim": "score"}))
        No score. If 'sim' is it, pass columns={'sim': 'score'}.
    """

    def __init__(
        self,
        message: str = "",
        *,
        columns: Mapping[object, str] | None = None,
        table: str | None = None,
        missing: Sequence[str] = (),
    ) -> None:
        super().__init__(message + (f" columns={dict(columns)}." if columns else ""))
        self.message = message
        self.columns = dict(columns or {})
        self.table = table
        self.missing = tuple(missing)


def shown(value: object) -> str:
    """A value as Python writes it; of a long one, the beginning.

    Example:
        >>> shown(np.int64(7))
        '7'
        >>> shown("ab" * 500)
        "'abababababababababababababababababababababababababababababababababababababababab…"
    """
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
    """A text without its line breaks, for a terminal.

    Example:
        >>> one_line("no column\\n  doc_id")
        'no column doc_id'
    """
    return " ".join(text.split())
