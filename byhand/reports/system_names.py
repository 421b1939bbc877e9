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
                f"{path} cannot be compared with itself. Pass the file of another system, or "
                "remove it."
            )
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
