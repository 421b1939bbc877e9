"""Several lists in one widget, and the formulas that it compares on them."""

from collections.abc import Iterable, Mapping, Sequence

import traitlets

from byhand.errors import DataError
from byhand.figures import draw_lists
from byhand.metrics.cases import Case
from byhand.widgets.list.ranked_list import RankedList
from byhand.widgets.list.ranking import grades_of
from byhand.widgets.live import Live, Picture, checks
from byhand.widgets.numbers import LIMITS
from byhand.widgets.phrases import say
from byhand.words import text_width

Formulas = Iterable[str] | Mapping[str, str]  # alone, or each with the name that is shown


class ManyLists(Live):
    """Lists by their names; call their methods as a reader would drag."""

    lists: dict[str, RankedList]

    def reset(self) -> None:
        """Go back to the first orders and grades."""
        for ranks in self.lists.values():
            ranks.reset()

    @property
    def _orders(self) -> str:
        return "; ".join(f"{name}: {ranks.line}" for name, ranks in self.lists.items())


class ComparedFormulas(ManyLists):
    """Lists, and the formula of several that is shown."""

    formula = traitlets.Unicode().tag(sync=True)
    _known: Iterable[str]  # formulas
    _made: str  # of the lists, in words
    _asked: Sequence[str] = ()  # what the reader is asked to make of them

    def _named(self, formulas: Formulas, section: str, **known: str) -> dict[str, str]:
        """Formula -> the name shown: the one that is given, or ours."""
        self._given = dict(formulas) if isinstance(formulas, Mapping) else dict.fromkeys(formulas)
        return {each: name or say(section, each, **known) for each, name in self._given.items()}

    def _check(self, asked: Sequence[str]) -> None:
        unknown = [name for name in asked if name not in self._known]
        if unknown or not asked:
            known = ", ".join(map(repr, self._known))
            if unknown:
                raise DataError(
                    "There is no formula {name!r} here. Those to choose from are: {known}.",
                    [unknown[0], known],
                )
            raise DataError("There is no formula. Those to choose from are: {known}.", [known])

    @checks("formula")
    def _check_formula(self, formula: str) -> str:
        self._check([formula])
        return formula

    def picture(self) -> Picture:
        """The lists under one another, and what is made of them."""
        cases = {name: (each.order, each.relevant) for name, each in self.lists.items()}
        left = max(1.1, 0.09 * max(map(text_width, cases)) + 0.1)  # for their names
        width = 0.9 + left + 0.95 * max(len(each.catalogue.labels) for each in self.lists.values())
        below, high = 0.24 * len(self._asked), 0.9 + 0.55 * len(cases)
        picture = Picture((width, high + below))
        share = high / (high + below)
        bottom = 1 - 0.78 * share
        ax = picture.axes_at(left / width, bottom, 0.98 - left / width, 0.6 * share)
        ax.set_label(f"{draw_lists(cases, ax=ax).get_label()} {self._made}")
        if self._asked:
            picture.write_lines(self._asked, top=1 - share)
        return picture


def lists_named(lists: Mapping[str, Case], *, graded: bool = False) -> dict[str, RankedList]:
    """Lists by their names, with the grades of their items, or only with what is relevant."""
    if not isinstance(lists, Mapping) or not lists:
        raise DataError(
            "lists is {lists!r}. Expected lists by their names: {{'bread': (ranked, relevant)}}.",
            [lists],
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
