"""The record as tables: to read, to print, and to search."""

import math
from fractions import Fraction
from html import escape

import ipywidgets
import pandas as pd
from IPython.display import display

from byhand.figures.tables import Html, table_html
from helpers.record.recomputed import Number

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
_HEADS = {"What it is": 28, "Documented": 16, "Computed": 18, "Verdict and why": 38}


def written(value: Number | None) -> str:
    """A computed value as text: a fraction with its decimals, or four digits.

    Args:
        value: a Fraction, a float, or None where nothing can be computed.

    Example:
        >>> written(Fraction(7, 10)), written(0.0123456), written(None)
        ('7/10 = 0.7000', '0.01235', '–')
    """
    if value is None:
        return "–"
    if isinstance(value, Fraction):
        whole = value.denominator == 1
        short = value.denominator < 1000
        decimals = f"{float(value):.4f}" if abs(value) < 10 else f"{float(value):.2f}"
        return str(value) if whole else f"{value} = {decimals}" if short else decimals
    return "infinite" if math.isinf(value) else f"{value:.4g}"


def record_html(rows: pd.DataFrame) -> str:
    """Rows of the record as an HTML table; everything in them is text.

    Args:
        rows: rows of `documented_values()`.
    """
    cells = [tuple(map(Html, _cells(row))) for row in rows.itertuples()]
    widths = tuple(_HEADS.values())
    return _STYLE + table_html(
        tuple(_HEADS), cells, texts=len(_HEADS), look="record", widths=widths
    )


def _cells(row: object) -> tuple[str, ...]:
    place = f"{row.document} · {row.section}"
    return (
        f"{escape(row.what)}<br><small>{escape(place)}</small>",
        escape(row.documented),
        f"{escape(written(row.computed))}<br><small>{escape(row.how)}</small>",
        f"{_MARKS[row.verdict]} <b>{row.verdict}</b> {escape(row.why)}",
    )


def _row_text(row: object) -> str:
    return f"{_MARKS[row.verdict]} {row.Index}: {row.documented} | {written(row.computed)}"


def show_record(values: pd.DataFrame, document: str) -> None:
    """Display the rows of one document as a table.

    Args:
        values: what `documented_values()` returns.
        document: the key of a document.
    """
    rows = values[values["document"] == document]
    text = "\n".join(map(_row_text, rows.itertuples()))
    display({"text/html": record_html(rows), "text/plain": text}, raw=True)


class Lookup(ipywidgets.VBox):
    """The record, with a box to search it and lists to choose a document or a verdict.

    Args:
        values: what `documented_values()` returns.

    Attributes:
        rows: the rows that are shown.

    Example:
        >>> from helpers import documented_values
        >>> lookup = Lookup(documented_values())
        >>> lookup.search.value = "0.7333"
        >>> lookup
        Lookup(2 of 221 rows: tracin-a-ap, tracin-analysis-a)
    """

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
        row = ipywidgets.Layout(display="flex", flex_flow="row wrap")
        controls = ipywidgets.Box([self.search, self.document, self.verdict], layout=row)
        super().__init__([controls, self._count, self._table])
        for control in (self.search, self.document, self.verdict):
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
        rows = rows[texts.str.casefold().str.contains(wanted, regex=False).astype(bool)]
        self.rows = rows
        self._count.value = f"{len(rows)} of {len(self._values)} rows"
        self._table.value = record_html(rows.head(30))
        if len(rows) > 30:
            self._count.value += "; the first 30 are shown"

    def __repr__(self) -> str:
        """How many rows are shown, and the first of them."""
        names = ", ".join(self.rows.index[:3]) + (", …" if len(self.rows) > 3 else "")
        found = f"{len(self.rows)} of {len(self._values)} rows"
        return f"Lookup({found}{': ' if names else ''}{names})"
