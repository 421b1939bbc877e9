"""Ranked lists as rows of boxes."""

from collections.abc import Hashable, Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from helpers.figures.style import BLUE, INK, ORANGE, PALE, new_axes
from helpers.metrics.hits import Case, relevant_grades


def draw_lists(cases: Mapping[str, Case], *, ax: Axes | None = None, k: int | None = None) -> Axes:
    """Ranked lists as rows of boxes: a filled box with a dot is a relevant item.

    Args:
        cases: (ranked, relevant) by the name of the row.
        ax: where to draw; None makes a figure.
        k: a cutoff to mark after rank k.

    Example:
        >>> ax = draw_lists({"Q1": (["D1", "D4"], {"D4"})})
        >>> ax.get_label()
        'Q1: relevant at rank 2 of 2.'
    """
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
    ax = ax or new_axes(max(3.2, 0.62 * width + 1.2), 0.52 * len(found) + 0.95)
    for row, (name, (ranked, relevant)) in enumerate(found.items()):
        for rank, item in enumerate(ranked, start=1):
            _box(ax, rank, row, item, hit=item in relevant, faded=k is not None and rank > k)
        for extra, item in enumerate(missed[name], start=1):
            _box(ax, longest + 0.6 + extra, row, item, hit=True, faded=True, retrieved=False)
    if k is not None:
        ax.axvline(k + 0.5, color=ORANGE, linewidth=2)
        ax.text(k + 0.56, -0.52, f"k = {k}", color=ORANGE, va="bottom", fontsize=9)
    if any(missed.values()):
        ax.text(longest + 1.1, -0.52, "not retrieved", va="bottom", fontsize=9, color=INK)
    ax.set(xlim=(0.4, width + 0.6), ylim=(len(found) - 0.45, -0.6))
    ax.set_xticks(range(1, longest + 1))
    ax.set_yticks(range(len(found)), list(found))
    ax.set_xlabel("rank")
    ax.set_title("Filled box with a dot: relevant", fontsize=10, loc="left")
    ax.tick_params(length=0)
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.set_label(" ".join(_row_in_words(name, *found[name], missed[name]) for name in found))
    return ax


def _box(
    ax: Axes,
    x: float,
    row: int,
    item: Hashable,
    *,
    hit: bool,
    faded: bool = False,
    retrieved: bool = True,
) -> None:
    solid = hit and retrieved
    ax.text(
        x,
        row,
        f"{item} ●" if hit else f"{item}",
        ha="center",
        va="center",
        fontsize=10,
        color="white" if solid and not faded else INK,
        alpha=0.55 if faded and retrieved else 1,
    )
    ax.add_patch(
        Rectangle(
            (x - 0.46, row - 0.38),
            0.92,
            0.76,
            facecolor=BLUE if solid else PALE if retrieved else "white",
            edgecolor=BLUE if hit else "#BBBBBB",
            linestyle="-" if retrieved else "--",
            alpha=0.45 if faded and retrieved else 1,
            zorder=0,
        )
    )


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
