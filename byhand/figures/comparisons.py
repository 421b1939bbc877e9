"""Figures of many queries and of systems side by side."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.patches import Patch
from matplotlib.ticker import NullLocator, PercentFormatter
from matplotlib.transforms import ScaledTranslation
from numpy.typing import ArrayLike

from byhand.errors import DataError, shown
from byhand.figures.style import BLUE, INK, ORANGE, fold, new_axes, queries_text, system_style
from byhand.metrics.hits import Hits
from byhand.metrics.names import measure_named
from byhand.statistics import aligned, differences, numbers

_ROOM_FOR_TICKS = 9
_WIDE = {"linewidth": 1.8}


def draw_distribution(
    values: Mapping[str, ArrayLike],
    *,
    measure: str = "RR",
    log: bool | None = None,
    ax: Axes | None = None,
) -> Axes:
    """How the values of a measure are distributed over the queries, one curve a system.

    The curve at x is the share of queries with a value of at most x, so a skewed measure shows
    itself: the curve is high long before the marker of the mean.

    Args:
        values: the per-query values of each system or group by its name. Queries without a
            value (NaN) are left out, and the words say how many.
        measure: what the values are, for the axis.
        log: whether the x axis is logarithmic, with a value of 0 at its left edge; None makes
            it so if half of the values above 0 are below a tenth of the largest.
        ax: where to draw; None makes a figure.

    Raises:
        DataError: no values, or values that are no finite numbers.

    Example:
        >>> draw_distribution({"A": [1, 0.5, 0, 0.5]}).get_label()
        'Distribution of RR. A: 4 queries, mean 0.5, median 0.5, 25% at 0.'
    """
    _some(values)
    ax = ax or new_axes(6.4, 3.4)
    known = {name: numbers(column, f"values[{shown(name)}]") for name, column in values.items()}
    given = {name: np.sort(column[~np.isnan(column)]) for name, column in known.items()}
    joined = np.concatenate(list(given.values()))
    if not all(map(len, given.values())):
        empty = next(name for name, column in given.items() if not len(column))
        raise DataError(f"values[{shown(empty)}] has only NaN, so there is nothing to draw.")
    positive = joined[joined > 0]
    skewed = len(positive) > 0 and np.median(positive) < positive.max() / 10
    log = skewed if log is None else log and len(positive) > 0
    left = positive.min() / 1.5 if log else min(joined.min(), 0)
    sentences = []
    for place, (name, column) in enumerate(given.items()):
        style = system_style(place)
        mean, share = column.mean(), np.arange(1, len(column) + 1) / len(column)
        x, y = np.maximum(column, left), share
        x, y = np.append(x[0], x), np.append(0, y)
        # the marker is in the legend, and on the curve at the mean only
        ax.step(x, y, where="post", label=name, markevery=[], **_WIDE, **style)
        at_mean = np.searchsorted(column, mean, side="right") / len(column)
        ax.plot(max(mean, left), at_mean, **style | {"linestyle": "none", "markersize": 8})
        sentences.append(_distribution_in_words(name, column, len(known[name]) - len(column)))
    if log:
        ax.set_xscale("log")
        ax.set_xlim(left, joined.max() * 1.1)
    edge = " (log scale; 0 stands at the left edge)" if log and (joined <= 0).any() else ""
    ax.set(
        xlabel=f"{measure}{edge or (' (log scale)' if log else '')}",
        ylabel="share of queries with\nat most this value",
        ylim=(0, 1.02),
    )
    ax.yaxis.set_major_formatter(PercentFormatter(1))
    _title(ax, f"Distribution of {measure}; a marker is at the mean")
    _legend(ax, loc="lower right")
    ax.set_label(f"Distribution of {measure}. {' '.join(sentences)}")
    return ax


def _distribution_in_words(name: str, values: np.ndarray, n_left_out: int) -> str:
    left_out = f", {n_left_out} more without a value" if n_left_out else ""
    return (
        f"{name}: {queries_text(len(values))}{left_out}, mean {values.mean():.3g}, "
        f"median {np.median(values):.3g}, {(values == 0).mean():.0%} at 0."
    )


def draw_differences(
    values: Mapping[str, pd.Series], *, measure: str = "RR", ax: Axes | None = None
) -> Axes:
    """The difference of two systems on each query, sorted: one bar a query.

    Args:
        values: exactly two systems by name, the first minus the second: one value a query, the
            query as index. Queries where one has no value (NaN) are left out, and the words say
            how many.
        measure: what the values are, for the axis.
        ax: where to draw; None makes a figure.

    Raises:
        DataError: not two systems, or not the same queries.

    Example:
        >>> a, b = pd.Series({"q1": 1.0, "q2": 0.5}), pd.Series({"q1": 0.5, "q2": 0.5})
        >>> draw_differences({"A": a, "B": b}).get_label()
        'RR of A minus B on 2 queries: A higher on 1, equal on 1, B higher on 0. Mean: 0.25.'
    """
    if len(values) != 2:
        raise DataError(f"values has {len(values)} systems. Expected two: {{'A': …, 'B': …}}.")
    ax = ax or new_axes(6.4, 3.2)
    a, b = values
    x, y = aligned(values[a], values[b], (f"{measure} of {shown(a)}", f"{measure} of {shown(b)}"))
    height = np.sort(differences(x, y))[::-1]
    n, wins, losses = len(height), int((height > 0).sum()), int((height < 0).sum())
    mean, half = height.mean(), 0.5 if n > 150 else 0.42
    place = np.arange(n)
    corners = np.stack([place - half, place - half, place + half, place + half], axis=1)
    heights = np.stack([np.zeros(n), height, height, np.zeros(n)], axis=1)
    colours = np.where(height > 0, BLUE, ORANGE)
    bars = PolyCollection(np.stack([corners, heights], axis=2), facecolors=colours, linewidths=0)
    bars.set_antialiased(n <= 150)
    ax.add_collection(bars)
    ax.axhline(0, color=INK, linewidth=0.8)
    line = ax.axhline(mean, color=INK, linestyle="--", linewidth=1.5, label=f"mean {mean:+.3g}")
    reach = np.abs(height).max() * 1.15 or 1
    ax.set(xlim=(-1, n), ylim=(-reach, reach))
    key = [
        Patch(color=BLUE, label=f"{a} higher: {wins}"),
        Patch(facecolor="none", label=f"equal: {n - wins - losses}"),
        Patch(color=ORANGE, label=f"{b} higher: {losses}"),
        line,
    ]
    below = ax.transAxes + ScaledTranslation(0, -0.42, ax.figure.dpi_scale_trans)
    place = {"loc": "upper center", "bbox_to_anchor": (0.5, 0), "bbox_transform": below}
    _legend(ax, handles=key, ncols=2, **place)
    ax.set(xlabel="queries, sorted by their difference", ylabel="difference")
    _title(ax, f"Where the two systems differ in {measure}")
    left_out = f" ({len(values[a]) - n} more without a value)" if len(values[a]) > n else ""
    ax.set_label(
        f"{measure} of {a} minus {b} on {queries_text(n)}{left_out}: {a} higher on {wins}, "
        f"equal on {n - wins - losses}, {b} higher on {losses}. Mean: {mean:.3g}."
    )
    return ax


def draw_curve(values: Mapping[str, pd.DataFrame], measure: str, *, ax: Axes | None = None) -> Axes:
    """The mean of a measure over the cutoff k, one line a system.

    Args:
        values: for each system the table of `evaluate`, with the measure at several cutoffs:
            `evaluate(run, qrels, [f"nDCG@{k}" for k in (1, 5, 10, 100)])`, which counts the hits
            once.
        measure: the measure without its cutoff, such as `"nDCG"`.
        ax: where to draw; None makes a figure.

    Raises:
        DataError: a table without a column of this measure at a cutoff.

    Example:
        >>> table = pd.DataFrame({"P@1": [1.0, 0.0], "P@5": [0.4, 0.2]})
        >>> draw_curve({"A": table}, "P").get_label()
        'Mean P by cutoff k. A: 1: 0.500, 5: 0.300.'
    """
    _some(values)
    ax = ax or new_axes(6.4, 3.4)
    sentences, cutoffs = [], set()
    for place, (name, table) in enumerate(values.items()):
        means = _mean_by_cutoff(name, table, measure)
        cutoffs |= set(means)
        style = _WIDE | system_style(place)
        ax.plot(list(means), list(means.values()), label=name, **style)
        points = ", ".join(f"{k}: {mean:#.3g}" for k, mean in means.items())
        sentences.append(f"{name}: {points}.")
    if max(cutoffs) > 20:
        ax.set_xscale("log")
        ax.xaxis.set_minor_locator(NullLocator())
    ticks = sorted(cutoffs)
    ticks = ticks[:: -(-len(ticks) // _ROOM_FOR_TICKS)]
    ax.set_xticks(ticks, [f"{k:,}" for k in ticks])
    ax.set(xlabel="cutoff k", ylabel=f"mean {measure}@k")
    ax.set_ylim(bottom=0)
    _title(ax, f"Mean {measure} over the cutoff")
    _legend(ax)
    ax.set_label(f"Mean {measure} by cutoff k. {' '.join(sentences)}")
    return ax


def _mean_by_cutoff(name: str, table: pd.DataFrame, measure: str) -> dict[int, float]:
    columns = {}
    for column in table.columns if isinstance(table, pd.DataFrame) else ():
        base, _, k = str(column).rpartition("@")
        if base == measure and k.isdecimal():
            columns[measure_named(column).k] = column
    if not columns:
        found = ", ".join(map(shown, getattr(table, "columns", ()))) or "none"
        raise DataError(
            f"values[{shown(name)}] has no column such as '{measure}@10'. Columns found: {found}. "
            f"Evaluate with the cutoffs: [f'{measure}@{{k}}' for k in (1, 5, 10)]."
        )
    return {k: float(table[columns[k]].mean()) for k in sorted(columns)}


def draw_recall(hits: Mapping[str, Hits], *, ax: Axes | None = None) -> Axes:
    """How deep the relevant items stand: the share of them found within each rank.

    All relevant items count the same, whichever query they are of. (The mean of R@k instead
    counts all queries the same.)

    Args:
        hits: the hits of each system by its name, from `byhand.metrics.hits.hits_of_tables`.
        ax: where to draw; None makes a figure.

    Raises:
        DataError: no system, or one whose queries have no relevant item.

    Example:
        >>> from byhand.metrics.lists import hits_of_lists
        >>> draw_recall({"A": hits_of_lists([(["x", "a"], ["a", "b"])])}).get_label()
        'Relevant items found by depth. A: of 2, 0% within rank 1, 50% within rank 2, \
50% not retrieved.'
    """
    _some(hits)
    ax = ax or new_axes(6.4, 3.4)
    deepest = max(int(found.n_retrieved.max(initial=1)) for found in hits.values())
    sentences = []
    for place, (name, found) in enumerate(hits.items()):
        total = len(found.relevant_query)
        if total == 0:
            raise DataError(
                f"hits[{shown(name)}] has no relevant item in any query. Expected hits under qrels "
                "with a grade above 0: check the qrels."
            )
        ranks, counts = np.unique(found.rank, return_counts=True)
        share = np.cumsum(counts) / total
        x = np.concatenate([[1], ranks, [deepest]])
        y = np.concatenate([[0], share, share[-1:] if len(share) else [0]])
        style = _WIDE | system_style(place)
        ax.step(x, y, where="post", label=name, markevery=0.2, **style)
        sentences.append(_recall_in_words(name, found.rank, total, deepest))
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set(xlabel="rank (log scale)", ylabel="share of relevant items\nfound by this rank")
    ax.set(xlim=(1, max(deepest, 2)), ylim=(0, 1.02))
    ax.yaxis.set_major_formatter(PercentFormatter(1))
    ax.set_title("Relevant items found by depth")
    _legend(ax)
    ax.set_label(f"Relevant items found by depth. {' '.join(sentences)}")
    return ax


def _recall_in_words(name: str, ranks: np.ndarray, total: int, deepest: int) -> str:
    depths = [10**power for power in range(len(str(deepest))) if 10**power < deepest] + [deepest]
    found = ", ".join(f"{(ranks <= d).sum() / total:.0%} within rank {d}" for d in depths)
    return f"{name}: of {total}, {found}, {1 - len(ranks) / total:.0%} not retrieved."


def _some(systems: object) -> None:
    if not isinstance(systems, Mapping) or not systems:
        kind = "an empty mapping" if isinstance(systems, Mapping) else type(systems).__name__
        raise DataError(f"Expected something to draw for each system by its name; got {kind}.")


def _title(ax: Axes, title: str) -> None:
    fold(ax.set_title(title), ax.get_window_extent().width)


def _legend(ax: Axes, **options: object) -> None:
    """A legend whose names take up at most half of the axes each."""
    for text in ax.legend(frameon=False, **options).get_texts():
        fold(text, 0.45 * ax.get_window_extent().width)
