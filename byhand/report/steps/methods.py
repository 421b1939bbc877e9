"""How the numbers of a report were computed, as a paragraph for a paper."""

from collections.abc import Iterator

import pandas as pd

from byhand.report.provenance import made_with
from byhand.report.steps.display import show_text
from byhand.report.steps.results import Results
from byhand.report.steps.wording import computed_as, conventions_text, relevant_text
from byhand.statistics import CONFIDENCE, verdict_rule


def show_methods(results: Results) -> None:
    """Display which conventions, counts and tests are behind the numbers."""
    show_text(*methods(results))


def methods(results: Results) -> Iterator[str]:
    """The sentences of that paragraph.

    Args:
        results: what `results_of` returns.
    """
    yield f"Computed with {made_with()} in 64-bit floating point."
    yield from _data(results)
    yield (
        f"Measures, in ir_measures' notation: {', '.join(results.measures)}, "
        f"{computed_as(results)}: {conventions_text(results)}."
    )
    for name, table in results.tables.items():
        yield _counts(name, table, results)
    yield from _intervals(results)
    yield (
        "The chance level is the exact expected value for the same retrieved items in a random "
        "order; lift is the mean divided by it."
    )
    if results.comparison is not None:
        yield _comparison(results)
        yield verdict_rule(alpha=1 - CONFIDENCE)


def _intervals(results: Results) -> Iterator[str]:
    tables = [table for table in (results.means, results.comparison) if table is not None]
    none = pd.concat([table["low"] for table in tables]).isna()
    if not none.all():
        yield f"Intervals of means are Student's t intervals, {CONFIDENCE:.0%}."
    if none.any():
        yield "Where fewer than two queries have a value, there is no interval."


def _comparison(results: Results) -> str:
    table = results.comparison
    said = (
        "Systems are compared query by query: p is that of a two-sided randomisation test of the "
        f"mean difference ({_assignments(results)})"
    )
    if len(table) > 1:
        over = f"{len(table)} measures"
        if len(results.pairs) > 1:
            measures = f"{len(results.measures)} measure{'s' * (len(results.measures) > 1)}"
            over = f"{len(table)} comparisons ({measures}, {len(results.pairs)} pairs of systems)"
        said += f", corrected by Holm's procedure over the {over}"
    if table["effect_size"].notna().any():
        said += (
            "; the effect size is the mean difference divided by the standard deviation of the "
            "differences"
        )
    return said + "."


def _assignments(results: Results) -> str:
    """Which signs the test gave to the differences, for each measure if they are not the same."""
    table = results.comparison
    drawn = f"{table.attrs['permutations']:,} random sign assignments, seed {table.attrs['rng']}"
    ways = {
        "all sign assignments, so p is exact": table[table["exact"]],
        drawn: table[~table["exact"]],
    }
    return "; ".join(
        way
        if len(rows) == len(table)
        else f"for {', '.join(rows.apply(results.named, axis=1))} {way}"
        for way, rows in ways.items()
        if len(rows)
    )


def _data(results: Results) -> Iterator[str]:
    data = results.data
    for name, run in data.runs.items():
        ranked = " (ranks in place of scores)" if _by_rank(run) else ""
        yield f"The run of {name} is {run.attrs['file']}, {len(run):,} rows{ranked}."
    count = next(iter(data.checked.values())).counts
    counted = (
        f"{count.judgements:,} judgements, {count.relevant:,} of them relevant "
        f"({relevant_text(data.relevant_from)})"
    )
    if data.judged_run:
        yield (
            f"That file holds the relevance as well: {counted}. Relevant items that it does not "
            "list are unknown, and count nowhere."
        )
    else:
        yield f"The qrels are {data.qrels.attrs['file']}: {counted}."


def _by_rank(run: pd.DataFrame) -> bool:
    return any("minus the rank" in note for note in run.attrs.get("notes", []))


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
