"""Folders and globs: which files they stand for, and whether these are of one table."""

from collections.abc import Mapping, Sequence
from glob import glob, has_magic
from os import PathLike, fspath
from os.path import exists, isdir
from pathlib import Path

import pyarrow as pa

from byhand.errors import DataError, shown
from byhand.files.file import near
from byhand.files.format import Layout
from byhand.files.parquet import ParquetLayout

Paths = str | PathLike[str] | Sequence[str | PathLike[str]]


def listed(paths: Paths) -> list[str]:
    """Every file that paths stand for.

    Raises:
        DataError: one that stands for none.
    """
    paths = [paths] if isinstance(paths, str | PathLike) else paths
    return [file for path in paths for file in matched(path)]


def files_of(path: object) -> list:
    """Every file that paths stand for; what is no path, as it is, for `File` to complain about."""
    paths = path if isinstance(path, list | tuple) else [path]
    if not paths or not all(isinstance(each, str | PathLike) for each in paths):
        return [path]
    return listed(paths)


def named_shortly(files: Sequence[str]) -> str:
    """What to call several files.

    Example:
        >>> named_shortly(["a.csv", "b.csv", "c.csv"])
        'a.csv and 2 more'
    """
    return files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1:,} more"


def matched(path: str | PathLike[str]) -> list[str]:
    """The files that a path stands for: itself, those of a folder, or those a glob matches.

    What begins with a dot or an underscore in a folder is left out, as engines leave marks there.

    Raises:
        DataError: there are none.

    Example:
        >>> matched("no/such/*.parquet")
        Traceback (most recent call last):
        ...
        byhand.errors.DataError: no/such/*.parquet matches no file. \
Nor is there a folder no/such: check the path.
    """
    name = fspath(path)
    if isdir(name):
        inside = sorted(place for place in Path(name).rglob("*") if place.is_file())
        found = [
            str(place)
            for place in inside
            if not any(part.startswith((".", "_")) for part in place.relative_to(name).parts)
        ]
        if not found:
            raise DataError(f"The folder {name} holds no files. Expected those of a table.")
        return found
    if not is_glob(name):
        return [name]
    found = sorted(place for place in glob(name, recursive=True) if Path(place).is_file())
    if not found:
        raise DataError(f"{name} matches no file. {near(Path(name))}")
    return found


def is_glob(path: str) -> bool:
    """Whether a path is a pattern, and not a file that happens to be called so.

    Example:
        >>> is_glob("runs/*.parquet"), is_glob("runs/a.parquet")
        (True, False)
    """
    return has_magic(path) and not exists(path)


def refuse_odd(layouts: Mapping[str, Layout]) -> None:
    """Complain about the first file that has another format, other columns or other types.

    Raises:
        DataError: which, and what it has.
    """
    (first, one), *others = layouts.items()
    for file, layout in others:
        if layout.kind != one.kind:
            raise DataError(
                f"{file} is {layout.kind}, where {first} is {one.kind}. Files of one table have "
                "one format: name those that belong together."
            )
        theirs = layout.columns.theirs
        for ours in {**one.columns.theirs, **theirs}:
            names = [each.get(ours) for each in (theirs, one.columns.theirs)]
            if names[0] != names[1]:
                found, expected = (shown(name) if name else "nothing" for name in names)
                raise DataError(
                    f"{file} has {found} for {ours}, where {first} has {expected}. Files of one "
                    "table have the same columns: rename those of one of them."
                )
            kinds = [stored_type(each, ours) for each in (layout, one)]
            if kinds[0] != kinds[1]:
                raise DataError(
                    f"{file} holds {kinds[0]} in {layout.columns.named(ours)}, where {first} holds "
                    f"{kinds[1]}. Files of one table have the same types: write one of them anew."
                )


def stored_type(layout: Layout, ours: str) -> str:
    """The type of a column as the file stores it; text of which pyarrow makes it a kind is text."""
    if not isinstance(layout, ParquetLayout):
        return "text"
    kind = layout.types[layout.columns.positions[ours]]
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return str(kind).removeprefix("large_").removesuffix("_view")
