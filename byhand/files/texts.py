"""Read the texts of queries and items and the groups of queries, only as far as needed."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from byhand.errors import DataError, shown
from byhand.files.forms import Form, form_of
from byhand.files.lines import batches_of
from byhand.files.opening import File
from byhand.files.paths import is_paths, matched
from byhand.files.values import Column, ids, plain_values
from byhand.naming import (
    TableKind,
    find_columns,
    names_of,
    plain,
)

_PARTS = {"title": "title doctitle name heading headline", "url": "url link uri"}
_TEXT = "text doctext contents content body passage chunk document abstract segment"
_QUERY = "text query querytext question questiontext title body"
_GROUP = "group groupid category class type segment cluster tenant language lang locale"
_CLUSTER = "cluster clusterid topic topicid user userid seed session sessionid group groupid tenant"


def _wanted(table: str, id_: str, parts: dict[str, str], *bare: str) -> TableKind:
    """Return a kind of table of texts or groups; `bare` are its columns without a header."""
    names = {id_: " ".join(dict.fromkeys(["id", plain(id_), *names_of(id_)])), **parts}
    columns = [(id_, *each.split()) for each in bare]
    return TableKind(table, table, columns[0], names, {len(each): each for each in columns})


QUERIES = _wanted("queries", "query_id", {"text": _QUERY}, "text")
DOCS = _wanted("docs", "doc_id", {"text": _TEXT, **_PARTS}, "text", "title text", "url title text")
GROUPS = _wanted("groups", "query_id", {"group": _GROUP}, "group")
CLUSTERS = _wanted("clusters", "query_id", {"cluster": _CLUSTER}, "cluster")


@dataclass(frozen=True)
class Wording:
    """The text, title and URL of a query or an item, empty if unknown."""

    text: str = ""
    title: str = ""
    url: str = ""


@dataclass(frozen=True)
class Texts:
    """Files that contain texts of queries or of items."""

    tables: tuple[Form, ...] = ()

    def of(self, ids: Collection[str]) -> dict[str, Wording]:
        """Return the texts of some ids; read until all are found."""
        missing, found = set(ids), {}
        for source in self.tables:
            id_ = _id_of(source)
            for batch in _rows(source) if missing else ():
                wanted = pc.is_in(batch[id_], pa.array(missing, pa.large_string()))
                for row in batch.filter(wanted).to_pylist():
                    if (each := row.pop(id_)) in missing:
                        found[each] = Wording(**row)
                        missing.remove(each)
                if not missing:
                    break
        return found

    def first_id(self) -> str | None:
        """Return the first id in the files, or None."""
        batches = (batch[_id_of(source)] for source in self.tables for batch in _rows(source))
        return next((ids[0].as_py() for ids in batches if len(ids)), None)


def _in_memory(data: object, wanted: TableKind) -> Form:
    """Return the form of a table in memory: a frame, rows, columns, or a dict by id."""
    name = wanted.table
    table = _arrow_of(data, wanted)
    columns = find_columns(table.column_names, wanted, {}, name)
    ours = table.select([*columns.positions.values()]).rename_columns([*columns.positions])
    found = Form(File(Path(), name), "a table in memory", columns, table=ours)
    return replace(found, table=pa.concat_tables(_rows(found)))


def _arrow_of(data: object, wanted: TableKind) -> pa.Table:
    """Return an Arrow table with the names of its owner."""
    import pandas as pd

    id_, word = wanted.needs
    data = data.to_dict() if isinstance(data, pd.Series) else data
    if isinstance(data, Mapping) and wanted.known([*map(str, data)]) < 2:
        data = [
            {id_: each, **(value if isinstance(value, Mapping) else {word: value})}
            for each, value in data.items()
        ]
    try:
        data = pd.DataFrame(data) if isinstance(data, list | Mapping) else data
        if not isinstance(data, pd.DataFrame):
            return pa.table(data)
        named = [name for name in data.index.names if name is not None]
        data = data.reset_index(level=named) if named else data
        return pa.Table.from_pandas(data, preserve_index=False)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise DataError(
            f"{wanted.table} is of type {type(data).__name__} and cannot be read as a table "
            f"({str(error).splitlines()[0][:120]}). Expected a file, a frame with the columns "
            f"{id_} and {word}, or a dict: {{{id_}: {word}}}."
        ) from None


def texts_in(paths: object, of: str) -> Texts:
    """Return the texts in a file, folder, glob, or table in memory.

    Args:
        paths: A table with `query_id` or `doc_id` and `text`, for items optionally `title` and
            `url`: CSV, TSV, JSON Lines (also BEIR's, with `_id`) or Parquet. A file
            without a header has the columns id, text; id, title, text; or id, url, title, text.
        of: The kind of text, `"query"` or `"doc"`.
    """
    wanted = QUERIES if of == "query" else DOCS
    if not is_paths(paths):
        return Texts((_in_memory(paths, wanted),))
    return Texts(tuple(form_of(file, wanted) for file in matched(paths)))


def read_groups(path: object, wanted: TableKind = GROUPS) -> dict[str, list[str]]:
    """Read a mapping from groups to their queries, in the order of the file.

    Args:
        path: A table with `query_id` and `group`: CSV, TSV, JSON Lines or Parquet; without a
            header, two columns. Also such a table in memory, or `{query_id: group}`. A query may
            have several groups, one in each row. Rows with an empty group are ignored.
        wanted: The kind of table, by default with a column of groups.

    Raises:
        DataError: If the file, a column or all rows are missing.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "groups.csv")
        ...     _ = path.write_text("qid,language\\nq1,en\\nq2,ko\\nq3,en\\n")
        ...     read_groups(path)
        {'en': ['q1', 'q3'], 'ko': ['q2']}
    """
    look = form_of if isinstance(path, str | PathLike) else _in_memory
    source = look(path, wanted)
    found: dict[str, dict[str, None]] = {}
    for batch in _rows(source):
        for query, group in zip(*(batch[ours].to_pylist() for ours in wanted.needs), strict=True):
            if group.strip():
                found.setdefault(group, {})[query] = None
    if not found:
        what = wanted.needs[-1]
        name = source.columns.theirs[what]
        raise DataError(
            f"{source.file.name} contains no {what} in column {shown(name)}. Fill in at least one, "
            f"or pass no {wanted.table}."
        )
    return {name: [*queries] for name, queries in found.items()}


def read_clusters(path: object) -> dict[str, str]:
    """Read a mapping from queries to clusters, from a table as for `read_groups`.

    Raises:
        DataError: If a query has two clusters, or the table is invalid.

    Example:
        >>> read_clusters({"1-a": "1", "1-b": "1"})
        {'1-a': '1', '1-b': '1'}
    """
    found: dict[str, str] = {}
    for cluster, queries in read_groups(path, CLUSTERS).items():
        for query in queries:
            if query in found:
                raise DataError(
                    f"Query {shown(query)} is in two clusters, {shown(found[query])} and "
                    f"{shown(cluster)}. Each query must be in one cluster: merge clusters that "
                    "share a query."
                )
            found[query] = cluster
    return found


def _id_of(source: Form) -> str:
    return next(ours for ours in source.columns.positions if ours.endswith("_id"))


def _rows(source: Form) -> Iterator[pa.Table]:
    """Yield rows, some at a time: ids exactly as written, and texts, "" if missing."""
    done, id_ = 0, _id_of(source)
    for batch in batches_of(source, few=True):
        found = {}
        for ours in batch.column_names:
            column = Column(batch[ours], ours, source, done)
            found[ours] = ids(column) if ours == id_ else _words(column)
        yield pa.table(found)
        done += len(batch)


def _words(column: Column) -> pa.ChunkedArray:
    """Return a column as text, "" if missing; refuse lists and objects."""
    try:
        return pc.fill_null(plain_values(column.values).cast(pa.large_string()), "")
    except pa.ArrowNotImplementedError:
        raise column.refused("Expected text.") from None
