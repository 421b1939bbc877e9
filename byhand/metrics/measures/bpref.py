"""Bpref, based on pairs of a relevant item and an item judged not relevant."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import (
    Hits,
    JudgedHits,
    at_ranks,
    first_of_tie,
    sum_per_query,
    sum_so_far,
)
from byhand.metrics.measures.measure import Binary, share
from byhand.metrics.measures.ties import Ties


@dataclass(frozen=True, kw_only=True)
class Bpref(Binary):
    """Bpref, which ignores unjudged items.

    Example:
        >>> Bpref().of_list(["x", "b", "a"], {"a": 1, "b": 0, "c": 1, "d": 0})  # b is above a
        0.25
    """

    name = "Bpref"
    meaning = (
        "over the R relevant items, 1 minus the share of the items judged not relevant that are "
        "above each: of the first R of them, or of all N if these are fewer; with grade 0 and above"
    )
    source = (
        'Buckley and Voorhees 2004, "Retrieval evaluation with incomplete information"; `bpref` of '
        "trec_eval"
    )
    of_judged = True
    workings: ClassVar = {"hits so far": "rel", "not relevant so far": "rel"}

    def credit(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """Return for each hit (H,) 1 minus the share of items judged not relevant above it."""
        return np.where(hits.within(self.k), _expected_credit(hits, *_others(hits)), 0.0)

    def divisor(self, hits: Hits, chosen: Conventions) -> np.ndarray:
        """Return the number (Q,) of relevant items."""
        return hits.n_relevant

    def expected_credit(self, hits: Hits, ties: Ties, chosen: Conventions) -> np.ndarray:
        """Return the mean credit (Q,), with any number of the other items of a tie above a hit."""
        if self.k is not None:
            return super().expected_credit(hits, ties, chosen)
        above, tied = _others(hits, ties=True)
        return hits.per_query(_expected_credit(hits, above, tied))

    def steps(self, hits: Hits, rank: np.ndarray, chosen: Conventions) -> dict[str, np.ndarray]:
        """Return the number of hits, and of items judged not relevant, down to each rank."""
        judged, is_other = _judged(self.counted(hits))
        so_far = np.cumsum(at_ranks(judged.rank[is_other], 1, len(rank))).astype(int)
        return super().steps(hits, rank, chosen) | {"not relevant so far": so_far}


def _judged(hits: Hits) -> tuple[Hits, np.ndarray]:
    """Return all judged items as hits, and a mask (J,) of those judged not relevant (from 0)."""
    if not isinstance(hits, JudgedHits):
        raise ValueError(
            "Bpref needs the items that are judged not relevant, but only the relevant ones are "
            "known here. Use evaluate(run, qrels) or chance_levels(run, qrels)."
        )
    lowest = hits.grade.min(initial=np.inf)  # judged items of this grade or above are hits
    return hits.judged, (hits.judged.grade >= 0) & (hits.judged.grade < lowest)


def _others(hits: Hits, *, ties: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return the number (H,) of items judged not relevant above each hit, and in its tie.

    Without `ties`, each rank contains one item.
    """
    judged, other = _judged(hits)
    so_far = sum_so_far(judged.query, other)
    tied = np.zeros(len(other))
    if ties:
        first, _ = first_of_tie(judged.query, judged.top)
        tied = sum_per_query(first, other, len(first))[first]
        so_far = (so_far - other)[first]
    hit = judged.grade >= hits.grade.min(initial=np.inf)
    return so_far[hit], tied[hit]


def _expected_credit(hits: Hits, above: np.ndarray, tied: np.ndarray) -> np.ndarray:
    """Return the expected credit (H,), with 0 to `tied` further items above, all equally likely."""
    judged, _ = _judged(hits)
    known = np.bincount(judged.relevant_query[judged.relevant_grade >= 0], minlength=hits.n_queries)
    n_relevant = hits.n_relevant.astype(float)
    most = n_relevant[hits.query]  # maximum number of items judged not relevant that count
    fewest = np.minimum(n_relevant, known - n_relevant)[hits.query]
    above = np.minimum(above, most)
    up_to = np.minimum(tied, most - above)  # the mean of min(above + j, most) over j = 0 ... tied
    mean = (up_to + 1) * (above + up_to / 2) + (tied - up_to) * most
    return 1 - share(mean / (tied + 1), fewest)
