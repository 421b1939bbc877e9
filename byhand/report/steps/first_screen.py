"""What a report says before anything else: which is better, on what, and where to look first."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

import pandas as pd

from byhand.errors import both
from byhand.figures import Html, name_html, table_html, table_text
from byhand.report.steps.by_group import turned_groups
from byhand.report.steps.display import number, show_html, signed
from byhand.report.steps.moved import anchor
from byhand.report.steps.results import Results
from byhand.report.steps.shown import shown_of
from byhand.statistics import Verdict

_LOOKED_AT = 3
_MARKS = {
    Verdict.A_HIGHER: "▲",
    Verdict.B_HIGHER: "▼",
    Verdict.CANNOT_TELL: "?",
    Verdict.TOO_FEW: "?",
    Verdict.WITHHELD: "–",
}
_TURNED = {Verdict.A_HIGHER: Verdict.B_HIGHER, Verdict.B_HIGHER: Verdict.A_HIGHER}
_KEY = (
    "The second number is the distance from the mean of {base}: ▲ higher, ▼ lower, ? these queries "
    "cannot tell"
)
_SAID = {
    Verdict.A_HIGHER: "is higher than",
    Verdict.B_HIGHER: "is lower than",
    Verdict.CANNOT_TELL: "cannot be told from",
    Verdict.TOO_FEW: "cannot be told from",
    Verdict.WITHHELD: "has no verdict against",
}


@dataclass(frozen=True)
class _Found:
    """What one system differs by from another, whichever of the two the comparison names first."""

    difference: float
    verdict: Verdict
    row: pd.Series


def headline(results: Results) -> str | None:
    """Which system is better in the first measure; None if there is nothing to compare."""
    if results.comparison is None:
        return None
    measure, subject = results.measures[0], results.subject
    of: dict[str, list[str]] = {}
    for other in results.tables:
        found = _found(results, measure, subject, other)
        if found is not None:
            said, reserve = _SAID[found.verdict], results.reserve(found.row)
            if reserve and found.verdict in _TURNED:
                said = said.replace("is ", f"is, {reserve}, ")
            of.setdefault(said, []).append(other)
    parts = both([f"{said} {both(names)}" for said, names in of.items()])
    return f"{subject} {parts} in {measure}."


def _found(results: Results, measure: str, name: str, other: str) -> _Found | None:
    """What a system has more than another, and what may be said of it; None if nobody compared."""
    table = results.comparison
    for a, b, sign in ((name, other, 1), (other, name, -1)):
        rows = table[(table["measure"] == measure) & (table["a"] == a) & (table["b"] == b)]
        for _, row in rows.iterrows():
            verdict = Verdict(row["verdict"])
            turned = verdict if sign > 0 else _TURNED.get(verdict, verdict)
            return _Found(sign * row["difference"], turned, row)
    return None


def show_at_a_glance(results: Results) -> None:
    """Display every mean, and in the row of a system what it differs by; nothing for one system.

    Of two systems the first stands against the other; of more, each against the subject.
    """
    if results.comparison is None:
        return
    base = list(results.tables)[1] if len(results.tables) == 2 else results.subject
    heads, careful = ["mean", *results.measures], False
    rows, texts = [], []
    for name, table in results.tables.items():
        cells, words = [], []
        for measure in results.measures:
            mean = number(table[measure].mean(), 3)
            found = _found(results, measure, name, base)
            said = "" if found is None else _said(results, found)
            careful |= "!" in said
            cells.append(Html(f"{mean}<br><small>{said}</small>" if said else mean))
            words.append(f"{mean} ({said})" if said else mean)
        rows.append([name, *cells])
        texts.append([name, *words])
    withheld = Verdict.WITHHELD.value in {*results.comparison["verdict"]}
    more = ", – no verdict" * withheld + ", ! with a caution" * careful
    key = f"{_KEY.format(base=base)}{more}."
    html = f"{table_html(heads, rows, titles=1)}<p><small>{escape(key)}</small></p>"
    show_html(html, f"{table_text(heads, texts)}\n{key}")


def _said(results: Results, found: _Found) -> str:
    careful = "!" * bool(found.row["caution"])
    apart = signed(found.difference, 3, beside=[found.row["low"], found.row["high"]])
    return f"{_MARKS[found.verdict]}{careful} {apart}"


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
    for place, ((name, other), difference) in enumerate(shown.moved.items()):
        lost = list(difference.index[difference < 0][:_LOOKED_AT])
        if lost:
            links = [
                f'<a href="#{anchor(place, n)}">{name_html(q)}</a>' for n, q in enumerate(lost)
            ]
            said = f"on which {name} lost most against {other}"
            yield f"{both(links)}, {name_html(said)}", f"{both(lost)}, {said}"
    if not shown.moved and shown.worst:
        worst = both(shown.worst[:_LOOKED_AT])
        yield name_html(f"{worst}, the worst"), f"{worst}, the worst"
