"""Measure values of one list as a widget shows them: names, fractions, what each rank adds."""

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction

import numpy as np

from helpers.figures.lists import Lane
from helpers.metrics.hits import Hits
from helpers.metrics.lists import hits_of_lists
from helpers.metrics.measures import Measure
from helpers.metrics.names import measure_named


def with_cutoff(measure: str, k: int | None) -> str:
    """A measure's name with a cutoff, unless it has its own.

    Example:
        >>> with_cutoff("AP", 5), with_cutoff("P@3", 5), with_cutoff("RR", None)
        ('AP@5', 'P@3', 'RR')
    """
    return str(measure_named(measure).within(k))


def lanes_of(
    measures: Sequence[str],
    ranked: Sequence[Hashable],
    relevant: Mapping[Hashable, int],
    *,
    k: int | None = None,
) -> dict[str, Lane]:
    """Measure (as it was asked for) -> the list under it, with what each rank adds.

    Example:
        >>> lanes_of(["AP"], ["D1", "D4"], {"D4": 1})["AP"].shares
        (0.0, 0.5)
    """
    ranked = list(ranked)
    # nowhere can an item add more than the best one does at rank 1
    best = sorted(relevant, key=lambda item: -relevant[item])[:1]
    others = [item for item in ranked if item not in best][: max(len(ranked) - 1, 0)]
    hits = hits_of_lists([(ranked, relevant), ([*best, *others], relevant)])
    return {name: _lane(measure_named(name).within(k), hits, len(ranked)) for name in measures}


def _lane(measure: Measure, hits: Hits, n_ranks: int) -> Lane:
    counted, added = measure.added(hits)
    shares, here = np.zeros(n_ranks), counted.query == 0
    shares[counted.rank[here] - 1] = added[here]
    most = float(added[~here].max(initial=0))
    return Lane(str(measure), float(measure.values(hits)[0]), tuple(shares.tolist()), most)


def values_of(
    ranked: Sequence[Hashable],
    relevant: Mapping[Hashable, int],
    measures: Sequence[str],
    *,
    k: int | None = None,
) -> dict[str, float]:
    """Measure (as it was asked for) -> value for one list.

    Example:
        >>> values_of(["D1", "D4"], {"D4": 1}, ["RR", "P@1"])
        {'RR': 0.5, 'P@1': 0.0}
    """
    return {name: lane.value for name, lane in lanes_of(measures, ranked, relevant, k=k).items()}


def as_fraction(value: float, *, largest: int = 999) -> str:
    """A value as a fraction in lowest terms, or "" where it is whole or no simple fraction.

    Example:
        >>> as_fraction(0.25), as_fraction(5 / 9), as_fraction(1.0), as_fraction(0.6309297535714574)
        ('1/4', '5/9', '', '')
    """
    near = Fraction(value).limit_denominator(largest)
    # within a few rounding errors of a sum of fractions; an irrational value is never that near
    simple = abs(float(near) - value) < 1e-12 and near.denominator > 1
    return f"{near.numerator}/{near.denominator}" if simple else ""


def in_words(values: Mapping[str, float], *, k: int | None = None, equals: str = " = ") -> str:
    """Values in one line of text, for a repr, a label or a screen reader.

    Example:
        >>> in_words({"RR": 0.5, "AP": 0.25}, k=5)
        'RR@5 = 0.500, AP@5 = 0.250'
    """
    return ", ".join(f"{with_cutoff(name, k)}{equals}{value:.3f}" for name, value in values.items())
