"""Two systems on the same queries."""

import math
from collections.abc import Iterator

import pandas as pd

from helpers.errors import both
from helpers.figures.comparisons import draw_differences
from helpers.report.steps.display import show_figure, show_table, show_text
from helpers.report.steps.results import Results, number
from helpers.statistics.randomisation import p_text
from helpers.statistics.verdict import Verdict

_SHOWN = 5


def show_comparison(results: Results) -> None:
    """Display the paired comparison of two systems; nothing if there is only one."""
    table = results.comparison
    if table is None:
        return
    heads = ["measure", "difference", "low", "high", "p", "p (Holm)", "wins", "ties", "losses"]
    heads.append("effect size")
    rows = [
        [
            row["measure"],
            *(f"{row[name]:+.4f}" for name in ("difference", "low", "high")),
            *(p_shown(row, table, name) for name in ("p", "p_holm")),
            *(f"{row[name]:,}" for name in ("wins", "ties", "losses")),
            number(row["effect_size"], 2),
        ]
        for _, row in table.iterrows()
    ]
    show_table(heads, rows)
    show_text(*_verdicts(table))
    measure = results.measures[0]
    values = {name: each[measure] for name, each in results.tables.items()}
    show_figure(draw_differences, values, measure=measure)
    _show_moved(results)


def p_shown(row: pd.Series, table: pd.DataFrame, name: str = "p_holm") -> str:
    """A p of a comparison with the digits that it has.

    Args:
        row: one of its rows.
        table: the whole, which says how many signs were drawn.
        name: which p.
    """
    drawn = table.attrs["permutations"]
    own = p_text(row["p"], exact=row["exact"], permutations=drawn)
    if own.startswith("≤") and name == "p_holm":
        digits = math.floor(math.log10(drawn + 1))
        return f"≤ {math.ceil(row[name] * 10**digits) / 10**digits:.{digits}f}"
    return p_text(row[name], exact=row["exact"], permutations=drawn)


def _verdicts(table: pd.DataFrame) -> Iterator[str]:
    for said, rows in table.groupby("verdict", sort=False):
        names = {Verdict.A_HIGHER: rows["a"].iloc[0], Verdict.B_HIGHER: rows["b"].iloc[0]}
        verdict = Verdict(said)
        words = f"{names[verdict]} is higher" if verdict in names else str(verdict)
        yield f"{both(rows['measure'].tolist())}: {words}."


def _show_moved(results: Results) -> None:
    """Display the queries on which the two differ most, either way."""
    measure = results.measures[0]
    difference = results.differences(measure)
    difference = difference[difference != 0].sort_values(kind="stable")
    n_lost = min(_SHOWN, len(difference) // 2)
    n_won = min(_SHOWN, len(difference) - n_lost)
    shown = [*difference.index[::-1][:n_won], *difference.index[:n_lost][::-1]]
    rows = [
        [query, *(_value(results, name, query) for name in results.tables), f"{change:+.4f}"]
        for query, change in difference[shown].items()
    ]
    if rows:
        heads = [f"{measure} of {name}" for name in results.tables]
        show_table(["query", *heads, "difference"], rows)


def _value(results: Results, system: str, query: str) -> str:
    if query in results.missing[system]:
        return "not answered"
    return number(results.tables[system].loc[query, results.measures[0]])
