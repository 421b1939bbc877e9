"""Figures: each function draws on an `ax` (or makes one), puts it in words, returns it."""

from byhand.figures.charts import draw_bars, draw_lines
from byhand.figures.comparisons import draw_curve, draw_differences, draw_distribution, draw_recall
from byhand.figures.conventions import conventions_table
from byhand.figures.curves import (
    draw_discount,
    draw_per_query,
    draw_precision,
    draw_rr_curve,
    draw_shares,
)
from byhand.figures.histograms import draw_histogram
from byhand.figures.lists import draw_list, draw_lists
from byhand.figures.pairs import draw_pairs
from byhand.figures.style import new_axes, show
from byhand.figures.swaps import draw_swap_costs
from byhand.figures.tables import Table, lists_table

__all__ = [
    "Table",
    "conventions_table",
    "draw_bars",
    "draw_curve",
    "draw_differences",
    "draw_discount",
    "draw_distribution",
    "draw_histogram",
    "draw_lines",
    "draw_list",
    "draw_lists",
    "draw_pairs",
    "draw_per_query",
    "draw_precision",
    "draw_recall",
    "draw_rr_curve",
    "draw_shares",
    "draw_swap_costs",
    "lists_table",
    "new_axes",
    "show",
]
