"""What it costs a measure when a hit changes places with the item below it."""

from collections.abc import Collection, Hashable, Iterable, Sequence

import pandas as pd
from matplotlib.axes import Axes

from byhand.figures.charts import draw_bars
from byhand.metrics.lists import Relevant
from byhand.metrics.names import measure_list, measures_named


def swap_costs(
    ranked: Sequence[Hashable],
    relevant: Relevant,
    *,
    at: Collection[int],
    measures: Iterable[object] = ("RR", "AP", "nDCG"),
) -> pd.DataFrame:
    """What a list loses when the item at a rank changes places with the one below it.

    Args:
        ranked: the items, best first.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        at: the ranks, each swapped by itself.
        measures: names in ir_measures' notation, or just one.

    Returns:
        One row a rank, one column a measure: the value before minus the value after the swap.

    Raises:
        ValueError: a rank with no rank below it.

    Example:
        >>> swap_costs(["D4", "D1"], {"D4"}, at=[1], measures=["RR"]).to_dict()
        {'RR': {'1 and 2': 0.5}}
    """
    ranked = list(ranked)
    rows = {}
    for rank in at:
        if not 1 <= rank < len(ranked):
            raise ValueError(f"rank {rank}: expected one from 1 to {len(ranked) - 1}.")
        upper, lower = ranked[rank - 1 : rank + 1]
        swapped = [*ranked[: rank - 1], lower, upper, *ranked[rank + 1 :]]
        rows[f"{rank} and {rank + 1}"] = {
            name: measure_list(each, ranked, relevant) - measure_list(each, swapped, relevant)
            for name, each in measures_named(measures).items()
        }
    return pd.DataFrame(rows).T.rename_axis("ranks swapped")


def draw_swap_costs(
    ranked: Sequence[Hashable],
    relevant: Relevant,
    *,
    at: Collection[int],
    measures: Iterable[object] = ("RR", "AP", "nDCG"),
    ax: Axes | None = None,
) -> Axes:
    """The same as bars: a group for each swap, a bar for each measure.

    Args:
        ranked, relevant, at, measures: as in `swap_costs`.
        ax: where to draw; None makes a figure.

    Example:
        >>> draw_swap_costs(["D4", "D1"], {"D4"}, at=[1], measures=["RR"]).get_label()
        'What one swap costs. 1 and 2: RR 0.500.'
    """
    costs = swap_costs(ranked, relevant, at=at, measures=measures)
    return draw_bars(costs, title="What one swap costs", ylabel="loss", digits=3, ax=ax)
