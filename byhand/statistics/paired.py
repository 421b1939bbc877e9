"""Two or more systems on the same queries: what differs, how surely, and what may be said of it."""

import math
import warnings
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from functools import wraps
from itertools import combinations
from os import PathLike
from typing import Literal, ParamSpec, TypeVar, Unpack, get_args

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.metrics.conventions import Conventions
from byhand.metrics.evaluate import Evaluation, MissingQueriesWarning
from byhand.metrics.hits import Tables
from byhand.metrics.names import measures_named
from byhand.metrics.presets import preset_named
from byhand.statistics.clusters import Clusters, cluster_values, numbered_pairs
from byhand.statistics.drops import drawn_units, mean_bounds
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
from byhand.tables.frames import FROM_RUNS, Reading, check_options, several_of
from byhand.tables.whole import WholeFrame
from byhand.words import filled, gettext as _

MISSING_LIMIT = 0.05
Correct = Literal["all", "measure", "none"]
_P, _R = ParamSpec("_P"), TypeVar("_R")
_FIRST = ("measure", "a", "b", "difference", "low", "high", "p_holm", "verdict", "size", "caution")


class Verdict(StrEnum):
    """Which system is higher, if the data say so; each is its own text."""

    A_HIGHER = "a is higher"
    B_HIGHER = "b is higher"
    CANNOT_TELL = "cannot tell"
    TOO_FEW = "too few to tell"
    WITHHELD = "withheld: not answered"


class Size(StrEnum):
    """What is known of a difference beside one that matters; each begins its own text."""

    OVER = "more than"
    WITHIN = "equivalent within"
    OPEN = "cannot tell"


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

    Raises:
        DataError: fewer than two runs, a name that is not in `runs`, a run or qrels that
            `evaluate` refuses.
        ValueError: an unknown measure or preset, an option out of range.

    Example:
        >>> good, none = {"p": {"D": 1}, "q": {"D": 1}}, {"p": {"E": 1}, "q": {"E": 1}}
        >>> table = compare({"good": good, "none": none}, good, ["RR"])
        >>> table[["difference", "p", "verdict"]].iloc[0].to_dict()
        {'difference': 1.0, 'p': 0.5, 'verdict': 'too few to tell'}
    """
    check_options(compare, reading, _instead(runs, reading))
    _check_order(runs, qrels, measures)
    measures = list(measures_named(measures))
    chosen = preset_named(conventions).choices
    _at_least_two(runs, "runs", frames=False)
    pairs = _chosen_pairs(runs, pairs)
    for name, run in runs.items():
        frame = isinstance(run, pd.DataFrame)
        if frame and run.index.name == "query_id" and "doc_id" not in run.columns:
            raise DataError(
                f"runs[{shown(name)}] looks like the per-query table that evaluate returns. Pass "
                "the run itself; or pass all such tables, without qrels, to compare_values (from "
                "byhand.statistics import compare_values)."
            )
    checked, judged = several_of(runs, qrels, run_columns=run_columns, **reading)
    values = {}
    for name, run in checked.items():
        try:
            tables = Tables(run, judged, relevant_from=relevant_from)
            values[name] = Evaluation(tables, measures, conventions=conventions).table()
        except DataError as error:
            raise DataError(f"Evaluating runs[{shown(name)}]: {error}") from None
    missing = {name: table.attrs["missing"] for name, table in values.items()}
    for name, lacks in missing.items():
        if lacks > MISSING_LIMIT * len(values[name]):
            warnings.warn(
                f"runs[{shown(name)}] lacks {lacks:,} of the {len(values[name]):,} judged "
                f"queries, more than {MISSING_LIMIT:.0%}, so what it did not answer may decide: "
                "the verdict is withheld. Complete the run; or compare on the queries that all "
                "runs answered: leave the others out of qrels, and say how many they are.",
                MissingQueriesWarning,
                stacklevel=3,  # who called compare
            )
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
    """The same comparison of values that are already there, such as those of `evaluate`.

    Args:
        values: at least two tables by name, of the same measures: one row a query, the query as
            index, in any order; NaN where there is no value.
        missing: how many of these queries each system did not answer, as the `.attrs` of
            `evaluate` say; None if all were, or do not count.
        pairs: which (a, b) to compare; None compares each with each, in the order of `values`.
        permutations: how many assignments of signs the randomisation test draws, from 1; where
            there are no more than that, p is exact.
        confidence: of the interval, between 0 and 1.
        rng: the seed of the test, anew for each row, or a generator.
        correct: over which rows Holm's procedure corrects p: `"all"`; those of each `"measure"`,
            where each is a question of its own; or `"none"`, for one that was chosen beforehand.
        clusters: which queries hang together, as variants of one topic, queries of one user, or
            one query under several seeds do: a table or file with `query_id` and `cluster`, or a
            dict by query. Whole clusters are drawn, and their signs are flipped together. None if
            each query stands for itself.
        matters: the smallest difference that would matter, above 0, chosen beforehand; None if
            nobody said.

    Returns:
        One row a measure and pair: `measure`, `a`, `b`; the `difference` of the means a - b with
        its interval, `low` and `high`; `p_holm`, corrected, of the randomisation test; the
        `verdict` on it and the interval, with 1 - confidence as its alpha; with `matters` the
        `size`: by more than that, equivalent within it, or neither; a `caution` (see
        `interval_caution`). Then the `queries` compared and `left_out`, with `missing` also
        `missing_a` and `missing_b`; `mean_a` and `mean_b`; `p`, not corrected, and whether it is
        `exact`; `p_t` of the paired t test; `wins` of a, `ties` and `losses`; `effect_size`, the
        difference in standard deviations of the differences; and what the `size` rests on:
        `at_least` and `at_most`, bounds of the difference, each wrong for any of the rows that are
        corrected together in at most alpha of data sets. They are those of the gate (see
        `mean_bounds`) with alpha divided by the number of these rows, nowhere inside of the
        interval, and NaN where values are not from 0 to 1. So equivalence is two one-sided tests.
        With `clusters` also how many `clusters` there are; intervals, bounds, p and caution count
        these, and so does `effect_size`.

    Raises:
        DataError: fewer than two tables, tables whose queries or measures are not the same, no
            query with a value in both.
        ValueError: an option out of range.

    Source:
        Sakai 2014, "Statistical reform in information retrieval?" (report effect sizes and
        intervals); Lakens 2013, "Calculating and reporting effect sizes to facilitate cumulative
        science" (d_z); Wasserstein and Lazar 2016, "The ASA statement on p-values" (what p says);
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
    check_values(values)
    pairs = _chosen_pairs(values, pairs)
    tables, rows, together = [*values.values()], [], Clusters.named(clusters)
    n_queries, measures = len(tables[0]), tables[0].columns
    family = {"all": len(measures) * len(pairs), "measure": len(pairs), "none": 1}[correct]
    for measure in measures:
        for a, b in pairs:
            names = f"{measure} of {shown(a)}", f"{measure} of {shown(b)}"
            x, y = aligned(values[a][measure], values[b][measure], names)
            row = {"measure": measure, "a": a, "b": b, "queries": len(x)}
            if missing is not None:
                row |= {"missing_a": missing.get(a, 0), "missing_b": missing.get(b, 0)}
            number = numbered_pairs(together, values[a][measure], values[b][measure])
            if number is not None:
                row["clusters"] = number.max() + 1
            found = _paired(x, y, how, family=family, number=number)
            rows.append(row | {"left_out": n_queries - len(x)} | found)
    table = pd.DataFrame(rows)
    corrected = np.arange(len(rows)) // family
    table["p_holm"] = table.groupby(corrected)["p"].transform(holm)
    table["verdict"] = [
        verdict(
            row["p_holm"],
            row["low"],
            row["high"],
            differ=row["differ"],
            missing=max(row.get("missing_a", 0), row.get("missing_b", 0)) / n_queries,
            alpha=how.alpha,
        ).value
        for _, row in table.iterrows()
    ]
    if matters is not None:
        table["size"] = [_size_in_words(row, matters) for _, row in table.iterrows()]
    others = [name for name in table if name not in (*_FIRST, "differ")]
    table = WholeFrame(table[[*(name for name in _FIRST if name in table), *others]])
    table.attrs = how.as_dict() | {"correct": correct}
    if matters is not None:
        table.attrs["matters"] = matters
    return table


def _paired(
    x: np.ndarray, y: np.ndarray, how: Resampling, *, family: int, number: np.ndarray | None
) -> dict[str, object]:
    difference = differences(x, y)
    flipped, largest = drawn_units(difference, number)
    drawn = difference if number is None else cluster_values(difference, number)
    low, high = mean_interval(drawn, confidence=how.confidence)
    at_least = at_most = np.nan  # without a scale nobody knows what these queries do not show
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
        "p_holm": np.nan,  # of all rows, and so is the verdict
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


def size_of(at_least: float, at_most: float, matters: float) -> Size:
    """What bounds of a difference say of it beside one that matters.

    Args:
        at_least, at_most: as `compare_values` has them; where they are NaN, nothing is known.
        matters: the smallest difference that would matter, above 0.

    Example:
        >>> size_of(-0.01, 0.015, 0.02)
        <Size.WITHIN: 'equivalent within'>
    """
    if at_least > matters or at_most < -matters:
        return Size.OVER
    if -matters < at_least and at_most < matters:
        return Size.WITHIN
    return Size.OPEN


def _size_in_words(row: Mapping[str, object], matters: float) -> str:
    size = size_of(row["at_least"], row["at_most"], matters)
    if size == Size.OPEN or row["verdict"] == Verdict.WITHHELD:
        return Size.OPEN.value
    return f"{size} {matters:g}"


def verdict(
    p: float, low: float, high: float, *, differ: int, missing: float = 0, alpha: float = 0.05
) -> Verdict:
    """The verdict on a mean difference a - b, by the rule that `verdict_rule` says.

    Args:
        p: of the randomisation test, corrected if there are several comparisons.
        low, high: the ends of the interval of the difference, with a confidence of 1 - alpha.
        differ: in how many queries, or clusters of them, the two systems differ.
        missing: the share of the judged queries that the run with fewer of them lacks.
        alpha: at or below which p counts, between 0 and 1.

    Example:
        >>> verdict(0.125, 0.02, 0.10, differ=4)  # ++++ and ----, of 16
        <Verdict.TOO_FEW: 'too few to tell'>
    """
    if missing > MISSING_LIMIT:
        return Verdict.WITHHELD
    if differ < _fewest_queries(alpha):
        return Verdict.TOO_FEW
    if p <= alpha and low > 0:
        return Verdict.A_HIGHER
    if p <= alpha and high < 0:
        return Verdict.B_HIGHER
    return Verdict.CANNOT_TELL


def _fewest_queries(alpha: float) -> int:
    """How many queries must differ before p can be alpha: 2 of 2^6 assignments are 0.031."""
    return int(np.ceil(1 - np.log2(alpha) - 1e-12))


def verdict_rule(*, alpha: float = 0.05, corrected: bool = True) -> str:
    """The rule of `verdict` in words, for the paragraph on the methods.

    Example:
        >>> verdict_rule().partition(". ")[0][-60:]
        ' 0.05 and the 95% interval of the mean difference excludes 0'
    """
    if corrected:
        rule = _(
            "One system is called higher if p (corrected, where several are compared) is at most "
            "{alpha:g} and the {level:.0%} interval of the mean difference excludes 0."
        )
    else:
        rule = _(
            "One system is called higher if p is at most {alpha:g} and the {level:.0%} interval of "
            "the mean difference excludes 0."
        )
    more = _(
        "With fewer than {fewest} queries that differ no p can be so small, and nothing is "
        "concluded. If a run lacks more than {limit:.0%} of the judged queries, the verdict is "
        "withheld."
    )
    values = {"alpha": alpha, "level": 1 - alpha, "limit": MISSING_LIMIT}
    return filled(f"{rule} {more}", fewest=_fewest_queries(alpha), **values)


def _chosen_pairs(
    tables: Mapping[str, pd.DataFrame], pairs: Iterable[tuple[str, str]] | None
) -> list[tuple[str, str]]:
    if pairs is None:
        return list(combinations(tables, 2))
    chosen = [tuple(pair) for pair in pairs]
    for pair in chosen:
        if len(pair) != 2 or pair[0] == pair[1] or not all(name in tables for name in pair):
            known = ", ".join(shown(name) for name in tables)
            raise DataError(
                f"pairs holds {pair!r}. Expected pairs of two different names out of {known}, such "
                f"as pairs=[{tuple(tables)[:2]!r}]."
            )
    if not chosen:
        raise DataError("pairs is empty. Name at least one pair, or pass None for all of them.")
    return chosen


def check_values(values: Mapping[str, pd.DataFrame]) -> None:
    """Complain unless these are two or more tables of the same measures, by name."""
    _at_least_two(values, "values")
    (first, table), *others = values.items()
    for name, other in others:
        odd = table.columns.symmetric_difference(other.columns)
        if len(odd) or not len(table.columns):
            found = [", ".join(map(shown, frame.columns)) or "none" for frame in (table, other)]
            raise DataError(
                f"values[{shown(first)}] and values[{shown(name)}] do not have the same measures: "
                f"{found[0]} against {found[1]}. Evaluate both with the same measures, or choose "
                "columns: table[['RR', 'AP']]."
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
        raise DataError(
            "compare takes the runs by name, in one dict: "
            f"compare({{'a': {first}, 'b': {second}}}, {third}{', measures' * bool(more)})"
        )
    if isinstance(qrels, Mapping) and qrels and all(map(_is_data, qrels.values())):
        held = next(iter(qrels.values()))
        if not isinstance(held, Mapping) or _is_data(next(iter(held.values()), None)):
            raise DataError(
                "compare takes the runs before the qrels, and the second argument holds runs by "
                "name. Turn them round: compare(runs, qrels)"
            )


def _is_data(held: object) -> bool:
    return isinstance(held, Mapping | pd.DataFrame) or hasattr(held, "__arrow_c_stream__")


def _at_least_two(tables: object, name: str, *, frames: bool = True) -> None:
    """Complain unless it is a mapping of two or more tables by name, and each a frame."""
    expected = f"Expected them by name: {name}={{'a': a, 'b': b}}."
    if not isinstance(tables, Mapping):
        kind = type(tables).__name__
        raise DataError(f"{name} is a {kind}, which does not name the systems. {expected}")
    if len(tables) < 2:
        found = f"only {shown(next(iter(tables)))}" if tables else "no entries"
        raise DataError(f"{name} has {found}; a comparison takes two or more. {expected}")
    for key, table in tables.items():
        if frames and not isinstance(table, pd.DataFrame):
            raise DataError(
                f"{name}[{shown(key)}] is a {type(table).__name__}, not a pandas DataFrame. "
                f"{expected}"
            )
