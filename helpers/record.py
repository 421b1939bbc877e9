"""The record: every number in the five documents, beside what comes out when it is recomputed.

A row of `data/documented-values.csv` is one value that a document states: as a result, as a step
on the way to one, or as an interpretation ("rank 2 on average", "6x better"). A statement without
a number is a row, too, of the kind `claim`, if a computation can decide it.

Verdicts are computed, never typed in. Three columns are expressions of Python in the words of this
module: `value` is what comes out, `said` is what a claim says that comes out, and `holds` whether
what is said of `value` is true. `how` tells a reader in words what `value` computes.
"""

import math
import re
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product
from statistics import median
from typing import Literal, NamedTuple

import pandas as pd

from byhand import Conventions, DataError, average_precision, chance, evaluate, measure_list
from byhand.metrics import chance_at_mean
from byhand.words import ENGLISH, speaking
from helpers import spots as note
from helpers.examples import WorkedCase, worked_example
from helpers.places import DATA
from helpers.words import gettext as _, name

Number = Fraction | float
SAID = ("section", "what", "how", "why")  # columns that are words
Verdict = Literal["reproduced", "rounding", "wrong", "misleading", "not reproducible"]

# how the documents write a value other than in digits; "almost full marks" is 1 to a tenth
_IN_WORDS: dict[str, tuple[Number, Fraction]] = {
    "zero": (Fraction(0), Fraction(0)),
    "um": (Fraction(1), Fraction(0)),
    "quase máxima": (Fraction(1), Fraction(1, 10)),
    "—": (math.inf, Fraction(0)),
}
_DIGITS = re.compile(r"(?P<about>~?)(?P<whole>\d+|\d{1,3}(,\d{3})+)(\.(?P<decimals>\d+))?(?P<x>x?)")


class Printed(NamedTuple):
    """A value as a document prints it, and how far the exact value may be from it.

    That is half a unit of the last printed digit; nothing for fractions, and for whole numbers
    unless they are marked as rough. The rank of an item that was not found is infinite.
    """

    value: Number
    within: Fraction = Fraction(0)

    @classmethod
    def parse(cls, text: str) -> "Printed":
        """A printed value out of its text; DataError if that is none."""
        if text in _IN_WORDS:
            return cls(*_IN_WORDS[text])
        if re.fullmatch(r"\d+/\d+", text):
            return cls(Fraction(text))
        match = _DIGITS.fullmatch(text)
        if not match:
            raise DataError(
                f"{text!r} is no printed value. Expected digits such as '0.5111', '~81' or '6x', "
                f"a fraction such as '3/4', or one of {', '.join(map(repr, _IN_WORDS))}."
            )
        decimals = match["decimals"] or ""
        value = Fraction(f"{match['whole'].replace(',', '')}.{decimals or 0}")
        rough = decimals or match["about"] or match["x"]
        return cls(value, Fraction(1, 2 * 10 ** len(decimals)) if rough else Fraction(0))

    def agrees(self, computed: Number) -> bool:
        """Whether the computed value would be printed like this."""
        if math.inf in (self.value, computed):
            return self.value == computed
        return abs(self.value - Fraction(computed)) <= self.within


@cache
def _rows() -> pd.DataFrame:
    """The rows of the data file, as text, by `id`."""
    file = DATA / "documented-values.csv"
    return pd.read_csv(file, dtype=str, keep_default_na=False, index_col="id")


def documented_values() -> pd.DataFrame:
    """Every number in the five documents, recomputed, with a verdict.

    Returns:
        One row a value, by `id`: `document`, `section`, its `kind`, `what` it is, `documented`
        (the value as printed, or the words of a claim), `how` it is computed here, `computed`
        (a Fraction where it is exact, else a float; None without data), `verdict` and `why`.

    Raises:
        DataError: a row of the data file whose value or computation cannot be read.

    Source:
        `data/documented-values.csv`; `data/README.md` says what is a row and what is not.

    Example:
        >>> row = documented_values().loc["tracin-a-ap"]  # (1/1 + 2/4 + 3/5) / 3
        >>> row["documented"], str(row["computed"]), row["verdict"]
        ('0.7333', '7/10', 'wrong')
    """
    rows = _rows()
    said = rows[[*SAID]].map(_)
    computed, verdicts = zip(*map(_judged, rows.itertuples()), strict=True)
    return rows[["document", "section", "kind", "what", "documented"]].assign(
        section=said["section"],
        what=said["what"],
        how=said["how"].where(rows["value"] != "", _("no data to compute it from")),
        computed=pd.Series(computed, rows.index, dtype=object),
        verdict=pd.Series(map(name, verdicts), rows.index, dtype=rows["why"].dtype),
        why=said["why"],
    )


def _judged(row: NamedTuple) -> tuple[Number | None, Verdict]:
    try:
        stated = None if row.kind == "claim" else Printed.parse(row.documented)
        if not row.value:
            return None, "not reproducible"
        value = exact(evaluated(row.value))
        found = verdict(
            stated or Printed(exact(evaluated(row.said)) if row.said else value),
            value,
            steps=[_printed(step) for step in row.steps.split()],
            holds=not row.holds or bool(evaluated(row.holds, value=value)),
            published=not row.value.startswith("spots("),  # that table is our reconstruction
        )
    except Exception as error:  # an expression can end in any
        raise DataError(f"Row {row.Index!r} of documented-values.csv: {error}") from error
    return value, found


def verdict(
    printed: Printed,
    computed: Number | None,
    *,
    steps: Sequence[Printed] = (),
    holds: bool = True,
    published: bool = True,
) -> Verdict:
    """What to think of a printed value: `data/README.md` says when it is which verdict.

    `steps` are the printed values whose mean it is, `holds` says whether what the document says of
    it is true, and `published` whether what was `computed` comes from data of the document.
    """
    if computed is None:
        return "not reproducible"
    if printed.agrees(computed):
        if not published:
            return "not reproducible"
        return "reproduced" if holds else "misleading"
    if steps:
        from_steps = average(step.value for step in steps)
        # steps that are wrong themselves would lead further away than their last digit
        lost = max(step.within for step in steps)
        if printed.agrees(from_steps) and abs(from_steps - Fraction(computed)) <= lost:
            return "rounding"
    return "wrong"


# The words of the three columns -----------------------------------------------------------------


def exact(value: float) -> Number:
    """The fraction that a float stands for, or the float where it is none with a small divisor."""
    if value == math.inf:
        return value
    near = Fraction(value).limit_denominator(10_000)
    return near if abs(near - value) < 1e-12 else value


def measured(measure: str, ranked: Sequence[Hashable], relevant: Iterable[Hashable]) -> Number:
    """A measure of one list, exact where it is a fraction."""
    return exact(measure_list(measure, ranked, relevant))


@cache
def lists(example: str) -> dict[str, WorkedCase]:
    """The lists of a worked example, such as `ko/mrr`, by name in English."""
    with speaking(ENGLISH):
        return worked_example(*example.split("/"))


def _list(example: str, query: str) -> WorkedCase:
    if query not in lists(example):
        known = ", ".join(lists(example))
        raise DataError(f"There is no list {query!r}. The example has: {known}.")
    return lists(example)[query]


def of(measure: str, example: str, query: str) -> Number:
    """A measure of one list of an example."""
    return measured(measure, *_list(example, query))


def values(measure: str, example: str) -> list[Number]:
    """A measure of each list of an example."""
    return [of(measure, example, query) for query in lists(example)]


def average(numbers: Iterable[Number]) -> Number:
    """The mean, exact where the numbers are."""
    found = [exact(number) for number in numbers]
    return sum(found) / Fraction(len(found))


def mean(measure: str, example: str) -> Number:
    """The mean of a measure over the lists of an example."""
    return average(values(measure, example))


def rank(n: int, example: str, query: str) -> Number:
    """The rank of the nth hit; infinity if there is none."""
    ranked, relevant = _list(example, query)
    ranks = [place for place, item in enumerate(ranked, start=1) if item in relevant]
    return Fraction(ranks[n - 1]) if len(ranks) >= n else math.inf


def precision(n: int, example: str, query: str) -> Number:
    """The precision at the nth hit."""
    return of(f"P@{rank(n, example, query)}", example, query)


def hits(measure: str, ranks: Iterable[int], length: int) -> Number:
    """A measure of a list of that length, all that is relevant at these ranks."""
    relevant, ranked = list(ranks), range(1, length + 1)
    if outside := set(relevant).difference(ranked):
        raise DataError(f"There is no rank {min(outside)} in a list of {length}.")
    return measured(measure, ranked, relevant)


def graded(measure: str, *grades: int) -> Number:
    """A measure of a list whose items have these grades, in this order."""
    return measured(measure, range(len(grades)), dict(enumerate(grades)))


def ways(measure: str, n_hits: int, n_ranks: int) -> list[Number]:
    """A measure for each way to place so many hits on so many ranks."""
    return [hits(measure, at, n_ranks) for at in combinations(range(1, n_ranks + 1), n_hits)]


def least_gain(measure: str) -> Number:
    """The least that it gains when one of two hits in a list of four moves up by a rank."""
    of_ranks = dict(zip(combinations(range(1, 5), 2), ways(measure, 2, 4), strict=True))
    # of two hits on four ranks, those whose ranks add up to one less are one move away
    moves = (each for each in product(of_ranks, repeat=2) if sum(each[0]) == sum(each[1]) - 1)
    return min(of_ranks[up] - of_ranks[down] for up, down in moves)


@cache
def possible(measure: str) -> set[Number]:
    """All that a measure can be for up to four of the items a to d, of which a and b count."""
    orders = {order[:k] for order in permutations("abcd") for k in range(1, 5)}
    return {measured(measure, order, ["a", "b"]) for order in orders}


def inverse_mrr(*ranks: int) -> Number:
    """1 / MRR of first hits at these ranks."""
    return len(ranks) / sum(Fraction(1, rank) for rank in ranks)


def share_on_top(mrr: Fraction) -> Fraction:
    """The least share of five lists that begin with a hit where their MRR is so high, or higher."""
    # a first hit further down, or none, leaves more for the others to make up
    possible = combinations_with_replacement((Fraction(1), Fraction(1, 2), Fraction(0)), 5)
    return min(Fraction(each.count(1), 5) for each in possible if sum(each) / 5 >= mrr)


def told_apart(measure: str) -> int:
    """How many different values a measure has over the orders of the grades 3, 1, 0, 0."""
    return len({graded(measure, *order) for order in permutations((3, 1, 0, 0))})


def ordered_differently(measure: str, other: str) -> int:
    """How many pairs of lists of ten with one relevant item two measures put in another order."""
    both = zip(ways(measure, 1, 10), ways(other, 1, 10), strict=True)
    return sum((a > b) != (x > y) for (a, x), (b, y) in combinations(both, 2))


def tied(ties: str) -> Number:
    """RR of one relevant item of four that a yes-or-no prediction cannot put in order."""
    run = pd.DataFrame({"query_id": "user", "doc_id": list("abcd"), "score": 1})
    qrels = pd.DataFrame({"query_id": ["user"], "doc_id": ["a"], "relevance": [1]})
    return exact(evaluate(run, qrels, ["RR"], conventions=Conventions(ties=ties))["RR"].item())


def scattered(*ranks: int) -> bool:
    """Whether anything stands between these ranks."""
    return ranks[-1] - ranks[0] + 1 > len(ranks)


def pairs_won(one: Sequence[float], other: Sequence[float]) -> Number:
    """The share of pairs won by the first of two groups, which is what the test looks at."""
    return average((a > b) + Fraction(a == b, 2) for a, b in product(one, other))


def _printed(row: str) -> Printed:
    if row not in _rows().index:
        raise DataError(f"There is no row {row!r}. Expected the id of a row with a printed value.")
    return Printed.parse(_rows().at[row, "documented"])


def printed(row: str) -> Number:
    """The value that a row of the record has in its document."""
    return _printed(row).value


def mean_of_printed(*rows: str) -> Number:
    """The mean of printed RR; each is 1 / rank, so its rounding can be undone."""
    return average(Fraction(1, round(1 / printed(row))) for row in rows)


def chance_ratio(measure: str, n_items: int = 10_000) -> float:
    """How many times the value of CGGD random orders get on CCGGDD, by their means of edges."""
    many, few = (
        chance_at_mean(n_items, printed(f"tracin-{data}-relevant"), measure)
        for data in ("ccggdd", "cggd")
    )
    return many / few


_PROCEDURES = {"original": note.original_value, "corrected": note.corrected_value}


def spots(procedure: str, theme: str, score: str) -> Number:
    """A procedure of the note on our table of spots."""
    return exact(_PROCEDURES[procedure](note.spots_by(note.SCORES[score]), theme))


def other_theme(row: str) -> Number:
    """The corrected value of the first theme wherever the second has the value of this row."""
    other, of_theme = Fraction(1, round(1 / printed(row))), note.corrected_value
    orders = [order for order in note.mixed_orders() if exact(of_theme(order, "love")) == other]
    found = {exact(of_theme(order, "steins")) for order in orders}
    if len(found) != 1:
        raise DataError(f"An RR of {other} leaves {len(found)} values to the other theme.")
    return found.pop()


def impossible_originals() -> int:
    """How many of the six original values as printed no RR of one spot of four can give."""
    ranks, impossible = [Fraction(1, rank) for rank in range(1, 5)], 0
    for score in note.SCORES:
        rows = [f"spots-{theme}-{score}-original" for theme in note.THEMES]
        impossible += sum(not any(map(_printed(row).agrees, ranks)) for row in rows)
        whole = _printed(f"spots-mean-{score}-original")
        impossible += not whole.agrees(mean_of_printed(*rows))
    return impossible


def walks_that_differ() -> int:
    """How often the document's walk down a list gives another value than its corrected RR."""

    def walk(order: Sequence[str], theme: str) -> float:
        ranks = enumerate(order, start=1)
        return next(1 / rank for rank, spot in ranks if spot in note.THEMES[theme])

    orders = product(note.mixed_orders() + note.orders_within(), note.THEMES)
    return sum(walk(*case) != note.corrected_value(*case) for case in orders)


_OF_PYTHON = (abs, all, dict, filter, len, max, min, range, set, sum, zip)
_OF_THE_LIBRARY = (average_precision, chance, median, Fraction)
_OWN = (
    *(average, chance_ratio, graded, hits, impossible_originals, inverse_mrr, least_gain, lists),
    *(mean, mean_of_printed, measured, of, ordered_differently, other_theme, pairs_won, possible),
    *(precision, printed, rank, scattered, share_on_top, spots, tied, told_apart, values),
    *(walks_that_differ, ways, note.corrected_value, note.mixed_orders, note.most_visited),
    *(note.orders_within, note.original_value),
)
WORDS = {each.__name__: each for each in (*_OF_PYTHON, *_OF_THE_LIBRARY, *_OWN)}


def evaluated(expression: str, **more: object) -> object:
    """What an expression in the words above comes to; no other name is known to it."""
    return eval(expression, {"__builtins__": {}, **WORDS, **more})
