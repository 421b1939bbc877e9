"""CSV, TSV and other text between delimiters, with a line of names or without."""

from collections.abc import Sequence
from typing import Self

from byhand.column_map import ColumnNames, Columns, advised, find_columns, grade_of, not_of_words
from byhand.columns import TableKind, Type, known_names, quoted, type_of
from byhand.errors import DataError, both
from byhand.files.fields import Fields
from byhand.files.file import File
from byhand.files.head import DELIMITERS, Head, fields_of
from byhand.files.trec import A_TREC, NAMES
from byhand.words import N_, Message, together

_MARKS = ({"0"}, {"Q0"}, {"q0"})  # what stands in the second column of all lines of TREC
_ALONE = N_(
    "Expected columns separated by commas, semicolons or tabs, their names in the first line; or "
    "the lines of a TREC file, as in 'q1 Q0 d7 1 0.93 mine' or 'q1 0 d7 1'."
)
_NO_NAMES = N_(
    "Its first line begins with #. If that is a comment, remove it: the first line names the "
    "columns."
)
_NO_JSON = N_(
    "It begins as JSON does, and is none: there, names and text stand in double quotes, and "
    "nothing stands beside them. Write it anew, for example with json.dump."
)


class Delimited(Fields):
    """Columns between delimiters."""

    @classmethod
    def of(cls, head: Head, wanted: TableKind, given: ColumnNames) -> Self | None:
        """Find our columns by the first line, or by position if the user counted them.

        Any text is such a table, or is explained as one.
        """
        file = head.file
        if file.no_table:
            return None
        firsts = {each: head.rows(each).rows[0] for each in DELIMITERS}
        delimiter = max(firsts, key=lambda each: (wanted.known(firsts[each]), len(firsts[each])))
        if wanted.bare and not wanted.known(firsts[delimiter]):
            return cls._bare(head, wanted)
        # a header may be 0, 1, 2, which pandas writes for columns without names
        counts = {str(key) for key in given if isinstance(key, int)}
        if counts and not counts <= {*firsts[delimiter]}:
            delimiter, rows = _best_rows(head)
            return cls.counted(file, wanted, given, len(rows[0]), delimiter)
        if _is_data(head, firsts[delimiter]) and not {*given} - {"relevance"}:
            raise _nameless(file, wanted, grade_of(given), _best_rows(head)[1])
        return cls._named(head, wanted, given, delimiter)

    @classmethod
    def _named(cls, head: Head, wanted: TableKind, given: ColumnNames, delimiter: str) -> Self:
        """A table whose first line names its columns."""
        (names, *rows), line, byte = head.rows(delimiter)
        whole = [row for row in rows if len(row) == len(names)]
        types = [type_of(row[place] for row in whole) for place in range(len(names))]
        hint = _hint(head.file, names, wanted)
        columns = find_columns(names, wanted, given, head.file.name, types=types, hint=hint)
        name = "TSV" if delimiter == "\t" else "CSV"
        kind = f"{name}, separated by {DELIMITERS[delimiter]}"
        table = cls(head.file, kind, columns, delimiter, line, byte).doubting()
        if not line:
            table.refuse_open_quotes()
        return table

    @classmethod
    def _bare(cls, head: Head, wanted: TableKind) -> Self:
        """Words without a line of names: the id goes to where the first sign stands."""
        file = head.file
        rows = {each: head.rows(each, quotes=each != "\t").rows for each in DELIMITERS}
        widths = {each: sorted({*map(len, rows[each])}) for each in DELIMITERS}
        even = [
            each for each in DELIMITERS if len(widths[each]) == 1 and widths[each][0] in wanted.bare
        ]
        if not even:
            delimiter = max(DELIMITERS, key=lambda each: (widths[each][-1], -len(widths[each])))
            between = Message(DELIMITERS[delimiter])
            if len(widths[delimiter]) > 1:
                raise DataError(
                    "{file} has no line of names, and between {delimiter} its lines have "
                    "{widths} columns. Put each text that holds one into double quotes, or write "
                    "tabs between the columns.",
                    [file.name, between, both([*map(str, widths[delimiter])])],
                )
            (width,) = widths[delimiter]
            one = N_("{file} has 1 column without names")
            many = N_("{file} has {n} columns without names")
            raise not_of_words(
                Message(one if width == 1 else many, file=file.name, n=width), wanted
            )
        delimiter = min(even, key=lambda each: len(rows[each][0][0]))
        ours = wanted.bare[widths[delimiter][0]]
        names = (*map(str, range(len(ours))),)
        columns = Columns({name: place for place, name in enumerate(ours)}, names)
        kind = f"text without a header, separated by {DELIMITERS[delimiter]}"
        return cls(file, kind, columns, delimiter, quotes=delimiter != "\t")


def _is_data(head: Head, names: Sequence[str]) -> bool:
    """Whether the first line is a row of data, and no line of names."""
    first = names if len(names) > 1 else fields_of(head.lines[0], None)
    return len(first) > 1 and any(map(_may_be_number, first)) and not known_names(first)


def _hint(file: File, names: Sequence[str], wanted: TableKind) -> str:
    """Why the names are none, if the form of the file says so."""
    if file.is_torn_json or file.head.lstrip()[:1] in b"{[":
        return _NO_JSON
    if names[0].startswith("#") and not wanted.known(names):
        return _NO_NAMES
    return "" if len(names) > 1 else _ALONE


def _may_be_number(text: str) -> bool:
    return type_of([text]) in ("whole", "fraction")


def _nameless(
    file: File, wanted: TableKind, grade: float | None, rows: Sequence[Sequence[str]]
) -> DataError:
    """What to say of a table without a line of names: what its columns may be, counted from 0."""
    columns = [*map(list, zip(*rows, strict=True))]
    message = N_("{file} has no line of names: it begins with {fields}.")
    begins = Message(message, file=file.name, fields=quoted(rows[0]))
    add = Message("Add one, or count the columns from 0.")
    needs = [each for each in wanted.needs if grade is None or each != "relevance"]
    every = {} if grade is None else {"relevance": grade}
    kinds = {len(names): kind for kind, names in NAMES.items()}
    of_trec = kinds.get(len(columns)) if {*columns[1]} in _MARKS else None
    if of_trec and wanted.kind in NAMES and of_trec != wanted.kind:
        swapped = N_(
            "These are the columns of {found}, not of {wanted}. Were the two files swapped?"
        )
        swapped = Message(swapped, found=A_TREC[of_trec], wanted=A_TREC[wanted.kind])
        return DataError(together([begins, swapped]))
    if of_trec and wanted.kind in NAMES:
        way = {NAMES[of_trec].index(ours): ours for ours in needs}
        if_so = Message("If these are the columns of {table},", table=A_TREC[of_trec])
        found = together([begins, add, if_so])
        return DataError(found, columns={**way, **every}, missing=wanted.needs)
    types = {str(place): _type(values) for place, values in enumerate(columns)}
    asked = needs
    if "query_id" not in needs and len(columns) > len(needs):
        asked = ["query_id", *needs]  # a judged run may have one query only
    advice, guessed = advised(asked, [*types], wanted, types)
    way = {int(place) if place in types else place: ours for place, ours in guessed.items()}
    offered = {**way, **every} if way else None
    found = together([begins, add, advice])
    return DataError(found, columns=offered, missing=wanted.needs)


def _best_rows(head: Head) -> tuple[str | None, list[list[str]]]:
    """What separates the columns, and the first rows, as far as they are as long as the first."""
    rows: dict[str | None, list[list[str]]] = {each: head.rows(each).rows for each in DELIMITERS}
    rows = {each: of for each, of in rows.items() if len(of[0]) > 1}
    rows[None] = [fields_of(line, None) for line in head.lines]
    even = {each: [row for row in of if len(row) == len(of[0])] for each, of in rows.items()}
    best = max([*rows][:-1], key=lambda each: (len(even[each]), len(even[each][0])), default=None)
    return best, even[best]


def _type(values: Sequence[str]) -> Type:
    """The type of a column that may be of numbers but for a few, which reading will name."""
    numbers = [*filter(_may_be_number, values)]
    return type_of(
        numbers if 2 * len(numbers) > len(values) and _may_be_number(values[0]) else values
    )
