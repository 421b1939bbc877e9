"""The record as tables: to read, to print, and to search."""

import math
from fractions import Fraction
from html import escape

import ipywidgets
import pandas as pd
from IPython.display import display

from byhand.figures import Html, table_html
from helpers.record import Number

_MARKS = {
    "reproduced": "✓",
    "rounding": "≈",
    "wrong": "✗",
    "misleading": "!",
    "not reproducible": "?",
}
_STYLE = (
    "<style>.record{border-collapse:collapse;width:100%;table-layout:fixed}"
    ".record th,.record td{text-align:left !important;vertical-align:top;padding:3px 8px;"
    "white-space:normal;overflow-wrap:anywhere;border-bottom:1px solid #8884}"
    ".record td small{opacity:.8}.record tr{break-inside:avoid}</style>"
)
_WIDTHS = {"What it is": 28, "Documented": 16, "Computed": 18, "Verdict and why": 38}


def written(value: Number | None) -> str:
    """A computed value as text: a fraction with its decimals, or four digits."""
    if value is None:
        return "–"
    if isinstance(value, Fraction):
        decimals = f"{float(value):.4f}" if abs(value) < 10 else f"{float(value):.2f}"
        if value.denominator == 1:
            return str(value)
        return f"{value} = {decimals}" if value.denominator < 1000 else decimals
    return "infinite" if math.isinf(value) else f"{value:.4g}"


def record_html(rows: pd.DataFrame) -> str:
    """Rows of `documented_values()` as an HTML table; everything in them is text."""
    cells = [tuple(map(Html, _cells(row))) for row in rows.itertuples()]
    widths = tuple(_WIDTHS.values())
    return _STYLE + table_html(
        tuple(_WIDTHS), cells, texts=len(_WIDTHS), look="record", widths=widths
    )


def _cells(row: object) -> tuple[str, ...]:
    place = f"{row.document} · {row.section}"
    return (
        f"{escape(row.what)}<br><small>{escape(place)}</small>",
        escape(row.documented),
        f"{escape(written(row.computed))}<br><small>{escape(row.how)}</small>",
        f"{_MARKS[row.verdict]} <b>{row.verdict}</b> {escape(row.why)}",
    )


def show_record(values: pd.DataFrame, document: str) -> None:
    """Display the rows of `documented_values()` that one document has."""
    rows = values[values["document"] == document]
    lines = (
        f"{_MARKS[row.verdict]} {row.Index}: {row.documented} | {written(row.computed)}"
        for row in rows.itertuples()
    )
    display({"text/html": record_html(rows), "text/plain": "\n".join(lines)}, raw=True)


class Lookup(ipywidgets.VBox):
    """`documented_values()`, with a box to search it, and lists of the documents and verdicts."""

    def __init__(self, values: pd.DataFrame) -> None:
        self._values = values
        wide = ipywidgets.Layout(width="auto")
        self.search = ipywidgets.Text(
            placeholder="0.7333, rank, MAP …", description="Search", layout=wide
        )
        documents = ["all documents", *values["document"].unique()]
        self.document = ipywidgets.Dropdown(options=documents, description="Document", layout=wide)
        verdicts = ["all verdicts", *_MARKS]
        self.verdict = ipywidgets.Dropdown(options=verdicts, description="Verdict", layout=wide)
        self._count = ipywidgets.HTML()
        self._table = ipywidgets.HTML()
        controls = (self.search, self.document, self.verdict)
        row = ipywidgets.Layout(display="flex", flex_flow="row wrap")
        super().__init__([ipywidgets.Box(controls, layout=row), self._count, self._table])
        for control in controls:
            control.observe(self._show, names="value")
        self._show()

    def _show(self, _: object = None) -> None:
        rows = self._values
        if self.document.index:
            rows = rows[rows["document"] == self.document.value]
        if self.verdict.index:
            rows = rows[rows["verdict"] == self.verdict.value]
        wanted = self.search.value.strip().casefold()
        texts = rows[["section", "what", "documented", "why"]].agg(" ".join, axis=1)
        self.rows = rows[texts.str.casefold().str.contains(wanted, regex=False).astype(bool)]
        self._count.value = f"{len(self.rows)} of {len(self._values)} rows"
        self._table.value = record_html(self.rows.head(30))
        if len(self.rows) > 30:
            self._count.value += "; the first 30 are shown"

    def __repr__(self) -> str:
        """How many rows are shown, and the first of them."""
        names = ", ".join(self.rows.index[:3]) + (", …" if len(self.rows) > 3 else "")
        found = f"{len(self.rows)} of {len(self._values)} rows"
        return f"Lookup({found}{': ' if names else ''}{names})"
