"""What a value leaves open, beside it: equal scores, items that nobody judged, and chance."""

from collections.abc import Iterable
from typing import Unpack

import numpy as np
import pandas as pd

from byhand.errors import DataError
from byhand.metrics.calls import answering
from byhand.metrics.conventions import Conventions
from byhand.metrics.evaluate import INSTEAD, MEASURES, Evaluation
from byhand.metrics.run_with_qrels import RunWithQrels
from byhand.tables.runs_and_qrels import Reading


@answering(INSTEAD)
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
    return Evaluation.of(run, qrels, measures, conventions, **reading).as_given("ties")


@answering(INSTEAD)
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
    frame = Evaluation.of(run, qrels, measures, conventions, **reading).as_given("chance")
    means = frame.mean()
    levels = {name: means[f"{name} chance"] for name in frame.columns[::2]}
    frame.attrs["lift"] = {
        name: float(means[name] / level) if level > 0 else np.nan for name, level in levels.items()
    }
    return frame


@answering(INSTEAD)
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
    """Return the table of `evaluate`, and its values if no or every unjudged item is relevant.

    These are two scenarios, no bounds: AP, nDCG and R can be lower than in either if only some of
    these items are relevant, such as those far down, or if relevant items were never retrieved.

    Args:
        run, qrels: as in `evaluate`, both in memory.
        measures, conventions, queries, relevant_from, reading: as in `tie_range`.

    Returns:
        After the measures, each one's value if `none` of the retrieved items without a judgement
        is relevant, and if `all` are, with grade 1, or else the lowest that is relevant to it.

    Raises:
        DataError: as `evaluate`; a table that lives in an engine.

    Example:
        >>> run, qrels = {"q": {"a": 3, "b": 2}}, {"q": {"b": 1}}
        >>> unjudged_range(run, qrels, "RR").loc["q"].to_dict()
        {'RR': 0.5, 'RR none': 0.5, 'RR all': 1.0}
    """
    reading |= {"queries": queries, "relevant_from": relevant_from}
    as_it_is = Evaluation.of(run, qrels, measures, conventions, **reading)
    tables, measures = as_it_is.tables, as_it_is.measures
    if tables.run.lazy or tables.qrels.lazy:
        raise DataError(
            "unjudged_range makes a judgement of every retrieved item, so it needs run and qrels "
            "in memory. preflight counts how many items are judged."
        )
    frame, choices = as_it_is.table(), as_it_is.preset.choices
    if choices.unjudged == "removed":
        conventions = choices.but(unjudged="not_relevant")
    lowest = {
        name: float(max(relevant_from or 1, each.rel or 0)) for name, each in measures.items()
    }
    judged = {grade: _all_judged(tables, grade) for grade in {0.0, *lowest.values()}}
    for kind, grades in (("none", dict.fromkeys(measures, 0.0)), ("all", lowest)):
        for name, grade in grades.items():
            found = Evaluation(judged[grade], {name: measures[name]}, conventions=conventions)
            frame[f"{name} {kind}"] = found.table()[name]
    return frame.set_index(tables.as_given(frame.index))


def _all_judged(tables: RunWithQrels, grade: float) -> RunWithQrels:
    """Return the same tables with this grade for every retrieved item without a judgement."""
    known, run = tables.qrels.rows_of(), tables.run.rows_of()
    run = run.loc[run["query_id"].isin(known["query_id"]), ["query_id", "doc_id"]]
    every = pd.concat([known, run.assign(relevance=grade)], ignore_index=True)
    return RunWithQrels(
        tables.run,
        every.drop_duplicates(["query_id", "doc_id"]),
        queries=tables.queries,
        relevant_from=tables.relevant_from,
    )
