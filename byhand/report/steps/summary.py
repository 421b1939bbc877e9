"""The first paragraph: the main result, and whatever could overturn it."""

from collections.abc import Callable, Iterator
from html import escape

import pandas as pd

from byhand.errors import both
from byhand.figures import name_html, queries_text
from byhand.report.steps.comparison import p_shown
from byhand.report.steps.display import (
    grouped,
    number,
    show_html,
    show_text,
    signed,
)
from byhand.report.steps.first_screen import headline, show_at_a_glance, show_where_to_look
from byhand.report.steps.ranking import relevant_counts
from byhand.report.steps.results import Alternative, Results
from byhand.report.steps.told import told
from byhand.report.steps.wording import computed_as, relevant_text
from byhand.statistics import (
    CONFIDENCE,
    MISSING_LIMIT,
    Verdict,
    queries_needed,
    smallest_difference,
)

_HIGHER = (Verdict.A_HIGHER, Verdict.B_HIGHER)
_EMPTY_LIMIT = 0.05  # the share of queries without a relevant item that a mean can bear unsaid


@told
def show_summary(results: Results) -> None:
    """Display the main result, what was computed and how, and where to look first."""
    for name, checked in results.data.checked.items():
        if checked.doubt:
            doubt = f"{name}: {checked.doubt}"
            show_html(f"<p><strong>{escape(doubt)}</strong></p>", doubt)
    head = headline(results)
    if head is not None:
        show_html(f"<p><strong>{name_html(head)}</strong></p>", head)
    show_at_a_glance(results)
    show_text(*summary(results))
    grades = results.data.relevant_from
    relevant = "" if grades is None else f"; relevant is {relevant_text(grades)}"
    show_where_to_look(results)
    show_text(f"{both(results.measures)}, {computed_as(results)}{relevant}.")


def summary(results: Results) -> Iterator[str]:
    """The sentences of that paragraph.

    Args:
        results: what `results_of` returns.
    """
    row = results.means.iloc[0]
    if row["queries"] == 0:
        yield f"No query of {row['system']} has a value, so there is no mean."
        return
    table = results.comparison
    if results.all_pairs and len(results.pairs) > 1:
        yield _means(results)
        if table is not None:
            yield from _order(results, table)
    else:
        yield (
            f"Over {queries_text(row['queries'])}, {row['system']} gets a mean {row['measure']} of "
            f"{number(row['mean'], 3, beside=_ends(row))}{_interval(row)}; a random order of the "
            f"same items would get {number(row['chance'], 3)}."
        )
        if table is not None:
            for place in range(len(results.pairs)):
                yield from _difference(results, table, place)
    yield from _empty(results)
    yield from _missing(results)
    if table is not None:
        if any(results.judged_apart(a, b) for a, b in results.pairs):
            yield _pool(results)
        yield from _ties(results)
    yield from _cautions(results)


def _means(results: Results) -> str:
    """The means of many systems, the highest first."""
    means = results.means[results.means["measure"] == results.measures[0]]
    means = means.sort_values("mean", ascending=False, kind="stable")
    said = {row["system"]: number(row["mean"], 3) for _, row in means.iterrows()}
    listed = both([f"{mean} for {system}" for system, mean in said.items()])
    low, high = (number(means["chance"].agg(end), 3) for end in ("min", "max"))
    chance = low if low == high else f"{low} to {high}"
    return (
        f"Over {queries_text(means['queries'].max())}, the mean {results.measures[0]} is "
        f"{listed}; a random order of the same items would get {chance}."
    )


def _order(results: Results, table: pd.DataFrame) -> Iterator[str]:
    """Which of many systems are higher than which."""
    rows = table[table["measure"] == results.measures[0]]
    above: dict[str, list[str]] = {}
    for _, row in rows.iterrows():
        found = Verdict(row["verdict"])
        if found in _HIGHER:
            a, b = (row["a"], row["b"]) if found is Verdict.A_HIGHER else (row["b"], row["a"])
            reserve = results.reserve(row)
            above.setdefault(a, []).append(f"{b} ({reserve})" if reserve else b)
    told = sum(map(len, above.values()))
    pairs = (
        f"All {len(rows)} pairs" if told == len(rows) else f"Of {len(rows)} pairs, {told or 'none'}"
    )
    yield f"{pairs} can be told apart after Holm's correction."
    for name, lower in above.items():
        yield f"{name} is higher than {both(lower)}."


def _difference(results: Results, table: pd.DataFrame, place: int) -> Iterator[str]:
    """What one pair comes to; `place` is which one of the first measure."""
    row = table.iloc[place]
    size, found = row["difference"], Verdict(row["verdict"])
    said = f"The mean of {row['b']} is the same"
    if size:
        side = "above" if size > 0 else "below"
        corrected = " after Holm's correction" * (len(table) > 1)
        interval = _interval(row, _p(row, table) + corrected, of=signed)
        whose = "It" if place else "That mean"
        if row["left_out"]:  # the two were not averaged over the same queries
            whose = f"Over the {row['queries']:,} with a value of both, its mean"
        apart = number(abs(size), 3, beside=_ends(row))
        said = f"{whose} is {apart} {side} that of {row['b']}{interval}"
    yield said + _ending(results, row, found)
    yield from _could_show(results, row, found)


def _ending(results: Results, row: pd.Series, found: Verdict) -> str:
    if found in _HIGHER:
        higher = row["a"] if found is Verdict.A_HIGHER else row["b"]
        by = " by these judgements" * results.judged_apart(row["a"], row["b"])
        return f": {higher} is higher{by}{', with a caution' * bool(row['caution'])}."
    if found is Verdict.CANNOT_TELL:
        return ". These queries cannot tell which is higher."
    if found is Verdict.TOO_FEW:
        if not row["wins"] + row["losses"]:
            return ". The two have the same value on every query, which proves nothing."
        differ = queries_text(row["wins"] + row["losses"])
        return f". The two differ on {differ} only: too few to tell which is higher."
    return (
        f". No verdict: {_lacking(results, MISSING_LIMIT)}, more than {MISSING_LIMIT:.0%}, so what "
        "was not answered may decide."
    )


def _could_show(results: Results, row: pd.Series, found: Verdict) -> Iterator[str]:
    """What a difference that matters has to do with it; else how small a one could be seen."""
    matters, reach = results.matters, max(abs(row["low"]), abs(row["high"]))
    if matters is not None and reach < matters and found in (*_HIGHER, Verdict.CANNOT_TELL):
        yield f"The interval excludes the {matters:g} that would matter, either way."
        return
    if found is not Verdict.CANNOT_TELL:
        return
    spread = results.differences(row["measure"], row["a"], row["b"]).std()
    alpha = (1 - CONFIDENCE) / len(results.comparison)  # of the first step of Holm's
    if matters is None:
        least = smallest_difference(spread, row["queries"], alpha=alpha)
        yield (
            f"So many queries show a true difference of about {number(least, 3)} in four of five "
            "samples, a smaller one less often."
        )
        return
    needed = queries_needed(spread, matters, alpha=alpha)
    if needed > row["queries"]:
        yield (
            f"To show a difference of {matters:g}, which would matter, in four of five samples "
            f"takes about {needed:,} queries."
        )
    else:
        yield f"A difference of {matters:g}, which would matter, shows in four of five samples."


def _empty(results: Results) -> Iterator[str]:
    """That the mean counts many queries on which no system can get anything."""
    relevant = relevant_counts(results)
    empty = int((relevant == 0).sum())
    if empty <= _EMPTY_LIMIT * len(relevant):
        return
    counted = results.chosen(results.measures[0]).no_relevant
    so = "is left out" if counted == "skip" else "counts 0, whatever a system does"
    yield (
        f"{empty:,} of {len(relevant):,} judged queries have no relevant item; each of these {so}."
    )


def _missing(results: Results) -> Iterator[str]:
    """What missing queries do to the result: the mean or difference with them and without."""
    if not any(map(len, results.missing.values())):
        return
    as_zero = results.chosen(results.measures[0]).missing == "zero"
    over = len(next(iter(results.answered.tables.values())))
    found = results.answered if as_zero else results.with_missing
    who = {1: "it", 2: "both"}.get(len(results.tables), "all")
    where = f"Over the {over:,} that {who} answered" if as_zero else "Counted as 0"
    yield (
        f"{_lacking(results)}; each of these {'counts 0' if as_zero else 'is left out'}. {where}, "
        f"{_outcome(results, found)}."
    )


def _lacking(results: Results, share: float = 0) -> str:
    judged = len(results.first)
    of: dict[int, list[str]] = {}
    for name, gone in results.missing.items():
        if len(gone) > share * judged:
            of.setdefault(len(gone), []).append(name)
    return both(
        [
            f"{both(names)}{' each' * (len(names) > 1)} did not answer {count:,} of "
            f"{queries_text(judged)}"
            for count, names in of.items()
        ]
    )


def _pool(results: Results) -> str:
    shares = [
        f"{results.judged(name, results.top):.1%} are judged for {name}" for name in results.tables
    ]
    differences = "the difference" if len(results.pairs) == 1 else "a difference"
    return (
        f"Of the first {results.top} items, {both(shares)}: {differences} may be an artefact of "
        f"what was judged. On judged items only, {_outcome(results, results.judged_only)}."
    )


def _ties(results: Results) -> Iterator[str]:
    """Whether another order of equal scores would change a verdict."""
    depends = [results.named(row) for _, row in results.tie_dependent.iterrows()]
    if results.measures[0] in depends:
        expected, best, worst = (
            f"{signed(other.comparison['difference'].iloc[0], 3)} "
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


def _outcome(results: Results, found: Alternative) -> str:
    """The mean or the differences under other choices, as the end of a sentence."""
    measure, table = results.measures[0], found.comparison
    if len(found.tables) == 1:
        return f"the mean is {number(found.tables[next(iter(found.tables))][measure].mean(), 3)}"
    if table is None:
        return "there is nothing to compare"
    rows = table[table["measure"] == measure]
    if len(rows) == 1:
        (_, row), *_ = rows.iterrows()
        interval = _interval(row, _p(row, table), of=signed)
        return f"the difference is {signed(row['difference'], 3, beside=_ends(row))}{interval}"
    means = [f"{number(each[measure].mean(), 3)} for {name}" for name, each in found.tables.items()]
    used = results.comparison.loc[rows.index, "verdict"]
    changed = [f"{row['a']} and {row['b']}" for _, row in rows[rows["verdict"] != used].iterrows()]
    verdicts = f"the verdict changes on {'; '.join(changed)}" if changed else "no verdict changes"
    return f"the mean is {both(means)}: {verdicts}"


def _cautions(results: Results) -> Iterator[str]:
    """Why the intervals above may be too narrow."""
    said = {"the mean": results.means["caution"].iloc[0]}
    for place, (a, b) in enumerate(results.pairs if results.comparison is not None else ()):
        which = "the difference" + f" of {a} and {b}" * (len(results.pairs) > 1)
        said[which] = results.comparison["caution"].iloc[place]
    for line in grouped({what: text for what, text in said.items() if text}):
        yield f"On {line}"


def _p(row: pd.Series, table: pd.DataFrame) -> str:
    text = p_shown(row, table)
    return f"p {text}" if text[0] in "<≤" else f"p = {text}"


def _interval(row: pd.Series, p: str = "", *, of: Callable[..., str] = number) -> str:
    ends = [of(row[end], 3, beside=_ends(row)) for end in ("low", "high")]
    parts = [] if pd.isna(row["low"]) else [f"95% interval {ends[0]} to {ends[1]}"]
    parts += [p] * bool(p)
    return f" ({'; '.join(parts)})" if parts else ""


def _ends(row: pd.Series) -> list[float]:
    """The numbers that are said together, and so with as many digits."""
    return [row.get("mean", row.get("difference")), row["low"], row["high"]]
