"""Choosing files with the mouse: for people who do not want to type paths."""

from html import escape
from os import PathLike, fspath
from pathlib import Path

import ipywidgets

_WIDE = {"description_width": "9em"}
# to a Dropdown, None would mean that nothing is chosen
_NONE = ("(none)", "")
_STAY = ("stay here", "")


class FilePicker(ipywidgets.VBox):
    """Lists to choose a run, qrels and a second run from, folder by folder.

    Args:
        run: the run to begin with.
        qrels: the qrels to begin with; None for a run that holds the relevance, too.
        against: the second run to begin with; None for none.

    Example:
        >>> FilePicker(run="data/run.csv")
        FilePicker(run 'run.csv')
    """

    def __init__(
        self,
        *,
        run: str | PathLike[str],
        qrels: str | PathLike[str] | None = None,
        against: str | PathLike[str] | None = None,
    ) -> None:
        chosen = {"run": run, "qrels": qrels, "against": against}
        folder = Path(run).parent
        self._folder = folder if folder.is_dir() else Path()
        self._title = ipywidgets.HTML()
        self._folders = _dropdown("Go to folder")
        self._lists = {role: _dropdown(role.capitalize()) for role in chosen}
        for role, path in chosen.items():
            self._fill(role, "" if path is None else fspath(path))
        self._enter(self._folder)
        self._folders.observe(self._on_folder, names="value")
        super().__init__([self._title, self._folders, *self._lists.values()])

    @property
    def files(self) -> dict[str, str | None]:
        """The files chosen: `run`, `qrels` and `against`, by these names."""
        return {role: each.value or None for role, each in self._lists.items()}

    def _on_folder(self, change: dict[str, object]) -> None:
        if change["new"]:
            self._enter(Path(str(change["new"])))

    def _enter(self, folder: Path) -> None:
        self._folder = folder
        self._title.value = f"Files in <code>{escape(str(folder))}</code>"
        inside = sorted(path for path in _listed(folder) if path.is_dir())
        above = folder / ".." if folder.name in ("", "..") else folder.parent
        steps = [_STAY, ("one up", str(above))]
        self._folders.options = steps + [(path.name, str(path)) for path in inside]
        self._folders.value = ""
        for role, each in self._lists.items():
            self._fill(role, each.value)

    def _fill(self, role: str, chosen: str) -> None:
        found = [(path.name, str(path)) for path in _listed(self._folder) if path.is_file()]
        options = [] if role == "run" else [_NONE]
        if chosen and chosen not in (path for _, path in found):
            options.append((Path(chosen).name, chosen))
        self._lists[role].options = options + found
        self._lists[role].value = chosen

    def __repr__(self) -> str:
        """The files chosen."""
        names = (f"{role} {Path(path).name!r}" for role, path in self.files.items() if path)
        files = ", ".join(names)
        return f"FilePicker({files})"


def _dropdown(name: str) -> ipywidgets.Dropdown:
    layout = ipywidgets.Layout(width="auto", max_width="40em")
    return ipywidgets.Dropdown(description=name, style=_WIDE, layout=layout)


def _listed(folder: Path) -> list[Path]:
    """What a folder shows, or nothing if it cannot be read."""
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError:
        return []
