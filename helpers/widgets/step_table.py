"""The step table of a list, beside the list itself."""

from collections.abc import Callable, Hashable, Sequence

import anywidget
import pandas as pd
import traitlets

from helpers.metrics.names import measure_named
from helpers.widgets.assets import joined


class StepTable(anywidget.AnyWidget):
    """What `explain` says of a list, as a table whose last touched row is marked.

    Example:
        >>> from helpers import explain
        >>> table = StepTable(["AP"])
        >>> table.show(explain(["D1", "D4"], {"D4"}), moved="D4", label=str)
        >>> table.table["rows"][1]
        ['2', 'D4', '● hit', '1', '0.500', '0.500']
    """

    _esm = joined("guard.js", "step_table.js")
    _css = joined("base.css", "step_table.css")

    table = traitlets.Dict().tag(sync=True)
    caption = traitlets.Unicode("Step by step").tag(sync=True)

    def __init__(self, measures: Sequence[str], *, graded: bool = False) -> None:
        wanted = [
            column
            for name in measures
            for column in (*measure_named(name).workings, f"share of {name}")
        ]
        self._columns = ["rank", "item", *(["grade"] if graded else []), "hit"]
        self._columns += list(dict.fromkeys(wanted))
        super().__init__(table=_table(self._columns, [], -1, []))

    def show(
        self, steps: pd.DataFrame, *, moved: Hashable | None, label: Callable[[Hashable], str]
    ) -> None:
        """Show a step table, with the row of the item `moved` marked."""
        columns = {name: steps[name].tolist() for name in self._columns}
        marked = columns["item"].index(moved) if moved in columns["item"] else -1
        cells = [
            [label(value) if name == "item" else _cell(name, value) for value in values]
            for name, values in columns.items()
        ]
        shared = [name for name in self._columns if name.startswith("share")]
        total = [f"{sum(columns[name]):.3f}" if name in shared else "" for name in self._columns]
        if shared:
            total[1] = "sum"
        rows = [list(row) for row in zip(*cells, strict=True)]
        self.table = _table(self._columns, rows, marked, total if shared else [])

    def __repr__(self) -> str:
        """The columns, in order."""
        return f"StepTable({', '.join(self._columns)})"


def _table(columns: list[str], rows: list[list[str]], marked: int, total: list[str]) -> dict:
    numeric = [name not in ("item", "hit") for name in columns]
    return {
        "columns": columns,
        "numeric": numeric,
        "rows": rows,
        "marked": marked,
        "total": total,
    }


def _cell(name: str, value: object) -> str:
    if name == "hit":
        return "● hit" if value else ""
    if name in ("rank", "hits so far"):
        return str(value)
    if name in ("grade", "gain"):
        return f"{value:g}"
    return f"{value:.3f}"
