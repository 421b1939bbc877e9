"""Runs and qrels in an engine as checked columns: the same checks as in memory, asked for there."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
import pandas as pd

from byhand.columns import Given, Wanted, check_mapping, find_columns
from byhand.errors import DataError, shown
from byhand.tables.counting import twice
from byhand.tables.engines import Engine
from byhand.tables.held import in_arguments
from byhand.tables.ids import as_integer, no_id, no_number

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa

_MOST = float(np.finfo(float).max)
_SIXTEEN_BITS = 1 << 16
# what Python takes for blank, in the words of DuckDB
_BLANK = r"^[\s\x0b\x1c-\x1f\x{85}\p{Z}]*$"
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
    """A run or qrels that lives in an engine: `query_id`, `doc_id` and a number."""

    engine: Engine
    number: str  # what its third column is called
    attrs: Mapping[str, object]  # what is known of the table beside its rows
    name: ClassVar[str]
    mend: ClassVar[str] = "keep one of them"  # what to do about repeats
    lazy: ClassVar[bool] = True

    @classmethod
    def checked(
        cls, engine: Engine, wanted: Wanted, given: Given | None, **options: object
    ) -> Self:
        """Check the columns and their types, and every row for gaps."""
        if given or not {*wanted.needs} <= {*engine.names}:
            with in_arguments(cls.name):
                found = find_columns(engine.names, wanted, check_mapping(given), cls.name)
            if found.grade is not None:
                raise DataError(
                    f"qrels: relevance={found.grade!r} is for files and tables in memory. Give "
                    "the table of the engine such a column."
                )
            engine = engine.renamed({name: ours for ours, name in found.theirs.items()})
        number = wanted.needs[2] if wanted.needs[2] in engine.names else "rank"
        columns = ("query_id", "doc_id", number)
        forms = {column: _AS_ID.get(engine.form(column)) for column in columns[:2]}
        forms[number] = _AS_NUMBER[number].get(engine.form(number))
        for column, form in forms.items():
            if form is None:
                raise _wrong_type(engine, cls.name, column)
        file = {"file": "string"} if engine.of_files else {}
        table = cls(engine.narrowed(forms | file), number, engine.attrs, **options)
        table._refuse_gaps()
        return table

    def _refuse_gaps(self) -> None:
        census = self.census
        query = census["query"]
        no_query = query.isna() | (self.engine.of_files & (query.str.strip() == ""))
        for column, say, bad, which in (
            ("query_id", no_id, census["rows"][no_query], lambda of: self._no_id(of, "query_id")),
            ("doc_id", no_id, census["no_doc"], lambda of: self._no_id(of, "doc_id")),
            (self.number, no_number, census["no_number"], self._no_number),
        ):
            if bad := int(bad.sum()):
                raise say(f"{self.name}: {column}", bad, len(self), self._such_as(which))

    def _such_as(self, which: "Callable[[ir.Table], ir.BooleanValue]") -> str:
        """One of some rows, and the file it stands in if that is known."""
        columns = ["query_id", "doc_id", self.number, *["file"] * self.engine.of_files]
        found = self.engine.answer(lambda table, _: table.filter(which(table))[columns].limit(1))
        row = found.to_pylist()[0]
        file = f" in {row.pop('file')}" if "file" in row else ""
        return f"such as the row {row}{file}"

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
        queries = [each if each is None else str(each) for each in found["query"].to_pylist()]
        return counts.assign(query=pd.Series(queries, dtype=object))

    def value(self, table: "ir.Table") -> "ir.NumericValue":
        """The number as it compares exactly; of a rank, minus the rank."""
        return -table.rank if self.number == "rank" else table[self.number]

    def text(self, table: "ir.Table", column: str) -> "ir.StringValue":
        """An id as it compares; as it is looked up, a whole number stays one, which is quicker."""
        return table[column].cast("string")

    def keys(self, column: str, texts: np.ndarray) -> "pa.Array":
        """Texts as they are looked up in a column; null for one that it cannot hold."""
        import pyarrow as pa

        if not self.engine.table[column].type().is_integer():
            return pa.array(texts, pa.string())
        return pa.array([as_integer(text) for text in texts], pa.int64())

    def __len__(self) -> int:
        return int(self.census["rows"].sum())

    @property
    def row_counts(self) -> pd.Series:
        """How many rows each query has."""
        return self.census.set_index("query")["rows"]

    def rows_of(self, queries: Sequence[str] | None = None) -> pd.DataFrame:
        """The rows of a few queries, or all, with text for ids."""

        def ask(table: "ir.Table", _: None) -> "ir.Table":
            if queries is not None:
                table = table.filter(self.text(table, "query_id").isin(list(queries)))
            number = "score" if self.number == "rank" else self.number
            return table.select(**self._ids(table), **{number: self.value(table)})

        return self.engine.answer(ask).to_pandas()

    def head(self, rows: int) -> pd.DataFrame:
        """The ids of some rows; which ones is up to the engine."""
        found = self.engine.answer(lambda table, _: table.limit(rows).select(**self._ids(table)))
        return found.to_pandas()

    def few_values(self) -> np.ndarray | None:
        """The different scores or grades, ascending; None if 16 bits could not tell them apart."""

        def ask(table: "ir.Table", _: None) -> "ir.Table":
            return table.select(value=self.value(table)).distinct().limit(_SIXTEEN_BITS + 1)

        found = self.engine.answer(ask)["value"].to_numpy()
        return None if len(found) > _SIXTEEN_BITS else np.unique(found)

    def _ids(self, table: "ir.Table") -> "dict[str, ir.StringValue]":
        return {name: self.text(table, name) for name in ("query_id", "doc_id")}

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
        return tuple(str(found[name][0].as_py()) for name in ("query", "doc") if len(found))

    def refuse_pair(self, query: str, doc: str) -> None:
        """Complain about a (query, item) that stands in two rows."""

        columns = [self.number, *["file"] * self.engine.of_files]

        def ask(table: "ir.Table", _: None) -> "ir.Table":
            these = (self.text(table, "query_id") == query) & (self.text(table, "doc_id") == doc)
            return table.filter(these)[columns].limit(2)

        rows = self.engine.answer(ask).to_pylist()
        values = " and ".join(shown(row[self.number]) for row in rows)
        files = " and ".join(dict.fromkeys(row["file"] for row in rows if "file" in row))
        in_files = f", in {files}" if files else ""
        raise twice(self.name, query, doc, f"with {self.number} {values}{in_files}", self.mend)


def _wrong_type(engine: Engine, name: str, column: str) -> DataError:
    """What to say of a column that holds neither ids nor numbers."""
    what = f"{name}: {column} holds {engine.type_of(column)} values"
    expected, form = "Expected numbers", "float64"
    if column in ("query_id", "doc_id"):
        expected, form = "Ids are text or whole numbers", "string"
    mend = f"convert the column, for example with {engine.conversion(column, form)}"
    return DataError(f"{what}. {expected}: {mend}.")
