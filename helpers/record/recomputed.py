"""How a number of the record is recomputed: the forms that its column `compute` is written in.

A computation starts from the lists in `data/` or from other values that the documents print,
named before the colon: `ko/mrr: mean RR of the lists`. What stands after it is shown to readers.
"""

import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import NamedTuple

from byhand.errors import DataError
from byhand.metrics.lists import hits_of_lists
from byhand.metrics.names import measure_list
from helpers.record.printed import Number, printed_value
from helpers.record.spots import PROCEDURES, SCORES, THEMES, mixed_orders, spots_by
from helpers.worked_examples import WorkedCase, worked_example

Cases = dict[str, WorkedCase]


def recompute(text: str) -> Number:
    """The value of a computation as the column `compute` writes it.

    Args:
        text: one of the `FORMS`, with a value for each `<field>`.

    Raises:
        DataError: a text in none of the forms, or one that names what is not there.
        ValueError: an unknown measure.

    Example:
        >>> recompute("ko/mrr: mean RR of the lists")  # (1/2 + 1/4) / 2
        Fraction(3, 8)
        >>> recompute("AP with hits at 1, 4 to 5 of 10")  # (1/1 + 2/4 + 3/5) / 3
        Fraction(7, 10)
    """
    for form, value in FORMS.items():
        match = re.fullmatch(_pattern(form), text)
        if match:
            written = match.groupdict().items()
            return value(**{field: _FIELDS[field].read(it) for field, it in written})
    forms = "\n".join(f"  {form}" for form in FORMS)
    raise DataError(f"{text!r} is no computation. Expected one of these forms:\n{forms}")


def shown_how(text: str) -> str:
    """A computation without what it starts from.

    Example:
        >>> shown_how("ko/mrr: mean RR of the lists")
        'mean RR of the lists'
    """
    return text.rpartition(": ")[2]


def exact(value: float) -> Number:
    """The fraction that a float stands for, or the float where it is none with a small divisor.

    Example:
        >>> exact(11 / 18), exact(2**0.5)
        (Fraction(11, 18), 1.4142135623730951)
    """
    near = Fraction(value).limit_denominator(10_000)
    return near if abs(near - value) < 1e-12 else value


def marked(*ranks: int, length: int) -> WorkedCase:
    """A list of that length whose relevant items stand at these ranks.

    Raises:
        DataError: a rank that such a list does not have.

    Example:
        >>> marked(2, length=3)
        WorkedCase(ranked=[1, 2, 3], relevant=[2])
    """
    ranked = list(range(1, length + 1))
    outside = set(ranks).difference(ranked)
    if outside:
        raise DataError(f"There is no rank {min(outside)} in a list of {length}.")
    return WorkedCase(ranked, list(ranks))


cases = cache(worked_example)  # a worked example is read from its file once


def measured(measure: str, case: WorkedCase) -> Number:
    """A measure of one list, exact where it is a fraction."""
    return exact(measure_list(measure, *case))


def _named(example: Cases, query: str) -> WorkedCase:
    name = re.sub("^(the|scenario) ", "", query)
    if name not in example:
        raise DataError(f"There is no list {name!r}. The example has: {', '.join(example)}.")
    return example[name]


def _of_list(example: Cases, measure: str, query: str) -> Number:
    return measured(measure, _named(example, query))


def _mean(example: Cases, measure: str) -> Number:
    values = [measure_list(measure, *case) for case in example.values()]
    return exact(math.fsum(values) / len(values))


def _sum(example: Cases, measure: str) -> Number:
    return _mean(example, measure) * len(example)


def _rank(example: Cases, n: int, query: str) -> Number:
    ranks = hits_of_lists([_named(example, query)]).rank.tolist()
    return Fraction(ranks[n - 1]) if len(ranks) >= n else math.inf


def _precision(example: Cases, query: str, n: int) -> Number:
    rank = _rank(example, n, query)
    if rank == math.inf:
        raise DataError(f"There is no hit {n} in the list {query!r}.")
    return measured(f"P@{rank}", _named(example, query))


@cache
def _possible(measure: str) -> set[Number]:
    """All that a measure can be for up to four of the items a to d, of which a and b count."""
    orders = [order[:k] for order in permutations("abcd") for k in range(1, 5)]
    return {measured(measure, WorkedCase(list(order), ["a", "b"])) for order in orders}


def _inverse_mrr(ranks: list[int]) -> Number:
    return len(ranks) / sum(Fraction(1, rank) for rank in ranks)


def _weight(example: Cases, query: str) -> Number:
    return Fraction(1, len(_named(example, query).relevant))


def _made_up(measure: str, length: int, ranks: Sequence[int] = ()) -> Number:
    return measured(measure, marked(*ranks, length=length))


def _mean_of_printed(row: Number, other: Number) -> Number:
    # a printed RR is 1 / rank, so its rounding can be undone
    return (Fraction(1, round(1 / row)) + Fraction(1, round(1 / other))) / 2


def _other_theme(row: Number) -> Number:
    rr, other = PROCEDURES["corrected"], Fraction(1, round(1 / row))
    found = {exact(rr(one, "steins")) for one in mixed_orders() if exact(rr(one, "love")) == other}
    if len(found) != 1:
        raise DataError(f"An RR of {other} leaves {len(found)} values to the other theme.")
    return found.pop()


def _on_spots(procedure: Callable[..., float], theme: str, score: str) -> Number:
    return exact(procedure(spots_by(score), theme))


FORMS: dict[str, Callable[..., Number]] = {
    "<example>: <measure> of <query>": _of_list,
    "<example>: mean <measure> of the lists": _mean,
    "<example>: sum of <measure> over the lists": _sum,
    "<example>: rank of hit <n> of <query>": _rank,
    "<example>: P@k of <query>, k the rank of hit <n>": _precision,
    "<example>: 1 / (number of relevant items of <query>)": _weight,
    "<example>: 1 / (number of queries)": lambda example: Fraction(1, len(example)),
    "<measure> with hits at <ranks> of <length>": _made_up,
    "<measure> of a list of <length> without a hit": _made_up,
    "<end> <measure> of all lists of 1 to 4 items": lambda end, measure: end(_possible(measure)),
    "1 / MRR of first hits at <ranks>": _inverse_mrr,
    "<row>: RR of the other theme in every order with the value as printed": _other_theme,
    "<row> and <other>: ratio of the two values as printed": lambda row, other: row / other,
    "<row> and <other>: mean of the two printed values, each 1 / rank": _mean_of_printed,
    "<procedure> RR of <theme>, <score> score: the document's procedure on data/spots.csv": (
        _on_spots
    ),
}


class _Field(NamedTuple):
    """How a field of a form is written, as a regular expression, and what is made of the text."""

    written: str
    read: Callable[[str], object] = str


_RUN = r"(?:\d+ times )?\d+(?: to \d+)?"


def _ranks(text: str) -> list[int]:
    ranks = []
    for part in re.split(", | and ", text):
        times, _, run = part.rpartition(" times ")
        first, _, last = run.partition(" to ")
        ranks += [*range(int(first), int(last or first) + 1)] * int(times or 1)
    return ranks


_ROW = _Field(r"\S+", lambda row: printed_value(row).value)
_FIELDS = {
    "example": _Field(r"\w+/\w+", lambda text: cases(*text.split("/"))),
    "query": _Field(r"\S+(?: \S+)?"),
    "measure": _Field(r"\S+"),
    "n": _Field(r"[1-9]\d*", int),
    "ranks": _Field(rf"{_RUN}(?:(?:, | and ){_RUN})*", _ranks),
    "length": _Field(r"\d[\d,]*", lambda text: int(text.replace(",", ""))),
    "end": _Field("lowest|highest", {"lowest": min, "highest": max}.get),
    "row": _ROW,
    "other": _ROW,
    "procedure": _Field("|".join(PROCEDURES), PROCEDURES.get),
    "theme": _Field("|".join(THEMES)),
    "score": _Field("|".join(SCORES), SCORES.get),
}


@cache
def _pattern(form: str) -> str:
    named = {field: f"(?P<{field}>{_FIELDS[field].written})" for field in _FIELDS}
    return re.sub(r"<(\w+)>", lambda match: named[match[1]], re.escape(form))
