"""The input files of a command, and their error messages."""

import os
import re
import shlex
import tempfile
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from os import path
from pathlib import Path

from byhand.errors import DataError, failure, going_on, one_line, printable
from byhand.files.paths import is_pipe, read_pipe
from byhand.naming import check_files, columns_of, index_of_file
from byhand.reports.options import System

Columns = Mapping[object, object]


class ReportError(DataError):
    """An error in the data of a report; notebooks show it without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


@contextmanager
def naming_arguments() -> Iterator[None]:
    """Name the arguments of `report` and `gate` in error messages about columns."""
    try:
        yield
    except DataError as error:
        shown = ReportError(error.message)
        vars(shown).update(vars(error))
        if error.table:
            shown.argument = f"{error.table}_columns"
        raise shown from None


class InputFiles:
    """The files that were typed after a command, with the evaluated run first.

    Args:
        systems: files of the runs.
        options: the parsed options: qrels, run_columns, qrels_columns, and files of `texts`.
        texts: names of the options with files of texts, groups or clusters.
    """

    def __init__(self, systems: Sequence[System], options: Namespace, texts: Sequence[str]) -> None:
        names, self.runs = zip(*systems, strict=True)
        self.qrels, self.qrels_columns = options.qrels, dict(options.qrels_columns)
        self.texts = {kind: getattr(options, kind) for kind in texts if getattr(options, kind)}
        columns = _typed_columns(options.run_columns, self.runs, names)
        check_files(columns, self.runs)
        self._columns = [dict(columns_of(columns, run) or {}) for run in self.runs]
        self._typed: dict[str, str] = {}  # copy -> original name

    @property
    def files(self) -> list[str]:
        """All input files."""
        return [*self.runs, *filter(None, [self.qrels]), *self.texts.values()]

    @property
    def reading(self) -> dict[str, object]:
        """The arguments for the qrels, the columns and the texts."""
        columns = zip(self.runs, self._columns, strict=True)
        columns = {run: named for run, named in columns if named}
        columns = {"run_columns": columns, "qrels_columns": self.qrels_columns}
        return {"qrels": self.qrels, **columns, **self.texts}

    @contextmanager
    def readable(self) -> Iterator[None]:
        """Copy pipes to temporary files so that they can be read several times."""
        before = tempfile.tempdir
        with tempfile.TemporaryDirectory(prefix="ranking-", ignore_cleanup_errors=True) as room:
            tempfile.tempdir = room
            try:
                saved = partial(self._saved, places=(Path(room, str(n)) for n in count()))
                self.runs = [saved(file) for file in self.runs]
                self.qrels = self.qrels and saved(self.qrels)
                self.texts = {kind: saved(file) for kind, file in self.texts.items()}
                yield
            finally:
                tempfile.tempdir = before

    def _saved(self, file: str, places: Iterator[Path]) -> str:
        if not path.exists(file) or not (is_pipe(file) or file.startswith("/dev/")):
            return file
        place = next(places) / Path(file).name
        place.parent.mkdir()
        with open(place, "wb") as copy:
            copy.writelines(read_pipe(file))
        self._typed[str(place)] = file
        return str(place)

    def as_typed(self, text: str) -> str:
        """Return a text with the names of pipes instead of their copies."""
        for place, typed in self._typed.items():
            text = text.replace(place, typed)
        return text

    # ---- error messages ------------------------------------------------------------------------

    def complaint(self, error: Exception) -> str:
        """Return a line on an error, with the options that may fix it."""
        if isinstance(error, MemoryError):
            return "There is not enough memory for these files."
        if not isinstance(error, DataError):
            return failure(error)
        try:
            os.getcwd()
        except FileNotFoundError as gone:  # without a working folder, no relative path exists
            return failure(gone)
        line = self._said(error)
        if self.qrels is None and "relevance" in error.missing:
            # options end their line, for copy and paste
            between = "\n" if error.ways else " "
            line += between + "(Pass a file with the relevant items as --qrels.)"
        return line

    def _said(self, error: DataError) -> str:
        file = error.file or (self.qrels if error.table == "qrels" else None) or self.runs[0]
        # `report` gives suggestions for several runs by file
        ways = [self._naming(file, way.get(file, way)) for way in error.ways]
        text = printable(going_on(_with_options(error), "add", " or ".join(ways)))
        if self.runs[1:] and error.missing and not ways and self.reading["run_columns"].get(file):
            each = self._naming(file, {"THEIRS": "OURS"})
            text += f" If the runs differ, add the columns of each: {each}"
        return self.as_typed(one_line(text))

    def _naming(self, file: str, columns: Columns) -> str:
        """Return the option that names the columns of a file."""
        pairs = [f"{theirs}={ours}" for theirs, ours in columns.items()]
        if file == self.qrels:
            return shlex.join(["--qrels-columns", *pairs])
        of_one = [file] if len(self.runs) > 1 else []
        return shlex.join(["--run-columns", *of_one, *pairs])


def _typed_columns(
    typed: Sequence[Sequence[object]], runs: Sequence[str], names: Sequence[str | None]
) -> dict[object, object]:
    """Read the values of each --run-columns, for all runs or for a named one."""
    found: dict[object, object] = {}
    for words in typed:
        files = [word for word in words if isinstance(word, str)]
        columns = dict(word for word in words if not isinstance(word, str))
        if not columns:
            raise DataError(
                f"--run-columns {files[0]} is followed by no column. Expected THEIRS=OURS after "
                f"the file, such as --run-columns {files[0]} Edge=doc_id."
            )
        for file in files:
            found.setdefault(runs[index_of_file(file, runs, names)], {}).update(columns)
        if not files:
            found |= columns
    return found


# advice to use `Conventions`, replaced by a preset in a command
_CHOICES = re.compile(r"Set \w+='zero' in the conventions to count them as 0, [^.]*\.")
# an argument with its value in an error message
_ARGUMENT = re.compile(
    r"(?<![\w-])(columns|conventions|duplicates|max_drop|measure|measures|memory|relevant_from)="
    r"('[^']*'|\"[^\"]*\"|[\d.]+|(?![\w{\[]))"
)


def _with_options(error: DataError) -> str:
    """Replace arguments in a message by options of the command."""

    def option(found: re.Match[str]) -> str:
        name, value = found.groups()
        flag = f"--{name.replace('_', '-')}"
        if name == "columns":
            flag = f"--{error.table or 'run'}-columns"
        return f"{flag} {shlex.quote(*shlex.split(value))}" if value else flag

    return _ARGUMENT.sub(option, with_preset(error.message))


def with_preset(message: str) -> str:
    """Replace advice to use `Conventions` in a message by a preset."""
    return _CHOICES.sub("conventions='trec_eval -c' counts them as 0.", message)
