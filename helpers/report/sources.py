"""The files that a user names in a command, and complaints about them in the words of one."""

import argparse
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from os import path
from pathlib import Path
from tempfile import TemporaryDirectory

from helpers.errors import DataError, failure, one_line
from helpers.files.format import Layout
from helpers.files.pipes import chunks, is_pipe


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
    from helpers.files.columns import JUDGED_RUN, QRELS, RUN
    from helpers.files.layouts import layouts_of

    columns = dict(options.run_columns)
    sources = [(options.run, JUDGED_RUN if options.qrels is None else RUN, columns)]
    if options.qrels is not None:
        sources.append((options.qrels, QRELS, dict(options.qrels_columns)))
    sources += [(file, RUN, columns) for file in options.against]
    first, errors = None, []
    for source in sources:
        try:
            (layout, *_) = layouts_of(*source).values()
            first = first or layout
        except DataError as error:
            errors.append(error)
    errors += _errors_of_texts(options)
    if errors:
        raise errors[0] if len(errors) == 1 else SeveralError(errors)
    _check_queries(options, first, columns)


def _errors_of_texts(options: argparse.Namespace) -> Iterator[DataError]:
    """What is wrong with the files of texts and groups."""
    from helpers.files.groups import read_groups
    from helpers.files.texts import texts_in

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


def _check_queries(
    options: argparse.Namespace, layout: Layout, columns: Mapping[str | int, str]
) -> None:
    """Read a run without a query column: its rows may be of several, and an error names the way."""
    from helpers.files.read import read_judged_run
    from helpers.files.scan import is_large

    if "query_id" not in layout.columns.positions and not is_large(options.run, options.memory):
        read_judged_run(options.run, columns=columns)


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
    named: dict[str, Mapping[object, str]] = {}
    for each in errors:
        if each.columns:
            named.setdefault(each.table, each.columns)
    if options.qrels is None and any("relevance" in each.missing for each in errors):
        hint = "(A file with what is relevant goes into --qrels.)"
        if named:
            return "\n".join([*said, _command(options, named), hint])
        said[0] = f"{said[0]} {hint}"
    return "\n".join(said + [_command(options, named)] * bool(named))


def _said(error: DataError, options: argparse.Namespace, *, alone: bool) -> str:
    message = one_line(error.message)
    # the longest first: the path of one file may begin as another's
    for file in sorted(sources_of(options), key=lambda file: -len(path.abspath(file))):
        message = message.replace(path.abspath(file), options.typed.get(file, file))
    for theirs, ours in _WORDS.items():
        message = message.replace(theirs, ours)
    if error.columns:
        lead = next(lead for lead in _LEADS if message.endswith(lead))
        way = _LEADS[lead] if alone else _BELOWS.get(lead, _BELOW)
        message = message.removesuffix(lead) + way
    return message


def _command(options: argparse.Namespace, named: Mapping[str, Mapping[object, str]]) -> str:
    """The command as it was typed, with what columns are."""
    words: list[str] = []
    dropped = False
    for word in options.command:
        if word.startswith("-"):
            dropped = word.partition("=")[0] in [f"--{table}-columns" for table in named]
        if not dropped:
            words.append(word)
    for table, columns in named.items():
        pairs = [f"{theirs}={ours}" for theirs, ours in columns.items()]
        words += [f"--{table}-columns", *pairs]
    return shlex.join(words)


def _lacking(error: MemoryError) -> str:
    """What there is too little of, and what gives more of it to a command."""
    lack, duckdb, _ = one_line(str(error)).partition(" Give it ")
    if not duckdb:
        return "there is not enough memory for these files"
    return f"{lack} --memory 8GB gives it more memory, TMPDIR=/large/disk before it a larger disk"
