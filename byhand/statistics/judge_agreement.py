"""Whether two judges agree on what is relevant."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from byhand.errors import DataError
from byhand.tables.frames import qrels_of


class Agreement(NamedTuple):
    """How far two judges agree on what both have judged."""

    kappa: float  # agreement beyond chance: 1 in all, 0 as by chance; NaN: one grade for all
    weighted: float  # the same, where a grade that is twice as far off counts twice
    agreed: float  # the share of equal grades
    n: int  # how many (query, item) pairs both have judged
    table: pd.DataFrame  # how many have which grade of a (rows) and of b (columns)


def agreement(a: object, b: object) -> Agreement:
    """Cohen's kappa of two judges, of the (query, item) pairs that both have judged.

    Args:
        a, b: the qrels of each, as `evaluate` takes them. For relevant or not alone, give both
            with grades of 0 and 1.

    Raises:
        DataError: a missing column or value, a pair that is judged twice; no pair in both.

    Source:
        Cohen 1960, "A coefficient of agreement for nominal scales", and 1968, "Weighted kappa",
        here with weights in proportion to the difference of the grades.

    Example:
        >>> a = pd.DataFrame({"query_id": "q", "doc_id": list("abcd"), "relevance": [0, 1, 1, 2]})
        >>> found = agreement(a, a.assign(relevance=[0, 1, 2, 2]))
        >>> found.n, found.agreed, round(found.kappa, 4), round(found.weighted, 4)
        (4, 0.75, 0.6364, 0.7143)
    """
    both = [qrels_of(each).rows_of() for each in (a, b)]
    pairs = both[0].merge(both[1], on=["query_id", "doc_id"])
    if pairs.empty:
        raise DataError(
            "The two judges have no (query, item) pair in common, so agreement "
            "cannot be measured. Check that their ids match, or let both judge some of the same "
            "pairs."
        )
    grades = np.unique(pairs[["relevance_x", "relevance_y"]])
    table = pd.crosstab(pairs["relevance_x"], pairs["relevance_y"])
    table = table.reindex(index=grades, columns=grades, fill_value=0)
    table = table.rename_axis(index="a", columns="b")
    apart = np.abs(np.subtract.outer(grades, grades))
    counts = table.to_numpy()
    return Agreement(
        kappa=_kappa(counts, apart > 0),
        weighted=_kappa(counts, apart),
        agreed=float(np.trace(counts) / len(pairs)),
        n=len(pairs),
        table=table,
    )


def _kappa(counts: np.ndarray, weights: np.ndarray) -> float:
    """One minus the disagreement over that of chance, with the same grades in another order."""
    chance = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    by_chance = (weights * chance).sum()
    return float(1 - (weights * counts).sum() / by_chance) if by_chance else np.nan
