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
        # shape (V, M, 2): the mean of each measure, and the fingerprint of its values
        values = np.array([[recomputer.mean(each, name) for name in names] for each in variants])
        self.usual = dict(zip(names, values[0, :, 0].tolist(), strict=True))
        alike = pd.DataFrame(values.reshape(len(variants), -1).round(ALIKE)).dropna()
        alike["cut"] = [bool(variants[at].setting("cut")) for at in alike.index]
        first = alike.index[~alike.duplicated()]
        self.tried = len(alike)
        self._index = {row: at for at, row in enumerate(map(tuple, alike.loc[first].to_numpy()))}
        self.equal = alike.groupby([*alike], sort=False).size().to_numpy() - 1
        self.variants = [variants[at] for at in first]
        self.means = pd.DataFrame(values[first, :, 0], columns=names)
        self.departures = np.array([len(each.departures) for each in self.variants])
        self.cut = alike["cut"][first].to_numpy()

    def per_query(self, at: int, measure: str) -> np.ndarray:
        """Return the value (Q,) of each query under a candidate."""
        return self.recomputer.per_query(self.variants[at], measure)

    def matching(self, reported: Sequence[Reported]) -> list[int]:
        """Return the candidates that reproduce every printed number."""
        matches = [each.matches(self.means[each.measure], self.cut) for each in reported]
        return np.flatnonzero(np.all(matches, axis=0)).tolist()

    def explaining(self, reported: Sequence[Reported]) -> dict[int, list[str]]:
        """Return the matching candidates, with the tools that give the same values.

        A candidate that only adds departures to a simpler one is merged with it.
        """
        tools: dict[int, list[str]] = {}
        for at in self.matching(reported):
            departures = {*self.variants[at].departures}
            simpler = (other for other in tools if {*self.variants[other].departures} <= departures)
            tools.setdefault(next(simpler, at), []).extend(self._tools.get(at, []))
        return tools

    def nearest(self, reported: Sequence[Reported]) -> list[tuple[str, dict[str, float]]]:
        """Return the closest candidates that do not match, in words, with their means."""
        apart = np.zeros(len(self.variants))
        for measure, number, unit in reported:
            apart = np.fmax(apart, np.abs(self.means[measure] - number) / unit)
        apart[self.matching(reported)] = np.inf
        order = np.argsort(apart, kind="stable")[: min(_NEAREST, np.isfinite(apart).sum())]
        return [(self.variants[at].words, self.means.loc[at].to_dict()) for at in order]

    @cached_property
    def _tools(self) -> dict[int, list[str]]:
        tools: dict[int, list[str]] = {}
        for tool in self.recomputer.presets:
            variant = Variant((Departure(of="preset", says="", preset=tool),))
            means = np.array([self.recomputer.mean(variant, name) for name in self.means])
            at = self._index.get((*means.ravel().round(ALIKE), False))
            if at is not None:
                tools.setdefault(at, []).append(tool)
        return tools
