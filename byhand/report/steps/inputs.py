"""The files that a user names, read and looked at."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path

import pandas as pd

from byhand.checks.preflight import Preflight, preflight
from byhand.columns import JUDGED_RUN, RUN
from byhand.errors import DataError
from byhand.figures import name_html
from byhand.files.header import columns_of
from byhand.files.scan import Table, read_together
from byhand.files.texts import Text, Texts, read_groups, texts_beside, texts_in
from byhand.files.unread import Scan
from byhand.metrics.measures.measure import Measure
from byhand.metrics.names import measures_named
from byhand.parallel import MEMORY
from byhand.report.steps.display import show_html, show_table
from byhand.report.steps.told import told
from byhand.reports.request import FilePath, system_names
from byhand.tables.frames import qrels_of, run_of


def against_of(against: FilePath | Sequence[FilePath] | None) -> list[FilePath]:
    """The files of the other systems, however many were named.

    Example:
        >>> against_of(None), against_of("b.csv"), against_of(["b.csv", "c.csv"])
        ([], ['b.csv'], ['b.csv', 'c.csv'])
    """
    if against is None:
        return []
    return [against] if isinstance(against, str | PathLike) else list(against)


@dataclass(frozen=True)
class OwnData:
    """Runs, and what is relevant: all of them frames, or all of them scans.

    Attributes:
        runs: the runs by the name of their system, the one in question first.
        qrels: the judgements.
        judged_run: whether the judgements come from the file of the first run.
        measures: which are asked for.
        relevant_from: the lowest grade that is relevant; None for any above 0.
        words: where the texts of queries and of items are.
        groups: group -> its queries.
        paths: where the files lie, by what they are.
        known: the rows of queries that were asked for before, by system.
        said: the texts that were, by kind; None for one that no file has.
    """

    runs: dict[str, Table]
    qrels: Table
    judged_run: bool
    measures: Sequence[str] = ()
    relevant_from: float | None = None
    words: Mapping[str, Sequence[Texts]] = field(default_factory=dict)
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    paths: Mapping[str, FilePath] = field(default_factory=dict, repr=False)
    known: dict[str | None, dict[str, pd.DataFrame]] = field(default_factory=dict, repr=False)
    said: dict[str, dict[str, Text | None]] = field(default_factory=dict, repr=False)

    @property
    def systems(self) -> list[str]:
        """The names of the systems."""
        return list(self.runs)

    @cached_property
    def checked(self) -> dict[str, Preflight]:
        """What there is to know of each run before any mean."""
        return {
            name: preflight(
                run, self.qrels, measures=self.measures, relevant_from=self.relevant_from
            )
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
            return run_of(run).row_counts
        sizes = run["query_id"].value_counts(sort=False)
        return sizes.set_axis(sizes.index.astype(str))

    def rows_of(self, queries: Sequence[str], system: str | None = None) -> pd.DataFrame:
        """The rows of a few queries: of the run of a system, or of the qrels."""
        known = self.known.setdefault(system, {})
        new = [query for query in queries if query not in known]
        if new:  # all of the table is looked through once, not for each query
            found = self._read_rows(new, system)
            known |= {query: found[found["query_id"] == query] for query in new}
        return pd.concat([known[query] for query in queries]) if queries else self._read_rows([])

    def _read_rows(self, queries: Sequence[str], system: str | None = None) -> pd.DataFrame:
        table = self.qrels if system is None else self.runs[system]
        if isinstance(table, Scan):
            return (qrels_of if system is None else run_of)(table).rows_of(queries)
        return table[table["query_id"].isin(queries)]

    def texts_of(self, kind: str, ids: Sequence[str]) -> dict[str, Text]:
        """What some queries or items say, as far as any file says it.

        Args:
            kind: `"query"` or `"doc"`.
            ids: which.
        """
        said = self.said.setdefault(kind, {})
        new = [id_ for id_ in ids if id_ not in said]
        said |= dict.fromkeys(new)
        for texts in self.words.get(kind, ()) if new else ():
            said |= texts.of([id_ for id_ in new if said[id_] is None])
        return {id_: said[id_] for id_ in ids if said[id_] is not None}


@told
def read_own_data(
    run: FilePath,
    qrels: FilePath | None = None,
    against: FilePath | Sequence[FilePath] | None = None,
    *,
    names: Sequence[str] | None = None,
    measures: Iterable[object] = ("nDCG@10", "AP", "RR"),
    relevant_from: float | None = None,
    run_columns: Mapping[object, object] | None = None,
    qrels_columns: Mapping[object, str] | None = None,
    queries: FilePath | None = None,
    docs: FilePath | None = None,
    groups: FilePath | None = None,
    memory: str = MEMORY,
) -> OwnData:
    """Read the files of a report, and display what was read.

    Where memory would not hold the files of one of them, all are scanned: nothing is read whole.

    Args:
        run: what the system ranked: a file, a folder or a glob, as each of the next two.
        qrels: what is relevant; None if the file of the run says so itself.
        against: what another system ranked, or a list of several; None if there is none.
        names: what to call the systems; None, for all or for one, as their files are called.
        measures: names in ir_measures' notation.
        relevant_from: the lowest grade that is relevant; None for any above 0.
        run_columns: the runs' names for our columns, for all or for each, as `read_together` has
            them.
        qrels_columns: the same for the qrels.
        queries: what the queries say; None looks for it in the tables above.
        docs: what the items say; None looks for it in the tables above.
        groups: which groups the queries are in; None if there are none.
        memory: how much memory there is.

    Raises:
        DataError: a file that cannot be used, and why; an unknown measure, or none.
    """
    asked = list(measures_asked(measures))
    paths = [run, *against_of(against)]
    names = system_names(paths, names)
    columns = {"run_columns": run_columns, "qrels_columns": qrels_columns}
    try:
        tables, judged = read_together(paths, qrels, **columns, memory=memory)
    except DataError as error:
        if error.file:  # what is suggested is for one file, and keeps those of the others
            named = {fspath(path): columns_of(run_columns, path) for path in paths}
            kept = {file: each for file, each in named.items() if each}
            error.ways = tuple({**kept, error.file: way} for way in error.ways)
        raise
    for table in (*tables, judged):
        # the report goes to others: they need the name of a file, not where it lies
        table.attrs["file"] = Path(table.attrs["file"]).name
    runs = dict(zip(names, tables, strict=True))
    words = {
        "query": [texts_in(queries, "query")] if queries is not None else [],
        "doc": [texts_in(docs, "doc")] if docs is not None else [],
    }
    for path, table in zip(paths, tables, strict=True):
        kind = JUDGED_RUN if qrels is None and table is tables[0] else RUN
        for of in (
            ("query", "doc") if table.attrs["other columns"] and not Path(path).is_fifo() else ()
        ):
            words[of].append(texts_beside(path, kind, columns_of(run_columns, path), of))
    grouped = read_groups(groups) if groups is not None else {}
    further = [["groups of queries", Path(groups or "").name, "–", f"{len(grouped):,} groups"]]
    _show_files(runs, None if qrels is None else judged, words, further * bool(grouped))
    named = {f"run of {name}": path for name, path in zip(names, paths, strict=True)}
    further = {"qrels": qrels, "texts of queries": queries, "texts of items": docs}
    further |= {"groups of queries": groups}
    named |= {what: path for what, path in further.items() if path is not None}
    return OwnData(runs, judged, qrels is None, asked, relevant_from, words, grouped, named)


def measures_asked(measures: Iterable[object]) -> dict[str, Measure]:
    """The measures by their names; a `DataError` for one that is unknown, or none at all."""
    try:
        named = measures_named(measures)
    except ValueError as error:
        raise DataError(str(error)) from None
    if not named:
        raise DataError("measures is empty: name at least one, such as ['nDCG@10', 'AP', 'RR'].")
    return named


def _show_files(
    runs: dict[str, Table],
    qrels: Table | None,
    words: Mapping[str, Sequence[Texts]],
    more_rows: list[list[str]],
) -> None:
    parts = [(f"run of {name}", table) for name, table in runs.items()]
    if qrels is not None:
        parts.append(("qrels", qrels))
    rows = [
        [what, table.attrs["file"], table.attrs["format"], f"{len(table):,}"]
        for what, table in parts
    ]
    of = {"query": "texts of queries", "doc": "texts of items"}
    for kind, texts in words.items():
        tables = [table for each in texts for table in each.tables]
        if tables:
            more = f" and {len(tables) - 1:,} more" * (len(tables) > 1)
            rows.append([of[kind], f"{tables[0].file.path.name}{more}", tables[0].layout.kind, "–"])
    show_table(["what", "file", "format", "rows"], rows + more_rows, texts=3)


@told
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
