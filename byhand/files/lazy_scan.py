"""A table that is not read: files that DuckDB asks where they lie, and what that takes."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from shlex import join
from shutil import rmtree
from threading import Event, RLock, Thread
from types import ModuleType
from typing import Self
from weakref import finalize

from byhand.duplicates import Duplicates
from byhand.errors import DataError
from byhand.files.file import File, Progress

ENGINES = {"duckdb": "duckdb>=2,<3", "ibis": "ibis-framework[duckdb]>=12,<13"}


@dataclass(frozen=True, eq=False, repr=False)
class Scan:
    """A lazy table: files that `evaluate`, `preflight` and `compare` read without holding them."""

    relation: object  # of DuckDB
    connection: object
    attrs: dict[str, object]  # as of a frame that was read: file, format, other columns, notes
    files: tuple[File, ...]  # those that are read where they lie, whenever something is asked
    room: Path  # for what is laid down or spilled; it goes with the scan
    duplicates: Duplicates | None = None  # which of repeated rows stays; None refuses them
    known: dict[object, object] = field(default_factory=dict)  # what was found out already
    lock: RLock = field(default_factory=RLock)  # one question at a time, whichever thread asks

    def __post_init__(self) -> None:
        finalize(self, rmtree, self.room, ignore_errors=True)

    def __len__(self) -> int:
        with self.lock:
            return self.relation.count("*").fetchall()[0][0]

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Show how far DuckDB is with the question that is asked inside, about the same files."""
        progress, over = Progress(self.attrs["file"], 100), Event()

        def watch() -> None:
            while not over.wait(0.5):
                progress.at(max(self.connection.query_progress(), 0))

        thread = Thread(target=watch, daemon=True)
        with self.lock, ExitStack() as unchanged:
            for file in self.files:
                unchanged.enter_context(file.unchanged())
            thread.start()
            try:
                yield
            finally:
                over.set()
                thread.join()
                progress.end()

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


def needed(name: str, what: str) -> ModuleType:
    """One of the modules of engines; a DataError with the command that installs it, if it lacks."""
    try:
        return import_module(name)
    except ImportError:
        raise DataError(f"{what} needs {name}, which is not installed: {install()}") from None


def install() -> str:
    """The command that installs what is missing, into whatever environment runs this."""
    return join([sys.executable, "-m", "pip", "install", *ENGINES.values()])
