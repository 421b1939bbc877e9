"""Qrels given as the run, and the run as qrels, as other tools take them: by what they hold.

Frames and most files say by names of columns which is which. Nested dicts and lists say nothing, so
what is refused here is what hardly any run and qrels look like in their own places, and many do in
each other's.
"""

from collections.abc import Mapping
from os import PathLike

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.tables.counting import Run
from byhand.tables.held import is_named, places_only
from byhand.tables.qrels import Qrels
from byhand.words import Message

_FEW = 10  # different whole numbers, which grades are
_MANY = 20  # different numbers, which hardly any judge tells apart
_SEVERAL = 3  # queries, and items of one, whose grades hardly ever count down one by one
_LONG = 5  # more relevant items than benchmarks have that give each query as many


def refuse_swapped(run: object, qrels: object, held: tuple[object, object]) -> None:
    """Refuse a checked run and qrels that look like each other; `held` is what they are made of."""
    if not isinstance(run, Run) or not isinstance(qrels, Qrels) or len(run) == 0:
        return
    if is_named(held[0], run.attrs) or is_named(held[1], qrels.attrs):
        return
    ranked = run.labels.name == "rank" and np.array_equal(run.score, -run.labels.to_numpy())
    ranked |= run.attrs.get("format", "").startswith("JSON lists")
    found = "" if ranked else _by_numbers(run, qrels)
    if found := found or _by_lengths(run, qrels, ranked=ranked):
        of_qrels = Message(", and of qrels dict(enumerate(qrels))")
        raise DataError(
            "run looks like judgements, and qrels like a run: {found}. Other tools take them the "
            "other way round; here the run comes first, as in evaluate(run, qrels). If they are "
            "in this order, say so by names: in the place of run pass {named}{qrels}.",
            [found, _named(held[0], ranked), of_qrels if places_only(held[1]) else ""],
        )


def refuse_hashtags(run: object, qrels: object) -> None:
    """Refuse a query of a TREC file that the other table has without the # in front of it.

    Within one file its reader does; whether its rows are comments, only the other table says.
    """
    if not isinstance(run, Run) or not isinstance(qrels, Qrels) or run.attrs is qrels.attrs:
        return
    for table, other in ((run, qrels), (qrels, run)):
        if not str(table.attrs.get("format", "")).startswith("TREC"):
            continue
        marked = {each: each.lstrip("#") for each in table.query_ids if each[:1] == "#"}
        known, there = ({*each.query_ids} if marked else set() for each in (table, other))
        for query, plain in marked.items():
            if query not in there and plain in there and plain not in known:
                raise DataError(
                    "{file} has query {query}, and {other} has {plain}. Its lines may be rows of "
                    "query {query}, or comments: rows of query {plain} behind a #. If they are "
                    "comments, remove them; if they are rows, write the file as CSV, where # is a "
                    "letter like any other.",
                    [table.attrs["file"], shown(query), other.name, shown(plain)],
                )


def _named(run: object, ranked: bool) -> str:
    """How to write a run so that it says by names what it holds."""
    if isinstance(run, str | PathLike):
        return "read_run(run).to_dict('records')"
    if isinstance(run, pd.Series) and not ranked:
        return "run.rename('score')"
    held = "run" if isinstance(run, Mapping | pd.Series) else "run.to_dict()"
    if isinstance(run, list | tuple | np.ndarray):
        held = "dict(enumerate(run))"
    if ranked:
        return f"pd.Series({held}, name='doc_id').rename_axis('query_id').reset_index()"
    return f"pd.DataFrame({held}).unstack().dropna().rename('score')"


def _by_numbers(run: Run, qrels: Qrels) -> str:
    """What speaks for it: few whole scores, and grades that differ within each query."""
    grades, more = np.unique(qrels.relevance), len(qrels) - len(run)
    repeated = 2 * len(grades) < len(qrels)
    of_judge = len(grades) <= _MANY and ((grades % 1 == 0).all() or more < 0 or repeated)
    if of_judge or not _are_few(run.score) or _are_places(run):
        return ""
    few = np.unique(run.score)
    if len(grades) <= _MANY and more == 0 and (few[0] > 0 or len(qrels.query_ids) == 1):
        return ""
    several = (qrels.sizes[qrels.query] > 1) | (len(grades) > _MANY)
    pairs = pd.DataFrame({"query": qrels.query[several], "grade": qrels.relevance[several]})
    if len(pairs) == 0 or pairs.duplicated().mean() > 0.1:
        return ""
    scores = {"n": len(few), "low": few[0], "high": few[-1]}
    return Message(
        "the scores are {n} different whole numbers, {low:g} to {high:g}, and the grades of "
        "{items:,} items are {kinds:,} different numbers, such as {grade:g}",
        **scores,
        **{"items": len(qrels), "kinds": len(grades), "grade": grades[-1]},
    )


def _are_places(run: Run) -> bool:
    """Whether scores count down to 1 or 0 in each query, as who has ranks only writes them."""
    same = np.diff(run.query) == 0
    last = run.score[np.append(~same, True)]
    several = len(last) >= _SEVERAL and np.median(run.sizes) >= _SEVERAL
    return several and bool((np.diff(run.score)[same] == -1).all() and np.isin(last, [0, 1]).all())


def _are_few(scores: np.ndarray) -> bool:
    """Whether scores are few different whole numbers, as grades are; most are not, at a glance."""
    for some in (scores[:100], scores):
        if (some % 1 != 0).any() or len(np.unique(some)) > _FEW or some.min() < -2:
            return False
    return True


def _by_lengths(run: Run, qrels: Qrels, *, ranked: bool) -> str:
    """What speaks for it: equal grades, as many in each query, and mostly more than in the run."""
    longest = qrels.sizes.max()
    cut = longest > _LONG and (qrels.sizes == longest).mean() >= 0.9
    if not (cut and (ranked or _are_few(run.score)) and len(np.unique(qrels.relevance)) == 1):
        return ""
    judged = qrels.row_counts
    found = run.row_counts.reindex(judged.index).dropna()
    shorter = len(found) >= 3 and (found < judged[found.index]).mean() >= 0.75
    if not (shorter and (found.max() == 1 or found.nunique() > 1)):
        return ""
    return Message(
        "qrels hold {n} items for nearly every query, all with one grade, and run has {low:g} to "
        "{high:g}",
        **{"n": longest, "low": found.min(), "high": found.max()},
    )
