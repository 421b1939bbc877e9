"""A bench: lists, and formulas that make a number of them, to be tried against each other."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import log2

import traitlets

from byhand.errors import DataError
from byhand.figures import draw_lists
from byhand.metrics.ranked import Case
from byhand.widgets.live import Picture
from byhand.widgets.ranked_list import ManyLists, RankedList
from byhand.widgets.ranking import Ranked, grades_of
from byhand.widgets.words import LIMITS, as_fraction, say
from byhand.words import in_row, localised

# what a hit is worth: by its rank, its number among the hits, and the length of the list; the same
# in the browser's WEIGHTS
_WEIGHTS = {
    "rank": lambda rank, nth, n: rank,
    "line": lambda rank, nth, n: (n + 1 - rank) / n,
    "five": lambda rank, nth, n: float(rank <= LIMITS["few"]),
    "1/rank": lambda rank, nth, n: 1 / rank,
    "one": lambda rank, nth, n: 1,
    "share": lambda rank, nth, n: nth / rank,
    "1/log2": lambda rank, nth, n: 1 / log2(rank + 1),
}


@dataclass(frozen=True)
class Formula:
    """A way to make a number of a list."""

    name: str
    weight: str  # what a hit is worth
    first: bool = False  # only the first hit counts
    graded: bool = False  # a hit is worth its grade times that
    over: str = ""  # what the sum is divided by: "five", "relevant", "hits"
    never: float | None = 0.0  # its number for a list without a hit

    def value(self, hits: Sequence[tuple[int, float]], *, n: int, relevant: int) -> float | None:
        """Its number for a list of `n` ranks from the rank and the grade of each hit, best first.

        None where it has none.
        """
        divisor = {"five": LIMITS["few"], "relevant": relevant, "hits": len(hits)}.get(self.over, 1)
        if not hits or not divisor:
            return self.never if divisor else None
        weight = _WEIGHTS[self.weight]
        worth = [
            (grade if self.graded else 1) * weight(rank, nth, n)
            for nth, (rank, grade) in enumerate(hits[: 1 if self.first else None], start=1)
        ]
        return sum(worth) / divisor


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
        Formula("grade x line", "line", graded=True),
        Formula("grade / rank", "1/rank", graded=True),
        Formula("grade / log2", "1/log2", graded=True),
    )
}


class Bench(ManyLists):
    """Lists to reorder under several formulas: the number of each, and its curve in the rows.

    Args:
        lists: name -> (ranked items, relevant items or a mapping item -> grade). A relevant item
            that was not retrieved can be brought in.
        formulas: names out of `FORMULAS`.
        extra: so many items, none of them relevant, can be added below by a button.

    Attributes:
        lists: name -> `RankedList`; call its methods as a reader would drag.
        formula: the one whose curve is shown.
        longer: whether the extra items are there.

    Raises:
        DataError: no lists, or an unknown formula.

    Example:
        >>> bench = Bench({"lone": (["tart", "bisque"], {"bisque"})}, ["rank", "1/rank"])
        >>> bench
        Bench(lone: tart > bisque*; rank: 2; 1/rank: 1/2)
        >>> bench.lists["lone"].take_out("bisque")
        >>> bench.values
        {'rank': {'lone': None}, '1/rank': {'lone': 0.0}}
    """

    formula = traitlets.Unicode().tag(sync=True)
    longer = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self, lists: Mapping[str, Case], formulas: Iterable[str], *, extra: int = 0
    ) -> None:
        self.formulas = list(formulas)
        check_formulas(self.formulas, FORMULAS)
        self.lists = lists_of(lists, graded=any(FORMULAS[name].graded for name in self.formulas))
        fixed = {
            "ranks": list(self.lists.values()),
            "formulas": [asdict(FORMULAS[name]) for name in self.formulas],
            "extra": extra,
        }
        super().__init__("bench", fixed=fixed, formula=self.formulas[0])

    @traitlets.validate("formula")
    def _check_formula(self, proposal: Mapping) -> str:
        check_formulas([proposal["value"]], FORMULAS)
        return proposal["value"]

    @property
    def values(self) -> dict[str, dict[str, float | None]]:
        """Formula -> list -> its number now; None where there is none."""
        return {
            name: {which: self._value(FORMULAS[name], each) for which, each in self.lists.items()}
            for name in self.formulas
        }

    def _value(self, formula: Formula, ranks: RankedList) -> float | None:
        relevant = ranks.relevant
        hits = [(n, relevant[i]) for n, i in enumerate(ranks.order, start=1) if i in relevant]
        longer = self.fixed["extra"] * self.longer
        return formula.value(hits, n=len(ranks.order) + longer, relevant=len(relevant))

    def reset(self) -> None:
        """Go back to the first orders, without the extra items."""
        self.longer = False
        super().reset()

    def picture(self) -> Picture:
        """The lists and what the formulas make of them, where nothing can be dragged."""
        said = [
            f"{say('bench', name)}: {in_row(localised(_written(each)) for each in of.values())}"
            for name, of in self.values.items()
        ]
        return picture_of_lists(self.lists, f"{'; '.join(said)}.")

    def __repr__(self) -> str:
        """One stable line: the orders, and the number of each list under each formula."""
        values = [f"{n}: {', '.join(map(_written, of.values()))}" for n, of in self.values.items()]
        return f"Bench({self._orders}; {'; '.join(values)})"


def check_formulas(asked: Sequence[str], known: Iterable[str]) -> None:
    """Raise a `DataError` for a formula that is not among the known, or for none."""
    unknown = [name for name in asked if name not in known]
    if unknown or not asked:
        said = f"There is no formula {unknown[0]!r} here." if unknown else "There is no formula."
        raise DataError(f"{said} Those to choose from are: {', '.join(map(repr, known))}.")


def _written(value: float | None) -> str:
    """A value below 1 as a fraction if it is a simple one, the others with three decimals."""
    if value is None:
        return "?"
    if value == int(value):
        return f"{value:.0f}"
    return (value < 1 and as_fraction(value, largest=LIMITS["bench"])) or f"{value:.3f}"


def lists_of(lists: Mapping[str, Case], *, graded: bool = False) -> dict[str, RankedList]:
    """Lists by their names, with the grades of their items or with no more than what is relevant.

    Raises:
        DataError: no lists.
    """
    if not isinstance(lists, Mapping) or not lists:
        raise DataError(
            f"lists is {lists!r}. Expected lists by their names: {{'bread': (ranked, relevant)}}."
        )
    found = {}
    for name, (ranked, judged) in lists.items():
        grades = grades_of(judged, max_grade=LIMITS["grade"])
        shown = {item: grade if graded else 1 for item, grade in grades.items() if grade}
        most = max(shown.values(), default=1)
        found[str(name)] = RankedList(
            ranked, shown, max_grade=most, grading=False, caption=str(name)
        )
    return found


def picture_of_lists(lists: Mapping[str, Ranked], line: str) -> Picture:
    """The image of lists under one another; its words end with a line of what is made of them."""
    cases = {name: (each.order, each.relevant) for name, each in lists.items()}
    width = 2 + 0.95 * max(len(each.catalogue.labels) for each in lists.values())
    picture = Picture((width, 0.9 + 0.55 * len(lists)))
    ax = picture.axes_at(1.1 / width, 0.22, 0.98 - 1.1 / width, 0.6)
    ax.set_label(f"{draw_lists(cases, ax=ax).get_label()} {line}")
    return picture
