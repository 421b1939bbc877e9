"""What the data leave open: the order of equal scores, and the items that nobody judged."""

from collections.abc import Iterator, Mapping

import pandas as pd

from byhand.errors import both
from byhand.metrics.conventions import CHOICES
from byhand.report.steps.comparison import p_shown
from byhand.report.steps.display import number, show_table, show_text, signed
from byhand.report.steps.results import Alternative, Results

WIDE = 0.05  # how much of a mean may hang on unjudged items before they have a table


def show_ties(results: Results) -> None:
    """Display what comes out under other orders of equal scores; nothing if no mean moves."""
    if not results.orders:
        return
    as_used = Alternative(results.tables, results.comparison)
    rows = []
    for measure in results.measures:
        used = results.chosen(measure).ties
        others = {order: each for order, each in results.orders.items() if order != used}
        for order, each in {used: as_used, **others}.items():
            in_use = " (in use)" * (order == used)
            rows.append(
                [
                    measure,
                    f"{CHOICES['ties'].brief[order]}{in_use}",
                    *_outcome(each, measure, len(results.pairs)),
                ]
            )
    heads = ["measure", "order", *results.tables]
    if len(results.pairs) == 1:
        heads += ["difference", "p (Holm)"]
    show_table(heads, rows, texts=2)
    if results.comparison is not None:
        depends = [results.named(row) for _, row in results.tie_dependent.iterrows()]
        show_text(
            f"The verdict on {both(depends)} depends on the order."
            if depends
            else "The verdict is the same under each of these orders."
        )


def _outcome(found: Alternative, measure: str, pairs: int) -> list[str]:
    """The means, of two systems over the queries with a value of both, and their comparison."""
    table = found.comparison
    if table is None or pairs != 1:
        return [number(values[measure].mean()) for values in found.tables.values()]
    row = table[table["measure"] == measure].iloc[0]
    means = [number(row[name]) for name in ("mean_a", "mean_b")]
    return [*means, signed(row["difference"]), p_shown(row, table)]


def show_unjudged(results: Results) -> None:
    """Display the means if all unjudged items were relevant and if none, where it matters."""
    if results.relevant_only:
        show_text(
            "The qrels hold relevant items only. So nobody knows which of the others were judged, "
            "nor whether those of one system were judged more often."
        )
        return
    names = results.unjudged
    if not names:
        return
    tables = results.unjudged_ranges
    if tables is None:
        rows_in_all = sum(len(run) for run in results.data.runs.values())
        show_text(
            f"With {rows_in_all:,} rows, the range is left out: it takes long. For a part of the "
            "queries unjudged_range(run, qrels) gives it."
        )
        return
    rows = list(_wide(names, tables))
    if rows:
        show_table(["measure", "system", "none relevant", "all relevant"], rows, texts=2)
    else:
        show_text(
            "If all retrieved items that nobody judged were relevant instead of none, the mean "
            f"{both(names)} would change by at most {WIDE:g}."
        )


def _wide(names: list[str], tables: Mapping[str, pd.DataFrame]) -> Iterator[list[str]]:
    for name in names:
        ends = {
            system: [table[f"{name} {kind}"].mean() for kind in ("none", "all")]
            for system, table in tables.items()
        }
        if any(round(abs(high - low), 9) > WIDE for low, high in ends.values()):
            for system, pair in ends.items():
                yield [name, system, *map(number, pair)]
