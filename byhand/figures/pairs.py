"""Figures of many pairs of systems, each on the same queries."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.ticker import PercentFormatter

from byhand.errors import DataError, shown
from byhand.figures.style import INK, WIDEST, fold, new_axes, system_style
from byhand.statistics import aligned, differences

_ROW, _AROUND = 0.85, 1.0  # inches
_LONGEST = 40  # characters of a name
_REACH = 0.46  # of a row, to either side of its line


def draw_pairs(
    values: Mapping[str, pd.Series],
    *,
    all_pairs: bool = False,
    measure: str = "RR",
    ax: Axes | None = None,
) -> Axes:
    """The differences of pairs of systems on each query: one row a pair, sorted from left to right.

    Where a row stands above its line the first system is higher, where it hangs below the second.
    All rows have one scale, so they can be compared. Each system has one colour.

    Args:
        values: the systems by name: one value a query, the query as index. Queries where one of a
            pair has no value (NaN) are left out of its row.
        all_pairs: whether to draw each system minus each that comes after it, and not only the
            first one minus each.
        measure: what the values are, for the title.
        ax: where to draw; None makes a figure.

    Raises:
        DataError: fewer than two systems, or not the same queries.

    Example:
        >>> a, b = pd.Series({"q1": 1.0, "q2": 0.5}), pd.Series({"q1": 0.5, "q2": 0.5})
        >>> draw_pairs({"A": a, "B": b}).get_label()
        'Differences in RR. A minus B: A higher on 1, equal on 1, B higher on 0, mean +0.25.'
    """
    if len(values) < 2:
        raise DataError(f"values has {len(values)} systems. Expected two or more, by their names.")
    first, *others = values
    pairs = list(combinations(values, 2)) if all_pairs else [(first, other) for other in others]
    ax = ax or new_axes(WIDEST, _AROUND + _ROW * len(pairs))
    found = [_sorted(values, pair, measure) for pair in pairs]
    reach = max(np.abs(height).max() for height in found) or 1
    colours = {name: system_style(place)["color"] for place, name in enumerate(values)}
    sentences = []
    for row, ((a, b), height) in enumerate(zip(pairs, found, strict=True)):
        higher, lower = int((height > 0).sum()), int((height < 0).sum())
        ax.add_collection(_bars(height / reach * _REACH, -row, colours[a], colours[b]))
        ax.axhline(-row, color=INK, linewidth=0.8)
        beside = {"ha": "left", "va": "top", "x": 0.005, "y": -row - 0.06}
        ax.text(s=f"{_short(a)} higher: {higher}", color=INK, **beside)
        beside = {"ha": "right", "va": "bottom", "x": 0.995, "y": -row + 0.04}
        ax.text(s=f"{_short(b)} higher: {lower}", color=INK, **beside)
        sentences.append(
            f"{a} minus {b}: {a} higher on {higher}, equal on {len(height) - higher - lower}, "
            f"{b} higher on {lower}, mean {height.mean():+.3g}."
        )
    ax.set(xlim=(0, 1), ylim=(0.6 - len(pairs), 0.6))
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    ax.xaxis.set_major_formatter(PercentFormatter(1))
    ax.set_xlabel("queries, each row sorted from the largest gain to the largest loss")
    title = f"Where the systems differ in {measure} (the highest bar is {reach:.2g})"
    fold(ax.set_title(title), ax.get_window_extent().width)
    ax.set_label(f"Differences in {measure}. {' '.join(sentences)}")
    return ax


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def _sorted(values: Mapping[str, pd.Series], pair: tuple[str, str], measure: str) -> np.ndarray:
    """The differences of a pair, the largest first."""
    columns = [values[name] for name in pair]
    names = tuple(f"{measure} of {shown(name)}" for name in pair)
    return np.sort(differences(*aligned(*columns, names)))[::-1]


def _bars(height: np.ndarray, line: float, above: str, below: str) -> PolyCollection:
    """A bar a query, from 0 to 1 of the width, above and below a line."""
    n = len(height)
    left, right = np.arange(n) / n, (np.arange(n) + 1) / n
    zero = np.full(n, line)
    x = np.stack([left, left, right, right], axis=1)
    y = np.stack([zero, line + height, line + height, zero], axis=1)
    colours = np.where(height > 0, above, below)
    bars = PolyCollection(np.stack([x, y], axis=2), facecolors=colours, linewidths=0)
    bars.set_antialiased(False)
    return bars
