"""What could come out otherwise: under other orders of ties, other judgements, missing queries."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from byhand.metrics.conventions import Conventions
from byhand.metrics.names import measure_named
from byhand.metrics.ranges import unjudged_range
from byhand.reports.results import Results
from byhand.statistics import Verdict

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
    """Results computed again under other choices, each when it is asked for."""

    def __init__(self, results: Results) -> None:
        self._used = results

    @cached_property
    def orders(self) -> dict[str, Alternative]:
        """Where ties touch a mean, what comes out if they are broken in other ways."""
        touched = any(
            table[f"{measure} best"].mean() - table[f"{measure} worst"].mean() >= _VISIBLE
            for table in self._used.tables.values()
            for measure in self._used.measures
        )
        try:
            return {order: self._under(ties=order) for order in _ORDERS} if touched else {}
        except ValueError:  # a measure whose mean over all orders is not known
            return {}

    def by_order(self, measure: str) -> list[tuple[str, bool, Alternative]]:
        """What comes out under each order of equal scores, and which is in use, that first."""
        used = self._used.chosen(measure).ties
        others = [(order, False, each) for order, each in self.orders.items() if order != used]
        return [(used, True, Alternative(self._used.tables, self._used.comparison)), *others]

    @cached_property
    def tie_dependent(self) -> pd.DataFrame:
        """The rows of the comparison whose verdict another order of equal scores would change."""
        table = self._used.comparison
        changed = [other.decides_otherwise(table) for other in self.orders.values()]
        return table[np.any(changed, axis=0)] if changed else table[:0]

    @property
    def unjudged(self) -> list[str]:
        """The measures to which items that nobody judged may matter."""
        found = []
        for name in self._used.measures:
            measure = measure_named(name)
            if measure.k is not None and not measure.of_judged:
                shares = [self._used.judged(system, measure.k) for system in self._used.tables]
                found += [name] * any(share < 1 for share in shares)
        return found

    @cached_property
    def unjudged_ranges(self) -> dict[str, pd.DataFrame] | None:
        """For each system, these measures if none and if all such items are relevant.

        None where that would take too long.
        """
        data = self._used.data
        if data.n_rows > _MOST_ROWS or data.scanned:
            return None
        options = {"conventions": data.conventions, "relevant_from": data.relevant_from}
        return {
            system: unjudged_range(run, data.qrels, self.unjudged, **options)
            for system, run in data.runs.items()
        }

    @cached_property
    def by_choice(self) -> dict[str, Alternative]:
        """What else could come out, by the choice that would change it; only those that apply.

        "ties expected", "ties best" and "ties worst": another order of equal scores. "answered":
        over the queries that every system answered; "missing": what a run lacks counts 0.
        "judged": without the items that nobody judged.
        """
        found = {f"ties {order}": each for order, each in self.orders.items()}
        chosen = self._used.chosen(self._used.measures[0])
        if self._used.lacking(0):
            zero = chosen.missing == "zero"
            found |= {"answered": self.answered} if zero else {"missing": self.with_missing}
        if self.unjudged and chosen.unjudged != "removed":
            found["judged"] = self.judged_only
        return found

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
        lacking = pd.Index([]).append(list(self._used.missing.values()))
        answered = self._used.first.index.difference(lacking, sort=False)
        tables = {name: table.loc[answered] for name, table in self._used.tables.items()}
        return Alternative(tables, self._used.compared(tables))

    def _under(self, **choices: str) -> Alternative:
        groups: dict[Conventions, list[str]] = {}
        for name in self._used.measures:
            groups.setdefault(self._used.chosen(name).but(**choices), []).append(name)
        tables = {
            system: pd.concat(
                [
                    self._used.data.evaluation(system, names, chosen).table()
                    for chosen, names in groups.items()
                ],
                axis=1,
            )
            for system in self._used.tables
        }
        return Alternative(tables, self._used.compared(tables))
