"""The formats, what recognises each, and what a file's beginning says before anything is read."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from typing import Protocol, Self

import pyarrow as pa

from byhand.columns import Wanted
from byhand.errors import DataError, shown
from byhand.files import delimited, json, nested, parquet, trec
from byhand.files.file import File
from byhand.files.header import Given, Layout, check_mapping
from byhand.files.paths import Paths, matched


class Format(Protocol):
    """A module that reads one format: these four functions, and its place in `FORMATS`."""

    def recognises(self, file: File) -> bool:
        """Whether the content is of this format, going by the file's head."""

    def find(self, file: File, wanted: Wanted, given: Given) -> Layout:
        """How the file holds our columns; `given` are the user's names for them.

        Raises:
            DataError: a column is missing, or the file is another table than the one wanted.
        """

    def read(self, file: File, layout: Layout, *, few: bool = False) -> Iterator[pa.Table]:
        """Our columns, some rows at a time: text exactly as written, or the values of the file.

        Of few rows at a time nothing is kept, and their types may differ from those before.

        Raises:
            AgainError: what was read so far has to be read again, with another layout.
            DataError: what cannot be read, and the line or row that it stands in.
        """

    def place(self, file: File, layout: Layout, row: int) -> str:
        """Where a row stands, such as "line 7", asked only when something is wrong with it."""


# asked in this order; the last takes any text
FORMATS: tuple[Format, ...] = (parquet, nested, json, trec, delimited)


@dataclass(frozen=True)
class Source:
    """A file that was looked at, what reads it, and how it holds the wanted table."""

    file: File
    form: Format
    layout: Layout

    @classmethod
    def at(
        cls,
        path: str | PathLike[str],
        wanted: Wanted,
        given: Given | None = None,
        forms: Sequence[Format] = (),
    ) -> Self:
        """Look at the beginning of a file: all that can be said before it is read.

        Raises:
            DataError: a file of no format that is read, or columns that are missing.
        """
        mapping, file = check_mapping(given), File.at(path)
        form = next((form for form in forms or FORMATS if form.recognises(file)), None)
        if form is None:
            raise DataError(f"{file.name} {file.no_table or 'holds no table known here.'}")
        return cls(file, form, form.find(file, wanted, mapping))

    def tables(self, *, few: bool = False) -> Iterator[pa.Table]:
        """Our columns, some rows at a time."""
        return self.form.read(self.file, self.layout, few=few)

    def place(self, row: int) -> str:
        """Where a row stands, such as "line 7"."""
        return self.form.place(self.file, self.layout, row)


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


def sources_of(paths: Paths, wanted: Wanted, given: Given | None) -> list[Source]:
    """What a look at its beginning tells of each file that paths stand for.

    Raises:
        DataError: nothing that matches, a file that is none of these, files that differ.
    """
    with about(wanted, paths):
        sources = [Source.at(each, wanted, given) for each in matched(paths)]
        for source in sources[1:]:
            _refuse_odd(sources[0], source)
        return sources


def layouts_of(paths: Paths, wanted: Wanted, columns: Given | None = None) -> list[Layout]:
    """How files hold the wanted table, by their beginnings: all that can be said before reading.

    Raises:
        DataError: as `sources_of`.
    """
    return [source.layout for source in sources_of(paths, wanted, columns)]


def _refuse_odd(first: Source, other: Source) -> None:
    """Complain about a file that has another format, other columns or other types than another."""
    layout, one = other.layout, first.layout
    if layout.kind != one.kind:
        raise DataError(
            f"{other.file.name} is {layout.kind}, where {first.file.name} is {one.kind}. Files of "
            "one table have one format: name those that belong together."
        )
    for ours in {**one.columns.theirs, **layout.columns.theirs}:
        names = [each.columns.theirs.get(ours) for each in (layout, one)]
        if names[0] != names[1]:
            found, expected = (shown(name) if name else "nothing" for name in names)
            raise DataError(
                f"{other.file.name} has {found} for {ours}, where {first.file.name} has "
                f"{expected}. Files of one table have the same columns: rename those of one of "
                "them."
            )
        if (kind := layout.stored(ours)) != one.stored(ours):
            raise DataError(
                f"{other.file.name} holds {kind} in {layout.columns.named(ours)}, where "
                f"{first.file.name} holds {one.stored(ours)}. Files of one table have the same "
                "types: write one of them anew."
            )
