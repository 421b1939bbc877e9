"""Two systems on the same queries."""

from helpers.figures.comparisons import draw_differences
from helpers.report.steps.display import show_figure, show_table
from helpers.report.steps.results import Results, number

_SHOWN = 5


def show_comparison(results: Results) -> None:
    """Display the paired comparison of two systems; nothing if there is only one."""
    if results.comparison is None:
        return
    heads = ["measure", "difference", "low", "high", "p", "p (Holm)", "wins", "ties", "losses"]
    heads.append("effect size")
    rows = [
        [
            row["measure"],
            *(f"{row[name]:+.4f}" for name in ("difference", "low", "high")),
            *(number(row[name]) for name in ("p", "p_holm")),
            *(f"{row[name]:,}" for name in ("wins", "ties", "losses")),
            number(row["effect_size"], 2),
        ]
        for row in results.comparison.to_dict("records")
    ]
    show_table(heads, rows)
    measure = results.measures[0]
    values = {name: table[measure] for name, table in results.tables.items()}
    show_figure(draw_differences, values, measure=measure)
    _show_moved(results)


def _show_moved(results: Results) -> None:
    """Display the queries on which the two differ most, either way."""
    measure = results.measures[0]
    a, b = results.tables
    values = [results.tables[name][measure] for name in (a, b)]
    difference = (values[0] - values[1].reindex(values[0].index)).dropna()
    difference = difference[difference != 0].sort_values(kind="stable")
    n_lost = min(_SHOWN, len(difference) // 2)
    n_won = min(_SHOWN, len(difference) - n_lost)
    shown = [*difference.index[::-1][:n_won], *difference.index[:n_lost][::-1]]
    rows = [
        [query, *(number(column[query]) for column in values), f"{difference[query]:+.4f}"]
        for query in shown
    ]
    if rows:
        show_table(["query", f"{measure} of {a}", f"{measure} of {b}", "difference"], rows)
