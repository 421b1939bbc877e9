"""Which queries a report shows, and what these and their items say."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from byhand.errors import shown
from byhand.files.texts import Text
from byhand.report.steps.inputs import OwnData
from byhand.report.steps.ranking import RANKS, ranked_lists, relevant_counts
from byhand.report.steps.results import Results

_MOST, _MOST_OF_SEVERAL = 5, 3


@dataclass(frozen=True)
class Shown:
    """The queries that a report shows.

    Attributes:
        worst: those with the lowest values of the first system, the lowest first.
        best: those with the highest, the highest first.
        moved: for each system that it is compared with the queries that lost most, and then those
            that gained most, with the difference.
        queries: what they ask, where it is known.
        docs: what the items at the top of their lists say, where it is known.
        unsaid: where the files of texts lack some, in sentences.
    """

    worst: list[str]
    best: list[str]
    moved: Mapping[tuple[str, str], pd.Series]
    queries: Mapping[str, Text]
    docs: Mapping[str, Text]
    unsaid: list[str]


def shown_of(results: Results) -> Shown:
    """The queries that a report of these results shows; what is read for it is read once."""
    if "shown" not in results.kept:
        results.kept["shown"] = _shown(results)
    return results.kept["shown"]


def _shown(results: Results) -> Shown:
    worst, best = _ends(results)
    moved = {(a, b): _most_moved(results, a, b) for a, b in _pairs_of_first(results)}
    wanted = {system: [] for system in results.tables}
    for (a, b), difference in moved.items():
        for system in (a, b):
            wanted[system].extend(difference.index)
    wanted[next(iter(wanted))].extend([*worst, *best])
    queries = list(dict.fromkeys(query for each in wanted.values() for query in each))
    data = results.data
    data.rows_of(queries)
    items: dict[str, None] = {}
    for system, asked in wanted.items():
        for ranked in ranked_lists(results, system, list(dict.fromkeys(asked))).values():
            top, hits = (
                ranked.items[:RANKS],
                (item for item in ranked.items if item in ranked.relevant),
            )
            items |= dict.fromkeys([*top, *hits])
    asked, said = data.texts_of("query", queries), data.texts_of("doc", list(items))
    unsaid = [*_unsaid(data, "query", queries, asked), *_unsaid(data, "doc", list(items), said)]
    return Shown(worst, best, moved, asked, said, unsaid)


def _unsaid(
    data: OwnData, kind: str, ids: Sequence[str], found: Mapping[str, Text]
) -> Iterator[str]:
    gone = [id_ for id_ in ids if id_ not in found]
    if gone and any(texts.tables for texts in data.words.get(kind, ())):
        what = {"query": "queries", "doc": "items"}[kind]
        yield (
            f"No text was found for {len(gone):,} of the {len(ids):,} {what} that this report "
            f"shows, such as {gone[0]}."
        )
        if len(gone) == len(ids):
            firsts = [texts.first_id() for texts in data.words[kind]]
            yield (
                f"The files of texts have ids such as {shown(next(filter(None, firsts), ''))}: "
                "check that these are the same ids."
            )


def _pairs_of_first(results: Results) -> list[tuple[str, str]]:
    first, *others = results.tables
    return [(first, other) for other in others]


def _most_moved(results: Results, a: str, b: str) -> pd.Series:
    """The queries that a loses to b by most, then those that it wins by most."""
    most = _MOST if len(results.tables) == 2 else _MOST_OF_SEVERAL
    difference = results.differences(results.measures[0], a, b).sort_values(kind="stable")
    lost, won = difference[difference < 0], difference[difference > 0]
    return pd.concat([lost[:most], won[::-1][:most]])


def _ends(results: Results) -> tuple[list[str], list[str]]:
    """The worst and the best queries: those with a list and something to find, by value.

    Of two with the same value, the one that missed more relevant items is worse.
    """
    first, *others = results.measures
    system, table = next(iter(results.tables.items()))
    n_relevant = relevant_counts(results)
    missed = (n_relevant * (1 - table[results.recall])).round(6)
    fair = (n_relevant > 0) & ~table.index.isin(results.missing[system])
    ranked = table[results.measures].assign(missed=-missed)[fair].dropna(subset=results.measures)
    ordered = ranked.sort_values([first, "missed", *others], kind="stable").index.tolist()
    n_worst = min(_MOST, len(ordered) // 2)
    n_best = min(_MOST, len(ordered) - n_worst)
    return ordered[:n_worst], ordered[::-1][:n_best]
