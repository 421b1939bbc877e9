"""Charts of a table: a group of bars for each row, or a line for each column."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullFormatter

from byhand.figures.style import BLUE, GREEN, INK, ORANGE, WHITE, WIDEST, new_axes

_COLOURS = (BLUE, ORANGE, GREEN, "#CC79A7", "#E69F00", INK)
_HATCHES = ("", "//", "..", "xx", "\\\\", "")
_PLAIN = FuncFormatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}")
_MARKERS = ("o", "s", "^", "D", "v", "x")


def draw_bars(
    table: pd.DataFrame,
    *,
    title: str,
    ylabel: str,
    digits: int = 2,
    ax: Axes | None = None,
) -> Axes:
    """A group of bars for each row of a table, a bar for each column.

    Args:
        table: numbers; the index names the groups (and the x axis), the columns the bars.
        title: the title of the figure.
        ylabel: what the height of a bar is.
        digits: how many decimals stand above a bar and in the words.
        ax: where to draw; None makes a figure.

    Example:
        >>> table = pd.DataFrame({"RR": [0.5]}, index=pd.Index(["Q1"], name="query"))
        >>> draw_bars(table, title="One query", ylabel="value").get_label()
        'One query. Q1: RR 0.50.'
    """
    longest_name = max(len(str(name)) for name in table.index)
    room_for_names = 0.095 * longest_name * len(table) + 1.4
    ax = ax or new_axes(max(5.0, 0.42 * table.size + 1.6, room_for_names), 3.1)
    width = 0.8 / len(table.columns)
    for i, column in enumerate(table):
        at = [place - 0.4 + width * (i + 0.5) for place in range(len(table))]
        bars = ax.bar(
            at,
            table[column],
            width * 0.92,
            label=column,
            color=_COLOURS[i % 6],
            hatch=_HATCHES[i % 6],
            edgecolor=WHITE,  # of the hatch
            linewidth=0,
        )
        ax.bar_label(bars, fmt=f"%.{digits}f", fontsize=8.5, padding=2)
    crowded = {"rotation": 25, "ha": "right"} if room_for_names > WIDEST else {}
    ax.set_xticks(range(len(table)), [str(name) for name in table.index], **crowded)
    ax.set(xlabel=table.index.name or "", ylabel=ylabel)
    ax.margins(y=0.14)
    _finish(ax, table, title)
    rows = (
        f"{name}: " + ", ".join(f"{column} {value:.{digits}f}" for column, value in row.items())
        for name, row in table.iterrows()
    )
    ax.set_label(f"{title}. {'; '.join(rows)}.")
    return ax


def draw_lines(
    table: pd.DataFrame,
    *,
    title: str,
    ylabel: str,
    digits: int = 2,
    logx: bool = False,
    logy: bool = False,
    across: Mapping[str, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """A line for each column of a table, over its index.

    Args:
        table: numbers; the index is the x axis and names it, the columns name the lines.
        title: the title of the figure.
        ylabel: what the height of a line is.
        digits: how many decimals the words have.
        logx: whether the x axis is logarithmic.
        logy: whether the y axis is.
        across: name -> a height at which a thin line of that name goes across.
        ax: where to draw; None makes a figure.

    Example:
        >>> table = pd.DataFrame({"RR": [1, 0.5]}, index=pd.Index([1, 2], name="rank"))
        >>> draw_lines(table, title="RR", ylabel="value").get_label()
        'RR. RR: from 1.00 at 1 to 0.50 at 2.'
    """
    ax = ax or new_axes(6.4, 3.2)
    few = len(table) <= 25
    for i, column in enumerate(table):
        ax.plot(
            table.index,
            table[column],
            label=column,
            color=_COLOURS[i % 6],
            marker=_MARKERS[i % 6] if few else None,
            linestyle=("-", "--", ":", "-.")[i % 4],
            linewidth=2,
        )
    ax.set(xscale="log" if logx else "linear", yscale="log" if logy else "linear")
    for axis in [ax.xaxis] * logx + [ax.yaxis] * logy:
        axis.set_major_formatter(_PLAIN)
        axis.set_minor_formatter(NullFormatter())
    for name, height in (across or {}).items():
        ax.axhline(height, color=INK, linewidth=1)
        where = (table.index[0], height), (0, 3)
        ax.annotate(f"{name} {height:g}", *where, textcoords="offset points", fontsize=9)
    ax.set(xlabel=table.index.name or "", ylabel=ylabel)
    _finish(ax, table, title)
    first, last = table.index[0], table.index[-1]
    lines = (
        f"{column}: from {table[column].iloc[0]:.{digits}f} at {first} "
        f"to {table[column].iloc[-1]:.{digits}f} at {last}"
        for column in table
    )
    heights = (f" A line across at {height:g}: {name}." for name, height in (across or {}).items())
    ax.set_label(f"{title}. {'; '.join(lines)}.{''.join(heights)}")
    return ax


def _finish(ax: Axes, table: pd.DataFrame, title: str) -> None:
    ax.set_title(title)
    if len(table.columns) > 1:
        ax.legend(frameon=False, ncols=len(table.columns), loc="best", fontsize=9)
