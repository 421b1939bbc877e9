"""The base of widgets with several lists and formulas."""

from collections.abc import Iterable, Mapping, Sequence

import traitlets

from byhand.errors import DataError
from byhand.metrics.cases import Case
from byhand.widgets.list.ranked_list import RankedList
from byhand.widgets.list.ranking import grades_of
from byhand.widgets.live import Live, checks
from byhand.widgets.numbers import LIMITS
from byhand.widgets.phrases import say

Formulas = Iterable[str] | Mapping[str, str]  # names, or formula -> displayed name


class ComparedFormulas(Live):
    """Base of widgets with several lists and a choice of formulas."""

    formula = traitlets.Unicode().tag(sync=True)
    lists: dict[str, RankedList]
    _known: Iterable[str]

    @property
    def _orders(self) -> str:
        return "; ".join(f"{name}: {ranks.line}" for name, ranks in self.lists.items())

    def _named(self, formulas: Formulas, section: str, **known: str) -> dict[str, str]:
        """Return formula -> displayed name."""
        self._given = dict(formulas) if isinstance(formulas, Mapping) else dict.fromkeys(formulas)
        return {each: name or say(section, each, **known) for each, name in self._given.items()}

    def _check(self, asked: Sequence[str]) -> None:
        unknown = [name for name in asked if name not in self._known]
        if unknown or not asked:
            given = f" {unknown[0]!r} here" if unknown else ""
            known = ", ".join(map(repr, self._known))
            raise DataError(f"There is no formula{given}. Expected one of {known}.")

    @checks("formula")
    def _check_formula(self, formula: str) -> str:
        self._check([formula])
        return formula


def lists_named(lists: Mapping[str, Case], *, graded: bool = False) -> dict[str, RankedList]:
    """Return lists by name, with grades or only with relevant items."""
    if not isinstance(lists, Mapping) or not lists:
        raise DataError(
            f"lists is {lists!r}. Expected a dict of lists: {{'bread': (ranked, relevant)}}."
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
