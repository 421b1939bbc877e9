"""The queries of a report and their lists: as ranked, to drag, and two side by side."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np
import pandas as pd

from byhand.files.texts import Wording
from byhand.metrics.measure_names import measure_named
from byhand.metrics.presets import preset_named
from byhand.metrics.steps import explain
from byhand.naming import ABOVE_ZERO
from byhand.reports.changes import RANKS, Gains, ItemMove, ListPair
from byhand.reports.inputs import Inputs
from byhand.reports.number_text import short
from byhand.reports.results import differences_of
from byhand.widgets.list.measured_list import explorer_state, in_browser
from byhand.widgets.list.ranking import Ranking
from byhand.widgets.numbers import NEAR
from byhand.words import filled, ngettext

_MOST, _MOST_OF_SEVERAL = 5, 3  # most queries of a kind: with two systems, with more
_LABEL = 110  # most characters of a title
_LONG = 14  # characters of a long name
_MOST_ROWS = 60  # most rows of a list to drag
_HIGHEST = 9  # highest grade of a list to drag


@dataclass(frozen=True)
class RetrievedList:
    """The items of one query by one system, best first, with scores."""

    items: list[str]
    scores: list[float]
    grade: dict[str, float]  # all judged items, retrieved or not
    relevant: dict[str, float]  # all relevant items

    @cached_property
    def rank(self) -> dict[str, int]:
        """Mapping item -> rank, from 1."""
        return {item: n for n, item in enumerate(self.items, 1)}


@dataclass(frozen=True)
class ExplainedList:
    """A list with its step table, and its state for dragging."""

    ranked: RetrievedList
    steps: pd.DataFrame  # from `explain`, for the first measure
    rows: int
    moving: int  # number of draggable items, from the top
    live: dict[str, object] | None  # widget state; None for a fixed list
    still: str  # reason for a fixed list: "rows", "grades", "measure" or "ties"


class QueryLists:
    """The lists of a report; each is read once."""

    def __init__(self, data: Inputs, values: Mapping[str, pd.DataFrame]) -> None:
        self._data, self._values = data, values
        self._first, self._measure = next(iter(values)), data.measures[0]
        self._chosen = data.chosen(self._measure)

    @cached_property
    def ends(self) -> tuple[list[str], list[str]]:
        """The worst and the best queries with results and relevant items.

        If two values are equal, the query with more missed relevant items is worse.
        """
        table, measures = self._values[self._first], list(self._data.measures)
        n_relevant = self._data.relevant_counts.reindex(table.index, fill_value=0)
        missed = (n_relevant * (1 - table[self._data.recall])).round(6)
        ranked = table[measures].assign(missed=-missed)[(n_relevant > 0) & table["answered"]]
        ranked = ranked.dropna(subset=measures)
        by = [self._measure, "missed", *measures[1:]]
        ordered = ranked.sort_values(by, kind="stable").index.tolist()
        n_worst = min(_MOST, len(ordered) // 2)
        n_best = min(_MOST, len(ordered) - n_worst)
        return ordered[:n_worst], ordered[::-1][:n_best]

    @cached_property
    def moved(self) -> dict[tuple[str, str], pd.Series]:
        """For each pair with the first system, the largest losses, then the largest gains."""
        pairs = self._data.pairs
        most = _MOST if len(pairs) == 1 else _MOST_OF_SEVERAL
        each = {pair: self.gains(*pair) for pair in pairs}
        return {
            pair: pd.concat([gains.lost[:most], gains.won[:most]]) for pair, gains in each.items()
        }

    @cached_property
    def _wanted(self) -> dict[str, list[str]]:
        """Mapping system -> queries whose lists are shown."""
        wanted = {system: [] for system in self._values}
        for (a, b), difference in self.moved.items():
            for system in (a, b):
                wanted[system].extend(difference.index)
        wanted[self._first].extend([query for end in self.ends for query in end])
        return {system: list(dict.fromkeys(queries)) for system, queries in wanted.items()}

    @cached_property
    def queries(self) -> list[str]:
        """All queries that are shown."""
        return list(dict.fromkeys(query for each in self._wanted.values() for query in each))

    @cached_property
    def items(self) -> list[str]:
        """All items that are shown: the top of each list, and its hits."""
        shown: dict[str, None] = {}
        for lists in self.ranked.values():
            for ranked in lists.values():
                hits = (item for item in ranked.items if item in ranked.relevant)
                shown |= dict.fromkeys([*ranked.items[:RANKS], *hits])
        return list(shown)

    @property
    def wide(self) -> bool:
        """Whether items have titles or long names."""
        return bool(self.docs) or max(map(len, self.items), default=0) > _LONG

    @cached_property
    def asked(self) -> dict[str, Wording]:
        """The known texts of the queries."""
        return self._data.texts["query"].of(self.queries)

    @cached_property
    def docs(self) -> dict[str, Wording]:
        """The known texts of the items."""
        return {item: self._said[item] for item in self.items if item in self._said}

    @cached_property
    def _said(self) -> dict[str, Wording]:
        """The known texts of shown and relevant items, read together."""
        lists = [ranked for lists in self.ranked.values() for ranked in lists.values()]
        relevant = [item for ranked in lists for item in ranked.relevant]
        return self._data.texts["doc"].of([*self.items, *relevant])

    @property
    def unsaid(self) -> list[tuple[str, int, int, str, str | None]]:
        """Missing texts: kind, number, total, an example; if all are missing, an id of the file."""
        missing = []
        for of, ids, known in (("query", self.queries, self.asked), ("doc", self.items, self.docs)):
            gone = [id_ for id_ in ids if id_ not in known]
            texts = self._data.texts[of]
            if gone and texts.tables:
                theirs = (texts.first_id() or "") if len(gone) == len(ids) else None
                missing.append((of, len(gone), len(ids), gone[0], theirs))
        return missing

    @cached_property
    def ranked(self) -> dict[str, dict[str, RetrievedList]]:
        """Each system's list for its shown queries; empty without an answer."""
        judgements, lists = self._data.judgements.rows_of(self.queries), {}
        for system, queries in self._wanted.items():
            rows = self._data.counted[system].run.rows_of(queries)
            lists[system] = {query: self._list_of(query, rows, judgements) for query in queries}
        return lists

    def _list_of(self, query: str, rows: pd.DataFrame, judgements: pd.DataFrame) -> RetrievedList:
        items, judged = (table[table["query_id"] == query] for table in (rows, judgements))
        grade = dict(zip(judged["doc_id"], judged["relevance"], strict=True))
        if self._chosen.unjudged == "removed":
            items = items[items["doc_id"].isin(grade)]
        items = _in_order(items, grade, self._chosen.ties)
        lowest = self._data.lowest_relevant
        relevant = {item: value for item, value in grade.items() if value >= lowest}
        return RetrievedList(items["doc_id"].tolist(), items["score"].tolist(), grade, relevant)

    def label(self, item: str) -> str:
        """Return the title of an item, or the beginning of its text."""
        wording = self._said[item]
        return short(wording.title or wording.text, _LABEL)

    def taken(self, query: str) -> ExplainedList:
        """Return the first system's list for a query with its steps."""
        ranked, data = self.ranked[self._first][query], self._data
        # all items with a gain
        lowest = (None if data.keeps_low_grades else data.relevant_from) or ABOVE_ZERO
        relevant = {item: grade for item, grade in ranked.grade.items() if grade >= lowest}
        items, spans = _folded(ranked.items, relevant, data.top)
        rows = max(len(items), len(relevant))
        if rows > _MOST_ROWS:
            items = dict(list(items.items())[:_MOST_ROWS])
            spans = {row: span for row, span in spans.items() if row in items}
            # hits below the shown rows, highest grades first
            deep = sorted(relevant.keys() - items, key=lambda item: (-relevant[item], item))
            first = [*(item for item in items if item in relevant), *deep][:_MOST_ROWS]
            relevant = {item: relevant[item] for item in first}
        moving = sum(spans.get(row, 1) for row in items)
        measures = self._measures_of_order(query, ranked.items[:moving], relevant)
        still, live = self._why_still(query, relevant, measures, rows), None
        if not still:
            unjudged = [item for item in items if item not in spans and item not in ranked.grade]
            live = self._live(items, spans, relevant | dict.fromkeys(unjudged), measures)
        return ExplainedList(ranked, self._explained(ranked), rows, moving, live, still)

    def _explained(self, ranked: RetrievedList) -> pd.DataFrame:
        how = self._chosen.but(unjudged="not_relevant")  # already removed if they do not count
        return explain(ranked.items, ranked.relevant, measures=[self._measure], conventions=how)

    def _why_still(
        self, query: str, relevant: Mapping[str, float], measures: Sequence[str], rows: int
    ) -> str:
        """Return why the list is fixed; empty if it can be dragged."""
        if any(value != int(value) or value > _HIGHEST for value in relevant.values()):
            return "grades"
        if not in_browser(measure_named(self._measure)):
            return "measure"
        tied = self._values[self._first].loc[query, "tied"] and not self.one_order
        if self._measure in measures and not tied:
            return ""
        return "rows" if rows > _MOST_ROWS else "ties"

    def _measures_of_order(
        self, query: str, items: Sequence[str], relevant: Mapping[str, float]
    ) -> list[str]:
        """Return the measures that a browser computes with the values of the report."""
        stated, found = self._values[self._first].loc[query], []
        for name in (each for each in self._data.measures if in_browser(measure_named(each))):
            # an order without removed items
            chosen = self._data.chosen(name).but(ties="input", unjudged="not_relevant")
            value = measure_named(name).of_list(items, relevant, chosen)
            if abs(value - stated[name]) < NEAR:
                found.append(name)
        return found

    def _live(
        self,
        items: Mapping[Hashable, str],
        spans: Mapping[Hashable, int],
        grades: Mapping[Hashable, float | None],
        measures: Sequence[str],
    ) -> dict[str, object]:
        """Return the widget state of a list; unjudged items have grade None."""
        every = dict.fromkeys([*items, *grades])
        titled = {item: f"{item} · {self.label(item)}" for item in every if item in self._said}
        conventions = self._data.conventions
        choices = preset_named(conventions).choices
        if choices.unjudged == "removed":  # already removed
            conventions = choices.but(unjudged="not_relevant")
        highest = int(max(filter(None, grades.values())))
        how = {"order": [*items], "max_grade": highest, "grading": False, "spans": spans}
        ranks = Ranking(items | titled, grades, **how)
        return explorer_state(ranks, measures=measures, conventions=conventions)

    def gains(self, new: str, old: str) -> Gains:
        """Return the gain in the first measure for each query."""
        difference = differences_of(self._values, self._measure, new, old)
        return Gains(difference.sort_values(ascending=False, kind="stable"))

    def beside(self, query: str, old: str, new: str) -> ListPair:
        """Return two systems' lists for a query."""
        lists, top = [self.ranked[old][query], self.ranked[new][query]], self._data.top
        adds = [self._adds(ranked) for ranked in lists]
        relevant, highest = lists[0].relevant, max(lists[0].relevant.values(), default=1)
        seen = [item for ranked in lists for item in ranked.items[:top]]
        places = [
            ItemMove(
                item,
                lists[0].grade.get(item),
                relevant.get(item, 0) / highest,
                tuple(ranked.rank.get(item) for ranked in lists),
                tuple(each.get(item, 0.0) for each in adds),
            )
            for item in dict.fromkeys([*seen, *adds[0], *adds[1]])
        ]
        return ListPair(places, top, len({*relevant.values()}) > 1)

    @property
    def one_order(self) -> bool:
        """Whether the value belongs to one order, so that each item has a contribution."""
        return self._chosen.ties != "expected"

    def _adds(self, ranked: RetrievedList) -> dict[str, float]:
        """Return what each relevant item adds to the first measure."""
        if not self.one_order:
            return {}
        steps = self._explained(ranked)
        hits = steps.loc[steps["hit"], ["item", f"share of {self._measure}"]]
        return dict(hits.itertuples(index=False, name=None))


def _in_order(items: pd.DataFrame, grade: Mapping[str, float], ties: str) -> pd.DataFrame:
    """Sort the rows of one query; for "expected" ties, in trec_eval's order."""
    if ties != "input":  # object arrays compare text by code point
        by_id = items["doc_id"].to_numpy(object).argsort()
        items = items.iloc[by_id if ties == "doc_id_ascending" else by_id[::-1]]
    if ties in ("best", "worst"):
        gain = np.array([max(grade.get(item, 0), 0) for item in items["doc_id"]])
        items = items.iloc[np.argsort(gain if ties == "worst" else -gain, kind="stable")]
    return items.sort_values("score", ascending=False, kind="stable")


def _folded(
    ranked: Sequence[str], relevant: Mapping[str, float], top: int
) -> tuple[dict[Hashable, str], dict[Hashable, int]]:
    """Fold successive irrelevant items below the top into one row: item -> label, item -> size."""
    items: dict[Hashable, str] = {}
    spans: dict[Hashable, int] = {}
    places = enumerate(ranked)
    for own_row, run in groupby(
        places, lambda each: each[0] < min(top, RANKS) or each[1] in relevant
    ):
        ranks, names = zip(*run, strict=True)
        if own_row or len(names) == 1:
            items |= {name: name for name in names}
        else:
            fold = ("ranks from", ranks[0] + 1)  # a tuple cannot equal an item's id
            message = ngettext("{n:,} item, not relevant", "{n:,} items, none relevant", len(names))
            items[fold] = filled(message, n=len(names))
            spans[fold] = len(names)
    return items, spans
