"""What every format offers, so that the reader can ask one after the other."""

from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from byhand.columns import Wanted
from byhand.files.file import File
from byhand.files.header import Columns, Given


@dataclass(frozen=True)
class Layout:
    """How a file holds its table; a format adds what else it has to know to read it.

    Attributes:
        kind: what to call the format.
        columns: which of the file's columns are ours.
    """

    kind: str
    columns: Columns

    @property
    def later(self) -> list[str]:
        """What was noted while the file was read, as sentences."""
        return []


class Format(Protocol):
    """A module that reads one format: these four functions, and its place in the reader's list."""

    def recognises(self, file: File) -> bool:
        """Whether the content is of this format, going by the file's head."""

    def find(self, file: File, wanted: Wanted, given: Given) -> Layout:
        """How the file holds our columns; `given` are the user's names for them.

        Raises:
            DataError: a column is missing, or the file is another table than the one wanted.
        """

    def read(self, file: File, layout: Layout) -> dict[str, pa.ChunkedArray]:
        """Our columns: text exactly as written, or the values that the file holds.

        Raises:
            DataError: what cannot be read, and the line or row that it stands in.
        """

    def place(self, file: File, layout: Layout, row: int) -> str:
        """Where a row stands, such as "line 7", asked only when something is wrong with it."""
