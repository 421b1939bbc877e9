"""Two rankings of a query beside each other, with a line from each item to where it went."""

from collections.abc import Mapping
from html import escape

from byhand.figures import name_html
from byhand.files.texts import Text
from byhand.report.steps.ranking import Ranked
from byhand.report.steps.said import short, texts_html

_COLUMNS = "minmax(0,1fr) clamp(1.5em,8%,4.5em) minmax(0,1fr)"
_GRID = f"display:grid;grid-template-columns:{_COLUMNS};font-size:.9rem"
_LIST = "list-style:none;margin:0;padding:0"
_ITEM = "display:flex;gap:.4em;align-items:center;overflow:hidden;box-sizing:border-box"
_NAME = (
    "flex:1;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;line-height:1.3"
)
_BROKEN = ' stroke-dasharray="4 4"'
_KEY = (
    '<p style="font-size:.85rem">● relevant, with its grade; – not judged; a thick line is a '
    "relevant item, a broken one leads out of the list.</p>"
)
_ROSE, _FELL, _STAYED = "#0072b2", "#d55e00", "#868c94"


def side_by_side_html(
    old: Ranked, new: Ranked, *, k: int, names: tuple[str, str], docs: Mapping[str, Text]
) -> str:
    """The first k items of two lists, those in both joined by lines, and below them their texts.

    Args:
        old, new: the lists.
        k: how many items of each.
        names: what the systems are called.
        docs: what the items say.
    """
    rows = max(len(old.items[:k]), len(new.items[:k]))
    height = 2.9 if docs else 1.8  # em
    left = _list_html(names[0], old, new, k, height, docs, went=True)
    right = _list_html(names[1], new, old, k, height, docs, went=False)
    lines = _lines_html(old, new, k, rows, height)
    shown = f'<div style="{_GRID}">{left}{lines}{right}</div>{_KEY}'
    return shown + texts_html(dict.fromkeys([*new.items[:k], *old.items[:k]]), docs)


def _list_html(
    name: str,
    ranked: Ranked,
    other: Ranked,
    k: int,
    height: float,
    docs: Mapping[str, Text],
    *,
    went: bool,
) -> str:
    items = []
    for rank, item in enumerate(ranked.items[:k], 1):
        grade = ranked.grade.get(item)
        hit = item in ranked.relevant
        mark = "–" if grade is None else f"{'●' * hit} {grade:g}".strip().replace("-", "−")
        label = f"<b>{name_html(item)}</b>" if hit else name_html(item)
        where = _elsewhere(item, rank, other, k, went=went)
        first, last = label, f"<small>{where}</small>"
        if docs:
            said = [where, name_html(short(docs[item])) if item in docs else ""]
            first, last = f"{label}<br><small>{' · '.join(filter(None, said))}</small>", ""
        items.append(
            f'<li style="{_ITEM};height:{height}em">'
            f'<span style="min-width:1.4em;text-align:right">{rank}</span>'
            f'<span style="min-width:1.9em">{mark}</span>'
            f'<span style="{_NAME}" title="{escape(item)}">'
            f"{first}</span>{last}</li>"
        )
    return f'<div><p><b>{name_html(name)}</b></p><ol style="{_LIST}">{"".join(items)}</ol></div>'


def _elsewhere(item: str, rank: int, other: Ranked, k: int, *, went: bool) -> str:
    """Where an item stands in the other list, in few letters."""
    there = other.rank_of(item)
    if there is None:
        return "gone" if went else "new"
    if there == rank:
        return "="
    if went:
        return f"{'↓' if there > rank else '↑'} {there}"
    return f"from {there}" if there > k else ""


def _lines_html(old: Ranked, new: Ranked, k: int, rows: int, height: float) -> str:
    lines = []
    for item in dict.fromkeys([*old.items[:k], *new.items[:k]]):
        before, after = old.rank_of(item), new.rank_of(item)
        inside = before is not None and after is not None and max(before, after) <= k
        hit = item in old.relevant
        if not (inside or hit):
            continue
        rose = before is None or (after is not None and after < before)
        colour = _STAYED if before == after else (_ROSE if rose else _FELL)
        ends = [rows if rank is None or rank > k else rank - 0.5 for rank in (before, after)]
        lines.append(
            f'<line x1="0" y1="{ends[0]}" x2="100" y2="{ends[1]}" stroke="{colour}" '
            f'stroke-width="{3 if hit else 1}"{"" if inside else _BROKEN} '
            'vector-effect="non-scaling-stroke"/>'
        )
    return (
        f'<div aria-hidden="true"><p>&nbsp;</p><svg viewBox="0 0 100 {rows}" '
        f'preserveAspectRatio="none" style="display:block;width:100%;height:{rows * height:g}em">'
        f"{''.join(lines)}</svg></div>"
    )
