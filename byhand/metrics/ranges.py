"""Uncertainty of single values: ranges of ties and of unjudged items, and chance levels."""

from collections.abc import Iterable
from typing import Unpack

import numpy as np
import pandas as pd

from byhand.duplicates import Reading
from byhand.errors import DataError
from byhand.metrics.calls import answering
from byhand.metrics.conventions import Conventions
from byhand.metrics.evaluate import INSTEAD, MEASURES, Evaluation
from byhand.metrics.run_with_qrels import RunWithQrels


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
    """Return the table of `evaluate`, with the worst and best value over orders of equal scores.

    Args:
        run, qrels, measures, conventions, queries, relevant_from: as in `evaluate`.
        reading: further options of `evaluate`: `duplicates`, `run_columns` and so on.

    Returns:
        The table, with the `worst` and `best` value beside each measure, and a last column `tied`,
        which is True if a relevant item of the query has the same score as another item.

    Raises:
        DataError: If `evaluate` would raise one, or if denominator="retrieved" is combined with
            a cutoff of AP that falls inside a tie.

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
    """Return the table of `evaluate`, with the chance level of each value.

    Args:
        run, qrels, measures, conventions, queries, relevant_from, reading: as in `tie_range`.

    Returns:
        The table, with the `chance` level beside each measure: its expected value over all orders
        of the items that the query retrieved. `.attrs["lift"]` contains for each measure the mean
        divided by the mean chance level. It is not the mean of the ratios, which a few queries
        with tiny levels would dominate.

    Raises:
        ValueError: If `evaluate` would raise one, or the chance level of a measure is unknown.

    References:
        McSherry and Najork 2008, applied to one tie of all items, as in `chance`.

    Example:
        >>> run, qrels = {"q": {"a": 2, "b": 1}}, {"q": {"a": 1}}
        >>> table = chance_levels(run, qrels, "RR")
        >>> table.loc["q"].to_dict(), table.attrs["lift"]
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
    """Return the table of `evaluate`, with the values if none or all unjudged items are relevant.

    These are two scenarios, not bounds: AP, nDCG and R can be lower than in either if only some of
    these items are relevant, such as low-ranked ones, or if relevant items were not retrieved.

    Args:
        run, qrels: as in `evaluate`, both in memory.
        measures, conventions, queries, relevant_from, reading: as in `tie_range`.

    Returns:
        The table, with two values for each measure after all measures: if `none` of the retrieved
        unjudged items is relevant, and if `all` are, with grade 1 or the lowest relevant grade.

    Raises:
        DataError: If `evaluate` would raise one, or a table is in a database.

    Example:
        >>> run, qrels = {"q": {"a": 3, "b": 2}}, {"q": {"b": 1}}
        >>> unjudged_range(run, qrels, "RR").loc["q"].to_dict()
        {'RR': 0.5, 'RR none': 0.5, 'RR all': 1.0}
    """
    reading |= {"queries": queries, "relevant_from": relevant_from}
    original = Evaluation.of(run, qrels, measures, conventions, **reading)
    tables, measures = original.tables, original.measures
    if tables.run.lazy or tables.qrels.lazy:
        raise DataError(
            "unjudged_range grades every retrieved item, so run and qrels must be in memory. Read "
            "them with read_run and read_qrels, or count the judged items with preflight."
        )
    frame, choices = original.table(), original.preset.choices
    if choices.unjudged == "removed":
        conventions = choices.but(unjudged="not_relevant")
    lowest = {
        name: float(max(relevant_from or 1, each.rel or 0)) for name, each in measures.items()
    }
    judged = {grade: _all_judged(tables, grade) for grade in {0.0, *lowest.values()}}
    for kind, grades in (("none", dict.fromkeys(measures, 0.0)), ("all", lowest)):
        for name, grade in grades.items():
            evaluation = Evaluation(judged[grade], {name: measures[name]}, conventions=conventions)
            frame[f"{name} {kind}"] = evaluation.table()[name]
    return frame.set_index(tables.as_given(frame.index))


def _all_judged(tables: RunWithQrels, grade: float) -> RunWithQrels:
    """Return the same tables with this grade for every retrieved unjudged item."""
    known, run = tables.qrels.rows_of(), tables.run.rows_of()
    run = run.loc[run["query_id"].isin(known["query_id"]), ["query_id", "doc_id"]]
    every = pd.concat([known, run.assign(relevance=grade)], ignore_index=True)
    return RunWithQrels(
        tables.run,
        every.drop_duplicates(["query_id", "doc_id"]),
        queries=tables.queries,
        relevant_from=tables.relevant_from,
    )
