"""The files that a user names in a command, and complaints about them in the words of one."""

import argparse
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count, islice, product
from os import path
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from byhand.errors import DataError, failure, one_line
from byhand.files.header import Layout
from byhand.files.paths import chunks, is_pipe

if TYPE_CHECKING:
    from byhand.columns import Wanted


def sources_of(options: argparse.Namespace) -> list[str]:
    """The files, folders and globs to read."""
    further = [options.qrels, options.queries, options.docs, options.groups]
    return [options.run, *options.against, *filter(None, further)]


@contextmanager
def pipes_saved(options: argparse.Namespace) -> Iterator[None]:
    """Let what can be read only once, and only here, be read as often as a report does."""
    with TemporaryDirectory() as folder:
        places = (Path(folder, str(n)) for n in count())

        def saved(file: str) -> str:
            if not path.exists(file) or not (is_pipe(file) or file.startswith("/dev/")):
                return file
            place = next(places) / Path(file).name
            place.parent.mkdir()
            with open(place, "wb") as copy:
                copy.writelines(chunks(file))
            options.typed[str(place)] = file
            return str(place)

        options.run = saved(options.run)
        for role in ("qrels", "queries", "docs", "groups"):
            file = getattr(options, role)
            setattr(options, role, file and saved(file))
        options.against = [saved(file) for file in options.against]
        yield


class SeveralError(DataError):
    """What is wrong with more than one file."""

    def __init__(self, errors: Sequence[DataError]) -> None:
        super().__init__("\n".join(map(str, errors)))
        self.errors = tuple(errors)


def check_sources(options: argparse.Namespace) -> None:
    """Refuse at once what is plainly no data, or lacks a column: of all files, not of the first.

    Raises:
        DataError: what is wrong with a file, or with several.
    """
    from byhand.columns import JUDGED_RUN, QRELS, RUN
    from byhand.files.formats import layouts_of

    options.columns_of = _run_columns(options)
    runs = _runs(options)
    named = [options.columns_of.get(run, {}) for run in runs]
    options.run_columns = (
        named[0] if all(each == named[0] for each in named) else options.columns_of
    )
    sources = [
        (
            file,
            JUDGED_RUN if options.qrels is None and not n else RUN,
            options.columns_of.get(file),
        )
        for n, file in enumerate(runs)
    ]
    if options.qrels is not None:
        sources.append((options.qrels, QRELS, dict(options.qrels_columns)))
    first, errors = None, []
    for file, wanted, columns in sources:
        try:
            (layout, *_) = layouts_of(file, wanted, columns)
            first = first or layout
        except DataError as error:
            errors.append(_apart(error, file, wanted, options))
    errors += _errors_of_texts(options)
    if errors:
        raise errors[0] if len(errors) == 1 else SeveralError(errors)
    _check_queries(options, first)


def _apart(error: DataError, file: str, wanted: "Wanted", options: argparse.Namespace) -> DataError:
    """A complaint about a file; about columns that were named for another run, with its own."""
    from byhand.files.formats import layouts_of

    columns = options.columns_of.get(file)
    if not error.ways and columns and [*options.columns_of.values()].count(columns) > 1:
        ways, other = (), error
        while other and (lost := {*other.missing} & {*columns.values()}):  # what fits is kept
            columns = {theirs: ours for theirs, ours in columns.items() if ours not in lost}
            try:
                layouts_of(file, wanted, columns)
                ways, other = (columns,), None
            except DataError as found:
                other, ways = found, found.ways
        right = "that is" if len(ways) == 1 else "whichever is right"
        named = f"Where the runs differ, name the columns of each: {right}, pass"
        error = DataError(f"{error} {named}" if ways else str(error), table=error.table)
        error.ways = ways
    error.file = file
    return error


def _runs(options: argparse.Namespace) -> list[str]:
    return [options.run, *options.against]


def _run_columns(options: argparse.Namespace) -> dict[str, dict[object, str]]:
    """The columns that were named for each run, by its file: for it, or else for all.

    Raises:
        DataError: columns of a file that is no run, or a file without columns.
    """
    runs = _runs(options)
    names = getattr(options, "names", None) or [None] * len(runs)
    typed = [options.typed.get(file, file) for file in runs]
    of_all: dict[object, str] = {}
    of_each: dict[str, dict[object, str]] = {}
    for words in options.run_columns:
        files = [word for word in words if isinstance(word, str)]
        columns = dict(word for word in words if not isinstance(word, str))
        if not columns:
            raise DataError(
                f"--run-columns {files[0]} names no column. Expected THEIRS=OURS after the file, "
                f"such as --run-columns {files[0]} Edge=doc_id."
            )
        if not files:
            of_all |= columns
        for file in files:
            called = [run for run, it in zip(runs, typed, strict=True) if it == file] or [
                run
                for run, *known in zip(runs, map(path.basename, typed), names, strict=True)
                if file in known
            ]
            if len(called) != 1:
                raise DataError(
                    f"--run-columns names columns of {file!r}, which is "
                    f"{'several' if called else 'none'} of the runs. Name one of them: "
                    f"{', '.join(typed)}."
                )
            of_each.setdefault(called[0], {}).update(columns)
    return {run: of_each.get(run, of_all) for run in runs if of_each.get(run, of_all)}


def _errors_of_texts(options: argparse.Namespace) -> Iterator[DataError]:
    """What is wrong with the files of texts and groups."""
    from byhand.files.texts import read_groups, texts_in

    read = [
        (options.queries, partial(texts_in, of="query")),
        (options.docs, partial(texts_in, of="doc")),
        (options.groups, read_groups),
    ]
    for file, look in read:
        if file is not None:
            try:
                look(file)
            except DataError as error:
                yield error


def _check_queries(options: argparse.Namespace, layout: Layout) -> None:
    """Read a run without a query column: its rows may be of several, and an error names the way."""
    from byhand.files.read import read_judged_run
    from byhand.files.scan import is_large

    if "query_id" not in layout.columns.positions and not is_large(options.run, options.memory):
        try:
            read_judged_run(options.run, columns=options.columns_of.get(options.run))
        except DataError as error:
            error.file = options.run
            raise


_MOST = 12  # commands that a complaint offers
# how a complaint leads to columns=, and how to a command
_LEADS = {
    "pass, for example,": "run, for example:",
    "pass": "run:",
    "for example": "for example:",
    "": "",
}
_BELOWS = {"pass": "say so as below.", "": ""}  # where a command to paste ends several complaints
_BELOW = "as below."
# what a reader of files says to a program, and what it is in a command
_WORDS = {
    "say relevance=1": "say --qrels-columns relevance=1",
    "Read it with read_run; were": "Were",
    "Read it with read_qrels; were": "Were",
    "read_run reads those": "such a file is a run",
    "read_qrels reads those": "such a file goes into --qrels",
    ": read_run for one, read_qrels for the other.": ".",
    "read_run for the scores, read_qrels for a file of grades": "grades go into --qrels",
}


def complaint(error: Exception, options: argparse.Namespace) -> str:
    """What went wrong, for someone who typed a command."""
    if isinstance(error, DataError):
        return _as_option(error, options)
    if isinstance(error, MemoryError):
        return _lacking(error)
    return failure(error)


def _as_option(error: DataError, options: argparse.Namespace) -> str:
    """A complaint about files in the words of someone who typed a command, and one to paste."""
    errors = error.errors if isinstance(error, SeveralError) else (error,)
    said = [_said(each, options, alone=len(errors) == 1) for each in errors]
    table = {"qrels": options.qrels}
    ways = {each.file or table.get(each.table, options.run): each.ways for each in errors}
    commands = _commands(options, {file: each for file, each in ways.items() if each})
    if options.qrels is None and any("relevance" in each.missing for each in errors):
        hint = "(A file with what is relevant goes into --qrels.)"
        if commands:
            return "\n".join([*said, *commands, hint])
        said[0] = f"{said[0]} {hint}"
    return "\n".join([*said, *commands])


def _said(error: DataError, options: argparse.Namespace, *, alone: bool) -> str:
    message = one_line(error.message)
    # the longest first: the path of one file may begin as another's
    for file in sorted(sources_of(options), key=lambda file: -len(path.abspath(file))):
        message = message.replace(path.abspath(file), options.typed.get(file, file))
    for theirs, ours in _WORDS.items():
        message = message.replace(theirs, ours)
    message = re.sub(r"\bcolumns=(?=[ ,])", f"--{error.table}-columns", message)
    if error.ways:
        lead = next(lead for lead in _LEADS if message.endswith(lead))
        way = _LEADS[lead] if alone else _BELOWS.get(lead, _BELOW)
        message = message.removesuffix(lead) + way
    return message


def _commands(
    options: argparse.Namespace, ways: Mapping[str, Sequence[Mapping[object, str]]]
) -> list[str]:
    """The command as it was typed, with what columns are: one for each way that it may be."""
    if not ways:
        return []
    kinds = list(dict.fromkeys(map(_as_pairs, ways.values())))  # files alike are named alike
    chosen = [dict(zip(kinds, each, strict=True)) for each in islice(product(*kinds), _MOST)]
    return [
        _command(options, {file: each[_as_pairs(ways[file])] for file in ways}) for each in chosen
    ]


def _as_pairs(ways: Sequence[Mapping[object, str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(f"{theirs}={ours}" for theirs, ours in way.items()) for way in ways)


def _command(options: argparse.Namespace, named: Mapping[str, Sequence[str]]) -> str:
    """The command as it was typed, with the pairs that name the columns of some files."""
    runs = _runs(options)
    replaced = ["--qrels-columns"] * (options.qrels in named)
    replaced += ["--run-columns"] * (not named.keys().isdisjoint(runs))
    words: list[str] = []
    dropped = False
    for word in options.command:
        if word.startswith("-"):
            dropped = word.partition("=")[0] in replaced
        if not dropped:
            words.append(word)
    if "--run-columns" in replaced:
        own = {run: _as_pairs([columns])[0] for run, columns in options.columns_of.items()}
        own |= {run: tuple(pairs) for run, pairs in named.items() if run in runs}
        alike = len({own.get(run) for run in runs}) == 1
        for run, pairs in own.items() if not alike else [("", own[options.run])]:
            file = [options.typed.get(run, run)] * (not alike)
            words += ["--run-columns", *file, *pairs] if pairs else []
    if "--qrels-columns" in replaced:
        words += ["--qrels-columns", *named[options.qrels]]
    return shlex.join(words)


def _lacking(error: MemoryError) -> str:
    """What there is too little of, and what gives more of it to a command."""
    lack, duckdb, _ = one_line(str(error)).partition(" Give it ")
    if not duckdb:
        return "there is not enough memory for these files"
    return f"{lack} --memory 8GB gives it more memory, TMPDIR=/large/disk before it a larger disk"
