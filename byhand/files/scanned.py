"""A lazy table as `scan_run` and its kin return it, and what that takes."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from shlex import join
from shutil import rmtree
from types import ModuleType
from typing import Self
from weakref import finalize

from byhand.errors import DataError
from byhand.files.file import File
from byhand.files.progress import watched

_ENGINES = {"duckdb": "duckdb>=2,<3", "ibis": "ibis-framework[duckdb]>=12,<13"}


def missing() -> str:
    """What is not installed of that which tables beyond memory take; empty if all is."""
    return next((name for name in _ENGINES if find_spec(name) is None), "")


def needed(name: str, what: str) -> ModuleType:
    """One of these modules.

    Args:
        name: which.
        what: what needs it.

    Raises:
        DataError: it is not there, and the command that installs it, here.
    """
    try:
        return import_module(name)
    except ImportError:
        raise DataError(f"{what} needs {name}, which is not installed: {install()}") from None


def install() -> str:
    """The command that installs what is missing, into whatever environment runs this."""
    return join([sys.executable, "-m", "pip", "install", *_ENGINES.values()])


@dataclass(frozen=True, eq=False)
class Scan:
    """A lazy table: files that `evaluate`, `preflight` and `compare` read without holding them.

    Attributes:
        relation: the table, as a relation of DuckDB.
        connection: the connection that it is asked on.
        attrs: the `file` or files, their `format`, the `other columns`, and `notes`, as of a frame
            that was read.
        files: those that are read where they lie, whenever something is asked.
        room: the folder for what is laid down or spilled; it goes with the scan.
        known: what was found out about the table already.
    """

    relation: object
    connection: object = field(repr=False)
    attrs: dict[str, object]
    files: tuple[File, ...] = field(repr=False)
    room: Path = field(repr=False)
    known: dict[object, object] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        finalize(self, rmtree, self.room, ignore_errors=True)

    def __len__(self) -> int:
        return self.relation.count("*").fetchall()[0][0]

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Show how far DuckDB is with the question that is asked inside, about the same files.

        Raises:
            DataError: a file that is not the one that was scanned any more.
        """
        with ExitStack() as unchanged:
            for file in self.files:
                unchanged.enter_context(file.unchanged())
            with watched(self.attrs["file"], self.connection.query_progress):
                yield

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
