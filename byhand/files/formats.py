"""The formats, and what the beginnings of files say before anything is read."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import PathLike

from byhand.columns import Wanted
from byhand.errors import DataError, shown
from byhand.files.delimited import Delimited
from byhand.files.file import File
from byhand.files.header import Given, check_mapping
from byhand.files.json import JsonLines
from byhand.files.nested import NestedJson
from byhand.files.parquet import Parquet
from byhand.files.paths import Paths, matched
from byhand.files.source import Source
from byhand.files.trec import Trec

# asked in this order; the last takes any text
FORMATS: tuple[type[Source], ...] = (Parquet, NestedJson, JsonLines, Trec, Delimited)


def source_of(
    path: str | PathLike[str],
    wanted: Wanted,
    given: Given | None = None,
    formats: Sequence[type[Source]] = (),
) -> Source:
    """What a look at its beginning tells of a file: all that can be said before it is read.

    Raises:
        DataError: a file of no format that is read, or columns that are missing.
    """
    mapping, file = check_mapping(given), File.at(path)
    for form in formats or FORMATS:
        if form.recognises(file):
            return form.of(file, wanted, mapping)
    raise DataError(f"{file.name} {file.no_table or 'holds no table known here.'}")


def sources_of(paths: Paths, wanted: Wanted, given: Given | None = None) -> list[Source]:
    """What a look at its beginning tells of each file that paths stand for.

    Raises:
        DataError: nothing that matches, a file that is none of these, files that differ.
    """
    with about(wanted, paths):
        first, *others = (source_of(each, wanted, given) for each in matched(paths))
        for other in others:
            _refuse_odd(first, other)
        return [first, *others]


@contextmanager
def about(wanted: Wanted, path: object) -> Iterator[None]:
    """Let errors know which table they are about, and which file needs too much memory."""
    try:
        yield
    except DataError as error:
        error.table = wanted.table
        raise
    except MemoryError:
        raise MemoryError(f"There is not enough memory for {path}.") from None


def _refuse_odd(first: Source, other: Source) -> None:
    """Complain about a file that has another format, other columns or other types than another."""
    name, one = other.file.name, first.file.name
    if other.kind != first.kind:
        raise DataError(
            f"{name} is {other.kind}, where {one} is {first.kind}. Files of one table have one "
            "format: name those that belong together."
        )
    for ours in {**first.columns.theirs, **other.columns.theirs}:
        names = [each.columns.theirs.get(ours) for each in (other, first)]
        if names[0] != names[1]:
            found, expected = (shown(name) if name else "nothing" for name in names)
            raise DataError(
                f"{name} has {found} for {ours}, where {one} has {expected}. Files of one table "
                "have the same columns: rename those of one of them."
            )
        if (kind := other.stored(ours)) != first.stored(ours):
            raise DataError(
                f"{name} holds {kind} in {other.columns.named(ours)}, where {one} holds "
                f"{first.stored(ours)}. Files of one table have the same types: write one of them "
                "anew."
            )
