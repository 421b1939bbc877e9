"""The best and the worst queries, each with its list taken apart."""

from html import escape

import numpy as np
import pandas as pd

from helpers.figures.tables import name_html
from helpers.report.steps.display import show_html, show_text
from helpers.report.steps.lists import lists_shown, lowest_relevant
from helpers.report.steps.results import Results, number
from helpers.tables.checked import qrels_of

_SHOWN = 5
_LISTED = 20


def show_worst(results: Results) -> None:
    """Display the queries with the lowest values, each with the top of its list."""
    worst, _ = _ends(results)
    _show(results, worst, "Only one query could be ranked; it stands below.")
    gone = results.missing[next(iter(results.tables))]
    if len(gone):
        more = f" and {len(gone) - _LISTED:,} more" if len(gone) > _LISTED else ""
        show_text(f"Not answered, so without a list: {', '.join(gone[:_LISTED])}{more}.")


def show_best(results: Results) -> None:
    """Display the queries with the highest values, each with the top of its list."""
    _, best = _ends(results)
    _show(results, best, "No query has both a list and a relevant item.")


def _ends(results: Results) -> tuple[list[str], list[str]]:
    """The worst and the best queries: those with a list and something to find, by value.

    Of two with the same value, the one that missed more relevant items is worse.
    """
    first, *others = results.measures
    system, table = next(iter(results.tables.items()))
    judged = qrels_of(results.data.qrels).wanted(lowest_relevant(results))
    n_relevant = np.bincount(judged.query, minlength=len(judged.query_ids))
    n_relevant = pd.Series(n_relevant, judged.query_ids).reindex(table.index)
    missed = (n_relevant * (1 - table[results.recall])).round(6)
    fair = (n_relevant > 0) & ~table.index.isin(results.missing[system])
    ranked = table[results.measures].assign(missed=-missed)[fair].dropna(subset=results.measures)
    ordered = ranked.sort_values([first, "missed", *others], kind="stable").index.tolist()
    n_worst = min(_SHOWN, len(ordered) // 2)
    n_best = min(_SHOWN, len(ordered) - n_worst)
    return ordered[:n_worst], ordered[::-1][:n_best]


def _show(results: Results, queries: list[str], otherwise: str) -> None:
    if not queries:
        show_text(otherwise)
        return
    lists = lists_shown(results, next(iter(results.tables)), queries)
    blocks, texts = [], []
    for place, query in enumerate(queries):
        values = results.first.loc[query, results.measures]
        summary = " · ".join(f"{name} {number(value)}" for name, value in values.items())
        html, text = lists[query]
        blocks.append(
            f"<details{' open' if place == 0 else ''}>"
            f"<summary><b>{name_html(query)}</b> {escape(summary)}</summary>{html}</details>"
        )
        texts.append(f"{query}: {summary}. {text}")
    show_html("".join(blocks), "\n".join(texts))
