"""What a reader writes: a list and its measures, or several queries and their mean."""

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

# the same in the browser's readList
_LINE_ENDS = re.compile("\r\n|[\r\n\u2028\u2029]")
_BLANKS = "\t\v\f \u00a0\u1680\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))


class OwnList(MeasuredWidget):
    """A field for a list as text, and that list to drag, with its measures.

    What is dragged is written back into the field.

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
    """A field for several queries as text, their lists to drag, and the mean of their values.

    What is dragged is written back into the field.

    Args:
        text: the queries that stand there first, as `read_queries` takes them.
        measure: the value of a list, in ir_measures' notation.
        label: what the field is called; it tells how to write the lists unless it is given.

    Attributes:
        text: the queries as they are now.

    Raises:
        DataError: a text that `read_queries` refuses.
        ValueError: an unknown measure.

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

    @property
    def _queries(self) -> Queries:
        return Queries(read_queries(self.text), measure=self._measure)

    @property
    def values(self) -> dict[str, float]:
        """Query -> the value of its list."""
        return self._queries.values

    @property
    def mean(self) -> float:
        """The mean over all queries, also over those that find nothing."""
        return self._queries.mean

    @property
    def _line(self) -> str:
        try:
            return self._queries._line
        except DataError as error:
            return str(error)

    def picture(self) -> Still:
        """The lists as they are now, and their mean."""
        return self._queries.picture()


def read_queries(text: str) -> dict[str, tuple[list[str], dict[str, int]]]:
    """Several queries written as text: query -> its list, as `read_list` reads it.

    Args:
        text: for each query what was typed, and below it its list; an empty line between two.

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
    """A list written as text: its items, best first, and the grade of each item that has one.

    Args:
        text: one item a line; a star before or after it for each grade; below a line `---` the
            relevant items that were not retrieved. Empty lines count for nothing.
        above: lines above it, which are counted where a line is refused.

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
