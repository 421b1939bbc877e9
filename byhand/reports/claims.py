"""The conclusions of a report: how certain they are, and what could reverse them."""

import math
from collections.abc import Iterable, Mapping
from functools import cached_property

import numpy as np

from byhand.metrics.conventions import CHOICES
from byhand.metrics.measure_names import measure_named
from byhand.metrics.presets import FLOAT32
from byhand.reports.number_text import POOL_LIMIT, said_of
from byhand.reports.results import HIGHER, Results, side_of, turned
from byhand.statistics import (
    CONFIDENCE,
    Size,
    Verdict,
    queries_needed,
    size_of,
    smallest_difference,
)

_OVERTURNS = 4  # most comparisons with alternative outcomes
_NARROW, _NARROW_PART = (
    0.005,
    0.05,
)  # small limits for an interval: absolute, and relative to the mean
_OPEN = (Verdict.INCONCLUSIVE, Verdict.TOO_FEW)

Row = Mapping[str, object]


class Claims:
    """The conclusions for the templates and other formats."""

    def __init__(self, results: Results) -> None:
        self.results = results

    @property
    def first_figure(self) -> list[Row]:
        """The rows of the first figure: differences from the base, or means of a single system."""
        results = self.results
        rows = [results.row_of(m, name) for m in results.measures for name in results.systems]
        return [*filter(None, rows)] or results.means.to_dict("records")

    def narrow(self, row: Row) -> bool:
        """Return whether an inconclusive difference is certainly small."""
        if row["verdict"] not in _OPEN or not row["wins"] + row["losses"]:
            return False
        part = _NARROW_PART * max(row["mean_a"], row["mean_b"])
        limit = min(_NARROW, part) if self.results.matters is None else self.results.matters
        return size_of(row["at_least"], row["at_most"], limit) == Size.WITHIN

    def size(self, row: Row) -> Size:
        """Compare a difference with the smallest one that matters, if it was given."""
        if self.results.matters is None or row["verdict"] == Verdict.WITHHELD:
            return Size.OPEN
        return size_of(row["at_least"], row["at_most"], self.results.matters)

    @property
    def says_size(self) -> bool:
        """Whether the report describes the size of any difference."""
        return self.results.matters is not None or any(map(self.narrow, self.results.rows))

    def alike(self, rows: Iterable[Row], *, narrow: bool = False) -> list[dict[str, object]]:
        """Group rows by verdict and caution; with `narrow`, also by whether they are small."""
        groups: dict[tuple[object, ...], dict[str, object]] = {}
        for row in rows:
            higher, small = row["verdict"] in HIGHER, narrow and self.narrow(row)
            kept = higher or row["verdict"] == Verdict.WITHHELD
            part = {
                "verdict": row["verdict"] if kept else Verdict.INCONCLUSIVE,
                "caution": higher and bool(row["caution"]),
            }
            alike = groups.setdefault((*part.values(), small), {**part, "most": 0, "rows": []})
            alike["rows"].append(row)
            if small:
                alike["most"] = max(alike["most"], -row["at_least"], row["at_most"])
        return [*groups.values()]

    @cached_property
    def overturns(self) -> list[dict[str, object]]:
        """The first difference under other conventions, and those whose verdict changes."""
        results, found = self.results, []
        choices = {f"ties {order}": each.rows for order, each in results.orders.items()}
        if results.judged_only:
            choices["judged"] = results.judged_only.rows
        for place, row in enumerate(results.rows):
            used, verdict = f"ties {results.chosen(row['measure']).ties}", side_of(row["verdict"])
            others = {
                name: rows[place]
                for name, rows in choices.items()
                if rows and name != used and not np.isnan(rows[place]["difference"])
            }
            turns = {name for name, each in others.items() if side_of(each["verdict"]) != verdict}
            shown = turns
            if place == 0 and len(results.pairs) == 1:
                shown = others.keys() - ({"ties expected"} - turns)
            if shown and len(found) < _OVERTURNS:
                rows = [("used", row), *(each for each in others.items() if each[0] in shown)]
                if len(results.pairs) > 1:  # same direction as the figure
                    rows = [(name, turned(each)) for name, each in rows]
                found.append({"turns": bool(turns), "rows": rows})
        return found

    @cached_property
    def judgements_decide(self) -> bool:
        """Whether a verdict on the first measure may depend on the choice of judged items.

        It may if judged items alone give another verdict, or if the systems' judged shares differ
        much.
        """
        results = self.results
        if not results.judged_only or results.judged_only.comparison is None:
            return False
        shares = [results.judged(name, results.top) for name in results.systems]
        apart = any(round(abs(share - shares[0]), 9) > POOL_LIMIT for share in shares)
        return apart or results.measures[0] in set(results.changed(results.judged_only)["measure"])

    @property
    def low_grades_lost(self) -> bool:
        """Whether other tools would give a gain to grades that are not relevant here."""
        lowest = self.results.inputs.relevant_from
        used = np.concatenate([each.counts.grades for each in self.results.inputs.checked.values()])
        if lowest is None or not ((used > 0) & (used < lowest)).any():
            return False
        return any(
            "low_grades" in measure_named(name).conventions
            and self.results.chosen(name).low_grades == "nothing"
            and self.results.chosen(name).gain != "binary"
            for name in self.results.measures
        )

    @property
    def exception(self) -> str:
        """The differences between the preset and its tool that these data can show."""
        counts = [checked.counts for checked in self.results.inputs.checked.values()]
        rounded = any(count.tied_as_float32 > count.tied for count in counts)
        preset = self.results.preset
        # rounding to float32 matters only if it makes scores equal
        return "" if preset.except_that == (FLOAT32,) and not rounded else preset.exception

    def could_show(self, row: Row) -> float:
        """Return the smallest difference with 80% power, or the queries needed for `matters`."""
        results = self.results
        drawn = results.independent(results.differences(row["measure"], row["a"], row["b"]))
        spread, n = drawn.std(ddof=1), len(drawn)
        # threshold for p in the first step of Holm's procedure
        alpha = (1 - CONFIDENCE) / results.family
        if results.matters is None:
            return smallest_difference(spread, n, alpha=alpha)
        needed = queries_needed(spread, results.matters, alpha=alpha)
        return math.ceil(needed * row["queries"] / n)  # clusters of the same mean size

    @property
    def choices(self) -> list[tuple[str, str]]:
        """The conventions of the measures, each with its measures if these differ."""
        results, lowest, choices = self.results, self.results.inputs.relevant_from, []
        for name, choice in CHOICES.items():
            if choice.of_low_grades and lowest is None:
                continue
            said = said_of(
                {
                    measure: choice.clause(getattr(results.chosen(measure), name), lowest)
                    for measure in results.measures
                    if name in measure_named(measure).conventions or not choice.concerns
                }
            )
            choices += [(which if len(said) > 1 else "", clause) for which, clause in said.items()]
        return choices
