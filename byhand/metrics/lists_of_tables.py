"""Tables as ranked lists, to look at and to drag: the lists that `evaluate` measures."""

from collections.abc import Iterable
from typing import Unpack

from byhand.metrics.evaluate import answering
from byhand.metrics.measures.measure import cutoff
from byhand.metrics.run_with_qrels import RunWithQrels
from byhand.tables.qrels import ABOVE_ZERO
from byhand.tables.runs_and_qrels import Reading


@answering
def lists_of(
    run: object,
    qrels: object,
    *,
    queries: Iterable[object] | None = None,
    k: int | None = 10,
    **reading: Unpack[Reading],
) -> dict[str, tuple[list[str], dict[str, float]]]:
    """Return each query's ranked list and its relevant items, as widgets and figures take them.

    Args:
        run, qrels: as in `evaluate`.
        queries: ids of judged queries, in the order of the result; all of them by default, in the
            order of the qrels.
        k: how many items of each list, from 1; 10 by default, None for whole lists.
        reading: further options of `evaluate`: `duplicates`, `run_columns` and so on.

    Returns:
        Query -> its items, best first, and its relevant items with their grades, whether retrieved
        or not. Ids are text. Equal scores are ordered as trec_eval orders them: the id that comes
        later in the alphabet is first. The list of a query that the run lacks is empty.

    Raises:
        DataError: As `evaluate`.
        ValueError: If `k` is not a cutoff.

    Example:
        >>> run, qrels = {"q1": {"a": 0.2, "b": 0.9, "c": 0.2}}, {"q1": {"a": 1, "d": 2}}
        >>> lists_of(run, qrels)
        {'q1': (['b', 'c', 'a'], {'a': 1, 'd': 2})}
    """
    tables, k = RunWithQrels(run, qrels, queries=queries, **reading), cutoff(k)
    every = tables.hits().query_ids.tolist()  # counted, as that refuses what `evaluate` refuses
    asked = tables.queries or every
    rows = tables.run.rows_of(asked).sort_values(["score", "doc_id"], ascending=False)
    judged = tables.qrels.rows_of(asked)
    lists = {query: ([], {}) for query in asked}
    for query, items in rows.groupby("query_id")["doc_id"]:
        lists[query][0].extend(items.head(k) if k else items)
    for query, item, grade in judged[judged["relevance"] >= ABOVE_ZERO].itertuples(index=False):
        lists[query][1][item] = int(grade) if grade == int(grade) else grade
    return lists
