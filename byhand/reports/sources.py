"""The files of a command: what it reads, what it writes, and what is wrong with them."""

import argparse
import os
import re
import shlex
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from importlib.util import find_spec
from itertools import count, islice, product
from os import path
from pathlib import Path

from byhand.errors import DataError, failure, one_line
from byhand.files.paths import is_pipe, read_pipe
from byhand.reports.options import System
from byhand.reports.system_names import place_of
from byhand.words import filled, gettext as _

STDOUT = "-"
_SAVED = ("csv", "json", "latex")  # the options that name a file beside the page
_MOST = 12  # commands that a complaint offers
Ways = Sequence[Mapping[object, object]]


class SeveralError(DataError):
    """What is wrong with more than one file."""

    def __init__(self, errors: Sequence[DataError]) -> None:
        super().__init__("\n".join(map(str, errors)))
        self.errors = tuple(errors)


class Sources:
    """The files that a command reads, the run in question first, and the words that name them."""

    def __init__(self, options: argparse.Namespace) -> None:
        systems = [
            each if isinstance(each, System) else System(None, each)
            for each in (options.run, *options.against)
        ]
        self.command = options.command
        self.runs, self.names = [each.file for each in systems], [each.name for each in systems]
        self.qrels = options.qrels
        kinds = ("queries", "docs", "groups", "clusters")
        asked = {kind: getattr(options, kind, None) for kind in kinds}
        self.texts: dict[str, str] = {kind: file for kind, file in asked.items() if file}
        self.qrels_columns = dict(options.qrels_columns)
        self.columns_of: dict[str, dict[object, object]] = {}
        self.typed: dict[str, str] = {}  # what a file was called whose content was saved in another
        self._named = options.run_columns

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
        from byhand.columns import JUDGED_RUN, QRELS, RUN
        from byhand.files.paths import are_one
        from byhand.files.read import saying_both, sources_of
        from byhand.files.texts import read_clusters, read_groups, texts_in

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
                    sources_of(file, wanted, columns)
            except DataError as error:
                errors.append(self._apart(error, file, wanted))
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
        from byhand.find_columns import place_called

        typed = [self.called(file) for file in self.runs]
        of_all: dict[object, object] = {}
        of_each: dict[str, dict[object, object]] = {}
        for words in self._named:
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

    def _apart(self, error: DataError, file: str, wanted: object) -> DataError:
        """A complaint about a file; if columns were named for another run, with its own."""
        from byhand.files.read import sources_of

        columns = self.columns_of.get(file)
        if not error.ways and columns and [*self.columns_of.values()].count(columns) > 1:
            ways, other = (), error
            while other and (lost := {*other.missing} & {*columns.values()}):  # what fits is kept
                columns = {theirs: ours for theirs, ours in columns.items() if ours not in lost}
                try:
                    sources_of(file, wanted, columns)
                    ways, other = (columns,), None
                except DataError as found:
                    other, ways = found, found.ways
            right = "that is" if len(ways) == 1 else "whichever is right"
            named = f"Where the runs differ, name the columns of each: {right},"
            error = DataError(f"{error} {named}" if ways else str(error), table=error.table)
            error.ways = ways
        error.file = file
        return error

    # What went wrong, for someone who typed a command

    def complaint(self, error: Exception) -> str:
        """What went wrong, in lines, and if a command may be what helps, that command to paste."""
        if isinstance(error, MemoryError):
            return _lacking(error)
        if not isinstance(error, DataError):
            return failure(error)
        try:
            os.getcwd()
        except FileNotFoundError as gone:  # so every file seems to be
            return failure(gone)
        errors = getattr(error, "errors", (error,))
        said = [self._said(each, alone=len(errors) == 1) for each in errors]
        files = [
            each.file or {"qrels": self.qrels}.get(each.table, self.runs[0]) for each in errors
        ]
        commands = self._commands(  # `report` names the columns of several runs by their files
            {
                file: [way.get(file, way) for way in each.ways]
                for file, each in zip(files, errors, strict=True)
                if each.ways
            }
        )
        if self.qrels is None and any("relevance" in each.missing for each in errors):
            hint = "(A file with what is relevant goes into --qrels.)"
            if commands:
                return "\n".join([*said, *commands, hint])
            said[0] = f"{said[0]} {hint}"
        return "\n".join([*said, *commands])

    def _said(self, error: DataError, *, alone: bool) -> str:
        message = one_line(error.message)
        for place, typed in self.typed.items():
            message = message.replace(place, typed)
        message = re.sub(r"\bcolumns=(?=[ ,])", f"--{error.table}-columns", message)
        message = re.sub(r"\bduplicates='(\w+)'", r"--duplicates \1", message)
        zero = r"Conventions\(\w+='zero'\)( counts them as 0), Conventions\(.*"
        message = re.sub(zero, r"--conventions 'trec_eval -c'\1.", message)
        if error.ways and not message.endswith(":"):
            message += " run:" if alone else " say so as below."
        return message

    def _commands(self, ways: Mapping[str, Ways]) -> list[str]:
        """The command as it was typed, with what columns are: one for each way it may be."""
        if not ways:
            return []
        kinds = list(dict.fromkeys(map(_as_pairs, ways.values())))  # files alike are named alike
        chosen = [dict(zip(kinds, each, strict=True)) for each in islice(product(*kinds), _MOST)]
        return [
            self._command({file: each[_as_pairs(ways[file])] for file in ways}) for each in chosen
        ]

    def _command(self, named: Mapping[str, Sequence[str]]) -> str:
        """The command as it was typed, with the pairs that name the columns of some files."""
        replaced = ["--qrels-columns"] * (self.qrels in named)
        replaced += ["--run-columns"] * (not named.keys().isdisjoint(self.runs))
        words, dropped = [], False
        for word in self.command:
            if word.startswith("-"):
                dropped = word.partition("=")[0] in replaced
            words += [word] * (not dropped)
        if "--run-columns" in replaced:
            own = {run: _as_pairs([columns])[0] for run, columns in self.columns_of.items()}
            own |= {run: tuple(pairs) for run, pairs in named.items() if run in self.runs}
            alike = len({own.get(run) for run in self.runs}) == 1
            for run, pairs in [("", own[self.runs[0]])] if alike else own.items():
                file = [self.called(run)] * (not alike)
                words += ["--run-columns", *file, *pairs] if pairs else []
        if "--qrels-columns" in replaced:
            words += ["--qrels-columns", *named[self.qrels]]
        return shlex.join(words)


def _as_pairs(ways: Ways) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(f"{theirs}={ours}" for theirs, ours in way.items()) for way in ways)


def _lacking(error: MemoryError) -> str:
    """What there is too little of, and what gives more of it to a command."""
    lack, duckdb, _ = one_line(str(error)).partition(" Give it ")
    if not duckdb:
        return "there is not enough memory for these files"
    return f"{lack} --memory 8GB gives it more memory, TMPDIR=/large/disk before it a larger disk"


def page_beside(run: str) -> str:
    """A page beside a run, called as the run's system is.

    Example:
        >>> page_beside("runs/new.run.gz"), page_beside("runs/old/*.parquet"), page_beside("new/")
        ('runs/new-report.html', 'runs/old-report.html', 'new-report.html')
        >>> page_beside("/dev/stdin")
        'stdin-report.html'
    """
    place = place_of(run)
    page = place.with_name(f"{place.name}-report.html")
    return page.name if _is_open(str(place)) else str(page)


def targets_of(options: argparse.Namespace) -> dict[str, str]:
    """The files to write, by the option that names them."""
    named = {f"--{name}": getattr(options, name) for name in ("output", *_SAVED)}
    return {
        option: file
        for option, file in named.items()
        if file is not None and (option, file) != ("--output", STDOUT)
    }


def check_targets(options: argparse.Namespace, sources: Sequence[str]) -> None:
    """Refuse at once what is plainly no place for what is to be written."""
    from byhand.files.paths import matched
    from byhand.files.writing import refuse_source

    options_of: dict[Path, str] = {}
    for option, file in targets_of(options).items():
        target = _place(option, file)
        refuse_source(file, [each for source in sources for each in matched(source)])
        if (target.exists() and not target.is_file()) or _is_open(file):
            raise DataError(f"{file} is no file that could be replaced: name another one.")
        if target in options_of:
            raise DataError(f"{options_of[target]} and {option} name the same file: name two.")
        options_of[target] = option
    if options.figures is not None:
        if find_spec("matplotlib") is None:
            raise DataError(
                "--figures needs matplotlib, which is not installed: "
                'pip install "ranking-metrics-by-hand[figures]"'
            )
        folder = _place("--figures", options.figures)
        if (folder.exists() and not folder.is_dir()) or folder in options_of:
            raise DataError(f"{options.figures} is a file: name a folder for the figures.")


def _place(option: str, named: str) -> Path:
    """Where a target is; an error if there is no folder for it, or it is no file at all."""
    from byhand.files.writing import place_for

    if named == STDOUT:
        raise DataError(f"Only the page can go to standard output: {option} takes a name.")
    return place_for(named)


def _is_open(file: str) -> bool:
    """Whether a path names what a process has open, as /dev/stdout does: a pipe, or any file."""
    folder = Path(file).parent.resolve()
    return folder in (Path("/dev"), Path("/dev/fd")) or Path("/proc") in folder.parents


def written_by(options: argparse.Namespace) -> Iterator[str]:
    """A line for each thing that was written."""
    for file in targets_of(options).values():
        size = Path(file).stat().st_size
        if size >= 1e5:
            yield filled(_("Wrote {file}, {size:.1f} MB"), file=file, size=size / 1e6)
        else:
            yield filled(_("Wrote {file}, {size:.1f} kB"), file=file, size=size / 1e3)
    if options.figures is not None:
        yield _("Wrote the figures into {folder}").format(folder=options.figures)
