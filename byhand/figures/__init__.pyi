from .charts import (
    draw_bars as draw_bars,
    draw_curve as draw_curve,
    draw_histogram as draw_histogram,
    draw_lines as draw_lines,
)
from .html_tables import (
    Html as Html,
    Table as Table,
    agreement_table as agreement_table,
    conventions_table as conventions_table,
    lists_table as lists_table,
    ranks_table as ranks_table,
    table_html as table_html,
    table_text as table_text,
)
from .rankings import draw_rankings as draw_rankings
from .style import (
    GAP as GAP,
    GAP_SOFT as GAP_SOFT,
    GREY as GREY,
    HIT as HIT,
    HIT_EDGE as HIT_EDGE,
    HIT_SOFT as HIT_SOFT,
    INK as INK,
    PALE as PALE,
    QUIET as QUIET,
    WHITE as WHITE,
    WIDEST as WIDEST,
    localise_ticks as localise_ticks,
    new_axes as new_axes,
    show as show,
    system_style as system_style,
    themed_figure as themed_figure,
)
