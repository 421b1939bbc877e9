"""What a value leaves open, beside it: equal scores, items that nobody judged, and chance."""

from collections.abc import Iterable
from typing import Unpack

import numpy as np
import pandas as pd

from byhand.errors import DataError
from byhand.metrics.conventions import Conventions
from byhand.metrics.evaluate import MEASURES, Evaluation, answering
from byhand.metrics.hits import Tables
from byhand.tables.frames import Reading


@answering
def tie_range(
    run: object,
    qrels: object,
    measures: Iterable[object] = MEASURES,
    *,
    conventions: str | Conventions = "trec_eval -c",
    queries: Iterable[object] | None = None,
    relevant_from: float | None = None,
    **reading: Unpack[Reading],
) -> pd.DataFrame:
    """The table of `evaluate`, and how far the order of equal scores can move each value.

    Args:
        run, qrels, measures, conventions, queries, relevant_from: as in `evaluate`.
        reading: further options of `evaluate`: `duplicates`, `run_columns` and so on.

    Returns:
        Beside each measure its `worst` and its `best` value; in the end a column `tied`: whether
        a relevant item of the query shares its score.

    Raises:
        DataError: as `evaluate`; AP divided by the hits found, with a cutoff that splits a tie.

    Example:
        >>> run, qrels = {"q": {"a": 1, "b": 1}}, {"q": {"a": 1}}
        >>> tie_range(run, qrels, "RR").loc["q"].to_dict()
        {'RR': 0.5, 'RR worst': 0.5, 'RR best': 1.0, 'tied': True}
    """
    reading |= {"queries": queries, "relevant_from": relevant_from}
    return Evaluation.of(run, qrels, measures, conventions, **reading).table("ties")


@answering
def chance_levels(
    run: object,
    qrels: object,
    measures: Iterable[object] = MEASURES,
    *,
    conventions: str | Conventions = "trec_eval -c",
    queries: Iterable[object] | None = None,
    relevant_from: float | None = None,
    **reading: Unpack[Reading],
) -> pd.DataFrame:
    """The table of `evaluate`, and what the same items would get in a random order.

    Args:
        run, qrels, measures, conventions, queries, relevant_from, reading: as in `tie_range`.

    Returns:
        Beside each measure its `chance` value, expected over all orders of the items that the
        query retrieved. `.attrs["lift"]` has for each measure the mean divided by the mean of its
        chance values; a mean of such ratios would be that of a few queries with tiny levels.

    Raises:
        ValueError: as `evaluate`; a measure whose chance level is not known.

    Source:
        McSherry and Najork 2008, applied to one tie of all items, as in `chance`.

    Example:
        >>> run, qrels = {"q": {"a": 2, "b": 1}}, {"q": {"a": 1}}
        >>> found = chance_levels(run, qrels, "RR")
        >>> found.loc["q"].to_dict(), found.attrs["lift"]
        ({'RR': 1.0, 'RR chance': 0.75}, {'RR': 1.3333333333333333})
    """
    reading |= {"queries": queries, "relevant_from": relevant_from}
    frame = Evaluation.of(run, qrels, measures, conventions, **reading).table("chance")
    means = frame.mean()
    levels = {name: means[f"{name} chance"] for name in frame.columns[::2]}
    frame.attrs["lift"] = {
        name: float(means[name] / level) if level > 0 else np.nan for name, level in levels.items()
    }
    return frame


@answering
def unjudged_range(
    run: object,
    qrels: object,
    measures: Iterable[object] = MEASURES,
    *,
    conventions: str | Conventions = "trec_eval -c",
    queries: Iterable[object] | None = None,
    relevant_from: float | None = None,
    **reading: Unpack[Reading],
) -> pd.DataFrame:
    """The table of `evaluate`, and how far the retrieved items that nobody judged could move it.

    Args:
        run, qrels: as in `evaluate`, both in memory.
        measures, conventions, queries, relevant_from, reading: as in `tie_range`.

    Returns:
        In the end for each measure its value if `none` of these items is relevant, and if `all`
        are (with grade 1, or else the lowest that is relevant to the measure). Of RBP also its
        `residual`: what all ranks without a judged item could add, in the list, beyond its end
        and beyond the cutoff.

    Raises:
        DataError: as `evaluate`; a table that lives in an engine.

    Source:
        Moffat and Zobel 2008, section 4, for the residual.

    Example:
        >>> run, qrels = {"q": {"a": 2, "b": 1}}, {"q": {"b": 1}}
        >>> unjudged_range(run, qrels, "RR").loc["q"].to_dict()
        {'RR': 0.5, 'RR none': 0.5, 'RR all': 1.0}
    """
    reading |= {"queries": queries, "relevant_from": relevant_from}
    found = Evaluation.of(run, qrels, measures, conventions, **reading)
    tables, measures = found.tables, found.measures
    if tables.run.lazy or tables.qrels.lazy:
        raise DataError(
            "unjudged_range makes a judgement of every retrieved item, so it needs run and qrels "
            "in memory. preflight counts how many items are judged."
        )
    frame, choices = found.table(), found.preset.choices
    if choices.unjudged == "removed":
        conventions = choices.but(unjudged="not_relevant")
    none = Evaluation(tables, measures, conventions=conventions)
    frame[[f"{name} none" for name in measures]] = none.table()[list(measures)]
    lowest = {name: max(relevant_from or 1, each.rel or 0) for name, each in measures.items()}
    for grade in sorted({*lowest.values()}):
        names = [name for name in measures if lowest[name] == grade]
        qrels = _all_judged(tables, grade)
        judged = Tables(tables.run, qrels, relevant_from=relevant_from)
        every = Evaluation(judged, names, conventions=conventions).table()
        frame[[f"{name} all" for name in names]] = every.loc[frame.index, names]
    for name, part in none.parts.items():
        hits = tables.hits(ties=part.chosen.ties, judged=True)
        residual = part.measure.residual(hits, part.chosen)
        if residual is not None:
            frame[f"{name} residual"] = np.where(frame[f"{name} none"].isna(), np.nan, residual)
    return frame


def _all_judged(tables: Tables, grade: float) -> pd.DataFrame:
    """The qrels, and this grade for every retrieved item of their queries that has none."""
    known, run = tables.qrels.rows_of(), tables.run.rows_of()
    ours = run.loc[run["query_id"].isin(known["query_id"]), ["query_id", "doc_id"]]
    every = pd.concat([known, ours.assign(relevance=grade)], ignore_index=True)
    return every.drop_duplicates(["query_id", "doc_id"])
