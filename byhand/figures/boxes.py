"""Ranked lists as rows of boxes: many lists under one another, or one above its measures."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle

from byhand.errors import DataError
from byhand.figures.style import BLUE, BLUE_SOFT, GREY, INK, PALE, QUIET, WHITE, fold, new_axes
from byhand.metrics.lists import Case, relevant_grades

_BOX = (0.88, 0.7)  # width and height of an item's box, where a rank is 1 wide
_CUTOFF = {"color": INK, "linewidth": 1.4, "linestyle": (0, (4, 2))}
_WIDTH = 4.6  # inches of the picture of one list
_LETTERS = 11.5  # of a label that fit into an inch
_BOLD_LETTERS = 9.5  # of the label of a relevant item, its box's edge counted in
_ELLIPSIS_FROM = 4  # letters that must be left beside it: in less room, letters say more
_NUMBERS_FIT = 10  # ranks up to which each bar can carry its number
_NAMES_FIT = 13  # boxes up to which each can carry its rank and its label
_DOTS_FIT = 26  # boxes up to which each can carry a dot
_DOCK_FITS = 3  # items drawn as not retrieved; the others are counted
_LANE = 1.3  # height of one measure's lane, where a row of boxes is 1


@dataclass(frozen=True)
class Lane:
    """One measure of one list, taken apart rank by rank.

    Attributes:
        name: the measure with its cutoff, such as "AP@5".
        value: its value for the list.
        shares: what each rank adds; they add up to the value.
        most: the most that a single rank can add, whatever the order.
    """

    name: str
    value: float
    shares: tuple[float, ...]
    most: float


def draw_lists(cases: Mapping[str, Case], *, ax: Axes | None = None, k: int | None = None) -> Axes:
    """Ranked lists as rows of boxes: a filled box with a dot is a relevant item.

    Args:
        cases: (ranked, relevant) by the name of the row.
        ax: where to draw; None makes a figure.
        k: a cutoff to mark after rank k; what stands below it is pale.

    Raises:
        DataError: no lists by their names.

    Example:
        >>> ax = draw_lists({"Q1": (["D1", "D4"], {"D4"})})
        >>> ax.get_label()
        'Q1: relevant at rank 2 of 2.'
    """
    if not isinstance(cases, Mapping) or not cases:
        raise DataError(
            f"cases is {cases!r}. Expected lists by their names: {{'Q1': (ranked, relevant)}}."
        )
    found = {
        name: (list(ranked), relevant_grades(relevant))
        for name, (ranked, relevant) in cases.items()
    }
    missed = {
        name: [item for item in relevant if item not in ranked]
        for name, (ranked, relevant) in found.items()
    }
    longest = max(len(ranked) for ranked, _ in found.values())
    width = longest + (max(map(len, missed.values())) + 0.6 if any(missed.values()) else 0)
    top = max((grade for _, relevant in found.values() for grade in relevant.values()), default=1)
    if ax is None:
        labels = [str(item) for ranked, relevant in found.values() for item in (*ranked, *relevant)]
        inches = max(0.62, max(map(_columns_of, labels), default=0) / _BOLD_LETTERS)
        ax = new_axes(max(3.2, inches * width + 1.2), 0.52 * len(found) + 0.95)
    for row, (name, (ranked, relevant)) in enumerate(found.items()):
        for rank, item in enumerate(ranked, start=1):
            pale = k is not None and rank > k
            _item(ax, rank, row, str(item), grade=relevant.get(item, 0), top=top, pale=pale)
        for extra, item in enumerate(missed[name], start=1):
            at = longest + 0.6 + extra
            _item(ax, at, row, str(item), grade=relevant[item], top=top, missed=True)
    if k is not None:
        ax.axvline(k + 0.5, **_CUTOFF)
        _text(ax, k + 0.58, -0.52, f"k = {k}", INK, size=9, ha="left", va="bottom")
    if any(missed.values()):
        _text(ax, longest + 1.1, -0.52, "not retrieved", QUIET, size=9, ha="left", va="bottom")
    _frame(ax, list(found), longest=longest, width=width)
    key = ["filled box: relevant; dots: grade" if top > 1 else "filled box with a dot: relevant"]
    key += ["dashed: not retrieved"] * any(missed.values())
    key += [f"pale: after rank {k}"] * (k is not None and longest > k)
    fold(
        ax.set_title("; ".join(key).capitalize(), fontsize=10, loc="left"),
        ax.get_window_extent().width,
    )
    ax.set_label(" ".join(_row_in_words(name, *found[name], missed[name]) for name in found))
    return ax


def draw_list(
    ranked: Sequence[Hashable],
    relevant: Mapping[Hashable, float],
    *,
    lanes: Sequence[Lane] = (),
    k: int | None = None,
    labels: Mapping[Hashable, str] | None = None,
    max_grade: int = 1,
    ax: Axes | None = None,
) -> Axes:
    """One list as a row of boxes, and under it a lane of bars for each measure.

    A filled box with a dot is a hit. The height of a bar is what its rank adds to the measure,
    against the most that one rank can add. Relevant items that were not retrieved stand to the
    right, dashed.

    Args:
        ranked: the items, best first.
        relevant: item -> grade of the relevant items.
        lanes: the measures, from the top.
        k: a cutoff; the items below it are pale.
        labels: item -> label; without it the item itself.
        max_grade: above 1, a relevant item has as many dots as its grade.
        ax: where to draw; None makes a figure.

    Example:
        >>> ax = draw_list(["D1", "D4"], {"D4": 1, "D9": 1})
        >>> [text.get_text() for text in ax.texts][:5]
        ['1', 'D1', '2', 'D4', '●']
        >>> ax.get_label()
        'Hits at rank 2 of 2. Relevant items not retrieved: 1.'
    """
    missed = [item for item in relevant if item not in set(ranked)]
    below = max(len(lanes), 0.5 * bool(missed))
    ax = ax or new_axes(*list_size(below))
    shown = missed[:_DOCK_FITS]
    columns = max(len(ranked) + (len(shown) + 0.6 if missed else 0), 5)
    n_boxes = len(ranked) + len(shown)
    ax.set_axis_off()
    ax.set_xlim(-0.05, columns + 0.05)
    ax.set_ylim(below * _LANE + 1.15, -0.05)

    def cell(x: float, rank: str, item: Hashable, **style: bool) -> None:
        label = str((labels or {}).get(item, item)) if n_boxes <= _NAMES_FIT else ""
        label = _short(label, int(_WIDTH / columns * _LETTERS))
        top = max_grade if n_boxes <= _NAMES_FIT else 1 if n_boxes <= _DOTS_FIT else 0
        _text(ax, x + 0.5, 0.14, rank, QUIET, size=9)
        _item(ax, x + 0.5, 0.63, label, grade=relevant.get(item, 0), top=top, **style)

    for i, item in enumerate(ranked):
        rank = str(i + 1) if n_boxes <= _NAMES_FIT or (i + 1) % 5 == 0 else ""
        cell(i, rank, item, pale=k is not None and i >= k)
    for i, item in enumerate(shown):
        cell(len(ranked) + 0.6 + i, "–", item, missed=True)
    if missed:
        x, words = len(ranked) + 0.5 + len(shown), f"{len(missed)} not\nretrieved"
        _text(ax, x, 1.1, words, QUIET, size=8.5, ha="right", va="top")
    for n, lane in enumerate(lanes):
        _bars(ax, n, lane)
    if k is not None and k < len(ranked):
        ax.plot([k, k], [0, len(lanes) * _LANE + 1], **_CUTOFF)
    ax.set_label(_list_in_words(ranked, relevant, lanes))
    return ax


def list_size(n_lanes: float) -> tuple[float, float]:
    """The width and height, in inches, of the picture of a list above so many lanes."""
    return _WIDTH, 0.53 * (1.2 + _LANE * n_lanes)


def _item(
    ax: Axes,
    x: float,
    y: float,
    label: str,
    *,
    grade: float,
    top: float,
    pale: bool = False,
    missed: bool = False,
) -> None:
    """One item of a list, around (x, y); with `top` 0 there is no room for its dots."""
    relevant, (width, height) = grade > 0, _BOX
    if relevant:
        fill = "none" if missed else BLUE_SOFT if pale else BLUE
        ink = INK if missed else BLUE if pale else WHITE
    else:
        fill, ink = "none", QUIET if pale else INK
    box = FancyBboxPatch(
        (x - width / 2, y - height / 2),
        width,
        height,
        boxstyle="round,pad=0,rounding_size=0.08",
        facecolor=fill,
        edgecolor=BLUE if relevant else PALE if pale else GREY,
        linewidth=1.3,
        linestyle="--" if missed else "-",
    )
    ax.add_patch(box)
    dots = _dots(grade, top) if relevant and top else ""
    if label:
        weight = "bold" if relevant else "normal"
        _text(ax, x, y - 0.11 * bool(dots), label, ink, size=9, weight=weight)
    if dots:
        below = 0.2 if label else 0
        _text(ax, x, y + below, dots, ink, size=8.5 if dots[0] != "●" else 7)


def _dots(grade: float, top: float) -> str:
    if top <= 1:
        return "●"
    return "●" * int(grade) if grade in (1, 2, 3) else f"grade {grade:g}"


def _columns_of(label: str) -> int:
    """How wide a label is, in Latin letters."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in label)


def _short(label: str, fits: int) -> str:
    if _columns_of(label) <= fits:
        return label
    end = "…" if fits > _ELLIPSIS_FROM else ""
    while label and _columns_of(label + end) > fits:
        label = label[:-1]
    return label + end


def _text(ax: Axes, x: float, y: float, text: str, color: str, *, size: float, **style) -> None:
    style = {"ha": "center", "va": "center", **style}
    # a label may hold a dollar sign, which is no formula here
    ax.text(x, y, text, color=color, size=size, parse_math=False, **style)


def _bars(ax: Axes, n: int, lane: Lane) -> None:
    ceiling = 1.15 + n * _LANE
    floor, height = ceiling + _LANE - 0.12, 0.5
    ax.plot([0, len(lane.shares)], [floor, floor], color=GREY, lw=1)
    title = f"{lane.name} = {lane.value:.3f}"
    _text(ax, 0.07, ceiling + 0.2, title, INK, size=9.5, ha="left", weight="bold")
    for i, share in enumerate(lane.shares):
        if share <= 0:
            continue
        tall = height * min(share / lane.most, 1)
        ax.add_patch(Rectangle((i + 0.2, floor - tall), 0.6, tall, facecolor=BLUE, linewidth=0))
        if len(lane.shares) <= _NUMBERS_FIT:
            _text(ax, i + 0.5, floor - tall - 0.11, f"{share:.3f}", INK, size=8.5)


def _frame(ax: Axes, names: Sequence[str], *, longest: int, width: float) -> None:
    ax.set(xlim=(0.4, width + 0.6), ylim=(len(names) - 0.45, -0.6))
    ax.set_xticks(range(1, longest + 1))
    ax.set_yticks(range(len(names)), names)
    ax.set_xlabel("rank", x=(longest + 0.2) / 2 / (width + 0.2))  # in the middle of the ranks
    ax.tick_params(length=0)
    ax.spines[["left", "bottom"]].set_visible(False)


def _row_in_words(
    name: str,
    ranked: Sequence[Hashable],
    relevant: Mapping[Hashable, float],
    missed: Sequence[Hashable],
) -> str:
    ranks = [str(rank) for rank, item in enumerate(ranked, start=1) if item in relevant]
    at = f"relevant at rank {', '.join(ranks)}" if ranks else "nothing relevant"
    rest = f"; not retrieved: {', '.join(map(str, missed))}" if missed else ""
    return f"{name}: {at} of {len(ranked)}{rest}."


def _list_in_words(
    ranked: Sequence[Hashable], relevant: Mapping[Hashable, float], lanes: Sequence[Lane]
) -> str:
    ranks = [str(rank) for rank, item in enumerate(ranked, start=1) if item in relevant]
    where = f"Hits at rank {', '.join(ranks)} of {len(ranked)}." if ranks else "No hits."
    missed = len(set(relevant) - set(ranked))
    unseen = f" Relevant items not retrieved: {missed}." if missed else ""
    values = ", ".join(f"{lane.name} = {lane.value:.3f}" for lane in lanes)
    return f"{where}{unseen}" + (f" {values}." if values else "")
