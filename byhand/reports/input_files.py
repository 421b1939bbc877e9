"""The input files of a command, and their error messages."""

import os
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


class SeveralError(DataError):
    """The errors of several files."""

    def __init__(self, errors: Sequence[DataError]) -> None:
        super().__init__("\n".join(map(str, errors)))
        self.errors = tuple(errors)


class InputFiles:
    """The input files of a command, with the evaluated run first.

    Args:
        runs, qrels: files of the runs and the judgements.
        texts: option name -> file of texts, groups or clusters.
        run_columns, qrels_columns: mapping of column names to ours; for runs also by file.
    """

    def __init__(
        self,
        runs: Sequence[str],
        qrels: str | None,
        texts: Mapping[str, str | None],
        *,
        run_columns: Columns | None = None,
        qrels_columns: Columns | None = None,
    ) -> None:
        self.runs, self.qrels = [*runs], qrels
        self.texts = {kind: file for kind, file in texts.items() if file}
        check_files(run_columns, runs)
        self._columns = [dict(columns_of(run_columns, run) or {}) for run in runs]
        self.qrels_columns = dict(qrels_columns or {})
        self._typed: dict[str, str] = {}  # copy -> original name

    @property
    def files(self) -> list[str]:
        """All input files."""
        return [*self.runs, *filter(None, [self.qrels]), *self.texts.values()]

    @property
    def run_columns(self) -> dict[str, Columns]:
        """The given column names by file of a run."""
        named = zip(self.runs, self._columns, strict=True)
        return {run: columns for run, columns in named if columns}

    def called(self, file: str) -> str:
        """Return the user's name for a file."""
        return self._typed.get(file, file)

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

    def check(self) -> None:
        """Raise the obvious errors of all files before any long work."""
        from byhand.files.paths import are_one
        from byhand.files.reading import forms_of
        from byhand.files.texts import read_clusters, read_groups, texts_in
        from byhand.naming import JUDGED_RUN, QRELS, RUN

        sources = [
            (run, RUN, columns) for run, columns in zip(self.runs, self._columns, strict=True)
        ]
        both = [are_one(run, self.qrels) for run in self.runs]
        if self.qrels is None:
            sources[0] = (self.runs[0], JUDGED_RUN, self._columns[0])
        elif any(both):
            place = both.index(True)
            columns = self.qrels_columns | self._columns[place]
            sources[place] = (self.runs[place], JUDGED_RUN, columns)
        else:
            sources.append((self.qrels, QRELS, self.qrels_columns))
        errors = []
        for file, wanted, columns in sources:
            try:
                forms_of(file, wanted, columns or None)
            except DataError as error:
                error.file = file
                errors.append(error)
        look = {"queries": partial(texts_in, of="query"), "docs": partial(texts_in, of="doc")}
        look |= {"groups": read_groups, "clusters": read_clusters}
        for kind, file in self.texts.items():
            try:
                look[kind](file)
            except DataError as error:
                errors.append(error)
        if errors:
            raise errors[0] if len(errors) == 1 else SeveralError(errors)

    # ---- error messages for the command line ---------------------------------------------------

    def complaint(self, error: Exception) -> str:
        """Return a line for each file's error, and the options that may fix it."""
        if isinstance(error, MemoryError):
            return "there is not enough memory for these files"
        if not isinstance(error, DataError):
            return failure(error)
        try:
            os.getcwd()
        except FileNotFoundError as gone:  # without a working folder, no relative path exists
            return failure(gone)
        errors = getattr(error, "errors", (error,))
        lines = [self._said(each) for each in errors]
        if self.qrels is None and any("relevance" in each.missing for each in errors):
            # options end their line, for copy and paste
            between = "\n" if errors[-1].ways else " "
            lines[-1] += between + "(Pass a file with the relevant items as --qrels.)"
        return "\n".join(lines)

    def _said(self, error: DataError) -> str:
        file = error.file or (self.qrels if error.table == "qrels" else None) or self.runs[0]
        # `report` gives suggestions for several runs by file
        ways = [self._naming(file, way.get(file, way)) for way in error.ways]
        text = _as_typed(error.message, error.table)
        text = printable(going_on(text, "add", " or ".join(ways)))
        for place, typed in self._typed.items():
            text = text.replace(place, typed)
        if self.runs[1:] and error.missing and file in self.run_columns and not ways:
            each = self._naming(file, {"THEIRS": "OURS"})
            text += f" If the runs differ, add the columns of each: {each}"
        return one_line(text)

    def _naming(self, file: str, columns: Columns) -> str:
        """Return the option that names the columns of a file."""
        pairs = [f"{theirs}={ours}" for theirs, ours in columns.items()]
        if file == self.qrels:
            return shlex.join(["--qrels-columns", *pairs])
        of_one = [self.called(file)] if len(self.runs) > 1 else []
        return shlex.join(["--run-columns", *of_one, *pairs])


def typed_columns(
    typed: Sequence[Sequence[object]], runs: Sequence[str], names: Sequence[str | None] = ()
) -> dict[object, object]:
    """Read the values of each --run-columns, for all runs or for a named one."""
    found: dict[object, object] = {}
    for words in typed:
        files = [word for word in words if isinstance(word, str)]
        columns = dict(word for word in words if not isinstance(word, str))
        if not columns:
            raise DataError(
                f"--run-columns {files[0]} names no column. Expected THEIRS=OURS after the "
                f"file, such as --run-columns {files[0]} Edge=doc_id."
            )
        for file in files:
            found.setdefault(runs[index_of_file(file, runs, names)], {}).update(columns)
        if not files:
            found |= columns
    return found


# advice to use `Conventions`, replaced by a preset in a command
_CHOICES = re.compile(r"Pass Conventions\(\w+='zero'\) to count them as 0, [^.]*\.")
# an argument with its value in an error message
_ARGUMENT = re.compile(
    r"(?<![\w-])(columns|conventions|duplicates|max_drop|measure|measures|memory|relevant_from)="
    r"('[^']*'|\"[^\"]*\"|[\d.]+|(?![\w{\[]))"
)


def _as_typed(message: str, table: str | None) -> str:
    """Replace arguments in a message by options of the command."""

    def option(found: re.Match[str]) -> str:
        name, value = found.groups()
        flag = f"--{table or 'run'}-columns" if name == "columns" else f"--{name.replace('_', '-')}"
        return f"{flag} {shlex.quote(*shlex.split(value))}" if value else flag

    return _ARGUMENT.sub(option, with_preset(message))


def with_preset(message: str) -> str:
    """Replace advice to use `Conventions` in a message by a preset."""
    return _CHOICES.sub("conventions='trec_eval -c' counts them as 0.", message)
