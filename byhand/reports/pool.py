"""How much of what was retrieved is judged, and what may hang on that."""

import warnings
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from byhand.metrics.evaluate import MissingQueriesWarning
from byhand.metrics.measure_names import measure_named
from byhand.metrics.measures.judged import Judged
from byhand.metrics.ranges import unjudged_range
from byhand.reports.comparison_rows import HIGHER, rows_of

if TYPE_CHECKING:
    from byhand.reports.results import Results

POOL_LIMIT = 0.1  # how far the judged shares of two systems may be apart without a word
_MOST_ROWS = 1_000_000  # beyond, to judge every item for the sake of a range takes too long


class Pool:
    """The judged items: how many of each list they are, and which verdicts turn on them."""

    def __init__(self, results: "Results") -> None:
        self._results = results

    def judged(self, system: str, k: int | None) -> float:
        """The mean Judged@k over the queries that a system answered; NaN if that is not known."""
        results, data = self._results, self._results.data
        if k is None or data.relevant_only or (data.scanned and data.judged_run):
            return np.nan
        return results.tables[system][str(Judged(k=k))].drop(results.missing[system]).mean()

    def decides(self, row: Mapping[str, object]) -> bool:
        """Whether a verdict may be one on the judgements: on judged items only it is another.

        Or else, of the first items of one of the two far more have a judgement.
        """
        here = row["measure"], frozenset((row["a"], row["b"]))
        doubtful = here in self._turned or self._apart(row["a"], row["b"])
        return row["verdict"] in HIGHER and doubtful

    @property
    def may_decide(self) -> bool:
        """Whether what is judged may decide which of any two is higher in the first measure."""
        turned = any(measure == self._results.measures[0] for measure, _ in self._turned)
        return turned or any(self._apart(a, b) for a, b in self._results.pairs)

    def _apart(self, a: str, b: str) -> bool:
        results = self._results
        removed = results.chosen(results.measures[0]).unjudged == "removed"
        apart = abs(self.judged(a, results.top) - self.judged(b, results.top))
        return not removed and bool(round(apart, 9) > POOL_LIMIT)

    @cached_property
    def dependent(self) -> pd.DataFrame:
        """The rows of the comparison that decide otherwise on judged items only, as they are."""
        results, others = self._results, self._results.others
        judged = others.by_choice.get("judged")
        compared = results.comparison
        changed = compared.index[:0] if judged is None else others.changed(judged).index
        return compared.loc[changed]

    @cached_property
    def _turned(self) -> set[tuple[str, frozenset[str]]]:
        rows = rows_of(self.dependent)
        return {(row["measure"], frozenset((row["a"], row["b"]))) for row in rows}

    @property
    def measures(self) -> list[str]:
        """The measures to which items that nobody judged may matter."""
        return [
            name
            for name in self._results.measures
            if not (measure := measure_named(name)).of_judged
            and any(self.judged(system, measure.k) < 1 for system in self._results.systems)
        ]

    @cached_property
    def means(self) -> dict[str, dict[str, dict[str, float]]] | None:
        """Of each system what these measures get if those are judged; None if it takes long."""
        data, names, found = self._results.data, self.measures, {}
        if data.n_rows > _MOST_ROWS or data.scanned:
            return None
        options = {"conventions": data.conventions, "relevant_from": data.relevant_from}
        for system, run in data.runs.items():
            with warnings.catch_warnings():  # the report says itself what is missing
                warnings.simplefilter("ignore", MissingQueriesWarning)
                means = unjudged_range(run, data.qrels, names, **options).mean()
            ends = ("none", "all", "least", "most")
            found[system] = {n: {end: means[f"{n} {end}"] for end in ends} for n in names}
        return found
