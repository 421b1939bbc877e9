"""The best and the worst queries, each with its list taken apart."""

from html import escape

import numpy as np
import pandas as pd

from helpers.figures.tables import name_html, table_html
from helpers.metrics.conventions import Conventions
from helpers.metrics.explain import explain
from helpers.metrics.names import measure_named
from helpers.report.steps.display import show_html, show_text
from helpers.report.steps.results import Results, number
from helpers.tables.columns import ABOVE_ZERO

_SHOWN = 5
_RANKS = 20


def show_worst(results: Results) -> None:
    """Display the queries with the lowest values, each with the top of its list."""
    worst, _ = _ends(results)
    _show(results, worst, "Only one query could be ranked; it stands below.")
    gone = results.missing[next(iter(results.tables))]
    if len(gone):
        more = f" and {len(gone) - _RANKS:,} more" if len(gone) > _RANKS else ""
        show_text(f"Not answered, so without a list: {', '.join(gone[:_RANKS])}{more}.")


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
    qrels = results.data.qrels
    relevant = qrels.loc[qrels["relevance"] >= _lowest(results), "query_id"].astype(str)
    n_relevant = relevant.value_counts().reindex(table.index, fill_value=0)
    missed = (n_relevant * (1 - table[results.recall])).round(6)
    fair = (n_relevant > 0) & ~table.index.isin(results.missing[system])
    ranked = table[results.measures].assign(missed=-missed)[fair].dropna(subset=results.measures)
    ordered = ranked.sort_values([first, "missed", *others], kind="stable").index.tolist()
    n_worst = min(_SHOWN, len(ordered) // 2)
    n_best = min(_SHOWN, len(ordered) - n_worst)
    return ordered[:n_worst], ordered[::-1][:n_best]


def _lowest(results: Results) -> float:
    """The lowest grade that is relevant to the first measure."""
    options = (measure_named(results.measures[0]).rel, results.data.relevant_from)
    return max(grade or ABOVE_ZERO for grade in options)


def _show(results: Results, queries: list[str], otherwise: str) -> None:
    if not queries:
        show_text(otherwise)
        return
    run, qrels = next(iter(results.data.runs.values())), results.data.qrels
    chosen = results.chosen(results.measures[0])
    rows = run[run["query_id"].isin(queries)]
    grades = qrels[qrels["query_id"].isin(queries)]
    blocks, texts = [], []
    for place, query in enumerate(queries):
        items = rows[rows["query_id"] == query]
        judged = grades[grades["query_id"] == query]
        grade = dict(zip(judged["doc_id"], judged["relevance"], strict=True))
        if chosen.unjudged == "removed":
            items = items[items["doc_id"].isin(grade)]
        ordered = in_order(items, grade, chosen)
        html, text = _block(results, query, ordered, grade)
        blocks.append(f"<details{' open' if place == 0 else ''}>{html}</details>")
        texts.append(text)
    show_html("".join(blocks), "\n".join(texts))


def in_order(
    items: pd.DataFrame, grade: dict[str, float], conventions: Conventions
) -> pd.DataFrame:
    """The rows of one query, best first, equal scores as the conventions order them.

    Where those average over all orders there is none to show: then it is trec_eval's.

    Example:
        >>> items = pd.DataFrame({"doc_id": ["a", "b", "c"], "score": [1.0, 1.0, 2.0]})
        >>> in_order(items, {"a": 1}, Conventions())["doc_id"].tolist()
        ['c', 'b', 'a']
    """
    ascending = conventions.ties == "doc_id_ascending"
    by_id = items.sort_values("doc_id", ascending=ascending, kind="stable", key=_as_objects)
    if conventions.ties in ("best", "worst"):
        gain = by_id["doc_id"].map(lambda item: max(grade.get(item, 0), 0)).to_numpy()
        tie = -gain if conventions.ties == "best" else gain
        by_id = by_id.iloc[np.argsort(tie, kind="stable")]
    first = items if conventions.ties == "input" else by_id
    return first.sort_values("score", ascending=False, kind="stable")


def _as_objects(ids: pd.Series) -> pd.Series:
    return ids.astype(object)  # Python compares text by code point


def _block(
    results: Results, query: str, items: pd.DataFrame, grade: dict[str, float]
) -> tuple[str, str]:
    name = results.measures[0]
    measure = measure_named(name)
    lowest = _lowest(results)
    relevant = {item: value for item, value in grade.items() if value >= lowest}
    ranked = items["doc_id"].tolist()
    shown = results.chosen(name).but(unjudged="not_relevant")  # those that count are left
    steps = explain(ranked, relevant, measures=[name], conventions=shown)
    values = results.first.loc[query, results.measures]
    summary = " · ".join(f"{name} {number(value)}" for name, value in values.items())
    where = _where(steps)
    added = {}
    if shown.ties != "expected":  # else no one order has this value
        added = {f"adds to {measure.name}": steps[f"share of {name}"].tolist()}
    heads, rows = _step_rows(steps, items["score"].tolist(), grade, added)
    html = (
        f"<summary><b>{name_html(query)}</b> {escape(summary)}</summary><p>{escape(where)}</p>"
        f"{table_html(heads, rows, texts=2)}"
    )
    return html, f"{query}: {summary}. {where}"


def _where(steps: pd.DataFrame) -> str:
    """Where the relevant items of a list are."""
    hits, total = steps.loc[steps["hit"], "rank"].tolist(), steps.attrs["relevant"]
    listed = ", ".join(map(str, hits[:12])) + (" and more" if len(hits) > 12 else "")
    at = f", at rank {listed}" if hits else ""
    items = f"{total} relevant item{'s' if total != 1 else ''}"
    return f"{items}, {len(hits)} among the {len(steps):,} retrieved{at}."


def _step_rows(
    steps: pd.DataFrame,
    scores: list[float],
    grade: dict[str, float],
    added: dict[str, list[float]],
) -> tuple[list[str], list[list[str]]]:
    heads = ["rank", "item", "score", "grade", "hits so far", "precision", *added]
    rows = []
    for place, step in enumerate(steps.head(_RANKS).to_dict("records")):
        item = step["item"]
        judged = f"{grade[item]:g}" if item in grade else "–"
        row = [str(step["rank"]), str(item), f"{scores[place]:.6g}"]
        row += [f"{judged}{' ●' * step['hit']}", str(step["hits so far"])]
        row += [f"{step['precision']:.2f}"]
        rows.append(
            row + [f"{share[place]:.4f}" if share[place] else "" for share in added.values()]
        )
    return heads, rows
