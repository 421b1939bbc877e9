"""What a report is asked for: each option, declared once.

`--help`, what a command or `report` refuses, its documentation and the defaults of both come from
these declarations. Nothing large is imported until it is needed: a command complains first.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from glob import glob
from numbers import Real
from os import PathLike
from os.path import exists
from typing import Literal, NamedTuple, NoReturn

from byhand.command_line import CommandParser
from byhand.errors import DataError, shown
from byhand.files.paths import is_glob
from byhand.memory import MEMORY, in_bytes
from byhand.metrics.conventions import Conventions
from byhand.metrics.presets import PRESETS, preset_named
from byhand.naming import OURS, number_of
from byhand.words import ENGLISH, checked, languages

FilePath = str | PathLike[str]
# what it is about: both commands, what queries and items say, what is computed, what is written
Part = Literal["shared", "text", "result", "form", ""]


# ---- what each option may be -------------------------------------------------------------------


class System(NamedTuple):
    """A run that a user names: what to call its system, or None, and where it is."""

    name: str | None
    file: str


def _system(text: str) -> System:
    """NAME=FILE, unless that is the name of a file."""
    name, equals, file = text.partition("=")
    if not equals or exists(text) or (is_glob(text) and glob(text)):
        return System(None, text)
    if not (name and file):
        raise DataError(f"{text!r} is not NAME=FILE, such as new=runs/new.csv")
    return System(name, file)


def _measure(name: object) -> str:
    from byhand.metrics.measure_names import measure_named

    try:
        return str(measure_named(name))
    except ValueError:
        if isinstance(name, str) and exists(name):
            raise DataError(
                f"{shown(name)} is a file, not a measure: put the files first"
            ) from None
        raise


def _preset(conventions: str | Conventions) -> str | Conventions:
    preset_named(conventions)
    return conventions


def _reported(text: str) -> tuple[str, str]:
    """MEASURE=NUMBER; a measure may have an = of its own."""
    name, _, number = text.rpartition("=")
    if not (name and number):
        raise DataError(f"{shown(text)} is not MEASURE=NUMBER, such as nDCG@10=0.4231")
    return _measure(name), number


def _above_0(value: object, what: str) -> float:
    """A number above 0; a refusal says what another value is not."""
    number = number_of(value) if isinstance(value, str) else value
    if not (isinstance(number, Real) and 0 < number < float("inf")):
        raise DataError(f"{shown(value)} is not {what}: expected a number above 0")
    return number


def _grade(value: object) -> float:
    return _above_0(value, "a grade")


def _difference(value: object) -> float:
    return _above_0(value, "a difference")


def _memory(text: str) -> str:
    try:
        in_bytes(text)
    except DataError:
        raise DataError(f"{shown(text)} is not an amount of memory, such as 2GB") from None
    return text


def _column(text: str) -> tuple[str | int, str | float]:
    """What a column is; a number before it counts columns, one after relevance is every row's."""
    theirs, _, ours = text.rpartition("=")
    if theirs == "relevance" and ours.isdecimal():
        return theirs, int(ours)
    if not (theirs and ours):
        raise DataError(f"{text!r} is not THEIRS=OURS, such as Edge=doc_id")
    if ours not in OURS:
        swapped = f" Write it the other way round: {ours}={theirs}" if theirs in OURS else ""
        raise DataError(f"{ours!r} must be one of {', '.join(OURS)}.{swapped}")
    counted = theirs.isdecimal() and theirs == str(int(theirs))
    return int(theirs) if counted else theirs, ours


def _run_column(text: str) -> str | tuple[str | int, str | float]:
    """What a column of the runs is, or the file of which the words that follow speak."""
    return text if "=" not in text or exists(text) else _column(text)


# ---- the options -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Option:
    """What may be asked for: in a command, and in Python under the same name."""

    name: str  # a command writes it with dashes
    help: str
    default: object = None
    unsaid: str = ""  # the default in words, where it does not speak for itself
    # makes the value that is used, also of what was typed, or says in a ValueError why it is none
    check: Callable[[str], object] = str
    typed: Mapping[str, object] = field(default_factory=dict)  # what else argparse has to know
    choices: Sequence[str] = ()  # what it may be, if only these
    part: Part = ""
    group: str = "output"  # under which --help lists it

    def refuse(self, value: object) -> None:
        """Refuse a value that was given in Python."""
        try:
            value is None or self._checked(value)
        except ValueError as error:
            refused = DataError(f"{self.name}: {error}")
            refused.option = self.name
            raise refused from None

    def add_to(self, parser: argparse._ActionsContainer) -> None:
        """Let a command take it."""
        how = {"flags": [f"--{self.name.replace('_', '-')}"], **self.typed}
        flags, default = how.pop("flags"), self.unsaid
        if how.get("action") != "store_true":
            how["type"] = self._of_text
        if self.choices:
            how["metavar"] = "|".join(self.choices)
        if flags[0].startswith("-"):
            how["default"] = self.default
        if isinstance(self.default, str | tuple):
            default = self.default if isinstance(self.default, str) else " ".join(self.default)
        said = f" (default: {default})" if default else ""
        parser.add_argument(*flags, help=self.help + said, **how)

    def _checked(self, value: object) -> object:
        if self.choices and value not in self.choices:
            raise DataError(f"{shown(value)} is not one of {', '.join(self.choices)}")
        return self.check(value)

    def _of_text(self, text: str) -> object:
        try:
            return self._checked(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None


_GROUPS = ("input", "evaluation", "comparison", "output")
SWITCH = {"action": "store_true"}
_SEVERAL = {"nargs": "+", "metavar": "THEIRS=OURS"}
_FILE = {"metavar": "FILE"}
_LANGUAGES = ", ".join(f"{code} ({name})" for code, name in languages().items())
OPTIONS = {
    option.name: option
    for option in (
        Option(
            "run",
            "what the system ranked: a file, a folder or a quoted glob; NAME=FILE names it",
            check=_system,
            typed={"flags": ["run"], "metavar": "RUN"},
            group="input",
        ),
        Option("qrels", "the relevance judgements", group="input"),
        Option(
            "against",
            "what other systems ranked, to compare RUN with each",
            [],
            check=_system,
            typed={"nargs": "+", "action": "extend", "metavar": "RUN2"},
            group="input",
        ),
        Option(
            "all_pairs",
            "compare every pair of systems",
            False,
            typed=SWITCH,
            part="result",
            group="comparison",
        ),
        Option(
            "measures",
            "names in ir_measures' notation; the first one sorts the queries",
            ("nDCG@10", "AP", "RR"),
            check=_measure,
            typed={"nargs": "+", "metavar": "M"},
            group="evaluation",
        ),
        Option(
            "conventions",
            f"one of {', '.join(PRESETS)}, or 'trec_eval -c -l', which leaves grades below the "
            "lowest relevant one their gain in nDCG",
            "trec_eval -c",
            check=_preset,
            typed={"metavar": "NAME"},
            part="shared",
            group="evaluation",
        ),
        Option(
            "relevant_from",
            "the lowest relevant grade",
            unsaid="any above 0",
            check=_grade,
            typed={"metavar": "GRADE"},
            part="shared",
            group="evaluation",
        ),
        Option(
            "run_columns",
            "names of columns in the runs, such as Edge=doc_id; without a header 0=query_id; if "
            "the runs differ, repeat it, each after its file: old.csv Item=doc_id",
            [],
            check=_run_column,
            typed={**_SEVERAL, "action": "append"},
            part="shared",
            group="input",
        ),
        Option(
            "qrels_columns",
            "the same for the qrels; relevance=1 if every row is a hit",
            [],
            check=_column,
            typed=_SEVERAL,
            part="shared",
            group="input",
        ),
        Option(
            "duplicates",
            "which row of a run to keep if an item is repeated in a query: the first, or the "
            "best, with the highest score",
            unsaid="such rows are refused",
            choices=("first", "best"),
            part="shared",
            group="input",
        ),
        Option(
            "memory",
            "how much memory the tables may take; larger tables stay on disk",
            MEMORY,
            check=_memory,
            typed={"metavar": "SIZE"},
            part="shared",
            group="input",
        ),
        Option(
            "matters",
            "the smallest difference that matters, such as 0.02, chosen beforehand",
            check=_difference,
            typed={"metavar": "DIFFERENCE"},
            part="result",
            group="comparison",
        ),
        Option(
            "correct",
            "the comparisons over which Holm's procedure corrects p: its own for the first "
            "measure and all for the others (primary); all; those of each measure; or none",
            "primary",
            choices=("primary", "all", "measure", "none"),
            part="result",
            group="comparison",
        ),
        Option(
            "reported",
            "published means of RUN: the report finds the conventions or mistakes that give them",
            (),
            check=_reported,
            typed={"nargs": "+", "metavar": "MEASURE=NUMBER"},
            part="result",
            group="evaluation",
        ),
        Option(
            "judged_by",
            "who judged, and how deep, for the methods paragraph",
            typed={"metavar": "WORDS"},
            part="result",
            group="output",
        ),
        Option(
            "language",
            f"what the page is written in: {_LANGUAGES}",
            unsaid=ENGLISH,
            check=checked,
            typed={"metavar": "CODE"},
            part="shared",
            group="output",
        ),
        Option("short", "a page that stops after what moved", False, typed=SWITCH, group="output"),
        Option(
            "queries",
            "texts of the queries: query_id and text",
            typed=_FILE,
            part="text",
            group="input",
        ),
        Option(
            "docs",
            "texts of the items: doc_id and text, optionally title and url",
            typed=_FILE,
            part="text",
            group="input",
        ),
        Option(
            "groups",
            "groups of queries: query_id and group",
            typed=_FILE,
            part="text",
            group="input",
        ),
        Option(
            "clusters",
            "clusters of dependent queries, such as variants of a topic: query_id and cluster",
            typed=_FILE,
            part="text",
            group="input",
        ),
        Option(
            "output",
            "the report to write; - for standard output",
            unsaid="a page beside RUN",
            typed={"flags": ["-o", "--output"], "metavar": "HTML"},
            group="output",
        ),
        Option(
            "csv",
            "also write the value of each query; ids are not escaped for spreadsheets",
            typed=_FILE,
            part="form",
            group="output",
        ),
        Option(
            "json",
            "also write every number, with conventions, versions and hashes",
            typed=_FILE,
            part="form",
            group="output",
        ),
        Option(
            "latex",
            "also write the means as a table for a paper",
            typed=_FILE,
            part="form",
            group="output",
        ),
        Option(
            "figures",
            "also write every figure, as SVG and PDF",
            typed={"metavar": "FOLDER"},
            part="form",
            group="output",
        ),
        Option(
            "quiet",
            "print errors only",
            False,
            typed={**SWITCH, "flags": ["-q", "--quiet"]},
            group="output",
        ),
    )
}


def option_names(*parts: Part) -> list[str]:
    """The names of the options that are about these."""
    return [name for name, option in OPTIONS.items() if option.part in parts]


class Parser(CommandParser):
    """The parser of a command on runs and qrels."""

    def __init__(self, prog: str, usage: str, description: str, example: str) -> None:
        page = prog.removeprefix("ranking-")
        more = f"all of it, on a page:\n  python -m byhand docs {page}"
        main = getattr(sys.modules["__main__"], "__spec__", None)
        if main and main.name == "byhand.__main__":  # so that is what the user called it
            prog = f"python -m byhand {page}"
        super().__init__(prog, description, f"example:\n  {example}\n\n{more}\n")
        self.usage = f"%(prog)s {usage} [options]"
        self.add_argument("--version", action=_Version, nargs=0, help="print the version")
        self.groups = {title: self.add_argument_group(title) for title in _GROUPS}


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *__: object) -> NoReturn:
        from byhand.reports.number_text import made_with

        print(f"{parser.prog} of {made_with()}")
        parser.exit()
