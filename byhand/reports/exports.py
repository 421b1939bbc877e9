"""Write a report to files: the page, CSV, JSON, LaTeX and Markdown.

`schema.py` describes the JSON.
"""

import json
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import is_dataclass
from importlib.metadata import version
from os import PathLike, fspath
from pathlib import Path

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.files.opening import File
from byhand.reports.number_text import made_with
from byhand.reports.options import FilePath
from byhand.reports.writing import refuse_source, replacing, target_path
from byhand.words import ENGLISH, speaking

_ENDINGS = {".html": "html", ".htm": "html", ".csv": "csv", ".json": "json"}
_ENDINGS |= {".tex": "latex", ".md": "markdown"}
_SAY = "Pass a file name that ends in .html, .csv, .json, .tex or .md"
Numbers = Mapping[str, object]
_LIBRARIES = ("numpy", "pandas", "scipy", "pyarrow")

# ---- the files ---------------------------------------------------------------------------------


def write_forms(makers: Mapping[str, Callable[[], str]], wanted: Mapping[Path, str]) -> list[Path]:
    """Write each format to its path, atomically."""
    with ExitStack() as files:  # replaces no file before all are complete
        new = {}
        for path in wanted:
            with _about(path):
                new[path] = files.enter_context(replacing(path))
        for path, form in wanted.items():
            text = makers[form]()
            with _about(path):
                new[path].write_text(text, encoding="utf-8", newline="\n")
    return [*wanted]


def targets_of(paths: Sequence[FilePath], sources: Sequence[FilePath]) -> dict[Path, str]:
    """Return the format of each path; raise `DataError` for one that cannot be written."""
    wanted: dict[Path, str] = {}
    if not paths:
        raise DataError(f"No path was passed. {_SAY}.")
    for path in paths:
        if not (isinstance(path, str | PathLike) and fspath(path)):
            raise DataError(f"{shown(path)} is not a path. {_SAY}.")
        file = Path(path)
        refuse_source(file, sources)
        if file.suffix.lower() not in _ENDINGS:
            raise DataError(f"{path} has no known extension. {_SAY}.")
        if file.is_dir():
            raise DataError(f"{path} is a folder: pass the name of a file.")
        if target_path(file) in map(target_path, wanted):
            raise DataError(f"{path} is passed twice. Pass a different path for each format.")
        wanted[file] = _ENDINGS[file.suffix.lower()]
    return wanted


@contextmanager
def _about(path: Path) -> Iterator[None]:
    """Add the path to an `OSError` from writing."""
    try:
        yield
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror}.") from None


# ---- the numbers -------------------------------------------------------------------------------


def csv_text(r: Numbers) -> str:
    """Return values and chance levels as CSV, one row per query and system."""
    tables = []
    columns = [name for measure in r["measures"] for name in (measure, f"{measure} chance")]
    for name, table in r["queries"].items():
        values = table[columns].reset_index()
        values.insert(1, "system", name)
        values.insert(2, "answered", table["answered"].to_numpy())
        tables.append(values)
    return pd.concat(tables).to_csv(index=False)


@speaking(ENGLISH)  # programs read it
def json_text(
    r: Numbers,
    sources: Mapping[str, Sequence[File]],
    sentences: Callable[[str, str], list[str]],
) -> str:
    """Return the numbers and sentences of the page, and where they come from, as JSON."""
    versions = {"python": platform.python_version()}
    versions |= {library: version(library) for library in _LIBRARIES}
    files = {
        what: [{"file": file.path.name, "sha256": file.sha256} for file in files]
        for what, files in sources.items()
    }
    said = {name: sentences(name, ENGLISH) for name in ("summary", "methods")}
    made = {"made_with": made_with(), "versions": versions, "files": files}
    return json.dumps(_plain(made | said | r), indent=1)


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
