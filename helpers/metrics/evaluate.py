"""A run under qrels: one row a query, one column a measure."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from helpers.errors import DataError
from helpers.metrics.conventions import Conventions, conventions_named
from helpers.metrics.hits import Hits, hits_of_tables
from helpers.metrics.names import measures_named


def evaluate(
    run: pd.DataFrame,
    qrels: pd.DataFrame,
    measures: Iterable[object] = ("RR", "AP", "nDCG"),
    *,
    conventions: str | Conventions = "trec_eval",
    tie_range: bool = False,
    chance: bool = False,
) -> pd.DataFrame:
    """The value of each measure for each judged query.

    Ids compare as text: 7 equals "7". The mean of a column is MRR, MAP, mean nDCG and so on;
    a query that the conventions leave out of the mean has no value (NaN).

    Args:
        run: one row a retrieved item, columns `query_id`, `doc_id`, `score` (finite, higher is
            better). Rows in any order.
        qrels: one row a judgement, columns `query_id`, `doc_id`, `relevance` (a finite number;
            0 and below is not relevant).
        measures: names in ir_measures' notation, such as `"RR"`, `"AP"`, `"nDCG@10"`, or
            ir_measures objects; or just one.
        conventions: the name of a preset, or a `Conventions` value.
        tie_range: add, for each measure, the `worst` and the `best` value that the order of
            equal scores allows, and a column `tied`: whether a relevant item shares its score.
        chance: add, for each measure, its `chance` value, expected for the same items in a
            random order, and the `lift`, the value divided by it.

    Returns:
        A frame with one row a judged query, in the order of the qrels (index `query_id`), and
        one column a measure. Its `.attrs` says how many queries were `judged`, `averaged`,
        `missing` (the run lacks them), `empty` (no relevant item) and `run_only` (in the run,
        not judged), and which `preset` and `conventions` were used. With measures that differ in
        what they call relevant, `empty` are those without such an item for one of them, and
        `averaged` those with a value for all.

    Raises:
        DataError: a missing column or value, a repeated (query, item), a score or grade that is
            no finite number, no query in common.
        ValueError: an unknown measure or preset; the mean over tied orders, or the chance level,
            of a measure for which none is known.

    Source:
        The definitions are those of the one-list functions of `helpers.metrics.measures`.

    Example:
        >>> run = pd.DataFrame({"query_id": "q1", "doc_id": ["D1", "D4"], "score": [0.9, 0.4]})
        >>> qrels = pd.DataFrame(
        ...     {"query_id": ["q1", "q2"], "doc_id": ["D4", "D4"], "relevance": [1, 1]}
        ... )
        >>> evaluate(run, qrels, ["RR"])["RR"].to_dict()
        {'q1': 0.5, 'q2': 0.0}
    """
    chosen = conventions_named(conventions)
    named = measures_named(measures)
    hits = hits_of_tables(run, qrels, ties=chosen.ties)
    missing = hits.n_retrieved == 0
    empty, unaveraged = (np.zeros(hits.n_queries, dtype=bool) for _ in range(2))
    columns: dict[str, np.ndarray] = {}
    for name, measure in named.items():
        nothing = measure.counted(hits).n_relevant == 0
        left_out = _left_out(hits, missing, chosen.missing, "missing from the run", "missing")
        left_out |= _left_out(
            hits, nothing, chosen.no_relevant, "without a relevant item", "no_relevant"
        )
        found = {name: measure.values(hits, chosen)}
        if tie_range:
            found[f"{name} worst"], found[f"{name} best"] = measure.bounds(hits, chosen)
        if chance:
            found[f"{name} chance"] = measure.expected(hits.all_tied, chosen)
            found[f"{name} lift"] = _lift(found[name], found[f"{name} chance"])
        columns |= {column: np.where(left_out, np.nan, values) for column, values in found.items()}
        empty |= nothing
        unaveraged |= left_out
    frame = pd.DataFrame(columns, index=pd.Index(hits.query_ids, name="query_id"))
    if tie_range:
        frame["tied"] = np.isin(np.arange(hits.n_queries), hits.query[hits.tied > 1])
    frame.attrs = {
        "judged": hits.n_queries,
        "averaged": int((~unaveraged).sum()),
        "missing": int(missing.sum()),
        "empty": int(empty.sum()),
        "run_only": hits.n_run_only,
        "preset": conventions if isinstance(conventions, str) else "none",
        "conventions": chosen.as_dict(),
    }
    return frame


def _lift(value: np.ndarray, chance: np.ndarray) -> np.ndarray:
    return np.divide(value, chance, out=np.full_like(value, np.nan), where=chance > 0)


def _left_out(hits: Hits, queries: np.ndarray, choice: str, what: str, option: str) -> np.ndarray:
    if choice == "error" and queries.any():
        raise DataError(
            f"{int(queries.sum())} of {hits.n_queries} judged queries are {what}, the first is "
            f"{hits.query_ids[queries.argmax()]!r}. Conventions({option}='zero') counts them as "
            f"0, Conventions({option}='skip') leaves them out of the mean."
        )
    return queries & (choice == "skip")
