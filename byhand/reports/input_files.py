"""The input files of a command, and their error messages."""

import re
import shlex
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from os import path
from pathlib import Path

from byhand.errors import DataError, failure, going_on, one_line, printable
from byhand.files.paths import is_pipe, read_pipe
from byhand.naming import check_files, columns_of, index_of_file
from byhand.reports.options import Parser, System

Columns = Mapping[object, object]
_FILES = ("qrels", "queries", "docs", "groups", "clusters")


@contextmanager
def naming_arguments() -> Iterator[None]:
    """Name the arguments of `report` and `gate` in error messages about columns."""
    try:
        yield
    except DataError as error:
        if error.table:
            error.argument = f"{error.table}_columns"
        raise


class InputFiles:
    """The files that were typed after a command, with the evaluated run first.

    Args:
        made: the parser of the command.
        systems: files of the runs.
        options: the other options, by the arguments of `report` or `gate`.
    """

    def __init__(self, made: Parser, systems: Sequence[System], options: dict[str, object]) -> None:
        self.names, self.runs = zip(*systems, strict=True)
        try:
            columns = _typed_columns(options.pop("run_columns"), self.runs, self.names)
            check_files(columns, self.runs)
        except DataError as error:
            made.error(str(error))
        self._columns = [dict(columns_of(columns, run) or {}) for run in self.runs]
        self._options = options | {"qrels_columns": dict(options["qrels_columns"])}
        self._typed: dict[str, str] = {}  # copy -> original name

    @property
    def files(self) -> list[str]:
        """All input files."""
        return [*self.runs, *filter(None, map(self._options.get, _FILES))]

    @property
    def arguments(self) -> dict[str, object]:
        """The arguments of `report` or `gate` other than the runs."""
        columns = zip(self.runs, self._columns, strict=True)
        return self._options | {"run_columns": {run: named for run, named in columns if named}}

    @contextmanager
    def readable(self) -> Iterator[None]:
        """Copy pipes to temporary files so that they can be read several times."""
        before = tempfile.tempdir
        with tempfile.TemporaryDirectory(prefix="ranking-", ignore_cleanup_errors=True) as room:
            tempfile.tempdir = room
            try:
                saved = partial(self._saved, places=(Path(room, str(n)) for n in count()))
                self.runs = [saved(file) for file in self.runs]
                given = {each: file for each in _FILES if (file := self._options.get(each))}
                self._options |= {each: saved(file) for each, file in given.items()}
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
        """Return the text with the names of pipes instead of the paths of their copies."""
        for place, typed in self._typed.items():
            text = text.replace(place, typed)
        return text

    # ---- error messages ------------------------------------------------------------------------

    def complaint(self, error: Exception) -> str:
        """Return a line on an error, with the options that may fix it."""
        if isinstance(error, MemoryError):
            return f"{failure(error)} Free some, or pass a smaller --memory."
        if not isinstance(error, DataError):
            return failure(error)
        qrels = self._options["qrels"]
        file = error.file or (qrels if error.table == "qrels" else None) or self.runs[0]
        # `report` gives suggestions for several runs by file
        ways = [self._naming(file, way.get(file, way)) for way in error.ways]
        text = printable(going_on(_with_options(error), "add", " or ".join(ways)))
        if self.runs[1:] and error.missing and not ways and self.arguments["run_columns"].get(file):
            each = self._naming(file, {"THEIRS": "OURS"})
            text += f" If the runs differ, add the columns of each: {each}"
        text = one_line(text)
        if qrels is None and "relevance" in error.missing:
            # options end their line, for copy and paste
            text += "\n" if ways else " "
            text += "(Pass a file with the relevant items as --qrels.)"
        return self.as_typed(text)

    def _naming(self, file: str, columns: Columns) -> str:
        """Return the option that names the columns of a file."""
        pairs = [f"{theirs}={ours}" for theirs, ours in columns.items()]
        if file == self._options["qrels"]:
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
                f"--run-columns {files[0]} is not followed by a column. Expected THEIRS=OURS after "
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
    """In a message, replace the advice to use `Conventions` with the name of a preset."""
    return _CHOICES.sub("conventions='trec_eval -c' counts them as 0.", message)
