"""Ranked lists as rows of boxes."""

from collections.abc import Callable, Hashable, Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle

from byhand.errors import DataError
from byhand.figures.style import (
    GAP,
    GAP_SOFT,
    GREY,
    HIT,
    HIT_EDGE,
    HIT_SOFT,
    INK,
    PALE,
    QUIET,
    WHITE,
    fold,
    new_axes,
)
from byhand.metrics.cases import Case, relevant_grades
from byhand.words import gettext as _, localised, pgettext, text_width

_BOX = (0.88, 0.7)  # width and height of an item's box, in ranks and rows
_STRIP = 0.1  # width of the hatch at the left of an item that was not retrieved
_APART = 0.6  # gap between the list and the items that were not retrieved
_CUTOFF = {"color": INK, "linewidth": 1.4, "linestyle": (0, (4, 2))}
_BOLD_LETTERS = 9.5  # bold characters per inch of a box, including its edges
_NUMBER = 2  # maximum number of characters of a numeric label


def draw_lists(cases: Mapping[str, Case], *, ax: Axes | None = None, k: int | None = None) -> Axes:
    """Draw ranked lists as rows of boxes; a filled box with a dot is a relevant item.

    Args:
        cases: (ranked, relevant) by the name of the row.
        k: the cutoff to mark after rank k, below which items are pale; None, the default, for none.

    Raises:
        DataError: If `cases` is not a non-empty mapping.

    Example:
        >>> draw_lists({"Q1": (["D1", "D4"], {"D4"})}).get_label()
        'Q1: relevant at rank 2 of 2.'
    """
    if not isinstance(cases, Mapping) or not cases:
        raise DataError(
            f"cases is {cases!r}. Expected lists by their names: {{'Q1': (ranked, relevant)}}."
        )
    rows = {}
    for name, (items, judged) in cases.items():
        ranked = list(items)
        relevant = relevant_grades(judged, ranked)
        rows[name] = ranked, relevant, [item for item in relevant if item not in ranked]
    longest = max(len(ranked) for ranked, _, _ in rows.values())
    docked = max(len(missed) for _, _, missed in rows.values())
    width = longest + (docked + _APART if docked else 0)
    top = max((grade for _, relevant, _ in rows.values() for grade in relevant.values()), default=1)
    labels = [str(item) for ranked, _, missed in rows.values() for item in (*ranked, *missed)]
    longest_label = max(map(text_width, labels), default=0)
    if ax is None:
        least = 0.3 if longest_label <= _NUMBER else 0.62  # ten numbers fit on a phone
        inches = max(least, longest_label / _BOLD_LETTERS)
        ax = new_axes(max(3.2, inches * width + 1.2), 0.52 * len(rows) + 0.95)
    # the width of a figure is limited, so labels may need a smaller size or truncation
    fits = max(3, int((ax.figure.get_figwidth() - 1.2) / width * _BOLD_LETTERS))
    smaller = (each for each in (9, 8.5) if longest_label <= int(fits * 9 / each))
    size = next(smaller, 7.5)
    fits = int(fits * 9 / size)
    if longest_label <= _NUMBER:
        size = 11

    def label(item: Hashable) -> str:
        return _short(str(item), fits)

    for y, row in enumerate(rows.values()):
        _row(ax, y, *row, after=longest, k=k, top=top, label=label, size=size)
    if k is not None:
        ax.axvline(k + 0.5, **_CUTOFF)
        _text(ax, k + 0.58, -0.52, f"k = {k}", INK, size=9, ha="left", va="bottom")
    if docked:
        beside = {"size": 9, "ha": "left", "va": "bottom"}
        _text(ax, longest + 1.1, -0.52, _("not retrieved"), QUIET, **beside)
    ax.set(xlim=(0.4, width + 0.6), ylim=(len(rows) - 0.45, -0.6))
    ax.set_xticks(range(1, longest + 1))
    ax.set_yticks(range(len(rows)), list(rows))
    rank = pgettext("figure", "rank")
    ax.set_xlabel(rank, x=(longest + 0.2) / 2 / (width + 0.2))  # centred below the ranks
    ax.tick_params(length=0)
    ax.spines[["left", "bottom"]].set_visible(False)
    graded, plain = _("filled box: relevant; dots: grade"), _("filled box with a dot: relevant")
    key = [graded if top > 1 else plain]
    if docked:
        key.append(_("hatched: not retrieved"))
    if k is not None and longest > k:
        key.append(_("pale: after rank {k}").format(k=k))
    title = ax.set_title("; ".join(key).capitalize(), fontsize=10, loc="left")
    # fold the title, so that it does not reach the label of items that were not retrieved
    ranks = (longest + 0.5) / (width + 0.2) if docked else 1
    fold(title, ranks * ax.get_window_extent().width)
    ax.set_label(" ".join(_row_words(name, *row) for name, row in rows.items()))
    return ax


def _row_words(
    name: str, ranked: Sequence[Hashable], relevant: Mapping[Hashable, float], missed: Sequence
) -> str:
    ranks = _hit_ranks(ranked, relevant)
    if ranks and missed:
        template = _("{name}: relevant at rank {ranks} of {n}; not retrieved: {missed}.")
    elif ranks:
        template = _("{name}: relevant at rank {ranks} of {n}.")
    elif missed:
        template = _("{name}: nothing relevant of {n}; not retrieved: {missed}.")
    else:
        template = _("{name}: nothing relevant of {n}.")
    lacks = ", ".join(map(str, missed))
    return template.format(name=name, ranks=ranks, n=len(ranked), missed=lacks)


def _row(
    ax: Axes,
    y: float,
    ranked: Sequence[Hashable],
    relevant: Mapping[Hashable, float],
    missed: Sequence[Hashable],
    *,
    after: int,
    k: int | None,
    top: float,
    label: Callable[[Hashable], str],
    size: float = 9,
) -> None:
    """Draw a list with items at their ranks, and beyond rank `after` those not retrieved."""
    places = [*enumerate(ranked, start=1)]
    places += [(after + _APART + place, item) for place, item in enumerate(missed, start=1)]
    for x, item in places:
        lost, grade = x > after, max(relevant.get(item, 0), 0)
        pale = k is not None and k < x <= after
        fill, edge, ink = "none", PALE if pale else GREY, QUIET if pale else INK
        if lost:
            fill, edge, ink = GAP_SOFT, GAP, GAP
        elif grade:
            fill, edge, ink = (HIT_SOFT, HIT_EDGE, HIT) if pale else (HIT, HIT_EDGE, WHITE)
        look = {"facecolor": fill, "edgecolor": edge, "linestyle": "--" if lost else "-"}
        left, corner = x - _BOX[0] / 2, y - _BOX[1] / 2
        round_ = "round,pad=0,rounding_size=0.08"
        box = FancyBboxPatch((left, corner), *_BOX, boxstyle=round_, linewidth=1.3, **look)
        ax.add_patch(box)
        if lost:
            strip = {"edgecolor": GAP, "facecolor": "none", "hatch": "//////", "linewidth": 0}
            ax.add_patch(Rectangle((left, corner), _STRIP, _BOX[1], **strip)).set_clip_path(box)
            x += _STRIP / 2
        name, dots = label(item), _dots(grade, top)
        if name:
            weight = "bold" if grade else "normal"
            _text(ax, x, y - 0.11 * bool(dots), name, ink, size=size, weight=weight)
        if dots:
            below = 0.2 if name else 0
            _text(ax, x, y + below, dots, ink, size=8.5 if dots[0] != "●" else 7)


def _dots(grade: float, top: float) -> str:
    """Return the dots or text for a grade; empty if `top` is 0."""
    if not (grade and top):
        return ""
    if top <= 1:
        return "●"
    if grade in (1, 2, 3):
        return "●" * int(grade)
    return _("grade {grade}").format(grade=localised(f"{grade:g}"))


def _short(label: str, fits: int) -> str:
    if text_width(label) <= fits:
        return label
    while label and text_width(f"{label}…") > fits:
        label = label[:-1]
    return f"{label}…"


def _text(ax: Axes, x: float, y: float, text: str, color: str, *, size: float, **style) -> None:
    style = {"ha": "center", "va": "center", **style}
    # a dollar sign in a label does not start a formula
    ax.text(x, y, text, color=color, size=size, parse_math=False, **style)


def _hit_ranks(ranked: Sequence[Hashable], relevant: Mapping[Hashable, float]) -> str:
    return ", ".join(str(rank) for rank, item in enumerate(ranked, start=1) if item in relevant)
