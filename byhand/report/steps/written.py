"""What a report is written to beside its page: every number, a table for a paper, the figures."""

import json
import platform
from collections.abc import Callable, Mapping
from importlib.metadata import version
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd

from byhand.files.writing import refuse_source, replacing
from byhand.report.provenance import hashes, made_with
from byhand.report.steps.by_group import compared_by_group, groups_of
from byhand.report.steps.drawings import write_figures
from byhand.report.steps.latex import latex_table
from byhand.report.steps.methods import methods
from byhand.report.steps.results import Alternative, Results
from byhand.report.steps.summary import summary
from byhand.report.steps.told import told
from byhand.statistics import overlap

_LIBRARIES = ("numpy", "pandas", "scipy", "pyarrow")


@told
def write_results(results: Results, save: Mapping[str, str | PathLike[str] | None] | None) -> None:
    """Write what a page says in the forms that others take.

    Args:
        results: what `results_of` returns.
        save: where to, by form: "json" every number, "latex" a table of the means, "figures" a
            folder for every figure as SVG and PDF. None writes nothing.

    Raises:
        DataError: a path is that of a file to read.
        ValueError: a form that is not one of these.
    """
    forms: dict[str, Callable[[Results, Path], object]] = {
        "json": lambda results, path: path.write_text(json.dumps(numbers(results), indent=1)),
        "latex": lambda results, path: path.write_text(latex_table(results), encoding="utf-8"),
        "figures": write_figures,
    }
    for form, path in (save or {}).items():
        if form not in forms:
            raise ValueError(f"{form!r} is not a form to save. Choose from {', '.join(forms)}.")
        if path is not None:
            refuse_source(path, results.data.paths.values())
            if form == "figures":
                write_figures(results, Path(path))
                continue
            with replacing(Path(path)) as new:
                forms[form](results, new)


def numbers(results: Results) -> dict[str, object]:
    """Every number of the page, and what they rest on, as plain values."""
    told = {
        "made_with": made_with(),
        "versions": {"python": platform.python_version()}
        | {library: version(library) for library in _LIBRARIES},
        "files": {what: hashes(path) for what, path in results.data.paths.items()},
        "systems": list(results.tables),
        "measures": results.measures,
        "preset": results.conventions if isinstance(results.conventions, str) else None,
        "conventions": {name: results.chosen(name).as_dict() for name in results.measures},
        "relevant_from": results.data.relevant_from,
        "matters": results.matters,
        "summary": list(summary(results)),
        "methods": list(methods(results)),
        "data": {
            name: {"counts": vars(checked.counts), "notes": checked.notes}
            for name, checked in results.data.checked.items()
        },
        "means": results.means,
        "cutoffs": {name: table.mean() for name, table in results.cutoffs.items()},
        "orders_of_equal_scores": {
            order: _outcome(results, found) for order, found in results.orders.items()
        },
        "unjudged_items": _unjudged(results),
        "queries": {
            name: table.assign(answered=~table.index.isin(results.missing[name]))
            for name, table in results.tables.items()
        },
    }
    if results.data.groups:
        told["groups"] = _groups(results)
    if results.comparison is not None:
        told["comparison"] = results.comparison
        told["test"] = results.comparison.attrs
        told["verdicts_that_depend_on_ties"] = results.tie_dependent[["measure", "a", "b"]]
        told["overlap"] = _overlap(results)
    return _plain(told)


def _outcome(results: Results, found: Alternative) -> dict[str, object]:
    means = {name: table[results.measures].mean() for name, table in found.tables.items()}
    return {"means": means, "comparison": found.comparison}


def _unjudged(results: Results) -> dict[str, object] | None:
    """The mean of each measure if none of the items that nobody judged is relevant, and if all."""
    ranges = results.unjudged_ranges if results.unjudged else None
    if ranges is None:
        return None
    return {
        system: {
            name: {kind: table[f"{name} {kind}"].mean() for kind in ("none", "all")}
            for name in results.unjudged
        }
        for system, table in ranges.items()
    }


def _groups(results: Results) -> dict[str, object]:
    """The means of the first measure in each group, and the comparison in it."""
    (groups, _), measure = groups_of(results), results.measures[0]
    values = {system: table[measure] for system, table in results.tables.items()}
    means = {
        name: {
            "queries": len(queries),
            "means": {system: each.reindex(queries).mean() for system, each in values.items()},
        }
        for name, queries in groups.items()
    }
    compared = None
    if results.comparison is not None:
        compared = compared_by_group(results, groups).rename(columns={"measure": "group"})
    return {"measure": measure, "means": means, "comparison": compared}


def _overlap(results: Results) -> list[dict[str, object]] | None:
    if results.data.scanned:
        return None
    return [
        {
            "a": a,
            "b": b,
            "k": results.top,
            "queries": overlap(results.data.runs[a], results.data.runs[b], results.top),
        }
        for a, b in results.pairs
    ]


def _plain(value: object) -> object:
    """A value as JSON knows it: a table is a list of rows, or its rows by query."""
    if isinstance(value, pd.DataFrame):
        rows = [_plain(row) for row in value.to_dict("records")]
        named = value.index.name is not None
        return dict(zip(map(str, value.index), rows, strict=True)) if named else rows
    if isinstance(value, pd.Series):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, np.ndarray | list | tuple | pd.Index):
        return [_plain(each) for each in value]
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float):
        return value if np.isfinite(value) else (None if np.isnan(value) else str(value))
    return value if isinstance(value, bool | int | str | None) else str(value)
