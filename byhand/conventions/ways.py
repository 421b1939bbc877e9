"""A run under qrels as departures from some conventions make of them: hits, values, means."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd

from byhand.conventions.departures import (
    CHANGES,
    MISTAKES,
    Departure,
    conventions_otherwise,
    cutoffs_otherwise,
    measures_otherwise,
)
from byhand.errors import DataError
from byhand.metrics.conventions import CHOICES, OF_QUERIES, Conventions
from byhand.metrics.hits import Hits, Tables
from byhand.metrics.measures import Measure
from byhand.metrics.measures.measure import share
from byhand.metrics.measures.ties import Ties
from byhand.metrics.presets import PRESETS, preset_named
from byhand.tables.counting import Qrels, Run
from byhand.words import N_, gettext as _, spoken, text


class Way(NamedTuple):
    """Some departures, each about something else."""

    departures: tuple[Departure, ...]

    @property
    def words(self) -> str:
        """What is done otherwise, in the language that is spoken."""
        said = [spoken(each.says) for each in self.departures]
        return "; ".join(said) or _("the conventions given")

    @property
    def mistakes(self) -> int:
        """How many departures no conventions have."""
        return sum(each.mistake for each in self.departures)

    @property
    def seen_in(self) -> list[str]:
        """The tools that were seen to make all of its mistakes."""
        of = [each.seen_in for each in self.departures if each.mistake]
        return [tool for tool in PRESETS if of and all(tool in tools for tools in of)]

    def one(self, name: str, otherwise: object = None) -> object:
        """What the departure that has one says, of those that may say it."""
        found = (getattr(each, name) for each in self.departures)
        return next(filter(None, found), otherwise)


class Case:
    """A run under qrels, and all that was computed of them so far."""

    def __init__(
        self,
        tables: Tables,
        measures: Mapping[str, Measure],
        conventions: str | Conventions,
        every: Run | None = None,
    ) -> None:
        if tables.run.lazy or tables.qrels.lazy:
            raise DataError(
                "which_conventions ranks a run anew, so it needs run and qrels in memory."
            )
        self.tables, self.measures = tables, measures
        self.every = every  # with the rows that were left out, since they repeat an item
        self.preset = preset_named(conventions)
        self.query_ids = tables.qrels.query_ids
        self._top = float(tables.qrels.relevance.max())
        self._weights = np.random.default_rng(0).random(len(self.query_ids))
        # many ways have some of these in common
        self.chosen, self._ranked, self._hits, self._earned = map(
            cache, (self._chosen, self._ranked, self._hits, self._earned)
        )

    @cached_property
    def departures(self) -> list[Departure]:
        """All that can be done otherwise, what tools mean to do before what they do not."""
        cutoffs = dict.fromkeys(measure.k for measure in self.measures.values())
        low_grades = self.tables.relevant_from is not None
        single = [*conventions_otherwise(self.preset.choices, low_grades=low_grades)]
        found = [*single, *self._several(single)]
        found += [each for k in cutoffs for each in cutoffs_otherwise(k)]
        if len(self.measures) == 1:
            found += measures_otherwise(*self.measures.values())
        found += [each for each in MISTAKES if self._ranked(each.rows) is not None]
        return [each for each in found if any(map(each.measure, self.measures.values()))]

    @cached_property
    def presets(self) -> dict[str, dict[str, Conventions]]:
        """What each preset that takes this data chooses for each measure."""
        hits, found = self.tables.hits(), {}
        refused = {"no_relevant": hits.n_relevant == 0, "missing": hits.n_retrieved == 0}
        refused = [of for of, queries in refused.items() if queries.any()]
        for tool, preset in PRESETS.items():
            chosen = {name: each.named_by(preset) for name, each in self.measures.items()}
            if not any(getattr(each, of) == "error" for each in chosen.values() for of in refused):
                found[tool] = {name: self.settled(name, each) for name, each in chosen.items()}
        return found

    def settled(self, name: str, chosen: Conventions) -> Conventions:
        """The same conventions, with ours where they do not concern a measure or this data."""
        ours, concerned = self.preset.choices, self.measures[name].conventions
        same = [each for each in CHOICES if CHOICES[each].concerns and each not in concerned]
        same += [of for of in OF_QUERIES if getattr(chosen, of) == "error"]
        return chosen.but(**{each: getattr(ours, each) for each in same})

    def _several(self, single: list[Departure]) -> Iterator[Departure]:
        """Presets whose choices no single one makes, for all measures or for some of them."""
        ways = [Way(()), *(Way((each,)) for each in single)]
        seen = [
            {name: self.settled(name, self.chosen(way, name)[1]) for name in self.measures}
            for way in ways
        ]
        for tool, chosen in self.presets.items():
            if chosen not in seen:
                seen.append(chosen)
                *names, last = [each for each, theirs in self.presets.items() if theirs == chosen]
                says = text(N_("as {tool} computes it"), tool=tool)
                if names:
                    tools = text(N_("{names} and {last}"), names=", ".join(names), last=last)
                    says = text(N_("as {tools} compute it"), tools=tools)
                yield Departure(of="preset", says=says, preset=tool)

    def _about(self, departure: Departure) -> set[str]:
        """What it is about: of a preset, all choices that it makes otherwise."""
        of = {departure.of}
        for name, theirs in self.presets.get(departure.preset, {}).items():
            ours = self.measures[name].named_by(self.preset)
            of |= {each for each in CHOICES if getattr(ours, each) != getattr(theirs, each)}
        return of

    def ways(self, departures: int) -> Iterator[Way]:
        """Every combination of so many departures, each about something else."""
        about = {each: self._about(each) for each in self.departures}
        for n in range(departures + 1):
            for chosen in combinations(self.departures, n):
                of, mean = {each.of for each in chosen}, Way(chosen).one("mean")
                if (mean and of.intersection(OF_QUERIES)) or (mean == "micro" and "rounding" in of):
                    continue
                settled = [about[each] for each in chosen]
                if len(set().union(*settled)) == sum(map(len, settled)):
                    yield Way(chosen)

    def _chosen(self, way: Way, name: str) -> tuple[Measure, Conventions]:
        """A measure, and its conventions, as the departures make them."""
        measure, choices, preset = self.measures[name], {}, way.one("preset")
        for departure in way.departures:
            measure = departure.measure(measure) or measure
            choices |= departure.choices
        chosen = self.presets[preset][name] if preset else measure.named_by(self.preset)
        return measure, chosen.but(**choices) if choices else chosen

    def _ranked(self, rows: str) -> Tables | None:
        """The tables with the run's rows otherwise; None where that is nothing else."""
        run, qrels = self.tables.run, self.tables.qrels
        if not rows:
            return self.tables
        if rows in _RUNS:
            run = _RUNS[rows](run, qrels)
        elif self.every is not None:
            run, qrels = _with_copies(self.every, qrels, judged=rows != "once")
        else:
            return None
        return run if run is None else Tables(run, qrels, relevant_from=self.tables.relevant_from)

    def _hits(self, rows: str, ties: str, unjudged: str, low_grades: str, *changes: str) -> Hits:
        if changes:
            *before, change = changes
            hits = self._hits(rows, ties, unjudged, low_grades, *before)
            return CHANGES[change](hits, self._top)
        tables, counting = self._ranked(rows), {"unjudged": unjudged, "low_grades": low_grades}
        tables.hits(ties=ties, judged=True)  # counted once for all lowest grades
        found = tables.hits(ties=ties, **counting)
        if rows == "counted":
            once = self.tables.hits(**counting)
            query, grade = once.relevant_query, once.relevant_grade
            found = replace(found, relevant_query=query, relevant_grade=grade)
        return found

    def _earned(
        self, measure: Measure, chosen: Conventions, rows: str, *changes: str
    ) -> tuple[Hits, np.ndarray | None, np.ndarray]:
        """The hits, (Q,) what they earn, None where no exact mean over orders is known, of what."""
        hits = self._hits(rows, chosen.ties, chosen.unjudged, chosen.low_grades, *changes)
        hits = measure.counted(hits)
        divisor = measure.divisor(hits, chosen).astype(float)
        if chosen.ties != "expected":
            return hits, hits.per_query(measure.credit(hits, chosen)), divisor
        try:
            return hits, measure.expected_credit(hits, Ties.of(hits, measure.k), chosen), divisor
        except ValueError:
            return hits, None, divisor

    def _found(self, way: Way, name: str) -> tuple[Hits, np.ndarray | None, np.ndarray]:
        measure, chosen = self.chosen(way, name)
        changes = (each.hits for each in way.departures if each.hits)
        chosen = chosen.but(**dict.fromkeys(OF_QUERIES, "zero"))
        return self._earned(measure, chosen, way.one("rows", ""), *changes)

    def per_query(self, way: Way, name: str) -> np.ndarray:
        """(Q,) the values of a measure as they go into its mean, NaN for those left out."""
        hits, earned, divisor = self._found(way, name)
        if earned is None or way.one("mean") == "micro":
            return np.full(len(self.query_ids), np.nan)
        _, chosen = self.chosen(way, name)
        values, digits = share(earned, divisor), way.one("digits")
        empty, missing = hits.n_relevant == 0, hits.n_retrieved == 0
        if chosen.no_relevant == "one":
            values = np.where(empty, 1.0, values)
        if digits is not None:
            values = values.round(digits)
        out = (missing & (chosen.missing == "skip")) | (empty & (chosen.no_relevant == "skip"))
        if way.one("mean") == "found":
            out |= values == 0
        return np.where(out, np.nan, values)

    def mean(self, way: Way, name: str) -> tuple[float, float]:
        """The mean of a measure, and a number that tells its values from others."""
        hits, earned, divisor = self._found(way, name)
        if earned is None:
            return math.nan, math.nan
        mean, values = way.one("mean"), self.per_query(way, name)
        if mean == "micro":
            whole = divisor.sum()
            return (earned.sum() / whole if whole else math.nan), 0.0
        kept = ~np.isnan(values)
        values = np.where(kept, values, 0.0)
        n = np.count_nonzero(hits.n_retrieved) + hits.n_run_only if mean == "run" else kept.sum()
        return (values.sum() / n if n else math.nan), float(values @ self._weights)


def _texts(run: Run) -> np.ndarray:
    return run.doc.text(np.arange(len(run)))


def _narrow(run: Run, qrels: Qrels) -> Run | None:
    narrow = np.asarray(run.score).astype(np.float32)
    return None if (narrow == run.score).all() else run.scored(narrow.astype(float))


def _by_positions(run: Run, qrels: Qrels) -> Run | None:
    names = [*qrels.query_ids[: len(run.query_ids)]]
    names += [f"\0{n}" for n in range(len(names), len(run.query_ids))]
    if [*run.query_ids] == names:
        return None
    return replace(run, query_ids=np.array(names, dtype=object), _known={}, _rows={})


def _without_itself(run: Run, qrels: Qrels) -> pd.DataFrame | None:
    itself = _texts(run) == run.query_ids[run.query]
    return run.rows_of()[~itself] if itself.any() and not itself.all() else None


# what else may be ranked; None where that is the same
_RUNS = {
    "ascending": lambda run, qrels: run.scored(-np.asarray(run.score, dtype=float)),
    "rows": lambda run, qrels: run.scored(-np.arange(len(run), dtype=float)),
    "ids": lambda run, qrels: run.scored(-pd.factorize(_texts(run), sort=True)[0].astype(float)),
    "float32": _narrow,
    "positions": _by_positions,
    "itself": _without_itself,
}


def _with_copies(
    run: Run, qrels: Qrels, *, judged: bool
) -> tuple[pd.DataFrame, Qrels | pd.DataFrame]:
    """Every row of a run, a copy of an item by a name of its own; and the qrels, with it or not."""
    rows = run.rows_of()
    nth = rows.groupby(["query_id", "doc_id"], sort=False).cumcount()
    named = rows["doc_id"].where(nth == 0, rows["doc_id"] + "\0" + nth.astype(str))
    if judged:
        grades = qrels.rows_of()
        pairs = rows.assign(copy=named)[nth > 0].drop(columns="score")
        copies = pairs.merge(grades, on=["query_id", "doc_id"]).drop(columns="doc_id")
        qrels = pd.concat([grades, copies.rename(columns={"copy": "doc_id"})], ignore_index=True)
    return rows.assign(doc_id=named), qrels
