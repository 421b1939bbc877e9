"""A run under qrels as departures from some conventions make of them: hits, values, means.

Numerators and divisors depend on few departures each, so both are computed once for each that
occurs, and the means over them.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pandas as pd

from byhand.errors import DataError
from byhand.metrics.conventions import CHOICES, Conventions
from byhand.metrics.hits import Hits, Tables
from byhand.metrics.measures import Measure
from byhand.metrics.measures.measure import share
from byhand.metrics.measures.ties import Ties
from byhand.metrics.presets import PRESETS, preset_named
from byhand.statistics.departures import (
    MISTAKES,
    Departure,
    conventions_otherwise,
    cutoffs_otherwise,
    measures_otherwise,
)
from byhand.tables.counting import ABOVE_ZERO, Judgements, Qrels, Run
from byhand.words import N_, gettext as _, spoken, text

Made = TypeVar("Made")
_OF_MEANS = {"no_relevant", "missing"}  # choices that count queries, and move no value of one
_BLANK = dict.fromkeys(_OF_MEANS, "zero")


@dataclass(frozen=True)
class Way:
    """Some departures, each about something else."""

    departures: tuple[Departure, ...]

    @cached_property
    def key(self) -> tuple[int, ...]:
        """What tells it from others."""
        return tuple(map(id, self.departures))

    @cached_property
    def of_values(self) -> "Way":
        """Those of them that can move the value of a query."""
        return Way(tuple(each for each in self.departures if each.of not in _AFTER))

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
        return next(
            (getattr(each, name) for each in self.departures if getattr(each, name)), otherwise
        )


class Values(NamedTuple):
    """The values of the queries under a measure, and who is left out or counted otherwise."""

    values: np.ndarray
    earned: np.ndarray
    divisor: np.ndarray
    empty: np.ndarray
    missing: np.ndarray
    n_run: int


_OF_COPIES = ("counted", "apart", "once")
_ORDERS = ("ascending", "rows", "ids", "float32")
_AFTER = {*_OF_MEANS, "mean", "rounding", "printing"}  # what is done once the values are there


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
        self.preset = preset_named(conventions)
        self.query_ids = tables.qrels.query_ids
        self.top = float(tables.qrels.relevance.max())
        self._every = every  # with the rows that were left out, since they repeat an item
        self._tables: dict[str, Tables | None] = {"": tables}
        self._kept: dict[object, Any] = {}
        self._weights = np.random.default_rng(0).random(len(self.query_ids))

    @cached_property
    def departures(self) -> list[Departure]:
        """All that can be done otherwise, what tools mean to do before what they do not."""
        cutoffs = dict.fromkeys(measure.k for measure in self.measures.values())
        found = [
            *conventions_otherwise(
                self.preset.choices, low_grades=self.tables.relevant_from is not None
            ),
            *self._several(),
            *(each for k in cutoffs for each in cutoffs_otherwise(k)),
        ]
        if len(self.measures) == 1:
            found += measures_otherwise(*self.measures.values())
        found += [each for each in MISTAKES if not each.rows or self._other_rows(each.rows)]
        return [each for each in found if any(map(each.concerns, self.measures.values()))]

    @cached_property
    def presets(self) -> dict[str, dict[str, Conventions]]:
        """What each preset that takes this data chooses for each measure."""
        hits = self.tables.hits()
        refused = {"no_relevant": hits.n_relevant == 0, "missing": hits.n_retrieved == 0}
        found = {}
        for tool, preset in PRESETS.items():
            chosen = {name: each.named_by(preset) for name, each in self.measures.items()}
            if not any(
                getattr(each, of) == "error" and queries.any()
                for each in chosen.values()
                for of, queries in refused.items()
            ):
                found[tool] = {name: self._settled(name, each) for name, each in chosen.items()}
        return found

    def _settled(self, name: str, chosen: Conventions) -> Conventions:
        """The same conventions, with ours where they do not concern a measure or this data."""
        ours, concerned = self.preset.choices, self.measures[name].conventions
        same = {
            each.name: getattr(ours, each.name)
            for each in CHOICES.values()
            if each.concerns and each.name not in concerned
        }
        same |= {of: getattr(ours, of) for of in _OF_MEANS if getattr(chosen, of) == "error"}
        return chosen.but(**same)

    def _several(self) -> Iterator[Departure]:
        """Presets that make several choices otherwise: one choice is a departure of its own."""
        seen = []
        for tool, chosen in self.presets.items():
            departure = Departure(
                of="preset", says=text(N_("as {tool} computes it"), tool=tool), preset=tool
            )
            if chosen not in seen and len(self._settled_by(departure)) > 2:
                seen.append(chosen)
                yield departure

    def _settled_by(self, departure: Departure) -> set[str]:
        """What it is about: of a preset, all choices that it makes otherwise."""
        if not departure.preset:
            return {departure.of}
        of = {departure.of}
        for name, theirs in self.presets[departure.preset].items():
            ours = self.measures[name].named_by(self.preset)
            of |= {each for each in CHOICES if getattr(ours, each) != getattr(theirs, each)}
        return {{"ties": "order"}.get(each, each) for each in of}

    def ways(self, departures: int) -> Iterator[Way]:
        """Every combination of so many departures, each about something else."""
        about = {id(each): self._settled_by(each) for each in self.departures}
        for n in range(departures + 1):
            for chosen in combinations(self.departures, n):
                of = [about[id(each)] for each in chosen]
                if len(set().union(*of)) == sum(map(len, of)) and _sensible(chosen):
                    yield Way(chosen)

    def chosen(self, way: Way, name: str) -> tuple[Measure, Conventions]:
        """A measure, and its conventions, as the departures make them."""
        return self._once((way.key, name), lambda: self._chosen(way, name))

    def _chosen(self, way: Way, name: str) -> tuple[Measure, Conventions]:
        measure, preset = self.measures[name], way.one("preset")
        for departure in way.departures:
            if departure.measure is not None:
                measure = departure.measure(measure) or measure
        choices = {name: option for each in way.departures for name, option in each.choices.items()}
        chosen = self.presets[preset][name] if preset else measure.named_by(self.preset)
        return measure, chosen.but(**choices) if choices else chosen

    def settled(self, way: Way, name: str) -> Conventions:
        """The conventions of a measure as those of presets: with ours where they are not its."""
        return self._settled(name, self.chosen(way, name)[1])

    def _once(self, key: object, make: Callable[[], Made]) -> Made:
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def _other_rows(self, rows: str) -> Tables | None:
        """The tables with the run's rows otherwise; None where that is nothing else."""
        if rows not in self._tables:
            run, qrels = None, self.tables.qrels
            if rows not in _OF_COPIES:
                run = _ROWS[rows](self.tables)
            elif self._every is not None:
                run, qrels = _with_copies(self._every, qrels, judged=rows != "once")
            if run is not None:
                run = Tables(run, qrels, relevant_from=self.tables.relevant_from)
            self._tables[rows] = run
        return self._tables[rows]

    @property
    def repeats(self) -> bool:
        """Whether the run has an item twice, of which one row was left out."""
        return self._every is not None

    def _hits(self, way: Way, chosen: Conventions, *, order: bool = True) -> tuple[object, Hits]:
        """The hits as the departures make them, and what they depend on."""
        rows, ties = way.one("rows", ""), chosen.ties
        if not order:
            rows, ties = ("" if rows in _ORDERS else rows), self.preset.choices.ties
        lowest, grades = way.one("lowest"), way.one("grades")
        ranked = (rows, ties, chosen.unjudged, chosen.low_grades)
        key = (*ranked, lowest, grades)

        def make() -> Hits:
            found = self._once(ranked, lambda: self._ranked(*ranked))
            if lowest is not None:
                found = found.at_least(lowest(self.top))
            return (
                found if grades is None else _regraded(found, lambda each: grades(each, self.top))
            )

        return key, self._once(key, make)

    def _ranked(self, rows: str, ties: str, unjudged: str, low_grades: str) -> Hits:
        """The hits of rows in an order."""
        tables, options = self._other_rows(rows), {"unjudged": unjudged, "low_grades": low_grades}
        # counted once for all lowest grades
        self._once((rows, ties), lambda: tables.hits(ties=ties, judged=True))
        found = tables.hits(ties=ties, **options)
        if rows == "counted":
            once = self.tables.hits(**options)
            query, grade = once.relevant_query, once.relevant_grade
            found = replace(found, relevant_query=query, relevant_grade=grade)
        return found

    def values(self, way: Way, name: str) -> Values | None:
        """The values of a measure; None where no formula is known."""
        return self._once((way.of_values.key, name, "values"), lambda: self._values(way, name))

    def _values(self, way: Way, name: str) -> Values | None:
        measure, chosen = self.chosen(way.of_values, name)
        chosen = _blank(chosen)
        key, hits = self._hits(way, chosen)
        credit = _of_credit(chosen)
        earned = self._once(
            (key, measure, credit), lambda: _earned(measure, measure.counted(hits), credit)
        )
        if earned is None:
            return None
        ordered = chosen.denominator == "retrieved" or _orders_divisor(measure)
        key, ranked = self._hits(way, chosen, order=ordered)

        def divide() -> tuple[np.ndarray, np.ndarray]:
            counted = measure.counted(ranked)
            return measure.divisor(counted, chosen).astype(float), counted.n_relevant == 0

        divisor, empty = self._once((key, measure, _of_divisor(chosen), "divisor"), divide)
        missing = hits.n_retrieved == 0
        n_run = int((~missing).sum()) + hits.n_run_only
        return Values(share(earned, divisor), earned, divisor, empty, missing, n_run)

    def per_query(self, way: Way, name: str) -> np.ndarray | None:
        """(Q,) the values of a measure as they go into its mean, NaN for those left out."""
        found = self.values(way, name)
        if found is None or way.one("mean") == "micro":
            return None
        _, chosen = self.chosen(way, name)
        values, digits = found.values, way.one("digits")
        if chosen.no_relevant == "one":
            values = np.where(found.empty, 1.0, values)
        if digits is not None:
            values = values.round(digits)
        out = (found.missing & (chosen.missing == "skip")) | (
            found.empty & (chosen.no_relevant == "skip")
        )
        if way.one("mean") == "found":
            out |= values == 0
        return np.where(out, np.nan, values)

    def mean(self, way: Way, name: str) -> tuple[float, float]:
        """The mean of a measure, and a number that tells its values from others."""
        found = self.values(way, name)
        if found is None:
            return math.nan, math.nan
        if way.one("mean") == "micro":
            whole = found.divisor.sum()
            return (found.earned.sum() / whole if whole else math.nan), 0.0
        values = self.per_query(way, name)
        kept = ~np.isnan(values)
        values = np.where(kept, values, 0.0)
        n = found.n_run if way.one("mean") == "run" else kept.sum()
        return (values.sum() / n if n else math.nan), float(values @ self._weights)


@lru_cache
def _blank(chosen: Conventions) -> Conventions:
    """What moves the value of a query."""
    return chosen.but(**_BLANK)


@lru_cache
def _of_credit(chosen: Conventions) -> Conventions:
    """What moves what its hits earn."""
    credit = chosen.but(ideal="judged")
    return credit if chosen.ties == "expected" else credit.but(denominator="relevant")


@lru_cache
def _of_divisor(chosen: Conventions) -> Conventions:
    """What moves what that is divided by, once it is known whose hits it needs."""
    return chosen.but(ties="input")


def _sensible(chosen: Iterable[Departure]) -> bool:
    """Whether departures say something beside each other."""
    mean = next((each.mean for each in chosen if each.mean), "")
    of = {each.of for each in chosen}
    return not (mean and of & _OF_MEANS) and not (mean == "micro" and "rounding" in of)


def _orders_divisor(measure: Measure) -> bool:
    return getattr(measure, "top_only", False) or getattr(measure, "every_hit", False)


def _earned(measure: Measure, hits: Hits, chosen: Conventions) -> np.ndarray | None:
    """(Q,) what the hits of each query earn; None where no exact mean over orders is known."""
    if chosen.ties != "expected":
        return hits.per_query(measure.credit(hits, chosen))
    try:
        return measure.expected_credit(hits, Ties.of(hits, measure.k), chosen)
    except ValueError:
        return None


def _regraded(hits: Hits, change: object) -> Hits:
    """The same lists with other grades; an item whose grade becomes 0 is relevant no more."""
    grade, relevant = change(hits.grade), change(hits.relevant_grade)
    sort = np.lexsort((-relevant, hits.relevant_query))
    found = replace(hits, grade=grade, relevant_grade=relevant[sort])
    return found.at_least(ABOVE_ZERO)


def _by(tables: Tables, score: np.ndarray) -> Run:
    """The run with other scores."""
    return tables.run.scored(score)


def _by_ids(tables: Tables) -> Run:
    texts = tables.run.doc.text(np.arange(len(tables.run)))
    codes, names = pd.factorize(texts)
    place = np.empty(len(names))
    place[np.argsort(np.asarray(names, dtype=str))] = np.arange(len(names))
    return _by(tables, -place[codes])


def _by_float32(tables: Tables) -> Run | None:
    score = np.asarray(tables.run.score)
    narrow = score.astype(np.float32)
    return None if (narrow == score).all() else _by(tables, narrow.astype(float))


def _by_positions(tables: Tables) -> Run | None:
    run, judged = tables.run, tables.qrels.query_ids
    names = [*judged[: len(run.query_ids)]]
    names += [f"\0{n}" for n in range(len(names), len(run.query_ids))]
    if [*run.query_ids] == names:
        return None
    return replace(run, query_ids=np.array(names, dtype=object), _known={}, _rows={})


def _with_copies(
    run: Run, qrels: Judgements, *, judged: bool
) -> tuple[pd.DataFrame, Judgements | pd.DataFrame]:
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


def _without_itself(tables: Tables) -> pd.DataFrame | None:
    ids, numbers = tables.run.query_ids, np.arange(len(tables.run.query_ids))
    selves = Qrels(ids, numbers, np.asarray(ids, dtype=object), np.ones(len(ids)), None)
    if not len(tables.run.hits(selves, ties="expected").item):
        return None
    rows = tables.run.rows_of()
    itself = rows["query_id"] == rows["doc_id"]
    return None if itself.all() else rows[~itself]


_ROWS = {
    "ascending": lambda tables: _by(tables, -np.asarray(tables.run.score, dtype=float)),
    "rows": lambda tables: _by(tables, -np.arange(len(tables.run), dtype=float)),
    "ids": _by_ids,
    "float32": _by_float32,
    "positions": _by_positions,
    "itself": _without_itself,
}
