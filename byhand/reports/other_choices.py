"""What could come out otherwise: under another order of equal scores, or other conventions."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from byhand.metrics.conventions import Conventions
from byhand.reports.comparison_rows import rows_of, side_of
from byhand.reports.number_text import VISIBLE
from byhand.reports.results import Results

_ORDERS = ("expected", "best", "worst")


@dataclass(frozen=True)
class Alternative:
    """What would come out under other choices: the values of each system, and their comparison."""

    tables: dict[str, pd.DataFrame]
    comparison: pd.DataFrame | None

    @property
    def rows(self) -> list[dict[str, object]]:
        """The rows of the comparison."""
        return rows_of(self.comparison)


class OtherChoices:
    """What would come out of the same runs under other choices, each computed once."""

    def __init__(self, results: Results) -> None:
        self._results = results
        self._found: dict[frozenset[tuple[str, str]], Alternative] = {}

    def under(self, **choices: str) -> Alternative:
        """What comes out under other conventions."""
        asked = frozenset(choices.items())
        if asked not in self._found:
            self._found[asked] = self._under(choices)
        return self._found[asked]

    def _under(self, choices: Mapping[str, str]) -> Alternative:
        results = self._results
        groups: dict[Conventions, list[str]] = {}
        for name in results.measures:
            groups.setdefault(results.chosen(name).but(**choices), []).append(name)
        tables = {}
        for system in results.systems:
            parts = (results.inputs.evaluation(system, names, how) for how, names in groups.items())
            tables[system] = pd.concat([part.table() for part in parts], axis=1)
        return Alternative(tables, results.compared(tables))

    @cached_property
    def answered(self) -> Alternative:
        """What comes out over the queries that every system answered."""
        results = self._results
        lacking = pd.Index([]).append(list(results.missing.values()))
        answered = results.first_table.index.difference(lacking, sort=False)
        tables = {name: table.loc[answered] for name, table in results.tables.items()}
        return Alternative(tables, results.compared(tables))

    @cached_property
    def orders(self) -> dict[str, Alternative]:
        """Where ties touch a mean, what comes out if they are broken in other ways."""
        touched = any(
            table[f"{measure} best"].mean() - table[f"{measure} worst"].mean() >= VISIBLE
            for table in self._results.tables.values()
            for measure in self._results.measures
        )
        try:
            return {order: self.under(ties=order) for order in _ORDERS} if touched else {}
        except ValueError:  # a measure whose mean over all orders is not known
            return {}

    @cached_property
    def by_choice(self) -> dict[str, Alternative]:
        """What else could come out, by the choice that would change it; only those that apply."""
        results = self._results
        found = {f"ties {order}": each for order, each in self.orders.items()}
        chosen = results.chosen(results.measures[0])
        if results.lacking(0) and chosen.missing == "zero":
            found["answered"] = self.answered
        elif results.lacking(0):
            found["missing"] = self.under(missing="zero")
        if results.of_unjudged and chosen.unjudged != "removed":
            found["judged"] = self.under(unjudged="removed")
        return found

    def changed(self, found: Alternative) -> pd.DataFrame:
        """The rows of the comparison with which other choices decide otherwise, as these say."""
        before, after = (each.comparison["verdict"].map(side_of) for each in (self._results, found))
        return found.comparison[after != before]

    @cached_property
    def tie_dependent(self) -> pd.DataFrame:
        """The rows of the comparison whose verdict another order of equal scores would change."""
        rows = {row for other in self.orders.values() for row in self.changed(other).index}
        compared = self._results.comparison
        return compared[compared.index.isin(rows)]
