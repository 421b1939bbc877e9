"""The options for reading tables, such as `duplicates`: the row to keep of repeated ones."""

from typing import Literal, TypedDict

from byhand.errors import DataError
from byhand.naming import ColumnNames
from byhand.words import N_, Message

Duplicates = Literal["first", "best"]


class Reading(TypedDict, total=False):
    """The options of `evaluate` for reading tables."""

    run_columns: ColumnNames | None
    qrels_columns: ColumnNames | None
    duplicates: Duplicates | None
    drop_self: bool


def left_out(repeated: int, duplicates: Duplicates) -> list[str]:
    """Return the note on repeated rows, if there are any."""
    if not repeated:
        return []
    message = {
        (True, "first"): N_("1 row repeats a query and its item: the first row of each is kept."),
        (True, "best"): N_("1 row repeats a query and its item: the best row of each is kept."),
        (False, "first"): N_(
            "{n:,} rows repeat a query and its item: the first row of each is kept."
        ),
        (False, "best"): N_(
            "{n:,} rows repeat a query and its item: the best row of each is kept."
        ),
    }[repeated == 1, duplicates]
    return [Message(message, n=repeated)]


KEEP_BEST = "duplicates='best' keeps the one with the highest score"
KEEP_ONE = f"{KEEP_BEST}, 'first' the first one"


def unordered() -> DataError:
    """Return the error for `duplicates="first"` in a table whose rows have no order."""
    return DataError(
        "run: duplicates='first' keeps the first row of each query and item, but the rows of a "
        "table that is not in memory have no order. Pass duplicates='best' to keep the highest "
        "score."
    )
