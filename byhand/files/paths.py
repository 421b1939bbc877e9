"""Find the files of a path, a folder, a glob or a list, and read pipes."""

import os
import re
import stat
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from glob import glob, has_magic
from os import PathLike, fspath
from pathlib import Path

from byhand.errors import DataError

Paths = str | PathLike[str] | Sequence[str | PathLike[str]]
ADDRESS = re.compile(r"([a-z][a-z0-9+.-]+):/", re.IGNORECASE)  # at least two letters: C: is a drive
_NO_FILES = {stat.S_IFCHR: "device", stat.S_IFBLK: "device", stat.S_IFSOCK: "socket"}


def refuse_odd(path: str) -> None:
    """Refuse empty paths, URLs, and zero bytes."""
    if not path:
        raise DataError("A path is empty. Pass a file, a folder or a glob.")
    if "\0" in path:
        raise DataError(f"{path!r} contains a zero byte, which a path cannot contain. Remove it.")
    if ADDRESS.match(path) and not os.path.exists(path):
        address = path if "://" in path else path.replace(":/", "://", 1)  # `Path` shortens "://"
        raise DataError(
            f"{address} is a URL, but only files on this machine can be read. Download it, "
            "or mount its storage as a folder, and pass the path there."
        )


def near(path: Path) -> str:
    """Describe the folder of a missing file, with a similar name."""
    if path.is_symlink():
        return f"It is a link to {path.readlink()}, which is not there: fix the link."
    folder = "the current folder" if path.parent == Path() else str(path.parent)
    if not path.parent.is_dir():
        return f"Nor is there a folder {folder}: check the path."
    names = os.listdir(path.parent) if os.access(path.parent, os.R_OK) else []
    likely = "".join(f" Did you mean {each!r}?" for each in get_close_matches(path.name, names, 1))
    return f"Looked in {folder}, which contains {len(names)} other entries: check the path.{likely}"


def is_paths(value: object) -> bool:
    """Test whether something is a path, or a list of paths."""
    several = value if isinstance(value, list | tuple) else [value]
    return bool(several) and all(isinstance(each, str | PathLike) for each in several)


def are_one(one: object, other: object) -> bool:
    """Test whether two paths lead to the same file, or two objects are the same table."""
    if isinstance(one, str | PathLike) and isinstance(other, str | PathLike):
        return Path(one).resolve() == Path(other).resolve()
    return one is other


def is_glob(path: str) -> bool:
    """Test whether a path is a pattern, and not an existing file."""
    return has_magic(path) and not os.path.exists(path)


def matched(paths: object) -> list:
    """Return every file of a path, a folder, a glob or a list of them.

    Anything else is returned for `File.at` to refuse.
    """
    if isinstance(paths, list | tuple) and paths:
        invalid = [each for each in paths if not isinstance(each, str | PathLike)]
        return invalid[:1] or [file for each in paths for file in matched(each)]
    if not isinstance(paths, str | PathLike):
        return [paths]
    name = fspath(paths)
    refuse_odd(name)
    if os.path.isdir(name):
        if found := _files_in(name):
            return found
        raise DataError(f"The folder {name} contains no files. Expected the files of a table.")
    if not is_glob(name):
        return [name]
    found = []
    for place in sorted(glob(name, recursive=True)):
        if not os.path.isdir(place):  # broken links are kept, and refused later
            found.append(place)
        elif "**" not in name:  # "**" also matches the files in it
            found += _files_in(place)
    if not found:
        raise DataError(f"{name} matches no file. {near(Path(name))}")
    return found


def _files_in(folder: str) -> list[str]:
    """Return every file below a folder, without marker files of databases.

    These begin with a dot or an underscore, or are in a folder that does.
    """

    def refuse(error: OSError) -> None:
        raise DataError(f"The folder {error.filename} cannot be listed: {error.strerror}.")

    places = (
        Path(here, name)
        for here, _, names in os.walk(folder, onerror=refuse, followlinks=True)
        for name in names
    )
    return [
        str(place)
        for place in sorted(places)
        if not any(part.startswith((".", "_")) for part in place.relative_to(folder).parts)
    ]


def is_pipe(path: str | PathLike[str]) -> bool:
    """Test whether a path is a pipe and not a regular file."""
    mode = os.stat(path).st_mode
    if kind := _NO_FILES.get(stat.S_IFMT(mode)):
        raise DataError(f"{fspath(path)} is a {kind}, not a file. Save the data as a file first.")
    return stat.S_ISFIFO(mode)


def read_pipe(path: str | PathLike[str]) -> Iterator[bytes]:
    """Yield the content of a pipe, which can be read only once."""
    with open(path, "rb") as pipe:
        while chunk := pipe.read(1 << 20):
            yield chunk
