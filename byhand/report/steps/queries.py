"""The best and the worst queries, each with its list taken apart."""

from html import escape

from byhand.figures import name_html
from byhand.report.steps.display import number, show_html, show_text
from byhand.report.steps.lists import lists_shown
from byhand.report.steps.results import Results
from byhand.report.steps.said import asked_html
from byhand.report.steps.shown import shown_of

_LISTED = 20


def show_worst(results: Results) -> None:
    """Display the queries with the lowest values, each with the top of its list."""
    if unsaid := shown_of(results).unsaid:
        show_text(*unsaid)
    _show(results, shown_of(results).worst, "Only one query could be ranked; it stands below.")
    gone = results.missing[next(iter(results.tables))]
    if len(gone):
        more = f" and {len(gone) - _LISTED:,} more" if len(gone) > _LISTED else ""
        show_text(f"Not answered, so without a list: {', '.join(gone[:_LISTED])}{more}.")


def show_best(results: Results) -> None:
    """Display the queries with the highest values, each with the top of its list."""
    _show(results, shown_of(results).best, "No query has both a list and a relevant item.")


def _show(results: Results, queries: list[str], otherwise: str) -> None:
    if not queries:
        show_text(otherwise)
        return
    lists = lists_shown(results, next(iter(results.tables)), queries)
    blocks, texts, asked = [], [], shown_of(results).queries
    for place, query in enumerate(queries):
        values = results.first.loc[query, results.measures]
        summary = " · ".join(f"{name} {number(value)}" for name, value in values.items())
        html, text = lists[query]
        blocks.append(
            f"<details{' open' if place == 0 else ''}>"
            f"<summary><b>{name_html(query)}</b> {escape(summary)}{asked_html(asked.get(query))}"
            f"</summary>{html}</details>"
        )
        texts.append(f"{query}: {summary}. {text}")
    show_html("".join(blocks), "\n".join(texts))
