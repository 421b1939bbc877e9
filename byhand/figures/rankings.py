"""A figure of the order of systems under several measures."""

import textwrap
from collections.abc import Iterable

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from byhand.errors import DataError, shown
from byhand.figures.style import GREY, INK, finished, new_axes, system_style
from byhand.statistics import numbers
from byhand.words import gettext as _, pgettext, typeset

_STEP, _LETTERS = 1.1, 13  # inches between columns; characters of a name per inch
_LONGEST = 40  # maximum number of characters of a column's name
_NAME, _HEAD = 22, 14  # maximum number of characters: name of a line, line of a column head


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
        ax: the axes to draw on; by default, those of a new figure.

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
    tau_texts = {name: typeset(f"{tau:.2f}") for name, tau in taus.items()}
    named = max(len(_short(str(name), _NAME)) for name in means.index)
    width = 0.4 + 2 * named / _LETTERS + _STEP * len(others)
    ax = ax or new_axes(width, 1.5 + 0.28 * len(means))
    marked = [str(name) for name in mark]
    for nth, (name, row) in enumerate(ranks.iterrows()):
        look = system_style(nth) | {"linewidth": 1.6}
        if str(name) in marked:
            look = system_style(marked.index(str(name))) | {"linewidth": 3, "zorder": 3}
        elif marked:
            look = {"color": GREY, "linewidth": 1, "marker": "o", "markersize": 4}
        ax.plot(range(len(row)), row, label=str(name), **look)
    left, right = (_names_by_rank(ranks[name], "\n") for name in (first, others[-1]))
    ax.set_yticks(list(left), list(left.values()))
    for rank, names in right.items():
        about = {"ha": "left", "va": "center", "color": INK}
        ax.text(len(others) + 0.12, rank, names, **about)
    folded = {name: textwrap.fill(_short(str(name), _LONGEST), _HEAD) for name in others}
    heads = [str(first), *(f"{folded[name]}\nτ = {tau_texts[name]}" for name in others)]
    ax.set_xticks(range(len(heads)), heads)
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    orders = {
        name: ", ".join(_names_by_rank(ranks[name], " = ").values()) for name in means.columns
    }
    compared = [f"{name} ({tau_texts[name]}): {orders[name]}." for name in others]
    about = _("Order of {n} systems, best first, and Kendall's tau with {first}.")
    about = about.format(n=len(means), first=first)
    return finished(
        ax,
        title=_("The order of the systems, best on top; τ is Kendall's tau with {first}").format(
            first=first
        ),
        words=" ".join([about, f"{first}: {orders[first]}.", *compared]),
        legend=0,
        xlabel=pgettext("figure", "measure"),
        ylim=(len(means) + 0.5, 0.5),
        xlim=(-0.12, len(others) + 0.05),
    )


def _check_means(means: object) -> None:
    if not isinstance(means, pd.DataFrame) or min(means.shape) < 2:
        table = isinstance(means, pd.DataFrame)
        given = f"of shape {means.shape}" if table else f"of type {type(means).__name__}"
        raise DataError(
            f"means is {given}. Expected a table with a row for each of two or more systems, "
            "and a column for each of two or more measures."
        )
    for name, column in means.items():
        empty = np.isnan(numbers(column, f"means[{shown(name)}]"))
        if empty.any():
            system = shown(means.index[empty.argmax()])
            raise DataError(
                f"means[{shown(name)}] is NaN for {system}. Remove that system or column."
            )


def _names_by_rank(ranks: pd.Series, between: str) -> dict[float, str]:
    """Return the systems at each rank, joined, best first."""
    names = ranks.index.map(lambda name: _short(str(name), _NAME))
    return {rank: between.join(names[ranks == rank]) for rank in sorted(set(ranks))}


def _short(name: str, longest: int) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"
