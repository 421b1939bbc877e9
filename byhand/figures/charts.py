"""Charts of numbers: grouped bars, lines, a measure by its cutoff, and histograms."""

from collections.abc import Mapping
from functools import partial

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter
from numpy.typing import ArrayLike

from byhand.errors import DataError, shown
from byhand.figures.html_tables import head_of
from byhand.figures.style import (
    GAP,
    HATCHES,
    HIT,
    HIT_EDGE,
    INK,
    WHITE,
    WIDEST,
    finished,
    new_axes,
    system_style,
)
from byhand.metrics.measure_names import measure_named
from byhand.statistics import complete
from byhand.words import (
    gettext as _,
    in_row,
    localised,
    localised_text,
    ngettext,
    text_width,
    typeset,
)

_PLAIN = FuncFormatter(lambda value, _: localised(f"{value:,.0f}" if value >= 1 else f"{value:g}"))
_WHOLE_NUMBERS = partial(MaxNLocator, integer=True, steps=[1, 2, 5, 10])
_FILL = {"edgecolor": WHITE, "linewidth": 0}  # the edge colour is that of the hatch
_LETTERS = 10  # characters of a legend per inch
_WHOLE = 5.0  # minimum width in inches of a bar chart
_FEW = 25  # maximum number of points with markers
_BINS = 15  # bins on either side of 0
_SPREADS = 4.5  # standard deviations; values further out are in the last bin


def draw_bars(
    table: pd.DataFrame,
    *,
    title: str,
    ylabel: str,
    digits: int = 2,
    ax: Axes | None = None,
) -> Axes:
    """Draw a group of bars for each row of a table, with a bar for each column.

    Args:
        table: the numbers, a row per group and a column per bar; the name of the index is the label
            of the x axis.
        title, ylabel: the title, and the label of the y axis.
        digits: the number of decimals above a bar and in the description; 2 by default.
        ax: the axes to draw on; by default, those of a new figure.

    Example:
        >>> table = pd.DataFrame({"RR": [0.5]}, index=pd.Index(["Q1"], name="query"))
        >>> draw_bars(table, title="One query", ylabel="value").get_label()
        'One query. Q1: RR 0.50.'
    """
    names = [localised_text(str(name)) for name in table.index]
    longest = max((len(line) for name in names for line in name.split("\n")), default=0)
    room = 0.095 * longest * len(names) + 1.4
    ax = ax or new_axes(max(_WHOLE, 0.42 * table.size + 1.6, room), 3.1)
    width = 0.8 / len(table.columns)
    for nth, column in enumerate(table):
        at = np.arange(len(table)) - 0.4 + width * (nth + 0.5)
        look = {"color": system_style(nth)["color"], "hatch": HATCHES[nth % len(HATCHES)]}
        bars = ax.bar(at, table[column], width * 0.92, label=column, **look, **_FILL)
        labels = [typeset(f"{value:.{digits}f}") if value else "0" for value in table[column]]
        ax.bar_label(bars, labels, fontsize=9, padding=2)
    ax.set_xticks(
        range(len(table)), names, **({"rotation": 25, "ha": "right"} if room > WIDEST else {})
    )
    ax.margins(y=0.14)
    rows = (
        f"{name}: "
        + in_row(f"{column} {typeset(f'{value:.{digits}f}')}" for column, value in row.items())
        for name, row in table.iterrows()
    )
    return _finished(ax, table, title, ylabel, f"{'; '.join(rows)}.")


def draw_lines(
    table: pd.DataFrame,
    *,
    title: str,
    ylabel: str,
    digits: int = 2,
    logx: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Draw a line for each column of a table, over its index.

    Args:
        table: numbers; the index is the x axis and its name the label; the columns are the lines.
        title, ylabel: the title, and the label of the y axis.
        digits: the number of decimals in the description; 2 by default.
        logx: If True, the x axis is logarithmic. False by default.
        ax: the axes to draw on; by default, those of a new figure.

    Example:
        >>> table = pd.DataFrame({"RR": [1, 0.5]}, index=pd.Index([1, 2], name="rank"))
        >>> draw_lines(table, title="RR", ylabel="value").get_label()
        'RR. RR: from 1.00 at 1 to 0.50 at 2.'
    """
    ax = ax or new_axes(6.4, 3.2)
    ticks, lines = _PLAIN if logx else str, []
    template = _("{name}: from {first} at {start} to {last} at {end}")
    for nth, (name, column) in enumerate(table.items()):
        known = column.dropna()
        style = system_style(nth) | ({} if len(table) <= _FEW else {"marker": None})
        ax.plot(known.index, known, label=name, linewidth=2, **style)
        if len(known):
            first, last = (typeset(f"{known.iloc[end]:.{digits}f}") for end in (0, -1))
            start, end = (ticks(known.index[end]) for end in (0, -1))
            lines.append(template.format(name=name, first=first, start=start, last=last, end=end))
    if logx:
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter(_PLAIN)
        ax.xaxis.set_minor_formatter(NullFormatter())
    elif table.index.dtype.kind in "iu":
        ax.xaxis.set_major_locator(_WHOLE_NUMBERS())
    return _finished(ax, table, title, ylabel, f"{'; '.join(lines)}.")


def draw_curve(values: Mapping[str, pd.DataFrame], measure: str, *, ax: Axes | None = None) -> Axes:
    """Draw the mean of a measure over the cutoff k, with one line per system.

    Args:
        values: a mapping from the name of each system to its table of `evaluate`, with the measure
            at several cutoffs, such as `[f"nDCG@{k}" for k in (1, 5, 10, 100)]`.
        measure: the measure without its cutoff, such as `"nDCG"`.
        ax: the axes to draw on; by default, those of a new figure.

    Raises:
        DataError: If `values` is empty or not a mapping, or a table has no column of this measure
            at a cutoff.

    Example:
        >>> table = pd.DataFrame({"P@1": [1.0, 0.0], "P@5": [0.4, 0.2]})
        >>> draw_curve({"A": table}, "P").get_label()
        'Mean P over the cutoff. A: from 0.500 at 1 to 0.300 at 5.'
    """
    if not isinstance(values, Mapping) or not values:
        raise DataError(
            f"values is {shown(values)}. Expected the table of evaluate for each system, by its "
            "name: {'A': table}."
        )
    means = {name: _mean_by_cutoff(name, table, measure) for name, table in values.items()}
    table = pd.DataFrame(means).sort_index().rename_axis(_("cutoff k"))
    title = _("Mean {measure} over the cutoff").format(measure=measure)
    ylabel = _("mean {measure}@k").format(measure=measure)
    far = bool(table.index[-1] > _FEW)
    ax = draw_lines(table, title=title, ylabel=ylabel, digits=3, logx=far, ax=ax)
    ax.set_ylim(0, 1.05 * ax.get_ylim()[1])
    return ax


def _mean_by_cutoff(name: str, table: pd.DataFrame, measure: str) -> dict[int, float]:
    means = {}
    for column in getattr(table, "columns", ()):
        base, _, k = str(column).rpartition("@")
        if base == measure and k.isdecimal():
            means[measure_named(column).k] = float(table[column].mean())
    if not means:
        columns = ", ".join(map(shown, getattr(table, "columns", ()))) or "none"
        raise DataError(
            f"values[{shown(name)}] has no column such as '{measure}@10'. Its columns: {columns}. "
            f"Evaluate with the cutoffs: [f'{measure}@{{k}}' for k in (1, 5, 10)]."
        )
    return means


def _finished(ax: Axes, table: pd.DataFrame, title: str, ylabel: str, words: str) -> Axes:
    columns = [str(name) for name in table]
    beside = ax.get_figure().get_figwidth() * _LETTERS / (max(map(text_width, columns)) + 8)
    return finished(
        ax,
        title=title,
        words=f"{title}. {words}",
        legend=max(int(beside), 1) if columns[1:] else 0,
        xlabel=head_of(str(table.index.name or "")),
        ylabel=ylabel,
    )


def _sides_in_words(numbers: np.ndarray, title: str, xlabel: str) -> str:
    above, below = int((numbers > 0).sum()), int((numbers < 0).sum())
    counted = ngettext(
        "{title}. {n} value of {xlabel}: {above} above 0, {zero} at 0, {below} below 0.",
        "{title}. {n} values of {xlabel}: {above} above 0, {zero} at 0, {below} below 0.",
        len(numbers),
    )
    counts = {"n": len(numbers), "above": above, "below": below}
    counts["zero"] = len(numbers) - above - below
    written = {name: localised(f"{count:,}") for name, count in counts.items()}
    return counted.format(title=title, xlabel=xlabel, **written)


def draw_histogram(
    values: ArrayLike,
    *,
    title: str,
    xlabel: str,
    ylabel: str | None = None,
    marks: Mapping[str, float] | None = None,
    beyond: float | None = None,
    digits: int = 3,
    ax: Axes | None = None,
) -> Axes:
    """Draw a histogram of values.

    If no value is negative and there is no `beyond`, the first bin begins at 0. Otherwise, one bin
    is centred on 0.

    Args:
        values: finite numbers.
        title, xlabel, ylabel: the title and axis labels; the y label is "how many" by default.
        marks: name -> position of a vertical line; none by default.
        beyond: the distance from 0 beyond which bars have another colour; none by default.
        digits: the number of decimals in the description; 3 by default.
        ax: the axes to draw on; by default, those of a new figure.

    Raises:
        DataError: If there are no values, or one is not a finite number.

    Example:
        >>> draw_histogram([0.5, 0, -0.25], title="Three", xlabel="difference").get_label()
        'Three. 3 values of difference: 1 above 0, 1 at 0, 1 below 0. From −0.250 to 0.500.'
    """

    def decimals(value: float, sign: str = "") -> str:
        return typeset(f"{value:{sign}.{digits}f}")

    numbers, marks = complete(values, "values"), marks or {}
    ylabel = _("how many") if ylabel is None else ylabel
    ax = ax or new_axes(6.4, 3.0)
    middles, counts, width = _binned(numbers, beyond or 0.0)
    far = np.abs(middles) > (beyond or np.inf)
    near = {"color": HIT, "edgecolor": HIT_EDGE, "linewidth": 0.8}
    for side, look in ((~far, near), (far, {"color": GAP, "hatch": HATCHES[1], **_FILL})):
        ax.bar(middles[side], counts[side], width * 0.94, **look)
    halo = [withStroke(linewidth=4, foreground=WHITE)]  # visible on a bar
    dashed = {"color": INK, "linestyle": "--", "linewidth": 1.5, "path_effects": halo}
    sign = "+z" if numbers.min() < 0 else "z"
    for name, at in marks.items():
        ax.axvline(at, label=f"{name} {decimals(at, sign)}", **dashed)
    ax.yaxis.set_major_locator(_WHOLE_NUMBERS(nbins=6))
    ends = {"low": decimals(numbers.min()), "high": decimals(numbers.max())}
    marked = _("Marked: {name} {value}.")
    words = [
        _sides_in_words(numbers, title, xlabel),
        _("From {low} to {high}.").format(**ends),
        *(marked.format(name=name, value=decimals(at)) for name, at in marks.items()),
    ]
    if beyond:
        share = (np.abs(numbers) >= beyond * (1 - 1e-9)).mean()
        message = _("At least {distance} from 0: {share}.")
        words.append(message.format(distance=decimals(beyond), share=localised(f"{share:.2%}")))
    words = " ".join(words)
    return finished(ax, title=title, words=words, legend=len(marks), xlabel=xlabel, ylabel=ylabel)


def _binned(numbers: np.ndarray, beyond: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the centres of the bins, the number of values in each, and their width.

    One bin is around 0, and `beyond` is the edge of another, if it is above 0. Without a value
    below 0, there are no bins below 0; without `beyond`, the first is then from 0.
    """
    most, spread = float(np.abs(numbers).max()), float(np.sqrt((numbers**2).mean()))
    reach = max(min(most, _SPREADS * spread), beyond * 1.3) or 1.0
    width = reach / _BINS
    if beyond > 0:
        width = beyond / (max(1, round(beyond / width + 0.5)) - 0.5)
    from_0 = numbers.min() >= 0 and beyond <= 0
    middle = 0.0 if from_0 else 0.5  # of a bin: the place of 0
    last = max(1, round(reach / width) - from_0)
    first = -last if numbers.min() < 0 else 0
    # values on an edge belong to the outer bin
    positions = np.floor(numbers / width * (1 + 1e-9) + middle).clip(first, last).astype(int)
    counts = np.bincount(positions - first, minlength=last - first + 1)
    return (np.arange(first, last + 1) + 0.5 - middle) * width, counts, width
