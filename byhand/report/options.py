"""What a user types: the options of `ranking-report`, and what each of them takes."""

import argparse
import sys
from collections.abc import Sequence
from glob import glob
from os import path
from typing import NamedTuple, NoReturn

from byhand.columns import OURS, number_of
from byhand.errors import DataError, one_line
from byhand.files.paths import is_glob
from byhand.files.scan import MEMORY, amount
from byhand.metrics.conventions import PRESETS, preset_named

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


class System(NamedTuple):
    """A run that a user names: what to call its system, or None, and where it is."""

    name: str | None
    file: str


class Parser(argparse.ArgumentParser):
    """A parser that complains in one line, and keeps the `command` as it was typed."""

    def parse_args(
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """The options, and the words of the command."""
        typed = sys.argv[1:] if args is None else [*args]
        options = super().parse_args(typed, namespace)
        options.command = [self.prog, *typed]
        return options

    def error(self, message: str) -> NoReturn:
        """One line that says what is wrong, instead of two that begin with the usage."""
        self.exit(2, f"{self.prog}: {one_line(message)} (--help lists the options)\n")


def _system(text: str) -> System:
    """NAME=FILE, unless that is the name of a file."""
    name, equals, file = text.partition("=")
    if not equals or path.exists(text) or (is_glob(text) and glob(text)):
        return System(None, text)
    if not (name and file):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=FILE, such as new=runs/new.csv")
    return System(name, file)


def measure(text: str) -> str:
    """The name of a measure, in ir_measures' notation."""
    from byhand.metrics.names import measure_named

    try:
        return str(measure_named(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _preset(text: str) -> str:
    """The name of a preset."""
    try:
        preset_named(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def _grade(text: str) -> float:
    return _above_zero(text, "a grade")


def _difference(text: str) -> float:
    return _above_zero(text, "a difference")


def _above_zero(text: str, what: str) -> float:
    number = number_of(text)
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not {what}: expected a number above 0")
    return number


def _memory(text: str) -> str:
    try:
        amount(text)
    except DataError:
        raise argparse.ArgumentTypeError(f"{text!r} is no amount of memory, such as 2GB") from None
    return text


def _column(text: str) -> tuple[str | int, str | float]:
    """What a column is; a number before it counts columns, one after relevance is every row's."""
    theirs, _, ours = text.rpartition("=")
    if theirs == "relevance" and ours.isdecimal():
        return theirs, int(ours)
    if not (theirs and ours):
        raise argparse.ArgumentTypeError(f"{text!r} is not THEIRS=OURS, such as Edge=doc_id")
    if ours not in OURS:
        turned = f" Turn it round: {ours}={theirs}" if theirs in OURS else ""
        raise argparse.ArgumentTypeError(
            f"{ours!r} is not one of our columns, which are {', '.join(OURS)}.{turned}"
        )
    counted = theirs.isdecimal() and theirs == str(int(theirs))
    return int(theirs) if counted else theirs, ours


def _run_column(text: str) -> str | tuple[str | int, str | float]:
    """What a column of the runs is, or the file of which the words that follow speak."""
    return text if "=" not in text or path.exists(text) else _column(text)


def add_evaluation(made: argparse.ArgumentParser) -> None:
    """Add the options that say how the files are read and evaluated."""
    made.add_argument(
        "--conventions",
        type=_preset,
        default="trec_eval -c",
        metavar="NAME",
        help=f"one of {', '.join(PRESETS)}, or 'trec_eval -c -l', which leaves grades below "
        "--relevant-from their gain in nDCG (default: trec_eval -c)",
    )
    made.add_argument(
        "--relevant-from",
        type=_grade,
        metavar="GRADE",
        help="the lowest grade that is relevant (default: any above 0)",
    )
    made.add_argument(
        "--run-columns",
        nargs="+",
        action="append",
        type=_run_column,
        default=[],
        metavar="THEIRS=OURS",
        help="what a column of the runs is, such as Edge=doc_id; without names, 0=query_id; where "
        "the runs differ, once for each, after its file: --run-columns old.csv Item=doc_id",
    )
    made.add_argument(
        "--qrels-columns",
        nargs="+",
        type=_column,
        default=[],
        metavar="THEIRS=OURS",
        help="what a column of the qrels is; relevance=1 where every row is a hit, as in a log of "
        "clicks",
    )
    made.add_argument(
        "--memory",
        type=_memory,
        default=MEMORY,
        metavar="SIZE",
        help="how much the tables may take; what needs more stays on disk, and takes longer "
        f"(default: {MEMORY})",
    )


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    made = Parser(
        prog="ranking-report",
        description=_DESCRIPTION,
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument(
        "run",
        metavar="RUN",
        type=_system,
        help="what the system ranked: a file, a folder, or a quoted glob; NAME=FILE names it",
    )
    made.add_argument("--qrels", help="what is relevant")
    made.add_argument(
        "--against",
        nargs="+",
        action="extend",
        type=_system,
        default=[],
        metavar="RUN2",
        help="what other systems ranked, to compare RUN with each",
    )
    made.add_argument(
        "--all-pairs", action="store_true", help="compare each system with each other one"
    )
    made.add_argument(
        "--measures",
        nargs="+",
        type=measure,
        metavar="M",
        default=["nDCG@10", "AP", "RR"],
        help="the first one sorts the queries (default: nDCG@10 AP RR)",
    )
    add_evaluation(made)
    made.add_argument(
        "--matters",
        type=_difference,
        metavar="DIFFERENCE",
        help="the smallest difference that would matter, such as 0.02, chosen beforehand: the "
        "report says how many queries show it",
    )
    made.add_argument("--queries", metavar="FILE", help="what the queries say: query_id and text")
    made.add_argument(
        "--docs",
        metavar="FILE",
        help="what the items say: doc_id and text, and if you like title and url",
    )
    made.add_argument(
        "--groups", metavar="FILE", help="which groups the queries are in: query_id and group"
    )
    made.add_argument(
        "-o",
        "--output",
        metavar="HTML",
        help="the report to write; - for standard output (default: a page beside RUN)",
    )
    made.add_argument(
        "--csv",
        help="also write the value of each query to this file, ids as they are: a spreadsheet "
        "takes one that begins with =, +, - or @ for a formula, unless told that it is text",
    )
    for name, metavar, what in (
        ("--json", "FILE", "every number of the page, with conventions, versions and hashes"),
        ("--latex", "FILE", "the means as a table for a paper"),
        ("--figures", "FOLDER", "every figure, as SVG and as PDF"),
    ):
        made.add_argument(name, metavar=metavar, help=f"also write {what}")
    made.add_argument(
        "-q", "--quiet", action="store_true", help="print nothing but what goes wrong"
    )
    return made
