"""What a report says before anything else: which is better, on what, and where to look first."""

from collections.abc import Iterator
from html import escape

import pandas as pd

from helpers.errors import both
from helpers.figures.tables import name_html, table_html, table_text
from helpers.report.steps.by_group import turned_groups
from helpers.report.steps.display import number, show_html, signed
from helpers.report.steps.moved import anchor
from helpers.report.steps.results import Results
from helpers.report.steps.shown import shown_of
from helpers.statistics.verdict import Verdict

_LOOKED_AT = 3
_MARKS = {
    Verdict.A_HIGHER: "▲",
    Verdict.B_HIGHER: "▼",
    Verdict.CANNOT_TELL: "?",
    Verdict.TOO_FEW: "?",
    Verdict.WITHHELD: "–",
}
_KEY = "▲ {a} is higher, ▼ it is lower, ? these queries cannot tell, – no verdict."
_SAID = {
    Verdict.A_HIGHER: "is higher than",
    Verdict.B_HIGHER: "is lower than",
    Verdict.CANNOT_TELL: "cannot be told from",
    Verdict.TOO_FEW: "cannot be told from",
    Verdict.WITHHELD: "has no verdict against",
}


def headline(results: Results, *, by: str = "") -> str | None:
    """Which system is better in the first measure; None if there is nothing to compare.

    Args:
        results: what `results_of` returns.
        by: what the verdict holds by, if not without reserve.
    """
    table = results.comparison
    if table is None or (results.all_pairs and len(results.pairs) > 1):
        return None
    measure = results.measures[0]
    of: dict[str, list[str]] = {}
    for _, row in table[table["measure"] == measure].iterrows():
        of.setdefault(_SAID[Verdict(row["verdict"])], []).append(row["b"])
    parts = both([f"{said} {both(names)}" for said, names in of.items()])
    return f"{next(iter(results.tables))} {parts} in {measure}{by}."


def show_at_a_glance(results: Results) -> None:
    """Display every mean, and what the first system differs by; nothing for one system."""
    table = results.comparison
    if table is None:
        return
    rows: list[list[str]] = [[name] for name in results.tables]
    pairs = {
        (row["measure"], row["b"]): row for _, row in table.iterrows() if row["a"] == rows[0][0]
    }
    for measure in results.measures:
        for place, (name, values) in enumerate(results.tables.items()):
            rows[place].append(
                f"{number(values[measure].mean(), 3)}{_mark(pairs.get((measure, name)))}"
            )
    heads = ["mean", *results.measures]
    key = _KEY.format(a=rows[0][0])
    html = f"{table_html(heads, rows, titles=1)}<p><small>{escape(key)}</small></p>"
    show_html(html, f"{table_text(heads, rows)}\n{key}")


def _mark(row: pd.Series | None) -> str:
    """What the first system has more than another, and what may be said of it."""
    if row is None:
        return ""
    return f" ({_MARKS[Verdict(row['verdict'])]} {signed(row['difference'], 3)})"


def show_where_to_look(results: Results) -> None:
    """Display which queries and groups to look at first; nothing if none stands out."""
    parts = list(_where_to_look(results))
    if parts:
        html, texts = zip(*parts, strict=True)
        show_html(f"<p>Look first at {'; '.join(html)}.</p>", f"Look first at {'; '.join(texts)}.")


def _where_to_look(results: Results) -> Iterator[tuple[str, str]]:
    for said in turned_groups(results):
        yield name_html(said), said
    shown = shown_of(results)
    for place, ((_, other), difference) in enumerate(shown.moved.items()):
        lost = list(difference.index[difference < 0][:_LOOKED_AT])
        if lost:
            links = [
                f'<a href="#{anchor(place, n)}">{name_html(q)}</a>' for n, q in enumerate(lost)
            ]
            said = f"which lost most against {other}"
            yield f"{both(links)}, {name_html(said)}", f"{both(lost)}, {said}"
    if not shown.moved and shown.worst:
        worst = both(shown.worst[:_LOOKED_AT])
        yield name_html(f"{worst}, the worst"), f"{worst}, the worst"
