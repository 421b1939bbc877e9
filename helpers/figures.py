"""Figures: each function draws on an `ax` (or makes one), says in words what it drew, returns it.

The words are the axes' label (`ax.get_label()`); `show` puts them beside the picture.
"""

import html
import io
from collections.abc import Hashable, Mapping, Sequence

import numpy as np
import pandas as pd
from IPython.display import display
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from helpers.formulas import discount
from helpers.hits import Case, relevant_grades

# Okabe and Ito's palette: told apart with any colour vision
BLUE, ORANGE, GREEN, INK, PALE = "#0072B2", "#D55E00", "#009E73", "#222222", "#ECECEC"
_DPI = 144


def new_axes(width: float, height: float) -> Axes:
    """Empty axes in a figure of its own, sizes in inches."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    ax = figure.add_subplot()
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def show(ax: Axes) -> None:
    """Display the figure of `ax`, and its words in a line that opens.

    Args:
        ax: axes that a function of this module drew.
    """
    picture = io.BytesIO()
    figure = ax.figure
    figure.savefig(picture, dpi=_DPI, format="png", metadata={"Software": None})
    words = ax.get_label()
    display(
        {"image/png": picture.getvalue(), "text/plain": words},
        metadata={"image/png": {"width": round(figure.get_figwidth() * 80)}},
        raw=True,
    )
    folded = f"<details><summary>The figure in words</summary>{html.escape(words)}</details>"
    display({"text/html": folded, "text/plain": words}, raw=True)


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


def draw_rr_curve(*, ax: Axes | None = None, max_rank: int = 20) -> Axes:
    """RR against the rank of the first hit: the curve 1 / rank.

    Args:
        ax: where to draw; None makes a figure.
        max_rank: the last rank drawn.

    Example:
        >>> draw_rr_curve(max_rank=2).get_label()
        'RR by rank of the first hit: 1: 1.00, 2: 0.50.'
    """
    ax = ax or new_axes(6.4, 3)
    rank = np.arange(1, max_rank + 1)
    ax.vlines(rank, 0, 1 / rank, color=PALE, linewidth=6)
    ax.plot(rank, 1 / rank, "o", color=BLUE)
    for r in (1, 2, 3, 5, 10, 20):
        if r <= max_rank:
            ax.annotate(
                f"{1 / r:.2f}",
                (r, 1 / r),
                (0, 6),
                textcoords="offset points",
                fontsize=9,
                ha="center",
            )
    ax.set(xlabel="rank of the first hit", ylabel="RR", ylim=(0, 1.1), xticks=rank)
    ax.set_title("RR falls fast, then hardly at all")
    ax.set_label(f"RR by rank of the first hit: {_series(rank, 1 / rank)}.")
    return ax


def draw_per_query(
    values: Mapping[str, float], *, measure: str = "RR", ax: Axes | None = None
) -> Axes:
    """One bar a query, and a line at their mean.

    Args:
        values: the value of each query by its name.
        measure: what the values are, for the axis.
        ax: where to draw; None makes a figure.

    Example:
        >>> draw_per_query({"Q1": 0.5, "Q2": 1.0}).get_label()
        'RR by query: Q1: 0.50, Q2: 1.00. Mean: 0.75.'
    """
    ax = ax or new_axes(max(3.6, 1.1 * len(values) + 1.4), 2.8)
    names, heights = list(values), np.array(list(values.values()), dtype=float)
    mean = heights.mean()
    ax.bar(names, heights, color=BLUE, width=0.55)
    for name, height in values.items():
        ax.annotate(
            f"{height:.2f}", (name, height), (0, 3), textcoords="offset points", ha="center"
        )
    ax.axhline(mean, color=ORANGE, linewidth=2, linestyle="--")
    ax.annotate(
        f"mean {mean:.4f}",
        (1, mean),
        (0, 4),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        color=ORANGE,
        ha="right",
    )
    ax.set(xlabel="query", ylabel=measure, ylim=(0, 1.18), xlim=(-0.6, len(values) - 0.1))
    ax.set_title(f"{measure} of each query, and the mean")
    ax.set_label(f"{measure} by query: {_series(names, heights)}. Mean: {mean:.2f}.")
    return ax


def draw_precision(steps: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Precision rank by rank, with the hits marked: AP adds up the marked heights.

    Args:
        steps: the table that `explain` returns.
        ax: where to draw; None makes a figure.

    Example:
        >>> from helpers import explain
        >>> draw_precision(explain(["a", "x", "b"], {"a", "b"})).get_label()
        'Precision at the hits: rank 1: 1.00, rank 3: 0.67. AP: 0.8333.'
    """
    ax = ax or new_axes(max(4.6, 0.5 * len(steps) + 1.6), 3)
    hits = steps[steps["hit"]]
    ap = steps["share of AP"].sum()
    ax.plot(steps["rank"], steps["precision"], color="#999999", marker=".", label="precision")
    ax.vlines(hits["rank"], 0, hits["precision"], color=BLUE, linewidth=1.5)
    ax.plot(hits["rank"], hits["precision"], "o", color=BLUE, markersize=9, label="hit")
    for rank, precision in zip(hits["rank"], hits["precision"], strict=True):
        ax.annotate(
            f"{precision:.2f}", (rank, precision), (0, 8), textcoords="offset points", ha="center"
        )
    ax.axhline(ap, color=ORANGE, linestyle="--", linewidth=2, label=f"AP = {ap:.4f}")
    ax.set(xlabel="rank", ylabel="precision at this rank", ylim=(0, 1.2), xticks=steps["rank"])
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1])
    ax.set_title("Precision at each rank")
    ax.legend(frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.22))
    at_hits = _series([f"rank {rank}" for rank in hits["rank"]], hits["precision"])
    ax.set_label(f"Precision at the hits: {at_hits}. AP: {ap:.4f}.")
    return ax


def draw_discount(*, ax: Axes | None = None, max_rank: int = 20) -> Axes:
    """What a hit is worth at each rank: nDCG's discount beside RR's 1 / rank.

    Args:
        ax: where to draw; None makes a figure.
        max_rank: the last rank drawn.

    Example:
        >>> draw_discount(max_rank=3).get_label()
        'Discount 1 / log2(rank + 1): 1: 1.00, 2: 0.63, 3: 0.50. \
For comparison 1 / rank: 1: 1.00, 2: 0.50, 3: 0.33.'
    """
    ax = ax or new_axes(6.4, 3.2)
    rank = np.arange(1, max_rank + 1)
    ax.plot(rank, discount(rank), "o-", color=BLUE, label="nDCG: 1 / log2(rank + 1)")
    ax.plot(rank, 1 / rank, "s--", color=ORANGE, markersize=5, label="RR: 1 / rank")
    ax.set(xlabel="rank", ylabel="what a hit is worth here", ylim=(0, 1.1), xticks=rank)
    ax.set_title("The discount of nDCG falls more slowly than 1 / rank")
    ax.legend(frameon=False)
    ax.set_label(
        f"Discount 1 / log2(rank + 1): {_series(rank, discount(rank))}. "
        f"For comparison 1 / rank: {_series(rank, 1 / rank)}."
    )
    return ax


def draw_shares(
    steps: pd.DataFrame, *, share: str = "share of nDCG", ax: Axes | None = None
) -> Axes:
    """What each rank adds to a metric, as bars.

    Args:
        steps: the table that `explain` returns.
        share: a column of it that begins with "share of".
        ax: where to draw; None makes a figure.

    Example:
        >>> from helpers import explain
        >>> draw_shares(explain(["x", "a"], {"a"}), share="share of AP").get_label()
        'Share of AP by rank: 1 (x): 0.00, 2 (a): 0.50. Sum: 0.5000.'
    """
    ax = ax or new_axes(max(4.2, 0.55 * len(steps) + 1.4), 2.8)
    names = [f"{rank}\n{item}" for rank, item in zip(steps["rank"], steps["item"], strict=True)]
    ax.bar(names, steps[share], color=BLUE, width=0.6)
    for name, height in zip(names, steps[share], strict=True):
        if height:
            ax.annotate(
                f"{height:.3f}", (name, height), (0, 3), textcoords="offset points", ha="center"
            )
    total = steps[share].sum()
    metric = share.removeprefix("share of ")
    ax.set(xlabel="rank and item", ylabel=share, ylim=(0, max(steps[share].max() * 1.2, 0.1)))
    ax.set_title(f"What each rank adds: {metric} = {total:.4f}")
    by_rank = _series([name.replace("\n", " (") + ")" for name in names], steps[share])
    ax.set_label(f"Share of {metric} by rank: {by_rank}. Sum: {total:.4f}.")
    return ax


def _series(names: Sequence[object], values: Sequence[float]) -> str:
    return ", ".join(f"{name}: {value:.2f}" for name, value in zip(names, values, strict=True))
