"""What a report is written to: its page, the value of each query, and what other modules make."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from os import PathLike, fspath
from pathlib import Path

import pandas as pd

from byhand.errors import DataError, shown
from byhand.files.writing import refuse_source, replacing
from byhand.reports.exported import Exported
from byhand.reports.figure_files import figures_of
from byhand.reports.json_numbers import json_text
from byhand.reports.latex_table import latex_text
from byhand.reports.options import FilePath

_ENDINGS = {".html": "html", ".htm": "html", ".csv": "csv", ".json": "json", ".tex": "latex"}
_SAY = "Pass a file that ends in .html, .csv, .json or .tex, or for figures a folder: figures/"


def write_forms(
    report: Exported,
    paths: Sequence[FilePath],
    forms: Mapping[str, FilePath | None],
    done: Callable[[int, int], None],
) -> list[Path]:
    """Write a report in each form, whole or not at all; what is read stays."""
    makers = {
        "html": lambda each: each.html(done),
        "csv": csv_text,
        "json": json_text,
        "latex": latex_text,
    }
    wanted = _wanted(paths, forms, [*makers, "figures"])
    sources = [file.path for each in report.results.inputs.sources.values() for file in each]
    for _, path in wanted:
        refuse_source(path, sources)
    with ExitStack() as files:  # nothing is replaced until all is well
        new = {}
        for form, path in wanted:
            if form != "figures":
                with _about(path):
                    new[path] = files.enter_context(replacing(path))
        for form, path in wanted:
            if form == "figures":
                drawn = figures_of(report.results)
                with _about(path):
                    path.mkdir(parents=True, exist_ok=True)
                    for name, figure in drawn.items():
                        files.enter_context(replacing(path / name)).write_bytes(figure)
            else:
                text = makers[form](report)
                with _about(path):
                    new[path].write_text(text, encoding="utf-8", newline="\n")
    return [path for _, path in wanted]


def _wanted(
    paths: Sequence[FilePath], forms: Mapping[str, FilePath | None], known: Sequence[str]
) -> list[tuple[str, Path]]:
    """What is to be written, and where; an error if that cannot be."""
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
        if form != "figures" and path.is_dir():
            raise DataError(f"{path} is a folder: pass a file name for {form}.")
    return wanted


def _form_of(path: FilePath) -> str:
    """The form that a path asks for by its ending; a folder is for figures."""
    if fspath(path).endswith(("/", "\\")) or Path(path).is_dir():
        return "figures"
    if (ending := Path(path).suffix.lower()) not in _ENDINGS:
        raise DataError(f"{path} has no known ending. {_SAY}.")
    return _ENDINGS[ending]


@contextmanager
def _about(path: Path) -> Iterator[None]:
    """Let a disk that is full, or a folder that takes nothing, say for what."""
    try:
        yield
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror}.") from None


def csv_text(report: Exported) -> str:
    """The value of each query, and its chance level, as CSV: one row a query and system."""
    results, tables = report.results, []
    columns = [name for measure in results.measures for name in (measure, f"{measure} chance")]
    for name, table in results.tables.items():
        values = table[columns].reset_index()
        values.insert(1, "system", name)
        values.insert(2, "answered", ~table.index.isin(results.missing[name]))
        tables.append(values)
    return pd.concat(tables).to_csv(index=False)
