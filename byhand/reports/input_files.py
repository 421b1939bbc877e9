"""The files that a command reads, and what is wrong with them."""

import argparse
import os
import re
import shlex
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from itertools import count
from os import path
from pathlib import Path

from byhand.errors import DataError, failure, going_on, one_line, printable
from byhand.files.paths import is_pipe, read_pipe
from byhand.reports.options import System, option_names


class SeveralError(DataError):
    """What is wrong with more than one file."""

    def __init__(self, errors: Sequence[DataError]) -> None:
        super().__init__("\n".join(map(str, errors)))
        self.errors = tuple(errors)


class InputFiles:
    """The files that a command reads, the run in question first, and the words that name them."""

    def __init__(self, options: argparse.Namespace) -> None:
        systems = [
            each if isinstance(each, System) else System(None, each)
            for each in (options.run, *options.against)
        ]
        self.runs, self.names = [each.file for each in systems], [each.name for each in systems]
        self.qrels = options.qrels
        asked = {kind: getattr(options, kind, None) for kind in option_names("text")}
        self.texts: dict[str, str] = {kind: file for kind, file in asked.items() if file}
        self.qrels_columns = dict(options.qrels_columns)
        self.columns_of: dict[str, dict[object, object]] = {}
        self.typed: dict[str, str] = {}  # what a file was called whose content was saved in another
        self._typed_columns = options.run_columns

    @property
    def files(self) -> list[str]:
        """Everything that is read."""
        return [*self.runs, *filter(None, [self.qrels]), *self.texts.values()]

    @property
    def run_columns(self) -> dict[object, object]:
        """The columns of the runs: for all, or for each by its file where they differ."""
        named = [self.columns_of.get(run, {}) for run in self.runs]
        return named[0] if all(each == named[0] for each in named) else self.columns_of

    def called(self, file: str) -> str:
        """What the user calls a file."""
        return self.typed.get(file, file)

    @contextmanager
    def readable(self) -> Iterator[None]:
        """Let pipes be read as often as a report does; whatever spills in the meantime goes."""
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
        self.typed[str(place)] = file
        return str(place)

    def check(self) -> None:
        """Refuse at once what is plainly no data, or lacks a column: of all files, not one."""
        from byhand.files.paths import are_one
        from byhand.files.reading import forms_of, saying_both
        from byhand.files.texts import read_clusters, read_groups, texts_in
        from byhand.naming import JUDGED_RUN, QRELS, RUN

        self.columns_of = self._columns_of()
        sources = [(run, RUN, self.columns_of.get(run)) for run in self.runs]
        if self.qrels is None:
            sources[0] = (self.runs[0], JUDGED_RUN, sources[0][2])
        elif both := [run for run in self.runs if are_one(run, self.qrels)]:
            columns = self.qrels_columns | self.columns_of.get(both[0], {})
            sources[self.runs.index(both[0])] = (both[0], JUDGED_RUN, columns)
        else:
            sources.append((self.qrels, QRELS, self.qrels_columns))
        errors = []
        for file, wanted, columns in sources:
            is_both = self.qrels is not None and wanted is JUDGED_RUN
            try:
                with saying_both(self.called(file)) if is_both else nullcontext():
                    forms_of(file, wanted, columns)
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

    def _columns_of(self) -> dict[str, dict[object, object]]:
        """The columns that were named for each run, by its file: for it, or else for all."""
        from byhand.naming import place_called

        typed = [self.called(file) for file in self.runs]
        of_all: dict[object, object] = {}
        of_each: dict[str, dict[object, object]] = {}
        for words in self._typed_columns:
            files = [word for word in words if isinstance(word, str)]
            columns = dict(word for word in words if not isinstance(word, str))
            if not columns:
                raise DataError(
                    f"--run-columns {files[0]} names no column. Expected THEIRS=OURS after the "
                    f"file, such as --run-columns {files[0]} Edge=doc_id."
                )
            if not files:
                of_all |= columns
            for file in files:
                run = self.runs[place_called(file, typed, self.names)]
                of_each.setdefault(run, {}).update(columns)
        return {run: of_each.get(run, of_all) for run in self.runs if of_each.get(run, of_all)}

    # What went wrong, for someone who typed a command

    def complaint(self, error: Exception) -> str:
        """What went wrong, a line for each file, and which options may mend it."""
        if isinstance(error, MemoryError):
            return _lacking(error)
        if not isinstance(error, DataError):
            return failure(error)
        try:
            os.getcwd()
        except FileNotFoundError as gone:  # so every file seems to be
            return failure(gone)
        errors = getattr(error, "errors", (error,))
        lines = [self._said(each) for each in errors]
        if self.qrels is None and any("relevance" in each.missing for each in errors):
            # an option stays the last of its line, to be pasted
            between = "\n" if errors[-1].ways else " "
            lines[-1] += between + "(Pass a file with the relevant items as --qrels.)"
        return "\n".join(lines)

    def _said(self, error: DataError) -> str:
        file = error.file or {"qrels": self.qrels}.get(error.table, self.runs[0])
        # what `report` says of several runs, it says for each by its file
        ways = [self._naming(file, way.get(file, way)) for way in error.ways]
        said = _as_typed(error.message, error.table)
        said = printable(going_on(said, "add", " or ".join(ways)))
        for place, typed in self.typed.items():
            said = said.replace(place, typed)
        if self.runs[1:] and error.missing and self.columns_of.get(file) and not ways:
            each = self._naming(file, {"THEIRS": "OURS"})
            said += f" If the runs differ, add the columns of each: {each}"
        return one_line(said)

    def _naming(self, file: str, columns: Mapping[object, object]) -> str:
        """The option that says what the columns of a file are."""
        pairs = [f"{theirs}={ours}" for theirs, ours in columns.items()]
        if file == self.qrels:
            return shlex.join(["--qrels-columns", *pairs])
        of_one = [self.called(file)] if len(self.runs) > 1 else []
        return shlex.join(["--run-columns", *of_one, *pairs])


# how an error says what conventions would do, for which a command has a preset
_CHOICES = re.compile(r"Conventions\(\w+='zero'\) counts them as 0, [^.]*\.")
# an argument that an error names, and its value
_ARGUMENT = re.compile(
    r"(?<![\w-])(columns|conventions|duplicates|max_drop|measure|measures|memory|relevant_from)="
    r"('[^']*'|\"[^\"]*\"|[\d.]+|(?![\w{\[]))"
)


def _as_typed(message: str, table: str | None) -> str:
    """Return a message with the options of a command for the arguments that it names."""

    def option(found: re.Match[str]) -> str:
        name, value = found.groups()
        flag = f"--{table or 'run'}-columns" if name == "columns" else f"--{name.replace('_', '-')}"
        return f"{flag} {shlex.quote(*shlex.split(value))}" if value else flag

    return _ARGUMENT.sub(option, with_preset(message))


def with_preset(message: str) -> str:
    """Return a message with a preset for the conventions that it would have one choose."""
    return _CHOICES.sub("conventions='trec_eval -c' counts them as 0.", message)


def _lacking(error: MemoryError) -> str:
    """What there is too little of, and what gives more of it to a command."""
    lack, duckdb, __ = one_line(str(error)).partition(" Give it ")
    if not duckdb:
        return "there is not enough memory for these files"
    more = "--memory 8GB gives it more memory, TMPDIR=/large/disk before it a larger disk"
    return f"{lack} {more}"
