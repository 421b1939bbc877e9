"""What each system gets on each query, and what follows: numbers, computed once, no words."""

from collections.abc import Mapping
from functools import cached_property
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from byhand.errors import DataError
from byhand.metrics.conventions import Conventions
from byhand.metrics.measure_names import measure_named
from byhand.metrics.measures.judged import Judged
from byhand.metrics.measures.measure import keeps_low_grades
from byhand.metrics.measures.recall import R
from byhand.metrics.presets import preset_named
from byhand.reports.comparison_rows import HIGHER, rows_of, turned
from byhand.reports.groups import Groups, groups_of
from byhand.reports.inputs import Inputs
from byhand.statistics import (
    CONFIDENCE,
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

if TYPE_CHECKING:
    from byhand.statistics import Correct

_TOP = 10  # how many items are looked at if the first measure has no cutoff
_CUTOFFS = [m * 10**power for power in range(7) for m in (1, 2, 3, 5)]
_FEWEST = 10_000  # assignments of signs
_LEVEL = round(1 - CONFIDENCE, 12)
_ROUNDING = 1e-12  # what is left of a tie, added up in another order


class Results:
    """What each system gets on each query, and what could come out otherwise.

    The arguments are those of `report`; a `DataError` says what cannot be used.
    """

    def __init__(
        self,
        data: Inputs,
        *,
        all_pairs: bool = False,
        matters: float | None = None,
        judged_by: str | None = None,
        correct: "Correct" = "primary",
        reported: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        data.check()
        self.inputs, self.all_pairs, self.matters = data, all_pairs, matters
        self.judged_by, self.correct, self.reported = judged_by, correct, reported
        self.measures, self.preset = list(data.measures), preset_named(data.conventions)
        self.tables = {
            name: data.evaluation(name, self._evaluated).table("chance", "ties", lenient=True)
            for name in data.runs
        }
        self.systems = list(self.tables)
        self._answers: dict[str, pd.DataFrame] = {}
        # what is wrong with them is said before anything is written
        _ = self.comparison, self.groups
        try:
            _ = self.explained
        except ValueError as error:
            raise DataError(str(error)) from None

    @property
    def _evaluated(self) -> list[str]:
        """The measures that were asked for, and those that say how much was found and judged."""
        extra = [self.recall]
        # where a run that is scanned says itself what is relevant, every row is a judgement
        if not (self.inputs.scanned and self.inputs.judged_run):
            cutoffs = {measure_named(name).k for name in self.measures[1:]} - {None} | {self.top}
            extra += [str(Judged(k=k)) for k in sorted(cutoffs)]
        return [*dict.fromkeys([*self.measures, *extra])]

    @property
    def recall(self) -> str:
        """The column of how much of what is relevant to the first measure was found."""
        first = measure_named(self.measures[0])
        return str(R(k=first.k, rel=first.rel))

    @property
    def top(self) -> int:
        """How many items of a list matter most."""
        return measure_named(self.measures[0]).k or _TOP

    @property
    def first_uncut(self) -> str:
        """The first measure without its cutoff."""
        uncut, _, k = self.measures[0].rpartition("@")
        return uncut or k

    @property
    def first_table(self) -> pd.DataFrame:
        """The values of the first system, which is the one in question."""
        return self.tables[self.systems[0]]

    @cached_property
    def pairs(self) -> list[tuple[str, str]]:
        """The systems that are compared, two by two."""
        if self.all_pairs:
            return list(combinations(self.systems, 2))
        return [(self.systems[0], other) for other in self.systems[1:]]

    @cached_property
    def subject(self) -> str:
        """Whom the first screen is about: the first system, or of all pairs the highest."""
        if not self.all_pairs or len(self.systems) < 3:
            return self.systems[0]
        return max(self.systems, key=lambda name: self.tables[name][self.measures[0]].mean())

    @property
    def family(self) -> int:
        """Over how many comparisons p of the first measure is corrected."""
        return self._families[0]

    @property
    def other_family(self) -> int:
        """Over how many comparisons p of the other measures is corrected."""
        return self._families[1]

    @property
    def _families(self) -> tuple[int, int]:
        return family_sizes(len(self.measures), len(self.pairs), self.correct)

    @cached_property
    def missing(self) -> dict[str, pd.Index]:
        """The judged queries that each system did not answer."""
        return {
            name: table.index.difference(self.inputs.sizes_of(name).index, sort=False)
            for name, table in self.tables.items()
        }

    def chosen(self, measure: str) -> Conventions:
        """The conventions of this measure."""
        return measure_named(measure).chosen_by(self.preset)

    @property
    def keeps_low_grades(self) -> bool:
        """Whether to the first measure an item below the lowest relevant grade gains, too."""
        return keeps_low_grades(measure_named(self.measures[0]), self.chosen(self.measures[0]))

    @property
    def lowest_relevant(self) -> float:
        """The lowest grade that is relevant to the first measure."""
        if self.keeps_low_grades:
            return ABOVE_ZERO
        options = (measure_named(self.measures[0]).rel, self.inputs.relevant_from)
        return max(grade or ABOVE_ZERO for grade in options)

    @cached_property
    def relevant_counts(self) -> pd.Series:
        """How many items of each judged query are relevant to the first measure."""
        judged = self.inputs.judgements.wanted(self.lowest_relevant)
        counts = np.bincount(judged.query, minlength=len(judged.query_ids))
        return pd.Series(counts, judged.query_ids).reindex(self.first_table.index, fill_value=0)

    @cached_property
    def means(self) -> pd.DataFrame:
        """For each measure and system the mean, its interval, and what a random order gets."""
        rows = []
        for name, table in self.tables.items():
            for measure in self.measures:
                known = table[measure].dropna()
                drawn = self.independent(known)
                low, high = mean_interval(drawn)
                row = {"measure": measure, "system": name, "mean": table[measure].mean()}
                row |= {"low": low, "high": high, "median": table[measure].dropna().median()}
                level = table[f"{measure} chance"].mean()
                row |= {"chance": level, "lift": row["mean"] / level if level > 0 else np.nan}
                caution = interval_caution(
                    drawn, lowest=0, number=self.cluster_numbers(known.index)
                )
                row |= {"queries": len(known), "caution": caution or ""}
                rows.append(row | {"judged": self.judged(name, measure_named(measure).k)})
        rows.sort(key=lambda row: self.measures.index(row["measure"]))
        cautions = pd.Series([row["caution"] for row in rows], dtype=object)  # said in any language
        return pd.DataFrame(rows).assign(caution=cautions)

    @cached_property
    def best(self) -> pd.Series:
        """The highest mean in each measure, less what rounding may leave of a tie."""
        return self.means.groupby("measure")["mean"].max() - _ROUNDING

    def cutoff_of(self, measure: str) -> int:
        """How many first items of a list count most for a measure: its cutoff, or the top."""
        return measure_named(measure).k or self.top

    def judged(self, system: str, k: int | None) -> float:
        """The mean Judged@k over the queries that a system answered; NaN if that is not known."""
        of_rows = self.inputs.scanned and self.inputs.judged_run
        if k is None or self.inputs.relevant_only or of_rows:
            return np.nan
        return self.tables[system][str(Judged(k=k))].drop(self.missing[system]).mean()

    @property
    def of_unjudged(self) -> list[str]:
        """The measures to which items that nobody judged may matter."""
        return [
            name
            for name in self.measures
            if not (measure := measure_named(name)).of_judged
            and any(self.judged(system, measure.k) < 1 for system in self.systems)
        ]

    def lacking(self, share: float) -> list[tuple[list[str], int]]:
        """The systems that lack more than a share of the judged queries, and how many they lack."""
        of: dict[int, list[str]] = {}
        for name, gone in self.missing.items():
            if len(gone) > share * len(self.first_table):
                of.setdefault(len(gone), []).append(name)
        return [(names, count) for count, names in of.items()]

    @cached_property
    def comparison(self) -> pd.DataFrame | None:
        """The table of `compare_values`, a row a measure and pair; None if there is one system."""
        return self.compared(self.tables, signs=10**9)

    @cached_property
    def rows(self) -> list[dict[str, object]]:
        """The same row by row; none if there is one system."""
        return rows_of(self.comparison)

    @property
    def agreeing_tests(self) -> int:
        """In how many comparisons the paired t test is on the same side of 0.05, uncorrected."""
        rows = self.comparison.dropna(subset="p_t")
        return int(((rows["p"] <= _LEVEL) == (rows["p_t"] <= _LEVEL)).sum())

    @cached_property
    def same_texts(self) -> list[str]:
        """The judged queries that ask what another one asks, if nobody said what hangs together."""
        if self.inputs.clusters or not (asked := self.inputs.asked):
            return []
        texts = pd.Series({query: " ".join(each.text.split()) for query, each in asked.items()})
        return [*texts.index[texts.str.casefold().duplicated(keep=False)]]

    def independent(self, values: pd.Series) -> np.ndarray:
        """The value of each query, or one of each cluster if queries hang together."""
        return independent_values(values.to_numpy(), self.cluster_numbers(values.index))

    def cluster_numbers(self, queries: pd.Index) -> np.ndarray | None:
        """The number of the cluster of each of these queries; None if each stands for itself."""
        clusters = self.inputs.clusters
        return clusters.numbered(queries) if clusters is not None and len(queries) else None

    def differences(self, measure: str, a: str, b: str) -> pd.Series:
        """For each query with a value of both systems, that of a minus that of b."""
        theirs = self.tables[b][measure]
        return (self.tables[a][measure] - theirs.reindex(self.tables[a].index)).dropna()

    def row_between(self, measure: str, name: str, other: str) -> dict[str, object] | None:
        """The row in which two systems are compared, if one does, so that `name` is its a."""
        if (measure, name, other) in self._rows_by_pair:
            return self._rows_by_pair[measure, name, other]
        row = self._rows_by_pair.get((measure, other, name))
        return None if row is None else turned(row)

    def against(self, measure: str) -> list[dict[str, object] | None]:
        """How the subject compares with each system in a measure, where it does."""
        return [self.row_between(measure, self.subject, other) for other in self.systems]

    @cached_property
    def _rows_by_pair(self) -> dict[tuple[str, str, str], dict[str, object]]:
        return {(row["measure"], row["a"], row["b"]): row for row in self.rows}

    @cached_property
    def above(self) -> dict[tuple[str, str], dict[str, bool]]:
        """A measure and system -> those that it is higher than, and whether with a caution."""
        found: dict[tuple[str, str], dict[str, bool]] = {}
        for (measure, a, b), row in self._rows_by_pair.items():
            if row["verdict"] in HIGHER:
                higher, lower = (a, b) if row["verdict"] == Verdict.A_HIGHER else (b, a)
                found.setdefault((measure, higher), {})[lower] = bool(row["caution"])
        return found

    @cached_property
    def overlaps(self) -> dict[tuple[str, str], pd.Series]:
        """For each pair the share of the first items in both, by query; not of what is scanned."""
        runs = self.inputs.runs
        if self.inputs.scanned:
            return {}
        return {(a, b): overlap(runs[a], runs[b], self.top) for a, b in self.pairs}

    @cached_property
    def groups(self) -> Groups | None:
        """The groups that have a query with a value, and how the systems compare in each."""
        if not self.inputs.groups:
            return None
        first = measure_named(self.measures[0])  # in `compare_values` a group stands in its place
        return groups_of(
            self.inputs.groups,
            {name: table[self.measures[0]] for name, table in self.tables.items()},
            pairs=self.pairs,
            missing=self.missing,
            correct="none" if self.correct == "none" else "all",
            clusters=self.inputs.clusters,
            matters=self.matters if first.highest == 1 else None,
        )

    @property
    def explained(self) -> pd.DataFrame | None:
        """What gives the reported means, as `which_conventions` says; None if there are none."""
        if not self.reported or language() in self._answers:
            return self._answers.get(language())
        if self.inputs.scanned:
            raise DataError(
                "reported: a run that does not fit into memory cannot be ranked again. Pass "
                "memory='8GB' or more, or call which_conventions with some of the queries."
            )
        from byhand.conventions.explanations import which_conventions

        found = which_conventions(
            self.inputs.counted[self.systems[0]].run,
            self.inputs.judgements,
            self.reported,
            conventions=self.inputs.conventions,
            relevant_from=self.inputs.relevant_from,
        )
        return self._answers.setdefault(language(), found)

    def interval_over(self, queries: pd.Index) -> tuple[float, float]:
        """The interval of the mean of the first measure over some queries, for one system."""
        return mean_interval(self.independent(self.first_table[self.measures[0]][queries]))

    @cached_property
    def cutoffs(self) -> dict[str, pd.DataFrame]:
        """For each system the first measure at round cutoffs, and at those asked for."""
        longest = max(int(self.inputs.sizes_of(name).max()) for name in self.inputs.runs)
        asked = {measure_named(name).k for name in self.measures} - {None}
        names = [f"{self.first_uncut}@{k}" for k in sorted({*_CUTOFFS, *asked}) if k <= longest]
        return {name: self.inputs.evaluation(name, names).table() for name in self.tables}

    def compared(
        self, tables: Mapping[str, pd.DataFrame], *, signs: int = 10**8
    ) -> pd.DataFrame | None:
        """The comparison of such tables; with many queries it draws fewer assignments of signs."""
        values = {name: table[self.measures] for name, table in tables.items()}
        answered = pd.concat(values, axis=1).dropna(how="all")
        if len(values) < 2 or answered.empty:
            return None
        lacking = {
            name: len(gone.intersection(values[name].index)) for name, gone in self.missing.items()
        }
        drawn = min(Resampling.permutations, max(_FEWEST, signs // len(answered)))
        how = {"pairs": self.pairs, "correct": self.correct, "matters": self.matters}
        how["permutations"] = drawn
        how["clusters"] = self.inputs.clusters
        return compare_values(values, missing=lacking, **how).assign(permutations=drawn)
