"""What queries and items say: texts out of files, only those that are asked for."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike

from helpers.errors import DataError
from helpers.files.aliases import plain, tiers
from helpers.files.columns import Wanted
from helpers.files.columns import listed as names_listed
from helpers.files.folders import Paths, listed
from helpers.files.layouts import layout_of
from helpers.files.named_rows import TOPIC, NamedRows, named_rows

_IDS = {"query": "query_id", "doc": "doc_id"}
_NAMES = {
    "text": {
        "query": "text query querytext question questiontext title body",
        "doc": "text doctext contents content body passage chunk document abstract segment",
    },
    "title": {"query": "", "doc": "title doctitle name heading headline"},
    "url": {"query": "", "doc": "url link uri"},
}
# in a table that ranks items, a column may be of the query or of the item
_IN_RUN = {
    "text": {"query": "querytext query question questiontext", "doc": _NAMES["text"]["doc"]},
    "title": _NAMES["title"],
    "url": _NAMES["url"],
}
_WITHOUT_NAMES = {
    2: ("id", "text"),
    3: ("id", "title", "text"),
    4: ("id", "url", "title", "text"),
}


@dataclass(frozen=True)
class Text:
    """What a query or an item says, each part empty if it is not known."""

    text: str = ""
    title: str = ""
    url: str = ""


@dataclass(frozen=True)
class Texts:
    """Files in which the texts of queries or of items stand, and in which of their columns.

    Attributes:
        tables: the files.
        columns: for each file the column of the id, and those of the parts of a `Text` by name.
    """

    tables: tuple[NamedRows, ...] = ()
    columns: tuple[tuple[str, Mapping[str, str]], ...] = ()

    def of(self, ids: Collection[str]) -> dict[str, Text]:
        """The texts of some ids; those that no file has are not there.

        The files are gone through until all are found, and nothing else of them is kept.
        """
        missing, found = set(ids), {}
        for table, (key, parts) in zip(self.tables, self.columns, strict=True):
            if not missing:
                break
            for id_, *values in table.rows([key, *parts.values()]):
                if id_ in missing:
                    found[id_] = Text(**dict(zip(parts, values, strict=True)))
                    missing.remove(id_)
                    if not missing:
                        break
        return found


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
    tables = [named_rows(file, [*ids_of(of), *_all_names(of)]) for file in listed(paths)]
    return Texts(tuple(tables), tuple(_columns(table, of) for table in tables))


def ids_of(of: str) -> list[str]:
    """The plain names of the ids of queries or items in a table of nothing else."""
    return ["id", _IDS[of].replace("_", ""), *(name for tier in tiers(_IDS[of]) for name in tier)]


def _all_names(of: str) -> list[str]:
    return [name for names in _NAMES.values() for name in names[of].split()]


def _columns(table: NamedRows, of: str) -> tuple[str, dict[str, str]]:
    if table.names == TOPIC:
        return "num", {"text": "title"}
    if not table.header:
        if len(table.names) in _WITHOUT_NAMES:
            names = _WITHOUT_NAMES[len(table.names)]
            return "0", {name: str(place) for place, name in enumerate(names) if place}
        found = f"{len(table.names)} columns without names"
    else:
        key = first_of(ids_of(of), table.names)
        parts = _parts(_NAMES, of, [name for name in table.names if name != key])
        if key is not None and "text" not in parts and "title" in parts:
            parts["text"] = parts.pop("title")
        if key is not None and "text" in parts:
            return key, parts
        found = f"the columns {names_listed(table.names)}"
    more = ", and optionally 'title' and 'url'" * (of == "doc")
    raise DataError(
        f"{table.file.name} has {found}. Expected the columns '{_IDS[of]}' and 'text'{more}: "
        "rename those that are these."
    )


def first_of(known: Sequence[str], names: Sequence[str]) -> str | None:
    """The name of the column that comes first among plain names, or None."""
    theirs = {plain(name): name for name in reversed(names)}
    return next((theirs[name] for name in known if name in theirs), None)


def _parts(known: Mapping[str, Mapping[str, str]], of: str, names: Sequence[str]) -> dict[str, str]:
    found = {part: first_of(names_of[of].split(), names) for part, names_of in known.items()}
    return {part: name for part, name in found.items() if name is not None}


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
    tables, columns = [], []
    for file in listed(path):
        layout = layout_of(file, wanted, columns=given).columns
        parts = _parts(_IN_RUN, of, layout.others)
        if _IDS[of] in layout.theirs and parts.keys() & {"text", "title"}:
            tables.append(named_rows(file, [plain(name) for name in layout.names]))
            columns.append((layout.theirs[_IDS[of]], parts))
    return Texts(tuple(tables), tuple(columns))
