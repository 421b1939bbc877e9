"""The command `ranking-gate` and its function `gate`: may a new run replace the old one?

Slow imports follow the check of the options.
"""

import json
import sys
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import fspath

from byhand.duplicates import Duplicates
from byhand.memory import MEMORY
from byhand.reports.gate_decision import Drop, decide, line_of
from byhand.reports.input_files import InputFiles, naming_arguments, typed_columns
from byhand.reports.number_text import made_with
from byhand.reports.options import (
    CONVENTIONS,
    FilePath,
    Parser,
    measure as measure_of,
    refuse,
)
from byhand.words import language, speaking

_DESCRIPTION = """\
Say whether the mean of a measure dropped by more than it may, from an old run to a new one.

Ends with 0 if it did not drop by more, 4 if it did, 5 if it is lower and nobody can say by how
much, 3 if the result is inconclusive, and 2 if the data cannot be used. Nothing that goes wrong
ends with 0, 3, 4 or 5.

Without a test it passes only if both runs rank the same items in the same order for every judged
query. If relevant items share their scores with others, it passes only if it also does so with the
order of equal scores that is the worst for the new run and the best for the old one.

Files are read as by ranking-report. Without --qrels the files of the runs have to hold the
relevance of their items as well, and what either says counts for both.
"""
_EXAMPLE = "ranking-gate new.run old.run --qrels qrels.csv --measure nDCG@10 --max-drop 0.01"
_STATUS = {"pass": 0, "unusable": 2, "inconclusive": 3, "fail": 4, "lower": 5}


@dataclass(frozen=True, kw_only=True)
class GateAnswer:
    """The answer of the gate; true only if the new run passes.

    Attributes:
        verdict: "pass", "fail", "lower" or "inconclusive".
        line: the text that `ranking-gate` prints.
        numbers: the JSON that `ranking-gate --json` prints, as a dict.
    """

    verdict: str
    line: str
    numbers: Mapping[str, object] = field(repr=False)

    def __bool__(self) -> bool:
        return self.verdict == "pass"

    def __str__(self) -> str:
        return self.line


def gate(
    new: FilePath,
    old: FilePath,
    qrels: FilePath | None = None,
    *,
    measure: str = "nDCG@10",
    max_drop: float | str = 0.01,
    clusters: FilePath | None = None,
    conventions: str = CONVENTIONS,
    relevant_from: float | None = None,
    run_columns: Mapping[object, object] | None = None,
    qrels_columns: Mapping[object, object] | None = None,
    duplicates: Duplicates | None = None,
    memory: str = MEMORY,
) -> GateAnswer:
    """Decide whether a new run may replace an old one, as `ranking-gate` does.

    Args:
        new, old: files of the two runs.
        qrels: file of judgements; None (the default) if the runs have a column of relevance.
        measure: a measure from 0 to 1; nDCG@10 by default.
        max_drop: non-inferiority margin, in units of the measure, or a share of the old mean
            such as "5%"; 0.01 by default.
        clusters: file with the columns query_id and cluster for dependent queries; none by
            default.
        conventions: name of a preset, "trec_eval -c" by default.
        relevant_from: lowest relevant grade; any above 0 by default.
        run_columns: mapping of the runs' column names to ours, `{"Edge": "doc_id"}`; or a mapping
            of each file to such a mapping.
        qrels_columns: the same mapping for the qrels.
        duplicates: "first" or "best" to keep one row of a repeated item; an error by default.
        memory: most memory for the tables, "4GB" by default.

    Raises:
        DataError: If the files or an option cannot be used.

    Example:
        >>> answer = gate(
        ...     "data/sample-new.txt.gz", "data/sample-old.txt.gz", "data/sample-qrels.csv"
        ... )
        >>> answer.verdict, bool(answer)
        ('pass', True)
    """
    given = {"relevant_from": relevant_from, "conventions": conventions, "memory": memory}
    given["duplicates"] = duplicates
    refuse(**given)
    options = Namespace(measure=measure_of(measure), max_drop=Drop.of(str(max_drop)), **given)
    files = InputFiles(
        [fspath(new), fspath(old)],
        qrels and fspath(qrels),
        {"clusters": clusters and fspath(clusters)},
        run_columns=run_columns,
        qrels_columns=qrels_columns,
    )
    with naming_arguments(), files.readable():
        numbers = decide(files, options)
    return GateAnswer(verdict=numbers["verdict"], line=line_of(numbers), numbers=numbers)


def _parser() -> Parser:
    made = Parser("ranking-gate", "NEW OLD --qrels QRELS", _DESCRIPTION, _EXAMPLE)
    text = "what the new system ranked: a file, a folder, or a quoted glob"
    made.add("input", "new NEW", text)
    made.add("input", "old OLD", "what the old system ranked")
    made.add_shared()
    text = "a measure from 0 to 1 (default: %(default)s)"
    made.add("evaluation", "--measure M", text, check=measure_of, default="nDCG@10")
    text = "by how much the mean may drop, in units of the measure, or such as 5%% of the old mean"
    text += " (default: %(default)s)"
    made.add("evaluation", "--max-drop D", text, check=Drop.of, default=Drop(0.01))
    text = "print every number as JSON; the line goes to standard error"
    made.add("output", "--json", text, action="store_true")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Print the decision and return the exit status of the verdict."""
    made = _parser()
    asked = made.parse_args(arguments)
    runs = [asked.new, asked.old]
    with made.refusing():
        files = InputFiles(
            runs,
            asked.qrels,
            {"clusters": asked.clusters},
            run_columns=typed_columns(asked.run_columns, runs),
            qrels_columns=dict(asked.qrels_columns),
        )
    try:
        with files.readable():
            files.check()
            numbers = decide(files, asked)
    except (ValueError, OSError, MemoryError, RuntimeError, ImportError) as error:
        why = files.complaint(error)
        numbers = {"verdict": "unusable", "why": why, "made_with": made_with()}
    with speaking(asked.language or language()):
        line = line_of(numbers)
    if asked.json:
        print(json.dumps(numbers, indent=2))
    sys.stdout.flush()
    aside = asked.json or numbers["verdict"] == "unusable"
    print(f"{made.prog}: {line}", file=sys.stderr if aside else sys.stdout)
    return _STATUS[numbers["verdict"]]
