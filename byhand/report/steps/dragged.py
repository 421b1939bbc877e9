"""The list of a query as one to drag, with the values that the report states for it."""

from collections.abc import Hashable, Mapping, Sequence
from itertools import groupby

from byhand.files.texts import Text
from byhand.metrics.measures.measure import keeps_low_grades
from byhand.metrics.names import measure_named
from byhand.report.steps.ranking import RANKS, Ranked
from byhand.report.steps.results import Results
from byhand.report.steps.said import short
from byhand.tables.counting import ABOVE_ZERO
from byhand.widgets.board import explorer_state, in_browser
from byhand.widgets.numerals import NEAR

MOST_ROWS = 60
_HIGHEST = 9  # the highest grade that a list shows


def explorer_of(
    results: Results, system: str, query: str, ranked: Ranked, docs: Mapping[str, Text]
) -> dict[str, object] | str:
    """A list to drag under the conventions of the report, or in words why there is none.

    It has those measures that a browser computes and that are for this order what the report says
    of the query. Only the order can be changed.

    Args:
        results: what the list is part of.
        system: whose list it is.
        query: the query.
        ranked: its list, as the first measure orders it.
        docs: what the items say.
    """
    lowest = results.data.relevant_from or ABOVE_ZERO
    if keeps_low_grades(measure_named(results.measures[0]), results.chosen(results.measures[0])):
        lowest = ABOVE_ZERO
    relevant = {item: value for item, value in ranked.grade.items() if value >= lowest}
    items, spans = folded(ranked.items, relevant)
    items |= {item: f"{item} · {short(docs[item])}" for item in items if item in docs}
    unjudged = [item for item in items if item not in spans and item not in ranked.grade]
    n_rows = max(len(items), len(relevant))
    if n_rows > MOST_ROWS:
        return f"it takes {n_rows:,} rows, and {MOST_ROWS} is the most"
    if any(value != int(value) or value > _HIGHEST for value in relevant.values()):
        return f"its grades are not whole numbers up to {_HIGHEST}"
    first, stated = results.measures[0], results.tables[system].loc[query]
    if not in_browser(measure_named(first)):
        return f"a browser cannot compute {first}"
    values = {name: _value(results, name, ranked.items, relevant) for name in results.measures}
    equal = [name for name, value in values.items() if abs(value - stated[name]) < NEAR]
    if first not in equal or (stated["tied"] and results.chosen(first).ties == "expected"):
        return "its equal scores leave more than one order"
    conventions, choices = results.conventions, results.preset.choices
    if choices.unjudged == "removed":  # those that count are left
        conventions = choices.but(unjudged="not_relevant")
    return explorer_state(
        items,
        relevant | dict.fromkeys(unjudged),
        measures=[name for name in equal if in_browser(measure_named(name))],
        max_grade=int(max(relevant.values())),
        grading=False,
        docking=False,
        conventions=conventions,
        spans=spans,
    )


def _value(
    results: Results, name: str, ranked: Sequence[str], relevant: Mapping[str, float]
) -> float:
    """A measure of a list in this order, out of which items that do not count are gone already."""
    chosen = results.chosen(name).but(ties="input", unjudged="not_relevant")
    return measure_named(name).of_list(ranked, relevant, chosen)


def folded(
    ranked: Sequence[str], relevant: Mapping[str, float]
) -> tuple[dict[Hashable, str], dict[Hashable, int]]:
    """The rows of a list, item -> label: one a rank at the top, below it one a hit.

    What is between the hits becomes a row a run of items; how many, the second value says.

    Example:
        >>> ranked = [f"D{n}" for n in range(1, 61)]
        >>> items, spans = folded(ranked, {"D57": 1})
        >>> [*items.values()][-3:], [*spans.values()]
        (['36 items, none relevant', 'D57', '3 items, none relevant'], [36, 3])
    """
    items: dict[Hashable, str] = {}
    spans: dict[Hashable, int] = {}
    places = enumerate(ranked)
    for own_row, run in groupby(places, lambda each: each[0] < RANKS or each[1] in relevant):
        ranks, names = zip(*run, strict=True)
        if own_row or len(names) == 1:
            items |= {name: name for name in names}
        else:
            fold = ("ranks from", ranks[0] + 1)  # not a text, so the identifier of no item
            items[fold] = f"{len(names):,} items, none relevant"
            spans[fold] = len(names)
    return items, spans
