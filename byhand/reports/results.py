"""The numbers of a report, each computed once, in one dictionary.

The page, the text, JSON, CSV and the tables for papers are renderings of it. `schema.py` has its
keys and types.
"""

import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from byhand.errors import DataError
from byhand.metrics.conventions import Conventions
from byhand.metrics.evaluate import MissingQueriesWarning
from byhand.metrics.measure_names import measure_named
from byhand.metrics.measures.judged import Judged
from byhand.metrics.ranges import unjudged_range
from byhand.reports.groups import compared_in, groups_of
from byhand.reports.inputs import Inputs
from byhand.reports.number_text import POOL_LIMIT, VISIBLE
from byhand.statistics import (
    CONFIDENCE,
    Resampling,
    Size,
    Verdict,
    compare_values,
    interval_caution,
    mean_interval,
    overlap,
    queries_needed,
    size_of,
    smallest_difference,
)
from byhand.statistics.clusters import independent_values

HIGHER = (Verdict.A_HIGHER, Verdict.B_HIGHER)
_TURNED = {Verdict.A_HIGHER: Verdict.B_HIGHER.value, Verdict.B_HIGHER: Verdict.A_HIGHER.value}
_OPEN = (Verdict.INCONCLUSIVE, Verdict.TOO_FEW)
_CUTOFFS = [m * 10**power for power in range(7) for m in (1, 2, 3, 5)]
_ORDERS = ("expected", "best", "worst")
_OVERTURNS = 4  # most comparisons with alternative outcomes
_NARROW, _NARROW_PART = 0.005, 0.05  # limits of a small interval: absolute, relative to the mean
_FEWEST = 10_000  # least number of random sign flips
_ROUNDING = 1e-12  # rounding error of equal means
_MOST_ROWS = 1_000_000  # most rows for the means with unjudged items, which are slow

Row = dict[str, object]
Tables = dict[str, pd.DataFrame]  # values by system and query


def results_of(
    data: Inputs, *, matters: float | None, reported: Mapping[str, str]
) -> dict[str, object]:
    """Return the numbers of a report, with the keys of `ReportNumbers`; arguments as in `report`.

    Values by query are data frames, and texts are translated when they are shown. JSON also names
    the files and the versions, and has the sentences of the page.
    """
    tables = _tables(data)
    judged = _judged(data, tables)
    kept = ("notes", "facts", "doubt", "turning")
    checks = {
        name: {"counts": vars(of.counts)} | {each: getattr(of, each) for each in kept}
        for name, of in data.checked.items()
    }
    overlaps = [
        {"a": a, "b": b, "k": data.top, "queries": overlap(data.runs[a], data.runs[b], data.top)}
        for a, b in data.pairs
        if not data.scanned
    ]
    removed = {"unjudged": "removed"}
    alone = data.chosen(data.measures[0]).unjudged == "removed"  # judged items count alone anyway
    rows, test = _compared(data, tables, matters, signs=10**9)
    of_unjudged = [
        name
        for name in data.measures
        if not (measure := measure_named(name)).of_judged
        and any(of.get(f"Judged@{measure.k}", math.nan) < 1 for of in judged.values())
    ]
    found = {
        "systems": list(data.runs),
        "pairs": data.pairs,
        "measures": list(data.measures),
        "top": data.top,
        "preset": data.conventions if isinstance(data.conventions, str) else None,
        "conventions": {name: data.chosen(name) for name in data.measures},
        "relevant_from": data.relevant_from,
        "matters": matters,
        "tables": [*_sources(data)],
        "in_memory": not data.scanned,
        "judged_run": data.judged_run,
        "data": checks,
        "relevant_only": data.relevant_only,
        "empty_queries": int((data.relevant_counts == 0).sum()),
        "missing": {name: table.index[~table["answered"]] for name, table in tables.items()},
        "judged": judged,
        "means": _means(data, tables, judged),
        "cutoffs": _over_cutoffs(data),
        "comparison": [_concluded(data, tables, row, matters) for row in rows] or None,
        "test": test or None,
        "overlap": None if data.scanned else overlaps,
        "groups": _groups(data, tables, matters),
        "reported": _explained(data, reported),
        "orders_of_equal_scores": _orders(data, tables, rows, matters),
        "judged_only": None if alone or not of_unjudged else _under(data, rows, matters, **removed),
        "unjudged_measures": of_unjudged,
        "unjudged_items": _unjudged(data, of_unjudged) if of_unjudged else None,
        "queries": tables,
    }
    found["verdicts_that_depend_on_ties"] = [*_dependent_on_ties(found)]
    found["overturns"] = [*_overturns(found)]
    found["judgements_decide"] = _judgements_decide(found)
    return found


# ---- the data ----------------------------------------------------------------------------------


def _sources(data: Inputs) -> Iterator[Row]:
    """Yield what is known of each table that was read."""
    runs = [("run", name, run) for name, run in data.runs.items()]
    for what, system, table in runs if data.judged_run else [*runs, ("qrels", "", data.qrels)]:
        attrs = table.attrs
        yield {
            "what": what,
            "system": system,
            "file": Path(attrs.get("file", "")).name,
            "format": attrs.get("format", ""),
            "rows": len(table),
            "by_rank": any("minus the rank" in note for note in attrs.get("notes", [])),
        }
    for kind, texts in data.texts.items():
        for table in texts.tables[:1]:
            source = {"file": table.file.path.name, "format": table.kind}
            yield {"what": kind, **source, "more": len(texts.tables) - 1}
    if data.groups:
        files = data.sources.get("groups of queries", ())
        name = ", ".join(file.path.name for file in files)
        yield {"what": "groups", "file": name, "rows": len(data.groups)}


def _tables(data: Inputs) -> Tables:
    """Return the values of each system by query: also recall, judged shares, chance and ties."""
    # in a scanned run with relevance, every row is a judgement
    judged = [] if data.scanned and data.judged_run else _judged_names(data)
    names, tables = [*dict.fromkeys([*data.measures, data.recall, *judged])], {}
    for system in data.runs:
        table = data.evaluation(system, names).table("chance", "ties", lenient=True)
        table["answered"] = table.index.isin(data.sizes_of(system).index)
        tables[system] = table
    return tables


def _judged_names(data: Inputs) -> list[str]:
    """Return Judged@k for the cutoffs of the measures."""
    cutoffs = {measure_named(name).k for name in data.measures} - {None} | {data.top}
    return [str(Judged(k=k)) for k in sorted(cutoffs)]


def _judged(data: Inputs, tables: Tables) -> dict[str, dict[str, float]]:
    """Return the mean Judged@k over the answered queries, by system; NaN if it is unknown."""
    unknown = data.relevant_only or (data.scanned and data.judged_run)
    names, shares = _judged_names(data), {}
    for system, table in tables.items():
        known = table[table["answered"]]
        shares[system] = {name: math.nan if unknown else known[name].mean() for name in names}
    return shares


# ---- means -------------------------------------------------------------------------------------


def _independent(data: Inputs, values: pd.Series) -> np.ndarray:
    """Return the value of each query, or of each cluster of dependent queries."""
    return independent_values(values.to_numpy(), data.cluster_numbers(values.index))


def _means(data: Inputs, tables: Tables, judged: Mapping[str, Mapping[str, float]]) -> list[Row]:
    """Return the mean, its interval and its chance level by measure and system."""
    rows = []
    for measure in data.measures:
        # rounding must not decide which mean is the highest
        best = max(table[measure].mean() for table in tables.values()) - _ROUNDING
        share = f"Judged@{measure_named(measure).k}"
        for system, table in tables.items():
            known, mean = table[measure].dropna(), table[measure].mean()
            drawn, number = _independent(data, known), data.cluster_numbers(known.index)
            low, high = mean_interval(drawn)
            level = table[f"{measure} chance"].mean()
            rows.append(
                {
                    "measure": measure,
                    "system": system,
                    "mean": mean,
                    "low": low,
                    "high": high,
                    "median": known.median(),
                    "chance": level,
                    "lift": mean / level if level > 0 else math.nan,
                    "queries": len(known),
                    "caution": interval_caution(drawn, lowest=0, number=number) or "",
                    "judged": judged[system].get(share, math.nan),
                    "best": bool(len(tables) > 1 and mean >= best),
                }
            )
    return rows


def _over_cutoffs(data: Inputs) -> dict[str, dict[str, float]]:
    """Return the means of the first measure at round and requested cutoffs, by system.

    There are none if the conventions do not define it at each of them.
    """
    longest = max(int(data.sizes_of(name).max()) for name in data.runs)
    asked = {measure_named(name).k for name in data.measures} - {None}
    uncut = data.measures[0].partition("@")[0]
    names = [f"{uncut}@{k}" for k in sorted({*_CUTOFFS, *asked}) if k <= longest]
    try:
        return {name: data.evaluation(name, names).table().mean().to_dict() for name in data.runs}
    except DataError:  # a cutoff inside a group of equal scores
        return {name: {} for name in data.runs}


def _groups(data: Inputs, tables: Tables, matters: float | None) -> Row | None:
    """Return the means of the first measure and the comparisons by group of queries."""
    if not data.groups:
        return None
    first, system = data.measures[0], next(iter(tables))
    values = {name: table[first] for name, table in tables.items()}
    limit = matters if measure_named(first).highest == 1 else None
    groups, rest, left = groups_of(data, values)
    means = {}
    for name, queries in groups.items():
        low, high = mean_interval(_independent(data, values[system][queries]))
        of = {each: column.reindex(queries).mean() for each, column in values.items()}
        means[name] = {"queries": len(queries), "means": of, "low": low, "high": high}
    rows = compared_in(groups, data, values, limit) if data.pairs else []
    rows = [row | {"narrow": _narrow(row, matters)} for row in rows]
    found = {"measure": first, "means": means, "comparison": rows or None}
    return found | {"rest": rest, "left_out": left}


def turned(row: Row) -> Row:
    """Return a row of a comparison as b minus a."""
    reversed_row = {"difference": -row["difference"], "low": -row["high"], "high": -row["low"]}
    reversed_row |= {"at_least": -row["at_most"], "at_most": -row["at_least"]}
    reversed_row |= {"wins": row["losses"], "losses": row["wins"], "a": row["b"], "b": row["a"]}
    return {**row, **reversed_row, "verdict": _TURNED.get(row["verdict"], row["verdict"])}


def _side(row: Row) -> str:
    """Return which system is higher, or `INCONCLUSIVE` for any other verdict."""
    return row["verdict"] if row["verdict"] in HIGHER else Verdict.INCONCLUSIVE


def _compared(
    data: Inputs, tables: Tables, matters: float | None, *, signs: int = 10**8
) -> tuple[list[Row], Row]:
    """Return the rows of `compare_values` and its options, with fewer signs for many queries."""
    values = {name: table[list(data.measures)] for name, table in tables.items()}
    answered = pd.concat(values, axis=1).dropna(how="all")
    if len(values) < 2 or answered.empty:
        return [], {}
    drawn = min(Resampling.permutations, max(_FEWEST, signs // len(answered)))
    table = compare_values(
        values,
        missing={name: len(data.missing(name)) for name in tables},
        pairs=data.pairs,
        correct="primary",  # the first measure needs no correction for the others
        matters=matters,
        permutations=drawn,
        clusters=data.clusters,
    ).assign(permutations=drawn)
    return table.to_dict("records"), table.attrs


def _narrow(row: Row, matters: float | None) -> bool:
    """Return whether an inconclusive difference is certainly small."""
    if row["verdict"] not in _OPEN or not row["wins"] + row["losses"]:
        return False
    part = _NARROW_PART * max(row["mean_a"], row["mean_b"])
    limit = min(_NARROW, part) if matters is None else matters
    return size_of(row["at_least"], row["at_most"], limit) == Size.WITHIN


def _concluded(data: Inputs, tables: Tables, row: Row, matters: float | None) -> Row:
    """Add to a row whether its difference is small, and what the queries could have shown."""
    row = row | {"narrow": _narrow(row, matters)}
    if row["measure"] != data.measures[0] or row["verdict"] != Verdict.INCONCLUSIVE:
        return row
    drawn = _independent(data, differences_of(tables, row["measure"], row["a"], row["b"]))
    spread, n = drawn.std(ddof=1), len(drawn)
    alpha = (1 - CONFIDENCE) / len(data.pairs)  # threshold for p in the first step of Holm's
    if matters is None:
        return row | {"shows": smallest_difference(spread, n, alpha=alpha)}
    needed = queries_needed(spread, matters, alpha=alpha)
    return row | {
        "needed": math.ceil(needed * row["queries"] / n)
    }  # clusters of the same mean size


def differences_of(tables: Tables, measure: str, a: str, b: str) -> pd.Series:
    """Return a minus b for each query with both values."""
    theirs = tables[b][measure]
    return (tables[a][measure] - theirs.reindex(tables[a].index)).dropna()


# ---- alternative outcomes ----------------------------------------------------------------------


def _under(data: Inputs, base: Sequence[Row], matters: float | None, **choices: str) -> Row:
    """Return the means and comparisons under other conventions, and whether a verdict changes."""
    groups: dict[Conventions, list[str]] = {}
    for name in data.measures:
        groups.setdefault(data.chosen(name).but(**choices), []).append(name)
    tables = {}
    for system in data.runs:
        parts = (data.evaluation(system, names, how) for how, names in groups.items())
        tables[system] = pd.concat([part.table() for part in parts], axis=1)
    rows, _ = _compared(data, tables, matters)
    pairs = zip(rows, base, strict=True) if rows and base else ()
    rows = [row | {"changed": _side(row) != _side(before)} for row, before in pairs]
    means = {name: table[list(data.measures)].mean().to_dict() for name, table in tables.items()}
    return {"means": means, "comparison": rows or None}


def _orders(
    data: Inputs, tables: Tables, rows: Sequence[Row], matters: float | None
) -> dict[str, Row]:
    """Return the outcomes of other tie orders, if a mean changes."""
    touched = any(
        table[f"{measure} best"].mean() - table[f"{measure} worst"].mean() >= VISIBLE
        for table in tables.values()
        for measure in data.measures
    )
    try:
        orders = _ORDERS if touched else ()
        return {order: _under(data, rows, matters, ties=order) for order in orders}
    except ValueError:  # the measure has no known mean over all orders
        return {}


def _unjudged(data: Inputs, names: Sequence[str]) -> dict[str, dict[str, dict[str, float]]] | None:
    """Return the means if no and if all unjudged items are relevant; None if this is too slow."""
    if data.scanned or sum(map(len, data.runs.values())) > _MOST_ROWS:
        return None
    options = {"conventions": data.conventions, "relevant_from": data.relevant_from}
    found = {}
    for system, run in data.runs.items():
        with warnings.catch_warnings():  # the report lists missing queries itself
            warnings.simplefilter("ignore", MissingQueriesWarning)
            means = unjudged_range(run, data.qrels, names, **options).mean()
        found[system] = {n: {end: means[f"{n} {end}"] for end in ("none", "all")} for n in names}
    return found


def _dependent_on_ties(found: Row) -> Iterator[Row]:
    """Yield the comparisons whose verdict depends on the order of ties."""
    orders = [each["comparison"] or [] for each in found["orders_of_equal_scores"].values()]
    for place, row in enumerate(found["comparison"] or []):
        if any(rows and rows[place]["changed"] for rows in orders):
            yield {name: row[name] for name in ("measure", "a", "b")}


def _overturns(found: Row) -> Iterator[Row]:
    """Yield the first difference under other conventions, and those whose verdict changes."""
    choices = {f"ties {order}": each for order, each in found["orders_of_equal_scores"].items()}
    choices |= {"judged": found["judged_only"]} if found["judged_only"] else {}
    several, n = len(found["pairs"]) > 1, 0
    for place, row in enumerate(found["comparison"] or []):
        used = f"ties {found['conventions'][row['measure']].ties}"
        others = {
            name: {"choice": name} | each["comparison"][place]
            for name, each in choices.items()
            if each["comparison"] and name != used
            if not math.isnan(each["comparison"][place]["difference"])
        }
        turns = {name for name, each in others.items() if each["changed"]}
        shown = turns
        if place == 0 and not several:
            shown = others.keys() - ({"ties expected"} - turns)
        if shown and n < _OVERTURNS:
            n += 1
            rows = [{"choice": "used"} | row, *(others[k] for k in others if k in shown)]
            # with several systems, in the direction of the first figure
            yield {"turns": bool(turns), "rows": [turned(r) for r in rows] if several else rows}


def _judgements_decide(found: Row) -> bool:
    """Return whether a verdict on the first measure may depend on the choice of judged items.

    It may if the verdict on judged items differs, or if the systems' judged shares differ much.
    """
    if not found["judged_only"] or not found["judged_only"]["comparison"]:
        return False
    shares = [of[f"Judged@{found['top']}"] for of in found["judged"].values()]
    rows, first = found["judged_only"]["comparison"], found["measures"][0]
    return any(round(abs(share - shares[0]), 9) > POOL_LIMIT for share in shares) or any(
        row["changed"] and row["measure"] == first for row in rows
    )


def _explained(data: Inputs, reported: Mapping[str, str]) -> Row | None:
    """Return the explanations of the reported means by `which_conventions`; None without any."""
    if not reported:
        return None
    if data.scanned:
        raise DataError(
            "reported: a run that does not fit in memory cannot be ranked again. Pass a "
            "larger memory, or call which_conventions with some of the queries."
        )
    from byhand.conventions.explanations import explained

    how = {"conventions": data.conventions, "relevant_from": data.relevant_from}
    run = next(iter(data.counted.values())).run
    try:
        answer = explained(run, data.judgements, reported, **how)
    except ValueError as error:
        raise DataError(str(error)) from None
    kept = {name: answer.attrs[name] for name in ("tried", "nearest", "says")}
    return {"means": dict(reported), "explanations": answer.to_dict("records"), **kept}
