"""What the record knows of a tool: how it is installed, called, and what it is given."""

import importlib
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from peer_cases import CASES, Case

Names = dict[str, Any]


@dataclass(frozen=True)
class Tool:
    """How a tool is called, the way its documentation shows.

    Attributes:
        install: what pip is given; the first is the tool itself; nothing for a command.
        names: the tool's functions, and a case in the form that it takes.
        calls: measure -> the calls that give it, as Python, the main one first; {k} is the
            cutoff, {n} the length of the list, for tools that always want a cutoff.
        value: what a call returns -> the mean over the queries.
        skip: cases that the tool cannot be given, or that show nothing new of it.
        beside: packages whose version may matter to the result, too.
        tolerance: how far what it gives may be from the exact value, by how it computes or prints.
        label: measure -> what the table calls it; a tool may call it by another name.
    """

    install: tuple[str, ...]
    names: Callable[[Case], Names]
    calls: dict[str, tuple[str, ...]]
    value: Callable[[Any], float] = float
    skip: frozenset[str] = frozenset()
    beside: tuple[str, ...] = ()
    tolerance: float = 1e-9
    label: Callable[[str], str] = str

    @property
    def package(self) -> str:
        """The distribution that holds the tool, or its command."""
        return self.install[0] if self.install else "trec_eval"

    @property
    def version(self) -> str | None:
        """The version that is installed here, if any."""
        if not self.install:
            return trec_eval_version()
        try:
            return version(self.package)
        except PackageNotFoundError:
            return None

    def calls_for(self, case: Case, measure: str) -> list[str]:
        """The calls that give a measure such as `AP@10` of a case; the main one first."""
        name, _, k = measure.partition("@")
        calls = self.calls.get(f"{name}@k" if k else name, ())
        return [call.replace("{k}", k).replace("{n}", str(case.n_retrieved)) for call in calls]


def public(module: str, *names: str) -> Names:
    """These names of a module."""
    found = importlib.import_module(module)
    return {name: getattr(found, name) for name in names}


def trec_eval_command() -> Path | None:
    """Where trec_eval is: on the PATH, unless the variable TREC_EVAL says where."""
    found = shutil.which(os.environ.get("TREC_EVAL", "trec_eval"))
    return Path(found).resolve() if found else None


def trec_eval_version() -> str | None:
    command = trec_eval_command()
    if command is None:
        return None
    said = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    return (said.stdout + said.stderr).split()[-1]


def ranked(case: Case) -> dict[str, list[str]]:
    """The list of each query, best first; an empty one where the run lacks a judged query."""
    lists: dict[str, list[str]] = {query: [] for query in case.qrels | case.run}
    for query, item, *_ in sorted(case.rows(), key=lambda row: -row[2]):
        lists[query].append(item)
    return lists


def relevant(case: Case) -> dict[str, dict[str, int]]:
    """The judgements above 0 of each query, in the order of its lists."""
    return {
        query: {item: grade for item, grade in case.qrels.get(query, {}).items() if grade > 0}
        for query in ranked(case)
    }


# what those that take lists, not scores, cannot be given; and those that take a dictionary
WITH_TIES = frozenset(name for name, case in CASES.items() if case.has_ties)
REPEATED = frozenset(name for name, case in CASES.items() if case.repeats)
