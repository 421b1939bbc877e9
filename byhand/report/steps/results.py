"""The values of each system, computed once, and the same under other choices."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from byhand.errors import DataError, both, shown
from byhand.metrics.conventions import Conventions, Preset, preset_named
from byhand.metrics.evaluate import Evaluation
from byhand.metrics.hits import Tables
from byhand.metrics.measures.judged import Judged
from byhand.metrics.measures.recall import R
from byhand.metrics.names import measure_named
from byhand.metrics.ranges import unjudged_range
from byhand.report.steps.inputs import OwnData, Table, measures_asked
from byhand.report.steps.told import told
from byhand.statistics import compare_values, interval_caution, mean_interval

_TOP = 10  # how many items are looked at if the first measure has no cutoff
_VISIBLE = 0.00005  # a change of a mean that four digits show
_ORDERS = ("expected", "best", "worst")
_CUTOFFS = [m * 10**power for power in range(7) for m in (1, 2, 3, 5)]
_POOL_LIMIT = 0.1  # how far the judged shares of two systems may be apart
_MOST_ROWS = 1_000_000  # beyond, to judge every item for the sake of a range takes too long


@dataclass(frozen=True)
class Alternative:
    """What would come out under other choices: the values of each system, and their comparison."""

    tables: dict[str, pd.DataFrame]
    comparison: pd.DataFrame | None


@dataclass(frozen=True)
class Results:
    """What each system gets on each query.

    Attributes:
        data: what was evaluated.
        measures: the names of the measures; the first one sorts the queries.
        conventions: how they were computed: the name of a preset, or a value.
        tables: for each system the table of `evaluate`, with chance values and the range of ties;
            besides the measures also `recall`, and Judged@k for each of their cutoffs.
        all_pairs: whether each system is compared with each, and not only the first with each.
        matters: the smallest difference that would matter; None if nobody said.
        kept: what a later step would compute again.
    """

    data: OwnData
    measures: list[str]
    conventions: str | Conventions
    tables: dict[str, pd.DataFrame]
    all_pairs: bool = False
    matters: float | None = None
    kept: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The systems that are compared with each other."""
        first, *others = self.tables
        return (
            list(combinations(self.tables, 2)) if self.all_pairs else [(first, b) for b in others]
        )

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
    def relevant_only(self) -> bool:
        """Whether every judgement is of a relevant item: then nobody knows what was looked at."""
        counts = next(iter(self.data.checked.values())).counts
        return not self.data.judged_run and counts.relevant == counts.judgements

    @property
    def preset(self) -> Preset:
        """The conventions, and what else is known of the tool that they are named after."""
        return preset_named(self.conventions)

    @property
    def recall(self) -> str:
        """The name of the column that says how much of what is relevant the first measure saw."""
        return _recall(self.measures[0])

    @property
    def top(self) -> int:
        """How many items of a list matter most: the cutoff of the first measure, or ten."""
        return measure_named(self.measures[0]).k or _TOP

    def chosen(self, measure: str) -> Conventions:
        """The conventions of this measure."""
        return measure_named(measure).named_by(self.preset)

    @cached_property
    def missing(self) -> dict[str, pd.Index]:
        """For each system the judged queries that it did not answer."""
        return {
            name: table.index[~table.index.isin(self.data.sizes_of(name).index)]
            for name, table in self.tables.items()
        }

    @cached_property
    def means(self) -> pd.DataFrame:
        """For each measure and system the mean, its interval, and what a random order gets.

        `caution` is why the interval may be too narrow, or empty.
        """
        rows = []
        for measure in self.measures:
            for name, table in self.tables.items():
                values = table[measure].dropna().to_numpy()
                low, high = mean_interval(values)
                row = {"measure": measure, "system": name, "mean": table[measure].mean()}
                row |= {"low": low, "high": high, "median": table[measure].median()}
                row |= {"chance": table[f"{measure} chance"].mean(), "queries": len(values)}
                row |= {"judged": self.judged(name, measure_named(measure).k)}
                rows.append(row | {"caution": interval_caution(values) or ""})
        return pd.DataFrame(rows)

    def judged(self, system: str, k: int | None) -> float:
        """The mean Judged@k over the queries that a system answered; NaN if that is not known."""
        if k is None or self.relevant_only or (self.data.scanned and self.data.judged_run):
            return np.nan
        return self.tables[system][str(Judged(k=k))].drop(self.missing[system]).mean()

    def judged_apart(self, a: str, b: str) -> bool:
        """Whether the judgements favour one of two: of its first items far more have one."""
        removed = self.chosen(self.measures[0]).unjudged == "removed"
        apart = abs(self.judged(a, self.top) - self.judged(b, self.top))
        return not removed and bool(round(apart, 9) > _POOL_LIMIT)

    @cached_property
    def comparison(self) -> pd.DataFrame | None:
        """The table of `compare_values`, a row a measure and pair; None if there is one system."""
        return self._compared(self.tables)

    def differences(self, measure: str, a: str, b: str) -> pd.Series:
        """For each query with a value of both systems, that of a minus that of b."""
        theirs = self.tables[b][measure]
        return (self.tables[a][measure] - theirs.reindex(self.tables[a].index)).dropna()

    def reserve(self, row: Mapping[str, object]) -> str:
        """By what or with what a verdict of the first measure holds, if not without reserve."""
        judged = "by these judgements" * self.judged_apart(row["a"], row["b"])
        return both(list(filter(None, [judged, "with a caution" * bool(row["caution"])])))

    def named(self, row: Mapping[str, object]) -> str:
        """What a row of the comparison is about, as short as tells it from the others."""
        pair = f" ({row['a']} minus {row['b']})" * (len(self.pairs) > 1)
        return f"{row['measure']}{pair}"

    @cached_property
    def orders(self) -> dict[str, Alternative]:
        """Where ties touch a mean, what comes out if they are broken in other ways."""
        touched = any(
            table[f"{measure} best"].mean() - table[f"{measure} worst"].mean() >= _VISIBLE
            for table in self.tables.values()
            for measure in self.measures
        )
        return {order: self._under(ties=order) for order in _ORDERS} if touched else {}

    @cached_property
    def tie_dependent(self) -> pd.DataFrame:
        """The rows of the comparison whose verdict another order of equal scores would change."""
        used = self.comparison["verdict"]
        changed = [other.comparison["verdict"] != used for other in self.orders.values()]
        return self.comparison[np.any(changed, axis=0)] if changed else self.comparison[:0]

    @property
    def base(self) -> str:
        """The name of the first measure without its cutoff."""
        base, _, k = self.measures[0].rpartition("@")
        return base or k

    @cached_property
    def cutoffs(self) -> dict[str, pd.DataFrame]:
        """For each system the first measure at round cutoffs, and at those asked for."""
        longest = max(int(self.data.sizes_of(name).max()) for name in self.data.runs)
        asked = {measure_named(name).k for name in self.measures} - {None}
        names = [f"{self.base}@{k}" for k in sorted({*_CUTOFFS, *asked}) if k <= longest]
        return {
            name: evaluated(self.data, run, names, self.conventions)
            for name, run in self.data.runs.items()
        }

    @property
    def unjudged(self) -> list[str]:
        """The measures to which items that nobody judged may matter."""
        found = []
        for name in self.measures:
            measure = measure_named(name)
            if measure.k is not None and not measure.of_judged:
                shares = [self.judged(system, measure.k) for system in self.tables]
                found += [name] * any(share < 1 for share in shares)
        return found

    @cached_property
    def unjudged_ranges(self) -> dict[str, pd.DataFrame] | None:
        """For each system, these measures if none and if all such items are relevant.

        None where that would take too long.
        """
        if sum(len(run) for run in self.data.runs.values()) > _MOST_ROWS or self.data.scanned:
            return None
        return {
            system: unjudged_range(
                run,
                self.data.qrels,
                self.unjudged,
                conventions=self.conventions,
                relevant_from=self.data.relevant_from,
            )
            for system, run in self.data.runs.items()
        }

    @cached_property
    def judged_only(self) -> Alternative:
        """What comes out if the items that nobody judged are taken out of the lists."""
        return self._under(unjudged="removed")

    @cached_property
    def with_missing(self) -> Alternative:
        """What comes out if queries that a run lacks count 0."""
        return self._under(missing="zero")

    @cached_property
    def answered(self) -> Alternative:
        """What comes out over the queries that every system answered."""
        lacking = pd.Index([]).append(list(self.missing.values()))
        tables = {name: table[~table.index.isin(lacking)] for name, table in self.tables.items()}
        return Alternative(tables, self._compared(tables))

    def _under(self, **choices: str) -> Alternative:
        groups: dict[Conventions, list[str]] = {}
        for name in self.measures:
            groups.setdefault(self.chosen(name).but(**choices), []).append(name)
        tables = {
            system: pd.concat(
                [evaluated(self.data, run, names, chosen) for chosen, names in groups.items()],
                axis=1,
            )
            for system, run in self.data.runs.items()
        }
        return Alternative(tables, self._compared(tables))

    def _compared(self, tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame | None:
        values = {name: table[self.measures] for name, table in tables.items()}
        answered = pd.concat(values, axis=1).dropna(how="all")
        if len(values) < 2 or answered.empty:
            return None
        lacking = {
            name: int(gone.isin(values[name].index).sum()) for name, gone in self.missing.items()
        }
        return compare_values(values, missing=lacking, pairs=self.pairs)


def _recall(measure: str) -> str:
    first = measure_named(measure)
    return str(R(k=first.k, rel=first.rel))


def evaluated(
    data: OwnData,
    run: Table,
    measures: Iterable[str],
    conventions: str | Conventions,
    *more: str,
) -> pd.DataFrame:
    """The table of `evaluate` of one of the runs.

    Args:
        data: what the run is part of.
        run: the run.
        measures: their names.
        conventions: the name of a preset, or a value.
        more: what else to add to the table, as in `Evaluation.table`.
    """
    tables = Tables(run, data.qrels, relevant_from=data.relevant_from)
    return Evaluation(tables, measures, conventions=conventions).table(*more, lenient=True)


@told
def results_of(
    data: OwnData,
    measures: Iterable[object],
    *,
    conventions: str | Conventions = "trec_eval -c",
    all_pairs: bool = False,
    matters: float | None = None,
) -> Results:
    """Evaluate each system.

    Args:
        data: what `read_own_data` returns.
        measures: names in ir_measures' notation; the first one sorts the queries.
        conventions: the name of a preset, or a `Conventions` value.
        all_pairs: whether to compare each system with each, and not only the first with each.
        matters: the smallest difference that would matter, such as 0.02; None if nobody said.

    Raises:
        DataError: data that `evaluate` refuses, an unknown measure or preset, no measure, or a
            difference that cannot matter.
    """
    if matters is not None and not (isinstance(matters, Real) and 0 < matters < np.inf):
        raise DataError(f"matters is {shown(matters)}. Expected a number above 0, such as 0.02.")
    named = measures_asked(measures)
    try:
        preset_named(conventions)
    except ValueError as error:
        raise DataError(str(error)) from None
    named = {str(measure): measure for measure in named.values()}
    names = list(named)
    cutoffs = {measure.k for measure in named.values()} - {None} | {named[names[0]].k or _TOP}
    extra = [_recall(names[0])]
    if not (data.scanned and data.judged_run):  # there every row of the run is a judgement
        extra += [str(Judged(k=k)) for k in sorted(cutoffs)]
    wanted = list(dict.fromkeys(names + extra))
    tables = {
        name: evaluated(data, run, wanted, conventions, "chance", "ties")
        for name, run in data.runs.items()
    }
    return Results(data, names, conventions, tables, all_pairs, matters)
