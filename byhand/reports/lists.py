"""The queries that a report shows, and their lists: as ranked, to drag, and two side by side."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np
import pandas as pd

from byhand.files.texts import Text
from byhand.metrics.conventions import Conventions
from byhand.metrics.names import measure_named
from byhand.metrics.steps import explain
from byhand.reports.results import Results
from byhand.reports.words import short
from byhand.tables.counting import ABOVE_ZERO

RANKS = 20  # of how many ranks a list shows the items
_MOST, _MOST_OF_SEVERAL = 5, 3  # queries of a kind
_LABEL = 60  # characters of a title
_MOST_ROWS = 60  # of a list to drag
_HIGHEST = 9  # the highest grade that it shows
_NAMED = 3  # items that moved
_PART = 0.1  # of a difference, which an item has to make up to be named
_ROSE, _FELL, _STAYED = "#0072b2", "#d55e00", "#868c94"


@dataclass(frozen=True)
class Ranked:
    """What a system retrieved for one query: items, best first, and their scores.

    `grade` is of each item that was judged, retrieved or not; `relevant` of those that are.
    """

    items: list[str]
    scores: list[float]
    grade: dict[str, float]
    relevant: dict[str, float]

    def rank_of(self, item: str) -> int | None:
        """The rank of an item, from 1; None if it was not retrieved."""
        return self.items.index(item) + 1 if item in self.items else None


@dataclass(frozen=True)
class Still:
    """Why a list cannot be dragged: its `"rows"`, and how many, `"grades"`, "measure" or "ties"."""

    why: str
    rows: int = 0


@dataclass(frozen=True)
class Taken:
    """A list taken apart: what `explain` says of it for the first measure, and a list to drag.

    `added` is what each rank adds; None where no one order has the value.
    """

    ranked: Ranked
    steps: pd.DataFrame
    added: list[float] | None
    live: dict[str, object] | Still


@dataclass(frozen=True)
class Move:
    """Where a relevant item stands in two lists, and what that changes of the first measure.

    `grade` is None if all relevant ones have the same, a rank where it was not retrieved.
    """

    item: str
    grade: float | None
    before: int | None
    after: int | None
    change: float


@dataclass(frozen=True)
class Line:
    """A line from where an item stands on the left to where it stands on the right."""

    left: float
    right: float
    colour: str
    hit: bool
    inside: bool


class Lists:
    """The lists of a report, each read once."""

    def __init__(self, results: Results) -> None:
        self._results = results
        self._data = results.data
        self._first = results.systems[0]
        self._measure = results.measures[0]
        self._chosen = results.chosen(self._measure)

    @cached_property
    def ends(self) -> tuple[list[str], list[str]]:
        """The worst and the best queries: those with a list and something to find, by value.

        Of two with the same value, the one that missed more relevant items is worse.
        """
        results, table = self._results, self._results.first
        n_relevant = results.relevant_counts
        missed = (n_relevant * (1 - table[results.recall])).round(6)
        fair = (n_relevant > 0) & ~table.index.isin(results.missing[self._first])
        ranked = table[results.measures].assign(missed=-missed)[fair]
        ranked = ranked.dropna(subset=results.measures)
        by = [self._measure, "missed", *results.measures[1:]]
        ordered = ranked.sort_values(by, kind="stable").index.tolist()
        n_worst = min(_MOST, len(ordered) // 2)
        n_best = min(_MOST, len(ordered) - n_worst)
        return ordered[:n_worst], ordered[::-1][:n_best]

    @cached_property
    def moved(self) -> dict[tuple[str, str], pd.Series]:
        """For each system that the first is compared with the queries that moved, and how far.

        Those that lost most come first, then those that gained most.
        """
        others = self._results.systems[1:]
        most = _MOST if len(others) == 1 else _MOST_OF_SEVERAL
        found = {}
        for other in others:
            difference = self._results.differences(self._measure, self._first, other)
            difference = difference.sort_values(kind="stable")
            lost, won = difference[difference < 0], difference[difference > 0]
            found[self._first, other] = pd.concat([lost[:most], won[::-1][:most]])
        return found

    @cached_property
    def _wanted(self) -> dict[str, list[str]]:
        """System -> the queries whose lists are shown."""
        wanted = {system: [] for system in self._results.systems}
        for (a, b), difference in self.moved.items():
            for system in (a, b):
                wanted[system].extend(difference.index)
        wanted[self._first].extend([query for end in self.ends for query in end])
        return {system: list(dict.fromkeys(queries)) for system, queries in wanted.items()}

    @cached_property
    def queries(self) -> list[str]:
        """Every query of which something is shown."""
        return list(dict.fromkeys(query for each in self._wanted.values() for query in each))

    @cached_property
    def items(self) -> list[str]:
        """Every item that is shown: at the top of a list, or a hit in it."""
        found: dict[str, None] = {}
        for lists in self._ranked.values():
            for ranked in lists.values():
                hits = (item for item in ranked.items if item in ranked.relevant)
                found |= dict.fromkeys([*ranked.items[:RANKS], *hits])
        return list(found)

    @cached_property
    def asked(self) -> dict[str, Text]:
        """What the queries ask, where it is known."""
        return self._data.texts_of("query", self.queries)

    @cached_property
    def docs(self) -> dict[str, Text]:
        """What the items say, where it is known."""
        return self._data.texts_of("doc", self.items)

    @property
    def unsaid(self) -> list[tuple[str, int, int, str, str | None]]:
        """Where the files of texts lack some: which, how many, of how many, one, one of theirs.

        The last is None unless they lack all of them.
        """
        found = []
        for of, ids, known in (("query", self.queries, self.asked), ("doc", self.items, self.docs)):
            gone = [id_ for id_ in ids if id_ not in known]
            texts = self._data.texts.get(of, ())
            if gone and any(each.tables for each in texts):
                theirs = None
                if len(gone) == len(ids):
                    theirs = next(filter(None, (each.first_id() for each in texts)), "")
                found.append((of, len(gone), len(ids), gone[0], theirs))
        return found

    @cached_property
    def _ranked(self) -> dict[str, dict[str, Ranked]]:
        self._data.rows_of(self.queries)
        return {system: self._lists_of(system, of) for system, of in self._wanted.items()}

    def ranked(self, system: str, query: str) -> Ranked:
        """The list of a query as a system ranked it; empty if it did not answer."""
        return self._ranked[system][query]

    def _lists_of(self, system: str, queries: Sequence[str]) -> dict[str, Ranked]:
        rows, judgements = self._data.rows_of(queries, system), self._data.rows_of(queries)
        lowest, found = self._results.lowest_relevant, {}
        for query in queries:
            items = rows[rows["query_id"] == query]
            judged = judgements[judgements["query_id"] == query]
            grade = dict(zip(judged["doc_id"], judged["relevance"], strict=True))
            if self._chosen.unjudged == "removed":
                items = items[items["doc_id"].isin(grade)]
            items = in_order(items, grade, self._chosen)
            relevant = {item: value for item, value in grade.items() if value >= lowest}
            ids, scores = items["doc_id"].tolist(), items["score"].tolist()
            found[query] = Ranked(ids, scores, grade, relevant)
        return found

    def label(self, item: str) -> str:
        """The title of an item, or else the beginning of its text."""
        return short(self.docs[item].title or self.docs[item].text, _LABEL)

    def taken(self, query: str) -> Taken:
        """The list of a query by the first system, taken apart."""
        ranked = self.ranked(self._first, query)
        steps = self._explained(ranked)
        one_order = self._chosen.ties != "expected"
        added = steps[f"share of {self._measure}"].tolist() if one_order else None
        return Taken(ranked, steps, added, self._live(query, ranked))

    def _explained(self, ranked: Ranked) -> pd.DataFrame:
        how = self._chosen.but(unjudged="not_relevant")  # those that count are left
        return explain(ranked.items, ranked.relevant, measures=[self._measure], conventions=how)

    def _live(self, query: str, ranked: Ranked) -> dict[str, object] | Still:
        """A list to drag, of whose measures each has for this order the value that the report says.

        Only the order can be changed.
        """
        results = self._results
        lowest = ABOVE_ZERO
        if not results.keeps_low_grades:
            lowest = results.data.relevant_from or ABOVE_ZERO
        relevant = {item: value for item, value in ranked.grade.items() if value >= lowest}
        items, spans = folded(ranked.items, relevant)
        items |= {item: f"{item} · {self.label(item)}" for item in items if item in self.docs}
        unjudged = [item for item in items if item not in spans and item not in ranked.grade]
        rows = max(len(items), len(relevant))
        if rows > _MOST_ROWS:
            return Still("rows", rows)
        if any(value != int(value) or value > _HIGHEST for value in relevant.values()):
            return Still("grades")
        from byhand.widgets.board import explorer_state, in_browser
        from byhand.widgets.numerals import NEAR

        if not in_browser(measure_named(self._measure)):
            return Still("measure")
        stated = results.first.loc[query]
        equal = [
            name
            for name in results.measures
            if abs(self._value(name, ranked.items, relevant) - stated[name]) < NEAR
        ]
        if self._measure not in equal or (stated["tied"] and self._chosen.ties == "expected"):
            return Still("ties")
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

    def _value(self, name: str, items: Sequence[str], relevant: Mapping[str, float]) -> float:
        """A measure of a list in this order, out of which items that do not count are gone."""
        chosen = self._results.chosen(name).but(ties="input", unjudged="not_relevant")
        return measure_named(name).of_list(items, relevant, chosen)

    def moves(self, old: Ranked, new: Ranked, total: float) -> list[Move]:
        """The items that made up most of a difference of the first measure, the largest first."""
        shares = [self._shares(ranked) for ranked in (old, new)]
        changed = {
            item: shares[1].get(item, 0) - shares[0].get(item, 0)
            for item in {**shares[0], **shares[1]}
        }
        ordered = sorted(changed, key=lambda item: -changed[item] * (1 if total > 0 else -1))
        named = [item for item in ordered if changed[item] * total >= _PART * total**2][:_NAMED]
        graded = len({*old.relevant.values()}) > 1
        return [
            Move(
                item,
                old.relevant[item] if graded else None,
                old.rank_of(item),
                new.rank_of(item),
                changed[item],
            )
            for item in named
        ]

    def common(self, old: Ranked, new: Ranked, k: int) -> int:
        """How many of the first k items are in both lists."""
        return len({*old.items[:k]} & {*new.items[:k]})

    def came(self, old: Ranked, new: Ranked) -> list[tuple[str, int]]:
        """The items that came up among the first and that nobody judged, with their ranks."""
        top = self._results.top
        return [
            (item, rank)
            for rank, item in enumerate(new.items[:top], 1)
            if item not in old.items[:top] and item not in new.grade
        ]

    def _shares(self, ranked: Ranked) -> dict[str, float]:
        """What each relevant item adds to the first measure; nothing without one order."""
        if self._chosen.ties == "expected":
            return {}
        steps = self._explained(ranked)
        found = steps.loc[steps["hit"], ["item", f"share of {self._measure}"]]
        return dict(zip(*(found[name] for name in found), strict=True))


def lines(old: Ranked, new: Ranked, k: int) -> list[Line]:
    """The lines between the first k items of two lists; one that leads out ends at the bottom."""
    rows = max(len(old.items[:k]), len(new.items[:k]))
    found = []
    for item in dict.fromkeys([*old.items[:k], *new.items[:k]]):
        before, after = old.rank_of(item), new.rank_of(item)
        inside = before is not None and after is not None and max(before, after) <= k
        hit = item in old.relevant
        if not (inside or hit):
            continue
        rose = before is None or (after is not None and after < before)
        colour = _STAYED if before == after else (_ROSE if rose else _FELL)
        ends = [rows if rank is None or rank > k else rank - 0.5 for rank in (before, after)]
        found.append(Line(*ends, colour, hit, inside))
    return found


def in_order(
    items: pd.DataFrame, grade: Mapping[str, float], conventions: Conventions
) -> pd.DataFrame:
    """The rows of one query, best first, equal scores as the conventions order them.

    Where those average over all orders there is none to show: then it is trec_eval's.

    Example:
        >>> items = pd.DataFrame({"doc_id": ["a", "b", "c"], "score": [1.0, 1.0, 2.0]})
        >>> in_order(items, {"a": 1}, Conventions())["doc_id"].tolist()
        ['c', 'b', 'a']
    """
    ascending = conventions.ties == "doc_id_ascending"
    # Python compares text by code point
    by_id = items.sort_values(
        "doc_id", ascending=ascending, kind="stable", key=lambda ids: ids.astype(object)
    )
    if conventions.ties in ("best", "worst"):
        gain = by_id["doc_id"].map(lambda item: max(grade.get(item, 0), 0)).to_numpy()
        tie = -gain if conventions.ties == "best" else gain
        by_id = by_id.iloc[np.argsort(tie, kind="stable")]
    first = items if conventions.ties == "input" else by_id
    return first.sort_values("score", ascending=False, kind="stable")


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
