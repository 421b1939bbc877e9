"""Comparison of two or more systems on the same queries."""

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Literal, Unpack, get_args

import numpy as np
import pandas as pd

from byhand.duplicates import Reading
from byhand.errors import DataError, shown
from byhand.metrics.calls import answering
from byhand.metrics.conventions import Conventions
from byhand.metrics.evaluate import (
    MEASURES,
    MISSING_LIMIT,
    Evaluation,
    MissingQueriesWarning,
    NoCommonItemsWarning,
)
from byhand.metrics.measure_names import measures_named
from byhand.metrics.presets import preset_named
from byhand.metrics.run_with_qrels import RunWithQrels
from byhand.statistics.bounds import mean_bounds
from byhand.statistics.clusters import Clusters, drawn_units, independent_values, numbered_pairs
from byhand.statistics.intervals import (
    CONFIDENCE,
    effect_size,
    interval_caution,
    mean_interval,
    paired_t_p,
)
from byhand.statistics.per_query import ROUNDING, aligned, differences, expect
from byhand.statistics.power import WHOLE_SCALE
from byhand.statistics.randomisation import Resampling, Rng, holm, is_exact, randomisation_p
from byhand.statistics.verdicts import Size, Verdict, size_of, verdict
from byhand.tables.runs_and_qrels import FROM_RUNS, several_of
from byhand.whole import WholeFrame

Correct = Literal["all", "primary"]
_FIRST = ("measure", "a", "b", "difference", "low", "high", "p_holm", "verdict", "size", "caution")
_BY_NAME = (
    "compare takes the runs by name, in one dict: compare(runs={'a': a, 'b': b}, qrels=qrels)."
)
_TESTS = (
    "Each row has p of the permutation test, p_holm, the corrected p, and p_t of the paired t test."
)
_INTERVAL = (
    "low and high are the ends of a t interval, and caution warns if it may be wrong. permutations "
    "is the number of random sign flips of the test."
)
# options of other tools -> hint
_INSTEAD = {
    "baseline": "Pass the pairs to compare, such as pairs=[('new', 'baseline')].",
    "alpha": "alpha is 1 - confidence: pass confidence=0.95.",
    "groups": "To compare runs in each group of queries, use report(runs, qrels, groups=...).",
    "metrics": "Pass the measures as the third argument: measures=['RR', 'AP'].",
    "seed": "Pass the seed as rng=0.",
    **dict.fromkeys(("test", "stat_test"), _TESTS),
    **dict.fromkeys(("bootstrap", "n_bootstrap", "n_resamples", "ci"), _INTERVAL),
}


@answering(_INSTEAD, _BY_NAME)
def compare(
    runs: Mapping[str, object],
    qrels: object,
    measures: Iterable[object] = MEASURES,
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
    """Compare systems in pairs on the same queries, with one row per measure and pair.

    Args:
        runs: at least two runs by name, each as in `evaluate`.
        qrels, measures, relevant_from: as in `evaluate`. If the qrels are one of the runs (a
            combined table, with scores and relevance), the judgements of all runs are combined.
        conventions: as in `evaluate`. A query that a run lacks counts as 0 or is left out for both.
        pairs, permutations, confidence, rng, correct, clusters, matters: as in `compare_values`.
        run_columns: as in `evaluate`; if the runs differ, by their names:
            `{"old": {"Item": "doc_id"}}`.
        reading: further options of `evaluate`: `qrels_columns`, `duplicates` and `drop_self`.

    Returns:
        The table of `compare_values`, with `missing_a` and `missing_b`. Its `.attrs` contain the
        options and, with `duplicates`, the number of rows of each run that were `repeated`.

    Warns:
        MissingQueriesWarning: If a run lacks more than 5% of the judged queries.
        NoCommonItemsWarning: If no item of a run is in the qrels.

    Raises:
        DataError: If there are fewer than two runs, a name is not in `runs`, or `evaluate` would
            raise one for a run or the qrels.
        ValueError: If a measure or preset is unknown, or an option is out of range.

    Example:
        >>> good, bad = {"p": ["D"], "q": ["D"]}, {"p": ["E"], "q": ["E"]}
        >>> qrels = {"p": {"D": 1, "E": 0}, "q": {"D": 1, "E": 0}}
        >>> table = compare({"good": good, "bad": bad}, qrels, ["RR"])
        >>> table[["difference", "p", "verdict"]].iloc[0].to_dict()
        {'difference': 1.0, 'p': 0.5, 'verdict': 'too few to tell'}
    """
    if not isinstance(runs, Mapping) or isinstance(measures, Mapping | pd.DataFrame):
        raise DataError(_BY_NAME)
    measures = list(measures_named(measures))
    chosen = preset_named(conventions).choices
    pairs = _chosen_pairs(runs, "runs", pairs)
    checked, judged = several_of(runs, qrels, run_columns=run_columns, **reading)
    values = {}
    for name, run in checked.items():
        try:
            tables = RunWithQrels(run, judged, relevant_from=relevant_from)
            evaluation = Evaluation(tables, measures, conventions=conventions)
        except DataError as error:
            raise DataError(f"runs[{shown(name)}]: {error}") from None
        values[name] = evaluation.table()
        if message := evaluation.no_common_items():
            warnings.warn(f"runs[{shown(name)}]: {message}", NoCommonItemsWarning, stacklevel=3)
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
    if judged.attrs.get(FROM_RUNS):
        table.attrs["judgements"] = "the runs' own rows: what was never retrieved is not known"
    if reading.get("duplicates"):
        table.attrs["repeated"] = {name: run.repeated for name, run in checked.items()}
    return table


def _warn_of_missing(missing: Mapping[str, int], n_judged: int) -> None:
    for name, lacks in missing.items():
        if lacks > MISSING_LIMIT * n_judged:
            warnings.warn(
                f"runs[{shown(name)}] lacks {lacks:,} of the {n_judged:,} judged "
                f"queries, more than {MISSING_LIMIT:.0%}. They may decide the result, so the "
                "verdict is withheld. Complete the run, or remove from qrels the queries that "
                "not all runs answered, and report how many they are.",
                MissingQueriesWarning,
                stacklevel=4,  # the caller of compare
            )


def compare_values(
    values: Mapping[str, pd.DataFrame],
    *,
    missing: Mapping[str, int] | None = None,
    pairs: Iterable[tuple[str, str]] | None = None,
    permutations: int = 100_000,
    confidence: float = CONFIDENCE,
    rng: Rng = 0,
    correct: Correct = "all",
    clusters: object = None,
    matters: float | None = None,
) -> pd.DataFrame:
    """Compare systems by the values that `evaluate` returned for each.

    Args:
        values: at least two tables by name, with the same measures: one row per query, with the
            query as index, in any order; NaN if there is no value.
        missing: mapping name -> the number of queries that the system did not answer, as in
            `.attrs["missing"]` of `evaluate`; None, the default, if there are none or they do not
            count.
        pairs: the pairs (a, b) to compare; None, the default, for all, in the order of `values`.
        permutations: the number of random sign flips of the permutation test, from 1; 100,000 by
            default. If there are at most that many possible sign flips, p is exact.
        confidence: the confidence of the interval, between 0 and 1; 0.95 by default.
        rng: the seed of the test, used again for each row, or a generator; 0 by default.
        correct: the rows over which Holm's procedure corrects p: `"all"`, the default; or
            `"primary"`: the first measure, chosen beforehand to decide, is corrected over its own
            rows only, and the other measures over all rows.
        clusters: the clusters of dependent queries, such as variants of one topic, queries of one
            user, or one query under several seeds: a table or file with `query_id` and `cluster`,
            or a dict by query. Whole clusters are sampled, and their signs flipped together. None,
            the default, for independent queries.
        matters: the smallest difference that matters, above 0, chosen beforehand; None, the
            default, if there is none.

    Returns:
        One row per measure and pair, with these columns:

        - `measure`, `a`, `b`; the `difference` of the means a - b, and its interval, `low` and
          `high`; `p_holm`, the corrected p of the permutation test; the `verdict`, from `p_holm`
          and the interval, with alpha = 1 - confidence.
        - `size`, with `matters`: larger than that, equivalent within it, or neither.
        - `caution`, a warning (see `interval_caution`); the number of `queries` compared and
          `left_out`; `missing_a` and `missing_b`, with `missing`; `mean_a` and `mean_b`.
        - `p`, uncorrected, and whether it is `exact`; `p_t` of the paired t test; `wins` of a,
          `ties` and `losses`; `effect_size` in standard deviations of the differences.
        - `at_least` and `at_most`, the bounds for `size`: `mean_bounds`, as for the gate, with
          alpha divided by the number of rows corrected together, and never inside the interval.
          NaN if values are not from 0 to 1. Equivalence is thus two one-sided tests.
        - `clusters`, with `clusters`: their number. Intervals, bounds, p, `caution` and
          `effect_size` are then of clusters.

    Raises:
        DataError: If there are fewer than two tables, their queries or measures differ, a value is
            infinite, no query has a value in both, or `pairs` or `clusters` does not fit the
            tables.
        ValueError: If an option is out of range.

    References:
        Sakai 2014, "Statistical reform in information retrieval?" (report effect sizes and
        intervals); Lakens 2013, "Calculating and reporting effect sizes to facilitate cumulative
        science" (d_z); Wasserstein and Lazar 2016, "The ASA statement on p-values" (what p means);
        Gail et al. 1996, "On design considerations and randomization-based inference for community
        intervention trials" (clusters); Schuirmann 1987, "A comparison of the two one-sided tests
        procedure and the power approach for assessing the equivalence of average bioavailability".

    Example:
        >>> a = pd.DataFrame({"RR": [1.0, 0.5, 0.5]}, index=["q1", "q2", "q3"])
        >>> table = compare_values({"A": a, "B": a.assign(RR=[0.5, 0.25, 0.5])})
        >>> table[["difference", "p", "wins", "ties"]].iloc[0].to_dict()  # ++ and --, of 4
        {'difference': 0.25, 'p': 0.5, 'wins': 2.0, 'ties': 1.0}
    """
    how = Resampling(permutations=permutations, confidence=confidence, rng=rng)
    known = get_args(Correct)
    expect(correct in known, f"one of {', '.join(known)}", correct=correct)
    fine = matters is None or (math.isfinite(matters) and matters > 0)
    expect(fine, "a number above 0, such as 0.02", matters=matters)
    pairs = _chosen_pairs(values, "values", pairs)
    _refuse_other_measures(values)
    tables, rows, read_clusters = [*values.values()], [], Clusters.read(clusters)
    n_queries, measures = len(tables[0]), tables[0].columns
    sizes = family_sizes(len(measures), len(pairs), correct)
    for measure in measures:
        for a, b in pairs:
            names = f"{measure} of {shown(a)}", f"{measure} of {shown(b)}"
            x, y = aligned(values[a][measure], values[b][measure], names)
            row = {"measure": measure, "a": a, "b": b, "queries": len(x)}
            if missing is not None:
                row |= {"missing_a": missing.get(a, 0), "missing_b": missing.get(b, 0)}
            number = numbered_pairs(read_clusters, values[a][measure], values[b][measure])
            if number is not None:
                row["clusters"] = number.max() + 1
            statistics = _paired(x, y, how, family=sizes[measure != measures[0]], number=number)
            rows.append(row | {"left_out": n_queries - len(x)} | statistics)
    table = _with_verdicts(rows, n_queries, sizes=sizes, alpha=how.alpha)
    if matters is not None:
        table["size"] = [_size_in_words(row, matters) for _, row in table.iterrows()]
    others = [name for name in table if name not in (*_FIRST, "differ")]
    table = WholeFrame(table[[*(name for name in _FIRST if name in table), *others]])
    table.attrs = how.as_dict() | {"correct": correct}
    if matters is not None:
        table.attrs["matters"] = matters
    return table


def family_sizes(n_measures: int, n_pairs: int, correct: Correct) -> tuple[int, int]:
    """Return over how many rows p is corrected, for the first measure and for the others.

    Args:
        n_measures, n_pairs: the number of measures, and of pairs of systems.
        correct: `"all"` or `"primary"`, as in `compare_values`.

    Example:
        >>> family_sizes(3, 2, "primary")
        (2, 6)
    """
    every = n_measures * n_pairs
    if correct == "primary":
        return n_pairs, every
    return every, every


def _paired(
    x: np.ndarray, y: np.ndarray, how: Resampling, *, family: int, number: np.ndarray | None
) -> dict[str, object]:
    difference = differences(x, y)
    flipped, largest = drawn_units(difference, number)
    drawn = independent_values(difference, number)
    low, high = mean_interval(drawn, confidence=how.confidence)
    at_least = at_most = np.nan  # bounds need a limited scale
    if min(x.min(), y.min()) >= -ROUNDING and max(x.max(), y.max()) <= WHOLE_SCALE + ROUNDING:
        ends = mean_bounds(flipped, largest, alpha=how.alpha / family)
        at_least, at_most = float(np.fmin(ends[0], low)), float(np.fmax(ends[1], high))
    return {
        "mean_a": x.mean(),
        "mean_b": y.mean(),
        "difference": difference.mean(),
        "low": low,
        "high": high,
        "p": randomisation_p(flipped, how),
        "p_holm": np.nan,  # it and the verdict need the p of all rows
        "exact": is_exact(flipped, how),
        "p_t": paired_t_p(drawn),
        "verdict": "",
        "caution": interval_caution(drawn, side=True, number=number) or "",
        "wins": int((difference > 0).sum()),
        "ties": int((difference == 0).sum()),
        "losses": int((difference < 0).sum()),
        "effect_size": effect_size(drawn),
        "at_least": at_least,
        "at_most": at_most,
        "differ": int(np.count_nonzero(flipped)),
    }


def _with_verdicts(
    rows: Sequence[Mapping[str, object]], n_queries: int, *, sizes: tuple[int, int], alpha: float
) -> pd.DataFrame:
    """Return the rows as a table, with p corrected within each family, and verdicts."""
    table = pd.DataFrame(rows)
    # objects keep the messages translatable
    table["caution"] = pd.Series([row["caution"] for row in rows], dtype=object)
    first, _ = sizes
    table["p_holm"] = holm(table["p"])
    table.loc[: first - 1, "p_holm"] = holm(table["p"][:first])
    table["verdict"] = [
        verdict(
            row["p_holm"],
            row["low"],
            row["high"],
            differ=row["differ"],
            missing=max(row.get("missing_a", 0), row.get("missing_b", 0)) / n_queries,
            alpha=alpha,
        ).value
        for _, row in table.iterrows()
    ]
    return table


def _size_in_words(row: Mapping[str, object], matters: float) -> str:
    size = size_of(row["at_least"], row["at_most"], matters)
    if size == Size.OPEN or row["verdict"] == Verdict.WITHHELD:
        return Size.OPEN.value
    return f"{size} {matters:g}"


def _chosen_pairs(
    systems: object, name: str, pairs: Iterable[tuple[str, str]] | None
) -> list[tuple[str, str]]:
    if not isinstance(systems, Mapping) or len(systems) < 2:
        given = len(systems) if isinstance(systems, Mapping) else type(systems).__name__
        raise DataError(
            f"{name}: expected two or more systems by name, but got {given}. Pass "
            f"{name}={{'a': a, 'b': b}}."
        )
    if pairs is None:
        return list(combinations(systems, 2))
    chosen = [tuple(pair) for pair in pairs]
    if not chosen:
        raise DataError("pairs is empty. Pass at least one pair, or None for all of them.")
    for pair in chosen:
        if len(pair) != 2 or pair[0] == pair[1] or not all(each in systems for each in pair):
            raise DataError(
                f"pairs contains {pair!r}. Expected pairs of two different names out of "
                f"{', '.join(map(shown, systems))}, such as pairs=[{tuple(systems)[:2]!r}]."
            )
    return chosen


def _refuse_other_measures(values: Mapping[str, pd.DataFrame]) -> None:
    for name, table in values.items():
        if not isinstance(table, pd.DataFrame):
            raise DataError(
                f"values[{shown(name)}] is of type {type(table).__name__}, not a pandas DataFrame. "
                "Pass the tables of evaluate."
            )
    (first, table), *others = values.items()
    for name, other in others:
        if not len(table.columns) or len(table.columns.symmetric_difference(other.columns)):
            names = [", ".join(map(shown, each.columns)) or "none" for each in (table, other)]
            raise DataError(
                f"values[{shown(first)}] and values[{shown(name)}] do not have the same measures: "
                f"{names[0]} against {names[1]}. Evaluate both with the same measures, or select "
                "columns: table[['RR', 'AP']]."
            )
