"""Conversion of tables to the ranked lists that `evaluate` measures, for figures and widgets."""

from collections.abc import Collection, Hashable, Iterable
from typing import Unpack

from byhand.duplicates import Reading
from byhand.files.texts import texts_in
from byhand.metrics.calls import answering
from byhand.metrics.measures.measure import cutoff
from byhand.metrics.run_with_qrels import RunWithQrels
from byhand.naming import ABOVE_ZERO

_LONGEST = 60  # maximum number of characters of a text beside its id


@answering()
def lists_of(
    run: object,
    qrels: object,
    *,
    queries: Iterable[object] | None = None,
    k: int | None = 10,
    relevant_from: float | None = None,
    query_texts: object = None,
    doc_texts: object = None,
    **reading: Unpack[Reading],
) -> dict[Hashable, tuple[list[str], dict[str, float]]]:
    """Return each query's ranked list and relevant items, as widgets and figures accept them.

    Args:
        run, qrels: as in `evaluate`.
        queries: the ids of judged queries, in the order of the result; None, the default, for all,
            in the order of the qrels.
        k: the maximum number of items of each list, from 1; 10 by default, None for whole lists.
        relevant_from: the lowest relevant grade, as in `evaluate`; None, the default, for any
            above 0.
        query_texts, doc_texts: the texts of queries and items, as `queries` and `docs` of `report`:
            a table with `query_id` or `doc_id` and `text`, as a file, a frame or a dict by id. The
            title, or else the start of the text, follows each id; None, the default, for ids alone.
        reading: further options of `evaluate`: `duplicates`, `run_columns` and so on.

    Returns:
        Query -> its items, best first, and its relevant items with their grades, retrieved or not.
        Items are text; queries are as in the qrels (7 stays 7), or text with `query_texts`. Equal
        scores are ordered as in trec_eval: by id, descending. A query that the run lacks has an
        empty list.

    Raises:
        DataError: If `evaluate` would raise one.
        ValueError: If `k` is not a whole number from 1 or None, or `evaluate` would raise one.

    Example:
        >>> run, qrels = {"q1": {"a": 0.2, "b": 0.9, "c": 0.2}}, {"q1": {"a": 1, "d": 2}}
        >>> lists_of(run, qrels)
        {'q1': (['b', 'c', 'a'], {'a': 1, 'd': 2})}
        >>> lists_of(run, qrels, query_texts={"q1": "soup?"}, doc_texts={"b": "bisque"})
        {'q1 · soup?': (['b · bisque', 'c', 'a'], {'a': 1, 'd': 2})}
    """
    reading |= {"queries": queries, "relevant_from": relevant_from}
    tables, k = RunWithQrels(run, qrels, **reading), cutoff(k)
    every = tables.hits().query_ids.tolist()  # counts hits, to raise the errors of `evaluate`
    wanted = tables.queries or every
    rows = tables.run.rows_of(wanted).sort_values(["score", "doc_id"], ascending=False)
    judged = tables.qrels.rows_of(wanted)
    lists = {query: ([], {}) for query in wanted}
    for query, items in rows.groupby("query_id")["doc_id"]:
        lists[query][0].extend(items.head(k) if k else items)
    for query, item, grade in judged[
        judged["relevance"] >= (relevant_from or ABOVE_ZERO)
    ].itertuples(index=False):
        lists[query][1][item] = int(grade) if grade == int(grade) else grade
    docs = _labels(
        doc_texts, "doc", {each for both in lists.values() for of in both for each in of}
    )
    queries = _labels(query_texts, "query", lists)
    if query_texts is None:
        queries = dict(zip(lists, tables.as_given([*lists]).tolist(), strict=True))
    return {
        queries[query]: (
            [docs[each] for each in ranked],
            {docs[each]: judged[each] for each in judged},
        )
        for query, (ranked, judged) in lists.items()
    }


def _labels(texts: object, of: str, ids: Collection[str]) -> dict[str, str]:
    """Return the label of each query or item: its id and, if known, its title or text."""
    texts_by_id = {} if texts is None else texts_in(texts, of).of(ids)
    labels: dict[str, object] = {each: each for each in ids}
    for each, wording in texts_by_id.items():
        if words := " ".join((wording.title or wording.text).split()):
            cut = words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
            labels[each] = f"{each} · {cut}"
    return labels
