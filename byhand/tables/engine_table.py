"""A table that lives in an engine: its columns that are ours, as what they are to us.

What its values become is asked for in the engine's own terms; each kind of engine says how.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, Self

from byhand.column_map import ColumnNames, check_mapping, find_columns
from byhand.columns import TableKind
from byhand.errors import DataError
from byhand.files.streams import Stream
from byhand.memory import in_bytes
from byhand.tables.held import in_arguments
from byhand.words import N_, Message

if TYPE_CHECKING:
    import pyarrow as pa

# what the types of engines are called, and which of Arrow's holds all of their values; float64 by
# way of text, as an engine's own way there may be off in the last digit
_FORMS = {
    r"u?(tiny|small)int|u?int(eger)?|u?int(8|16|32)|int64|bigint": "int64",
    r"ubigint|uint64": "uint64",
    r"u?hugeint|bignum|decimal\(\d+, ?0\)": "digits",
    r"decimal.*": "exact",
    r"float(16|32|64)?|double|real": "float64",
    r"bool(ean)?": "truth",
    r"(var)?char.*|string.*|text|enum.*|uuid": "string",
    r'"null"': "string",  # of a column without a value, as of no rows
}
# lists of values of any type, as DuckDB, Spark and Ibis call them
_LISTS = re.compile(r".*\[\d*\]|array<.*>", re.DOTALL | re.IGNORECASE)
# which form an id or a number is asked for in, by what its column holds
_AS_ID = {"int64": "int64", "uint64": "string", "digits": "string", "string": "string"}
_NUMBERS = {"int64": "int64", "float64": "float64", "exact": "exact", "digits": "exact"}
_AS_NUMBER = {
    "score": _NUMBERS | {"uint64": "uint64"},
    "rank": _NUMBERS | {"uint64": "float64"},
    "relevance": _NUMBERS | {"uint64": "uint64", "truth": "int64"},
}


class Engine(Stream):
    """A table of an engine.

    Each kind can have its columns `renamed`, by theirs; say the `type_of` a column as it calls
    that; be `narrowed` to some columns as what they are to us; and has a `reader` of its rows.
    """

    text: ClassVar[str] = "VARCHAR"
    by_bytes: ClassVar[str] = ""

    def __init__(self, theirs: object, memory: str) -> None:
        super().__init__({}, in_bytes(memory))
        self.theirs = theirs  # the table as its owner holds it
        self._rows: int | None = None

    @property
    def names(self) -> list[str]:
        """What all of its columns are called."""
        return list(self.theirs.columns)

    def checked(self, wanted: TableKind, given: ColumnNames | None) -> Self:
        """Narrowed to our columns, whose types can hold what is wanted."""
        if given or not {*wanted.needs} <= {*self.names}:
            with in_arguments(wanted.kind):
                found = find_columns(self.names, wanted, check_mapping(given), wanted.kind)
            if found.grade is not None:
                raise DataError(
                    "qrels: relevance={grade!r} is for files and tables in memory. Give the table "
                    "of the engine such a column.",
                    [found.grade],
                )
            self.theirs = self.renamed({name: ours for ours, name in found.theirs.items()})
        number = wanted.needs[2] if wanted.needs[2] in self.names else "rank"
        forms = {column: _AS_ID.get(self._form(column)) for column in ("query_id", "doc_id")}
        forms[number] = _AS_NUMBER[number].get(self._form(number))
        for column, form in forms.items():
            if form is None:
                raise self._wrong_type(wanted.kind, column, number)
        self.theirs = self.narrowed(forms)
        return self

    def renamed(self, ours: Mapping[str, str]) -> object:
        """Its table with those columns only that we have a name for, and with that."""
        raise NotImplementedError

    def type_of(self, column: str) -> str:
        """The type of a column, as the engine calls it."""
        raise NotImplementedError

    def narrowed(self, forms: Mapping[str, str]) -> object:
        """Its table with some columns only, as what they are to us."""
        raise NotImplementedError

    def reader(self) -> "pa.RecordBatchReader":
        """What brings all rows here, some at a time."""
        raise NotImplementedError

    def counted(self) -> int:
        """How many rows there are."""
        raise NotImplementedError

    def explained(self) -> AbstractContextManager[None]:
        """Turn what the engine says, in errors of its own, into ours."""
        raise NotImplementedError

    def n_rows(self) -> int:
        """How many rows there are, asked once."""
        if self._rows is None:
            with self.explained():
                self._rows = self.counted()
        return self._rows

    def whole(self) -> "pa.Table | None":
        """All rows together; None if memory may not hold them, for which few are read in vain."""
        import pyarrow as pa

        # to count what a query gives may be to run it, so it is done of many rows only
        first = [piece for _, piece in islice(self.pieces(), 3)]
        if len(first) == 3:
            return super().whole() if self.n_rows() <= self.rows_at_once else None
        return pa.concat_tables(first) if sum(map(len, first)) <= self.rows_at_once else None

    def pieces(self) -> "Iterator[tuple[str, pa.Table]]":
        """All rows, some at a time; first none, which says what columns there are."""
        import pyarrow as pa

        with self.explained():
            reader = self.reader()
            yield "", reader.schema.empty_table()
            for batch in reader:
                yield "", pa.Table.from_batches([batch])

    def conversion(self, column: str, form: str) -> str:
        """What its owner may write to have a column as text or as a number."""
        return f"CAST({column} AS {self.text if form == 'string' else 'DOUBLE'})"

    def cast(self, column: str, form: str) -> str:
        """A column as what it is to us, in the engine's own SQL, which knows its types best."""
        text = f"CAST({column} AS {self.text})"
        return {
            "string": f"{text} {self.by_bytes}",
            "int64": f"CAST({column} AS BIGINT)",
            "uint64": column,
            "float64": f"CAST({column} AS DOUBLE)",
            "exact": f"CAST({text} AS DOUBLE)",
        }[form].strip()

    def _listed(self, forms: Mapping[str, str]) -> list[str]:
        return [f"{self.cast(column, form)} AS {column}" for column, form in forms.items()]

    def _form(self, column: str) -> str:
        """What values of a column are to us; empty if they are nothing."""
        kind = self.type_of(column).lower()
        if _is_list(kind):
            return ""
        known = (form for names, form in _FORMS.items() if re.fullmatch(names, kind, re.DOTALL))
        return next(known, "")

    def _wrong_type(self, name: str, column: str, number: str) -> DataError:
        """What to say of a column that holds neither ids nor numbers."""
        kind = self.type_of(column)
        held = N_("{name}: {column} holds {kind} values")
        what = Message(held, name=name, column=column, kind=kind)
        if _is_list(kind) and column != "query_id":
            return self._of_lists(what, number)
        form = "float64"
        expected = N_("{what}. Expected numbers: convert the column, for example with {how}.")
        if column in ("query_id", "doc_id"):
            form = "string"
            expected = N_(
                "{what}. Ids are text or whole numbers: convert the column, for example with {how}."
            )
        return DataError(expected, [what, self.conversion(column, form)])

    def _of_lists(self, what: str, number: str) -> DataError:
        """What to say of a table with several items in a row."""
        lists = [each for each in ("doc_id", number) if _is_list(self.type_of(each))]
        rows = [f"UNNEST({each}) AS {each}" for each in lists]
        if number not in lists:
            ranks = "generate_subscripts(doc_id, 1) AS rank"
            rows.append("1 AS relevance" if number == "relevance" else ranks)
        return DataError(
            "{what}. A table of an engine has a row for each item. Write the lists out, in "
            "DuckDB's words as SELECT query_id, {rows}.",
            [what, ", ".join(rows)],
        )


def _is_list(kind: str) -> bool:
    """Whether a type holds several values in a cell."""
    return bool(_LISTS.fullmatch(kind))
