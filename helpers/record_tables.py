"""Tables of the audit of published values."""

import math
from fractions import Fraction
from html import escape

import pandas as pd
from IPython.display import display

from byhand.figures import Html, table_html
from byhand.figures.html_tables import PLACE
from byhand.words import N_, localised
from helpers.printed_values import Value
from helpers.translation import gettext as _, name

# mark of each verdict, in the order of the tables
MARKS = {
    "wrong": "✗",
    "misleading": "!",
    "rounding": "≈",
    "no data": "?",
    "right": "✓",
}
_STYLE = (
    "<style>.record{border-collapse:collapse;width:100%;table-layout:fixed}"
    ".record th,.record td{vertical-align:top;padding:6px 8px;line-height:1.4;"
    "white-space:normal;overflow-wrap:anywhere;border-bottom:1px solid #8884}"
    "details:has(>.record){margin-block:.5em}"
    ".jp-Notebook:has(.record) .jp-MarkdownOutput>table{margin-inline:0}"
    ".record td small{font-size:.9em;opacity:.8}.record tr{break-inside:avoid}</style>" + PLACE
)
_FOLDED = {"no data", "right"}  # verdicts that say little
_WIDTHS = {
    N_("What it is"): 28,
    N_("Documented"): 16,
    N_("Computed"): 18,
    N_("Verdict and why"): 38,
}


def value_text(value: Value | None, digits: int = 4) -> str:
    """Format a computed value: a fraction with its decimals, or a number of `digits` decimals."""
    if value is None:
        return "–"
    if isinstance(value, Fraction):
        decimals = f"{float(value):.{digits}f}" if abs(value) < 10 else f"{float(value):.2f}"
        if value.denominator == 1:
            return str(value)
        whole = f"{value.numerator:,}/{value.denominator}"
        return localised(f"{whole} = {decimals}" if value.denominator < 1000 else decimals)
    return _("infinite") if math.isinf(value) else localised(f"{value:.{digits}g}")


def record_html(rows: pd.DataFrame) -> str:
    """Return rows of `documented_values()` as one HTML table per verdict, with escaped text.

    Values that are right, or have no data, are folded.
    """
    tables = [
        f"<details{' open' * (each not in _FOLDED)}><summary>{mark} {escape(name(each))}: "
        f"{len(part)}</summary>{_table(part)}</details>"
        for each, mark in MARKS.items()
        if len(part := rows[rows["verdict"] == name(each)])
    ]
    return _STYLE + "".join(tables)


def _table(rows: pd.DataFrame) -> str:
    cells = [tuple(map(Html, _cells(row))) for row in rows.itertuples()]
    heads, widths = [*map(_, _WIDTHS)], tuple(_WIDTHS.values())
    return table_html(heads, cells, texts=len(heads), look="record", widths=widths)


def _cells(row: object) -> tuple[str, ...]:
    place = f"{row.document} · {row.section}"
    return (
        f"{escape(row.what)}<br><small>{escape(place)}</small>",
        escape(row.documented),
        f"{escape(value_text(row.computed))}<br><small>{escape(row.how)}</small>",
        f"{_mark(row.verdict)} <b>{row.verdict}</b> {escape(row.why)}",
    )


def _mark(verdict: str) -> str:
    return next(mark for each, mark in MARKS.items() if name(each) == verdict)


def show_record(values: pd.DataFrame, document: str | None = None) -> None:
    """Display the rows of `documented_values()` for one document, or for all by default."""
    rows = values if document is None else values[values["document"] == document]
    title = _("As printed and as computed:")
    lines = (
        f"{_mark(row.verdict)} {row.Index}: {row.documented} | {value_text(row.computed)}"
        for row in rows.itertuples()
    )
    # the title comes first, because JupyterLab shows the first line of a folded output
    page, text = f"{escape(title)}\n{record_html(rows)}", "\n".join([title, *lines])
    display({"text/html": page, "text/plain": text}, raw=True)
