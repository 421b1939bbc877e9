"""How the numbers of a report were computed, as a paragraph for a paper."""

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

import pandas as pd

from helpers.metrics.measures import MEASURES
from helpers.metrics.names import measures_named
from helpers.report.steps.display import show_text
from helpers.report.steps.results import Results
from helpers.statistics.resampling import DEFAULT

_PACKAGE = "ranking-metrics-by-hand"
_CHOICES = {
    "ties": {
        "doc_id": "items with equal scores are ordered by their identifier, descending by code "
        "point",
        "input": "items with equal scores keep the order of the file",
        "best": "among items with equal scores the relevant ones come first (best case)",
        "worst": "among items with equal scores the relevant ones come last (worst case)",
        "expected": "over items with equal scores each value is the exact mean of all orders",
    },
    "denominator": {
        "relevant": "AP divides by all relevant items of the query, retrieved or not",
        "capped": "AP@k divides by the smaller of k and the number of relevant items",
        "retrieved": "AP divides by the number of relevant items retrieved",
    },
    "ideal": {
        "judged": "the ideal order of nDCG holds all judged items",
        "retrieved": "the ideal order of nDCG holds the retrieved items only",
    },
    "gain": {
        "linear": "the gain of an item is its grade, discounted by log2(rank + 1)",
        "exponential": "the gain of an item is 2^grade - 1, discounted by log2(rank + 1)",
    },
    "no_relevant": {
        "zero": "a query without a relevant item counts 0",
        "skip": "a query without a relevant item is left out of the mean",
        "error": "every query has a relevant item",
    },
    "missing": {
        "zero": "a judged query that the run lacks counts 0",
        "skip": "a judged query that the run lacks is left out of the mean",
        "error": "the run has every judged query",
    },
}


def show_methods(results: Results) -> None:
    """Display which conventions, counts and tests are behind the numbers."""
    show_text(*methods(results))


def methods(results: Results) -> Iterator[str]:
    """The sentences of that paragraph.

    Args:
        results: what `results_of` returns.
    """
    yield f"Computed with {_PACKAGE} {_version()} in 64-bit floating point."
    yield from _data(results)
    yield from _conventions(results)
    for name, table in results.tables.items():
        yield _counts(name, table, results)
    yield from _intervals(results)
    yield (
        "The chance level is the exact expected value for the same retrieved items in a random "
        "order; lift is the mean divided by it."
    )
    if results.comparison is not None:
        yield _comparison(results.comparison)


def _intervals(results: Results) -> Iterator[str]:
    tables = [table for table in (results.means, results.comparison) if table is not None]
    none = pd.concat([table["low"] for table in tables]).isna()
    if not none.all():
        yield (
            f"Intervals are {DEFAULT.confidence:.0%} percentile bootstrap intervals over queries "
            f"({DEFAULT.resamples:,} resamples, seed {DEFAULT.rng})."
        )
    if none.any():
        yield "Where fewer than two queries have a value, there is no interval."


def _comparison(table: pd.DataFrame) -> str:
    said = (
        "Systems are compared query by query: p is that of a two-sided randomisation test of the "
        f"mean difference ({_assignments(table)})"
    )
    if len(table) > 1:
        said += f", corrected by Holm's procedure over the {len(table)} measures"
    if table["effect_size"].notna().any():
        said += (
            "; the effect size is the mean difference divided by the standard deviation of the "
            "differences"
        )
    return said + "."


def _assignments(table: pd.DataFrame) -> str:
    """Which signs the test gave to the differences, for each measure if they are not the same."""
    drawn = f"{table.attrs['permutations']:,} random sign assignments, seed {table.attrs['rng']}"
    ways = {
        "all sign assignments, so p is exact": table[table["exact"]],
        drawn: table[~table["exact"]],
    }
    return "; ".join(
        way if len(rows) == len(table) else f"for {', '.join(rows['measure'])} {way}"
        for way, rows in ways.items()
        if len(rows)
    )


def _data(results: Results) -> Iterator[str]:
    qrels = results.data.qrels
    for name, run in results.data.runs.items():
        ranked = " (ranks in place of scores)" if _by_rank(run) else ""
        yield f"The run of {name} is {run.attrs['file']}, {len(run):,} rows{ranked}."
    relevant = int((qrels["relevance"] > 0).sum())
    counted = f"{len(qrels):,} judgements, {relevant:,} of them relevant (a grade above 0)"
    if results.data.judged_run:
        yield (
            f"That file holds the relevance as well: {counted}. Relevant items that it does not "
            "list are unknown, and count nowhere."
        )
    else:
        yield (
            f"The qrels are {qrels.attrs['file']}: {counted}. Items that nobody judged count as "
            "not relevant."
        )


def _by_rank(run: pd.DataFrame) -> bool:
    return any("minus the rank" in note for note in run.attrs.get("notes", []))


def _conventions(results: Results) -> Iterator[str]:
    measures = measures_named(results.measures).values()
    of_some = {name for kind in MEASURES.values() for name in kind.conventions}
    of_these = {name for measure in measures for name in measure.conventions}
    listed = "; ".join(
        _CHOICES[name][choice]
        for name, choice in results.conventions.as_dict().items()
        if name in of_these or name not in of_some
    )
    of = f"those of {results.preset}" if results.preset != "none" else "our own"
    names = ", ".join(results.measures)
    yield f"Measures, in ir_measures' notation: {names}. The conventions are {of}: {listed}."


def _counts(name: str, table: pd.DataFrame, results: Results) -> str:
    count = table.attrs
    of = f" of {name}" if len(results.tables) > 1 else ""
    averaged = table[results.measures].count()
    over = f"{averaged.iloc[0]:,}"
    if averaged.nunique() > 1:  # measures may differ in what they call relevant
        over = " and ".join(f"{n:,} ({measure})" for measure, n in averaged.items())
    return (
        f"The means{of} are over {over} of {count['judged']:,} judged queries; "
        f"{count['missing']:,} are missing from the run, {count['empty']:,} have no relevant "
        f"item, and {count['run_only']:,} more in the run are not judged."
    )


def _version() -> str:
    try:
        return version(_PACKAGE)
    except PackageNotFoundError:  # used from its folder, without being installed
        return "(version unknown)"
