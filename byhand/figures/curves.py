"""What a measure makes of ranks: its curve, its steps, its value for each query."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from byhand.errors import DataError
from byhand.figures.style import BLUE, ORANGE, PALE, in_words, new_axes
from byhand.metrics.measures.dcg import discount


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
    ax.set_label(f"RR by rank of the first hit: {in_words(rank, 1 / rank)}.")
    return ax


def draw_per_query(
    values: Mapping[str, float], *, measure: str = "RR", ax: Axes | None = None
) -> Axes:
    """One bar a query, and a line at their mean.

    Args:
        values: the value of each query by its name.
        measure: what the values are, for the axis.
        ax: where to draw; None makes a figure.

    Raises:
        DataError: no values.

    Example:
        >>> draw_per_query({"Q1": 0.5, "Q2": 1.0}).get_label()
        'RR by query: Q1: 0.50, Q2: 1.00. Mean: 0.75.'
    """
    if not values:
        raise DataError("values is empty. Expected the value of each query: {'Q1': 0.5}.")
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
        (4, 0),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        va="center",
    )
    ax.set(xlabel="query", ylabel=measure, ylim=(0, 1.18), xlim=(-0.6, len(values) - 0.4))
    ax.set_title(f"{measure} of each query, and the mean")
    ax.set_label(f"{measure} by query: {in_words(names, heights)}. Mean: {mean:.2f}.")
    return ax


def draw_precision(steps: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Precision rank by rank, with the hits marked: AP adds up the marked heights.

    Args:
        steps: the table that `explain` returns.
        ax: where to draw; None makes a figure.

    Raises:
        DataError: a table without AP.

    Example:
        >>> from byhand import explain
        >>> draw_precision(explain(["a", "x", "b"], {"a", "b"})).get_label()
        'Precision at the hits: rank 1: 1.00, rank 3: 0.67. AP: 0.8333.'
    """
    name, shares = _shares(steps, "share of AP")
    ax = ax or new_axes(max(4.6, 0.5 * len(steps) + 1.6), 3)
    hits, ap = steps[steps["hit"]], shares.sum()
    ax.plot(steps["rank"], steps["precision"], color="#999999", marker=".", label="precision")
    ax.vlines(hits["rank"], 0, hits["precision"], color=BLUE, linewidth=1.5)
    ax.plot(hits["rank"], hits["precision"], "o", color=BLUE, markersize=9, label="hit")
    for rank, precision in zip(hits["rank"], hits["precision"], strict=True):
        ax.annotate(
            f"{precision:.2f}", (rank, precision), (0, 8), textcoords="offset points", ha="center"
        )
    ax.axhline(ap, color=ORANGE, linestyle="--", linewidth=2, label=f"{name} = {ap:.4f}")
    ax.set(xlabel="rank", ylabel="precision at this rank", ylim=(0, 1.2), xticks=steps["rank"])
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1])
    ax.set_title("Precision at each rank")
    ax.legend(frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.22))
    at_hits = in_words([f"rank {rank}" for rank in hits["rank"]], hits["precision"]) or "none"
    ax.set_label(f"Precision at the hits: {at_hits}. {name}: {ap:.4f}.")
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
        f"Discount 1 / log2(rank + 1): {in_words(rank, discount(rank))}. "
        f"For comparison 1 / rank: {in_words(rank, 1 / rank)}."
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

    Raises:
        DataError: a table without that column.

    Example:
        >>> from byhand import explain
        >>> draw_shares(explain(["x", "a"], {"a"}), share="share of AP").get_label()
        'Share of AP by rank: 1 (x): 0.00, 2 (a): 0.50. Sum: 0.5000.'
    """
    metric, shares = _shares(steps, share)
    ax = ax or new_axes(max(4.2, 0.55 * len(steps) + 1.4), 2.8)
    names = [f"{rank}\n{item}" for rank, item in zip(steps["rank"], steps["item"], strict=True)]
    ax.bar(names, shares, color=BLUE, width=0.6)
    for name, height in zip(names, shares, strict=True):
        if height:
            ax.annotate(
                f"{height:.3f}", (name, height), (0, 3), textcoords="offset points", ha="center"
            )
    total, ylabel = shares.sum(), f"share of {metric}"
    ax.set(xlabel="rank and item", ylabel=ylabel, ylim=(0, max([0.1, *shares * 1.2])))
    ax.set_title(f"What each rank adds: {metric} = {total:.4f}")
    by_rank = in_words([name.replace("\n", " (") + ")" for name in names], shares)
    ax.set_label(f"Share of {metric} by rank: {by_rank}. Sum: {total:.4f}.")
    return ax


def _shares(steps: pd.DataFrame, column: str) -> tuple[str, pd.Series]:
    """The measure of a step table's share, with the cutoff that it has there, and its values."""
    name = column.removeprefix("share of ")
    if column not in steps:
        known = ", ".join(repr(each) for each in steps if str(each).startswith("share of "))
        raise DataError(
            f"The step table has no column {column!r}; its shares are: {known or 'none'}. "
            f"Make it with explain(ranked, relevant, measures=[{name!r}])."
        )
    return steps.attrs.get("measures", {}).get(name, name), steps[column]
