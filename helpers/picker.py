"""Choosing files with the mouse: for people who do not want to type paths."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from html import escape
from os import PathLike
from pathlib import Path

import ipywidgets

from byhand.columns import JUDGED_RUN, QRELS, RUN
from byhand.errors import DataError
from byhand.files.read import sources_of
from byhand.words import N_
from helpers.words import gettext as _

_WIDE = {"description_width": "9em"}
_TABLES = {"run": (RUN, JUDGED_RUN), "qrels": (QRELS,)}
_NONE = N_("(none)")
_MOST, _NAMED = 300, 5  # files of a folder that are looked into, and named if they are left out
_NAME_IT = N_(
    "Name a file whose columns have names of their own in the cell above, and its columns in the "
    "cell that makes the report."
)
_BEYOND = N_(
    "Only the first {n} files of this folder were looked into: name others in the cell above."
)
_ROLES = {"run": N_("Run"), "qrels": N_("Qrels"), "against": N_("Against")}


class FilePicker(ipywidgets.VBox):
    """Lists to choose a run, qrels and another run from, folder by folder.

    Only files that can be read as such are offered, and the others named below. What is no path,
    such as a frame, stays as it is until a file is chosen in its place.

    It begins with `run`, `qrels` (None for a run that holds the relevance, too) and the other runs
    `against`. The choice of the picker `before` stays, if that began with the same files.

    Example:
        >>> FilePicker(run="data/run.csv")
        FilePicker(run 'run.csv')
    """

    def __init__(
        self,
        *,
        run: object,
        qrels: object = None,
        against: object = (),
        before: object = None,
    ) -> None:
        several = against if isinstance(against, list | tuple) else (against,)
        others = tuple(each for each in several if each is not None)
        first = () if qrels is None else (qrels,)
        self._began = {"run": (run,), "qrels": first, "against": others}
        self._chosen, folder = dict(self._began), Path(run).parent if _is_path(run) else Path()
        if isinstance(before, FilePicker) and _marks(before._began) == _marks(self._began):
            self._chosen, folder = dict(before._chosen), before._folder
        self._title, self._left_out = ipywidgets.HTML(), ipywidgets.HTML()
        self._folders = _dropdown(_("Go to folder"))
        self._lists = {role: _dropdown(_(_ROLES[role])) for role in self._chosen}
        for role, each in self._lists.items():
            each.observe(partial(self._on_file, role), names="index")
        self._enter(folder if folder.is_dir() else Path())
        self._folders.observe(self._on_folder, names="value")
        super().__init__([self._title, self._folders, *self._lists.values(), self._left_out])

    @property
    def files(self) -> tuple[object, object, list[object]]:
        """What is chosen: the run, the qrels or None, and the other runs."""
        run, qrels, against = self._chosen.values()
        return run[0], qrels[0] if qrels else None, [*against]

    def _on_folder(self, change: dict[str, object]) -> None:
        if change["new"]:
            self._enter(Path(str(change["new"])))

    def _on_file(self, role: str, change: dict[str, object]) -> None:
        self._chosen[role] = self._lists[role].options[change["new"]][1]

    def _enter(self, folder: Path) -> None:
        self._folder = folder
        self._title.value = _("Files in {folder}").format(
            folder=f"<code>{escape(str(folder))}</code>"
        )
        found = _listed(folder)
        above = folder / ".." if folder.name in ("", "..") else folder.parent
        steps = [(_("stay here"), ""), (_("one up"), str(above))]
        self._folders.options = steps + [(path.name, str(path)) for path in found if path.is_dir()]
        self._folders.value = ""
        files = [path for path in found if path.is_file()]
        looked = files[:_MOST]
        read = {role: [path for path in looked if _fits(role, path)] for role in _TABLES}
        for role, each in self._lists.items():
            self._fill(role, each, read["run" if role == "against" else role])
        offered = {path for paths in read.values() for path in paths}
        left_out = [path for path in looked if path not in offered]
        self._left_out.value = _left_out(left_out, len(files) - len(looked))

    def _fill(self, role: str, each: ipywidgets.Dropdown, found: Sequence[Path]) -> None:
        chosen = self._chosen[role]
        options = [] if role == "run" else [(_(_NONE), ())]
        if chosen:
            options.append((", ".join(map(_name, chosen)), chosen))
        known = [path for path in chosen if _is_path(path)]
        options += [(path.name, (str(path),)) for path in found if [str(path)] != known]
        each.options = options
        each.index = 1 if chosen and role != "run" else 0

    def __repr__(self) -> str:
        """The files chosen."""
        names = (
            f"{role} {', '.join(repr(_name(path)) for path in paths)}"
            for role, paths in self._chosen.items()
            if paths
        )
        return f"FilePicker({', '.join(names)})"


def _is_path(held: object) -> bool:
    return isinstance(held, str | PathLike)


def _name(held: object) -> str:
    return Path(held).name if _is_path(held) else _("in memory")


def _marks(began: dict[str, tuple[object, ...]]) -> list[tuple[str, object]]:
    """What tells one beginning from another: a frame is the same as itself only."""
    held = ((role, each) for role, several in began.items() for each in several)
    return [(role, each if _is_path(each) else id(each)) for role, each in held]


def _fits(role: str, path: Path) -> bool:
    for wanted in _TABLES[role]:
        with suppress(DataError, MemoryError):
            return bool(sources_of(path, wanted))
    return False


def _left_out(paths: Sequence[Path], more_files: int) -> str:
    """Which files are not offered, and what may change that."""
    said = []
    if paths:
        names = ", ".join(f"<code>{escape(path.name)}</code>" for path in paths[:_NAMED])
        if (more := len(paths) - _NAMED) > 0:
            names = _("{names} and {n} more").format(names=names, n=f"{more:,}")
        not_offered = _("Not offered, as they cannot be read as a run or as qrels: {names}.")
        said += [not_offered.format(names=names), _(_NAME_IT)]
    if more_files:
        said.append(_(_BEYOND).format(n=_MOST))
    return f'<div style="line-height:1.5">{" ".join(said)}</div>' if said else ""


def _dropdown(name: str) -> ipywidgets.Dropdown:
    layout = ipywidgets.Layout(width="auto", max_width="40em")
    return ipywidgets.Dropdown(description=name, style=_WIDE, layout=layout)


def _listed(folder: Path) -> list[Path]:
    """What a folder shows, or nothing if it cannot be read."""
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError:
        return []
