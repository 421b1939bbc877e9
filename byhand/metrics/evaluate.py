"""A run under qrels: one row a query, one column a measure."""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd

from byhand.duplicates import Duplicates
from byhand.errors import DataError, shown
from byhand.metrics.calls import answering
from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import Hits
from byhand.metrics.measure_names import measures_named
from byhand.metrics.measures import Measure
from byhand.metrics.measures.measure import keeps_low_grades
from byhand.metrics.presets import preset_named
from byhand.metrics.run_with_qrels import RunWithQrels
from byhand.naming import ColumnNames
from byhand.tables.counting import Repeats

MEASURES = ("RR", "AP", "nDCG")
# what stands behind the name of a measure, of each kind of its values
_NAMES = {"": ("",), "ties": (" worst", " best"), "chance": (" chance",)}


# the share of the judged queries that a run may lack without a word, and with a verdict
MISSING_LIMIT = 0.05
_LOOKED_AT = 1_000_000  # rows in which a run and qrels without a hit are searched for one item
# options of other tools -> what there is here
INSTEAD = {
    "groups": "It gives a value for each query, and so for groups of them: "
    "evaluate(run, qrels).groupby(groups).mean(), where groups is a dict or a Series, query -> "
    "group. compare_groups(a, b) tells whether two differ, each the values of one measure; "
    "report(run, qrels, groups=...) shows all of them.",
    "metrics": "The third argument has the measures: measures=['RR', 'AP']",
    "k": "A cutoff is said with each measure: measures=['RR@10', 'nDCG@10']",
}
# of queries that an option of a choice refuses
_REFUSED = {"missing": "missing from the run", "no_relevant": "without a relevant item"}


class MissingQueriesWarning(UserWarning):
    """A run lacks so many judged queries that its means, or a comparison, say little of it."""


class NoCommonItemsWarning(UserWarning):
    """No item of a run is in the qrels, so that all values are 0: their ids may be of two kinds."""


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
    repeats: Repeats = "all",
    drop_self: bool = False,
) -> pd.DataFrame:
    """The value of each measure for each judged query.

    Ids compare as text: 7 equals "7". Those of queries come back as the qrels have them. The mean
    of a column is MRR, MAP, mean nDCG and so on; a query that the conventions leave out of the mean
    has no value (NaN).

    Args:
        run: one row a retrieved item, columns `query_id`, `doc_id`, `score` (finite, higher is
            better) or else `rank` (lower is better), or as they are usually called. A frame; any
            table that speaks Arrow's C stream interface, as those of polars and pyarrow do; named
            tuples; or one row a query, with the list of its items. Or nested
            dicts, `{"q1": {"d7": 0.93}}`, and lists, the best item first, `{"q1": ["d7", "d2"]}`
            or `{"q1": [("d7", 0.93), ("d2", 0.4)]}`; a list of lists is of the first query, the
            second and so on. Or a file, as `read_run` takes it. Or a table that is counted where
            it lives: of `scan`, of Ibis, a relation of DuckDB, a frame of PySpark.
        qrels: one row a judgement, columns `query_id`, `doc_id`, `relevance` (a finite number;
            0 and below is not relevant), as such a table; or the relevant items of each query,
            `{"q1": ["d7"]}`, also as a set. If it is the same as the run, each row says both; a row
            without a grade is not judged, without ids each row is an item, and what was never
            retrieved is in no such table, and does not count.
        measures: names in ir_measures' notation, such as `"RR"`, `"AP"`, `"nDCG@10"`, names that
            people write elsewhere, such as `"MRR"`, `"Recall@100"` and `"ndcg_cut_10"`, or
            ir_measures objects; or just one.
        conventions: the name of a preset, or a `Conventions` value.
        queries: ids of judged queries, such as a list, a set or a column: only these are evaluated.
        relevant_from: the lowest grade that is relevant; None for any above 0. Lower grades count
            as not relevant, and gain nothing; with `conventions="trec_eval -c -l"`, or
            `Conventions(low_grades="gain")`, they keep what they gain in DCG, nDCG and ERR.
        run_columns, qrels_columns: the table's names for our columns, such as
            `{"Edge": "doc_id"}`; for qrels `{"relevance": 1}` where every row is a hit.
        duplicates: which row of the run stays where several have one query and item, as the chunks
            of a document: the `"first"` of them as they come, or the `"best"`, with the highest
            score (of equal ones the first); None refuses them. Items below move up.
        repeats: where a repeated (query, item) is looked for in a run that lives in an engine:
            in `"all"` rows, which are brought together for it, or only among the `"hits"`.
        drop_self: If True, leave out of each list, and of its judgements, the item whose id is
            that of the query, as a search for similar items finds it first; items below move up.
            False by default.

    Returns:
        A frame with one row a judged query, in the order of the qrels (those of an engine: of
        their ids; index `query_id`), and one column a measure, called as it was asked for: `"MRR"`
        holds the RR of each query. Its `.attrs` says how many queries were `judged`, `averaged`
        (they have a value for every measure), `missing` (the run lacks them), `empty` (no item is
        relevant to one of the measures) and `run_only` (in the run, not judged), which `preset` and
        `conventions` were used, where `repeats` were looked for in an engine, and how many rows
        were left out as `repeated`; and `judgements`, if they are those of the run's own rows only.

    Warns:
        MissingQueriesWarning: the run lacks more than 5% of the queries, which count 0.
        NoCommonItemsWarning: no item of the run is in the qrels, as with ids 7 and 0007.

    Raises:
        DataError: a missing column or value, a repeated (query, item), a score or grade that is
            no finite number, lists whose scores rise, no query in common, dicts or lists that
            look like qrels and run in each other's place; AP divided by the hits found in the mean
            over orders, where its cutoff splits a tie.
        ValueError: an unknown measure or preset; the mean over tied orders of a measure for
            which none is known.

    Source:
        Each measure's own, in `byhand.metrics.measures`.

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
        repeats=repeats,
        drop_self=drop_self,
    ).as_given()


@dataclass(frozen=True)
class Part:
    """One measure under its conventions, and the queries that have nothing to count."""

    measure: Measure
    chosen: Conventions
    hits: Hits
    empty: np.ndarray
    left_out: np.ndarray

    def values(self, kind: str, lenient: bool) -> dict[str, np.ndarray]:
        """What stands behind the name of the measure -> its values of a kind."""
        measure, hits, chosen, names = self.measure, self.hits, self.chosen, _NAMES[kind]
        try:
            if kind == "ties":
                found = measure.bounds(hits, chosen)
            elif kind == "chance":
                found = [measure.expected(hits.all_tied, chosen)]
            else:
                found = [measure.values(hits, chosen)]
        except ValueError:
            if not (kind and lenient):
                raise
            return dict.fromkeys(names, np.full(hits.n_queries, np.nan))
        if chosen.no_relevant == "one":
            found = [np.where(self.empty, 1.0, values) for values in found]
        found = [np.where(self.left_out, np.nan, values) for values in found]
        return dict(zip(names, found, strict=True))


class Evaluation:
    """A run under qrels by some measures: their values, and what may stand beside them.

    Args:
        tables: the run and the qrels, whose hits are counted once for all that is asked of them.
        measures, conventions: as in `evaluate`, which says what is refused.

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
        """The same of what `evaluate` takes; a name that is not known is said before it is read.

        Whoever asks `evaluate`, or what is called in its place, is warned of what is missing.
        """
        preset_named(conventions)
        named = measures_named(measures)
        found = cls(RunWithQrels(run, qrels, **reading), named, conventions=conventions)
        found._warn_of_missing()
        if said := found.no_common_items():
            warnings.warn(said, NoCommonItemsWarning, stacklevel=4)  # who called evaluate
        return found

    def table(self, *more: str, lenient: bool = False) -> pd.DataFrame:
        """The table of `evaluate`, with more columns.

        Args:
            more: `"ties"`: the `worst` and the `best` value that the order of equal scores allows,
                and in the end `tied`, whether a relevant item of the query shares its score;
                `"chance"`: the value that is expected for the same items in a random order.
            lenient: whether what is not known of a measure is left empty (NaN), not a ValueError.
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
        """The same table, with the ids of queries as their owner wrote them."""
        found = self.table(*more)
        found.index = self.tables.as_given(found.index)
        return found

    def _warn_of_missing(self) -> None:
        missing, judged = int(self._missing.sum()), self._hits.n_queries
        if missing > MISSING_LIMIT * judged and self.preset.choices.missing == "zero":
            warnings.warn(
                f"The run lacks {missing:,} of the {judged:,} queries, and each counts as 0. If it "
                "was not asked them, queries=[...] evaluates only those that you name, and "
                "conventions=Conventions(missing='skip') leaves them out of the mean.",
                MissingQueriesWarning,
                stacklevel=5,  # who called evaluate
            )

    def no_common_items(self) -> str:
        """Return what to say of a run none of whose items is in the qrels; empty if one is."""
        tables = self.tables
        if len(self._hits.rank) or len(tables.hits(judged=True).judged.rank):
            return ""
        run, qrels = (table.head(_LOOKED_AT)["doc_id"] for table in (tables.run, tables.qrels))
        if len(run) == 0 or len(qrels) == 0 or run.isin(qrels).any():
            return ""
        return (
            "No item of the run is in the qrels, so all values are 0. The run has "
            f"{shown(run[0])}, the qrels have {shown(qrels[0])}. Ids compare as text: write them "
            "alike in both."
        )

    def _part(self, measure: Measure) -> Part:
        chosen = measure.chosen_by(self.preset)
        low_grades = "gain" if keeps_low_grades(measure, chosen) else "nothing"
        hits = self.tables.hits(
            ties=chosen.ties, unjudged=chosen.unjudged, low_grades=low_grades, judged=self._judged
        )
        empty = measure.counted(hits).n_relevant == 0
        left_out = _left_out(hits, self._missing, chosen, "missing")
        left_out |= _left_out(hits, empty, chosen, "no_relevant")
        return Part(measure, chosen, hits, empty, left_out)

    def _attrs(self) -> dict[str, object]:
        hits, parts, run = self._hits, self.parts.values(), self.tables.run
        none = np.zeros(hits.n_queries, dtype=bool)
        how = {"repeats": run.repeats, "repeated": run.repeated}
        if self.tables.of_one:
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
            f"{int(queries.sum())} of {hits.n_queries} judged queries are {_REFUSED[choice]}, the "
            f"first is {shown(hits.query_ids[queries.argmax()])}. "
            f"Conventions({choice}='zero') counts them as 0, Conventions({choice}='skip') leaves "
            "them out of the mean."
        )
    return queries & (how == "skip")
