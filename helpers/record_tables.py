"""The record as tables: to read, to print, and to search."""

import math
from collections.abc import Iterable
from fractions import Fraction
from html import escape

import ipywidgets
import pandas as pd
from IPython.display import display

from byhand.figures import Html, table_html
from byhand.words import N_
from helpers.record import Number
from helpers.words import gettext as _, name, ngettext

_MARKS = {
    "reproduced": "✓",
    "rounding": "≈",
    "wrong": "✗",
    "misleading": "!",
    "not reproducible": "?",
}
_MOST = 30  # rows that are shown at once
_STYLE = (
    "<style>.record{border-collapse:collapse;width:100%;table-layout:fixed}"
    ".record th,.record td{text-align:left !important;vertical-align:top;padding:3px 8px;"
    "white-space:normal;overflow-wrap:anywhere;border-bottom:1px solid #8884}"
    ".record td small{opacity:.8}.record tr{break-inside:avoid}</style>"
)
_WIDTHS = {
    N_("What it is"): 28,
    N_("Documented"): 16,
    N_("Computed"): 18,
    N_("Verdict and why"): 38,
}


def written(value: Number | None) -> str:
    """A computed value as text: a fraction with its decimals, or four digits."""
    if value is None:
        return "–"
    if isinstance(value, Fraction):
        decimals = f"{float(value):.4f}" if abs(value) < 10 else f"{float(value):.2f}"
        if value.denominator == 1:
            return str(value)
        return f"{value} = {decimals}" if value.denominator < 1000 else decimals
    return _("infinite") if math.isinf(value) else f"{value:.4g}"


def record_html(rows: pd.DataFrame) -> str:
    """Rows of `documented_values()` as an HTML table; everything in them is text."""
    cells = [tuple(map(Html, _cells(row))) for row in rows.itertuples()]
    heads, widths = [*map(_, _WIDTHS)], tuple(_WIDTHS.values())
    return _STYLE + table_html(heads, cells, texts=len(heads), look="record", widths=widths)


def _cells(row: object) -> tuple[str, ...]:
    place = f"{row.document} · {row.section}"
    return (
        f"{escape(row.what)}<br><small>{escape(place)}</small>",
        escape(row.documented),
        f"{escape(written(row.computed))}<br><small>{escape(row.how)}</small>",
        f"{_mark(row.verdict)} <b>{row.verdict}</b> {escape(row.why)}",
    )


def _mark(verdict: str) -> str:
    return next(mark for each, mark in _MARKS.items() if name(each) == verdict)


def show_record(values: pd.DataFrame, document: str) -> None:
    """Display the rows of `documented_values()` that one document has."""
    rows = values[values["document"] == document]
    lines = (
        f"{_mark(row.verdict)} {row.Index}: {row.documented} | {written(row.computed)}"
        for row in rows.itertuples()
    )
    display({"text/html": record_html(rows), "text/plain": "\n".join(lines)}, raw=True)


class Lookup(ipywidgets.VBox):
    """`documented_values()`, with a box to search it, and lists of the documents and verdicts."""

    def __init__(self, values: pd.DataFrame) -> None:
        self._values = values
        wide = ipywidgets.Layout(width="auto")
        self.search = ipywidgets.Text(
            placeholder=_("0.7333, rank, MAP …"), description=_("Search"), layout=wide
        )
        documents = values["document"].unique()
        self.document = _dropdown(_("Document"), _("all documents"), documents)
        self.verdict = _dropdown(_("Verdict"), _("all verdicts"), map(name, _MARKS))
        self._count = ipywidgets.HTML()
        self._table = ipywidgets.HTML()
        controls = (self.search, self.document, self.verdict)
        row = ipywidgets.Layout(display="flex", flex_flow="row wrap")
        super().__init__([ipywidgets.Box(controls, layout=row), self._count, self._table])
        for control in controls:
            control.observe(self._show, names="value")
        self._show()

    def _show(self, _change: object = None) -> None:
        rows = self._values
        if self.document.index:
            rows = rows[rows["document"] == self.document.value]
        if self.verdict.index:
            rows = rows[rows["verdict"] == self.verdict.value]
        wanted = self.search.value.strip().casefold()
        texts = rows[["section", "what", "documented", "why"]].agg(" ".join, axis=1)
        self.rows = rows[texts.str.casefold().str.contains(wanted, regex=False).astype(bool)]
        self._count.value = self._counted()
        self._table.value = record_html(self.rows.head(_MOST))

    def _counted(self) -> str:
        n, total = len(self.rows), len(self._values)
        if n > _MOST:
            said = _("{n} of {total} rows; the first {most} are shown")
        else:
            said = ngettext("{n} of {total} row", "{n} of {total} rows", total)
        return said.format(n=n, total=total, most=_MOST)

    def __repr__(self) -> str:
        """How many rows are shown, and the first of them."""
        names = ", ".join(self.rows.index[:3]) + (", …" if len(self.rows) > 3 else "")
        found = f"{len(self.rows)} of {len(self._values)} rows"
        return f"Lookup({found}{': ' if names else ''}{names})"


def _dropdown(title: str, every: str, options: Iterable[str]) -> ipywidgets.Dropdown:
    held = [(every, ""), *((each, each) for each in options)]
    layout = ipywidgets.Layout(width="auto")
    return ipywidgets.Dropdown(options=held, description=title, layout=layout)
