"""Write a report to files: the page, CSV, JSON and LaTeX.

`schema.py` describes the JSON.
"""

import json
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import is_dataclass
from importlib.metadata import version
from os import PathLike, fspath
from pathlib import Path

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.files.writing import refuse_source, replacing
from byhand.reports.number_text import made_with
from byhand.reports.options import FilePath
from byhand.reports.results import Alternative, Results
from byhand.words import ENGLISH, speaking

_ENDINGS = {".html": "html", ".htm": "html", ".csv": "csv", ".json": "json", ".tex": "latex"}
_SAY = "Pass a file that ends in .html, .csv, .json or .tex"
_LIBRARIES = ("numpy", "pandas", "scipy", "pyarrow")

# ---- the files ---------------------------------------------------------------------------------


def write_forms(
    makers: Mapping[str, Callable[[], str]],
    paths: Sequence[FilePath],
    forms: Mapping[str, FilePath | None],
    sources: Sequence[FilePath],
) -> list[Path]:
    """Write each format atomically, without overwriting an input."""
    wanted = _wanted(makers, paths, forms)
    with ExitStack() as files:  # replaces no file before all are complete
        new = {}
        for _, path in wanted:
            refuse_source(path, sources)
            with _about(path):
                new[path] = files.enter_context(replacing(path))
        for form, path in wanted:
            text = makers[form]()
            with _about(path):
                new[path].write_text(text, encoding="utf-8", newline="\n")
    return [path for _, path in wanted]


def _wanted(
    known: Iterable[str], paths: Sequence[FilePath], forms: Mapping[str, FilePath | None]
) -> list[tuple[str, Path]]:
    """Return each format with its path."""
    if not paths and not forms:
        raise DataError(f"No path was passed. {_SAY}.")
    for path in (*paths, *forms.values()):
        if path is not None and not (isinstance(path, str | PathLike) and fspath(path)):
            raise DataError(f"{shown(path)} is not a path. {_SAY}.")
    wanted = [(_form_of(path), Path(path)) for path in paths]
    wanted += [(form, Path(path)) for form, path in forms.items() if path is not None]
    places = [path.resolve() for _, path in wanted]
    for form, path in wanted:
        if form not in known:
            raise DataError(f"{form!r} is not a form to save. Choose from {', '.join(known)}.")
        if places.count(path.resolve()) > 1:
            raise DataError(f"{path} is passed twice: pass a different path for each form.")
        if path.is_dir():
            raise DataError(f"{path} is a folder: pass a file name for {form}.")
    return wanted


def _form_of(path: FilePath) -> str:
    """Return the format for the ending of a path."""
    if (ending := Path(path).suffix.lower()) not in _ENDINGS:
        raise DataError(f"{path} has no known ending. {_SAY}.")
    return _ENDINGS[ending]


@contextmanager
def _about(path: Path) -> Iterator[None]:
    """Add the path to an `OSError` from writing."""
    try:
        yield
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror}.") from None


# ---- the numbers -------------------------------------------------------------------------------


def csv_text(results: Results) -> str:
    """Return values and chance levels as CSV, one row per query and system."""
    tables = []
    columns = [name for measure in results.measures for name in (measure, f"{measure} chance")]
    for name, table in results.tables.items():
        values = table[columns].reset_index()
        values.insert(1, "system", name)
        values.insert(2, "answered", ~table.index.isin(results.missing[name]))
        tables.append(values)
    return pd.concat(tables).to_csv(index=False)


@speaking(ENGLISH)  # programs read it
def json_text(results: Results, sentences: Callable[[str, str], list[str]]) -> str:
    """Return the numbers and sentences of the page, their options and sources, as JSON."""
    data = results.inputs
    output = {
        "made_with": made_with(),
        "versions": {"python": platform.python_version()}
        | {library: version(library) for library in _LIBRARIES},
        "files": {
            what: [{"file": file.path.name, "sha256": file.sha256} for file in files]
            for what, files in data.sources.items()
        },
        "systems": results.systems,
        "measures": results.measures,
        "preset": data.conventions if isinstance(data.conventions, str) else None,
        "conventions": {name: results.chosen(name) for name in results.measures},
        "relevant_from": data.relevant_from,
        "matters": results.matters,
        "reported": None,
        "summary": sentences("summary", ENGLISH),
        "methods": sentences("methods", ENGLISH),
        "data": {
            name: {"counts": vars(checked.counts), "notes": checked.notes}
            for name, checked in data.checked.items()
        },
        "means": results.means,
        "cutoffs": {name: table.mean() for name, table in results.cutoffs.items()},
        "orders_of_equal_scores": {
            order: _outcome(results, outcome) for order, outcome in results.orders.items()
        },
        "judged_only": results.judged_only and _outcome(results, results.judged_only),
        "unjudged_items": results.unjudged if results.of_unjudged else None,
        "queries": {
            name: table.assign(answered=~table.index.isin(results.missing[name]))
            for name, table in results.tables.items()
        },
    }
    if (explained := results.explained) is not None:
        output["reported"] = {"means": results.reported, "explanations": explained}
        output["reported"]["says"] = explained.attrs["says"]
    if results.groups is not None:
        output["groups"] = _of_groups(results)
    if results.comparison is not None:
        output |= _of_pairs(results)
    return json.dumps(_plain(output), indent=1)


def _of_groups(results: Results) -> dict[str, object]:
    """Return the means of each group and the comparisons in it."""
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


def _of_pairs(results: Results) -> dict[str, object]:
    """Return the comparisons, the verdicts that depend on ties, and the overlap of rankings."""
    overlaps = [
        {"a": a, "b": b, "k": results.top, "queries": shared}
        for (a, b), shared in results.overlaps.items()
    ]
    return {
        "comparison": results.comparison,
        "test": results.comparison.attrs,
        "verdicts_that_depend_on_ties": results.tie_dependent[["measure", "a", "b"]],
        "overlap": None if results.inputs.scanned else overlaps,
    }


def _outcome(results: Results, outcome: Alternative) -> dict[str, object]:
    means = {name: table[results.measures].mean() for name, table in outcome.tables.items()}
    return {"means": means, "comparison": outcome.comparison}


def _plain(value: object) -> object:
    """Convert a value for JSON: a table to a list of rows, or to rows by query."""
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
