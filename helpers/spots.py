"""The tourist spots of lesson 7: what procedures make of an order of them, in a table or live."""

from collections.abc import Callable, Mapping, Sequence

import ipywidgets
import pandas as pd

from byhand.figures.tables import table_html
from byhand.widgets.ranked_list import RankedList
from helpers.places import DATA
from helpers.record.spots import SCORES, THEMES, spots_by

# an order of the eight spots, the spots of a theme -> the value of that theme
Procedure = Callable[[Sequence[str], Sequence[str]], float]
_NAMES = {"steins": "Steins;Gate", "love": "LoveLive"}


def spots_table(*procedures: Procedure) -> pd.DataFrame:
    """What procedures give for the order by each score: of each theme, and on average.

    Args:
        procedures: functions of an order of the eight spots and the spots of a theme; a row has
            the name of its function.

    Example:
        >>> from byhand import reciprocal_rank
        >>> spots_table(reciprocal_rank)["average"].tolist()
        [0.75, 0.75]
    """
    orders = {score: spots_by(column) for score, column in SCORES.items()}
    tables = {score: _table(procedures, order) for score, order in orders.items()}
    return pd.concat(tables)


def _table(procedures: Sequence[Procedure], order: Sequence[str]) -> pd.DataFrame:
    rows = {each.__name__: _row(each, order) for each in procedures}
    return pd.DataFrame.from_dict(rows, orient="index")


def _row(procedure: Procedure, order: Sequence[str]) -> Mapping[str, float]:
    values = {_NAMES[theme]: procedure(order, list(spots)) for theme, spots in THEMES.items()}
    return {**values, "average": sum(values.values()) / len(values)}


class SpotsBoard(ipywidgets.VBox):
    """The eight spots to drag, above them what procedures give for the order as it is.

    Args:
        procedures: as `spots_table` takes them.

    Attributes:
        ranks: the `RankedList`, at first in the order of the weighted score.
        values: one row a procedure: each theme, and the average.

    Example:
        >>> from byhand import reciprocal_rank
        >>> board = SpotsBoard(reciprocal_rank)
        >>> board
        SpotsBoard(reciprocal_rank: average 0.7500)
        >>> board.ranks.rearrange([f"S00{n}" for n in range(1, 9)])
        >>> board
        SpotsBoard(reciprocal_rank: average 0.6000)
    """

    def __init__(self, *procedures: Procedure) -> None:
        self._procedures = procedures
        self.ranks = RankedList(_labels(), (), grading=False, docking=False, judged=False)
        self._readout = ipywidgets.HTML()
        super().__init__([self._readout, self.ranks])
        self.ranks.observe(self._show, names="order")
        self._show()

    def _show(self, _: object = None) -> None:
        self.values = _table(self._procedures, self.ranks.order)
        rows = [
            (name, *(f"{value:.4f}" for value in row)) for name, *row in self.values.itertuples()
        ]
        table = table_html(["", *self.values], rows, titles=1, label="RR of each theme")
        self._readout.value = f'<div role="status">{table}</div>'

    def __repr__(self) -> str:
        """The averages."""
        averages = self.values["average"].items()
        said = ", ".join(f"{name}: average {value:.4f}" for name, value in averages)
        return f"SpotsBoard({said})"


def _labels() -> dict[str, str]:
    visits = pd.read_csv(DATA / "spots.csv").set_index("SpotID")["Check"]
    return {
        spot: f"{spot} · {_NAMES[theme]} · {visits[spot]} visits"
        for spot in spots_by(SCORES["weighted"])
        for theme in THEMES
        if spot in THEMES[theme]
    }
