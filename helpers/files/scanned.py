"""A lazy table as `scan_run` and its kin return it."""

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree
from typing import Self
from weakref import finalize

from helpers.files.progress import watched

INSTALL = "pip install 'ranking-metrics-by-hand[engines]', or 'ibis-framework[duckdb]'"


@dataclass(frozen=True, eq=False)
class Scan:
    """A lazy table: files that `evaluate`, `preflight` and `compare` read without holding them.

    Attributes:
        relation: the table, as a relation of DuckDB.
        connection: the connection that it is asked on.
        attrs: the `file` or files, their `format`, the `other columns`, and `notes`, as of a frame
            that was read.
        room: the folder for what is laid down or spilled; it goes with the scan.
        known: what was found out about the table already.
    """

    relation: object
    connection: object = field(repr=False)
    attrs: dict[str, object]
    room: Path = field(repr=False)
    known: dict[object, object] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        finalize(self, rmtree, self.room, ignore_errors=True)

    def __len__(self) -> int:
        return self.relation.count("*").fetchall()[0][0]

    def watched(self) -> AbstractContextManager[None]:
        """Show how far DuckDB is with the question that is asked inside."""
        return watched(self.attrs["file"], self.connection.query_progress)

    def close(self) -> None:
        """Let go of the files and remove what was laid down; done by itself, sooner or later."""
        self.connection.close()
        rmtree(self.room, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{self.attrs['file']}: {self.attrs['format']}, to be read when it is asked for"
