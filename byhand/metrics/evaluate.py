"""A run under qrels: one row a query, one column a measure."""

from collections.abc import Iterable
from functools import cache
from typing import get_args

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.metrics.conventions import Conventions, preset_named
from byhand.metrics.hits import Hits, Tables
from byhand.metrics.measures import Measure
from byhand.metrics.measures.measure import keeps_low_grades
from byhand.metrics.names import measures_named
from byhand.tables.frames import frames_of
from byhand.tables.lazy import LazyRun, Repeats
from byhand.tables.ties import TieOrder


def evaluate(
    run: pd.DataFrame | object,
    qrels: pd.DataFrame | object,
    measures: Iterable[object] = ("RR", "AP", "nDCG"),
    *,
    conventions: str | Conventions = "trec_eval -c",
    relevant_from: float | None = None,
    tie_range: bool = False,
    chance: bool = False,
    unjudged_range: bool = False,
    repeats: Repeats = "all",
) -> pd.DataFrame:
    """The value of each measure for each judged query.

    Ids compare as text: 7 equals "7". The mean of a column is MRR, MAP, mean nDCG and so on;
    a query that the conventions leave out of the mean has no value (NaN).

    Args:
        run: one row a retrieved item, columns `query_id`, `doc_id`, `score` (finite, higher is
            better). Rows in any order. A frame; nested dicts, `{"q1": {"d7": 0.93}}`; any table
            that speaks Arrow's C stream interface, as those of polars and pyarrow do, whose ids
            are not copied; or a table that lives elsewhere and is counted there: of `scan_run`,
            of Ibis, a relation of DuckDB, a frame of PySpark.
        qrels: one row a judgement, columns `query_id`, `doc_id`, `relevance` (a finite number;
            0 and below is not relevant). Such a table, too; the queries of one that lives
            elsewhere come in the order of their ids. If it is the same as the run, each row says
            both.
        measures: names in ir_measures' notation, such as `"RR"`, `"AP"`, `"nDCG@10"`, names that
            people write elsewhere, such as `"MRR"`, `"Recall@100"` and `"ndcg_cut_10"`, or
            ir_measures objects; or just one.
        conventions: the name of a preset, or a `Conventions` value.
        relevant_from: the lowest grade that is relevant; None for any above 0. Lower grades count
            as not relevant, and gain nothing; with `conventions="trec_eval -c -l"`, or
            `Conventions(low_grades="gain")`, they keep their gain in DCG and nDCG.
        tie_range: add, for each measure, the `worst` and the `best` value that the order of
            equal scores allows, and a column `tied`: whether a relevant item shares its score.
        chance: add, for each measure, its `chance` value, expected for the same items in a
            random order, and the `lift`, the value divided by it.
        unjudged_range: add, for each measure, its value if `none` of the retrieved items that
            nobody judged is relevant, and if `all` are (with grade 1, or else the lowest that is
            relevant to the measure).
        repeats: where a repeated (query, item) is looked for in a run that lives in an engine:
            in `"all"` rows, which are brought together for it, or only among the `"hits"`.

    Returns:
        A frame with one row a judged query, in the order of the qrels (index `query_id`), and
        one column a measure, called as it was asked for: `"MRR"` holds the RR of each query, and
        its mean is MRR. Its `.attrs` says how many queries were `judged`, `averaged`,
        `missing` (the run lacks them), `empty` (no relevant item) and `run_only` (in the run,
        not judged), and which `preset` and `conventions` were used; of a run that lives
        elsewhere also where `repeats` were looked for. With measures that differ in
        what they call relevant, `empty` are those without such an item for one of them, and
        `averaged` those with a value for all.

    Raises:
        DataError: a missing column or value, a repeated (query, item), a score or grade that is
            no finite number, no query in common.
        ValueError: an unknown measure or preset; the mean over tied orders, or the chance level,
            of a measure for which none is known.

    Source:
        Each measure's own, in `byhand.metrics.measures`.

    Example:
        >>> run = pd.DataFrame({"query_id": "q1", "doc_id": ["D1", "D4"], "score": [0.9, 0.4]})
        >>> qrels = pd.DataFrame(
        ...     {"query_id": ["q1", "q2"], "doc_id": ["D4", "D4"], "relevance": [1, 1]}
        ... )
        >>> evaluate(run, qrels, ["RR"])["RR"].to_dict()
        {'q1': 0.5, 'q2': 0.0}
    """
    _check_grade(relevant_from)
    if repeats not in get_args(Repeats):
        raise ValueError(f"repeats={repeats!r} is not an option; choose from 'all', 'hits'.")
    preset, named = preset_named(conventions), measures_named(measures)
    of_judged = any(measure.of_judged for measure in named.values())

    run, qrels = frames_of(run, qrels)
    tables = Tables(run, qrels, relevant_from=relevant_from, judged=of_judged, repeats=repeats)

    @cache
    def hits_under(ties: TieOrder, unjudged: str, low_grades: str) -> Hits:
        return tables.hits(ties=ties, unjudged=unjudged, low_grades=low_grades)

    hits = hits_under(preset.choices.ties, preset.choices.unjudged, "nothing")
    tied = hits.query[hits.tied > 1]
    missing = (hits.judged or hits).n_retrieved == 0
    empty, unaveraged = (np.zeros(hits.n_queries, dtype=bool) for _ in range(2))
    columns: dict[str, np.ndarray] = {}
    for name, measure in named.items():
        chosen = measure.named_by(preset)
        low_grades = "gain" if keeps_low_grades(measure, chosen) else "nothing"
        hits = hits_under(chosen.ties, chosen.unjudged, low_grades)
        nothing = measure.counted(hits).n_relevant == 0
        left_out = _left_out(hits, missing, chosen.missing, "missing from the run", "missing")
        left_out |= _left_out(
            hits, nothing, chosen.no_relevant, "without a relevant item", "no_relevant"
        )
        found = _values(name, measure, hits, chosen, tie_range=tie_range, chance=chance)
        columns |= {column: np.where(left_out, np.nan, values) for column, values in found.items()}
        empty |= nothing
        unaveraged |= left_out
    frame = pd.DataFrame(columns, index=pd.Index(hits.query_ids, name="query_id"))
    if tie_range:
        frame["tied"] = np.isin(np.arange(hits.n_queries), tied)
    if unjudged_range:
        _refuse_engines(run, qrels)
        as_listed = conventions
        if preset.choices.unjudged == "removed":
            as_listed = preset.choices.but(unjudged="not_relevant")
        options = {"conventions": as_listed, "relevant_from": relevant_from}
        none = frame if as_listed == conventions else evaluate(run, qrels, named, **options)
        lowest = {each: max(relevant_from or 1, named[each].rel or 0) for each in named}
        frame[[f"{name} none" for name in named]] = none.loc[frame.index, list(named)]
        for grade in sorted({*lowest.values()}):
            names = [name for name in named if lowest[name] == grade]
            everything = evaluate(run, _all_judged(run, qrels, grade), names, **options)
            frame[[f"{name} all" for name in names]] = everything.loc[frame.index, names]
    frame.attrs = {
        "judged": hits.n_queries,
        "averaged": int((~unaveraged).sum()),
        "missing": int(missing.sum()),
        "empty": int(empty.sum()),
        "run_only": hits.n_run_only,
        "preset": conventions if isinstance(conventions, str) else "none",
        "conventions": preset.choices.as_dict(),
        "relevant_from": relevant_from,
    }
    if isinstance(tables.run, LazyRun):
        frame.attrs["repeats"] = repeats
    return frame


def _refuse_engines(*tables: object) -> None:
    if not all(isinstance(table, pd.DataFrame) for table in tables):
        raise DataError(
            "unjudged_range makes a judgement of every retrieved item, so it needs run and qrels "
            "in memory. Leave it out; preflight counts how many items are judged."
        )


def _check_grade(relevant_from: float | None) -> None:
    if relevant_from is not None and not (np.isreal(relevant_from) and relevant_from > 0):
        raise ValueError(
            f"relevant_from={relevant_from!r} is not a grade; expected a number above 0, or None "
            "for any grade above 0."
        )


def _values(
    name: str, measure: Measure, hits: Hits, chosen: Conventions, *, tie_range: bool, chance: bool
) -> dict[str, np.ndarray]:
    found = {name: measure.values(hits, chosen)}
    if tie_range:
        found[f"{name} worst"], found[f"{name} best"] = measure.bounds(hits, chosen)
    if chance:
        found[f"{name} chance"] = measure.expected(hits.all_tied, chosen)
        found[f"{name} lift"] = _lift(found[name], found[f"{name} chance"])
    return found


def _all_judged(run: pd.DataFrame, qrels: pd.DataFrame, grade: float) -> pd.DataFrame:
    """The qrels, and this grade for every retrieved item of their queries that has none."""
    pairs = [
        pd.MultiIndex.from_arrays([frame[name].astype(str) for name in ("query_id", "doc_id")])
        for frame in (run, qrels)
    ]
    ours = pairs[0].get_level_values(0).isin(pairs[1].get_level_values(0))
    unjudged = pairs[0][ours & ~pairs[0].isin(pairs[1])].to_frame(index=False)
    unjudged.columns = ["query_id", "doc_id"]
    known = pairs[1].to_frame(index=False).set_axis(["query_id", "doc_id"], axis=1)
    known["relevance"] = qrels["relevance"].to_numpy()
    return pd.concat([known, unjudged.assign(relevance=grade)], ignore_index=True)


def _lift(value: np.ndarray, chance: np.ndarray) -> np.ndarray:
    return np.divide(value, chance, out=np.full_like(value, np.nan), where=chance > 0)


def _left_out(hits: Hits, queries: np.ndarray, choice: str, what: str, option: str) -> np.ndarray:
    if choice == "error" and queries.any():
        raise DataError(
            f"{int(queries.sum())} of {hits.n_queries} judged queries are {what}, the first is "
            f"{shown(hits.query_ids[queries.argmax()])}. Conventions({option}='zero') counts them "
            f"as 0, Conventions({option}='skip') leaves them out of the mean."
        )
    return queries & (choice == "skip")
