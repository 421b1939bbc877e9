"""Every number of a report as JSON, with what they rest on: `schema.json` says what is where."""

import json
import platform
from collections.abc import Mapping
from dataclasses import is_dataclass
from importlib.metadata import version

import numpy as np
import pandas as pd

from byhand.reports.exported import Exported
from byhand.reports.number_text import made_with
from byhand.reports.other_choices import Alternative
from byhand.reports.results import Results
from byhand.words import ENGLISH, speaking

_LIBRARIES = ("numpy", "pandas", "scipy", "pyarrow")


@speaking(ENGLISH)  # programs read it
def json_text(report: Exported) -> str:
    """Every number of the page, what is said of them, and what they rest on, as JSON."""
    results, data = report.results, report.results.inputs
    told = {
        "made_with": made_with(),
        "versions": {"python": platform.python_version()}
        | {library: version(library) for library in _LIBRARIES},
        "files": {
            what: [{"file": file.path.name, "sha256": file.sha256} for file in files]
            for what, files in data.sources.items()
        },
        "systems": list(results.tables),
        "measures": results.measures,
        "preset": data.conventions if isinstance(data.conventions, str) else None,
        "conventions": {name: results.chosen(name) for name in results.measures},
        "relevant_from": data.relevant_from,
        "matters": results.matters,
        "reported": None,
        "summary": report.sentences("summary", ENGLISH),
        "methods": report.sentences("methods", ENGLISH),
        "data": {
            name: {"counts": vars(checked.counts), "notes": checked.notes}
            for name, checked in data.checked.items()
        },
        "means": results.means,
        "cutoffs": {name: table.mean() for name, table in results.cutoffs.items()},
        "orders_of_equal_scores": {
            order: _outcome(results, found) for order, found in report.others.orders.items()
        },
        "other_choices": {
            choice: _outcome(results, found)
            for choice, found in report.others.by_choice.items()
            if not choice.startswith("ties ")
        },
        "unjudged_items": report.pool.means if results.of_unjudged else None,
        "queries": {
            name: table.assign(answered=~table.index.isin(results.missing[name]))
            for name, table in results.tables.items()
        },
    }
    if (explained := results.explained) is not None:
        told["reported"] = {"means": results.reported, "explanations": explained}
        told["reported"]["says"] = explained.attrs["says"]
    if results.groups is not None:
        told["groups"] = _of_groups(results)
    if results.comparison is not None:
        told |= _of_pairs(report)
    return json.dumps(_plain(told), indent=1)


def _of_groups(results: Results) -> dict[str, object]:
    """The means of each group, and how the systems compare in it."""
    measure, groups = results.measures[0], results.groups
    values = pd.DataFrame({name: table[measure] for name, table in results.tables.items()})
    means = {
        name: {"queries": len(queries), "means": values.loc[queries].mean()}
        for name, queries in groups.queries.items()
    }
    compared = groups.comparison
    if compared is not None:
        compared = compared.rename(columns={"measure": "group"})
    return {"measure": measure, "means": means, "comparison": compared}


def _of_pairs(report: Exported) -> dict[str, object]:
    """The comparison, which of its verdicts hang on something, and how alike rankings are."""
    results, pair = report.results, ["measure", "a", "b"]
    overlaps = [
        {"a": a, "b": b, "k": results.top, "queries": shared}
        for (a, b), shared in results.overlaps.items()
    ]
    return {
        "comparison": results.comparison,
        "test": results.comparison.attrs,
        "verdicts_that_depend_on_ties": report.others.tie_dependent[pair],
        "verdicts_that_depend_on_judgements": report.pool.dependent[pair],
        "overlap": None if results.inputs.scanned else overlaps,
    }


def _outcome(results: Results, found: Alternative) -> dict[str, object]:
    means = {name: table[results.measures].mean() for name, table in found.tables.items()}
    return {"means": means, "comparison": found.comparison}


def _plain(value: object) -> object:
    """A value as JSON knows it: a table is a list of rows, or its rows by query."""
    if isinstance(value, pd.DataFrame):
        rows = [_plain(row) for row in value.to_dict("records")]
        named = value.index.name is not None
        return dict(zip(map(str, value.index), rows, strict=True)) if named else rows
    value = vars(value) if is_dataclass(value) else value
    if isinstance(value, pd.Series | Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, np.ndarray | list | tuple | pd.Index):
        return [_plain(each) for each in value]
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float):
        return value if np.isfinite(value) else (None if np.isnan(value) else str(value))
    return value if isinstance(value, bool | int | str | None) else str(value)
