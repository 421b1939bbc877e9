"""The way back: under which conventions, or by which mistakes, does a number come out?"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple, Unpack

import numpy as np
import pandas as pd

from byhand.conventions.departures import Departure
from byhand.conventions.ways import Case, Way
from byhand.errors import DataError, both, shown
from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Tables
from byhand.metrics.measures import Measure
from byhand.metrics.names import measures_named
from byhand.metrics.presets import PRESETS
from byhand.tables.frames import Reading, run_of
from byhand.tables.whole import WholeFrame
from byhand.words import filled, gettext as _, listed

_NEAR = 0.01  # how far from a number the values are counted that might have been it by chance
_EXACT = 1e-9
_NEAREST = 5
_MOST_WITH_COPIES = 10.0  # a repeated item brings means above 1
_ALIKE = 9  # digits: values that agree in them are one
_PARTS = np.arange(1, 1001)  # of 1, that the values may be multiples of
_DRAWS, _DRAWN = 1000, 10_000_000  # systems that are made up; of how many queries in all, at most


class Printed(NamedTuple):
    """A number as somebody printed it, and the unit of its last digit."""

    number: float
    unit: float

    def matches(self, values: np.ndarray, cut: np.ndarray) -> np.ndarray:
        """Which values are printed so, by whether their digits are cut off."""
        apart = values - self.number
        low = np.where(cut, 0.0, -self.unit / 2)
        high = np.where(cut, self.unit - 2 * _EXACT, self.unit / 2)
        return (apart >= low - _EXACT) & (apart <= high + _EXACT)

    @property
    def reach(self) -> float:
        """How far from it an unrelated number may lie."""
        return max(_NEAR, self.unit)


# each number in print, of which measure, and of which query; None: of the mean
Wanted = Sequence[tuple[str, int | None, Printed]]


def which_conventions(
    run: object,
    qrels: object,
    reported: Mapping[object, str] | pd.DataFrame,
    *,
    conventions: str | Conventions = "trec_eval -c",
    departures: int = 2,
    relevant_from: float | None = None,
    **reading: Unpack[Reading],
) -> pd.DataFrame:
    """Find the conventions, or the mistakes, under which reported numbers come out.

    Args:
        run, qrels: as in `evaluate`, in memory.
        reported: measure -> its mean, as text: `{"nDCG@10": "0.3654"}`; a percent sign, or a value
            above 1 where a measure has none, means percent (if the run repeats items, above 10).
            Or a frame of such texts, one row a query (its id as index), one column a measure.
        conventions: what is departed from: the name of a preset, or a `Conventions` value.
        departures: in how many things at most, from 0 to 2.
        relevant_from, reading: as in `evaluate`.

    Returns:
        One row an explanation, the simplest first: `explanation` in words; `departures`, how many;
        `preset`, all under which the numbers come out so on this data; `choices`, a `Conventions`
        value, None where there are mistakes; `mistakes`, how many; `seen_in`, the tools that were
        seen to make them; the value of each measure; `equal`, how many other ways give the same on
        this data; `by_chance`, how many explanations as simple an unrelated number would have,
        of the means that the measure can have, and of numbers that hang together as these do;
        `ask_for`, the query that tells the rows apart best, and `predicts`, what each row has
        there. `.attrs` has `default`, the values without a departure; `tried` and `classes`, how
        many ways, and how many differ; `nearest`, ways that come closest; and `says`, what can be
        concluded, as sentences.

    Raises:
        DataError: as `evaluate`; a table that lives in an engine; a query that nobody judged.
        ValueError: a number that is no text, or none; an unknown measure or preset.

    Source:
        What tools do is recorded in data/tool-results.csv.

    Example:
        >>> run, qrels = {"q": {"a": 3, "b": 2, "c": 1}}, {"q": {"b": 1, "c": 2, "z": 3}}
        >>> found = which_conventions(run, qrels, {"nDCG": "0.2269"}, departures=1)
        >>> found["explanation"].tolist()
        ['the gain of an item is 2^grade - 1']
    """
    measures = measures_named([*reported])
    tables = Tables(run, qrels, relevant_from=relevant_from, **reading)
    every = None  # the run with every row of a repeated item, where some of these were left out
    if not tables.run.lazy and tables.run.repeated:
        whole = run_of(run, columns=reading.get("run_columns"))
        every = whole if len(whole) > len(tables.run) else None
    case = Case(tables, measures, conventions, every)
    wanted = _wanted(reported, measures, case)
    if departures not in range(3):
        raise ValueError(f"departures={departures!r}: expected a whole number from 0 to 2.")
    return Tried(case, case.ways(departures)).answer(wanted)


def _wanted(
    reported: Mapping[object, object] | pd.DataFrame, measures: Mapping[str, Measure], case: Case
) -> Wanted:
    queries = [None]
    if isinstance(reported, pd.DataFrame):
        queries = pd.Index(case.query_ids).get_indexer([str(each) for each in reported.index])
        if (queries < 0).any():
            odd = reported.index[(queries < 0).argmax()]
            raise DataError(f"Query {shown(odd)} is reported, and the qrels do not judge it.")
        reported = {name: reported[name].tolist() for name in reported}
    else:
        reported = {name: [value] for name, value in reported.items()}
    most = 1.0 if case.every is None else _MOST_WITH_COPIES
    wanted = [
        (str(name), query, printed(str(name), value, measures[str(name)], most))
        for name, values in reported.items()
        for query, value in zip(queries, values, strict=True)
    ]
    if not wanted:
        raise ValueError('Nothing is reported. Pass numbers as text, as {"nDCG@10": "0.3654"}.')
    return wanted


def printed(name: str, text: object, measure: Measure, most: float = 1.0) -> Printed:
    """A number in print; above `most` it is percent."""
    if not isinstance(text, str):
        raise ValueError(
            f"{name}: {text!r} is no text, and a number alone does not say how many digits were "
            f'printed. Pass it in quotes, as {{"{name}": "{text}"}}.'
        )
    found = re.fullmatch(r"\s*(\d*[.,]?(\d*))\s*(%?)\s*", text)
    if not found or not re.search(r"\d", text):
        raise ValueError(f"{name}: {text!r} is no number. Pass it as printed, such as '0.3654'.")
    number, digits = float(found[1].replace(",", ".")), len(found[2])
    if found[3] or (number > most and measure.highest is not None):
        number, digits = number / 100, digits + 2
    return Printed(round(number, digits), 10.0**-digits)


class Tried:
    """The ways that differ, the simplest of each kind first, and what they say of numbers."""

    def __init__(self, case: Case, ways: Iterable[Way]) -> None:
        self.case, names = case, [*case.measures]
        ways = sorted(ways, key=lambda way: (len(way.departures), way.mistakes))
        found = np.array([[case.mean(way, name) for name in names] for way in ways])
        alike = pd.DataFrame(found.reshape(len(ways), -1).round(_ALIKE)).dropna()
        alike["cut"] = [bool(ways[at].one("cut")) for at in alike.index]
        first = alike.index[~alike.duplicated()]
        self.tried = len(alike)
        self._places = {row: at for at, row in enumerate(map(tuple, alike.loc[first].to_numpy()))}
        self.equal = alike.groupby([*alike], sort=False).size().to_numpy() - 1
        self.ways = [ways[at] for at in first]
        self.values = pd.DataFrame(found[first, :, 0], columns=names)
        self.simple = np.array([len(way.departures) for way in self.ways])
        self.cut = alike["cut"][first].to_numpy()
        self.steps = cache(self._steps)

    @cached_property
    def _tools(self) -> dict[int, list[str]]:
        """The presets under which the same comes out as by one of the ways."""
        found: dict[int, list[str]] = {}
        for tool in self.case.presets:
            way = Way((Departure(of="preset", says="", preset=tool),))
            means = np.array([self.case.mean(way, name) for name in self.values])
            at = self._places.get((*means.ravel().round(_ALIKE), False))
            if at is not None:
                found.setdefault(at, []).append(tool)
        return found

    def explaining(self, wanted: Wanted) -> dict[int, list[str]]:
        """Those that match, and the tools that give what they give, or what adds to it.

        One that only adds departures to a simpler one is left out.
        """
        found: dict[int, list[str]] = {}
        for at in self.matching(wanted):
            departures = {*self.ways[at].departures}
            simpler = [each for each in found if {*self.ways[each].departures} <= departures]
            found.setdefault(simpler[0] if simpler else at, []).extend(self._tools.get(at, []))
        return found

    def answer(self, wanted: Wanted) -> pd.DataFrame:
        """The explanations, as `which_conventions` returns them, in the language that is spoken."""
        tools = self.explaining(wanted)
        rows = [*tools]
        head = ["explanation", "departures", "preset", "choices", "mistakes", "seen_in"]
        found = [
            self._row(at, named) | {"by_chance": self.by_chance(at, wanted)}
            for at, named in tools.items()
        ]
        answer = pd.DataFrame(found, columns=[*head, *self.values, "equal", "by_chance"])
        answer = self._asked_for(answer, rows)
        whole = WholeFrame(answer)
        whole.attrs = answer.attrs | {
            "default": self.values.loc[0].to_dict(),
            "tried": self.tried,
            "classes": len(self.ways),
            "nearest": self._nearest(wanted),
        }
        by_preset = [tool for tool in PRESETS if any(tool in named for named in tools.values())]
        whole.attrs["says"] = [*_says(whole, wanted, by_preset)]
        return whole

    def _row(self, at: int, tools: Sequence[str]) -> dict[str, object]:
        way, meant = self.ways[at], not self.ways[at].mistakes
        chosen = {name: self.case.chosen(way, name)[1] for name in self.values}
        return {
            "explanation": way.words,
            "departures": int(self.simple[at]),
            "preset": both(sorted(tools, key=[*PRESETS].index)),
            "choices": one.pop() if meant and len(one := {*chosen.values()}) == 1 else None,
            "mistakes": way.mistakes,
            "seen_in": both(way.seen_in),
            **self.values.loc[at],
            "equal": int(self.equal[at]),
        }

    def _at(self, name: str, query: int | None) -> np.ndarray:
        """What each way has for a number: the mean of a measure, or its value at a query."""
        if query is None:
            return self.values[name].to_numpy()
        return self._queries[name][:, query]

    @cached_property
    def _queries(self) -> dict[str, np.ndarray]:
        of = self.case.per_query
        return {name: np.array([of(way, name) for way in self.ways]) for name in self.values}

    def matching(self, wanted: Wanted) -> list[int]:
        """Those under which every number comes out as printed."""
        matches = [each.matches(self._at(name, query), self.cut) for name, query, each in wanted]
        return np.flatnonzero(np.all(matches, axis=0)).tolist()

    def by_chance(self, at: int, wanted: Wanted) -> float:
        """How many ways at most as complicated would come out as unrelated numbers."""
        simple = self.simple <= self.simple[at]
        if any(query is not None for _, query, _ in wanted):
            return float(self._shares(wanted)[simple].sum())
        near = np.flatnonzero(self._near(wanted) & simple)
        single = []
        for name, _query, each in wanted:  # a number that comes about as this one does
            step = np.minimum(self.steps(name)[near], self.steps(name)[at])
            single.append(np.minimum(np.maximum(each.unit, step) / (2 * each.reach), 1.0))
        likely = np.minimum.reduce(single)
        if len(near) and len(wanted) > 1:  # they may hang together, and say no more than one does
            likely = np.clip(self._together(at, near, wanted), np.prod(single, axis=0), likely)
        return float(likely.sum())

    def _steps(self, name: str) -> np.ndarray:
        """How far apart the means that a measure can have lie, under each way; 0: anywhere."""
        return np.array([_step(self.case.per_query(way, name)) for way in self.ways]).round(_ALIKE)

    def _near(self, wanted: Wanted) -> np.ndarray:
        """Whether all means of a way are near to the numbers."""
        apart = [
            np.abs(self._at(name, None) - each.number) - each.reach for name, _, each in wanted
        ]
        return np.max(apart, axis=0) <= _EXACT

    def _shares(self, wanted: Wanted) -> np.ndarray:
        """(W,) how likely other queries would have, in print, what those asked for have."""
        likely = np.ones(len(self.ways))
        for query in {query for _name, query, _printed in wanted}:
            same = [
                np.abs(values - values[:, [query]]) <= each.unit / 2 + _EXACT
                for name, of, each in wanted
                for values in [self._queries[name]]
                if of == query
            ]
            likely *= np.all(same, axis=0).mean(axis=1)
        return likely

    def _together(self, at: int, near: np.ndarray, wanted: Wanted) -> float:
        """Of pairs of systems whose means are near each other: how many agree in print.

        A system that is made up has at each query what another query has, one under this way, one
        under a way that is near the numbers.
        """
        rng, n = np.random.default_rng(0), len(self.case.query_ids)
        draws = max(min(_DRAWS, _DRAWN // n), 1)

        def made_up(at: int, systems: int) -> list[list[float]]:
            values = [self.case.per_query(self.ways[at], name) for name, *_ in wanted]
            drawn = (rng.integers(n, size=n) for _nth in range(systems))
            return [[_mean(each[queries]) for each in values] for queries in drawn]

        ours = np.array(made_up(at, draws))
        chosen, systems = np.unique(rng.choice(near, draws), return_counts=True)
        theirs = np.concatenate([*map(made_up, chosen, systems)])
        agree = close = np.array(True)
        for (*_of, each), mine, other in zip(wanted, ours.T, theirs.T, strict=True):
            apart = np.abs((mine / each.unit).round()[:, None] * each.unit - other)
            agree = agree & (apart <= each.unit / 2 + _EXACT)
            close = close & (apart <= each.reach + _EXACT)
        return float((agree.sum() + 1) / (close.sum() + 1))  # as if one pair more agreed

    def _asked_for(self, answer: pd.DataFrame, rows: list[int]) -> pd.DataFrame:
        """The query of which a value would tell the rows apart best, and what each has there."""
        best, asked = (1, 0.0), None
        for name in self.values if len(rows) > 1 else ():
            found = np.array([self.case.per_query(self.ways[at], name) for at in rows])
            known = found[~np.isnan(found).all(axis=1)]
            if len(known) < 2:
                continue
            table = np.nan_to_num(known, nan=-1).round(4)
            distinct = (np.diff(np.sort(table, axis=0), axis=0) > 0).sum(axis=0) + 1
            place = np.lexsort((-np.ptp(table, axis=0), -distinct))[0]
            score = int(distinct[place]), float(np.ptp(table[:, place]))
            if score > best:
                best, asked = score, (name, place, found[:, place])
        if asked is None:
            return answer.assign(ask_for=None, predicts=np.nan)
        name, place, predicts = asked
        query = self.case.query_ids[place]
        answer.attrs["ask_for"] = query, name
        return answer.assign(ask_for=query, predicts=predicts)

    def _nearest(self, wanted: Wanted) -> list[tuple[str, dict[str, float]]]:
        """The ways that come closest to the numbers without giving them."""
        apart = np.zeros(len(self.ways))
        for name, query, printed in wanted:
            apart = np.fmax(apart, np.abs(self._at(name, query) - printed.number) / printed.unit)
        apart[self.matching(wanted)] = np.inf
        order = np.argsort(apart, kind="stable")[: min(_NEAREST, np.isfinite(apart).sum())]
        return [(self.ways[at].words, self.values.loc[at].to_dict()) for at in order]


def _mean(values: np.ndarray) -> float:
    """The mean of those that are not left out."""
    kept = values[~np.isnan(values)]
    return kept.mean() if len(kept) else math.nan


def _step(values: np.ndarray) -> float:
    """How far apart the means of values of such kinds lie; 0: anywhere."""
    values = values[~np.isnan(values)]
    kinds, n, parts = np.unique(values.round(_ALIKE)), len(values), _PARTS
    if not n:
        return 0.0
    for kind in kinds:
        parts = parts[np.abs(parts * kind - (parts * kind).round()) < parts * _EXACT]
    lattice = 1 / (n * parts[0]) if len(parts) else 0.0
    several = math.lgamma(n + len(kinds)) - math.lgamma(n + 1) - math.lgamma(len(kinds))
    return max(lattice, math.exp(-several))  # there are no more means than that


def _says(answer: pd.DataFrame, wanted: Wanted, tools: Sequence[str]) -> Iterator[str]:
    """What can be concluded, as sentences."""
    if answer.empty:
        message = _(
            "None of {tried:,} ways gives these numbers. They may be of another run, of other "
            "judgements, or of more departures than were tried, which would prove little."
        )
        yield filled(message, tried=answer.attrs["tried"])
        return
    if len(wanted) == 1 and wanted[0][2].unit > 10.0**-2.5:
        yield _(
            "Two digits or fewer fit almost anything. Ask for more digits, for a second "
            "number, or for the value of one query."
        )
    expected = answer["by_chance"].iloc[0]
    if expected >= 1:
        message = _(
            "Of a number that has nothing to do with this data, {expected:.1f} explanations as "
            "simple as the first would be expected among {classes:,} different values: this "
            "names nobody."
        )
    elif expected < 0.01:
        message = _(
            "Of a number that has nothing to do with this data, an explanation as simple as "
            "the first would be expected less than once in a hundred times."
        )
    else:
        message = _(
            "Of a number that has nothing to do with this data, {expected:.2f} explanations as "
            "simple as the first would be expected."
        )
    yield filled(message, expected=expected, classes=answer.attrs["classes"])
    if tools:
        message = _("Presets of tools under which these numbers come out: {tools}.")
        yield message.format(tools=listed(tools))
    if "ask_for" in answer.attrs:
        query, name = answer.attrs["ask_for"]
        message = _("To tell the explanations apart, ask for {measure} of query {query}.")
        yield message.format(measure=name, query=query)
