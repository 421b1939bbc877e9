"""Which format the files of a table have, by a look at their beginnings; they have to be alike."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike
from pathlib import Path

import pyarrow as pa

from byhand.column_map import ColumnNames, check_mapping
from byhand.columns import TableKind
from byhand.errors import DataError, shown
from byhand.files.delimited import Delimited
from byhand.files.file import File
from byhand.files.head import Head
from byhand.files.json import JsonLines, NestedJson
from byhand.files.parquet import Parquet
from byhand.files.paths import Paths, matched, passed_over
from byhand.files.table_file import TableFile
from byhand.files.trec import Trec
from byhand.words import N_, Message

# asked in this order; the last takes any text
FORMATS: tuple[type[TableFile], ...] = (Parquet, NestedJson, JsonLines, Trec, Delimited)


def table_file(
    path: str | PathLike[str],
    wanted: TableKind,
    given: ColumnNames | None = None,
    formats: Sequence[type[TableFile]] = (),
) -> TableFile:
    """What a look at its beginning tells of a file: all that can be said before it is read."""
    mapping, head = check_mapping(given), Head(File.at(path))
    for form in formats or FORMATS:
        if source := form.of(head, wanted, mapping):
            return source
    if head.file.no_table:
        raise DataError(head.file.no_table)
    raise DataError("{file} holds no table known here.", [head.file.name])


def table_files(
    paths: Paths, wanted: TableKind, given: ColumnNames | None = None
) -> list[TableFile]:
    """What a look at its beginning tells of each file that paths stand for, which are alike."""
    with about(wanted, paths):
        first, *others = (table_file(each, wanted, given) for each in matched(paths))
        for other in others:
            _refuse_odd(first, other)
        if left := passed_over(paths):
            one = N_("A file begins with a dot or an underscore and is passed over: {file}.")
            many = N_(
                "{n:,} files begin with a dot or an underscore and are passed over, such as {file}."
            )
            note = Message(one if len(left) == 1 else many, n=len(left), file=Path(left[0]).name)
            notes = (*first.columns.notes, note)
            first = replace(first, columns=replace(first.columns, notes=notes))
        return [first, *others]


@contextmanager
def about(wanted: TableKind, path: object) -> Iterator[None]:
    """Let errors know which table they are about, and which file needs too much memory."""
    try:
        yield
    except DataError as error:
        error.table = wanted.table
        raise
    except (MemoryError, pa.ArrowException) as error:
        # where a thread cannot be started, it is of no kind
        if not (isinstance(error, MemoryError) or type(error) is pa.ArrowException):
            raise
        raise MemoryError(Message("There is not enough memory for {path}.", path=path)) from None


@contextmanager
def saying_both(path: object) -> Iterator[None]:
    """Say in complaints about a file that it was named as the run and as the qrels."""
    try:
        yield
    except DataError as error:
        found = DataError(
            "{path} is named as the run and as the qrels, so it has to say both. {said}",
            [path, error.message],
            columns=error.ways,
            table=error.table,
            missing=error.missing,
        )
        found.file = error.file
        raise found from None


def _refuse_odd(first: TableFile, other: TableFile) -> None:
    """Complain about a file that has another format, other columns or other types than another."""
    name, one = other.file.name, first.file.name
    if other.kind != first.kind:
        raise DataError(
            "{name} is {kind}, where {one} is {kind2}. Files of one table have one format: name "
            "those that belong together.",
            [name, other.kind, one, first.kind],
        )
    for ours in {**first.columns.theirs, **other.columns.theirs}:
        names = [each.columns.theirs.get(ours) for each in (other, first)]
        if names[0] != names[1]:
            found, expected = (shown(name) if name else Message("nothing") for name in names)
            raise DataError(
                "{name} has {found} for {ours}, where {one} has {expected}. Files of one table "
                "have the same columns: rename those of one of them.",
                [name, found, ours, one, expected],
            )
        if (kind := other.stored(ours)) != first.stored(ours):
            raise DataError(
                "{name} holds {kind} in {named}, where {one} holds {stored}. Files of one table "
                "have the same types: write one of them anew.",
                [name, kind, other.columns.named(ours), one, first.stored(ours)],
            )
