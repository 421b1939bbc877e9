"""Lists, and formulas that make a number of them, to be tried against each other."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import inf, log2

import traitlets

from byhand.errors import DataError
from byhand.figures import draw_lists
from byhand.metrics.cases import Case
from byhand.widgets.board import Board
from byhand.widgets.live import Picture, checks
from byhand.widgets.ranked_list import ManyLists, RankedList
from byhand.widgets.ranking import grades_of
from byhand.widgets.words import LIMITS, as_fraction, say, shortly
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
MEANS = ("mean rank", "mean of all", "mean of hits")  # of several queries; the browser's, too
_RANKS = (20, 50, 100, 200, 500, 1000)  # for "never", beyond the first few


def of_query(
    formula: str, first: int | None, value: float, never: float | None = None
) -> float | None:
    """What one query brings to the mean, by its `first` hit and its value; None if left out.

    A query without a hit has the rank `never`, infinitely far if that is None.
    """
    if formula == "mean rank":
        return first or never or inf
    if first:
        return value
    return None if formula == "mean of hits" else 1 / (never or inf)


class _Tried(ManyLists):
    """Lists, and the formula of several that is shown."""

    formula = traitlets.Unicode().tag(sync=True)
    _known: Iterable[str]  # formulas
    _made: str  # of the lists, in words

    def _check(self, asked: Sequence[str]) -> None:
        unknown = [name for name in asked if name not in self._known]
        if unknown or not asked:
            said = (
                f"There is no formula {unknown[0]!r} here." if unknown else "There is no formula."
            )
            known = ", ".join(map(repr, self._known))
            raise DataError(f"{said} Those to choose from are: {known}.")

    @checks("formula")
    def _check_formula(self, formula: str) -> str:
        self._check([formula])
        return formula

    def picture(self) -> Picture:
        """The lists under one another, and what is made of them."""
        cases = {name: (each.order, each.relevant) for name, each in self.lists.items()}
        width = 2 + 0.95 * max(len(each.catalogue.labels) for each in self.lists.values())
        picture = Picture((width, 0.9 + 0.55 * len(cases)))
        ax = picture.axes_at(1.1 / width, 0.22, 0.98 - 1.1 / width, 0.6)
        ax.set_label(f"{draw_lists(cases, ax=ax).get_label()} {self._made}")
        return picture


class Bench(_Tried):
    """Lists to reorder under several formulas: the number of each, and its curve in the rows.

    Args:
        lists: name -> (ranked items, relevant items or a mapping item -> grade). A relevant item
            that was not retrieved can be brought in.
        formulas: names out of `FORMULAS`.
        extra: so many items, none of them relevant, can be added below by a button.

    Attributes:
        lists: name -> `RankedList`.
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

    _known = FORMULAS
    longer = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self, lists: Mapping[str, Case], formulas: Iterable[str], *, extra: int = 0
    ) -> None:
        self.formulas = list(formulas)
        self._check(self.formulas)
        tried = [FORMULAS[name] for name in self.formulas]
        self.lists = _lists_of(lists, graded=any(each.graded for each in tried))
        fixed = {"ranks": [*self.lists.values()], "formulas": [*map(asdict, tried)], "extra": extra}
        super().__init__("bench", fixed=fixed, formula=self.formulas[0])

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

    @property
    def _made(self) -> str:
        said = [
            f"{say('bench', name)}: {in_row(localised(_written(each)) for each in of.values())}"
            for name, of in self.values.items()
        ]
        return f"{'; '.join(said)}."

    @property
    def _line(self) -> str:
        values = [f"{n}: {', '.join(map(_written, of.values()))}" for n, of in self.values.items()]
        return f"{self._orders}; {'; '.join(values)}"


class Queries(_Tried):
    """Lists of several queries to reorder, a bar for the value of each, and their mean.

    Args:
        lists: query -> (ranked items, relevant items or a mapping item -> grade). A relevant item
            that was not retrieved can be brought in.
        measure: the value of a list, in ir_measures' notation.
        formulas: what is made of the values, to be tried out: "mean rank", "mean of all", "mean of
            hits"; without any it is the mean of all.
        never: whether there is a slider for the rank that a query without a hit gets.

    Attributes:
        lists: query -> `RankedList`.
        formula: the one that is shown.
        never: the rank that a query without a hit gets; None without a slider, and at its end.

    Raises:
        DataError: no lists, an unknown formula, or ranks asked of a measure that is not RR.
        ValueError: an unknown measure.

    Example:
        >>> bread = (["tart", "focaccia"], {"focaccia"})
        >>> queries = Queries({"bread": bread, "gyoza": (["tart"], [])})
        >>> queries
        Queries(bread: tart > focaccia*; gyoza: tart; mean of all RR = 1/4)
        >>> queries.lists["bread"].move("focaccia", to=1)
        >>> queries.values, queries.mean
        ({'bread': 1.0, 'gyoza': 0.0}, 0.5)
    """

    _known = MEANS
    never = traitlets.Int(None, allow_none=True, min=1).tag(sync=True)

    def __init__(
        self,
        lists: Mapping[str, Case],
        *,
        measure: str = "RR",
        formulas: Iterable[str] = (),
        never: bool = False,
    ) -> None:
        formulas, self.lists = list(formulas), _lists_of(lists)
        self._boards = {query: Board(each, measure) for query, each in self.lists.items()}
        (self._spec,) = next(iter(self._boards.values())).specs
        first = (formulas or ["mean of all"])[0]
        self._check(formulas or [first], asked=never)
        least = 1 + min(len(each.order) for each in self.lists.values())
        stops = [*range(least, max(least, 12) + 1), *(n for n in _RANKS if n > max(least, 12))]
        fixed = {"ranks": [*self.lists.values()], "measure": self._spec, "formulas": formulas}
        fixed["stops"] = stops if never else []
        super().__init__("queries", fixed=fixed, formula=first, never=least if never else None)

    def _check(self, formulas: Sequence[str], *, asked: bool = False) -> None:
        super()._check(formulas)
        if self._spec["kind"] != "RR" and (asked or "mean rank" in formulas):
            raise DataError(
                "A rank for 'never' and the mean rank are asked of first hits. Leave them out, or "
                "take measure='RR'."
            )
        if not self._spec["kind"]:
            raise DataError("A browser has no formula for that measure. Take 'RR' or 'AP'.")

    @property
    def values(self) -> dict[str, float | None]:
        """Query -> what it brings to the mean now; None where it is left out."""
        found = {}
        for query, ranks in self.lists.items():
            (value,) = self._boards[query].values.values()
            hits = [n for n, item in enumerate(ranks.order, start=1) if item in ranks.relevant]
            found[query] = of_query(self.formula, hits[0] if value else None, value, self.never)
        return found

    @property
    def mean(self) -> float | None:
        """The number for all queries now; None if all are left out."""
        counted = [value for value in self.values.values() if value is not None]
        return sum(counted) / len(counted) if counted else None

    @property
    def _made(self) -> str:
        formula = self.formula if self.fixed["formulas"] else "of all"
        name = say("queries", formula, measure=self._spec["asked"])
        return say("queries", "result", name=name, value=localised(self._mean_written))

    @property
    def _mean_written(self) -> str:
        return "?" if self.mean in (None, inf) else shortly(self.mean)

    @property
    def _line(self) -> str:
        mean = f"{self.formula} {self._spec['asked']} = {self._mean_written}"
        return f"{self._orders}; {mean}"


def _lists_of(lists: Mapping[str, Case], *, graded: bool = False) -> dict[str, RankedList]:
    """Lists by their names, with the grades of their items, or only with what is relevant."""
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


def _written(value: float | None) -> str:
    """A value below 1 as a fraction if it is a simple one, the others with three decimals."""
    if value is None:
        return "?"
    if value == int(value):
        return f"{value:.0f}"
    return (value < 1 and as_fraction(value, largest=LIMITS["bench"])) or f"{value:.3f}"
