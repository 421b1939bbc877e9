"""The shared options of both commands, and the checks of their values.

Slow imports follow the checks, so errors appear at once.
"""

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from glob import glob
from numbers import Real
from os import PathLike
from os.path import exists
from typing import NamedTuple, Self

from byhand.command_line import CommandParser
from byhand.errors import DataError, shown
from byhand.files.paths import is_glob
from byhand.memory import MEMORY, in_bytes
from byhand.metrics.presets import preset_named
from byhand.naming import OURS, number_of
from byhand.reports.number_text import made_with
from byhand.words import ENGLISH, checked, languages

FilePath = str | PathLike[str]
MEASURES = ("nDCG@10", "AP", "RR")  # of a report, by default
CONVENTIONS = "trec_eval -c"
_KNOWN = ("trec_eval", "ir_measures", "ranx", "sklearn", "torchmetrics")  # in --help

# ---- checks of values --------------------------------------------------------------------------


class System(NamedTuple):
    """The file of a run, and the name given to its system, if any."""

    name: str | None
    file: str


def system(text: str) -> System:
    """Read NAME=FILE, unless a file has this name."""
    name, equals, file = text.partition("=")
    if not equals or exists(text) or (is_glob(text) and glob(text)):
        return System(None, text)
    if not (name and file):
        raise DataError(f"expected NAME=FILE, such as new=runs/new.csv, but got {text!r}.")
    return System(name, file)


def measure(name: object) -> str:
    """Return the canonical name of a measure."""
    from byhand.metrics.measure_names import measure_named

    return str(measure_named(name))


def typed_measure(text: str) -> str:
    """Return the canonical name of a measure in a command, in which files may follow it."""
    try:
        return measure(text)
    except ValueError:
        if exists(text):
            raise DataError(
                f"{shown(text)} is a file, not a measure: put the files first."
            ) from None
        raise


def mean(text: str) -> tuple[str, str]:
    """Read MEASURE=NUMBER; the measure may contain another =."""
    name, _, number = text.rpartition("=")
    if not (name and number):
        raise DataError(f"expected MEASURE=NUMBER, such as nDCG@10=0.4231, but got {shown(text)}.")
    return typed_measure(name), number


def _above_0(what: str) -> Callable[[object], float]:
    def number(value: object) -> float:
        amount = number_of(value) if isinstance(value, str) else value
        if not (isinstance(amount, Real) and 0 < amount < float("inf")):
            raise DataError(f"expected {what} above 0, but got {shown(value)}.")
        return amount

    return number


def _preset(conventions: object) -> object:
    preset_named(conventions)
    return conventions


def _memory(text: str) -> str:
    try:
        in_bytes(text)
    except DataError:
        raise DataError(
            f"expected an amount of memory, such as 2GB, but got {shown(text)}."
        ) from None
    return text


def _duplicates(value: object) -> object:
    if value not in ("first", "best"):
        raise DataError(f"expected first or best, but got {shown(value)}.")
    return value


def _column(text: str) -> tuple[str | int, str | float]:
    """Read THEIRS=OURS, or relevance=NUMBER for all rows; a numeric THEIRS is a position."""
    theirs, _, ours = text.rpartition("=")
    if theirs == "relevance" and ours.isdecimal():
        return theirs, int(ours)
    if not (theirs and ours):
        raise DataError(f"expected THEIRS=OURS, such as Edge=doc_id, but got {text!r}.")
    if ours not in OURS:
        swapped = f" Write it the other way round: {ours}={theirs}." if theirs in OURS else ""
        raise DataError(f"{ours!r} must be one of {', '.join(OURS)}.{swapped}")
    counted = theirs.isdecimal() and theirs == str(int(theirs))
    return int(theirs) if counted else theirs, ours


def _run_column(text: str) -> str | tuple[str | int, str | float]:
    """Read THEIRS=OURS, or the name of the file for the next columns."""
    return text if "=" not in text or exists(text) else _column(text)


@dataclass(frozen=True)
class Drop:
    """A non-inferiority margin, in units of the measure or as a share of the old mean."""

    amount: float
    is_share: bool = False

    @classmethod
    def of(cls, text: str) -> Self:
        """Read a number or a percentage."""
        typed = text.strip()
        number = number_of(typed.removesuffix("%").rstrip())
        if not 0 <= number < float("inf"):  # also excludes nan
            raise DataError(
                "expected a number, 0 or above, or a percentage of the old mean, such as 5%, but "
                f"got {shown(text)}."
            )
        return cls(number / 100, True) if typed.endswith("%") else cls(number)

    def __str__(self) -> str:
        return f"{100 * self.amount:g}%" if self.is_share else f"{self.amount:g}"


CHECKS: dict[str, Callable[[object], object]] = {
    "measure": measure,
    "measures": measure,
    "max_drop": lambda value: Drop.of(str(value)),
    "conventions": _preset,
    "relevant_from": _above_0("a grade"),
    "matters": _above_0("a difference"),
    "duplicates": _duplicates,
    "memory": _memory,
    "language": checked,
}


def accepted(name: str, value: object) -> object:
    """Return a Python argument as its check in `CHECKS` reads it."""
    try:
        return CHECKS[name](value)
    except ValueError as error:
        named = str(error).startswith(f"{name}=")
        refused = DataError(str(error) if named else f"{name}: {error}")
        refused.option = name
        raise refused from None


def refuse(**values: object) -> None:
    """Check Python arguments named in `CHECKS`; None is valid."""
    for name, value in values.items():
        if value is not None:
            accepted(name, value)


# ---- the options -------------------------------------------------------------------------------


class Parser(CommandParser):
    """A command-line parser for runs and qrels."""

    def __init__(self, prog: str, usage: str, description: str, example: str) -> None:
        page = prog.removeprefix("ranking-")
        more = f"python -m byhand docs {page}"
        main = getattr(sys.modules["__main__"], "__spec__", None)
        if main and main.name == "byhand.__main__":  # the user ran `python -m byhand`
            prog = f"python -m byhand {page}"
        super().__init__(prog, description, f"example:\n  {example}\n\nmore:\n  {more}\n")
        self.usage = f"%(prog)s {usage} [options]"
        version = f"%(prog)s of {made_with()}"
        self.add_argument("--version", action="version", version=version, help="print the version")
        self._titled = {t: self.add_argument_group(t) for t in ("input", "evaluation", "output")}

    def add(
        self,
        group: str,
        spec: str,
        text: str,
        *,
        check: Callable[[str], object] | None = None,
        **how: object,
    ) -> None:
        """Add an option to a group: `spec` such as "--docs FILE", help text, check of the value."""
        *flags, last = spec.split()
        if flags:
            how["metavar"] = last
        if check:
            how["type"] = _typed(check)
        self._titled[group].add_argument(*(flags or [last]), help=text, **how)

    def add_shared(self) -> None:
        """Add the options of both commands."""
        columns = {"nargs": "+", "default": []}
        self.add("input", "--qrels QRELS", "the relevance judgements")
        text = "names of columns in the runs, such as Edge=doc_id, or 0=query_id without a header; "
        text += "if the runs differ, repeat the option, each time with a file first: "
        text += "old.csv Item=doc_id"
        self.add(
            "input",
            "--run-columns THEIRS=OURS",
            text,
            check=_run_column,
            action="append",
            **columns,
        )
        text = "the same for the qrels; relevance=1 if every row is relevant"
        self.add("input", "--qrels-columns THEIRS=OURS", text, check=_column, **columns)
        text = "the row to keep if an item is repeated in a query: first, or best for the highest "
        text += "score (default: such rows are an error)"
        self.add("input", "--duplicates WHICH", text, check=_duplicates)
        text = "clusters of dependent queries, such as variants of a topic: query_id and cluster"
        self.add("input", "--clusters FILE", text)
        text = "maximum memory for the tables; larger ones stay on disk (default: %(default)s)"
        self.add("input", "--memory SIZE", text, check=_memory, default=MEMORY)
        text = f"the tool to follow: {', '.join(_KNOWN)} …; "
        text += "`python -m byhand docs library` lists all "
        text += "(default: %(default)s)"
        self.add("evaluation", "--conventions NAME", text, check=_preset, default=CONVENTIONS)
        text = "the lowest relevant grade (default: any above 0)"
        self.add("evaluation", "--relevant-from GRADE", text, check=CHECKS["relevant_from"])
        text = f"the language of the output: {', '.join(languages())} (default: {ENGLISH})"
        self.add("output", "--language CODE", text, check=checked)


def _typed(check: Callable[[str], object]) -> Callable[[str], object]:
    """Return a check for argparse that keeps its error message."""

    def of_text(text: str) -> object:
        try:
            return check(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return of_text
