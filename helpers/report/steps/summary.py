"""The first paragraph: the main result, and whatever could overturn it."""

from collections.abc import Iterator

import pandas as pd

from helpers.errors import both
from helpers.report.steps.comparison import p_shown
from helpers.report.steps.display import grouped, show_text
from helpers.report.steps.results import Alternative, Results
from helpers.report.steps.wording import computed_as, relevant_text
from helpers.statistics.intervals import interval_caution
from helpers.statistics.power import queries_needed
from helpers.statistics.verdict import MISSING_LIMIT, Verdict, fewest_queries

_POOL_LIMIT = 0.1  # how far the judged shares of two systems may be apart
_TINY = 1e-3  # of a standard deviation: too small a difference to plan for


def show_summary(results: Results) -> None:
    """Display what was computed and how, and the main result in a few sentences."""
    grades = results.data.relevant_from
    relevant = "" if grades is None else f"; relevant is {relevant_text(grades)}"
    show_text(f"{both(results.measures)}, {computed_as(results)}{relevant}.")
    show_text(*summary(results))


def summary(results: Results) -> Iterator[str]:
    """The sentences of that paragraph.

    Args:
        results: what `results_of` returns.
    """
    row = results.means.iloc[0]
    if row["queries"] == 0:
        yield f"No query of {row['system']} has a value, so there is no mean."
        return
    yield (
        f"Over {row['queries']:,} queries, {row['system']} gets a mean {row['measure']} of "
        f"{row['mean']:.3f}{_interval(row['low'], row['high'])}; a random order of the same items "
        f"would get {row['chance']:.3f}."
    )
    table = results.comparison
    if table is not None:
        yield from _difference(results, table)
    yield from _missing(results)
    if table is not None:
        if _one_was_judged_more(results):
            yield _pool(results)
        yield from _ties(results)
    yield from _cautions(results)


def _difference(results: Results, table: pd.DataFrame) -> Iterator[str]:
    row = table.iloc[0]
    size, found = row["difference"], Verdict(row["verdict"])
    said = f"The mean of {row['b']} is the same"
    if size:
        side = "above" if size > 0 else "below"
        corrected = " after Holm's correction" * (len(table) > 1)
        interval = _interval(row["low"], row["high"], "+.3f", _p(row, table) + corrected)
        whose = "That"
        if row["left_out"]:  # the two were not averaged over the same queries
            whose = f"Over the {row['queries']:,} with a value of both, its"
        said = f"{whose} mean is {abs(size):.3f} {side} that of {row['b']}{interval}"
    yield said + _ending(results, row, found)
    if found in (Verdict.CANNOT_TELL, Verdict.TOO_FEW):
        yield from _needed(results)


def _ending(results: Results, row: pd.Series, found: Verdict) -> str:
    if found in (Verdict.A_HIGHER, Verdict.B_HIGHER):
        by = " by these judgements" if _one_was_judged_more(results) else ""
        return f": {row['a'] if found is Verdict.A_HIGHER else row['b']} is higher{by}."
    if found is Verdict.CANNOT_TELL:
        return ". These queries cannot tell which is higher."
    if found is Verdict.TOO_FEW:
        differ = _queries(row["wins"] + row["losses"])
        return f". The two differ on {differ} only: too few to tell which is higher."
    return (
        f". No verdict: {_lacking(results, MISSING_LIMIT)}, more than {MISSING_LIMIT:.0%}, so what "
        "was not answered may decide."
    )


def _needed(results: Results) -> Iterator[str]:
    """How many queries would show what was seen, if it is what there is to be seen."""
    differences = results.differences(results.measures[0])
    mean, deviation = differences.mean(), differences.std()
    if not abs(mean) > _TINY * deviation > 0:
        return
    needed = max(queries_needed(deviation, mean), fewest_queries())
    if needed > len(differences):
        yield f"To show a difference of this size would take about {needed:,} queries."


def _missing(results: Results) -> Iterator[str]:
    """What missing queries do to the result: the mean or difference with them and without."""
    if not any(map(len, results.missing.values())):
        return
    measure = results.measures[0]
    as_zero = results.chosen(measure).missing == "zero"
    over = len(next(iter(results.answered.tables.values())))
    found = results.answered if as_zero else results.with_missing
    compared = results.comparison is not None
    who = "both" if compared else "it"
    where = f"Over the {over:,} that {who} answered" if as_zero else "Counted as 0"
    yield (
        f"{_lacking(results)}; each of these {'counts 0' if as_zero else 'is left out'}. {where}, "
        f"{_outcome(found, measure, compared=compared)}."
    )


def _lacking(results: Results, share: float = 0) -> str:
    judged = len(results.first)
    lacking = {name: len(gone) for name, gone in results.missing.items()}
    return both(
        [
            f"{name} did not answer {count:,} of {judged:,} queries"
            for name, count in lacking.items()
            if count > share * judged
        ]
    )


def _one_was_judged_more(results: Results) -> bool:
    """Whether the judgements favour one system: of its first items far more have one."""
    shares = [results.judged(name, results.top) for name in results.tables]
    removed = results.chosen(results.measures[0]).unjudged == "removed"
    return not removed and bool(round(abs(shares[0] - shares[1]), 9) > _POOL_LIMIT)


def _pool(results: Results) -> str:
    shares = [
        f"{results.judged(name, results.top):.0%} are judged for {name}" for name in results.tables
    ]
    return (
        f"Of the first {results.top} items, {both(shares)}: the difference may be an artefact of "
        "what was judged. On judged items only, "
        f"{_outcome(results.judged_only, results.measures[0], compared=True)}."
    )


def _ties(results: Results) -> Iterator[str]:
    """Whether another order of equal scores would change a verdict."""
    depends, measure = results.tie_dependent, results.measures[0]
    if measure in depends:
        expected, best, worst = (
            f"{other.comparison['difference'].iloc[0]:+.3f} "
            f"({_p(other.comparison.iloc[0], other.comparison)})"
            for other in results.orders.values()
        )
        yield (
            "The verdict depends on the order of equal scores, which is a mere convention: the "
            f"difference is {expected} on average over all orders, {best} with relevant items "
            f"first and {worst} with them last."
        )
    elif depends:
        yield f"For {both(depends)} the verdict depends on the order of equal scores; see below."


def _outcome(found: Alternative, measure: str, *, compared: bool) -> str:
    """The mean or the difference under other choices, as the end of a sentence."""
    if not compared:
        return f"the mean is {found.tables[next(iter(found.tables))][measure].mean():.3f}"
    table = found.comparison
    if table is None:
        return "there is nothing to compare"
    row = table[table["measure"] == measure].iloc[0]
    interval = _interval(row["low"], row["high"], "+.3f", _p(row, table))
    return f"the difference is {row['difference']:+.3f}{interval}"


def _cautions(results: Results) -> Iterator[str]:
    """Why the intervals above may be too narrow."""
    said = {"mean": results.means["caution"].iloc[0]}
    if results.comparison is not None:
        differences = results.differences(results.measures[0])
        said["difference"] = interval_caution(differences.to_numpy())
    for line in grouped({what: text for what, text in said.items() if text}):
        yield f"On the {line}"


def _p(row: pd.Series, table: pd.DataFrame) -> str:
    text = p_shown(row, table)
    return f"p {text}" if text[0] in "<≤" else f"p = {text}"


def _interval(low: float, high: float, form: str = ".3f", p: str = "") -> str:
    parts = [] if pd.isna(low) else [f"95% interval {low:{form}} to {high:{form}}"]
    parts += [p] * bool(p)
    return f" ({'; '.join(parts)})" if parts else ""


def _queries(count: int) -> str:
    return f"{count:,} {'query' if count == 1 else 'queries'}"
