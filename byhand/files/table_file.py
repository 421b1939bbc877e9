"""A file that was looked at: how it holds the wanted table, and what reads its rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import pyarrow as pa

from byhand.column_map import ColumnNames, Columns
from byhand.columns import TableKind
from byhand.files.file import File
from byhand.files.head import Head
from byhand.files.limits import LIMITS
from byhand.parallel import in_threads
from byhand.words import Message

WHOLE = 2.0**53  # from here on float64 skips whole numbers
# bytes and rows that are looked at in one go, where nothing of them is kept
SMALL, FEW = 1 << 20, 1 << 10


class NotPlainError(Exception):
    """pyarrow alone cannot be trusted with this file."""


@dataclass(frozen=True)
class TableFile:
    """A file that was looked at, and how it holds the wanted table: a subclass for each format."""

    file: File
    kind: str  # what to call the format
    columns: Columns

    @classmethod
    def of(cls, head: Head, wanted: TableKind, given: ColumnNames) -> "TableFile | None":
        """How the file holds our columns, which a user may have named; None of another format."""
        raise NotImplementedError

    def tables(self, *, few: bool = False) -> Iterator[pa.Table]:
        """Our columns, some rows at a time: text exactly as written, or the values of the file.

        Types may differ from those before. Of `few` rows at a time nothing is kept.
        """
        raise NotImplementedError

    def place(self, row: int) -> str:
        """Where a row stands, such as "line 7", asked only when something is wrong with it."""
        raise NotImplementedError

    @property
    def later(self) -> list[str]:
        """What was noted while the file was read, as sentences."""
        return []

    def stored(self, ours: str) -> str:
        """The type of a column as the file stores it; of text alone its readers make more."""
        return "text"


class Lines(TableFile):
    """Lines that pyarrow parses block after block.

    A block that it refuses, or whose rows are not one a line, sends the rest of the file through
    Python's own parsers, which are exact and know every line's number.
    """

    def blocks(self, size: int) -> Iterator[bytes | bytearray]:
        """The rows in blocks of so many bytes."""
        return self.file.blocks(size)

    def parse(self, block: bytes | bytearray) -> pa.Table:
        """Our columns of a block, as pyarrow has them."""
        raise NotImplementedError

    def rows(self) -> Iterator[tuple[int, list[str | None]]]:
        """Every row as the text of our columns, with the number of its line."""
        raise NotImplementedError

    def tables(self, *, few: bool = False) -> Iterator[pa.Table]:
        """Our columns, some rows at a time."""
        done = 0
        try:
            blocks = self.blocks(SMALL if few else 0)
            for table in in_threads(self.parse, blocks):
                yield table
                done += len(table)
        except (pa.ArrowInvalid, NotPlainError, UnicodeDecodeError):
            rows = islice(self.rows(), done, None)
            while some := [fields for _, fields in islice(rows, FEW if few else LIMITS.rows)]:
                texts = [pa.array(each, pa.large_string()) for each in zip(*some, strict=True)]
                yield pa.table(texts, [*self.columns.positions])

    def place(self, row: int) -> str:
        """Which line a row begins in."""
        number, _ = next(islice(self.rows(), row, None))
        return Message("line {number}", number=number)
