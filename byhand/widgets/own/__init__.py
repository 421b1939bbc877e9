"""Widgets for a reader's own text: a list with its measures, or several queries with their mean."""

import re
from collections.abc import Iterable

import traitlets

from byhand.errors import DataError
from byhand.metrics.measure_names import measures_named
from byhand.widgets.explorer import MeasuredWidget
from byhand.widgets.list.measured_list import MeasuredList
from byhand.widgets.list.ranking import Ranking
from byhand.widgets.live import Live
from byhand.widgets.numbers import LIMITS
from byhand.widgets.phrases import say
from byhand.widgets.queries import Queries
from byhand.widgets.still import Still

# must match the browser's readList
_LINE_ENDS = re.compile("\r\n|[\r\n\u2028\u2029]")
_BLANKS = "\t\v\f \u00a0\u1680\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))


class OwnList(MeasuredWidget):
    """Show a text field for a list, and the list to drag, with its measures.

    Dragging an item updates the text.

    Args:
        text: the initial list, in the format of `read_list`.
        measures: one name in ir_measures' notation, or several; RR, AP and nDCG by default.

    Attributes:
        text: the current list.

    Raises:
        DataError: If `read_list` cannot read the text, or a measure does not allow grade 9.
        ValueError: If a measure is unknown.

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
        fixed = {"measures": self._measured.specs, "queries": False, "label": None}
        super().__init__("own", fixed=fixed)

    @property
    def _ranks(self) -> Ranking:
        ranked, grades = read_list(self.text)
        return Ranking(ranked, grades, max_grade=max(grades.values(), default=1))

    @property
    def _measured(self) -> MeasuredList:
        return MeasuredList(self._ranks, self._asked)

    @property
    def _line(self) -> str:
        try:
            return f"{self._ranks.line}; {self._measured.line}"
        except DataError as error:
            return str(error)


class OwnQueries(Live):
    """Show a text field for several queries, their lists to drag, and the mean of their values.

    Dragging an item updates the text.

    Args:
        text: the initial queries, in the format of `read_queries`.
        measure: a measure in ir_measures' notation; RR by default.
        label: label of the field; by default it explains the format.

    Attributes:
        text: the current queries.

    Raises:
        DataError: If `read_queries` cannot read the text.
        ValueError: If the measure is unknown.

    Example:
        >>> own = OwnQueries("museum\\nMarket\\nMuseum *\\n\\nharbour\\nPier")
        >>> own
        OwnQueries(museum: Market > Museum*; harbour: Pier; mean of all RR = 1/4)
        >>> own.values, own.mean
        ({'museum': 0.5, 'harbour': 0.0}, 0.25)
    """

    text = traitlets.Unicode("").tag(sync=True)

    def __init__(self, text: str, *, measure: str = "RR", label: str | None = None) -> None:
        self._measure, self.text = measure, text
        spec = self._queries.fixed["measure"]
        fixed = {"measures": [spec], "queries": True, "label": label}
        super().__init__("own", fixed=fixed)

    _read: tuple[str | None, Queries | None] = (None, None)  # a text and its queries

    @property
    def _queries(self) -> Queries:
        if self._read[0] != self.text:  # each widget sends its state to the browser
            self._read = self.text, Queries(read_queries(self.text), measure=self._measure)
        return self._read[1]

    @property
    def values(self) -> dict[str, float]:
        """Mapping query -> value of its list."""
        return self._queries.values

    @property
    def mean(self) -> float:
        """The mean over all queries, including those without a hit."""
        return self._queries.mean

    @property
    def _line(self) -> str:
        try:
            return self._queries._line
        except DataError as error:
            return str(error)

    def picture(self) -> Still:
        """Draw the current lists and their mean."""
        return self._queries.picture()


def read_queries(text: str) -> dict[str, tuple[list[str], dict[str, int]]]:
    """Read several queries from text: query -> its list, as `read_list` returns it.

    Args:
        text: each query on a line, its list below it, and an empty line between queries.

    Raises:
        DataError: If there is no query, one is repeated, or `read_list` cannot read its list.

    Example:
        >>> read_queries("museum\\nMarket\\nMuseum *\\n\\nharbour")
        {'museum': (['Market', 'Museum'], {'Museum': 1}), 'harbour': ([], {})}
    """
    blocks: dict[str, tuple[int, list[str]]] = {}
    lines: list[str] | None = None
    for n, line in enumerate(_LINE_ENDS.split(text), start=1):
        query = line.strip(_BLANKS)
        if not query:
            lines = None
        elif lines is not None:
            lines.append(line)
        elif query in blocks:
            raise DataError(say("own", "query twice", line=n, query=query, first=blocks[query][0]))
        else:
            blocks[query] = n, (lines := [])
    if not blocks:
        raise DataError(say("own", "no query"))
    return {
        query: read_list("\n".join(lines), above=above) for query, (above, lines) in blocks.items()
    }


def read_list(text: str, *, above: int = 0) -> tuple[list[str], dict[str, int]]:
    """Read a list from text: its items, best first, and the grades of the graded items.

    Args:
        text: one item per line, with as many stars before or after it as its grade, at most 9.
            Relevant items that were not retrieved follow below a line `---`. Empty lines are
            ignored.
        above: number of lines above the list, for line numbers in errors; 0 by default.

    Raises:
        DataError: If an item is repeated or has more than 9 stars, or stars have no item.

    Example:
        >>> read_list("Museum\\nMarket *\\n---\\nHarbour **")
        (['Museum', 'Market'], {'Market': 1, 'Harbour': 2})
    """
    ranked, grades, lines, most = [], {}, {}, LIMITS["grade"]
    retrieved = True
    for n, line in enumerate(_LINE_ENDS.split(text), start=above + 1):
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
