"""A widget that compares ways to average a measure over several queries."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf

import traitlets

from byhand.errors import DataError
from byhand.metrics.cases import Case
from byhand.metrics.measure_names import measures_named
from byhand.widgets.list.goals import Goal, best_mean, mean_name
from byhand.widgets.list.many_lists import ComparedFormulas, Formulas, lists_named
from byhand.widgets.list.measured_list import MeasuredList, counts_hits
from byhand.widgets.numbers import NEAR, shortly
from byhand.widgets.phrases import say
from byhand.widgets.still import Still, begun
from byhand.words import localised

MEANS = ("mean rank", "mean of all", "mean of hits")  # the browser has the same names
_RANKS = (20, 50, 100, 200, 500, 1000)  # stops for "never", after the first few


def of_query(
    formula: str, first: int | None, value: float, never: float | None = None
) -> float | None:
    """Return what a query adds to the mean, given its first hit and value; None if left out.

    A query without a hit has the rank `never`, or infinity if that is None.
    """
    if formula == "mean rank":
        return first or never or inf
    if first:
        return value
    return None if formula == "mean of hits" else 1 / (never or inf)


class Queries(ComparedFormulas):
    """Show the lists of several queries to reorder, a bar for each value, and their mean.

    Args:
        lists: mapping query -> (ranked items, relevant items or a mapping item -> grade). Readers
            can add a relevant item that was not retrieved.
        measure: a measure in ir_measures' notation; RR by default.
        formulas: formulas to compare: "mean rank", "mean of all" and "mean of hits"; the mean of
            all by default. A mapping formula -> name sets the displayed names.
        never: If True, add a slider for the rank of a query without a hit; False by default.
        digits: number of decimals of the values and their mean; fractions by default.
        goal: a goal for the mean over all lists, such as `Goal.highest("RR")`; None by default.

    Attributes:
        lists: mapping query -> `RankedList`.
        formula: the formula that is shown.
        never: rank of a query without a hit; None without a slider, and at the slider's end.

    Raises:
        DataError: If there is no list, a formula is unknown or only for RR, the browser has no
            formula for the measure, or the goal cannot be reached or is not about the mean.
        ValueError: If the measure is unknown.

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
        formulas: Formulas = (),
        never: bool = False,
        digits: int | None = None,
        goal: Goal | None = None,
    ) -> None:
        (each,) = measures_named([measure]).values()
        self.lists = lists_named(lists, graded=not counts_hits(each))
        self._measured = {query: MeasuredList(each, measure) for query, each in self.lists.items()}
        (self._spec,) = next(iter(self._measured.values())).specs
        tried = list(formulas) or ["mean of all"]
        self._check(tried, asked=never)
        least = 1 + min(len(each.order) for each in self.lists.values())
        stops = [*range(least, max(least, 12) + 1), *(n for n in _RANKS if n > max(least, 12))]
        asked = self._spec["asked"]
        names = {asked: mean_name(asked)}
        self._goal, best = goal, None
        if goal:
            if goal.measures != (asked,):
                raise DataError(
                    f"The goal of several lists must be about the mean of their {asked}. Pass "
                    f"Goal.reach, nearest, highest or lowest with {asked!r}."
                )
            self._goal = replace(goal, text=goal.worded(names))
            best = best_mean(self._goal, [*self.lists.values()])
        fixed = {
            "ranks": [*self.lists.values()],
            "measure": self._spec,
            "formulas": self._named(formulas, "queries", measure=asked),
            "stops": stops if never else [],  # of the slider for "never"
            "digits": digits,
            "goal": self._goal and self._goal.as_json(),
            "best": best,  # score of the best orders
            "names": names,  # measure -> name of its mean
        }
        super().__init__("queries", fixed=fixed, formula=tried[0], never=least if never else None)

    def _check(self, formulas: Sequence[str], *, asked: bool = False) -> None:
        super()._check(formulas)
        if self._spec["kind"] != "RR" and (asked or "mean rank" in formulas):
            raise DataError(
                "never=True and the formula 'mean rank' are only for RR. Remove them, or pass "
                "measure='RR'."
            )
        if not self._spec["kind"]:
            raise DataError(
                f"measure is {self._spec['asked']!r}, for which the browser has no formula. Pass "
                "another, such as 'RR' or 'AP'."
            )

    @property
    def values(self) -> dict[str, float | None]:
        """Mapping query -> its contribution to the current mean; None if it is left out."""
        return self._values(self.formula)

    def _values(self, formula: str) -> dict[str, float | None]:
        found = {}
        for query, ranks in self.lists.items():
            (value,) = self._measured[query].values.values()
            hits = [n for n, item in enumerate(ranks.order, start=1) if item in ranks.relevant]
            found[query] = of_query(formula, hits[0] if value else None, value, self.never)
        return found

    @property
    def mean(self) -> float | None:
        """The current mean; None if all queries are left out."""
        return _mean(self.values)

    def picture(self) -> Still:
        """Draw the lists side by side, a bar for each, and their mean."""
        rows = [each.rows(query, shows="") for query, each in self._measured.items()]
        asked = [self._goal.sentence] if self._goal else []
        of_all = say("queries", "of all", measure=self._spec["asked"])
        name = self.fixed["formulas"].get(self.formula, of_all)
        mean = localised(self._written(self.mean))
        made = begun(say("queries", "result", name=name, value=mean))
        still = Still([*asked, made, *(each.words for each in rows)], asks=bool(asked))
        still.lines(*asked, look="ask")
        means = {
            shown: {"": localised(self._written(_mean(self._values(each)), each))}
            for each, shown in self.fixed["formulas"].items()
        }
        terms = [
            localised(self._written(each)) for each in self.values.values() if each is not None
        ]
        still = still.tiles(means, name) if len(means) > 1 else still
        if "?" not in terms:
            still.lines(f"{name} = ({' + '.join(terms)}) / {len(terms)} = {mean}")
        return still.means(self.values, self.mean, self._written).rows(*rows)

    @property
    def reached(self) -> bool:
        """Whether there is a goal, and the current lists reach it."""
        if not self._goal:
            return False
        values = [value for each in self._measured.values() for value in each.values.values()]
        score = self._goal.score({self._spec["asked"]: sum(values) / len(values)})
        return score > self.fixed["best"] - NEAR

    def _written(self, value: float | None, formula: str = "") -> str:
        digits = self.fixed["digits"]
        if value in (None, inf):
            return "?"
        whole = digits is None or (formula or self.formula) == "mean rank"
        return shortly(value) if whole else f"{value:.{digits}f}"

    @property
    def _line(self) -> str:
        name = self._given.get(self.formula) or f"{self.formula} {self._spec['asked']}"
        goal = f"; goal {'' if self.reached else 'not '}reached" if self._goal else ""
        return f"{self._orders}; {name} = {self._written(self.mean)}{goal}"


def _mean(values: Mapping[str, float | None]) -> float | None:
    counted = [value for value in values.values() if value is not None]
    return sum(counted) / len(counted) if counted else None
