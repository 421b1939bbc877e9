"""CSV and TSV: columns between delimiters, their names in the first line or counted."""

import csv
from collections.abc import Sequence
from itertools import islice, pairwise
from typing import Self

from byhand.columns import QRELS, RUN, Type, Wanted, guess, known_names, listed, type_of
from byhand.errors import DataError, both
from byhand.files.file import HEAD, File
from byhand.files.header import (
    ALL_HITS,
    Columns,
    Given,
    find_columns,
    grade_of,
    not_of_words,
)
from byhand.files.text import DELIMITERS, Fields, csv_reader, fields_of, first_lines, first_rows
from byhand.files.trec import HIGHEST, MARKS, NAMES, is_torn_json

_ALONE = (
    "Expected columns separated by commas, semicolons or tabs, their names in the first line; or "
    "the lines of a TREC file, as in 'q1 Q0 d7 1 0.93 mine' or 'q1 0 d7 1'."
)
_NO_JSON = (
    "It begins as JSON does, and is none: there, names and text stand in double quotes, and "
    "nothing stands beside them. Write it anew, for example with json.dump."
)
_EXPECTED = {
    "run": "Expected query, item and score.",
    "qrels": f"Expected query, item and grade, or TREC's four columns. {ALL_HITS.strip()}",
    "hits": "Expected query and item.",
    "judged run": "Which of them is which cannot be told.",
}
_A = {"run": "a run", "qrels": "qrels"}
_RANKS = 5  # so far do ranks have to count that may be grades as well


class Delimited(Fields):
    """Columns between delimiters."""

    @classmethod
    def recognises(cls, file: File) -> bool:
        """Any text: what no other format took is such a table, or is explained as one."""
        return not file.no_table

    @classmethod
    def of(cls, file: File, wanted: Wanted, given: Given) -> Self:
        """Find our columns by the first line, or by position if the user counted them."""
        (names, header), delimiter = max(
            ((_header(file, delimiter), delimiter) for delimiter in DELIMITERS),
            key=lambda found: (wanted.known(found[0][0]), len(found[0][0])),
        )
        if wanted.bare and not wanted.known(names):
            return cls._bare(file, wanted)
        # a header may be 0, 1, 2, which pandas writes for columns without names
        counts = {str(key) for key in given if isinstance(key, int)}
        if counts and not counts <= {*names}:
            delimiter, rows = _best_rows(file)
            return cls.counted(file, wanted, given, len(rows[0]), delimiter)
        first = names if len(names) > 1 else fields_of(first_lines(file)[0], None)
        if not {*given} - {"relevance"} and len(first) > 1 and _holds_data(first):
            raise _nameless(file, wanted, grade_of(given))
        hint = "" if len(names) > 1 else _ALONE
        hint = _NO_JSON if is_torn_json(file) or file.head.lstrip()[:1] in b"{[" else hint
        rows = first_rows(file, delimiter, after=header) if header else []
        whole = [row for row in rows if len(row) == len(names)]
        types = [type_of(row[place] for row in whole) for place in range(len(names))]
        columns = find_columns(names, wanted, given, file.name, types=types, hint=hint)
        name = "TSV" if delimiter == "\t" else "CSV"
        kind = f"{name}, separated by {DELIMITERS[delimiter]}"
        found = cls(file, kind, columns, delimiter, header).doubting()
        if not header:
            next(found.records())  # says what is wrong with the quotes
        return found

    @classmethod
    def _bare(cls, file: File, wanted: Wanted) -> Self:
        """Words without a line of names: the id goes to where the first sign stands."""
        rows = {each: first_rows(file, each, quotes=each != "\t") for each in DELIMITERS}
        widths = {each: sorted({*map(len, rows[each])}) for each in DELIMITERS}
        even = [
            each for each in DELIMITERS if len(widths[each]) == 1 and widths[each][0] in wanted.bare
        ]
        if not even:
            delimiter = max(DELIMITERS, key=lambda each: (widths[each][-1], -len(widths[each])))
            if len(widths[delimiter]) > 1:
                raise DataError(
                    f"{file.name} has no line of names, and between {DELIMITERS[delimiter]} its "
                    f"lines have {both([*map(str, widths[delimiter])])} columns. Put each text "
                    "that holds one into double quotes, or write tabs between the columns."
                )
            (width,) = widths[delimiter]
            columns = f"{width} column{'s' * (width != 1)} without names"
            raise not_of_words(f"{file.name} has {columns}", wanted)
        delimiter = min(even, key=lambda each: len(rows[each][0][0]))
        ours = wanted.bare[widths[delimiter][0]]
        names = (*map(str, range(len(ours))),)
        columns = Columns({name: place for place, name in enumerate(ours)}, names)
        kind = f"text without a header, separated by {DELIMITERS[delimiter]}"
        return cls(file, kind, columns, delimiter, quotes=delimiter != "\t")


def _header(file: File, delimiter: str) -> tuple[list[str], int]:
    """The names of the columns, and the number of the line that they end in, 0 if they do not."""
    lines = (file.decoded(line, number) for number, line in islice(file.lines(HEAD), 50))
    reader = csv_reader(lines, delimiter, strict=True)
    try:
        for names in reader:
            if any(map(str.strip, names)):
                return [name.strip() for name in names], reader.line_num
    except csv.Error:
        pass  # that there are no such columns is said first
    return fields_of(first_lines(file)[0], delimiter), 0


def _holds_data(fields: Sequence[str]) -> bool:
    """Whether a first line holds data where names belong: some number, and no known name."""
    return any(map(_is_number, fields)) and not known_names(fields)


def _is_number(text: str) -> bool:
    return type_of([text]) in ("whole", "fraction")


def _nameless(file: File, wanted: Wanted, grade: float | None) -> DataError:
    """What to say of a table without a line of names: what its columns may be, counted from 0."""
    _, rows = _best_rows(file)
    first, columns = rows[0], [*map(list, zip(*rows, strict=True))]
    begins = f"{file.name} has no line of names: it begins with {listed(first)}."
    of_trec = next((each for each in (RUN, QRELS) if _like_trec(each, columns)), None)
    if of_trec and wanted in (RUN, QRELS) and of_trec is not wanted:
        return DataError(
            f"{begins} These are the columns of {_A[of_trec.kind]}, not of {_A[wanted.kind]}. Were "
            "the two files swapped?"
        )
    ways = _ways(wanted, columns, grade)
    if of_trec and wanted in (RUN, QRELS) and grade is None:
        ways = [{NAMES[wanted.kind].index(ours): ours for ours in wanted.needs}]
    if "relevance" in wanted.needs:
        every = {"relevance": grade or 1}
        ways = [way if "relevance" in way.values() else way | every for way in ways]
    doubt = _EXPECTED[wanted.kind if grade is None else "hits"]
    if first == [str(place) for place in range(len(first))]:
        doubt = "Are these names, as pandas gives them, or data?"
    elif grade is None and ways:
        doubt = _doubt(wanted, columns, ways) or doubt
    how = "Add a line of names" + (", or count the columns from 0:" if ways else ".")
    return DataError(f"{begins} {doubt} {how}", columns=ways, missing=wanted.needs)


def _best_rows(file: File) -> tuple[str | None, list[list[str]]]:
    """What separates the columns, and the first rows, as far as they are as long as the first."""
    found = {each: first_rows(file, each) for each in (*DELIMITERS, None)}
    even = {each: [row for row in rows if len(row) == len(rows[0])] for each, rows in found.items()}
    several = [each for each in DELIMITERS if even[each] and len(even[each][0]) > 1]
    best = max(several, key=lambda each: (len(even[each]), len(even[each][0])), default=None)
    return best, even[best]


def _like_trec(wanted: Wanted, columns: Sequence[Sequence[str]]) -> bool:
    """Whether there are as many columns as in a file of TREC, with its mark as the second."""
    return len(columns) == len(NAMES[wanted.kind]) and {*columns[1]} in MARKS


def _ways(
    wanted: Wanted, columns: Sequence[Sequence[str]], grade: float | None
) -> list[dict[object, str]]:
    """What columns may be, by their types: all ways, as only their owner can tell."""
    ours, types = wanted.needs, [*map(_type, columns)]
    if "query_id" not in ours and len(types) > len(ours):
        ours = ("query_id", *ours)  # a judged run may have one query only
    if wanted is QRELS and (grade is not None or len(types) == 2):
        ours = ours[:2]
    names = {str(place): kind for place, kind in enumerate(types)}
    found = guess(ours, [*names], names) if len(types) >= len(ours) else None
    if found is None or found.basis == "part":
        return []
    ways = sorted(found.ways, key=lambda way: "rank" in way.values())
    return [{int(place): each for place, each in way.items()} for way in ways]


def _type(values: Sequence[str]) -> Type:
    """The type of a column that may be of numbers but for a few, which reading will name."""
    kinds = [type_of([value]) for value in values]
    numbers = [
        each for each, kind in zip(values, kinds, strict=True) if kind in ("whole", "fraction")
    ]
    few = 2 * len(numbers) > len(values) and kinds[0] in ("whole", "fraction")
    return type_of(numbers if few else values)


def _doubt(
    wanted: Wanted, columns: Sequence[Sequence[str]], ways: Sequence[dict[object, str]]
) -> str:
    """What the last column of a run or of qrels may be instead."""
    place = {ours: place for place, ours in ways[0].items()}.get(wanted.needs[-1])
    scored = {at for way in ways for at, ours in way.items() if ours in ("score", "rank")}
    if wanted is RUN and len(ways) > 1 and len(scored) == 1:  # else: which column it is, at all
        which = "scores, of which the highest is best, or ranks, of which 1 is?"
        return f"Are its whole numbers {which}"
    if wanted is not QRELS or not isinstance(place, int) or len(columns) != 3:
        return ""
    rows = [row for row in zip(columns[0], columns[place], strict=True) if _is_number(row[1])]
    numbers = [float(value.replace(",", ".")) for _, value in rows]
    if any(number % 1 for number in numbers):
        return "Its numbers are fractions, as scores are: is it a run?"
    if numbers and max(numbers) > HIGHEST:
        return f"Its numbers go up to {max(numbers):,.0f}: are these grades?"
    if numbers and _highest_rank(rows) >= _RANKS:
        return "Its numbers count from 1 on, as ranks do: is it a run?"
    return ""


def _highest_rank(rows: Sequence[tuple[str, str]]) -> int:
    """How far the numbers of a query count from 0 or 1 on; 0 if they do anything else."""
    start = rows[0][1]
    if start not in ("0", "1"):
        return 0
    for (before, a), (query, b) in pairwise(rows):
        if b != (str(int(a) + 1) if before == query else start):
            return 0
    return max(int(value) for _, value in rows)
