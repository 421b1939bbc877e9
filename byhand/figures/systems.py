"""Figures of per-query values, and comparisons of systems."""

import textwrap
from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator, PercentFormatter
from numpy.typing import ArrayLike

from byhand.errors import DataError, shown
from byhand.figures.charts import draw_lines
from byhand.figures.style import GREY, HIT, INK, WIDEST, finished, new_axes, system_style
from byhand.metrics.measure_names import measure_named
from byhand.statistics import aligned, differences, numbers
from byhand.words import gettext as _, in_row, localised, ngettext, pgettext, typeset

_ROOM_FOR_TICKS = 9
_ROW, _AROUND = 0.85, 1.0  # inches
_STEP, _LETTERS = 1.25, 9.8  # inches between columns; characters of a name per inch
_SIZE = 12  # font size of names, in points
_LONGEST = 40  # maximum number of characters of a name
_NAME, _HEAD = 22, 14  # maximum number of characters: name of a line, line of a column head
_REACH = 0.46  # maximum height of a bar, as a share of a row


def _distribution_words(name: str, column: np.ndarray, *, lacking: int) -> str:
    """Describe the curve of a system, with the number of queries without a value."""
    n = len(column)
    template = ngettext(
        "{name}: {n} query, mean {mean}, median {median}, {share} at 0.",
        "{name}: {n} queries, mean {mean}, median {median}, {share} at 0.",
        n,
    )
    if lacking:
        template = ngettext(
            "{name}: {n} query, {more} more without a value, mean {mean}, median {median}, "
            "{share} at 0.",
            "{name}: {n} queries, {more} more without a value, mean {mean}, median {median}, "
            "{share} at 0.",
            n,
        )
    middle = {"mean": f"{column.mean():.3g}", "median": f"{np.median(column):.3g}", "n": f"{n:,}"}
    middle = {each: localised(number) for each, number in middle.items()}
    share = f"{(column == 0).mean():.0%}"
    return template.format(name=name, more=lacking, share=share, **middle)


def draw_distribution(
    values: Mapping[str, ArrayLike],
    *,
    measure: str = "RR",
    log: bool | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the distribution of the values of a measure over queries, with one curve per system.

    The curve at x is the share of queries with a value of at most x.

    Args:
        values: the per-query values of each system or group by its name; NaN if there is none.
        measure: the name of the measure, for the axis; RR by default.
        log: If True, the x axis is logarithmic, with 0 at its left edge. None, the default, for a
            logarithmic axis if half of the values above 0 are below a tenth of the largest.

    Raises:
        DataError: If there are no values, or they are not finite numbers.

    Example:
        >>> draw_distribution({"A": [1, 0.5, 0, 0.5]}).get_label()
        'Distribution of RR. A: 4 queries, mean 0.5, median 0.5, 25% at 0.'
    """
    _some(values)
    known = {name: numbers(column, f"values[{shown(name)}]") for name, column in values.items()}
    given = {name: np.sort(column[~np.isnan(column)]) for name, column in known.items()}
    for name, column in given.items():
        if not len(column):
            raise DataError(f"values[{shown(name)}] has only NaN, so there is nothing to draw.")
    joined = np.concatenate(list(given.values()))
    positive = joined[joined > 0]
    skewed = len(positive) > 0 and np.median(positive) < positive.max() / 10
    log = skewed if log is None else log and len(positive) > 0
    left = positive.min() / 1.5 if log else min(joined.min(), 0)
    ax, sentences = ax or new_axes(6.4, 3.4), []
    for place, (name, column) in enumerate(given.items()):
        n, mean, style = len(column), column.mean(), system_style(place)
        x = np.maximum(np.append(column[0], column), left)
        # the curve has no markers, except one at the mean; the legend has it also
        once = {"where": "post", "label": name, "markevery": [], "linewidth": 1.8}
        ax.step(x, np.arange(n + 1) / n, **once, **style)
        at_mean = np.searchsorted(column, mean, side="right") / n
        ax.plot(max(mean, left), at_mean, **style | {"linestyle": "none", "markersize": 8})
        sentences.append(_distribution_words(name, column, lacking=len(known[name]) - n))
    scale = "{measure}"
    if log:
        ax.set(xscale="log", xlim=(left, joined.max() * 1.1))
        scale = _("{measure} (log scale)")
        if (joined <= 0).any():
            scale = _("{measure} (log scale; 0 stands at the left edge)")
    ax.yaxis.set_major_formatter(PercentFormatter(1))
    return finished(
        ax,
        title=_("Distribution of {measure}; a marker is at the mean").format(measure=measure),
        words=_("Distribution of {measure}. {sentences}").format(
            measure=measure, sentences=" ".join(sentences)
        ),
        legend={"loc": "lower right"},
        xlabel=scale.format(measure=measure),
        ylabel=_("share of queries with\nat most this value"),
        ylim=(0, 1.02),
    )


def _difference_words(a: str, b: str, height: np.ndarray, *, lacking: int) -> tuple[str, str, str]:
    """Return the labels above and below the row of two systems, and a sentence on it.

    `lacking` is the number of queries without a value in one of the two.
    """
    n, higher, lower = len(height), int((height > 0).sum()), int((height < 0).sum())
    mean, equal = height.mean(), n - higher - lower
    mean = typeset(f"{mean:+.3g}") if mean else "0"
    above = _("{name} higher: {n}; mean {mean}").format(
        name=_short(a), n=localised(f"{higher:,}"), mean=mean
    )
    below = _("{name} higher: {n}; equal: {equal}").format(
        name=_short(b), n=localised(f"{lower:,}"), equal=localised(f"{equal:,}")
    )
    template = ngettext(
        "{a} minus {b} on {n} query: {a} higher on {higher}, equal on {equal}, "
        "{b} higher on {lower}, mean {mean}.",
        "{a} minus {b} on {n} queries: {a} higher on {higher}, equal on {equal}, "
        "{b} higher on {lower}, mean {mean}.",
        n,
    )
    if lacking:
        template = ngettext(
            "{a} minus {b} on {n} query ({more} more without a value): {a} higher on "
            "{higher}, equal on {equal}, {b} higher on {lower}, mean {mean}.",
            "{a} minus {b} on {n} queries ({more} more without a value): {a} higher on "
            "{higher}, equal on {equal}, {b} higher on {lower}, mean {mean}.",
            n,
        )
    counts = {"higher": higher, "equal": equal, "lower": lower, "more": lacking}
    return above, below, template.format(a=a, b=b, n=localised(f"{n:,}"), mean=mean, **counts)


def draw_differences(
    values: Mapping[str, pd.Series],
    *,
    measure: str = "RR",
    ax: Axes | None = None,
) -> Axes:
    """Draw the per-query differences of the first system to each other one, one row per pair.

    The queries of a row are sorted. Bars above the line are queries on which the first system is
    better, bars below the line those on which the second is; the dashed line is the mean.

    Args:
        values: the systems by name: one value per query, with the query as index; NaN if none.
        measure: the name of the measure, for the title; RR by default.

    Raises:
        DataError: If there are fewer than two systems, or their queries differ.

    Example:
        >>> a, b = pd.Series({"q1": 1.0, "q2": 0.5}), pd.Series({"q1": 0.5, "q2": 0.5})
        >>> draw_differences({"A": a, "B": b}).get_label()
        'Differences in RR. A minus B on 2 queries: A higher on 1, equal on 1, B higher on 0, \
mean +0.25.'
    """
    _some(values)
    if len(values) < 2:
        raise DataError(f"values has {len(values)} systems. Expected two or more, by name.")
    first, *others = values
    pairs = [(first, other) for other in others]
    found = {pair: _sorted(values, pair, measure) for pair in pairs}
    reach = max(np.abs(height).max() for height in found.values()) or 1
    colours = {name: system_style(place)["color"] for place, name in enumerate(values)}
    ax = ax or new_axes(WIDEST, _AROUND + _ROW * max(len(pairs), 2))
    sentences = []
    for row, ((a, b), height) in enumerate(found.items()):
        scale, edges = _REACH / reach, np.linspace(0, 1, len(height) + 1)
        for name, part in ((a, height.clip(min=0)), (b, height.clip(max=0))):
            look = {"fill": True, "color": colours[name], "linewidth": 0, "antialiased": False}
            ax.stairs(part * scale - row, edges, baseline=-row, **look)
        ax.axhline(-row, color=INK, linewidth=0.8)
        ax.axhline(height.mean() * scale - row, color=INK, linewidth=1.2, linestyle="--")
        above, below, words = _difference_words(a, b, height, lacking=len(values[a]) - len(height))
        for side, text in ((1, above), (-1, below)):  # in the middle, where bars are low
            ax.text(0.5, side * 0.6 * _REACH - row, text, ha="center", va="center", color=INK)
        sentences.append(words)
    ax.spines["left"].set_visible(False)
    ax.xaxis.set_major_formatter(PercentFormatter(1))
    return finished(
        ax,
        title=_("Where the systems differ in {measure} (the highest bar is {reach})").format(
            measure=measure, reach=localised(f"{reach:.2g}")
        ),
        words=_("Differences in {measure}. {sentences}").format(
            measure=measure, sentences=" ".join(sentences)
        ),
        legend=False,
        xlabel=_("queries, each row sorted from the largest gain to the largest loss"),
        xlim=(0, 1),
        ylim=(0.5 - len(pairs), 0.5),
        yticks=[side * _REACH - row for row in range(len(pairs)) for side in (1, 0, -1)],
        yticklabels=[
            typeset(f"{side * reach:+.2f}") if side else "0"
            for _row in pairs
            for side in (1, 0, -1)
        ],
    )


def _short(name: str, longest: int = _LONGEST) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def _sorted(values: Mapping[str, pd.Series], pair: tuple[str, str], measure: str) -> np.ndarray:
    names = tuple(f"{measure} of {shown(name)}" for name in pair)
    return np.sort(differences(*aligned(*(values[name] for name in pair), names)))[::-1]


def draw_curve(values: Mapping[str, pd.DataFrame], measure: str, *, ax: Axes | None = None) -> Axes:
    """Draw the mean of a measure over the cutoff k, with one line per system.

    Args:
        values: the table of `evaluate` for each system, with the measure at several cutoffs, such
            as `[f"nDCG@{k}" for k in (1, 5, 10, 100)]`.
        measure: the measure without its cutoff, such as `"nDCG"`.

    Raises:
        DataError: If a table has no column of this measure at a cutoff.

    Example:
        >>> table = pd.DataFrame({"P@1": [1.0, 0.0], "P@5": [0.4, 0.2]})
        >>> draw_curve({"A": table}, "P").get_label()
        'Mean P by cutoff k. A: 1: 0.500, 5: 0.300.'
    """
    _some(values)
    means = {name: _mean_by_cutoff(name, table, measure) for name, table in values.items()}
    table = pd.DataFrame(means).sort_index().rename_axis(_("cutoff k"))
    far = bool(table.index[-1] > 20)
    title = _("Mean {measure} over the cutoff").format(measure=measure)
    ylabel = _("mean {measure}@k").format(measure=measure)
    ax = draw_lines(table, title=title, ylabel=ylabel, logx=far, ax=ax)
    ax.xaxis.set_minor_locator(NullLocator())
    ticks = table.index[:: -(-len(table) // _ROOM_FOR_TICKS)]
    ax.set_xticks(ticks, [localised(f"{k:,}") for k in ticks])
    ax.set_ylim(0, 1.05 * ax.get_ylim()[1])
    points = (
        f"{name}: {in_row(f'{k}: ' + localised(f'{mean:#.3g}') for k, mean in by_cutoff.items())}."
        for name, by_cutoff in means.items()
    )
    words = _("Mean {measure} by cutoff k. {points}")
    ax.set_label(words.format(measure=measure, points=" ".join(points)))
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


def draw_rankings(
    means: pd.DataFrame,
    *,
    mark: Iterable[str] = (),
    ax: Axes | None = None,
) -> Axes:
    """Draw how the order of systems changes between measures or conventions.

    Each column is a measure, with the best system on top; a line follows each system. Kendall's tau
    compares each column with the first one: 1 for the same order, -1 for the opposite one.

    Args:
        means: a row per system, a column per measure: the means, higher is better.
        mark: the systems to highlight, with thin grey lines for all others; none by default, so
            that each system has its own colour.

    Raises:
        DataError: If there are fewer than two systems or measures, or a mean is not finite.

    References:
        Kendall 1945, "The treatment of ties in ranking problems", Biometrika (tau-b).

    Example:
        >>> means = pd.DataFrame({"RR": [0.5, 0.4, 0.3], "AP": [0.3, 0.1, 0.2]}, index=list("ABC"))
        >>> draw_rankings(means).get_label()
        "Order of 3 systems, best first, and Kendall's tau with RR. RR: A, B, C. AP (0.33): \
A, C, B."
    """
    from scipy.stats import kendalltau

    _check_means(means)
    rounded = means.round(12)  # differences in the last digits are ties
    ranks = rounded.rank(ascending=False)
    first, *others = means.columns
    taus = {name: kendalltau(rounded[first], rounded[name]).statistic for name in others}
    tau_texts = {name: typeset(f"{each:.2f}") for name, each in taus.items()}
    named = max(len(_short(str(name), _NAME)) for name in means.index)
    width = 0.4 + 2 * named / _LETTERS + _STEP * len(others)
    ax = ax or new_axes(width, 1.5 + 0.28 * len(means))
    marked = [str(name) for name in mark]
    for place, (name, row) in enumerate(ranks.iterrows()):
        look = system_style(place) | {"linewidth": 1.6}
        if marked and str(name) in marked:
            nth = marked.index(str(name))
            look = system_style(nth) | {"linewidth": 3, "zorder": 3}
            look |= {"color": (HIT, INK)[nth]} if nth < 2 else {}  # colours of the page
        elif marked:
            look = {"color": GREY, "linewidth": 1, "marker": "o", "markersize": 4}
        ax.plot(range(len(row)), row, label=str(name), **look)
    left, right = (_names_by_rank(ranks[each], "\n") for each in (first, others[-1]))
    ax.set_yticks(list(left), list(left.values()))
    for rank, names in right.items():
        about = {"ha": "left", "va": "center", "color": INK, "size": _SIZE}
        ax.text(len(others) + 0.12, rank, names, **about)
    heads = [
        str(first),
        *(f"{textwrap.fill(_short(str(name)), _HEAD)}\nτ = {tau_texts[name]}" for name in others),
    ]
    ax.set_xticks(range(len(heads)), heads)
    ax.xaxis.tick_top()
    ax.tick_params(length=0, labelsize=_SIZE)
    ax.spines[:].set_visible(False)
    orders = {
        name: ", ".join(_names_by_rank(ranks[name], " = ").values()) for name in means.columns
    }
    each = [f"{name} ({tau_texts[name]}): {orders[name]}." for name in others]
    about = _("Order of {n} systems, best first, and Kendall's tau with {first}.")
    about = about.format(n=len(means), first=first)
    return finished(
        ax,
        title=_("The order of the systems, best on top; τ is Kendall's tau with {first}").format(
            first=first
        ),
        words=" ".join([about, f"{first}: {orders[first]}.", *each]),
        legend=False,
        xlabel=pgettext("figure", "measure"),
        ylim=(len(means) + 0.5, 0.5),
        xlim=(-0.12, len(others) + 0.05),
    )


def _check_means(means: object) -> None:
    if not isinstance(means, pd.DataFrame) or min(means.shape) < 2:
        found = f"{means.shape}" if isinstance(means, pd.DataFrame) else type(means).__name__
        raise DataError(
            f"means is {found}. Expected a table with a row for each of two or more systems, "
            "and a column for each of two or more measures."
        )
    for name, column in means.items():
        if np.isnan(numbers(column, f"means[{shown(name)}]")).any():
            raise DataError(f"means[{shown(name)}] has a NaN. Remove that system or column.")


def _names_by_rank(ranks: pd.Series, between: str) -> dict[float, str]:
    """Return the systems at each rank, joined, best first."""
    names = ranks.index.map(lambda name: _short(str(name), _NAME))
    return {rank: between.join(names[ranks == rank]) for rank in sorted(set(ranks))}


def _some(systems: object) -> None:
    if not isinstance(systems, Mapping) or not systems:
        kind = "an empty mapping" if isinstance(systems, Mapping) else type(systems).__name__
        raise DataError(f"Expected something to draw for each system by its name, but got {kind}.")
