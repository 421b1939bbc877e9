"""Files that are written: whole or not at all, and never where something is read."""

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from shutil import rmtree

from byhand.errors import DataError
from byhand.files.paths import ADDRESS


def refuse_source(path: str | PathLike[str], sources: Iterable[str | PathLike[str]]) -> None:
    """Refuse to write where something is read, and to an address."""
    _refuse_address(path)
    if Path(path).resolve() in {Path(file).resolve() for file in sources}:
        raise DataError(f"{path} is one of the files to read: write to another one.")


def _refuse_address(path: str | PathLike[str]) -> None:
    if ADDRESS.match(str(path)) and not os.path.exists(Path(path).parent):
        raise DataError(
            f"{path} is an address, and files are written on this machine only: name a path here."
        )


def place_for(path: str | PathLike[str]) -> Path:
    """Where a file that is to be written lies; an error if there is no folder for it."""
    _refuse_address(path)
    target = Path(path).resolve()
    if not target.parent.is_dir():
        raise DataError(f"There is no folder {target.parent.name!r} to write {path} into.")
    return target


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Where to write what takes the place of `path` if all goes well, and else vanishes."""
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
    folder = path.parent / f".{path.name[:20]}.{os.urandom(6).hex()}"
    try:  # a signal in the midst of `tempfile.mkdtemp` would leave the folder there
        folder.mkdir(mode=0o700)
        yield (new := folder / path.name)
        if path.exists():
            new.chmod(path.stat().st_mode & 0o777)
        new.replace(path)
        folder.rmdir()  # where no more files can be opened, `rmtree` cannot
    finally:
        rmtree(folder, ignore_errors=True)
