"""Conversion of ranked lists in memory, with their relevant items, to `Hits`."""

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from numbers import Integral, Real
from uuid import UUID

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.files.items import LISTS
from byhand.metrics.hits import Hits
from byhand.naming import ABOVE_ZERO, number_of

Ranked = Sequence[Hashable]
Relevant = Mapping[Hashable, float] | Iterable[Hashable]
Case = tuple[Ranked, Relevant]


def hits_of_lists(cases: Iterable[Case], *, unjudged: str = "not_relevant") -> Hits:
    """Convert (ranked, relevant) pairs to hits, one query per pair.

    Args:
        cases: pairs of a ranked list (best first, no repeats) and its relevant items: an iterable
            of items (grade 1), or a mapping item -> grade. Grades of 0 or below mean not relevant.
        unjudged: the treatment of unjudged items, as in `Conventions`: `"not_relevant"` (the
            default) keeps them in the lists, `"removed"` gives condensed lists.

    Raises:
        DataError: If a case is not a pair, an item is repeated, or a grade is not a finite number.

    Example:
        >>> hits_of_lists([("ABC", ["B"])])
        Traceback (most recent call last):
        byhand.errors.DataError: ranked is the text 'ABC', not a list of items. \
Put the items into a list: ['ABC'] if it is one item.
    """
    query, rank, grade, judged_query, judged_grade, n_retrieved = [], [], [], [], [], []
    for case, pair in enumerate(cases):
        ranked, relevant = _pair(pair, case)
        refuse_labels(ranked, relevant)
        grades = judged_grades(relevant)
        rank_of = _ranks(ranked if unjudged == "not_relevant" else judged_only(ranked, grades))
        keyed = {key_of(item): grade for item, grade in grades.items()}
        hits = sorted((rank_of[key], grade) for key, grade in keyed.items() if key in rank_of)
        query += [case] * len(hits)
        rank += [r for r, _ in hits]
        grade += [g for _, g in hits]
        judged_query += [case] * len(grades)
        judged_grade += sorted(grades.values(), reverse=True)
        n_retrieved.append(len(rank_of))
    ranks = np.array(rank, dtype=np.int64)
    judged_hits = Hits(
        query_ids=np.arange(len(n_retrieved)),
        query=np.array(query, dtype=np.intp),
        rank=ranks,
        grade=np.array(grade, dtype=float),
        top=ranks,
        tied=np.ones_like(ranks),
        relevant_query=np.array(judged_query, dtype=np.intp),
        relevant_grade=np.array(judged_grade, dtype=float),
        n_retrieved=np.array(n_retrieved, dtype=np.int64),
    )
    return judged_hits.at_least(ABOVE_ZERO).among(judged_hits)


def judged_only(ranked: Ranked, grades: Mapping[Hashable, float]) -> list[Hashable]:
    """Return the items of a ranked list that have a grade."""
    judged = {key_of(item) for item in grades}
    return [item for item in ranked_items(ranked) if key_of(item) in judged]


def key_of(item: Hashable) -> Hashable:
    """Return the key by which an item is compared: whole numbers and UUIDs as text, as in tables.

    Example:
        >>> key_of(7) == key_of("7"), key_of("007") == key_of("7")
        (True, False)
    """
    if type(item) is str or isinstance(item, bool) or not isinstance(item, Integral | UUID):
        return item
    return str(item)


def _pair(pair: Case, case: int) -> Case:
    try:
        ranked, relevant = pair
    except (TypeError, ValueError):
        raise DataError(
            f"Case {case} is {pair!r}, not a pair. Each case is (ranked, relevant); put a "
            "single one into a list: [(ranked, relevant)]."
        ) from None
    return ranked, relevant


def refuse_labels(ranked: Ranked, relevant: Relevant) -> None:
    """Refuse one label per item, as scikit-learn takes them, instead of the relevant items."""
    if not isinstance(ranked, LISTS) or not isinstance(relevant, list | tuple | np.ndarray):
        return
    items, labels = list(ranked), list(relevant)
    if not labels or len(items) != len(labels) or not _are_numbers(labels):
        return
    texts = all(isinstance(item, str) for item in items)
    truths = all(isinstance(label, bool | np.bool_) for label in labels)
    repeats = len({*labels}) < len(labels) and min(labels) <= 1
    fractions = any(each % 1 for each in [*labels, *(items if _are_numbers(items) else [])])
    if texts or truths or repeats or fractions:
        raise DataError(
            "relevant has one number for each entry of ranked, like labels. Expected the relevant "
            "items instead. If ranked contains the items, pass dict(zip(ranked, relevant)) as "
            "relevant. If it contains scores, pass "
            "sorted(range(len(ranked)), key=lambda item: -ranked[item]) as ranked, and "
            "dict(enumerate(relevant)) as relevant."
        )


def _are_numbers(values: Sequence[object]) -> bool:
    return all(isinstance(value, Real | np.bool_) for value in values)


def ranked_items(ranked: Ranked) -> list[Hashable]:
    """Return the items of a ranked list, best first."""
    if isinstance(ranked, set | frozenset | Mapping | pd.DataFrame):
        raise DataError(
            f"ranked is of type {type(ranked).__name__}, which has no order of items. Pass a list "
            "of items, best first."
        )
    return _items(ranked, "ranked")


def _ranks(ranked: Ranked) -> dict[Hashable, int]:
    ranks: dict[Hashable, int] = {}
    for rank, item in enumerate(ranked_items(ranked), start=1):
        key = key_of(item)
        if key in ranks:
            raise repeated(item, ranks[key], rank, "the ranked list")
        ranks[key] = rank
    return ranks


def repeated(item: Hashable, first: int, rank: int, where: str) -> DataError:
    """Return the error for an item that has two ranks."""
    return DataError(
        f"{item!r} is at rank {first} and at rank {rank} of {where}. A ranked list contains each "
        "item once: remove the repeat."
    )


def no_list(items: object, name: str) -> DataError:
    """Return the error for an argument that is not a list of items."""
    kind = "text" if isinstance(items, str) else type(items).__name__
    return DataError(
        f"{name} is the {kind} {items!r}, not a list of items. Put the items into a list: "
        f"[{items!r}] if it is one item."
    )


def relevant_grades(relevant: Relevant, ranked: Ranked = ()) -> dict[Hashable, float]:
    """Return the grades above 0, with each item as written in `ranked`, if it is there."""
    written = {key_of(item): item for item in ranked}
    grades = judged_grades(relevant).items()
    return {written.get(key_of(item), item): grade for item, grade in grades if grade > 0}


def judged_grades(relevant: Relevant) -> dict[Hashable, float]:
    """Return the grade of each judged item; items without a grade get 1."""
    if isinstance(relevant, pd.Series | pd.DataFrame):
        raise DataError(
            f"relevant is of type {type(relevant).__name__}, whose items could be its values or "
            "its index. Pass list(series) if the items are its values, or series.to_dict() if "
            "its values are the grades of the items in its index."
        )
    if not isinstance(relevant, Mapping):
        items = _items(relevant, "relevant")
        # sort sets, so that their order is the same in every process
        items = sorted(items, key=str) if isinstance(relevant, Set) else items
        first: dict[Hashable, Hashable] = {}
        for item in items:  # 7 and "7" are the same item
            first.setdefault(key_of(item), item)
        return dict.fromkeys(first.values(), 1.0)
    grades, keys = {}, {}
    for item, grade in relevant.items():
        other = keys.setdefault(key_of(item), item)
        if other is not item:
            raise DataError(
                f"relevant contains {shown(other)} and {shown(item)}, which are the same item "
                "because ids compare as text. Remove one of them."
            )
        try:
            grades[item] = number_of(grade.strip()) if isinstance(grade, str) else float(grade)
        except (TypeError, ValueError, OverflowError):
            grades[item] = np.nan
        if not np.isfinite(grades[item]):
            raise DataError(
                f"The grade of {shown(item)} is {shown(grade)}. A grade must be a finite number: 0 "
                "for not relevant, 1 for relevant, more for more relevant."
            )
    return grades


def _items(items: object, name: str) -> list[Hashable]:
    if isinstance(items, str | bytes) or not isinstance(items, Iterable):
        raise no_list(items, name)
    listed = list(items)
    for item in listed:
        try:
            hash(item)
        except TypeError:
            raise DataError(
                f"{name} contains {item!r} ({type(item).__name__}), which is not hashable. Pass "
                "items that are text, numbers or tuples."
            ) from None
    return listed
