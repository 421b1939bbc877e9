"""Two systems on the same queries."""

import math
from collections.abc import Mapping

import pandas as pd

from helpers.figures.comparisons import draw_differences
from helpers.figures.tables import name_html
from helpers.report.steps.display import grouped, show_figure, show_html, show_table, show_text
from helpers.report.steps.lists import lists_shown
from helpers.report.steps.results import Results, number
from helpers.statistics.intervals import interval_caution
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
    cautions = {
        name: interval_caution(results.differences(name).to_numpy()) for name in results.measures
    }
    verdicts = {row["measure"]: _verdict(row) for _, row in table.iterrows()}
    show_text(*grouped(verdicts), *grouped({k: text for k, text in cautions.items() if text}))
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


def _verdict(row: pd.Series) -> str:
    """A verdict with the name of the system that it speaks of."""
    names = {Verdict.A_HIGHER: row["a"], Verdict.B_HIGHER: row["b"]}
    verdict = Verdict(row["verdict"])
    return f"{names[verdict]} is higher" if verdict in names else str(verdict)


def _show_moved(results: Results) -> None:
    """Display the queries that the first system wins by most, then those that it loses by most."""
    measure = results.measures[0]
    difference = results.differences(measure).sort_values(kind="stable")
    won, lost = difference.index[difference > 0], difference.index[difference < 0]
    shown = [*won[::-1][:_SHOWN], *lost[:_SHOWN][::-1]]
    rows = [
        [query, *(_value(results, name, query) for name in results.tables), f"{change:+.4f}"]
        for query, change in difference[shown].items()
    ]
    if rows:
        heads = [f"{measure} of {name}" for name in results.tables]
        show_table(["query", *heads, "difference"], rows)
        lists = {
            name: lists_shown(results, name, [q for q in shown if q not in missing])
            for name, missing in results.missing.items()
        }
        blocks = (_lists(results, query, lists) for query in shown)
        show_html(*map("".join, zip(*blocks, strict=True)))


def _lists(
    results: Results, query: str, lists: Mapping[str, Mapping[str, tuple[str, str]]]
) -> tuple[str, str]:
    """The lists of both systems for a query, as HTML and in a line of text a system."""
    blocks, texts, values = [], [], []
    for name in results.tables:
        values.append(f"{name} {_value(results, name, query)}")
        if query in lists[name]:
            html, text = lists[name][query]
            blocks.append(f"<p><b>{name_html(name)}</b></p>{html}")
            texts.append(f"{query} by {name}: {text}\n")
    stated = f"{results.measures[0]}: {' · '.join(values)}"
    summary = f"<b>{name_html(query)}</b> {name_html(stated)}"
    return f"<details><summary>{summary}</summary>{''.join(blocks)}</details>", "".join(texts)


def _value(results: Results, system: str, query: str) -> str:
    if query in results.missing[system]:
        return "not answered"
    return number(results.tables[system].loc[query, results.measures[0]])
