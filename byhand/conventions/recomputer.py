"""Computation of hits, values and means under variants of conventions."""

import math
from collections.abc import Mapping
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np

from byhand.conventions.departures import Variant
from byhand.conventions.mistaken import HITS, ROWS, relevant_as_in, with_copies
from byhand.errors import DataError
from byhand.metrics.conventions import CHOICES, OF_QUERIES, Conventions
from byhand.metrics.hits import Hits
from byhand.metrics.measures import Measure
from byhand.metrics.measures.measure import share
from byhand.metrics.measures.ties import Ties
from byhand.metrics.presets import PRESETS, preset_named
from byhand.metrics.run_with_qrels import RunWithQrels
from byhand.tables.counting import Run


class Earned(NamedTuple):
    """The credit of the queries, before the division."""

    hits: Hits
    credit: np.ndarray | None  # (Q,) None if no exact mean over ties is known
    divisor: np.ndarray  # (Q,)


class Recomputer:
    """A run with qrels, with a cache of all results."""

    def __init__(
        self,
        tables: RunWithQrels,
        measures: Mapping[str, Measure],
        conventions: str | Conventions,
        every: Run | None = None,
    ) -> None:
        if tables.run.lazy or tables.qrels.lazy:
            raise DataError(
                "which_conventions ranks the run again, so run and qrels must be in memory. Read "
                "some of the queries into memory, and pass those."
            )
        self.tables, self.measures = tables, measures
        self.every = every  # the run including rows that repeat an item
        self.preset = preset_named(conventions)
        self.query_ids = tables.qrels.query_ids
        self._top = float(tables.qrels.relevance.max())
        self._weights = np.random.default_rng(0).random(len(self.query_ids))
        # variants share many of these results
        self.chosen, self.ranked, self._hits, self._earned = map(
            cache, (self.chosen, self.ranked, self._hits, self._earned)
        )

    @cached_property
    def presets(self) -> dict[str, dict[str, Conventions]]:
        """Return the conventions of each measure, for each preset that accepts this data."""
        hits, accepting = self.tables.hits(), {}
        affected = {"no_relevant": hits.n_relevant == 0, "missing": hits.missing}
        affected = [choice for choice, queries in affected.items() if queries.any()]
        for tool, preset in PRESETS.items():
            chosen = {name: each.chosen_by(preset) for name, each in self.measures.items()}
            options = [getattr(each, choice) for each in chosen.values() for choice in affected]
            if "error" not in options:
                accepting[tool] = {name: self.settled(name, each) for name, each in chosen.items()}
        return accepting

    def settled(self, name: str, chosen: Conventions) -> Conventions:
        """Return the conventions, with our defaults for those that do not affect the result."""
        ours, concerned = self.preset.choices, self.measures[name].conventions
        same = [each for each in CHOICES if CHOICES[each].concerns and each not in concerned]
        same += [of for of in OF_QUERIES if getattr(chosen, of) == "error"]
        return chosen.but(**{each: getattr(ours, each) for each in same})

    def chosen(self, variant: Variant, name: str) -> tuple[Measure, Conventions]:
        """Return a measure and its conventions, after the departures."""
        measure, choices, preset = self.measures[name], {}, variant.setting("preset")
        for departure in variant.departures:
            measure = departure.applied_to(measure) or measure
            choices |= departure.choices
        chosen = self.presets[preset][name] if preset else measure.chosen_by(self.preset)
        return measure, chosen.but(**choices) if choices else chosen

    def ranked(self, rows: str) -> RunWithQrels | None:
        """Return the tables with other rows of the run; None if that makes no difference."""
        run, qrels = self.tables.run, self.tables.qrels
        if not rows:
            return self.tables
        if rows in ROWS:
            run = ROWS[rows](run, qrels)
        elif self.every is not None:
            run, qrels = with_copies(self.every, qrels, judged=rows != "once")
        else:
            return None
        if run is None:
            return None
        return RunWithQrels(run, qrels, relevant_from=self.tables.relevant_from)

    def _hits(
        self, rows: str, ties: str, unjudged: str, low_grades: str, judged: bool, *changes: str
    ) -> Hits:
        if changes:
            *before, change = changes
            hits = self._hits(rows, ties, unjudged, low_grades, judged, *before)
            return HITS[change](hits, self._top)
        counting = {"unjudged": unjudged, "low_grades": low_grades, "judged": judged}
        tables = self.ranked(rows)
        tables.hits(ties=ties, judged=True)  # count once for all lowest relevant grades
        hits = tables.hits(ties=ties, **counting)
        return relevant_as_in(self.tables.hits(**counting), hits) if rows == "counted" else hits

    def _earned(self, measure: Measure, chosen: Conventions, rows: str, *changes: str) -> Earned:
        counting = chosen.ties, chosen.unjudged, chosen.low_grades, measure.of_judged
        hits = self._hits(rows, *counting, *changes)
        hits = measure.counted(hits)
        divisor = measure.divisor(hits, chosen).astype(float)
        if chosen.ties != "expected":
            return Earned(hits, hits.per_query(measure.credit(hits, chosen)), divisor)
        try:
            credit = measure.expected_credit(hits, Ties.of(hits, measure.k), chosen)
        except ValueError:
            credit = None
        return Earned(hits, credit, divisor)

    def _of_variant(self, variant: Variant, name: str) -> Earned:
        measure, chosen = self.chosen(variant, name)
        changes = (each.hits for each in variant.departures if each.hits)
        chosen = chosen.but(**dict.fromkeys(OF_QUERIES, "zero"))
        return self._earned(measure, chosen, variant.setting("rows", ""), *changes)

    def per_query(self, variant: Variant, name: str) -> np.ndarray:
        """Return the values (Q,) of a measure, with NaN for queries that its mean leaves out."""
        hits, credit, divisor = self._of_variant(variant, name)
        if credit is None or variant.setting("mean") == "micro":
            return np.full(len(self.query_ids), np.nan)
        _, chosen = self.chosen(variant, name)
        values, digits = share(credit, divisor), variant.setting("digits")
        empty, missing = hits.n_relevant == 0, hits.missing
        if chosen.no_relevant == "one":
            values = np.where(empty, 1.0, values)
        if digits is not None:
            values = values.round(digits)
        out = (missing & (chosen.missing == "skip")) | (empty & (chosen.no_relevant == "skip"))
        if variant.setting("mean") == "found":
            out |= values == 0
        return np.where(out, np.nan, values)

    def mean(self, variant: Variant, name: str) -> tuple[float, float]:
        """Return the mean of a measure, and a fingerprint of its values."""
        hits, credit, divisor = self._of_variant(variant, name)
        if credit is None:
            return math.nan, math.nan
        mean, values = variant.setting("mean"), self.per_query(variant, name)
        if mean == "micro":
            whole = divisor.sum()
            return (credit.sum() / whole if whole else math.nan), 0.0
        kept = ~np.isnan(values)
        values = np.where(kept, values, 0.0)
        n = np.count_nonzero(hits.n_retrieved) + hits.n_run_only if mean == "run" else kept.sum()
        return (values.sum() / n if n else math.nan), float(values @ self._weights)
