"""A widget that compares formulas for the value of a ranked list."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import log2

import traitlets

from byhand.metrics.cases import Case
from byhand.widgets.list.many_lists import ComparedFormulas, Formulas, lists_named
from byhand.widgets.list.ranked_list import RankedList
from byhand.widgets.numbers import LIMITS, as_fraction
from byhand.widgets.still import Lane, ListPicture, Still, begun
from byhand.words import in_row, localised

# weight of a hit, given its rank, its number among the hits, and the list's length;
# must match the browser's WEIGHTS
_WEIGHTS = {
    "rank": lambda rank, nth, n: rank,
    "line": lambda rank, nth, n: (n + 1 - rank) / n,
    "five": lambda rank, nth, n: float(rank < LIMITS["few"] + 0.5),  # for its curve
    "1/rank": lambda rank, nth, n: 1 / rank,
    "one": lambda rank, nth, n: 1,
    "share": lambda rank, nth, n: nth / rank,
    "1/log2": lambda rank, nth, n: 1 / log2(rank + 1),
}


@dataclass(frozen=True)
class Formula:
    """A formula for the value of a ranked list."""

    name: str
    weight: str  # a key of `_WEIGHTS`
    first: bool = False  # count only the first hit
    graded: bool = False  # multiply the weight by the grade
    power: bool = False  # multiply the weight by 2^grade - 1
    over: str = ""  # divisor of the sum: "five", "relevant" or "hits"
    never: float | None = 0.0  # value of a list without a hit

    def value(self, hits: Sequence[tuple[int, float]], *, n: int, relevant: int) -> float | None:
        """Return the value for the (rank, grade) of each hit, best first; None if undefined."""
        divisor = {"five": LIMITS["few"], "relevant": relevant, "hits": len(hits)}.get(self.over, 1)
        if not hits or not divisor:
            return self.never if divisor else None
        return sum(self.worth(hits, n=n)) / divisor

    def worth(self, hits: Sequence[tuple[int, float]], *, n: int) -> list[float]:
        """Return what each counted hit adds, before the division."""
        weight = _WEIGHTS[self.weight]
        return [
            self.gain(grade) * weight(rank, nth, n)
            for nth, (rank, grade) in enumerate(hits[: 1 if self.first else None], start=1)
        ]

    def share(self, rank: int, nth: int, worth: float) -> str:
        """Format what a hit adds, as the end of its bar shows it."""
        if self.weight == "share":
            return f"{nth}/{rank}"
        return f"{worth:.3f}" if self.graded and self.weight != "one" else _result(worth)

    def gain(self, grade: float) -> float:
        """Return what a grade counts."""
        return 2**grade - 1 if self.power else grade if self.graded else 1


FORMULAS = {
    formula.name: formula
    for formula in (
        Formula("rank", "rank", first=True, never=None),
        Formula("line", "line", first=True),
        Formula("first five", "five", first=True),
        Formula("1/rank", "1/rank", first=True),
        Formula("P@5", "five", over="five"),
        Formula("recall", "one", over="relevant"),
        Formula("mean 1/rank", "1/rank", over="relevant"),
        Formula("mean share, who arrived", "share", over="hits", never=None),
        Formula("AP", "share", over="relevant"),
        Formula("sum of grades", "one", graded=True),
        Formula("grade / rank", "1/rank", graded=True),
        Formula("grade / log2", "1/log2", graded=True),
        Formula("(2^grade - 1) / log2", "1/log2", graded=True, power=True),
    )
}


class FormulaComparison(ComparedFormulas):
    """Show lists to reorder, and the value of each under several formulas.

    Args:
        lists: mapping name -> (ranked items, relevant items or a mapping item -> grade). Readers
            can add a relevant item that was not retrieved.
        formulas: names from `FORMULAS`; or a mapping formula -> displayed name.
        extra: number of irrelevant items that a button appends to each list; 0 by default.

    Attributes:
        lists: mapping name -> `RankedList`.
        formula: the formula whose curve is shown.
        longer: whether the extra items are appended.

    Raises:
        DataError: If there is no list, or a formula is unknown.

    Example:
        >>> lone = ["tart", "bisque"], {"bisque"}
        >>> bench = FormulaComparison({"lone": lone}, ["rank", "1/rank"])
        >>> bench
        FormulaComparison(lone: tart > bisque*; rank: 2; 1/rank: 1/2)
        >>> bench.lists["lone"].order = ["tart"]
        >>> bench.values
        {'rank': {'lone': None}, '1/rank': {'lone': 0.0}}
    """

    _known = FORMULAS
    longer = traitlets.Bool(False).tag(sync=True)

    def __init__(self, lists: Mapping[str, Case], formulas: Formulas, *, extra: int = 0) -> None:
        self.formulas = list(formulas)
        self._check(self.formulas)
        self._names = self._named(formulas, "bench")
        tried = [FORMULAS[name] for name in self.formulas]
        self.lists = lists_named(lists, graded=any(each.graded for each in tried))
        fixed = {
            "ranks": [*self.lists.values()],
            "formulas": [asdict(each) | {"shown": self._names[each.name]} for each in tried],
            "extra": extra,
        }
        super().__init__("bench", fixed=fixed, formula=self.formulas[0])

    @property
    def values(self) -> dict[str, dict[str, float | None]]:
        """Mapping formula -> list name -> current value; None if it is undefined."""
        return {
            name: {which: self._value(FORMULAS[name], each) for which, each in self.lists.items()}
            for name in self.formulas
        }

    def _value(self, formula: Formula, ranks: RankedList) -> float | None:
        return formula.value(_hits(ranks), n=self._length(ranks), relevant=len(ranks.relevant))

    def _length(self, ranks: RankedList) -> int:
        return len(ranks.order) + self.fixed["extra"] * self.longer

    def _worth(self, ranks: RankedList) -> tuple[float, ...]:
        """Return what each rank adds in the displayed formula."""
        hits, shares = _hits(ranks), [0.0] * len(ranks.order)
        worth = FORMULAS[self.formula].worth(hits, n=self._length(ranks))
        for (rank, _), each in zip(hits, worth, strict=False):
            shares[rank - 1] = each
        return tuple(shares)

    def picture(self) -> Still:
        """Draw the formulas, their values, and the lists side by side."""
        alone = len(self.lists) == 1
        made = {
            self._names[name]: {
                which * (not alone): localised(_result(v)) for which, v in of.items()
            }
            for name, of in self.values.items()
        }
        rows = [self._rows(each, name, alone=alone) for name, each in self.lists.items()]
        texts = [begun(f"{name}: {in_row(of.values())}.") for name, of in made.items()]
        still = Still([*(each.words for each in rows), *texts])
        return still.tiles(made, self._names[self.formula]).rows(*rows)

    def _rows(self, ranks: RankedList, name: str, *, alone: bool) -> ListPicture:
        """Return a list with the curve of the formula's weights, and a bar for each counted hit."""
        formula, n, worth = FORMULAS[self.formula], self._length(ranks), self._worth(ranks)
        scale, weight = n if formula.weight == "rank" else 1, _WEIGHTS[formula.weight]
        value = self._value(formula, ranks) if alone else None
        notes = {
            rank: localised(formula.share(rank, nth, worth[rank - 1]))
            for nth, (rank, _) in enumerate(_hits(ranks), start=1)
        }
        curve = None if formula.weight == "share" else lambda rank: weight(rank, 1, n) / scale
        lane = Lane("", value, worth, formula.gain(ranks.max_grade) * scale)
        return ListPicture(ranks, name, [lane], "tried", weight=curve, notes=notes)

    @property
    def _line(self) -> str:
        texts = [
            f"{self._given[name] or name}: {', '.join(map(_result, of.values()))}"
            for name, of in self.values.items()
        ]
        return f"{self._orders}; {'; '.join(texts)}"


def _hits(ranks: RankedList) -> list[tuple[int, float]]:
    """Return the (rank, grade) of each hit, best first."""
    found = ranks.relevant
    return [(n, found[item]) for n, item in enumerate(ranks.order, start=1) if item in found]


def _result(value: float | None) -> str:
    """Format a simple fraction below 1 as such, and other values with three decimals."""
    if value is None:
        return "?"
    if value == int(value):
        return f"{value:.0f}"
    return (value < 1 and as_fraction(value, largest=LIMITS["bench"])) or f"{value:.3f}"
