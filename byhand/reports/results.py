"""The numbers of a report, each computed once, without words."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np
import pandas as pd

from byhand.errors import DataError
from byhand.metrics.conventions import Conventions
from byhand.metrics.evaluate import MissingQueriesWarning
from byhand.metrics.measure_names import measure_named
from byhand.metrics.measures.judged import Judged
from byhand.metrics.measures.measure import keeps_low_grades
from byhand.metrics.measures.recall import R
from byhand.metrics.presets import preset_named
from byhand.metrics.ranges import unjudged_range
from byhand.reports.groups import Groups, groups_of
from byhand.reports.inputs import Inputs
from byhand.reports.number_text import VISIBLE
from byhand.statistics import (
    Resampling,
    Verdict,
    compare_values,
    family_sizes,
    interval_caution,
    mean_interval,
    overlap,
)
from byhand.statistics.clusters import independent_values
from byhand.tables.qrels import ABOVE_ZERO
from byhand.words import language

HIGHER = (Verdict.A_HIGHER, Verdict.B_HIGHER)
_TURNED = {Verdict.A_HIGHER: Verdict.B_HIGHER.value, Verdict.B_HIGHER: Verdict.A_HIGHER.value}
_CORRECT = "primary"  # the first measure needs no correction for the others
_TOP = 10  # cutoff for lists if the first measure has none
_CUTOFFS = [m * 10**power for power in range(7) for m in (1, 2, 3, 5)]
_ORDERS = ("expected", "best", "worst")
_FEWEST = 10_000  # least number of random sign flips
_ROUNDING = 1e-12  # rounding error of equal means
_MOST_ROWS = 1_000_000  # most rows for bounds of unjudged items, which are slow

Row = dict[str, object]


def side_of(verdict: str) -> str:
    """Return which system is higher, or `INCONCLUSIVE` for any other verdict."""
    return verdict if verdict in HIGHER else Verdict.INCONCLUSIVE


def turned(row: Mapping[str, object]) -> Row:
    """Return a row of a comparison as b minus a."""
    reversed_row = {"difference": -row["difference"], "low": -row["high"], "high": -row["low"]}
    reversed_row |= {"at_least": -row["at_most"], "at_most": -row["at_least"]}
    reversed_row |= {"wins": row["losses"], "losses": row["wins"], "a": row["b"], "b": row["a"]}
    return {**row, **reversed_row, "verdict": _TURNED.get(row["verdict"], row["verdict"])}


@dataclass(frozen=True)
class Alternative:
    """The values and comparisons under other conventions."""

    tables: dict[str, pd.DataFrame]
    comparison: pd.DataFrame | None

    @property
    def rows(self) -> list[Row]:
        """The rows of the comparison; empty for a single system."""
        return [] if self.comparison is None else self.comparison.to_dict("records")


class Results:
    """The values of each system by query, and alternative outcomes; arguments as in `report`."""

    def __init__(
        self,
        data: Inputs,
        *,
        matters: float | None = None,
        reported: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        data.check()
        self.inputs, self.matters, self.reported = data, matters, reported
        self.measures, self.preset = list(data.measures), preset_named(data.conventions)
        self.tables = {
            name: data.evaluation(name, self._evaluated).table("chance", "ties", lenient=True)
            for name in data.runs
        }
        self.systems = list(self.tables)
        self.pairs = [(self.systems[0], other) for other in self.systems[1:]]
        # number of comparisons to correct p for: of the first measure, of the others
        self.family, self.other_family = family_sizes(len(self.measures), len(self.pairs), _CORRECT)
        self._answers: dict[str, pd.DataFrame] = {}
        # raises errors before any output
        _ = self.comparison, self.groups
        try:
            _ = self.explained
        except ValueError as error:
            raise DataError(str(error)) from None

    # ---- the measures --------------------------------------------------------------------------

    @property
    def _evaluated(self) -> list[str]:
        """The requested measures, and recall and judged shares."""
        extra = [self.recall]
        # in a scanned run with relevance, every row is a judgement
        if not (self.inputs.scanned and self.inputs.judged_run):
            cutoffs = {measure_named(name).k for name in self.measures[1:]} - {None} | {self.top}
            extra += [str(Judged(k=k)) for k in sorted(cutoffs)]
        return [*dict.fromkeys([*self.measures, *extra])]

    @property
    def recall(self) -> str:
        """The name of the recall measure that matches the first measure."""
        first = measure_named(self.measures[0])
        return str(R(k=first.k, rel=first.rel))

    @property
    def top(self) -> int:
        """The cutoff of the first measure, or the default one."""
        return self.cutoff_of(self.measures[0])

    def cutoff_of(self, measure: str) -> int:
        """Return the cutoff of a measure, or `top`."""
        return measure_named(measure).k or measure_named(self.measures[0]).k or _TOP

    @property
    def first_uncut(self) -> str:
        """The first measure without its cutoff."""
        uncut, _, k = self.measures[0].rpartition("@")
        return uncut or k

    def chosen(self, measure: str) -> Conventions:
        """Return the conventions of a measure."""
        return measure_named(measure).chosen_by(self.preset)

    @property
    def keeps_low_grades(self) -> bool:
        """Whether grades below the lowest relevant one have a gain in the first measure."""
        return keeps_low_grades(measure_named(self.measures[0]), self.chosen(self.measures[0]))

    @property
    def lowest_relevant(self) -> float:
        """The lowest relevant grade of the first measure."""
        if self.keeps_low_grades:
            return ABOVE_ZERO
        options = (measure_named(self.measures[0]).rel, self.inputs.relevant_from)
        return max(grade or ABOVE_ZERO for grade in options)

    # ---- the queries ---------------------------------------------------------------------------

    @property
    def first_table(self) -> pd.DataFrame:
        """The values of the first system."""
        return self.tables[self.systems[0]]

    @cached_property
    def missing(self) -> dict[str, pd.Index]:
        """The judged queries without an answer, by system."""
        return {
            name: table.index.difference(self.inputs.sizes_of(name).index, sort=False)
            for name, table in self.tables.items()
        }

    @cached_property
    def lacking(self) -> list[tuple[list[str], int]]:
        """Systems with the same number of missing queries, and this number."""
        of: dict[int, list[str]] = {}
        for name, gone in self.missing.items():
            if len(gone):
                of.setdefault(len(gone), []).append(name)
        return [(names, count) for count, names in of.items()]

    @cached_property
    def relevant_counts(self) -> pd.Series:
        """The number of relevant items of each judged query."""
        judged = self.inputs.judgements.wanted(self.lowest_relevant)
        counts = np.bincount(judged.query, minlength=len(judged.query_ids))
        return pd.Series(counts, judged.query_ids).reindex(self.first_table.index, fill_value=0)

    def independent(self, values: pd.Series) -> np.ndarray:
        """Return the value of each query, or of each cluster of dependent queries."""
        return independent_values(values.to_numpy(), self.cluster_numbers(values.index))

    def cluster_numbers(self, queries: pd.Index) -> np.ndarray | None:
        """Return the cluster number of each query; None without clusters."""
        clusters = self.inputs.clusters
        return clusters.numbered(queries) if clusters is not None and len(queries) else None

    # ---- means ---------------------------------------------------------------------------------

    @cached_property
    def means(self) -> pd.DataFrame:
        """The mean, its interval and its chance level by measure and system."""
        rows = [self._mean_of(measure, name) for measure in self.measures for name in self.systems]
        cautions = pd.Series(
            [row["caution"] for row in rows], dtype=object
        )  # keeps their type for translation
        return pd.DataFrame(rows).assign(caution=cautions)

    def _mean_of(self, measure: str, system: str) -> Row:
        table = self.tables[system]
        known, mean = table[measure].dropna(), table[measure].mean()
        drawn, number = self.independent(known), self.cluster_numbers(known.index)
        low, high = mean_interval(drawn)
        level = table[f"{measure} chance"].mean()
        return {
            "measure": measure,
            "system": system,
            "mean": mean,
            "low": low,
            "high": high,
            "median": known.median(),
            "chance": level,
            "lift": mean / level if level > 0 else np.nan,
            "queries": len(known),
            "caution": interval_caution(drawn, lowest=0, number=number) or "",
            "judged": self.judged(system, measure_named(measure).k),
        }

    @cached_property
    def best(self) -> pd.Series:
        """The highest mean of each measure, less a rounding error."""
        return self.means.groupby("measure")["mean"].max() - _ROUNDING

    @cached_property
    def cutoffs(self) -> dict[str, pd.DataFrame]:
        """The first measure at round and requested cutoffs, by system."""
        longest = max(int(self.inputs.sizes_of(name).max()) for name in self.inputs.runs)
        asked = {measure_named(name).k for name in self.measures} - {None}
        names = [f"{self.first_uncut}@{k}" for k in sorted({*_CUTOFFS, *asked}) if k <= longest]
        return {name: self.inputs.evaluation(name, names).table() for name in self.tables}

    def interval_over(self, queries: pd.Index) -> tuple[float, float]:
        """Return the interval of the first system's mean over some queries."""
        return mean_interval(self.independent(self.first_table[self.measures[0]][queries]))

    # ---- comparisons ---------------------------------------------------------------------------

    @cached_property
    def comparison(self) -> pd.DataFrame | None:
        """The table of `compare_values`; None for a single system."""
        return self._compared(self.tables, signs=10**9)

    @cached_property
    def rows(self) -> list[Row]:
        """The comparison as rows; empty for a single system."""
        return Alternative(self.tables, self.comparison).rows

    def row_of(self, measure: str, system: str) -> Row | None:
        """Return the row for the first figure: a system compared with the base."""
        several = len(self.pairs) > 1
        for row in self.rows:
            if row["measure"] == measure and system == row["b" if several else "a"]:
                return turned(row) if several else row
        return None

    def differences(self, measure: str, a: str, b: str) -> pd.Series:
        """Return a minus b for each query with both values."""
        theirs = self.tables[b][measure]
        return (self.tables[a][measure] - theirs.reindex(self.tables[a].index)).dropna()

    def _compared(
        self, tables: Mapping[str, pd.DataFrame], *, signs: int = 10**8
    ) -> pd.DataFrame | None:
        """Compare tables of values, with fewer sign flips for many queries."""
        values = {name: table[self.measures] for name, table in tables.items()}
        answered = pd.concat(values, axis=1).dropna(how="all")
        if len(values) < 2 or answered.empty:
            return None
        drawn = min(Resampling.permutations, max(_FEWEST, signs // len(answered)))
        return compare_values(
            values,
            missing={name: len(gone) for name, gone in self.missing.items()},
            pairs=self.pairs,
            correct=_CORRECT,
            matters=self.matters,
            permutations=drawn,
            clusters=self.inputs.clusters,
        ).assign(permutations=drawn)

    @cached_property
    def overlaps(self) -> dict[tuple[str, str], pd.Series]:
        """The overlap of the first items by pair and query; empty for scans."""
        runs = self.inputs.runs
        if self.inputs.scanned:
            return {}
        return {(a, b): overlap(runs[a], runs[b], self.top) for a, b in self.pairs}

    @cached_property
    def groups(self) -> Groups | None:
        """The groups with a value, and the comparisons in each."""
        if not self.inputs.groups:
            return None
        first = measure_named(self.measures[0])
        return groups_of(
            self.inputs.groups,
            {name: table[self.measures[0]] for name, table in self.tables.items()},
            pairs=self.pairs,
            missing=self.missing,
            clusters=self.inputs.clusters,
            matters=self.matters if first.highest == 1 else None,
        )

    # ---- alternative outcomes ------------------------------------------------------------------

    def _under(self, **choices: str) -> Alternative:
        """Evaluate and compare under other conventions."""
        groups: dict[Conventions, list[str]] = {}
        for name in self.measures:
            groups.setdefault(self.chosen(name).but(**choices), []).append(name)
        tables = {}
        for system in self.systems:
            parts = (self.inputs.evaluation(system, names, how) for how, names in groups.items())
            tables[system] = pd.concat([part.table() for part in parts], axis=1)
        return Alternative(tables, self._compared(tables))

    @cached_property
    def orders(self) -> dict[str, Alternative]:
        """The outcomes of other tie orders, if a mean changes."""
        touched = any(
            table[f"{measure} best"].mean() - table[f"{measure} worst"].mean() >= VISIBLE
            for table in self.tables.values()
            for measure in self.measures
        )
        try:
            return {order: self._under(ties=order) for order in _ORDERS} if touched else {}
        except ValueError:  # the measure has no known mean over all orders
            return {}

    @cached_property
    def judged_only(self) -> Alternative | None:
        """The outcome for judged items only; None if unjudged items do not matter."""
        if self.of_unjudged and self.chosen(self.measures[0]).unjudged != "removed":
            return self._under(unjudged="removed")
        return None

    def changed(self, found: Alternative) -> pd.DataFrame:
        """Return the rows of an alternative whose verdict differs."""
        before, after = (each.comparison["verdict"].map(side_of) for each in (self, found))
        return found.comparison[after != before]

    @cached_property
    def tie_dependent(self) -> pd.DataFrame:
        """The rows of the comparison whose verdict depends on ties."""
        rows = {row for other in self.orders.values() for row in self.changed(other).index}
        return self.comparison[self.comparison.index.isin(rows)]

    def judged(self, system: str, k: int | None) -> float:
        """Return the mean Judged@k over answered queries; NaN if it is unknown."""
        of_rows = self.inputs.scanned and self.inputs.judged_run
        if k is None or self.inputs.relevant_only or of_rows:
            return np.nan
        return self.tables[system][str(Judged(k=k))].drop(self.missing[system]).mean()

    @property
    def of_unjudged(self) -> list[str]:
        """The measures that unjudged items may affect."""
        return [
            name
            for name in self.measures
            if not (measure := measure_named(name)).of_judged
            and any(self.judged(system, measure.k) < 1 for system in self.systems)
        ]

    @cached_property
    def unjudged(self) -> dict[str, dict[str, dict[str, float]]] | None:
        """The means if no and if all unjudged items are relevant; None if this is too slow."""
        data, names, bounds = self.inputs, self.of_unjudged, {}
        if data.n_rows > _MOST_ROWS or data.scanned:
            return None
        options = {"conventions": data.conventions, "relevant_from": data.relevant_from}
        for system, run in data.runs.items():
            with warnings.catch_warnings():  # the report lists missing queries itself
                warnings.simplefilter("ignore", MissingQueriesWarning)
                means = unjudged_range(run, data.qrels, names, **options).mean()
            bounds[system] = {
                n: {end: means[f"{n} {end}"] for end in ("none", "all")} for n in names
            }
        return bounds

    @property
    def explained(self) -> pd.DataFrame | None:
        """The explanation of the reported means by `which_conventions`; None without any."""
        if not self.reported or language() in self._answers:
            return self._answers.get(language())
        if self.inputs.scanned:
            raise DataError(
                "reported: a run that does not fit into memory cannot be ranked again. Pass "
                "memory='8GB' or more, or call which_conventions with some of the queries."
            )
        from byhand.conventions.explanations import which_conventions

        answer = which_conventions(
            self.inputs.counted[self.systems[0]].run,
            self.inputs.judgements,
            self.reported,
            conventions=self.inputs.conventions,
            relevant_from=self.inputs.relevant_from,
        )
        return self._answers.setdefault(language(), answer)
