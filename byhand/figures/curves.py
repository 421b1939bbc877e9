"""What a measure makes of ranks: its curve, its steps, what a swap costs, each query's value."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes

from byhand.errors import DataError
from byhand.figures.charts import draw_bars, draw_lines
from byhand.figures.style import new_axes, values_text
from byhand.metrics.measures.dcg import DCG
from byhand.metrics.names import measure_list, measures_named
from byhand.metrics.ranked import Relevant
from byhand.words import gettext as _, localised, pgettext


def draw_rr_curve(*, ax: Axes | None = None, max_rank: int = 20) -> Axes:
    """RR against the rank of the first hit: the curve 1 / rank, as far as `max_rank`.

    Example:
        >>> draw_rr_curve(max_rank=2).get_label()
        'RR by rank of the first hit: 1: 1.00, 2: 0.50.'
    """
    rank = pd.RangeIndex(1, max_rank + 1, name=_("rank of the first hit"))
    table = pd.DataFrame({"RR": 1 / rank}, index=rank)
    title = _("RR falls fast, then hardly at all")
    ax = draw_lines(table, title=title, ylabel="RR", ax=ax)
    shown = [r for r in (1, 2, 3, 5, 10, 20) if r <= max_rank]
    _write_heights(ax, shown, [1 / r for r in shown])
    ax.set(ylim=(0, 1.15), xticks=rank)
    values = values_text(rank, table["RR"])
    ax.set_label(_("RR by rank of the first hit: {values}.").format(values=values))
    return ax


def draw_discount(*, ax: Axes | None = None, max_rank: int = 20) -> Axes:
    """What a hit is worth at each rank, as far as `max_rank`: nDCG's discount beside 1 / rank.

    Example:
        >>> draw_discount(max_rank=3).get_label()
        'Discount 1 / log2(rank + 1): 1: 1.00, 2: 0.63, 3: 0.50. \
For comparison 1 / rank: 1: 1.00, 2: 0.50, 3: 0.33.'
    """
    rank = pd.RangeIndex(1, max_rank + 1, name=pgettext("figure", "rank"))
    worth = {_("nDCG: 1 / log2(rank + 1)"): DCG().weight(rank), _("RR: 1 / rank"): 1 / rank}
    table = pd.DataFrame(worth, index=rank)
    title = _("The discount of nDCG falls more slowly than 1 / rank")
    ax = draw_lines(table, title=title, ylabel=_("what a hit is worth here"), ax=ax)
    ax.set(ylim=(0, 1.1), xticks=rank)
    discounted, reciprocal = (values_text(rank, column) for _, column in table.items())
    ax.set_label(
        _(
            "Discount 1 / log2(rank + 1): {discounted}. For comparison 1 / rank: {reciprocal}."
        ).format(discounted=discounted, reciprocal=reciprocal)
    )
    return ax


def draw_per_query(
    values: Mapping[str, float], *, measure: str = "RR", ax: Axes | None = None
) -> Axes:
    """One bar a query, its value by its name, and a line at their mean.

    Raises:
        DataError: no values.

    Example:
        >>> draw_per_query({"Q1": 0.5, "Q2": 1.0}).get_label()
        'RR by query: Q1: 0.50, Q2: 1.00. Mean: 0.75.'
    """
    if not values:
        raise DataError("values is empty. Expected the value of each query: {'Q1': 0.5}.")
    column = pd.Series(dict(values), dtype=float).rename_axis(pgettext("figure", "query"))
    mean, title = column.mean(), _("{measure} of each query, and the mean").format(measure=measure)
    ax = draw_bars(
        column.to_frame(measure),
        title=title,
        ylabel=measure,
        across={pgettext("figure", "mean"): mean},
        ax=ax,
    )
    ax.set_label(
        _("{measure} by query: {values}. Mean: {mean}.").format(
            measure=measure,
            values=values_text(column.index, column),
            mean=localised(f"{mean:.2f}"),
        )
    )
    return ax


def draw_precision(steps: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Precision rank by rank, with the hits marked: AP adds up the marked heights.

    Args:
        steps: the table that `explain` returns; a `DataError` if it is without AP.

    Example:
        >>> from byhand import explain
        >>> draw_precision(explain(["a", "x", "b"], {"a", "b"})).get_label()
        'Precision at the hits: rank 1: 1.00, rank 3: 0.67. AP: 0.8333.'
    """
    name, shares = _shares(steps, "share of AP")
    by_rank = steps.set_index("rank")
    hits, ap = by_rank["precision"][by_rank["hit"].astype(bool)], shares.sum()
    ax = ax or new_axes(max(4.6, 0.5 * len(steps) + 1.6), 3)
    names = {"precision": pgettext("figure", "precision"), "hit": pgettext("figure", "hit")}
    rank = pgettext("figure", "rank")
    draw_lines(
        by_rank[["precision"]].assign(hit=hits).rename(columns=names).rename_axis(rank),
        title=_("Precision at each rank"),
        ylabel=_("precision at this rank"),
        across={f"{name} =": ap},
        ax=ax,
    )
    ax.lines[1].set(linestyle="none", markersize=9)  # hits are dots
    ax.vlines(hits.index, 0, hits, color=ax.lines[1].get_color(), linewidth=1.5)
    _write_heights(ax, hits.index, hits)
    ax.set(ylim=(0, 1.2), xticks=steps["rank"], yticks=[0, 0.25, 0.5, 0.75, 1])
    ranks = [_("rank {rank}").format(rank=rank) for rank in hits.index]
    at_hits = values_text(ranks, hits) or pgettext("figure", "none")
    words = _("Precision at the hits: {values}. {measure}: {ap}.")
    ax.set_label(words.format(values=at_hits, measure=name, ap=localised(f"{ap:.4f}")))
    return ax


def draw_shares(
    steps: pd.DataFrame, *, share: str = "share of nDCG", ax: Axes | None = None
) -> Axes:
    """What each rank adds to a metric, as bars.

    Args:
        steps: the table that `explain` returns.
        share: a column of it that begins with "share of"; a `DataError` if it has none such.

    Example:
        >>> from byhand import explain
        >>> draw_shares(explain(["x", "a"], {"a"}), share="share of AP").get_label()
        'Share of AP by rank: 1 (x): 0.00, 2 (a): 0.50. Sum: 0.5000.'
    """
    metric, shares = _shares(steps, share)
    items = list(zip(steps["rank"], steps["item"], strict=True))
    names = pd.Index([f"{rank}\n{item}" for rank, item in items], name=_("rank and item"))
    total, table = shares.sum(), pd.DataFrame({metric: shares.to_numpy()}, index=names)
    written, title = localised(f"{total:.4f}"), _("What each rank adds: {measure} = {total}")
    title = title.format(measure=metric, total=written)
    ylabel = _("share of {measure}").format(measure=metric)
    ax = draw_bars(table, title=title, ylabel=ylabel, digits=3, ax=ax)
    by_rank = values_text([f"{rank} ({item})" for rank, item in items], shares)
    words = _("Share of {measure} by rank: {values}. Sum: {total}.")
    ax.set_label(words.format(measure=metric, values=by_rank, total=written))
    return ax


def draw_swap_costs(
    ranked: Sequence[Hashable],
    relevant: Relevant,
    *,
    at: Collection[int],
    measures: Iterable[object] = ("RR", "AP", "nDCG"),
    ax: Axes | None = None,
) -> Axes:
    """What a list loses when the item at a rank changes places with the one below it, as bars.

    Args:
        ranked: the items, best first.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        at: the ranks, each swapped by itself.
        measures: names in ir_measures' notation, or just one.

    Raises:
        ValueError: a rank with no rank below it.

    Example:
        >>> draw_swap_costs(["D4", "D1"], {"D4"}, at=[1], measures=["RR"]).get_label()
        'What one swap costs. 1 and 2: RR 0.500.'
    """
    ranked, asked, costs = list(ranked), measures_named(measures), {}
    for rank in at:
        if not 1 <= rank < len(ranked):
            raise ValueError(f"rank {rank}: expected one from 1 to {len(ranked) - 1}.")
        upper, lower = ranked[rank - 1 : rank + 1]
        swapped = [*ranked[: rank - 1], lower, upper, *ranked[rank + 1 :]]
        costs[_("{rank} and {next}").format(rank=rank, next=rank + 1)] = {
            name: measure_list(each, ranked, relevant) - measure_list(each, swapped, relevant)
            for name, each in asked.items()
        }
    table = pd.DataFrame(costs).T.rename_axis(_("ranks swapped"))
    return draw_bars(table, title=_("What one swap costs"), ylabel=_("loss"), digits=3, ax=ax)


def _write_heights(ax: Axes, ranks: Iterable[int], heights: Iterable[float]) -> None:
    for at in zip(ranks, heights, strict=True):
        ax.annotate(localised(f"{at[1]:.2f}"), at, (3, 6), textcoords="offset points", fontsize=9)


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
