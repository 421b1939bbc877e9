"""Runs and qrels in an engine as checked columns: the same checks as in memory, asked for there."""

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.tables.columns import Change, is_ranked, require_columns
from byhand.tables.engines import Engine
from byhand.tables.ids import as_integer

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa

_MOST = float(np.finfo(float).max)
# what Python takes for blank, in the words of DuckDB
_BLANK = r"^[\s\x0b\x1c-\x1f\x{85}\p{Z}]*$"
_THING = {"score": "a score", "rank": "a rank", "relevance": "a grade"}
# which form an id or a number is asked for in, by what its column holds
_AS_ID = {"int64": "int64", "uint64": "string", "digits": "string", "string": "string"}
_NUMBERS = {"int64": "int64", "float64": "float64", "exact": "exact", "digits": "exact"}
_AS_NUMBER = {
    "score": _NUMBERS | {"uint64": "uint64"},
    "rank": _NUMBERS | {"uint64": "float64"},
    "relevance": _NUMBERS | {"uint64": "uint64", "truth": "int64"},
}


@dataclass(frozen=True, eq=False)
class LazyTable:
    """A run or qrels that lives in an engine: `query_id`, `doc_id` and a number.

    Attributes:
        engine: where it lives.
        name: what the table is called.
        number: what its third column is called.
    """

    engine: Engine
    name: str
    number: str

    @classmethod
    def of(cls, engine: Engine, name: str, number: str) -> Self:
        """Check the columns and their types, and every row for gaps.

        Raises:
            DataError: a missing column, a missing id, a number that is not finite.
        """
        names = engine.names
        if number == "score" and is_ranked(names):
            number = "rank"
        columns = ("query_id", "doc_id", number)
        require_columns(names, name, columns, change=_IN_IBIS)
        forms = {column: _AS_ID.get(engine.form(column)) for column in columns[:2]}
        forms[number] = _AS_NUMBER[number].get(engine.form(number))
        for column, form in forms.items():
            if form is None:
                raise _wrong_type(engine, name, column)
        table = cls(
            engine.narrowed(forms | ({"file": "string"} if engine.of_files else {})), name, number
        )
        table._refuse_gaps()
        return table

    def _refuse_gaps(self) -> None:
        rows = self.n_rows
        for column, bad in (
            ("query_id", int(self.census["rows"][self._no_query].sum())),
            ("doc_id", int(self.census["no_doc"].sum())),
        ):
            if bad:
                example = self._example(lambda table, column=column: self._no_id(table, column))
                raise DataError(
                    f"{self.name}: {column} has no value in {bad} of {rows} rows, such as "
                    f"{example}. Every row needs an id: fill it in, or remove the row."
                )
        if bad := int(self.census["no_number"].sum()):
            example = self._example(self._no_number)
            thing = _THING[self.number]
            raise DataError(
                f"{self.name}: {self.number} is no finite number in {bad} of {rows} rows, such as "
                f"{example}. {thing.capitalize()} is a finite number: mend the row or remove it."
            )

    def _example(self, which: object) -> str:
        """One of some rows, and the file it stands in if that is known."""
        columns = ["query_id", "doc_id", self.number]
        columns += self._file
        found = self.engine.answer(lambda table, _: table.filter(which(table))[columns].limit(1))
        row = found.to_pylist()[0]
        file = f" in {row.pop('file')}" if "file" in row else ""
        return f"the row {row}{file}"

    @property
    def _file(self) -> list[str]:
        """The column that says which file a row stands in, if the table is one of files."""
        return ["file"] if self.engine.of_files else []

    @property
    def _no_query(self) -> np.ndarray:
        query = self.census["query"]
        return query.isna() | (self.engine.of_files & (query.str.strip() == ""))

    def _no_id(self, table: "ir.Table", column: str) -> "ir.BooleanValue":
        value = table[column]
        if not (self.engine.of_files and value.type().is_string()):
            return value.isnull()
        # blanks sort outside of ASCII's letters: of most ids nothing else has to be looked at
        unlikely = (value < "!") | (value > "~~")
        return value.isnull() | unlikely.ifelse(value.re_search(_BLANK), False)

    def _no_number(self, table: "ir.Table") -> "ir.BooleanValue":
        value = table[self.number]
        if not value.type().is_floating():
            return value.isnull()
        # not every engine has words for infinite and NaN, which to some is above all else
        return value.isnull() | ~(value.cast("float64").abs() <= _MOST)

    @cached_property
    def census(self) -> pd.DataFrame:
        """For each query, as text: its `rows`, and those with `no_doc` and with `no_number`."""

        def ask(table: "ir.Table", _: None) -> "ir.Table":
            return table.group_by(query=table.query_id).agg(
                rows=table.count(),
                no_doc=self._no_id(table, "doc_id").sum().cast("int64"),
                no_number=self._no_number(table).sum().cast("int64"),
            )

        found = self.engine.answer(ask)
        counts = found.drop_columns("query").to_pandas()
        queries = [each if each is None else _text(each) for each in found["query"].to_pylist()]
        return counts.assign(query=pd.Series(queries, dtype=object))

    def value(self, table: "ir.Table") -> "ir.NumericValue":
        """The number as it compares exactly; of a rank, minus the rank."""
        return -table.rank if self.number == "rank" else table[self.number]

    def text(self, table: "ir.Table", column: str) -> "ir.StringValue":
        """An id as it compares; as it is looked up, a whole number stays one, which is quicker."""
        return table[column].cast("string")

    def keys(self, column: str, texts: np.ndarray) -> "tuple[pa.Array, np.ndarray]":
        """Texts as they are looked up in a column, and which of them it can hold at all."""
        import pyarrow as pa

        if not self._is_whole(column):
            return pa.array(texts, pa.string()), np.ones(len(texts), dtype=bool)
        numbers = pa.array([as_integer(text) for text in texts], pa.int64())
        return numbers, ~np.asarray(numbers.is_null())

    def _is_whole(self, column: str) -> bool:
        return self.engine.table[column].type().is_integer()

    @property
    def n_rows(self) -> int:
        """How many rows it has."""
        return int(self.census["rows"].sum())

    def refuse_repeats(self) -> None:
        """Complain about a (query, item) that stands in two rows, if one does; looks only once."""
        if self._repeated:
            self.refuse_pair(*self._repeated)

    @cached_property
    def _repeated(self) -> tuple[str, ...]:
        """A query and an item of it that stand in two rows, if there are such."""
        table = self.engine.table

        def repeated(**same: "ir.Value") -> "pa.Table":
            def ask(table: "ir.Table", _: None) -> "ir.Table":
                counted = table.group_by(**same).agg(many=table.count())
                return counted.filter(counted.many > 1).limit(1)

            return self.engine.answer(ask)

        # equal ids have equal hashes, and a number is less to bring together than two texts
        hashed = self.engine.hash_of(table.query_id, table.doc_id)
        if hashed is not None and not len(repeated(hash=hashed)):
            return ()
        found = repeated(query=table.query_id, doc=table.doc_id)
        return tuple(_text(found[name][0].as_py()) for name in ("query", "doc") if len(found))

    def refuse_pair(self, query: str, doc: str) -> None:
        """Complain about a (query, item) that stands in two rows."""

        def ask(table: "ir.Table", _: None) -> "ir.Table":
            these = (self.text(table, "query_id") == query) & (self.text(table, "doc_id") == doc)
            return table.filter(these)[[self.number, *self._file]].limit(2)

        rows = self.engine.answer(ask).to_pylist()
        values = " and ".join(shown(row[self.number]) for row in rows)
        files = " and ".join(dict.fromkeys(row["file"] for row in rows if "file" in row))
        raise DataError(
            f"{self.name}: query {shown(query)} has item {shown(doc)} twice, with "
            f"{self.number} {values}{f', in {files}' if files else ''}. "
            "A query holds each item once: keep one of them."
        )


def _wrong_type(engine: Engine, name: str, column: str) -> DataError:
    """What to say of a column that holds neither ids nor numbers."""
    what = f"{name}: {column} holds {engine.type_of(column)} values"
    with suppress(Exception):  # there is none, or Python has nothing like it
        what += f", such as {shown(engine.first(column))}"
    if column in ("query_id", "doc_id"):
        return DataError(
            f"{what}. Ids are text or whole numbers: convert the column, for example with "
            f"{engine.conversion(column, 'string')}."
        )
    return DataError(
        f"{what}. Expected numbers: convert the column, for example with "
        f"{engine.conversion(column, 'float64')}."
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else str(int(value))


# of Ibis; frames and relations have the same under other names
_IN_IBIS = Change(
    lambda name, columns: (
        f"{name}.rename({', '.join(f'{ours}={theirs!r}' for theirs, ours in columns.items())})"
    ),
    lambda name, rank: f"{name}.mutate(score=-{name}[{rank!r}])",
)
