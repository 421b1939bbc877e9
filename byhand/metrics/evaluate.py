"""The evaluation of a run with qrels: one row per query, one column per measure."""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd

from byhand.duplicates import Duplicates
from byhand.errors import DataError, shown
from byhand.metrics.calls import answering
from byhand.metrics.conventions import CHOICES, Conventions
from byhand.metrics.hits import Hits
from byhand.metrics.measure_names import measures_named
from byhand.metrics.measures import Measure
from byhand.metrics.measures.measure import keeps_low_grades
from byhand.metrics.presets import preset_named
from byhand.metrics.run_with_qrels import RunWithQrels
from byhand.naming import ColumnNames

MEASURES = ("RR", "AP", "nDCG")
# kind of values -> suffixes of the columns of a measure
_NAMES = {"": ("",), "ties": (" worst", " best"), "chance": (" chance",)}

# share of the judged queries that a run may lack without a warning or a withheld verdict
MISSING_LIMIT = 0.05
_LOOKED_AT = 1_000_000  # rows searched for a common item if there are no hits
# options of other tools -> hint
INSTEAD = {
    "groups": "evaluate(run, qrels).groupby(groups).mean() has the mean of each group if groups "
    "maps each query to its group, and report(run, qrels, groups=...) compares the groups.",
    "metrics": "Pass the measures as the third argument: measures=['RR', 'AP'].",
    "k": "Write the cutoff in the name of each measure: measures=['RR@10', 'nDCG@10'].",
    **{name: f"Pass it in conventions=Conventions({name}=...)." for name in CHOICES},
}
# choice -> beginning of the message of its option "error"
_REFUSED = {"missing": "The run lacks", "no_relevant": "There is no relevant item for"}


class MissingQueriesWarning(UserWarning):
    """Warning that a run lacks too many judged queries for its means to be meaningful."""


class NoCommonItemsWarning(UserWarning):
    """Warning that no item of a run is in the qrels, so that all values are 0."""


@answering(INSTEAD)
def evaluate(
    run: object,
    qrels: object,
    measures: Iterable[object] = MEASURES,
    *,
    conventions: str | Conventions = "trec_eval -c",
    queries: Iterable[object] | None = None,
    relevant_from: float | None = None,
    run_columns: ColumnNames | None = None,
    qrels_columns: ColumnNames | None = None,
    duplicates: Duplicates | None = None,
    drop_self: bool = False,
) -> pd.DataFrame:
    """Compute each measure for each judged query.

    IDs compare as text: 7 equals "7". The result has the query ids as written in the qrels. The
    mean of a column is MRR, MAP, mean nDCG and so on. A query that the conventions leave out of the
    mean has the value NaN.

    Args:
        run: one row per retrieved item, with the columns `query_id`, `doc_id`, and `score` (finite,
            higher is better) or `rank` (lower is better), or their usual other names. It can be a
            frame; a table with Arrow's C stream interface, such as those of polars and pyarrow;
            named tuples; one row per query with a list of its items; a file, as in `read_run`; or a
            table in a database, from `scan`, Ibis, DuckDB or PySpark. Or nested dicts,
            `{"q1": {"d7": 0.93}}`, or lists, the best item first: `{"q1": ["d7", "d2"]}`,
            `{"q1": [("d7", 0.93), ("d2", 0.4)]}`, or a list of lists, one per query.
        qrels: one row per judgement, with the columns `query_id`, `doc_id` and `relevance` (finite;
            0 and below is not relevant), as such a table; or the relevant items of each query,
            `{"q1": ["d7"]}`, also as a set. To evaluate a combined table, pass it as both run and
            qrels: rows without a grade are unjudged, each row is an item if there are no ids, and
            relevant items that were not retrieved do not count.
        measures: one or more names in ir_measures' notation, such as `"RR"`, `"AP"`, `"nDCG@10"`;
            usual other names, such as `"MRR"`, `"Recall@100"` and `"ndcg_cut_10"`; or ir_measures
            objects. RR, AP and nDCG by default.
        conventions: the name of a preset, `"trec_eval -c"` by default, or a `Conventions` value.
        queries: the ids of the judged queries to evaluate, such as a list or a column; None, the
            default, for all.
        relevant_from: the lowest relevant grade; None, the default, for any above 0. Lower grades
            are not relevant and have no gain. With `conventions="trec_eval -c -l"`, or
            `Conventions(low_grades="gain")`, they keep their gain in DCG, nDCG and ERR.
        run_columns, qrels_columns: the names of columns, such as `{"Edge": "doc_id"}`; for qrels
            `{"relevance": 1}` if every row is relevant. None, the default, recognises usual names.
        duplicates: the row to keep if several have the same query and item, such as chunks of a
            document: the `"first"`, or the `"best"` (the highest score; of equal ones the first).
            Items below move up. None, the default, raises DataError.
        drop_self: If True, remove from each list and its judgements the item with the id of the
            query, because a search for similar items finds it first. Items below move up. False by
            default.

    Returns:
        A frame with one row per judged query (index `query_id`) and one column per measure, named
        as requested: `"MRR"` contains the RR of each query. Rows are in the order of the qrels; for
        a database, in the order of their ids. Its `.attrs` count the queries: `judged`, `averaged`
        (with a value for every measure), `missing` (not in the run), `empty` (without a relevant
        item for some measure) and `run_only` (in the run, unjudged). They also contain `preset`,
        `conventions` and `relevant_from`; with `duplicates` the number of rows removed, `repeated`;
        and for a combined table a note on its `judgements`.

    Warns:
        MissingQueriesWarning: If the run lacks more than 5% of the queries, which count as 0.
        NoCommonItemsWarning: If no item of the run is in the qrels, as with ids 7 and 0007.

    Raises:
        DataError: If a column or value is missing, a (query, item) is repeated, a score or grade is
            not a finite number, the scores of a list rise, run and qrels have no query in common or
            seem to be swapped, an id in `queries` is not judged, or the conventions set "error" for
            a query that is missing or has no relevant item; or if ties="expected" is combined with
            denominator="retrieved" and a cutoff of AP that falls inside a tie.
        ValueError: If a measure, preset or option is unknown, `relevant_from` is not above 0, or a
            measure has no known mean over tied orders.

    References:
        Those of each measure, in `byhand.metrics.measures`.

    Example:
        >>> run, qrels = {"q1": ["D1", "D4"], "q2": ["D1"]}, {"q1": ["D4"], "q2": ["D4"]}
        >>> evaluate(run, qrels, "RR")["RR"].to_dict()
        {'q1': 0.5, 'q2': 0.0}
    """
    return Evaluation.of(
        run,
        qrels,
        measures,
        conventions,
        queries=queries,
        relevant_from=relevant_from,
        run_columns=run_columns,
        qrels_columns=qrels_columns,
        duplicates=duplicates,
        drop_self=drop_self,
    ).as_given()


@dataclass(frozen=True)
class MeasuredHits:
    """One measure with its conventions, its hits and the queries without a relevant item."""

    measure: Measure
    chosen: Conventions
    hits: Hits
    empty: np.ndarray
    left_out: np.ndarray

    def values(self, kind: str, lenient: bool) -> dict[str, np.ndarray]:
        """Return the values of a kind, by the suffix of their column."""
        measure, hits, chosen, names = self.measure, self.hits, self.chosen, _NAMES[kind]
        try:
            if kind == "ties":
                results = measure.bounds(hits, chosen)
            elif kind == "chance":
                results = [measure.expected(hits.all_tied, chosen)]
            else:
                results = [measure.values(hits, chosen)]
        except ValueError:
            if not (kind and lenient):
                raise
            return dict.fromkeys(names, np.full(hits.n_queries, np.nan))
        if chosen.no_relevant == "one":
            results = [np.where(self.empty, 1.0, values) for values in results]
        results = [np.where(self.left_out, np.nan, values) for values in results]
        return dict(zip(names, results, strict=True))


class Evaluation:
    """Evaluate a run with qrels, and optionally the ranges of ties and the chance levels.

    Args:
        tables: the run and the qrels, whose hits are counted once for all results.
        measures: as in `evaluate`, but required.
        conventions: as in `evaluate`; "trec_eval -c" by default.

    Raises:
        DataError: If the conventions set "error" for a query of the data.
        ValueError: If a measure or preset is unknown.

    Example:
        >>> tables = RunWithQrels({"q": {"a": 1, "b": 1}}, {"q": {"a": 1}})
        >>> Evaluation(tables, ["RR"]).table("ties", "chance").loc["q"].to_dict()
        {'RR': 0.5, 'RR worst': 0.5, 'RR best': 1.0, 'RR chance': 0.75, 'tied': True}
    """

    def __init__(
        self,
        tables: RunWithQrels,
        measures: Iterable[object],
        *,
        conventions: str | Conventions = "trec_eval -c",
    ) -> None:
        self.tables, self.conventions = tables, conventions
        self.preset, self.measures = preset_named(conventions), measures_named(measures)
        choices, measures = self.preset.choices, self.measures.values()
        self._judged = any(measure.of_judged for measure in measures)
        self._hits = tables.hits(ties=choices.ties, unjudged=choices.unjudged, judged=self._judged)
        self._missing = self._hits.missing
        self.parts = {name: self._part(measure) for name, measure in self.measures.items()}

    @classmethod
    def of(
        cls, run: object, qrels: object, measures: object, conventions: object, **reading: Any
    ) -> Self:
        """Evaluate tables of any form, as `evaluate` does, and warn of missing queries or items.

        Names of measures and presets are checked before the tables are read.
        """
        preset_named(conventions)
        named = measures_named(measures)
        evaluation = cls(RunWithQrels(run, qrels, **reading), named, conventions=conventions)
        evaluation._warn_of_missing()
        if message := evaluation.no_common_items():
            warnings.warn(message, NoCommonItemsWarning, stacklevel=4)  # the caller of evaluate
        return evaluation

    def table(self, *more: str, lenient: bool = False) -> pd.DataFrame:
        """Return the table of `evaluate`, with optional columns.

        Args:
            more: `"ties"` for the `worst` and `best` value over the orders of equal scores, and a
                last column `tied`: whether a relevant item of the query is tied;
                `"chance"` for the chance level.
            lenient: If True, use NaN for unknown values instead of a ValueError. False by default.
        """
        hits = self._hits
        columns = {
            name + what: values
            for name, part in self.parts.items()
            for kind in ("", *more)
            for what, values in part.values(kind, lenient).items()
        }
        frame = pd.DataFrame(columns, index=pd.Index(hits.query_ids, name="query_id"))
        if "ties" in more:
            frame["tied"] = np.isin(np.arange(hits.n_queries), hits.query[hits.tied > 1])
        frame.attrs = self._attrs()
        return frame

    def as_given(self, *more: str) -> pd.DataFrame:
        """Return the same table with the query ids as written in the qrels."""
        frame = self.table(*more)
        frame.index = self.tables.as_given(frame.index)
        return frame

    def _warn_of_missing(self) -> None:
        missing, judged = int(self._missing.sum()), self._hits.n_queries
        if missing > MISSING_LIMIT * judged and self.preset.choices.missing == "zero":
            warnings.warn(
                f"The run lacks {missing:,} of the {judged:,} judged queries, and each counts as "
                "0. If they were not searched, pass the others as queries=[...], or set "
                "missing='skip' in the conventions to leave them out of the mean.",
                MissingQueriesWarning,
                stacklevel=5,  # the caller of evaluate
            )

    def no_common_items(self) -> str:
        """Return a warning if no item of the run is in the qrels; otherwise an empty text."""
        tables = self.tables
        if len(self._hits.rank) or len(tables.hits(judged=True).judged.rank):
            return ""
        run, qrels = (table.head(_LOOKED_AT)["doc_id"] for table in (tables.run, tables.qrels))
        if len(run) == 0 or len(qrels) == 0 or run.isin(qrels).any():
            return ""
        return (
            "No item of the run is in the qrels, so all values are 0. The run has "
            f"{shown(run[0])}, the qrels have {shown(qrels[0])}. Ids compare as text: write them "
            "the same way in both."
        )

    def _part(self, measure: Measure) -> MeasuredHits:
        chosen = measure.chosen_by(self.preset)
        low_grades = "gain" if keeps_low_grades(measure, chosen) else "nothing"
        hits = self.tables.hits(
            ties=chosen.ties, unjudged=chosen.unjudged, low_grades=low_grades, judged=self._judged
        )
        empty = measure.counted(hits).n_relevant == 0
        left_out = _left_out(hits, self._missing, chosen, "missing")
        left_out |= _left_out(hits, empty, chosen, "no_relevant")
        return MeasuredHits(measure, chosen, hits, empty, left_out)

    def _attrs(self) -> dict[str, object]:
        hits, parts, run = self._hits, self.parts.values(), self.tables.run
        none = np.zeros(hits.n_queries, dtype=bool)
        how = {"repeated": run.repeated}
        if self.tables.qrels.own:
            how["judgements"] = "the run's own rows: what was never retrieved is not known"
        return {
            "judged": hits.n_queries,
            "averaged": int((~np.any([none, *(part.left_out for part in parts)], axis=0)).sum()),
            "missing": int(self._missing.sum()),
            "empty": int(np.any([none, *(part.empty for part in parts)], axis=0).sum()),
            "run_only": hits.n_run_only,
            "preset": self.conventions if isinstance(self.conventions, str) else "none",
            "conventions": self.preset.choices.as_dict(),
            "relevant_from": self.tables.relevant_from,
            **{name: value for name, value in how.items() if value is not None},
        }


def _left_out(hits: Hits, queries: np.ndarray, chosen: Conventions, choice: str) -> np.ndarray:
    how = getattr(chosen, choice)
    if how == "error" and queries.any():
        raise DataError(
            f"{_REFUSED[choice]} {int(queries.sum())} of {hits.n_queries} judged queries, such as "
            f"{shown(hits.query_ids[queries.argmax()])}. Set {choice}='zero' in the conventions to "
            f"count them as 0, or {choice}='skip' to leave them out of the mean."
        )
    return queries & (how == "skip")
