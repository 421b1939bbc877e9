"""The files that a user names, read and looked at."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from os import PathLike, fspath
from os.path import commonpath
from pathlib import Path

import pandas as pd

from helpers.errors import DataError
from helpers.figures.tables import name_html
from helpers.files.folders import is_glob
from helpers.files.memory import MEMORY
from helpers.files.read import read_judged_run, read_qrels, read_run
from helpers.files.scan import Scan, is_large, scan_judged_run, scan_qrels, scan_run
from helpers.metrics.preflight import Preflight, preflight
from helpers.report.steps.display import show_html, show_table
from helpers.tables.lazy import LazyQrels, LazyRun
from helpers.tables.lazy_look import rows_of

_ENDINGS = {".gz", ".txt", ".trec", ".run", ".csv", ".tsv", ".json", ".jsonl", ".parquet"}
FilePath = str | PathLike[str]
Table = pd.DataFrame | Scan


@dataclass(frozen=True)
class OwnData:
    """One or two runs, and what is relevant: all of them frames, or all of them scans.

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
    against: FilePath | None = None,
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
        against: what a second system ranked; None if there is none.
        names: what to call the systems; None calls them as their files are called.
        relevant_from: the lowest grade that is relevant; None for any above 0.
        run_columns: the runs' names for our columns, such as `{"Edge": "doc_id"}`.
        qrels_columns: the same for the qrels.
        memory: how much memory there is.

    Raises:
        DataError: a file that cannot be used, and why.
    """
    paths = [path for path in (run, against) if path is not None]
    names = _checked(names, len(paths)) if names is not None else system_names(paths)
    of_run, of_qrels, of_judged = read_run, read_qrels, read_judged_run
    if any(is_large(path, memory) for path in (*paths, qrels) if path is not None):
        scans = scan_run, scan_qrels, scan_judged_run
        of_run, of_qrels, of_judged = (partial(scan, memory=memory) for scan in scans)
    first = of_run if qrels is not None else of_judged
    tables = {"run": first(run, columns=run_columns)}
    if against is not None:
        tables["against"] = of_run(against, columns=run_columns)
    if qrels is not None:
        tables["qrels"] = of_qrels(qrels, columns=qrels_columns)
    for table in tables.values():
        # the report goes to others: they need the name of a file, not where it lies
        table.attrs["file"] = Path(table.attrs["file"]).name
    ranked = [tables[key] for key in ("run", "against") if key in tables]
    runs = dict(zip(names, ranked, strict=True))
    _show_files(runs, tables.get("qrels"))
    return OwnData(runs, tables.get("qrels", tables["run"]), qrels is None, relevant_from)


def _checked(names: Sequence[str], systems: int) -> Sequence[str]:
    if isinstance(names, str) or not len(names) == len(set(names)) == systems:
        wanted = "one name" if systems == 1 else "two different names"
        raise DataError(f"names is {names!r}. Expected a list of {wanted}, or None.")
    return names


def system_names(paths: Sequence[FilePath]) -> list[str]:
    """A name for the system behind each file: the file's, as short as tells them apart.

    The folders that all of them are in are no part of it.

    Raises:
        DataError: the same file twice.

    Example:
        >>> system_names(["a/bm25.run.gz", "a/dense.txt"]), system_names(["a/run.csv", "b/run.csv"])
        (['bm25', 'dense'], ['a/run', 'b/run'])
        >>> system_names(["a/run.csv", "a/b/run.csv"])
        ['run', 'b/run']
    """
    whole = [_named(fspath(path)) for path in paths]
    if len(whole) > 1 and whole[0].resolve() == whole[1].resolve():
        raise DataError(
            f"{whole[0]} is to be compared with itself. Name the file of another system, or none."
        )
    short = [path.with_name(_stem(path)) for path in whole]
    if len(set(short)) < len(short):  # the names differ in their endings only
        short = whole
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
