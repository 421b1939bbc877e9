"""What each system gets on each query, and what follows: numbers, computed once, no words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from byhand.errors import DataError
from byhand.metrics.conventions import Conventions
from byhand.metrics.measures.judged import Judged
from byhand.metrics.measures.measure import Measure, keeps_low_grades
from byhand.metrics.measures.recall import R
from byhand.metrics.names import measure_named
from byhand.metrics.presets import Preset, preset_named
from byhand.reports.data import Data
from byhand.reports.groups import Groups, groups_of
from byhand.reports.words import POOL_LIMIT
from byhand.statistics import (
    CONFIDENCE,
    Resampling,
    Verdict,
    compare_values,
    interval_caution,
    lift_interval,
    mean_interval,
    overlap,
    random_order_p,
)
from byhand.tables.counting import ABOVE_ZERO
from byhand.words import language

if TYPE_CHECKING:
    from byhand.statistics import Correct

_TOP = 10  # how many items are looked at if the first measure has no cutoff
_CUTOFFS = [m * 10**power for power in range(7) for m in (1, 2, 3, 5)]
_FEWEST = 10_000  # assignments of signs
_TURNED = {Verdict.A_HIGHER: Verdict.B_HIGHER.value, Verdict.B_HIGHER: Verdict.A_HIGHER.value}


@dataclass(frozen=True)
class Results:
    """What each system gets on each query.

    Attributes:
        data: what was evaluated, by which measures, how computed; the first sorts the queries.
        tables: for each system the table of `evaluate`, with chance values and the range of ties;
            besides the measures also `recall`, and Judged@k for each of their cutoffs.
        all_pairs: whether each system is compared with each, and not only the first with each.
        matters: the smallest difference that would matter; None if nobody said.
        correct: over which comparisons p is corrected, as in `compare_values`.
        reported: measure -> a mean of the first system that somebody reported, as text.
    """

    data: Data
    tables: dict[str, pd.DataFrame]
    all_pairs: bool = False
    matters: float | None = None
    correct: "Correct" = "all"
    reported: Mapping[str, str] = field(default_factory=dict)

    @property
    def measures(self) -> list[str]:
        """The names of the measures; the first one sorts the queries."""
        return list(self.data.measures)

    @property
    def conventions(self) -> str | Conventions:
        """How they were computed: the name of a preset, or a value."""
        return self.data.conventions

    @property
    def family(self) -> int:
        """How many comparisons p is corrected for together; 1 where it is not."""
        of = {"all": len(self.measures) * len(self.pairs), "measure": len(self.pairs), "none": 1}
        return of[self.correct]

    @property
    def systems(self) -> list[str]:
        """The names of the systems, the one in question first."""
        return list(self.tables)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The systems that are compared with each other."""
        first, *others = self.tables
        if self.all_pairs:
            return list(combinations(self.tables, 2))
        return [(first, other) for other in others]

    @property
    def first(self) -> pd.DataFrame:
        """The table of the system in question."""
        return next(iter(self.tables.values()))

    @property
    def subject(self) -> str:
        """The system that the first screen is about: the first or, of all pairs, the highest."""
        if not self.all_pairs or len(self.pairs) < 2:
            return next(iter(self.tables))
        means = {name: table[self.measures[0]].mean() for name, table in self.tables.items()}
        return max(means, key=means.get)

    @property
    def preset(self) -> Preset:
        """The conventions, and what else is known of the tool that they are named after."""
        return preset_named(self.conventions)

    @property
    def recall(self) -> str:
        """The name of the column that says how much of what is relevant the first measure saw."""
        return _recall(measure_named(self.measures[0]))

    @property
    def top(self) -> int:
        """How many items of a list matter most: the cutoff of the first measure, or ten."""
        return measure_named(self.measures[0]).k or _TOP

    @property
    def base(self) -> str:
        """The name of the first measure without its cutoff."""
        base, _, k = self.measures[0].rpartition("@")
        return base or k

    def chosen(self, measure: str) -> Conventions:
        """The conventions of this measure."""
        return measure_named(measure).named_by(self.preset)

    @property
    def keeps_low_grades(self) -> bool:
        """Whether to the first measure an item below the lowest relevant grade gains, too."""
        return keeps_low_grades(measure_named(self.measures[0]), self.chosen(self.measures[0]))

    @property
    def lowest_relevant(self) -> float:
        """The lowest grade that is relevant to the first measure."""
        if self.keeps_low_grades:
            return ABOVE_ZERO
        options = (measure_named(self.measures[0]).rel, self.data.relevant_from)
        return max(grade or ABOVE_ZERO for grade in options)

    @cached_property
    def relevant_counts(self) -> pd.Series:
        """How many items of each judged query are relevant to the first measure."""
        judged = self.data.judgements.wanted(self.lowest_relevant)
        counts = np.bincount(judged.query, minlength=len(judged.query_ids))
        return pd.Series(counts, judged.query_ids).reindex(self.first.index, fill_value=0)

    @cached_property
    def missing(self) -> dict[str, pd.Index]:
        """For each system the judged queries that it did not answer."""
        return {
            name: table.index.difference(self.data.sizes_of(name).index, sort=False)
            for name, table in self.tables.items()
        }

    @cached_property
    def means(self) -> pd.DataFrame:
        """For each measure and system the mean, its interval, and what a random order gets.

        `lift` is the mean divided by the chance level, with its interval; `p_chance` that of the
        mean against so many `random_orders`, or 0 of a normal distribution. `caution` and
        `lift_caution` are why an interval may be too narrow, or empty.
        """
        rows = []
        for name, table in self.tables.items():
            shuffled = random_order_p(self.data.evaluation(name, self.measures))
            for measure in self.measures:
                values, levels = (
                    table[[measure, f"{measure} chance"]].dropna(subset=measure).T.to_numpy()
                )
                low, high = mean_interval(values)
                row = {"measure": measure, "system": name, "mean": table[measure].mean()}
                row |= {"low": low, "high": high, "median": table[measure].median()}
                row |= {"chance": table[f"{measure} chance"].mean(), "queries": len(values)}
                row |= {"judged": self.judged(name, measure_named(measure).k)}
                row |= {"caution": interval_caution(values) or ""} | _lift(values, levels)
                rows.append(
                    row | dict(zip(("p_chance", "random_orders"), shuffled[measure], strict=True))
                )
        order = {name: place for place, name in enumerate(self.measures)}
        rows.sort(key=lambda row: order[row["measure"]])
        return pd.DataFrame(rows)

    @property
    def skill(self) -> tuple[list[dict[str, object]], ...]:
        """The means above what a random order gets, below it, and neither; the largest p first."""
        means = self.means.dropna(subset="p_chance")
        means = means.sort_values("p_chance", ascending=False, kind="stable")
        sure, above = (
            means["p_chance"] <= round(1 - CONFIDENCE, 12),
            means["mean"] > means["chance"],
        )
        found = (means[sure & above], means[sure & ~above], means[~sure])
        return tuple(each.to_dict("records") for each in found)

    def cutoff_of(self, measure: str) -> int:
        """How many first items of a list count most for a measure: its cutoff, or the top."""
        return measure_named(measure).k or self.top

    def judged(self, system: str, k: int | None) -> float:
        """The mean Judged@k over the queries that a system answered; NaN if that is not known."""
        if k is None or self.data.relevant_only or (self.data.scanned and self.data.judged_run):
            return np.nan
        return self.tables[system][str(Judged(k=k))].drop(self.missing[system]).mean()

    def judged_apart(self, a: str, b: str) -> bool:
        """Whether the judgements favour one of two: of its first items far more have one."""
        removed = self.chosen(self.measures[0]).unjudged == "removed"
        apart = abs(self.judged(a, self.top) - self.judged(b, self.top))
        return not removed and bool(round(apart, 9) > POOL_LIMIT)

    @property
    def any_judged_apart(self) -> bool:
        """Whether the judgements favour one of any two that are compared."""
        return any(self.judged_apart(a, b) for a, b in self.pairs)

    @property
    def empty(self) -> int:
        """On how many judged queries no system can get anything."""
        return int((self.relevant_counts == 0).sum())

    def lacking(self, share: float) -> list[tuple[list[str], int]]:
        """The systems that lack more than a share of the judged queries, and how many they lack."""
        of: dict[int, list[str]] = {}
        for name, gone in self.missing.items():
            if len(gone) > share * len(self.first):
                of.setdefault(len(gone), []).append(name)
        return [(names, count) for count, names in of.items()]

    @cached_property
    def comparison(self) -> pd.DataFrame | None:
        """The table of `compare_values`, a row a measure and pair; None if there is one system."""
        return self.compared(self.tables, signs=10**9)

    @property
    def agreeing_tests(self) -> int:
        """In how many comparisons the paired t test is on the same side of 0.05, uncorrected."""
        level = round(1 - CONFIDENCE, 12)
        rows = self.comparison.dropna(subset="p_t")
        return int(((rows["p"] <= level) == (rows["p_t"] <= level)).sum())

    def differences(self, measure: str, a: str, b: str) -> pd.Series:
        """For each query with a value of both systems, that of a minus that of b."""
        theirs = self.tables[b][measure]
        return (self.tables[a][measure] - theirs.reindex(self.tables[a].index)).dropna()

    def seen(self, measure: str, name: str, other: str) -> dict[str, object] | None:
        """The row of the comparison of two systems, turned so that `name` is its a.

        None if nobody compared them.
        """
        if (measure, name, other) in self._rows:
            return self._rows[measure, name, other]
        row = self._rows.get((measure, other, name))
        return None if row is None else turned(row)

    @cached_property
    def _rows(self) -> dict[tuple[str, str, str], dict[str, object]]:
        rows = [] if self.comparison is None else self.comparison.to_dict("records")
        return {(row["measure"], row["a"], row["b"]): row for row in rows}

    @cached_property
    def overlaps(self) -> dict[tuple[str, str], pd.Series]:
        """For each pair the share of the first items in both, by query; not of what is scanned."""
        runs = self.data.runs
        if self.data.scanned:
            return {}
        return {(a, b): overlap(runs[a], runs[b], self.top) for a, b in self.pairs}

    @cached_property
    def groups(self) -> Groups | None:
        """The comparison of the first measure within groups of queries; None if there are none.

        Raises:
            DataError: no group has a query with a value.
        """
        if not self.data.groups:
            return None
        return groups_of(
            {name: table[self.measures[0]] for name, table in self.tables.items()},
            self.data.groups,
            pairs=self.pairs,
            missing=self.missing,
            corrected=self.correct != "none",
        )

    @property
    def explained(self) -> pd.DataFrame | None:
        """What gives the reported means, as `which_conventions` says; None if there are none.

        Raises:
            DataError: tables that are scanned.
            ValueError: what is reported is no number.
        """
        if not self.reported:
            return None
        if language() not in self._answers:
            self._answers[language()] = self._answering()
        return self._answers[language()]

    @cached_property
    def _answers(self) -> dict[str, pd.DataFrame]:
        return {}

    @cached_property
    def _answering(self) -> Callable[[], pd.DataFrame]:
        if self.data.scanned:
            raise DataError(
                "reported: a run that is scanned cannot be ranked anew. Give it more memory, such "
                "as --memory 8GB, or call which_conventions with a part of the queries."
            )
        from byhand.statistics.explanations import answering

        return answering(
            self.data.counted[self.systems[0]].run,
            self.data.judgements,
            self.reported,
            conventions=self.conventions,
            relevant_from=self.data.relevant_from,
        )

    def interval_over(self, queries: pd.Index) -> tuple[float, float]:
        """The interval of the mean of the first measure over some queries, for one system."""
        return mean_interval(self.first[self.measures[0]][queries].to_numpy())

    @cached_property
    def cutoffs(self) -> dict[str, pd.DataFrame]:
        """For each system the first measure at round cutoffs, and at those asked for."""
        longest = max(int(self.data.sizes_of(name).max()) for name in self.data.runs)
        asked = {measure_named(name).k for name in self.measures} - {None}
        names = [f"{self.base}@{k}" for k in sorted({*_CUTOFFS, *asked}) if k <= longest]
        return {name: self.data.evaluation(name, names).table() for name in self.tables}

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
        how = {"pairs": self.pairs, "correct": self.correct, "permutations": drawn}
        return compare_values(values, missing=lacking, **how).assign(permutations=drawn)


def turned(row: Mapping[str, object]) -> dict[str, object]:
    """A row of a comparison as b minus a."""
    found = {"difference": -row["difference"], "low": -row["high"], "high": -row["low"]}
    found |= {"wins": row["losses"], "losses": row["wins"], "a": row["b"], "b": row["a"]}
    return {**row, **found, "verdict": _TURNED.get(row["verdict"], row["verdict"])}


def _lift(values: np.ndarray, levels: np.ndarray) -> dict[str, object]:
    """How many times its chance level a mean is, and how surely."""
    level = levels.mean() if len(levels) else 0
    if not level > 0:
        return {"lift": np.nan, "lift_low": np.nan, "lift_high": np.nan, "lift_caution": ""}
    lift, (low, high) = values.mean() / level, lift_interval(values, levels)
    caution = interval_caution(values - lift * levels) or ""
    return {"lift": lift, "lift_low": low, "lift_high": high, "lift_caution": caution}


def _recall(first: Measure) -> str:
    return str(R(k=first.k, rel=first.rel))


def results_of(
    data: Data,
    *,
    all_pairs: bool = False,
    matters: float | None = None,
    correct: "Correct" = "all",
    reported: Mapping[str, str] | None = None,
) -> Results:
    """Evaluate each system; the arguments are those of `report`.

    Raises:
        DataError: data that cannot be evaluated, or groups of other queries.
    """
    data.check()
    first, *others = (measure_named(name) for name in data.measures)
    cutoffs = {measure.k for measure in others} - {None} | {first.k or _TOP}
    extra = [_recall(first)]
    if not (data.scanned and data.judged_run):  # there every row of the run is a judgement
        extra += [str(Judged(k=k)) for k in sorted(cutoffs)]
    wanted = list(dict.fromkeys([*data.measures, *extra]))
    tables = {
        name: data.evaluation(name, wanted).table("chance", "ties", lenient=True)
        for name in data.runs
    }
    results = Results(data, tables, all_pairs, matters, correct, reported or {})
    # what is wrong with them is said before anything is written
    _ = results.groups
    try:
        _ = results.explained
    except ValueError as error:
        raise DataError(str(error)) from None
    return results
