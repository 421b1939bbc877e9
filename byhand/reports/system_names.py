"""Default names of the systems: their file names, as short as they stay different."""

from collections.abc import Sequence
from os import fspath
from pathlib import Path

from byhand.errors import DataError
from byhand.files.paths import is_glob
from byhand.reports.options import FilePath

_ENDINGS = {".gz", ".txt", ".trec", ".run", ".csv", ".tsv", ".json", ".jsonl", ".parquet"}


def system_names(paths: Sequence[FilePath]) -> list[str]:
    """Return the shortest distinct name for each file's system.

    Example:
        >>> system_names(["a/bm25.run.gz", "a/dense.txt"]), system_names(["a/run.csv", "b/run.csv"])
        (['bm25', 'dense'], ['a/run', 'b/run'])
    """
    whole = [_named(fspath(path)) for path in paths]
    places = [path.resolve() for path in whole]
    for path, place in zip(whole, places, strict=True):
        if places.count(place) > 1:
            raise DataError(
                f"{path} cannot be compared with itself. Pass the file of another system, or none."
            )
    return _short_names(whole)


def told_apart(names: Sequence[str], given: Sequence[object] | None) -> list[str]:
    """Return the given names, or the default ones; raise `DataError` unless all differ.

    Example:
        >>> told_apart(["run", "b/run"], ["new", None])
        ['new', 'b/run']
    """
    if given is not None:
        if isinstance(given, str) or len(given) != len(names):
            n = "one name" if len(names) == 1 else f"{len(names)} different names"
            raise DataError(f"names is {given!r}. Expected a list of {n}, or None.")
        own = ["" if each is None else str(each) for each in given]
        names = [name if name.strip() else file for name, file in zip(own, names, strict=True)]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError(f"names: two systems are called {twice!r}. Pass a different name for each.")
    return [*names]


def _short_names(whole: Sequence[Path]) -> list[str]:
    short = [path.with_name(_stem(path)) if path.name else path for path in whole]
    if len(set(short)) < len(short):  # names that differ only in their endings
        short = list(whole)
    depth = 1
    while len({path.parts[-depth:] for path in short}) < len(short):
        depth += 1
    return ["/".join(path.parts[-depth:]) for path in short]


def place_of(path: FilePath) -> Path:
    """Return the path of a file, folder or glob, without file endings."""
    named = _named(fspath(path))
    return named.with_name(_stem(named))


def _named(path: str) -> Path:
    """Return the path that names a system; for a glob such as `*.csv`, its folder."""
    place = Path(path)
    if not place.name:  # current folder
        return place.resolve()
    while is_glob(path) and place.name.startswith("*") and place.parent.name:
        place = place.parent
    return place


def _stem(path: Path) -> str:
    name = path.name
    while (ending := Path(name).suffix).lower() in _ENDINGS and Path(name).stem:
        name = name.removesuffix(ending)
    return name
