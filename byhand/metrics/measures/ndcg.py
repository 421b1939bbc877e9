"""nDCG: DCG over the DCG of the ideal order."""

from dataclasses import dataclass

import numpy as np

from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits, sum_per_query
from byhand.metrics.measures.dcg import DCG
from byhand.metrics.measures.measure import share
from byhand.metrics.unjudged_lists import Chain, UnjudgedLists

_SAME = 1e-14


@dataclass(frozen=True, kw_only=True)
class nDCG(DCG):  # noqa: N801, the field writes it so
    """Normalised discounted cumulative gain."""

    name = "nDCG"
    meaning = "DCG divided by the DCG of the best order there is"
    aliases = ("NORMALIZED_DCG", "NORMALIZED_DISCOUNTED_CUMULATIVE_GAIN")
    highest = 1.0
    rises = False

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """(Q,) the DCG of each query's best order: of what, and how long, is a convention."""
        query, grade, rank = hits.relevant_query, hits.relevant_grade, hits.nth_relevant
        if chosen.ideal == "retrieved":
            order = np.lexsort((-hits.grade, hits.query))
            query, grade, rank = hits.query, hits.grade[order], hits.nth
        weights = self.weight_under(chosen)(np.arange(1, rank.max(initial=0) + 1))
        ideal = self.gain(grade, chosen) * weights[rank - 1]
        if self.k is not None and chosen.ideal != "uncut":
            ideal[rank > self.k] = 0
        if chosen.ideal == "length":
            ideal[rank > hits.n_retrieved[query]] = 0
        return sum_per_query(query, ideal, hits.n_queries)

    def judged_otherwise(
        self, lists: UnjudgedLists, chosen: Conventions
    ) -> tuple[np.ndarray, np.ndarray]:
        """(Q,) the least and the most if unjudged items were judged.

        A gain is a sum of steps, from each grade that is relevant to the next, and so are both DCG
        and its ideal: at each step the items that reach it count as in a binary measure. The
        quotient is least with all or nothing for each item. For the most, the items that pay at a
        price are taken at each step, until the price is what they bring (Dinkelbach 1967).
        """
        levels = lists.levels
        gains = self.gain(levels.ravel(), chosen).reshape(levels.shape)
        steps = np.diff(gains, axis=0, prepend=0.0)
        earned, ideal = 0.0, 0.0
        for level, step in zip(levels, steps, strict=True):
            chain = lists.chain(level, first=False)
            found, best = self._along(chain, chosen)
            paid = step[chain.whose]
            earned, ideal = earned + paid * found, ideal + paid * best
        least = chain.extreme(share(earned, ideal))
        chains = [lists.chain(level, first=True) for level in levels]
        along = [self._along(chain, chosen) for chain in chains]
        price, most = np.full(len(least), -1.0), np.zeros(len(least))
        while (most > price + _SAME).any():
            price, earned, ideal = most, 0.0, 0.0
            for step, chain, (found, best) in zip(steps, chains, along, strict=True):
                at = chain.argmax(found - price[chain.whose] * best)
                earned, ideal = earned + step * found[at], ideal + step * best[at]
            most = np.maximum(share(earned, ideal), price)
        return least, most

    def _along(self, lists: Chain, chosen: Conventions) -> tuple[np.ndarray, np.ndarray]:
        """(M,) the DCG, and the ideal one, as if each relevant item gained 1."""
        weight = self.weight_under(chosen)
        weights = np.where(
            lists.rank <= (np.inf if self.k is None else self.k), weight(lists.rank), 0
        )
        found = lists.added(lists.relevant * weights, weights)
        n = lists.total
        if chosen.ideal == "retrieved":
            n = lists.within(lists.n_retrieved[lists.whose])
        if self.k is not None and chosen.ideal != "uncut":
            n = np.minimum(n, self.k)
        if chosen.ideal == "length":
            n = np.minimum(n, lists.n_retrieved[lists.whose])
        ideal = np.concatenate([[0.0], np.cumsum(weight(np.arange(1, n.max(initial=0) + 1)))])
        return found, ideal[n]
