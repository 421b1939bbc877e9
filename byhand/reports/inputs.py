"""What a report is made of: runs, what is relevant, and what goes with them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import Unpack

import pandas as pd

from byhand.checks.preflight import Preflight, preflight
from byhand.errors import DataError, both
from byhand.files.opening import File, originals
from byhand.files.paths import are_one, is_paths
from byhand.files.scan import Table, read_together
from byhand.files.texts import Texts, Wording, read_groups, texts_beside, texts_in
from byhand.metrics.conventions import Conventions
from byhand.metrics.evaluate import Evaluation
from byhand.metrics.measure_names import measures_named
from byhand.metrics.presets import preset_named
from byhand.metrics.run_with_qrels import RunWithQrels
from byhand.naming import JUDGED_RUN, RUN, columns_of
from byhand.reports.options import FilePath
from byhand.reports.system_names import system_names, told_apart
from byhand.statistics.clusters import Clusters
from byhand.tables.held import is_one_run
from byhand.tables.judged_runs import judged_together
from byhand.tables.runs_and_qrels import Reading, several_of


@dataclass(frozen=True)
class Inputs:
    """Runs by their system, and what is relevant: all of them frames, or all of them scans."""

    runs: dict[str, Table]  # the one in question first
    qrels: Table
    judged_run: bool  # whether the runs hold the judgements themselves
    measures: Sequence[str]
    conventions: str | Conventions
    relevant_from: float | None  # the lowest grade that is relevant; None for any above 0
    texts: Mapping[str, Sequence[Texts]]  # those of queries ("query") and of items ("doc")
    groups: Mapping[str, Sequence[str]]  # group -> its queries
    clusters: Clusters | None  # which queries hang together
    sources: Mapping[str, Sequence[File]]  # what it was read from, by what that is
    given: Sequence[object] = field(repr=False)  # frames as they were: none writes into these

    @cached_property
    def checked(self) -> dict[str, Preflight]:
        """What there is to know of each run before any mean."""
        qrels, found = self.qrels, {}
        how = {"conventions": self.conventions, "relevant_from": self.relevant_from}
        how["clusters"] = self.clusters
        for name, run in self.runs.items():
            found[name] = preflight(run, qrels, measures=self.measures, **how)
            if found[name].tables is not None:  # what one system has had checked, others take
                qrels = found[name].tables.qrels
        return found

    def check(self) -> None:
        """Stop here if there is a problem; the `DataError` says all of them, each with its file."""
        files: dict[str, list[str]] = {}  # of each problem: one of the qrels is one of all runs
        for name, checked in self.checked.items():
            for problem in checked.problems:
                files.setdefault(problem, []).append(attrs_of(self.runs[name]).get("file", name))
        if files:
            lines = [f"{both(of)}: {problem}" for problem, of in files.items()]
            raise DataError("\n".join(lines))

    @cached_property
    def counted(self) -> dict[str, RunWithQrels]:
        """Each run with the judgements, checked once and ready to be counted in any way."""
        self.check()
        return {name: checked.tables for name, checked in self.checked.items()}

    def evaluation(
        self, system: str, measures: Iterable[object], conventions: Conventions | None = None
    ) -> Evaluation:
        """The run of a system by some measures, if need be under other conventions."""
        how = self.conventions if conventions is None else conventions
        return Evaluation(self.counted[system], measures, conventions=how)

    @property
    def judgements(self) -> object:
        """The qrels, checked."""
        return next(iter(self.counted.values())).qrels

    @property
    def scanned(self) -> bool:
        """Whether any table is not held in memory."""
        return any(each.run.lazy or each.qrels.lazy for each in self.counted.values())

    @property
    def relevant_only(self) -> bool:
        """Whether every judgement is of a relevant item: then nobody knows what was looked at."""
        counts = next(iter(self.checked.values())).counts
        return not self.judged_run and counts.relevant == counts.judgements

    @property
    def files(self) -> list[tuple[str, str, Table]]:
        """What there is of tables, with the name of its system: its kind, the name, the table."""
        runs = [("run", name, run) for name, run in self.runs.items()]
        return runs if self.judged_run else [*runs, ("qrels", "", self.qrels)]

    @property
    def n_rows(self) -> int:
        """How many rows the runs have in all."""
        return sum(len(run) for run in self.runs.values())

    @property
    def group_file(self) -> str:
        """The name of the file of groups."""
        files = self.sources.get("groups of queries", ())
        return ", ".join(file.path.name for file in files) or "–"

    def sizes_of(self, system: str) -> pd.Series:
        """Query -> how many items the system retrieved for it."""
        return self.counted[system].run.row_counts

    def rows_of(self, queries: Sequence[str], system: str | None = None) -> pd.DataFrame:
        """The rows of a few queries: of the run of a system, or of the qrels."""
        table = self.judgements if system is None else self.counted[system].run
        return table.rows_of(queries)

    @cached_property
    def asked(self) -> dict[str, Wording]:
        """What the judged queries say, as far as any file says it."""
        return self.texts_of("query", [*self.judgements.row_counts.index])

    def texts_of(self, kind: str, ids: Sequence[str]) -> dict[str, Wording]:
        """What some queries ("query") or items ("doc") say, as far as any file says it."""
        said: dict[str, Wording] = {}
        for texts in self.texts.get(kind, ()):
            if left := [id_ for id_ in ids if id_ not in said]:
                said |= texts.of(left)
        return {id_: said[id_] for id_ in ids if id_ in said}


def attrs_of(table: object) -> Mapping[str, object]:
    """What is known of a table beside its rows; nothing of one that lives in an engine."""
    return getattr(table, "attrs", {})


def inputs_of(
    runs: object,
    qrels: object,
    *,
    names: Sequence[str | None] | None,
    measures: Iterable[object],
    conventions: str | Conventions,
    relevant_from: float | None,
    queries: object,
    docs: object,
    groups: object,
    clusters: object,
    memory: str,
    **reading: Unpack[Reading],
) -> Inputs:
    """Files, read together; or what is held, and files beside it. The arguments are `report`'s."""
    if isinstance(runs, Mapping) and not is_one_run(runs):
        names, runs = [*runs], [*runs.values()]
    runs = [*runs] if isinstance(runs, list | tuple) and not is_one_run(runs) else [runs]
    if not runs:
        raise DataError("runs is empty. Pass at least one run.")
    named = dict(zip(_names_of(runs, names), runs, strict=True))
    asked = _measures_asked(measures)
    preset_named(conventions)
    sources = {f"run of {name}": run for name, run in named.items()} | {"qrels": qrels}
    sources |= {"texts of queries": queries, "texts of items": docs}
    sources |= {"groups of queries": groups, "clusters of queries": clusters}
    sources = {what: originals(path) for what, path in sources.items() if is_paths(path)}
    judged_run = qrels is None or any(are_one(run, qrels) for run in runs)
    of_files = all(map(_is_path, runs)) and (qrels is None or _is_path(qrels))
    given: Sequence[object] = ()
    if of_files:
        tables, judgements = _read(named, qrels, memory, reading)
    else:
        *runs, qrels = given = _as_they_are([*runs, qrels])
        tables, judgements = _held(dict(zip(named, runs, strict=True)), qrels, reading)
    grouped = read_groups(groups) if groups is not None else {}
    together = Clusters.read(clusters)
    texts = {
        of: [] if path is None else [texts_in(path, of)]
        for of, path in (("query", queries), ("doc", docs))
    }
    if of_files:
        for name, path in named.items():
            for of, found in texts.items():
                found += _texts_beside(path, tables[name], judged_run, len(runs), reading, of)
    _hash(sources, [*tables.values(), judgements])
    return Inputs(
        runs=tables,
        qrels=judgements,
        judged_run=judged_run,
        measures=asked,
        conventions=conventions,
        relevant_from=relevant_from,
        texts=texts,
        groups=grouped,
        clusters=together,
        sources=sources,
        given=given,
    )


def _names_of(runs: Sequence[object], given: Sequence[object] | None) -> list[str]:
    """What the systems of these runs are called: as somebody says, or as their files are."""
    of_files = iter(system_names([run for run in runs if _is_path(run)]))
    held = "run {}" if len(runs) > 1 else "run"
    unnamed = [
        next(of_files) if _is_path(run) else held.format(place) for place, run in enumerate(runs, 1)
    ]
    return told_apart(unnamed, given)


def _is_path(held: object) -> bool:
    return isinstance(held, str | PathLike)


def _measures_asked(measures: Iterable[object]) -> list[str]:
    try:
        asked = list(measures_named(measures))
    except ValueError as error:
        raise DataError(str(error)) from None
    if not asked:
        raise DataError("measures is empty. Pass at least one, such as ['nDCG@10', 'AP', 'RR'].")
    return asked


def _held(
    runs: Mapping[str, object], qrels: object, reading: Reading
) -> tuple[dict[str, Table], Table]:
    """The runs and the qrels of what is held, all that is wrong with them in one error."""
    refused: list[str] = []
    judged = next(iter(runs.values())) if qrels is None else qrels
    found = several_of(runs, judged, refused=refused, **reading)
    if refused:
        raise DataError("\n".join(refused))
    return found


def _as_they_are(tables: Sequence[object]) -> list[object]:
    """Frames with what they hold now, whatever their owner writes into them; one stays one."""
    # from pandas 3 on, who writes into a frame copies it while somebody else holds it
    deep = int(pd.__version__.partition(".")[0]) < 3
    frames = (each for each in tables if isinstance(each, pd.DataFrame | pd.Series))
    kept = {id(frame): frame.copy(deep=deep) for frame in frames}
    return [kept.get(id(each), each) for each in tables]


def _hash(sources: Mapping[str, Sequence[File]], tables: Sequence[Table]) -> None:
    """Hash what was read just now, and not what takes its place until the report is saved.

    What is read where it lies, whenever it is asked for, is refused then if it changed.
    """
    where_they_lie = any(getattr(table, "files", ()) for table in tables)
    for what, files in sources.items():
        if not (what.startswith("texts of ") or where_they_lie):
            for file in files:
                _ = file.sha256


def _read(
    runs: Mapping[str, FilePath], qrels: FilePath | None, memory: str, reading: Reading
) -> tuple[dict[str, Table], Table]:
    """The runs and the qrels of files."""
    paths = [*runs.values()]
    try:
        tables, judged = read_together(paths, qrels, memory=memory, **reading)
    except DataError as error:
        if error.file:  # what is suggested is for one file, and keeps those of the others
            named = {fspath(path): columns_of(reading["run_columns"], path) for path in paths}
            kept = {file: each for file, each in named.items() if each}
            error.ways = tuple({**kept, error.file: way} for way in error.ways)
        raise
    for table in (*tables, *([] if judged is None else [judged])):
        # the report goes to others: they need the name of a file, not where it lies
        table.attrs["file"] = Path(table.attrs["file"]).name
    if judged is None:
        judged = judged_together(dict(zip(map(fspath, paths), tables, strict=True)))
    return dict(zip(runs, tables, strict=True)), judged


def _texts_beside(
    path: FilePath, table: Table, judged_run: bool, n_runs: int, reading: Reading, of: str
) -> list[Texts]:
    """What the file of a run says in columns of its own; a pipe cannot be read again."""
    if not table.attrs["other columns"] or Path(path).is_fifo():
        return []
    kind = JUDGED_RUN if judged_run and (n_runs == 1 or "relevance" in table) else RUN
    return [texts_beside(path, kind, columns_of(reading["run_columns"], path), of)]
