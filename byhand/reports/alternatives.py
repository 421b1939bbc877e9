"""What could come out otherwise: under other orders of ties, other judgements, missing queries."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from byhand.metrics.conventions import Conventions
from byhand.metrics.names import measure_named
from byhand.metrics.ranges import unjudged_range
from byhand.statistics import CONFIDENCE, Verdict

if TYPE_CHECKING:
    from byhand.reports.results import Results

HIGHER = (Verdict.A_HIGHER, Verdict.B_HIGHER)
_VISIBLE = 0.00005  # a change of a mean that four digits show
_ORDERS = ("expected", "best", "worst")
_MOST_ROWS = 1_000_000  # beyond, to judge every item for the sake of a range takes too long


def decided(verdict: str) -> str:
    """Which of two systems is higher; whatever leaves it open is the same."""
    return verdict if verdict in HIGHER else Verdict.CANNOT_TELL


@dataclass(frozen=True)
class Alternative:
    """What would come out under other choices: the values of each system, and their comparison."""

    tables: dict[str, pd.DataFrame]
    comparison: pd.DataFrame | None

    def decides_otherwise(self, used: pd.DataFrame) -> pd.Series:
        """In which rows it decides otherwise than the comparison in use."""
        return self.comparison["verdict"].map(decided) != used["verdict"].map(decided)


class Alternatives:
    """The part of `Results` that computes it again under other choices."""

    @cached_property
    def orders(self) -> dict[str, Alternative]:
        """Where ties touch a mean, what comes out if they are broken in other ways."""
        touched = any(
            table[f"{measure} best"].mean() - table[f"{measure} worst"].mean() >= _VISIBLE
            for table in self.tables.values()
            for measure in self.measures
        )
        try:
            return {order: self._under(ties=order) for order in _ORDERS} if touched else {}
        except ValueError:  # a measure whose mean over all orders is not known
            return {}

    def by_order(self, measure: str) -> list[tuple[str, bool, "Alternative | Results"]]:
        """What comes out under each order of equal scores, and which is in use, that first."""
        used = self.chosen(measure).ties
        others = {order: each for order, each in self.orders.items() if order != used}
        return [(used, True, self), *((order, False, each) for order, each in others.items())]

    @cached_property
    def tie_dependent(self) -> pd.DataFrame:
        """The rows of the comparison whose verdict another order of equal scores would change."""
        changed = [other.decides_otherwise(self.comparison) for other in self.orders.values()]
        return self.comparison[np.any(changed, axis=0)] if changed else self.comparison[:0]

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
        options = {"conventions": self.conventions, "relevant_from": self.data.relevant_from}
        return {
            system: unjudged_range(run, self.data.qrels, self.unjudged, **options)
            for system, run in self.data.runs.items()
        }

    @cached_property
    def alternatives(self) -> dict[str, Alternative]:
        """What else could come out, by the choice that would change it; only those that apply.

        "ties expected", "ties best" and "ties worst": another order of equal scores. "answered":
        over the queries that every system answered; "missing": what a run lacks counts 0.
        "judged": without the items that nobody judged.
        """
        found = {f"ties {order}": each for order, each in self.orders.items()}
        if self.lacking(0):
            zero = self.chosen(self.measures[0]).missing == "zero"
            found |= {"answered": self.answered} if zero else {"missing": self.with_missing}
        if self.unjudged and self.chosen(self.measures[0]).unjudged != "removed":
            found["judged"] = self.judged_only
        return found

    @property
    def agreeing_tests(self) -> int:
        """In how many comparisons the paired t test is on the same side of 0.05, uncorrected."""
        level = round(1 - CONFIDENCE, 12)
        rows = self.comparison.dropna(subset="p_t")
        return int(((rows["p"] <= level) == (rows["p_t"] <= level)).sum())

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
        answered = self.first.index.difference(lacking, sort=False)
        tables = {name: table.loc[answered] for name, table in self.tables.items()}
        return Alternative(tables, self._compared(tables))

    def _under(self, **choices: str) -> Alternative:
        groups: dict[Conventions, list[str]] = {}
        for name in self.measures:
            groups.setdefault(self.chosen(name).but(**choices), []).append(name)
        tables = {
            system: pd.concat(
                [
                    self.data.evaluation(system, names, chosen).table()
                    for chosen, names in groups.items()
                ],
                axis=1,
            )
            for system in self.tables
        }
        return Alternative(tables, self._compared(tables))
