"""The search for the variants of conventions that give some reported numbers."""

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
import pandas as pd

from byhand.conventions.departures import Departure, Variant
from byhand.conventions.recomputer import Recomputer
from byhand.conventions.reported import Reported

ALIKE = 9  # digits in which equal values agree
_NEAREST = 5


class Candidates:
    """The variants with distinct values, the simplest of each class, and their values."""

    def __init__(self, recomputer: Recomputer, variants: Iterable[Variant]) -> None:
        self.recomputer, names = recomputer, [*recomputer.measures]
        variants = sorted(variants, key=lambda each: (len(each.departures), each.mistakes))
        found = np.array([[recomputer.mean(each, name) for name in names] for each in variants])
        self.usual = dict(zip(names, found[0, :, 0].tolist(), strict=True))
        alike = pd.DataFrame(found.reshape(len(variants), -1).round(ALIKE)).dropna()
        alike["cut"] = [bool(variants[at].setting("cut")) for at in alike.index]
        first = alike.index[~alike.duplicated()]
        self.tried = len(alike)
        self._places = {row: at for at, row in enumerate(map(tuple, alike.loc[first].to_numpy()))}
        self.equal = alike.groupby([*alike], sort=False).size().to_numpy() - 1
        self.variants = [variants[at] for at in first]
        self.means = pd.DataFrame(found[first, :, 0], columns=names)
        self.departures = np.array([len(each.departures) for each in self.variants])
        self.cut = alike["cut"][first].to_numpy()

    def per_query(self, at: int, measure: str) -> np.ndarray:
        """Return the value (Q,) of each query under a candidate."""
        return self.recomputer.per_query(self.variants[at], measure)

    @cached_property
    def of_queries(self) -> dict[str, np.ndarray]:
        """Return the values (C, Q) of each query under each candidate, by measure."""
        every = range(len(self.variants))
        return {name: np.array([self.per_query(at, name) for at in every]) for name in self.means}

    def values_of(self, reported: Reported) -> np.ndarray:
        """Return the mean, or the value of a query, of each candidate for a reported number."""
        if reported.query is None:
            return self.means[reported.measure].to_numpy()
        return self.of_queries[reported.measure][:, reported.query]

    def matching(self, reported: Sequence[Reported]) -> list[int]:
        """Return the candidates that give every number as printed."""
        matches = [each.matches(self.values_of(each), self.cut) for each in reported]
        return np.flatnonzero(np.all(matches, axis=0)).tolist()

    def explaining(self, reported: Sequence[Reported]) -> dict[int, list[str]]:
        """Return the matching candidates, with the tools that give the same values.

        A candidate that only adds departures to a simpler one is merged with it.
        """
        found: dict[int, list[str]] = {}
        for at in self.matching(reported):
            departures = {*self.variants[at].departures}
            simpler = [each for each in found if {*self.variants[each].departures} <= departures]
            found.setdefault(simpler[0] if simpler else at, []).extend(self._tools.get(at, []))
        return found

    def nearest(self, reported: Sequence[Reported]) -> list[tuple[str, dict[str, float]]]:
        """Return the closest candidates that do not match, in words, with their means."""
        apart = np.zeros(len(self.variants))
        for each in reported:
            apart = np.fmax(apart, np.abs(self.values_of(each) - each.number) / each.unit)
        apart[self.matching(reported)] = np.inf
        order = np.argsort(apart, kind="stable")[: min(_NEAREST, np.isfinite(apart).sum())]
        return [(self.variants[at].words, self.means.loc[at].to_dict()) for at in order]

    @cached_property
    def _tools(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for tool in self.recomputer.presets:
            variant = Variant((Departure(of="preset", says="", preset=tool),))
            means = np.array([self.recomputer.mean(variant, name) for name in self.means])
            at = self._places.get((*means.ravel().round(ALIKE), False))
            if at is not None:
                found.setdefault(at, []).append(tool)
        return found
