"""Rows that repeat a query and its item: which stays, and what is said of the others."""

from typing import Literal

from byhand.errors import DataError, option
from byhand.words import N_, Message

# which of the rows of one query and item stays
Duplicates = Literal["first", "best"]


def left_out(repeated: int, duplicates: Duplicates) -> list[str]:
    """The note on rows that repeat a query and its item, if there are such."""
    if not repeated:
        return []
    message = {
        (True, "first"): N_("1 row repeats a query and its item: of each, the first row stays."),
        (True, "best"): N_("1 row repeats a query and its item: of each, the best row stays."),
        (False, "first"): N_(
            "{n:,} rows repeat a query and its item: of each, the first row stays."
        ),
        (False, "best"): N_("{n:,} rows repeat a query and its item: of each, the best row stays."),
    }[repeated == 1, duplicates]
    return [Message(message, n=repeated)]


HAS_TWICE = N_(
    "{name}: query {query} has item {doc} twice, {where}. A query holds each item once: {mend}."
)
KEPT = Message(
    "{option} keeps the one with the highest score, 'first' the first one",
    option=option("duplicates", "best"),
)


def unordered() -> DataError:
    """What to say where the first of some rows is asked for, and none of them is."""
    return DataError(
        "run: {first} keeps the first of the rows as they stand, and a table that is not in "
        "memory has no order. {best} keeps the one with the highest score.",
        [option("duplicates", "first"), option("duplicates", "best")],
    )
