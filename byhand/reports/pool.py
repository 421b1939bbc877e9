"""What may hang on which items are judged."""

import warnings
from collections.abc import Mapping
from functools import cached_property

import pandas as pd

from byhand.metrics.evaluate import MissingQueriesWarning
from byhand.metrics.ranges import unjudged_range
from byhand.reports.comparison_rows import HIGHER, rows_of
from byhand.reports.other_choices import OtherChoices
from byhand.reports.results import Results

POOL_LIMIT = 0.1  # how far the judged shares of two systems may be apart without a word


class Pool:
    """The judged items: which verdicts turn on them, and how far a mean may.

    Args:
        results: the numbers.
        others: what would come out under other choices.
        most_rows: of the runs; beyond, to judge every item for the sake of a range takes too long.
    """

    def __init__(
        self, results: Results, others: OtherChoices, *, most_rows: int = 1_000_000
    ) -> None:
        self._results, self._others, self._most_rows = results, others, most_rows

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
        apart = abs(results.judged(a, results.top) - results.judged(b, results.top))
        return not removed and bool(round(apart, 9) > POOL_LIMIT)

    @cached_property
    def dependent(self) -> pd.DataFrame:
        """The rows of the comparison that decide otherwise on judged items only, as they are."""
        compared, judged = self._results.comparison, self._others.by_choice.get("judged")
        changed = compared.index[:0] if judged is None else self._others.changed(judged).index
        return compared.loc[changed]

    @cached_property
    def _turned(self) -> set[tuple[str, frozenset[str]]]:
        rows = rows_of(self.dependent)
        return {(row["measure"], frozenset((row["a"], row["b"]))) for row in rows}

    @cached_property
    def means(self) -> dict[str, dict[str, dict[str, float]]] | None:
        """Of each system what measures get if unjudged items are judged; None if it takes long."""
        data, names, found = self._results.inputs, self._results.of_unjudged, {}
        if data.n_rows > self._most_rows or data.scanned:
            return None
        options = {"conventions": data.conventions, "relevant_from": data.relevant_from}
        for system, run in data.runs.items():
            with warnings.catch_warnings():  # the report says itself what is missing
                warnings.simplefilter("ignore", MissingQueriesWarning)
                means = unjudged_range(run, data.qrels, names, **options).mean()
            found[system] = {
                n: {end: means[f"{n} {end}"] for end in ("none", "all")} for n in names
            }
        return found
