"""The files that a user names, read and looked at."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from os import PathLike, fspath
from os.path import commonpath
from pathlib import Path

import pandas as pd

from helpers.errors import DataError
from helpers.figures.tables import name_html
from helpers.files.folders import is_glob
from helpers.files.memory import MEMORY
from helpers.files.scanned import Scan
from helpers.files.together import FilePath, Table, read_together
from helpers.metrics.preflight import Preflight, preflight
from helpers.report.steps.display import show_html, show_table
from helpers.tables.lazy import LazyQrels, LazyRun
from helpers.tables.lazy_look import rows_of

_ENDINGS = {".gz", ".txt", ".trec", ".run", ".csv", ".tsv", ".json", ".jsonl", ".parquet"}


@dataclass(frozen=True)
class OwnData:
    """Runs, and what is relevant: all of them frames, or all of them scans.

    Attributes:
        runs: the runs by the name of their system, the one in question first.
        qrels: the judgements.
        judged_run: whether the judgements come from the file of the first run.
        relevant_from: the lowest grade that is relevant; None for any above 0.
    """

    runs: dict[str, Table]
    qrels: Table
    judged_run: bool
    relevant_from: float | None = None

    @property
    def systems(self) -> list[str]:
        """The names of the systems."""
        return list(self.runs)

    @cached_property
    def checked(self) -> dict[str, Preflight]:
        """What there is to know of each run before any mean."""
        return {
            name: preflight(run, self.qrels, relevant_from=self.relevant_from)
            for name, run in self.runs.items()
        }

    @property
    def scanned(self) -> bool:
        """Whether the tables are not held in memory."""
        return isinstance(self.qrels, Scan)

    def sizes_of(self, system: str) -> pd.Series:
        """Query -> how many items the system retrieved for it."""
        run = self.runs[system]
        if isinstance(run, Scan):
            return LazyRun.of(run).table.census.set_index("query")["rows"]
        sizes = run["query_id"].value_counts(sort=False)
        return sizes.set_axis(sizes.index.astype(str))

    def rows_of(self, queries: Sequence[str], system: str | None = None) -> pd.DataFrame:
        """The rows of a few queries: of the run of a system, or of the qrels."""
        table = self.qrels if system is None else self.runs[system]
        if isinstance(table, Scan):
            lazy = LazyQrels.of(table) if system is None else LazyRun.of(table)
            return rows_of(lazy.table, queries)
        return table[table["query_id"].isin(queries)]


def read_own_data(
    run: FilePath,
    qrels: FilePath | None = None,
    against: FilePath | Sequence[FilePath] | None = None,
    *,
    names: Sequence[str] | None = None,
    relevant_from: float | None = None,
    run_columns: Mapping[object, str] | None = None,
    qrels_columns: Mapping[object, str] | None = None,
    memory: str = MEMORY,
) -> OwnData:
    """Read the files of a report, and display what was read.

    Folders, globs and files that memory would not hold are scanned: then nothing is read whole.

    Args:
        run: what the system ranked: a file, a folder or a glob, as each of the next two.
        qrels: what is relevant; None if the file of the run says so itself.
        against: what another system ranked, or a list of several; None if there is none.
        names: what to call the systems; None, for all or for one, as their files are called.
        relevant_from: the lowest grade that is relevant; None for any above 0.
        run_columns: the runs' names for our columns, such as `{"Edge": "doc_id"}`.
        qrels_columns: the same for the qrels.
        memory: how much memory there is.

    Raises:
        DataError: a file that cannot be used, and why.
    """
    paths = [run, *against_of(against)]
    names = system_names(paths, names)
    tables, judged = read_together(
        paths, qrels, run_columns=run_columns, qrels_columns=qrels_columns, memory=memory
    )
    for table in (*tables, judged):
        # the report goes to others: they need the name of a file, not where it lies
        table.attrs["file"] = Path(table.attrs["file"]).name
    runs = dict(zip(names, tables, strict=True))
    _show_files(runs, None if qrels is None else judged)
    return OwnData(runs, judged, qrels is None, relevant_from)


def against_of(against: FilePath | Sequence[FilePath] | None) -> list[FilePath]:
    """The files of the other systems, however many were named.

    Example:
        >>> against_of(None), against_of("b.csv"), against_of(["b.csv", "c.csv"])
        ([], ['b.csv'], ['b.csv', 'c.csv'])
    """
    if against is None:
        return []
    return [against] if isinstance(against, str | PathLike) else list(against)


def system_names(paths: Sequence[FilePath], given: Sequence[str | None] | None = None) -> list[str]:
    """A name for the system behind each file: the file's, as short as tells them apart.

    The folders that all of them are in are no part of it.

    Args:
        paths: the files.
        given: what to call them instead; None, for all or for one, leaves it to the files.

    Raises:
        DataError: the same file twice, or names that do not tell the systems apart.

    Example:
        >>> system_names(["a/bm25.run.gz", "a/dense.txt"]), system_names(["a/run.csv", "b/run.csv"])
        (['bm25', 'dense'], ['a/run', 'b/run'])
        >>> system_names(["a/run.csv", "a/b/run.csv"], ["new", None])
        ['new', 'b/run']
    """
    whole = [_named(fspath(path)) for path in paths]
    places = [path.resolve() for path in whole]
    for path, place in zip(whole, places, strict=True):
        if places.count(place) > 1:
            raise DataError(
                f"{path} is to be compared with itself. Name the file of another system, or none."
            )
    names = _short_names(whole)
    if given is not None:
        if isinstance(given, str) or len(given) != len(names):
            raise DataError(f"names is {given!r}. {_expected(len(names))}")
        names = [ours or theirs for ours, theirs in zip(given, names, strict=True)]
    if len(set(names)) < len(names):
        raise DataError(f"names is {names!r}. {_expected(len(names))}")
    return names


def _expected(systems: int) -> str:
    wanted = {1: "one name", 2: "two different names"}.get(systems, f"{systems} different names")
    return f"Expected a list of {wanted}, or None."


def _short_names(whole: Sequence[Path]) -> list[str]:
    short = [path.with_name(_stem(path)) for path in whole]
    if len(set(short)) < len(short):  # the names differ in their endings only
        short = list(whole)
    with suppress(ValueError):  # one from the root, one from here: no folder holds both
        folder = commonpath([path.parent for path in short])
        short = [path.relative_to(folder) for path in short]
    depth = 1
    while len({path.parts[-depth:] for path in short}) < len(short):
        depth += 1
    return ["/".join(path.parts[-depth:]) for path in short]


def _named(path: str) -> Path:
    """What names a system: of a glob that begins with a star, the folder."""
    place = Path(path)
    while is_glob(path) and place.name.startswith("*") and place.parent.name:
        place = place.parent
    return place


def _stem(path: Path) -> str:
    name = path.name
    while (ending := Path(name).suffix).lower() in _ENDINGS and Path(name).stem:
        name = name.removesuffix(ending)
    return name


def _show_files(runs: dict[str, Table], qrels: Table | None) -> None:
    parts = [(f"run of {name}", table) for name, table in runs.items()]
    if qrels is not None:
        parts.append(("qrels", qrels))
    rows = [
        [what, table.attrs["file"], table.attrs["format"], f"{len(table):,}"]
        for what, table in parts
    ]
    show_table(["what", "file", "format", "rows"], rows, texts=3)


def show_preflight(data: OwnData) -> None:
    """Display what the runs and the qrels hold, and stop if that cannot be evaluated.

    Raises:
        DataError: the problems.
    """
    several = len(data.runs) > 1
    for name, checked in data.checked.items():
        head = f"<h3>{name_html(name)}</h3>" if several else ""
        text = f"{name}\n{checked!r}" if several else repr(checked)
        show_html(head + checked._repr_html_(), text)
    problems = [
        f"{data.runs[name].attrs['file']}: {problem}"
        for name, checked in data.checked.items()
        for problem in checked.problems
    ]
    if problems:
        raise DataError("\n".join(problems))
