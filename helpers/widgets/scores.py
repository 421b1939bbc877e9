"""Measure values of one list as a widget shows them: names, fractions, what each rank adds."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from helpers.metrics.measures import Measure, measure_list


@dataclass(frozen=True)
class Lane:
    """One measure of one list, taken apart rank by rank.

    Attributes:
        name: the measure with its cutoff, such as "AP@5".
        value: its value for the list.
        shares: what each rank adds; they add up to the value.
        most: the most that a single rank can add, whatever the order.
    """

    name: str
    value: float
    shares: tuple[float, ...]
    most: float


def with_cutoff(measure: str, k: int | None) -> str:
    """A measure's name with a cutoff, unless it has its own.

    Example:
        >>> with_cutoff("AP", 5), with_cutoff("P@3", 5), with_cutoff("RR", None)
        ('AP@5', 'P@3', 'RR')
    """
    measure = str(measure)
    return measure if k is None or "@" in measure else f"{measure}@{k}"


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
    return {name: measure_list(with_cutoff(name, k), ranked, relevant) for name in measures}


def lane_of(
    measure: str,
    ranked: Sequence[Hashable],
    relevant: Mapping[Hashable, int],
    *,
    k: int | None = None,
) -> Lane:
    """One measure of one list, with what each rank adds to it.

    A rank adds what the measure gains when the list grows by that rank.

    Example:
        >>> lane_of("AP", ["D1", "D4"], {"D4": 1}).shares
        (0.0, 0.5)
    """
    ranked = list(ranked)
    name = shown = with_cutoff(measure, k)
    if Measure.named(name).name == "P" and "@" not in name:
        name = f"{name}@{max(len(ranked), 1)}"  # else each prefix is divided by its own length

    def value(items: list[Hashable]) -> float:
        return measure_list(name, items, relevant)

    so_far = [0.0, *(value(ranked[:n]) for n in range(1, len(ranked) + 1))]
    shares = tuple(after - before for before, after in pairwise(so_far))
    best = sorted(relevant, key=lambda item: -relevant[item])[:1]
    return Lane(shown, so_far[-1], shares, value(best))


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
