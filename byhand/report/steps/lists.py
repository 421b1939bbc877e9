"""The list of one query: where its hits are, rank by rank, and as a list to drag."""

from collections.abc import Mapping, Sequence
from html import escape

import pandas as pd

from byhand.figures import table_html
from byhand.files.texts import Text
from byhand.metrics.names import measure_named
from byhand.metrics.steps import explain
from byhand.report.steps.dragged import explorer_of
from byhand.report.steps.ranking import RANKS, Ranked, ranked_lists
from byhand.report.steps.results import Results
from byhand.report.steps.said import texts_html
from byhand.report.steps.shown import shown_of
from byhand.widgets.embed import live_html


def lists_shown(
    results: Results, system: str, queries: Sequence[str]
) -> dict[str, tuple[str, str]]:
    """Query -> its list as HTML that a page can bring to life, and where its hits are as text.

    Args:
        results: what the queries are part of.
        system: whose lists they are.
        queries: queries that the system answered.
    """
    docs = shown_of(results).docs
    ranked = ranked_lists(results, system, queries)
    return {query: _list_shown(results, system, query, ranked[query], docs) for query in queries}


def _list_shown(
    results: Results, system: str, query: str, ranked: Ranked, docs: Mapping[str, Text]
) -> tuple[str, str]:
    name = results.measures[0]
    chosen = results.chosen(name)
    steps = explain(
        ranked.items,
        ranked.relevant,
        measures=[name],
        conventions=chosen.but(unjudged="not_relevant"),  # those that count are left
    )
    added = {}
    if chosen.ties != "expected":  # else no one order has this value
        added = {f"adds to {measure_named(name).name}": steps[f"share of {name}"].tolist()}
    heads, rows = _step_rows(steps, ranked, added)
    table, where = table_html(heads, rows, texts=2), _where(steps)
    said = texts_html(ranked.items[:RANKS], docs)
    html = f'<div class="output" tabindex="0">{table}</div>'
    found = explorer_of(results, system, query, ranked, docs)
    if isinstance(found, str):
        still = f"On the page of a report this list stands still: {found}."
        return f"<p>{escape(where)}</p><p>{escape(still)}</p>{html}{said}", where
    return f"<p>{escape(where)}</p>{live_html(found, html)}{said}", where


def _where(steps: pd.DataFrame) -> str:
    """Where the relevant items of a list are."""
    hits, total = steps.loc[steps["hit"], "rank"].tolist(), steps.attrs["relevant"]
    listed = ", ".join(map(str, hits[:12])) + (" and more" if len(hits) > 12 else "")
    at = f", at rank {listed}" if hits else ""
    items = f"{total} relevant item{'s' if total != 1 else ''}"
    return f"{items}, {len(hits)} among the {len(steps):,} retrieved{at}."


def _step_rows(
    steps: pd.DataFrame,
    ranked: Ranked,
    added: Mapping[str, list[float]],
) -> tuple[list[str], list[list[str]]]:
    heads = ["rank", "item", "score", "grade", "hits so far", "precision"]
    rows = []
    for place, step in enumerate(steps.head(RANKS).to_dict("records")):
        item, score = step["item"], ranked.scores[place]
        judged = f"{ranked.grade[item]:g}".replace("-", "−") if item in ranked.grade else "–"
        # whole numbers too long for a float may differ in the last digit only
        form = "d" if isinstance(score, int) else ".6g"
        row = [str(step["rank"]), str(item), f"{score:{form}}"]
        row += [f"{judged}{' ●' * step['hit']}", str(step["hits so far"])]
        row += [f"{step['precision']:.2f}"]
        rows.append(
            row + [f"{share[place]:.4f}" if share[place] else "" for share in added.values()]
        )
    return [*heads, *added], rows
