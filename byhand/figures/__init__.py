"""Figures: each function draws on an `ax`, puts it in words, returns it.

`ax` is where to draw; without it a function makes a figure. The words are the axes' label
(`ax.get_label()`); `show` puts them beside the picture. Tables for people stand here, too, and
need no matplotlib.
"""

from byhand.lazily import face

__all__, __getattr__ = face(
    __name__,
    {
        "style": "new_axes show on_any_ground system_style WIDEST BLUE ORANGE INK QUIET "
        "WHITE BLUE_SOFT GREY PALE INK_ANYWHERE",
        "charts": "draw_bars draw_lines draw_histogram bins_of",
        "curves": "draw_rr_curve draw_discount draw_per_query draw_precision draw_shares "
        "draw_swap_costs",
        "comparisons": "draw_distribution draw_differences draw_curve draw_rankings",
        "boxes": "draw_list draw_lists list_size Lane",
        "html_tables": "Table lists_table conventions_table agreement_table Html table_html "
        "table_text",
    },
)
