"""Runs and qrels in an engine as checked columns: the same checks as in memory, asked for there."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
import pandas as pd

from helpers.errors import DataError, shown
from helpers.tables.columns import Change, require_columns
from helpers.tables.engines import Engine
from helpers.tables.ids import as_integer

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa

_MOST = float(np.finfo(float).max)
# what Python takes for blank, in the words of DuckDB
_BLANK = r"^[\s\x0b\x1c-\x1f\x{85}\p{Z}]*$"
_THING = {"score": "a score", "relevance": "a grade"}


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
        columns = ("query_id", "doc_id", number)
        require_columns(engine.table.columns, name, columns, change=_IN_IBIS)
        table = cls(engine, name, number)
        for column in columns[:2]:
            kind = engine.table[column].type()
            whole = kind.is_integer() or (kind.is_decimal() and not kind.scale)
            if not (kind.is_string() or whole):
                raise table._wrong_type(
                    column, "Ids are text or whole numbers: convert the column, for example with"
                )
        kind = engine.table[number].type()
        if not (kind.is_numeric() or kind.is_boolean()):
            raise table._wrong_type(
                number, "Expected numbers: convert the column, for example with"
            )
        table._refuse_gaps()
        return table

    def _wrong_type(self, column: str, mend: str) -> DataError:
        found = self.engine.answer(lambda table, _: table.select(column).limit(1))[column]
        kind, to = self.engine.table[column].type(), "double" if column == self.number else "string"
        such = f", such as {shown(found[0].as_py())}" if len(found) else ""
        what = f"{self.name}: {column} holds {str(kind).lower()} values{such}"
        return DataError(f"{what}. {mend} cast('{to}').")

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
        """The number as it compares exactly: whole numbers as such, else float64."""
        value = table[self.number]
        kind = value.type()
        if kind.is_unsigned_integer() and kind.nbytes == 8:
            return value
        if kind.is_decimal():  # an engine's own way to float64 may be off in the last digit
            value = value.cast("string")
        whole = kind.is_integer() or kind.is_boolean()
        return value.cast("int64" if whole else "float64")

    def key(self, table: "ir.Table", column: str) -> "ir.Value":
        """An id as it is looked up: whole numbers as such, which is quicker, else text."""
        return table[column].cast("int64" if self._is_whole(column) else "string")

    def text(self, table: "ir.Table", column: str) -> "ir.StringValue":
        """An id as it compares."""
        return table[column].cast("string")

    def keys(self, column: str, texts: np.ndarray) -> "tuple[pa.Array, np.ndarray]":
        """Texts as they are looked up in a column, and which of them it can hold at all."""
        import pyarrow as pa

        if not self._is_whole(column):
            return pa.array(texts, pa.string()), np.ones(len(texts), dtype=bool)
        numbers = pa.array([as_integer(text) for text in texts], pa.int64())
        return numbers, ~np.asarray(numbers.is_null())

    def _is_whole(self, column: str) -> bool:
        kind = self.engine.table[column].type()
        return kind.is_integer() and not (kind.is_unsigned_integer() and kind.nbytes == 8)

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
            f"{self.name}: query {query!r} has item {doc!r} twice, with {self.number} {values}"
            f"{f', in {files}' if files else ''}. A query holds each item once: keep one of them."
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
