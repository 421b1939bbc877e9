"""Choosing files with the mouse: for people who do not want to type paths."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from html import escape
from os import fspath
from pathlib import Path

import ipywidgets

from byhand.columns import JUDGED_RUN, QRELS, RUN
from byhand.errors import DataError
from byhand.files.formats import layouts_of
from byhand.files.header import Given, columns_of
from byhand.report.steps.inputs import against_of
from byhand.reports.request import FilePath

_WIDE = {"description_width": "9em"}
_TABLES = {"run": (RUN, JUDGED_RUN), "qrels": (QRELS,)}
_NONE = "(none)"
_MOST, _NAMED = 300, 5  # files of a folder that are looked into, and named if they are left out
_STAY = ("stay here", "")


class FilePicker(ipywidgets.VBox):
    """Lists to choose a run, qrels and other runs from, folder by folder.

    Only files that can be read as such are offered, and the others named below.

    Args:
        run: the run to begin with.
        qrels: the qrels to begin with; None for a run that holds the relevance, too.
        against: the other run to begin with, or a list of several; None for none.
        run_columns: the runs' names for our columns, for all or for each by its file.
        qrels_columns: the same for the qrels.
        before: a picker whose choice stays, if it began with the same files.

    Example:
        >>> FilePicker(run="data/run.csv")
        FilePicker(run 'run.csv')
    """

    def __init__(
        self,
        *,
        run: FilePath,
        qrels: FilePath | None = None,
        against: FilePath | Sequence[FilePath] | None = None,
        run_columns: Given | None = None,
        qrels_columns: Given | None = None,
        before: object = None,
    ) -> None:
        self._began = {"run": run, "qrels": qrels, "against": against}
        self._columns = {"run": run_columns, "qrels": qrels_columns, "against": run_columns}
        chosen, folder = self._began, Path(run).parent
        if isinstance(before, FilePicker) and before._began == self._began:
            chosen, folder = before.files, before._folder
        self._title, self._left_out = ipywidgets.HTML(), ipywidgets.HTML()
        self._folders = _dropdown("Go to folder")
        self._lists = {role: _dropdown(role.capitalize()) for role in chosen}
        self._chosen = {role: _paths(files) for role, files in chosen.items()}
        for role, each in self._lists.items():
            each.observe(partial(self._on_file, role), names="value")
        self._enter(folder if folder.is_dir() else Path())
        self._folders.observe(self._on_folder, names="value")
        super().__init__([self._title, self._folders, *self._lists.values(), self._left_out])

    @property
    def files(self) -> dict[str, str | list[str] | None]:
        """The files chosen: `run`, `qrels` and `against`, by these names."""
        return {
            role: paths[0] if len(paths) == 1 else [*paths] or None
            for role, paths in self._chosen.items()
        }

    def _on_folder(self, change: dict[str, object]) -> None:
        if change["new"]:
            self._enter(Path(str(change["new"])))

    def _on_file(self, role: str, change: dict[str, object]) -> None:
        self._chosen[role] = change["new"]

    def _enter(self, folder: Path) -> None:
        self._folder = folder
        self._title.value = f"Files in <code>{escape(str(folder))}</code>"
        found = _listed(folder)
        above = folder / ".." if folder.name in ("", "..") else folder.parent
        steps = [_STAY, ("one up", str(above))]
        self._folders.options = steps + [(path.name, str(path)) for path in found if path.is_dir()]
        self._folders.value = ""
        files = [path for path in found if path.is_file()]
        read = {
            role: [path for path in files[:_MOST] if self._fits(role, path)] for role in _TABLES
        }
        for role, each in self._lists.items():
            self._fill(role, each, read["run" if role == "against" else role])
        offered = {path for paths in read.values() for path in paths}
        looked = files[:_MOST]
        left_out = [path for path in looked if path not in offered]
        self._left_out.value = _left_out(left_out, len(files) - len(looked))

    def _fits(self, role: str, path: Path) -> bool:
        for wanted in _TABLES[role]:
            with suppress(DataError, MemoryError):
                return bool(layouts_of(path, wanted, columns_of(self._columns[role], path)))
        return False

    def _fill(self, role: str, each: ipywidgets.Dropdown, found: Sequence[Path]) -> None:
        chosen = self._chosen[role]
        options = [] if role == "run" else [(_NONE, ())]
        if chosen:
            options.append((", ".join(Path(path).name for path in chosen), chosen))
        options += [(path.name, (str(path),)) for path in found if (str(path),) != chosen]
        each.options = options
        each.value = chosen

    def __repr__(self) -> str:
        """The files chosen."""
        names = (
            f"{role} {', '.join(repr(Path(path).name) for path in paths)}"
            for role, paths in self._chosen.items()
            if paths
        )
        files = ", ".join(names)
        return f"FilePicker({files})"


def _paths(files: FilePath | Sequence[FilePath] | None) -> tuple[str, ...]:
    return tuple(map(fspath, against_of(files)))


def _left_out(paths: Sequence[Path], more_files: int) -> str:
    """Which files are not offered, and what may change that."""
    beyond = (
        f"<div>Only the first {_MOST} files of this folder were looked into: name others in the "
        "cell above.</div>"
        if more_files
        else ""
    )
    if not paths:
        return beyond
    names = ", ".join(f"<code>{escape(path.name)}</code>" for path in paths[:_NAMED])
    more = f" and {len(paths) - _NAMED:,} more" if len(paths) > _NAMED else ""
    return (
        '<div style="line-height:1.5">Not offered, as they cannot be read as a run or as qrels: '
        f"{names}{more}. A file whose columns have names of their own is offered once "
        f"<code>run_columns</code> or <code>qrels_columns</code> say which is which.</div>{beyond}"
    )


def _dropdown(name: str) -> ipywidgets.Dropdown:
    layout = ipywidgets.Layout(width="auto", max_width="40em")
    return ipywidgets.Dropdown(description=name, style=_WIDE, layout=layout)


def _listed(folder: Path) -> list[Path]:
    """What a folder shows, or nothing if it cannot be read."""
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError:
        return []
