"""What queries and items say: texts out of files, only those that are asked for."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from os import PathLike
from types import ModuleType
from typing import Self

import pyarrow as pa
import pyarrow.compute as pc

from byhand.columns import Wanted, plain, tiers
from byhand.errors import DataError
from byhand.files import delimited, json_lines, parquet, topics
from byhand.files.file import File
from byhand.files.folders import Paths, listed
from byhand.files.format import Layout
from byhand.files.layouts import laid_out
from byhand.files.values import Column, ids

# asked in this order; the last takes any text
FORMATS = (parquet, json_lines, topics, delimited)
_PARTS = {
    "title": "title doctitle name heading headline",
    "url": "url link uri",
}


def names_of_ids(ours: str) -> str:
    """The plain names of the ids of queries or items in a table of nothing else.

    Example:
        >>> names_of_ids("query_id").split()[:3]
        ['id', 'queryid', 'qid']
    """
    names = (name for tier in tiers(ours) for name in tier)
    return " ".join(dict.fromkeys(["id", plain(ours), *names]))


_OF_DOC = "text doctext contents content body passage chunk document abstract segment"
QUERIES = Wanted(
    "file of queries",
    "queries",
    ("query_id", "text"),
    {
        "query_id": names_of_ids("query_id"),
        "text": "text query querytext question questiontext title body",
    },
    {2: ("query_id", "text")},
)
DOCS = Wanted(
    "file of items",
    "docs",
    ("doc_id", "text"),
    {"doc_id": names_of_ids("doc_id"), "text": _OF_DOC, **_PARTS},
    {
        2: ("doc_id", "text"),
        3: ("doc_id", "title", "text"),
        4: ("doc_id", "url", "title", "text"),
    },
)
# in a table that ranks items, a column may be of the query or of the item
_IN_RUN = {
    "query_id": {"text": "querytext query question questiontext"},
    "doc_id": {"text": _OF_DOC, **_PARTS},
}


@dataclass(frozen=True)
class Text:
    """What a query or an item says, each part empty if it is not known."""

    text: str = ""
    title: str = ""
    url: str = ""


@dataclass(frozen=True)
class WordsFile:
    """A file of which rows say what queries or items are about, gone through as often as needed.

    Attributes:
        file: where it is.
        form: what reads it.
        layout: how it holds an id and words.
    """

    file: File
    form: ModuleType
    layout: Layout

    @classmethod
    def at(cls, path: str | PathLike[str], wanted: Wanted) -> Self:
        """What a look at the beginning of a file tells.

        Raises:
            DataError: a file of no format that is read, or without these columns.
        """
        file = File.at(path)
        form = next((form for form in FORMATS if form.recognises(file)), None)
        if form is None:
            raise file.refusal()
        return cls(file, form, form.find(file, wanted, {}))

    @property
    def id(self) -> str:
        """Which of our columns holds the ids."""
        return next(ours for ours in self.layout.columns.positions if ours.endswith("_id"))

    def rows(self) -> Iterator[pa.Table]:
        """The rows, some at a time: ids exactly as written, and words; what is missing is empty.

        Raises:
            DataError: as the readers of runs and qrels.
        """
        done = 0
        with self.file.unchanged():
            for batch in self.form.batches(self.file, self.layout):
                columns = {ours: self._column(batch, ours, done) for ours in batch.column_names}
                read = {ours: ids(each) for ours, each in columns.items() if ours == self.id}
                words = {o: _words(each) for o, each in columns.items() if o != self.id}
                yield pa.table(read | words)
                done += len(batch)

    def _column(self, batch: pa.Table, ours: str, before: int) -> Column:
        def place(row: int) -> str:
            return self.form.place(self.file, self.layout, before + row)

        values = batch.column(ours)
        return Column(values, ours, self.layout.columns, self.file.name, place)


def _words(column: Column) -> pa.ChunkedArray:
    """A column as text, empty where there is nothing.

    Raises:
        DataError: lists or objects.
    """
    values = column.values
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    try:
        return pc.fill_null(values.cast(pa.large_string()), "")
    except pa.ArrowNotImplementedError:
        raise DataError(f"{column.holds()}. Expected text.") from None


@dataclass(frozen=True)
class Texts:
    """Files in which the texts of queries or of items stand."""

    tables: tuple[WordsFile, ...] = ()

    def of(self, ids: Collection[str]) -> dict[str, Text]:
        """The texts of some ids; those that no file has are not there.

        The files are gone through until all are found, and nothing else of them is kept.

        Raises:
            DataError: what is wrong with a file, as far as it is gone through.
        """
        missing, found = set(ids), {}
        for table in self.tables:
            for batch in table.rows() if missing else ():
                wanted = pc.is_in(batch[table.id], pa.array(missing, pa.large_string()))
                for row in batch.filter(wanted).to_pylist():
                    if (id_ := row.pop(table.id)) in missing:
                        found[id_] = Text(**row)
                        missing.remove(id_)
                if not missing:
                    break
        return found

    def first_id(self) -> str | None:
        """The first id that any file has."""
        batches = (batch[table.id] for table in self.tables for batch in table.rows())
        return next((ids[0].as_py() for ids in batches if len(ids)), None)


def texts_in(paths: Paths, of: str) -> Texts:
    """The texts in a file, folder or glob that holds nothing else.

    Args:
        paths: a table with `query_id` or `doc_id` and `text`, for items optionally `title` and
            `url`: CSV, TSV, JSON Lines (also BEIR's, with `_id`) or Parquet, or TREC topics. A
            file without names has two columns, the id and the text; or id, title, text; or id,
            url, title, text.
        of: `"query"` or `"doc"`.

    Raises:
        DataError: no such file, or no column of texts.
    """
    wanted = QUERIES if of == "query" else DOCS
    return Texts(tuple(WordsFile.at(file, wanted) for file in listed(paths)))


def texts_beside(
    path: str | PathLike[str], wanted: Wanted, given: Mapping[object, str] | None, of: str
) -> Texts:
    """The texts in further columns of a run or of a judged table, if it has such.

    Args:
        path: the file, folder or glob.
        wanted: what it was read as.
        given: the user's names for our columns.
        of: `"query"` or `"doc"`.
    """
    tables, id_ = [], f"{of}_id"
    for each in listed(path):
        file, form, layout = laid_out(each, wanted, given)
        columns = layout.columns
        places = {plain(name): columns.names.index(name) for name in reversed(columns.others)}
        parts = {
            part: next((places[name] for name in known.split() if name in places), None)
            for part, known in _IN_RUN[id_].items()
        }
        parts = {part: place for part, place in parts.items() if place is not None}
        if id_ in columns.positions and parts.keys() & {"text", "title"}:
            positions = {id_: columns.positions[id_], **parts}
            tables.append(
                WordsFile(
                    file, form, replace(layout, columns=replace(columns, positions=positions))
                )
            )
    return Texts(tuple(tables))
