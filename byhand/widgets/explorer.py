"""A list and its measures: dragged, or written, and every number and the picture follow."""

import re
from collections.abc import Iterable
from typing import Unpack

import pandas as pd
import traitlets

from byhand.errors import DataError
from byhand.metrics.conventions import Conventions
from byhand.metrics.measure_names import measures_named
from byhand.metrics.measures.measure import cutoff
from byhand.widgets.board import Board, Shows
from byhand.widgets.live import Live, Picture, checks
from byhand.widgets.ranked_list import RankedList
from byhand.widgets.ranking import Given, Graded, Ranking, Settings
from byhand.widgets.words import LIMITS, say

# the same in the browser's readList
_LINE_ENDS = re.compile("\r\n|[\r\n\u2028\u2029]")
_BLANKS = "\t\v\f \u00a0\u1680\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))


class _Boarded(Live):
    """One list under its measures: what its board says of it."""

    _board: Board

    @property
    def values(self) -> dict[str, float]:
        """Measure, as it was asked for, -> its value for the list as it is now."""
        return self._board.values

    @property
    def steps(self) -> pd.DataFrame:
        """The step table of the list as it is now: what `explain` says for these measures."""
        return self._board.steps

    def picture(self) -> Picture:
        """The list as it is now."""
        picture = Picture(self._board.size)
        self._board.draw(picture.axes_between())
        return picture


class Explorer(_Boarded):
    """A list to reorder, its measures, its step table and a picture of where the hits are.

    Args:
        items: the retrieved items, best first; or a mapping item -> label.
        relevant: the relevant items (grade 1), or a mapping item -> grade, None for one that
            nobody judged. A relevant one that is not among `items` starts in the dock.
        measures: names in ir_measures' notation, or just one; None for RR, AP and nDCG, or the
            one that `shows` is of.
        k: the cutoff of the measures that have none of their own; giving it shows a slider.
        seed: where the Shuffle button starts, so that a lesson shuffles alike each time.
        conventions: the name of a preset, or a `Conventions` value.
        shows: what stands beside the list. "bars": the measures, and in its row what each rank
            adds. "number": one large number without a name. "curve": RR, whose hit slides on
            1/rank. "area": AP. "discount": DCG. "ideal": nDCG, with the ideal list.
        trace: whether a number keeps a dot for each value that was seen.
        settings: as `RankedList` takes them: `max_grade`, `order`, `grading`, `docking`, `spans`.

    Attributes:
        ranks: the `RankedList`; set its traits, or call its methods, as a reader would drag.
        k: the cutoff now, or None.

    Raises:
        DataError: a repeated item, a grade out of range, or conventions that remove unjudged items.
        ValueError: an unknown measure or preset, a cutoff that is no whole number from 1, or
            measures that `shows` is not of.

    Example:
        >>> explorer = Explorer(["D1", "D2", "D3", "D4"], {"D4"})
        >>> explorer
        Explorer(D1 > D2 > D3 > D4*; RR=0.250, AP=0.250, nDCG=0.431)
        >>> explorer.ranks.move("D4", to=1)
        >>> explorer.values
        {'RR': 1.0, 'AP': 1.0, 'nDCG': 1.0}
    """

    k = traitlets.Int(None, allow_none=True).tag(sync=True)
    answers = traitlets.Dict(read_only=True).tag(sync=True)

    def __init__(
        self,
        items: Given,
        relevant: Graded,
        *,
        measures: Iterable[object] | None = None,
        k: int | None = None,
        seed: int = 0,
        conventions: str | Conventions = "trec_eval -c",
        shows: Shows = "bars",
        trace: bool = False,
        **settings: Unpack[Settings],
    ) -> None:
        self.ranks = RankedList(items, relevant, **settings)
        shown = {"seed": seed, "conventions": conventions, "shows": shows, "trace": trace}
        self._board = Board(self.ranks, measures, k=k, **shown)
        fixed = self._board.fixed | {"ranks": self.ranks}
        super().__init__("explorer", fixed=fixed, k=k, answers=self._board.answers)
        self.ranks.observe(self._answer, names=["order", "grades"])

    @checks("k")
    def _check_k(self, k: int | None) -> int | None:
        return cutoff(k)

    @traitlets.observe("k")
    def _answer(self, _: object = None) -> None:
        self._board.k = self.k
        self.set_trait("answers", self._board.answers)

    def reset(self) -> None:
        """Go back to the first order, grades and cutoff."""
        self.k = self.fixed["start_k"]
        self.ranks.reset()

    @property
    def _line(self) -> str:
        return f"{self.ranks.line}; {self._board.line}"


class OwnList(_Boarded):
    """A field for a list as text, and that list to drag, with its measures and its step table.

    What is dragged is written back into the field. On a page, a link holds the list.

    Args:
        text: the list that stands there first, as `read_list` takes it.
        measures: names in ir_measures' notation, or just one.

    Attributes:
        text: the list as it is now.

    Raises:
        DataError: a text that `read_list` refuses, or a measure that does not take nine stars.
        ValueError: an unknown measure.

    Example:
        >>> own = OwnList("Museum\\nMarket *", measures=["RR"])
        >>> own.values
        {'RR': 0.5}
        >>> own.text = "Market *\\nMuseum"
        >>> own
        OwnList(Market* > Museum; RR=1.000)
    """

    text = traitlets.Unicode("").tag(sync=True)

    def __init__(self, text: str, *, measures: Iterable[object] = ("RR", "AP", "nDCG")) -> None:
        self._asked, self.text = measures_named(measures), text
        for measure in self._asked.values():
            measure.check_grade(LIMITS["grade"])
        super().__init__("own", fixed={"measures": self._board.specs})

    @property
    def _ranks(self) -> Ranking:
        ranked, grades = read_list(self.text)
        return Ranking(ranked, grades, max_grade=max(grades.values(), default=1))

    @property
    def _board(self) -> Board:
        return Board(self._ranks, self._asked)

    @property
    def _line(self) -> str:
        try:
            return f"{self._ranks.line}; {self._board.line}"
        except DataError as error:
            return str(error)


def read_list(text: str) -> tuple[list[str], dict[str, int]]:
    """A list written as text: its items, best first, and the grade of each item that has one.

    Args:
        text: one item a line; a star before or after it for each grade; below a line `---` the
            relevant items that were not retrieved. Empty lines count for nothing.

    Example:
        >>> read_list("Museum\\nMarket *\\n---\\nHarbour **")
        (['Museum', 'Market'], {'Market': 1, 'Harbour': 2})
    """
    ranked, grades, lines, most = [], {}, {}, LIMITS["grade"]
    retrieved = True
    for n, line in enumerate(_LINE_ENDS.split(text), start=1):
        item = line.strip(_BLANKS)
        stars = len(item) - len(item := item.lstrip("*"))
        stars += len(item) - len(item := item.rstrip("*"))
        item = item.strip(_BLANKS)
        rule = re.fullmatch("-{3,}", item)
        if rule and not stars:
            retrieved = False
        elif (rule or not item) and stars:
            raise DataError(say("own", "no item", line=n))
        elif stars > most:
            raise DataError(say("own", "stars", line=n, item=item, most=most))
        elif item in lines:
            raise DataError(say("own", "twice", line=n, item=item, first=lines[item]))
        elif item:
            lines[item] = n
            if retrieved:
                ranked.append(item)
            if stars:
                grades[item] = stars
    return ranked, grades
