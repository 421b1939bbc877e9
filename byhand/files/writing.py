"""Files that are there whole or not at all."""

import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

from byhand.errors import DataError
from byhand.files.paths import matched


def refuse_source(path: str | PathLike[str], sources: Iterable[object]) -> None:
    """Refuse to write where something is read.

    Example:
        >>> refuse_source("report.html", ["run.csv", None])
    """
    for source in filter(None, sources):
        if isinstance(source, list | tuple):
            refuse_source(path, source)
        elif Path(path).resolve() in {Path(file).resolve() for file in matched(source)}:
            raise DataError(f"{path} is one of the files to read: write to another one.")


def place_for(path: str | PathLike[str]) -> Path:
    """Where a file that is to be written lies; an error if there is no folder for it.

    Example:
        >>> place_for("absent/report.html")
        Traceback (most recent call last):
        byhand.errors.DataError: There is no folder 'absent' to write absent/report.html into.
    """
    target = Path(path).resolve()
    if not target.parent.is_dir():
        raise DataError(f"There is no folder {target.parent.name!r} to write {path} into.")
    return target


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Where to write what takes the place of `path` if all goes well, and else vanishes.

    Example:
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with replacing(Path(folder) / "a.txt") as new:
        ...         _ = new.write_text("whole")
        ...     (Path(folder) / "a.txt").read_text()
        'whole'
    """
    # a device or a pipe takes what is written to it; the drive of notebooks in the browser waits
    # for ever where a folder is made for a moment
    if sys.platform == "emscripten" or (path.exists() and not path.is_file()):
        with tempfile.TemporaryDirectory() as folder:
            new = Path(folder) / path.name
            yield new
            path.write_bytes(new.read_bytes())
        return
    path = place_for(path)  # what a link points to is replaced, not the link
    # in a folder of its own the system gives a new file the rights that any new file gets
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name[:20]}.") as folder:
        new = Path(folder) / path.name
        yield new
        if path.exists():
            new.chmod(path.stat().st_mode & 0o777)
        new.replace(path)
        Path(folder).rmdir()  # where no more files can be opened, `tempfile` cannot
