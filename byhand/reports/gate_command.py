"""The command `ranking-gate` and its function `gate`: can a new run replace the old one?

Slow imports follow the check of the options.
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import fspath

from byhand.duplicates import Duplicates
from byhand.errors import printable
from byhand.memory import MEMORY
from byhand.reports.input_files import InputFiles, naming_arguments
from byhand.reports.number_text import made_with
from byhand.reports.options import (
    CONVENTIONS,
    Drop,
    FilePath,
    Parser,
    System,
    accepted,
    typed_measure,
)
from byhand.words import language, speaking

_DESCRIPTION = """\
Test whether the mean of a measure dropped by more than a margin, from an old run to a new one.

Exit status: 0 if it did not, 4 if it did, 5 if it dropped but these queries do not show whether by
more than the margin, 3 if the result is inconclusive, and 2 for any error.

The gate passes without a test only if both runs rank the same items in the same order for every
judged query. If scores are equal, the new run must also pass in the tie order that is worst for it
and best for the old run.

Files are read in the same way as in ranking-report. Without --qrels, both runs must have a column
of relevance.
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
        memory: maximum memory for the tables, "4GB" by default.

    Returns:
        A `GateAnswer` with the `verdict`, the `line` that `ranking-gate` prints, and the
        `numbers`; true only for a pass.

    Raises:
        DataError: If the files or an option cannot be used.

    Example:
        >>> answer = gate(
        ...     "data/sample-new.txt.gz", "data/sample-old.txt.gz", "data/sample-qrels.csv"
        ... )
        >>> answer.verdict, bool(answer)
        ('pass', True)
    """
    from byhand.reports.gate_decision import decide, line_of

    with naming_arguments():
        numbers = decide(
            *(fspath(new), fspath(old), qrels and fspath(qrels)),
            measure=accepted("measure", measure),
            drop=accepted("max_drop", max_drop),
            conventions=conventions,
            relevant_from=relevant_from,
            clusters=clusters,
            memory=memory,
            run_columns=run_columns,
            qrels_columns=qrels_columns,
            duplicates=duplicates,
        )
    return GateAnswer(verdict=numbers["verdict"], line=line_of(numbers), numbers=numbers)


def _parser() -> Parser:
    made = Parser("ranking-gate", "NEW OLD --qrels QRELS", _DESCRIPTION, _EXAMPLE)
    text = "the results of the new system: a file, a folder, or a quoted glob"
    made.add("input", "new NEW", text)
    made.add("input", "old OLD", "the results of the old system")
    made.add_shared()
    text = "a measure from 0 to 1 (default: %(default)s)"
    made.add("evaluation", "--measure M", text, check=typed_measure, default="nDCG@10")
    text = "the margin, in units of the measure, or a share of the old mean, such as 5%% (default: "
    text += "%(default)s)"
    made.add("evaluation", "--max-drop D", text, check=Drop.of, default=Drop(0.01))
    text = "print every number as JSON; the line with the verdict goes to standard error"
    made.add("output", "--json", text, action="store_true")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Print the decision and return the exit status of the verdict."""
    made = _parser()
    options = vars(made.parse_args(arguments))
    as_json, spoken = options.pop("json"), options.pop("language") or language()
    systems = [System(None, options.pop(name)) for name in ("new", "old")]
    files = InputFiles(made, systems, options)
    try:
        with files.readable(), speaking(spoken):
            answer = gate(*files.runs, **files.arguments)
        line, numbers, verdict = files.as_typed(answer.line), answer.numbers, answer.verdict
    except (ValueError, OSError, MemoryError, RuntimeError, ImportError) as error:
        verdict, why = "unusable", files.complaint(error)
        line = f"Unusable: {why}"
        numbers = {"verdict": verdict, "why": why, "made_with": made_with()}
    if as_json:
        print(files.as_typed(json.dumps(numbers, indent=2)))
    sys.stdout.flush()  # the JSON before the line
    aside = as_json or verdict == "unusable"
    print(f"{made.prog}: {printable(line)}", file=sys.stderr if aside else sys.stdout)
    return _STATUS[verdict]
