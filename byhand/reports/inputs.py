"""The input of a report: runs, qrels, texts, groups and clusters."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import Unpack

import numpy as np
import pandas as pd

from byhand.checks.preflight import Preflight, preflight
from byhand.duplicates import Reading
from byhand.errors import DataError, both
from byhand.files.opening import File, originals
from byhand.files.paths import are_one, is_paths
from byhand.files.texts import Texts, read_groups, texts_in
from byhand.metrics.conventions import Conventions
from byhand.metrics.evaluate import Evaluation
from byhand.metrics.measure_names import measure_named, measures_named
from byhand.metrics.measures.measure import keeps_low_grades
from byhand.metrics.measures.recall import R
from byhand.metrics.presets import preset_named
from byhand.metrics.run_with_qrels import RunWithQrels
from byhand.naming import ABOVE_ZERO, check_files, columns_of
from byhand.reports.options import FilePath, refuse
from byhand.reports.system_names import system_names
from byhand.statistics.clusters import Clusters
from byhand.tables.containers import UNNAMED, is_one_run
from byhand.tables.runs_and_qrels import AnyQrels, AnyRun, several_of
from byhand.tables.scan import is_large

_TOP = 10  # cutoff for lists if the first measure has none


@dataclass(frozen=True)
class Inputs:
    """The runs by system and the qrels: all in memory, or all scanned from disk."""

    runs: dict[str, AnyRun]  # evaluated system first
    qrels: AnyQrels
    judged_run: bool  # whether the runs contain the judgements
    measures: Sequence[str]
    conventions: str | Conventions
    relevant_from: float | None  # lowest relevant grade; None for any above 0
    texts: Mapping[str, Texts]  # by kind: "query" or "doc"
    groups: Mapping[str, Sequence[str]]  # group -> queries
    clusters: Clusters | None  # of dependent queries
    sources: Mapping[str, Sequence[File]]  # by description
    given: Sequence[object] = field(repr=False)  # copies of the caller's frames

    @cached_property
    def checked(self) -> dict[str, Preflight]:
        """The checks of each run."""
        how = {"conventions": self.conventions, "relevant_from": self.relevant_from}
        how["clusters"] = self.clusters
        return {
            name: preflight(run, self.qrels, measures=self.measures, **how)
            for name, run in self.runs.items()
        }

    @cached_property
    def counted(self) -> dict[str, RunWithQrels]:
        """Each run with the qrels; raise a `DataError` with all problems and their files."""
        # by problem, because all runs repeat a problem of the qrels
        files: dict[str, list[str]] = {}
        for name, checked in self.checked.items():
            for problem in checked.problems:
                files.setdefault(problem, []).append(self.runs[name].attrs.get("file", name))
        if files:
            lines = [f"{both(of)}: {problem}" for problem, of in files.items()]
            raise DataError("\n".join(lines))
        return {name: checked.tables for name, checked in self.checked.items()}

    def evaluation(
        self, system: str, measures: Iterable[object], conventions: Conventions | None = None
    ) -> Evaluation:
        """Evaluate the run of a system, optionally under other conventions."""
        how = self.conventions if conventions is None else conventions
        return Evaluation(self.counted[system], measures, conventions=how)

    @property
    def judgements(self) -> object:
        """The checked qrels."""
        return next(iter(self.counted.values())).qrels

    @property
    def scanned(self) -> bool:
        """Whether any table stays on disk."""
        return any(each.run.lazy or each.qrels.lazy for each in self.counted.values())

    @property
    def relevant_only(self) -> bool:
        """Whether all judgements are of relevant items, so that judged shares are unknown."""
        counts = next(iter(self.checked.values())).counts
        return not self.judged_run and counts.relevant == counts.judgements

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The first system with each other one."""
        first, *others = self.runs
        return [(first, other) for other in others]

    # ---- the measures --------------------------------------------------------------------------

    def chosen(self, measure: str) -> Conventions:
        """Return the conventions of a measure."""
        return measure_named(measure).chosen_by(preset_named(self.conventions))

    @property
    def top(self) -> int:
        """The cutoff of the first measure, or the default one for lists."""
        return measure_named(self.measures[0]).k or _TOP

    @property
    def recall(self) -> str:
        """The name of the recall measure that matches the first measure."""
        first = measure_named(self.measures[0])
        return str(R(k=first.k, rel=first.rel))

    @property
    def keeps_low_grades(self) -> bool:
        """Whether grades below the lowest relevant one have a gain in the first measure."""
        return keeps_low_grades(measure_named(self.measures[0]), self.chosen(self.measures[0]))

    @property
    def lowest_relevant(self) -> float:
        """The lowest relevant grade of the first measure."""
        if self.keeps_low_grades:
            return ABOVE_ZERO
        options = (measure_named(self.measures[0]).rel, self.relevant_from)
        return max(grade or ABOVE_ZERO for grade in options)

    # ---- the queries ---------------------------------------------------------------------------

    @cached_property
    def relevant_counts(self) -> pd.Series:
        """The number of relevant items of each judged query, for the first measure."""
        judged = self.judgements.wanted(self.lowest_relevant)
        counts = np.bincount(judged.query, minlength=len(judged.query_ids))
        return pd.Series(counts, judged.query_ids)

    def missing(self, system: str) -> pd.Index:
        """Return the judged queries that a system did not answer."""
        return self.relevant_counts.index.difference(self.sizes_of(system).index, sort=False)

    def cluster_numbers(self, queries: pd.Index) -> np.ndarray | None:
        """Return the cluster number of each query; None without clusters."""
        return self.clusters.numbered(queries) if self.clusters and len(queries) else None

    def sizes_of(self, system: str) -> pd.Series:
        """Return query -> number of retrieved items."""
        return self.counted[system].run.row_counts


def inputs_of(
    runs: object,
    qrels: object,
    *,
    names: Sequence[str | None] | None,
    measures: Iterable[object],
    conventions: str | Conventions,
    relevant_from: float | None,
    queries: object = None,
    docs: object = None,
    groups: object = None,
    clusters: object,
    memory: str,
    **reading: Unpack[Reading],
) -> Inputs:
    """Read the runs and qrels from the arguments of `report`."""
    refuse(conventions=conventions, relevant_from=relevant_from, memory=memory)
    refuse(duplicates=reading["duplicates"])
    if isinstance(runs, Mapping) and not is_one_run(runs):
        names, runs = [*runs], [*runs.values()]
    runs = [*runs] if isinstance(runs, list | tuple) and not is_one_run(runs) else [runs]
    if not runs:
        raise DataError("runs is empty. Pass at least one run.")
    named = dict(zip(_names_of(runs, names), runs, strict=True))
    asked = _measures_asked(measures)
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
        refused: list[str] = []
        held, judged = dict(zip(named, runs, strict=True)), runs[0] if qrels is None else qrels
        tables, judgements = several_of(held, judged, refused=refused, **reading)
        if refused:
            raise DataError("\n".join(refused))
        if qrels is None and UNNAMED in judgements.attrs:
            # the numbers of dicts and lists are scores
            raise DataError("The run has no relevance grades. Pass the judgements as qrels.")
    texts = {
        of: Texts() if path is None else texts_in(path, of)
        for of, path in (("query", queries), ("doc", docs))
    }
    _hash(sources, [*tables.values(), judgements])
    return Inputs(
        runs=tables,
        qrels=judgements,
        judged_run=judged_run,
        measures=asked,
        conventions=conventions,
        relevant_from=relevant_from,
        texts=texts,
        groups={} if groups is None else read_groups(groups),
        clusters=Clusters.read(clusters),
        sources=sources,
        given=given,
    )


def _names_of(runs: Sequence[object], given: Sequence[object] | None) -> list[str]:
    """Return the given names of the systems, or names from their files; all must differ."""
    of_files = iter(system_names([run for run in runs if _is_path(run)]))
    held = "run {}" if len(runs) > 1 else "run"
    names = [
        next(of_files) if _is_path(run) else held.format(place) for place, run in enumerate(runs, 1)
    ]
    if given is not None:
        if isinstance(given, str) or len(given) != len(names):
            n = "one name" if len(names) == 1 else f"{len(names)} different names"
            raise DataError(f"names is {given!r}. Expected a list of {n}, or None.")
        own = ["" if each is None else str(each) for each in given]
        names = [name if name.strip() else file for name, file in zip(own, names, strict=True)]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise DataError(f"names: two systems are called {twice!r}. Pass a different name for each.")
    return names


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


def _as_they_are(tables: Sequence[object]) -> list[object]:
    """Copy frames, so that later changes by the caller have no effect; keep their identities."""
    # pandas 3 copies on write
    deep = int(pd.__version__.partition(".")[0]) < 3
    frames = (each for each in tables if isinstance(each, pd.DataFrame | pd.Series))
    kept = {id(frame): frame.copy(deep=deep) for frame in frames}
    return [kept.get(id(each), each) for each in tables]


def _hash(sources: Mapping[str, Sequence[File]], tables: Sequence[object]) -> None:
    """Hash the files now, before they can change; scans detect later changes themselves."""
    where_they_lie = any(hasattr(getattr(table, "stream", None), "files") for table in tables)
    for what, files in sources.items():
        if not (what.startswith("texts of ") or where_they_lie):
            for file in files:
                _ = file.sha256


def _read(
    runs: Mapping[str, FilePath], qrels: FilePath | None, memory: str, reading: Reading
) -> tuple[dict[str, AnyRun], AnyQrels]:
    """Read the runs and the qrels from files; scan all of them if one may exceed `memory`."""
    paths = {fspath(path): path for path in runs.values()}

    @contextmanager
    def about(path: str | None) -> Iterator[None]:
        """Name the invalid file of several, and add the columns of the others to its advice."""
        try:
            yield
        except DataError as error:
            if path is not None and len(runs) > 1:
                named = {each: columns_of(reading["run_columns"], each) for each in paths}
                kept = {file: each for file, each in named.items() if each}
                error.file = path
                error.ways = tuple({**kept, path: way} for way in error.ways)
            raise

    check_files(reading["run_columns"], [*paths])
    large = any(is_large(path, memory) for path in (*paths, qrels) if path is not None)
    judged = next(iter(paths)) if qrels is None else qrels
    options = {**reading, "memory": memory if large else None}
    checked, found = several_of(paths, judged, about=about, **options)
    for table in (*checked.values(), found):
        attrs = table.stream.attrs if table.lazy else table.attrs
        if file := attrs.get("file"):  # readers of the report need the name, not the folder
            attrs["file"] = Path(file).name
    return {name: checked[fspath(path)] for name, path in runs.items()}, found
