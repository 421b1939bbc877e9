"""Runs compared on the same queries, and what to do instead of what others let one do."""

import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from os import PathLike
from typing import ParamSpec, TypeVar, Unpack

import pandas as pd

from byhand.errors import DataError, shown
from byhand.metrics.conventions import Conventions
from byhand.metrics.evaluate import Evaluation, MissingQueriesWarning, NoCommonItemsWarning
from byhand.metrics.measure_names import measures_named
from byhand.metrics.presets import preset_named
from byhand.metrics.run_with_qrels import RunWithQrels
from byhand.statistics.intervals import CONFIDENCE
from byhand.statistics.paired import Correct, chosen_pairs, compare_values, refuse_single
from byhand.statistics.randomisation import Rng
from byhand.statistics.verdicts import MISSING_LIMIT
from byhand.tables.judged_runs import FROM_RUNS
from byhand.tables.runs_and_qrels import Reading, check_options, several_of

_P, _R = ParamSpec("_P"), TypeVar("_R")


def _answering(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Answer who gives the runs one by one, and measures behind the qrels."""

    @wraps(function)
    def asked(*args: _P.args, **options: _P.kwargs) -> _R:
        if len(args) == 4:
            _check_order(*args)
        return function(*args, **options)

    return asked


@_answering
def compare(
    runs: Mapping[str, object],
    qrels: object,
    measures: Iterable[object] = ("RR", "AP", "nDCG"),
    *,
    conventions: str | Conventions = "trec_eval -c",
    relevant_from: float | None = None,
    pairs: Iterable[tuple[str, str]] | None = None,
    permutations: int = 100_000,
    confidence: float = CONFIDENCE,
    rng: Rng = 0,
    correct: Correct = "all",
    clusters: object = None,
    matters: float | None = None,
    run_columns: Mapping[object, object] | None = None,
    **reading: Unpack[Reading],
) -> pd.DataFrame:
    """Systems compared two by two on the same queries: one row a measure and pair.

    Args:
        runs: at least two runs by name, each as `evaluate` takes it.
        qrels, measures, relevant_from: as in `evaluate`. If the qrels are one of the runs, a table
            with scores and relevance, what each run says of its items counts for all.
        conventions: as in `evaluate`. A query that a run lacks counts 0 or is left out for both.
        pairs, permutations, confidence, rng, correct, clusters, matters: as in `compare_values`.
        run_columns: as in `evaluate`; where the runs differ, by their names:
            `{"old": {"Item": "doc_id"}}`.
        reading: further options of `evaluate`: `duplicates`, `qrels_columns`, `repeats`.

    Returns:
        The table of `compare_values`, with `missing_a` and `missing_b`; its `.attrs` have the
        options, and with `duplicates` how many rows of each run are `repeated`.

    Warns:
        MissingQueriesWarning: a run lacks more than 5% of the judged queries.
        NoCommonItemsWarning: no item of a run is in the qrels.

    Raises:
        DataError: fewer than two runs, a name that is not in `runs`, a run or qrels that
            `evaluate` refuses.
        ValueError: an unknown measure or preset, an option out of range.

    Example:
        >>> good, bad = {"p": ["D"], "q": ["D"]}, {"p": ["E"], "q": ["E"]}
        >>> qrels = {"p": {"D": 1, "E": 0}, "q": {"D": 1, "E": 0}}
        >>> table = compare({"good": good, "bad": bad}, qrels, ["RR"])
        >>> table[["difference", "p", "verdict"]].iloc[0].to_dict()
        {'difference': 1.0, 'p': 0.5, 'verdict': 'too few to tell'}
    """
    check_options(compare, reading, _instead(runs, reading))
    _check_order(runs, qrels, measures)
    measures = list(measures_named(measures))
    chosen = preset_named(conventions).choices
    refuse_single(runs, "runs", frames=False)
    pairs = chosen_pairs(runs, pairs)
    _refuse_values(runs)
    checked, judged = several_of(runs, qrels, run_columns=run_columns, **reading)
    values = {}
    for name, run in checked.items():
        try:
            tables = RunWithQrels(run, judged, relevant_from=relevant_from)
            evaluation = Evaluation(tables, measures, conventions=conventions)
        except DataError as error:
            raise DataError(f"Evaluating runs[{shown(name)}]: {error}") from None
        values[name] = evaluation.table()
        if said := evaluation.no_common_items():
            warnings.warn(f"runs[{shown(name)}]: {said}", NoCommonItemsWarning, stacklevel=3)
    missing = {name: table.attrs["missing"] for name, table in values.items()}
    _warn_of_missing(missing, n_judged=len(next(iter(values.values()))))
    table = compare_values(
        values,
        missing=missing,
        pairs=pairs,
        permutations=permutations,
        confidence=confidence,
        rng=rng,
        correct=correct,
        clusters=clusters,
        matters=matters,
    )
    table.attrs |= {"relevant_from": relevant_from, "conventions": chosen.as_dict()}
    if any("repeats" in each.attrs for each in values.values()):
        table.attrs["repeats"] = reading.get("repeats", "all")
    if judged.attrs.get(FROM_RUNS):
        table.attrs["judgements"] = "the runs' own rows: what was never retrieved is not known"
    if reading.get("duplicates"):
        table.attrs["repeated"] = {name: run.repeated for name, run in checked.items()}
    return table


def _refuse_values(runs: Mapping[str, object]) -> None:
    """Refuse the values of a run in its place."""
    for name, run in runs.items():
        frame = isinstance(run, pd.DataFrame)
        if frame and run.index.name == "query_id" and "doc_id" not in run.columns:
            raise DataError(
                f"runs[{shown(name)}] looks like the per-query table that evaluate returns. "
                "Pass the run itself; or pass all such tables, without qrels, to "
                "compare_values (from byhand.statistics import compare_values)."
            )


def _warn_of_missing(missing: Mapping[str, int], n_judged: int) -> None:
    """Say which runs lack so many queries that there is no verdict on them."""
    for name, lacks in missing.items():
        if lacks > MISSING_LIMIT * n_judged:
            warnings.warn(
                f"runs[{shown(name)}] lacks {lacks:,} of the {n_judged:,} judged "
                f"queries, more than {MISSING_LIMIT:.0%}, so what it did not answer may decide: "
                "the verdict is withheld. Complete the run; or compare on the queries that all "
                "runs answered: leave the others out of qrels, and say how many they are.",
                MissingQueriesWarning,
                stacklevel=4,  # who called compare
            )


def _instead(runs: object, given: Mapping[str, object]) -> dict[str, str]:
    """Of options that others have, what there is here."""
    tests = (
        "Each row has p of a randomisation test, corrected in p_holm, and beside it p_t of the "
        "paired t test."
    )
    interval = (
        "low and high are the ends of a t interval, with a caution where it may be wrong; p is of "
        "a randomisation test, and permutations says how many it draws."
    )
    base = given.get("baseline")
    others = [name for name in runs if name != base] if isinstance(runs, Mapping) else []
    return {
        "baseline": f"Name the pairs to compare: pairs={[(name, base) for name in others]!r}.",
        "alpha": "The verdicts are on alpha = 1 - confidence: confidence=0.95.",
        "groups": "Of runs by name, report(runs, qrels, groups=...) compares them in each group.",
        "metrics": "The third argument has the measures: measures=['RR', 'AP'].",
        "seed": "The seed of the test is rng: rng=0.",
        **dict.fromkeys(("test", "stat_test"), tests),
        **dict.fromkeys(("bootstrap", "n_bootstrap", "n_resamples", "ci"), interval),
    }


def _check_order(runs: object, qrels: object, measures: object, *more: object) -> None:
    """Refuse runs beside each other and qrels before the runs, with the call to paste.

    Where the qrels came third, `more` has the measures.
    """
    first, second, third = (
        repr(str(each)) if isinstance(each, str | PathLike) else name
        for each, name in ((runs, "a"), (qrels, "b"), (measures, "qrels"))
    )
    if _is_data(measures) or (first != "a" and second != "b" and third != "qrels"):
        others = ", ".join([third, "measures"] if more else [third])
        raise DataError(
            "compare takes the runs by name, in one dict: "
            f"compare({{'a': {first}, 'b': {second}}}, {others})"
        )
    if isinstance(qrels, Mapping) and qrels and all(map(_is_data, qrels.values())):
        held = next(iter(qrels.values()))
        if not isinstance(held, Mapping) or _is_data(next(iter(held.values()), None)):
            raise DataError(
                "compare takes the runs before the qrels, and the second argument holds runs by "
                "name. Pass them the other way round: compare(runs, qrels)"
            )


def _is_data(held: object) -> bool:
    return isinstance(held, Mapping | pd.DataFrame) or hasattr(held, "__arrow_c_stream__")
