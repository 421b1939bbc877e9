"""`ranking-report`: two files in, one HTML file out that can be handed over.

Whatever takes long to import is imported once the options are known to be right.
"""

import argparse
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from os import path
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

from helpers.errors import DataError
from helpers.files.aliases import OURS
from helpers.files.memory import MEMORY, amount
from helpers.files.pipes import chunks, is_pipe
from helpers.metrics.conventions import PRESETS

_DESCRIPTION = """\
Evaluate a ranked run, and write a report on it: one HTML file that needs nothing else.

Runs and qrels are TREC files, CSV, TSV, JSON Lines, Parquet, or nested JSON as of ranx and BEIR,
gzipped or not: a file, a folder of them, or a glob in quotes. Without --qrels the file of the run
has to hold the relevance of its items as well.
"""
_EXAMPLE = """\
example:
  ranking-report new.run --qrels qrels.csv --against old.run --measures nDCG@10 RR -o report.html
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line that says what is wrong, instead of two that begin with the usage."""
        self.exit(2, f"{self.prog}: {_one_line(message)} (--help lists the options)\n")


def _measure(text: str) -> str:
    from helpers.metrics.names import measure_named

    try:
        measure_named(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def _grade(text: str) -> float:
    try:
        grade = float(text)
    except ValueError:
        grade = 0
    if not 0 < grade < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a grade: expected a number above 0")
    return grade


def _memory(text: str) -> str:
    try:
        amount(text)
    except DataError:
        raise argparse.ArgumentTypeError(f"{text!r} is no amount of memory, such as 2GB") from None
    return text


def _column(text: str) -> tuple[str | int, str]:
    """What a column is; a number counts the columns of a file without names."""
    theirs, _, ours = text.rpartition("=")
    if not (theirs and ours):
        raise argparse.ArgumentTypeError(f"{text!r} is not THEIRS=OURS, such as Edge=doc_id")
    if ours not in OURS:
        turned = f" Turn it round: {ours}={theirs}" if theirs in OURS else ""
        raise argparse.ArgumentTypeError(
            f"{ours!r} is not one of our columns, which are {', '.join(OURS)}.{turned}"
        )
    counted = theirs.isdecimal() and theirs == str(int(theirs))
    return int(theirs) if counted else theirs, ours


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    made = _Parser(
        prog="ranking-report",
        description=_DESCRIPTION,
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument(
        "run", metavar="RUN", help="what the system ranked: a file, a folder, or a quoted glob"
    )
    made.add_argument("--qrels", help="what is relevant")
    made.add_argument("--against", metavar="RUN2", help="what another system ranked, to compare")
    made.add_argument(
        "--measures",
        nargs="+",
        type=_measure,
        metavar="M",
        default=["nDCG@10", "AP", "RR"],
        help="the first one sorts the queries (default: nDCG@10 AP RR)",
    )
    made.add_argument(
        "--conventions",
        choices=list(PRESETS),
        default="trec_eval -c",
        metavar="NAME",
        help=f"one of {', '.join(PRESETS)} (default: trec_eval -c)",
    )
    made.add_argument(
        "--relevant-from",
        type=_grade,
        metavar="GRADE",
        help="the lowest grade that is relevant (default: any above 0)",
    )
    for table, whose in (("run", "RUN and RUN2"), ("qrels", "the qrels")):
        made.add_argument(
            f"--{table}-columns",
            nargs="+",
            type=_column,
            default=[],
            metavar="THEIRS=OURS",
            help=f"what a column of {whose} is, such as Edge=doc_id; without names, 0=query_id",
        )
    made.add_argument(
        "--memory",
        type=_memory,
        default=MEMORY,
        metavar="SIZE",
        help="how much the tables may take; what needs more stays on disk, and takes longer "
        f"(default: {MEMORY})",
    )
    made.add_argument("-o", "--output", required=True, metavar="HTML", help="the report to write")
    made.add_argument(
        "--csv",
        help="also write the value of each query to this file, ids as they are: a spreadsheet "
        "takes one that begins with =, +, - or @ for a formula, unless told that it is text",
    )
    return made


def main(arguments: list[str] | None = None) -> int:
    """Make a report.

    Returns:
        0; other ends leave with exit status 2 for bad input, 1 if something else went wrong.
    """
    made = parser()
    options = made.parse_args(arguments)
    options.typed = {}  # what a file was called whose content was saved in another
    try:
        _check_targets(options)
        with _pipes_saved(options):
            _check_sources(options)
            _make(options)
    except DataError as error:
        made.exit(2, f"{made.prog}: {_as_option(error, options)}\n")
    except OSError as error:
        what = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        made.exit(2, f"{made.prog}: {what}\n")
    except MemoryError as error:
        made.exit(1, f"{made.prog}: {_lacking(error)}\n")
    except RuntimeError as error:
        made.exit(1, f"{made.prog}: {_one_line(str(error))}\n")
    for written in filter(None, (options.output, options.csv)):
        print(f"Wrote {written}, {Path(written).stat().st_size / 1e6:.1f} MB")
    return 0


def _sources(options: argparse.Namespace) -> list[str]:
    return [file for file in (options.run, options.qrels, options.against) if file is not None]


def _check_targets(options: argparse.Namespace) -> None:
    """Refuse at once what is plainly no place for a report."""
    from helpers.files.folders import matched

    targets = [file for file in (options.output, options.csv) if file is not None]
    sources = [Path(file).resolve() for each in _sources(options) for file in matched(each)]
    for file in targets:
        target = Path(file).resolve()
        if target in sources:
            raise DataError(f"{file} is one of the files to read: write to another one.")
        if not target.parent.is_dir():
            raise DataError(f"There is no folder {target.parent.name!r} to write {file} into.")
        if (target.exists() and not target.is_file()) or _is_open(file):
            raise DataError(f"{file} is no file that could be replaced: name another one.")
    if len(targets) == 2 and Path(targets[0]).resolve() == Path(targets[1]).resolve():
        raise DataError("--output and --csv name the same file: name two.")


def _is_open(file: str) -> bool:
    """Whether a path names what a process has open, as /dev/stdout does: a pipe, or any file."""
    folder = Path(file).parent.resolve()
    return folder in (Path("/dev"), Path("/dev/fd")) or Path("/proc") in folder.parents


@contextmanager
def _pipes_saved(options: argparse.Namespace) -> Iterator[None]:
    """Let what can be read only once, and only here, be read as often as a report does."""
    with TemporaryDirectory() as folder:
        for role in ("run", "qrels", "against"):
            file = getattr(options, role)
            if file and path.exists(file) and (is_pipe(file) or file.startswith("/dev/")):
                saved = Path(folder, role, Path(file).name)
                saved.parent.mkdir()
                with open(saved, "wb") as copy:
                    copy.writelines(chunks(file))
                options.typed[str(saved)] = file
                setattr(options, role, str(saved))
        yield


def _check_sources(options: argparse.Namespace) -> None:
    """Refuse at once what is plainly no data, or lacks a column."""
    from helpers.files.columns import JUDGED_RUN, QRELS, RUN
    from helpers.files.read import read_judged_run
    from helpers.files.scan import is_large, layouts_of

    columns = dict(options.run_columns)
    wanted = JUDGED_RUN if options.qrels is None else RUN
    first, *_ = layouts_of(options.run, wanted, columns).values()
    if "query_id" not in first.columns.positions and not is_large(options.run, options.memory):
        # its rows may be of several queries; read here, the error can still name the option
        read_judged_run(options.run, columns=columns)
    if options.qrels is not None:
        layouts_of(options.qrels, QRELS, dict(options.qrels_columns))
    if options.against is not None:
        layouts_of(options.against, RUN, columns)


def _make(options: argparse.Namespace) -> None:
    from helpers.report.data_report import Request, write_report
    from helpers.report.running import Bar

    request = Request(
        run=options.run,
        qrels=options.qrels,
        against=options.against,
        measures=tuple(options.measures),
        conventions=options.conventions,
        relevant_from=options.relevant_from,
        run_columns=dict(options.run_columns),
        qrels_columns=dict(options.qrels_columns),
        memory=options.memory,
    )
    bar = Bar()
    bar(0, 1)
    try:
        csv = Path(options.csv) if options.csv else None
        write_report(request, Path(options.output), csv=csv, done=bar, told=bar.told)
    finally:
        bar.end()


def _as_option(error: DataError, options: argparse.Namespace) -> str:
    """A complaint about a file in the words of someone who typed a command."""
    message = _one_line(error.message)
    # the longest first: the path of one file may begin as another's
    for file in sorted(_sources(options), key=lambda file: -len(path.abspath(file))):
        message = message.replace(path.abspath(file), options.typed.get(file, file))
    if error.columns:
        pairs = (shlex.quote(f"{theirs}={ours}") for theirs, ours in error.columns.items())
        message += f" --{error.table}-columns {' '.join(pairs)}"
    if options.qrels is None and "relevance" in error.missing:
        message += " (A file with what is relevant goes into --qrels.)"
    return message


def _lacking(error: MemoryError) -> str:
    """What there is too little of, and what gives more of it to a command."""
    lack, duckdb, _ = _one_line(str(error)).partition(" Give it ")
    if not duckdb:
        return "there is not enough memory for these files"
    return f"{lack} --memory 8GB gives it more memory, TMPDIR=/large/disk before it a larger disk"


def _one_line(text: str) -> str:
    return " ".join(text.split())
