"""Measure values of one list as a widget shows them: names, fractions, what each rank adds."""

import re
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from math import isfinite

import numpy as np

from byhand.figures import Lane
from byhand.metrics.conventions import Conventions, Preset, preset_named
from byhand.metrics.hits import Hits
from byhand.metrics.lists import hits_of_lists
from byhand.metrics.measures import Measure
from byhand.metrics.names import measure_named

# the same in the browser's numberOf
_BLANKS = str.maketrans(dict.fromkeys(" \t\r\n\u00a0\u202f", "") | {",": "."})
_NUMBER = re.compile(
    r"([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?)(?:/([0-9]+))?(%?)", re.IGNORECASE
)


def number_in(entered: str) -> float | None:
    """A number as people write it: 0.25, 1/4, 25 %, and 0,25 with a comma; None if it is none.

    Example:
        >>> number_in("1/4"), number_in("25 %"), number_in("0,25"), number_in("1_0")
        (0.25, 0.25, 0.25, None)
    """
    found = _NUMBER.fullmatch(entered.translate(_BLANKS))
    if not found:
        return None
    above, below, percent = found.groups()
    if below and (not float(below) or not above.lstrip("+-").isdecimal()):
        return None
    value = float(above) / float(below or 1)
    return value / (100 if percent else 1) if isfinite(value) else None


def with_cutoff(measure: object, k: int | None) -> str:
    """A measure's name with a cutoff, unless it has its own.

    Example:
        >>> with_cutoff("AP", 5), with_cutoff("P@3", 5), with_cutoff("RR", None)
        ('AP@5', 'P@3', 'RR')
    """
    return str(measure_named(measure).within(k))


def mean_name(measure: object) -> str:
    """What the mean of a measure over queries is called.

    Example:
        >>> mean_name("RR@5"), mean_name("AP"), mean_name("nDCG")
        ('MRR@5', 'MAP', 'mean nDCG')
    """
    known = measure_named(measure)
    return f"{'M' if f'M{known.name}' in known.aliases else 'mean '}{known}"


def lanes_of(
    measures: Mapping[str, Measure],
    ranked: Sequence[Hashable],
    relevant: Mapping[Hashable, int],
    *,
    k: int | None = None,
    preset: Preset | None = None,
) -> dict[str, Lane]:
    """Measure (as it was asked for) -> the list under it, with what each rank adds.

    Example:
        >>> lanes_of({"AP": measure_named("AP")}, ["D1", "D4"], {"D4": 1})["AP"].shares
        (0.0, 0.5)
    """
    preset, ranked = preset or preset_named("trec_eval -c"), list(ranked)
    # nowhere can an item add more than the best one does at rank 1
    best = sorted(relevant, key=lambda item: -relevant[item])[:1]
    others = [item for item in ranked if item not in best][: max(len(ranked) - 1, 0)]
    hits = hits_of_lists([(ranked, relevant), ([*best, *others], relevant)])
    return {
        name: _lane(measure.within(k), hits, len(ranked), measure.named_by(preset))
        for name, measure in measures.items()
    }


def _lane(measure: Measure, hits: Hits, n_ranks: int, chosen: Conventions) -> Lane:
    chosen = chosen.but(ties="input")  # each rank holds one item
    counted, added = measure.added(hits, chosen)
    shares, here = np.zeros(n_ranks), counted.query == 0
    shares[counted.rank[here] - 1] = added[here]
    most = float(added[~here].max(initial=0))
    value = float(measure.values(hits, chosen)[0])
    return Lane(str(measure), value, tuple(shares.tolist()), most)


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
