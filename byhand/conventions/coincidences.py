"""How many explanations a number would have that has nothing to do with the data."""

import math
from collections.abc import Sequence
from functools import cache

import numpy as np

from byhand.conventions.candidates import ALIKE, Candidates
from byhand.conventions.reported import EXACT, Reported

_PARTS = np.arange(1, 1001)  # of 1, that the values may be multiples of
_DRAWS, _DRAWN = 1000, 10_000_000  # systems that are made up; of how many queries in all, at most
_AT_ONCE = 1_000_000  # queries that are drawn together


class Coincidences:
    """How often candidates give numbers that are unrelated to their data."""

    def __init__(self, candidates: Candidates) -> None:
        self.candidates = candidates
        self.steps = cache(self._steps)

    def expected(self, at: int, reported: Sequence[Reported]) -> float:
        """How many candidates at most as complicated would come out as unrelated numbers."""
        simple = self.candidates.departures <= self.candidates.departures[at]
        if any(each.query is not None for each in reported):
            return float(self._shares(reported)[simple].sum())
        near = np.flatnonzero(self._near(reported) & simple)
        single = []
        for each in reported:  # a number that comes about as this one does
            steps = self.steps(each.measure)
            step = np.minimum(steps[near], steps[at])
            single.append(np.minimum(np.maximum(each.unit, step) / (2 * each.reach), 1.0))
        likely = np.minimum.reduce(single)
        if len(near) and len(reported) > 1:  # they may hang together, and say no more than one does
            together = self._together(at, near, reported)
            likely = np.clip(together, np.prod(single, axis=0), likely)
        return float(likely.sum())

    def _steps(self, measure: str) -> np.ndarray:
        """How far apart the means that a measure can have lie, of each candidate; 0: anywhere."""
        variants = range(len(self.candidates.variants))
        steps = [_step(self.candidates.per_query(at, measure)) for at in variants]
        return np.array(steps).round(ALIKE)

    def _near(self, reported: Sequence[Reported]) -> np.ndarray:
        """Whether all means of a candidate are near to the numbers."""
        apart = [
            np.abs(self.candidates.values_of(each) - each.number) - each.reach for each in reported
        ]
        return np.max(apart, axis=0) <= EXACT

    def _shares(self, reported: Sequence[Reported]) -> np.ndarray:
        """(C,) how likely other queries would have, in print, what those asked for have."""
        likely = np.ones(len(self.candidates.variants))
        for query in {each.query for each in reported}:
            same = [
                np.abs(values - values[:, [query]]) <= each.unit / 2 + EXACT
                for each in reported
                for values in [self.candidates.of_queries[each.measure]]
                if each.query == query
            ]
            likely *= np.all(same, axis=0).mean(axis=1)
        return likely

    def _together(self, at: int, near: np.ndarray, reported: Sequence[Reported]) -> float:
        """Of pairs of systems whose means are near each other: how many agree in print.

        A system that is made up has at each query what another query has, one by this candidate,
        one by a candidate that is near the numbers.
        """
        rng, n = np.random.default_rng(0), len(self.candidates.recomputer.query_ids)
        draws, at_once = max(min(_DRAWS, _DRAWN // n), 1), max(_AT_ONCE // n, 1)

        def made_up(at: int, systems: int) -> np.ndarray:
            values = [self.candidates.per_query(at, each.measure) for each in reported]
            sizes = (min(at_once, systems - start) for start in range(0, systems, at_once))
            drawn = (rng.integers(n, size=(size, n)) for size in sizes)
            return np.hstack([[_means(each[queries]) for each in values] for queries in drawn])

        ours = made_up(at, draws)
        chosen, systems = np.unique(rng.choice(near, draws), return_counts=True)
        theirs = np.hstack([*map(made_up, chosen, systems)])
        agree = close = np.array(True)
        for each, mine, other in zip(reported, ours, theirs, strict=True):
            apart = np.abs((mine / each.unit).round()[:, None] * each.unit - other)
            agree = agree & (apart <= each.unit / 2 + EXACT)
            close = close & (apart <= each.reach + EXACT)
        return float((agree.sum() + 1) / (close.sum() + 1))  # as if one pair more agreed


def _means(values: np.ndarray) -> np.ndarray:
    """The mean of each row, over those that are not left out."""
    kept = ~np.isnan(values)
    with np.errstate(invalid="ignore"):  # of nothing there is none
        return np.where(kept, values, 0.0).sum(axis=1) / kept.sum(axis=1)


def _step(values: np.ndarray) -> float:
    """How far apart the means of values of such kinds lie; 0: anywhere."""
    values = values[~np.isnan(values)]
    kinds, n, parts = np.unique(values.round(ALIKE)), len(values), _PARTS
    if not n:
        return 0.0
    for kind in kinds:
        parts = parts[np.abs(parts * kind - (parts * kind).round()) < parts * EXACT]
    lattice = 1 / (n * parts[0]) if len(parts) else 0.0
    several = math.lgamma(n + len(kinds)) - math.lgamma(n + 1) - math.lgamma(len(kinds))
    return max(lattice, math.exp(-several))  # there are no more means than that
