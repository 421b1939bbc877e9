"""Write files completely or not at all, and never over an input file."""

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
    """Refuse to write to an input file or to a URL."""
    _refuse_address(path)
    if Path(path).resolve() in {Path(file).resolve() for file in sources}:
        raise DataError(f"{path} is an input file and cannot be overwritten. Pass another path.")


def _refuse_address(path: str | PathLike[str]) -> None:
    if ADDRESS.match(str(path)) and not os.path.exists(Path(path).parent):
        raise DataError(
            f"{path} is a URL, but files can be written on this machine only. Pass a local path."
        )


def target_path(path: str | PathLike[str]) -> Path:
    """Return the absolute path of a file to write; raise a DataError if its folder is missing."""
    _refuse_address(path)
    target = Path(path).resolve()
    if not target.parent.is_dir():
        raise DataError(
            f"There is no folder {target.parent.name!r} to write {path} into. Create it, or pass "
            "another path."
        )
    return target


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path that replaces `path` on success, and is removed after an error."""
    # write directly to devices and pipes; in the browser, a temporary folder beside the file would
    # block for ever
    if sys.platform == "emscripten" or (path.exists() and not path.is_file()):
        with tempfile.TemporaryDirectory() as folder:
            new = Path(folder) / path.name
            yield new
            path.write_bytes(new.read_bytes())
        return
    path = target_path(path)  # replace the target of a link, not the link
    # a new file in a folder of its own has the usual permissions, unlike files of `tempfile`
    folder = path.parent / f".{path.name[:20]}.{os.urandom(6).hex()}"
    try:  # not `tempfile.mkdtemp`: a signal within it would leave the folder
        folder.mkdir(mode=0o700)
        yield (new := folder / path.name)
        if path.exists():
            new.chmod(path.stat().st_mode & 0o777)
        new.replace(path)
        folder.rmdir()  # `rmtree` fails if no more files can be opened
    finally:
        rmtree(folder, ignore_errors=True)
