"""Tables of text without a line of names: which column is which, going by what they hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Self

from byhand.columns import (
    _ODDITY,
    JUDGED_RUN,
    QRELS,
    RUN,
    Type,
    Wanted,
    guess,
    known_names,
    listed,
    type_of,
)
from byhand.errors import DataError
from byhand.files.file import File
from byhand.files.header import ALL_HITS, Columns, all_hits
from byhand.files.lines import DELIMITERS, TextLayout, fields_of, first_rows, laid_out

_MARKS = ({"0"}, {"Q0"}, {"q0"})
_A = {"run": "a run", "qrels": "qrels"}
_WIDTHS = {"run": 6, "qrels": 4}  # of a line of TREC
HIGHEST = 100  # no scale of grades goes further; times and ids do
_RANKS = 5  # so far do ranks have to count that may be grades as well
_EXPECTED = {
    "run": "Expected query, item and score.",
    "qrels": f"Expected query, item and grade, or TREC's four columns. {ALL_HITS.strip()}",
    "hits": "Expected query and item.",
    "judged run": "Which of them is which cannot be told.",
}


def separator_of(line: str) -> str | None:
    """What separates the most fields of a line; None for blanks, where nothing else does.

    Example:
        >>> separator_of("q1;d7;0,93"), separator_of("q1 d7 0.93")
        (';', None)
    """
    best = max(DELIMITERS, key=lambda delimiter: len(fields_of(line, delimiter)))
    return best if len(fields_of(line, best)) > 1 else None


def holds_data(fields: Sequence[str]) -> bool:
    """Whether a first line holds data where names belong: some number, and no name that is known.

    Example:
        >>> holds_data(["q1", "d7", "0.93"]), holds_data(["qid", "docno", "2024"])
        (True, False)
    """
    return any(map(_is_number, fields)) and not known_names(fields)


@dataclass(frozen=True)
class _Look:
    """The first lines as columns, if they are separated like this.

    Attributes:
        delimiter: what separates them; None: blanks.
        columns: the values of each column, of the lines that are as long as the first.
        even: whether all lines are.
    """

    delimiter: str | None
    columns: list[list[str]]
    even: bool

    @classmethod
    def at(cls, file: File, delimiter: str | None) -> Self:
        """The columns that a delimiter gives."""
        rows = first_rows(file, delimiter)
        alike = [row for row in rows if len(row) == len(rows[0])]
        return cls(delimiter, [*map(list, zip(*alike, strict=True))], len(alike) == len(rows))

    @cached_property
    def first(self) -> list[str]:
        """The fields of the first line."""
        return [column[0] for column in self.columns]

    @cached_property
    def types(self) -> list[Type]:
        """What type of values each column holds."""
        return [type_of(column) for column in self.columns]

    def number_type(self, place: int) -> Type:
        """The type of a column that may be of numbers but for a few, which reading will name."""
        numbers = [*filter(_is_number, self.columns[place])]
        few = 2 * len(numbers) > len(self.columns[place]) and _is_number(self.first[place])
        return type_of(numbers) if self.types[place] == "text" and few else self.types[place]


def without_header(file: File, wanted: Wanted, grade: float | None = None) -> TextLayout:
    """The layout of a file whose first line holds data, if it can be only one.

    Args:
        file: the file.
        wanted: what it is read as.
        grade: what the relevance of every row is, where the user said so.

    Raises:
        DataError: columns that may be several things, and how to count them.
    """
    looks = [_Look.at(file, delimiter) for delimiter in DELIMITERS]
    look = max(
        [look for look in looks if len(look.first) > 1] or [_Look.at(file, None)],
        key=lambda look: (look.even, bool(_places(wanted, look, grade)), len(look.first)),
    )
    begins = f"{file.name} has no line of names: it begins with {listed(look.first)}."
    other = next((each for each in (RUN, QRELS) if _like_trec(each, look)), wanted)
    if other is not wanted and wanted is not JUDGED_RUN:
        raise DataError(
            f"{begins} These are the columns of {_A[other.kind]}, not of {_A[wanted.kind]}. Read "
            f"it with read_{other.kind}; were the two files swapped?"
        )
    places = _places(wanted, look, grade)
    number, doubt = "", "" if places else _EXPECTED[wanted.kind if grade is None else "hits"]
    if len(places) > 2:
        number, doubt = _number(wanted, look, places)
    if look.first == [str(place) for place in range(len(look.first))]:
        doubt = "Are these names, as pandas gives them, or data?"
    named = dict(zip(("query_id", "doc_id", number), places, strict=False))
    if doubt:
        ways = [{place: ours for ours, place in named.items()}] if named else []
        ways = ways or _likely(wanted, look, grade)
        if number == "score":
            ways = [*ways, ways[0] | {places[2]: "rank"}]
        if "relevance" in wanted.needs:
            every = {"relevance": grade or 1}
            ways = [way if "relevance" in way.values() else way | every for way in ways]
        how = " Add a line of names" + (", or count the columns from 0:" if ways else ".")
        raise DataError(f"{begins} {doubt}{how}", columns=ways, missing=wanted.needs)
    told = ", ".join(f"column {place} is {ours}" for ours, place in named.items())
    notes = [f"There is no line of names. Counted from 0, {told}."]
    notes += [] if grade is None else [all_hits(grade)]
    names = tuple(map(str, range(len(look.first))))
    kind = f"text without a header, separated by {DELIMITERS.get(look.delimiter, 'blanks')}"
    columns = Columns(named, names, tuple(notes), grade)
    return laid_out(file, kind, columns, look.delimiter, 0)


def _is_number(text: str) -> bool:
    return type_of([text]) in ("whole", "fraction")


def _like_trec(wanted: Wanted, look: _Look) -> bool:
    """Whether there are as many columns as in a file of TREC, with its mark as the second."""
    return len(look.columns) == _WIDTHS[wanted.kind] and {*look.columns[1]} in _MARKS


def _places(wanted: Wanted, look: _Look, grade: float | None) -> list[int]:
    """Where query, item and number stand, if they can stand there."""
    if wanted is JUDGED_RUN:
        return []
    width = 3 if grade is None else 2
    places = [*range(width)] if len(look.columns) == width else []
    if _like_trec(wanted, look) and grade is None:
        places = [0, 2, 4 if wanted is RUN else 3]
    ours = ("query_id", "doc_id", wanted.needs[-1])
    types = [look.types[place] for place in places]
    types[2:] = map(look.number_type, places[2:])
    fits = all(kind in _ODDITY[each] for each, kind in zip(ours, types, strict=False))
    return places if places and fits and types[-1] else []


def _number(wanted: Wanted, look: _Look, places: Sequence[int]) -> tuple[str, str]:
    """What a column of numbers is, and what speaks against it."""
    rows = zip(look.columns[places[0]], look.columns[places[2]], strict=True)
    kind = look.number_type(places[2])
    rows = [(query, value) for query, value in rows if kind == "truth" or _is_number(value)]
    if wanted is RUN:
        if kind == "fraction" or _like_trec(wanted, look):
            return "score", ""
        which = "scores, of which the highest is best, or ranks, of which 1 is?"
        return "score", f"Are its whole numbers {which}"
    if kind == "truth":
        return "relevance", ""
    numbers = [float(value.replace(",", ".")) for _, value in rows]
    doubt = ""
    if any(number % 1 for number in numbers):
        doubt = "Its numbers are fractions, as scores are: is it a run?"
    elif max(numbers) > HIGHEST:
        doubt = f"Its numbers go up to {max(numbers):,.0f}: are these grades?"
    elif _highest_rank(rows) >= _RANKS:
        doubt = "Its numbers count from 1 on, as ranks do: is it a run?"
    return "relevance", doubt


def _highest_rank(rows: Sequence[tuple[str, str]]) -> int:
    """How far the numbers of a query count from 0 or 1 on; 0 if they do anything else."""
    start = rows[0][1]
    if start not in ("0", "1"):
        return 0
    for (before, a), (query, b) in pairwise(rows):
        if b != (str(int(a) + 1) if before == query else start):
            return 0
    return max(int(value) for _, value in rows)


def _likely(wanted: Wanted, look: _Look, grade: float | None) -> list[dict[object, str]]:
    """What the columns may be, by their types: all ways, if only their owner can tell."""
    ours, types = wanted.needs, look.types
    if "query_id" not in ours and len(types) > len(ours):
        ours = ("query_id", *ours)  # a judged run may have one query only
    if wanted is QRELS and (grade is not None or len(types) == 2):
        ours = ours[:2]
    names = {str(place): kind for place, kind in enumerate(types)}
    found = guess(ours, [*names], names) if len(types) >= len(ours) else None
    if found is None or found.basis == "part":
        return []
    return [{int(place): each for place, each in way.items()} for way in found.ways]
