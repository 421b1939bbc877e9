"""`ranking-gate`, and `gate`, its Python: may a new run take the place of the old one?

Whatever takes long to import is imported once the options are known to be right.
"""

import json
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import fspath

from byhand.duplicates import Duplicates
from byhand.reports.gate_decision import Drop, decisions
from byhand.reports.gate_sentences import lines_of, markdown
from byhand.reports.input_files import InputFiles
from byhand.reports.number_text import made_with
from byhand.reports.options import OPTIONS, SWITCH, FilePath, Option, Parser, option_names
from byhand.words import language, speaking

_DESCRIPTION = """\
Say whether the mean of a measure dropped by more than it may, from an old run to a new one.

Ends with 0 if it did not drop by more, 4 if it did, 5 if it is lower and nobody can say by how
much, 3 if these queries cannot tell, and 2 if the data cannot be used. Nothing that goes wrong
ends with 0, 3, 4 or 5. Of several measures the worst counts: all have to pass, and any may fail.

Simulated with 25 to 500 queries and a true drop of just the limit, 0 and 4 were each wrong in at
most 4.2% of samples of 19 populations. In five of them a drop hides: every query gains .003 and 2%
fall by 1; RR moves between ranks 20 and 60 and 2% fall from 1 to 0; 4% lose .5 to 1 and the others
move by at most .01, or not; 1% fall by 1. If in truth nothing changed, at most 3.8% of the
samples of 15 others ended with 5. That it holds for all others is supported by such numbers, and
not proven. Without a test it passes only if both runs rank the same items in the same order for
every judged query, to the end of the lists.

If relevant items share their scores with others, it passes only if it does so with the order of
equal scores that is the worst for the new run and the best for the old one, too, or if no ranking
differs; and it fails, or is said to be lower, only if it does not pass with the opposite order.

Files are read as by ranking-report. Without --qrels the files of the runs have to hold the
relevance of their items as well, and what either says counts for both.
"""
_EXAMPLE = "ranking-gate new.run old.run --qrels qrels.csv --measure nDCG@10 --max-drop 0.01"
_OPTIONS = (
    Option(
        "run",
        "what the new system ranked: a file, a folder, or a quoted glob",
        typed={"flags": ["run"], "metavar": "NEW"},
        group="input",
    ),
    Option(
        "against",
        "what the old system ranked",
        typed={"flags": ["against"], "metavar": "OLD", "nargs": 1},
        group="input",
    ),
    OPTIONS["qrels"],
    Option(
        "measure",
        "the measures, from 0 to 1; of several the worst counts",
        ("nDCG@10",),
        check=OPTIONS["measures"].check,
        typed={"nargs": "+", "metavar": "M"},
        group="evaluation",
    ),
    Option(
        "max_drop",
        "by how much the mean may drop, in units of the measure, or such as 5%% of the old mean",
        Drop(0.01),
        unsaid="0.01",
        check=Drop.of,
        typed={"metavar": "D"},
        group="evaluation",
    ),
    OPTIONS["clusters"],
    *(OPTIONS[name] for name in option_names("shared")),
)
_FORMS = (
    Option(
        "json", "print every number as JSON; the line goes to standard error", False, typed=SWITCH
    ),
    Option(
        "markdown",
        "print a heading and a table, as for the summary of a step; the line goes to standard "
        "error",
        False,
        typed=SWITCH,
    ),
)
_STATUS = {"unusable": 2, "fail": 4, "lower": 5, "cannot tell": 3, "pass": 0}  # the worst first


def worst_first(found: list[dict[str, object]]) -> list[dict[str, object]]:
    """The measures in the order in which they count."""
    return sorted(found, key=lambda told: [*_STATUS].index(told["verdict"]))


@dataclass(frozen=True, kw_only=True)
class GateAnswer:
    """Whether a new run may replace an old one; true only if every measure passes.

    Attributes:
        verdict: "pass", "fail", "lower" or "cannot tell", the worst of all measures.
        lines: what `ranking-gate` prints, the worst measure first.
        numbers: what `ranking-gate --json` prints of each measure.
    """

    verdict: str
    lines: tuple[str, ...]
    numbers: tuple[Mapping[str, object], ...] = field(repr=False)

    def __bool__(self) -> bool:
        return self.verdict == "pass"

    def __str__(self) -> str:
        return "\n".join(self.lines)


def gate(
    new: FilePath,
    old: FilePath,
    qrels: FilePath | None = None,
    *,
    measures: str | Sequence[str] = "nDCG@10",
    max_drop: float | str = 0.01,
    clusters: FilePath | None = None,
    conventions: str = OPTIONS["conventions"].default,
    relevant_from: float | None = None,
    run_columns: Mapping[object, object] | None = None,
    qrels_columns: Mapping[object, object] | None = None,
    duplicates: Duplicates | None = None,
    memory: str = OPTIONS["memory"].default,
) -> GateAnswer:
    """Decide as `ranking-gate` does whether a new run may replace an old one.

    Args:
        new, old: files of the two runs.
        qrels: a file of judgements; None if the runs have a relevance in each row.
        measures: one or more measures from 0 to 1; of several, all must pass.
        max_drop: non-inferiority margin, in units of the measure, or a share of the old mean
            such as "5%"; 0.01 by default.
        clusters: a file with the columns query_id and cluster, if queries depend on each other.
        conventions: the name of a preset, "trec_eval -c" by default.
        relevant_from: the lowest relevant grade; any above 0 by default.
        run_columns: names of columns in both runs, and ours: `{"Edge": "doc_id"}`.
        qrels_columns: the same for the qrels.
        duplicates: "first" or "best" to keep one row of a repeated item; refused by default.
        memory: how much memory the tables may take.

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
    for name, value in (given | {"duplicates": duplicates}).items():
        OPTIONS[name].refuse(value)
    names = [measures] if isinstance(measures, str) else measures
    options = Namespace(
        run=fspath(new),
        against=[fspath(old)],
        qrels=qrels and fspath(qrels),
        clusters=clusters and fspath(clusters),
        measure=[OPTIONS["measures"].check(name) for name in names],
        max_drop=Drop.of(str(max_drop)),
        run_columns=[[*run_columns.items()]] if run_columns else [],
        qrels_columns=[*(qrels_columns or {}).items()],
        duplicates=duplicates,
        **given,
    )
    files = InputFiles(options)
    with files.readable():
        files.check()
        found = worst_first(decisions(options, files))
    return GateAnswer(
        verdict=found[0]["verdict"], lines=tuple(lines_of(found)), numbers=tuple(found)
    )


def main(arguments: list[str] | None = None) -> int:
    """Decide, and say so.

    Returns:
        0 it did not drop by more than it may, 4 it did, 5 it is lower, and nobody can say by how
        much, 3 cannot tell, 2 nothing can be said.
    """
    made = Parser("ranking-gate", "NEW OLD --qrels QRELS", _DESCRIPTION, _EXAMPLE)
    for option in _OPTIONS:
        option.add_to(made.groups[option.group])
    form = made.groups["output"].add_mutually_exclusive_group()
    for option in _FORMS:
        option.add_to(form)
    options = made.parse_args(arguments)
    files = InputFiles(options)
    try:
        with files.readable():
            files.check()
            found = decisions(options, files)
    except (ValueError, OSError, MemoryError, RuntimeError, ImportError) as error:
        why = files.complaint(error)
        found = [{"verdict": "unusable", "why": why, "made_with": made_with()}]
    ordered = worst_first(found)
    worst = ordered[0]["verdict"]
    with speaking(options.language or language()):
        lines = lines_of(ordered)
        table = "\n\n".join(map(markdown, ordered, lines)) if options.markdown else ""
    if options.json:
        several = {"verdict": worst, "measures": found, "made_with": made_with()}
        print(json.dumps(several if found[1:] else found[0], indent=2))
    elif options.markdown:
        print(table)
    sys.stdout.flush()
    aside = options.json or options.markdown or worst == "unusable"
    for line in lines:
        print(f"{made.prog}: {line}", file=sys.stderr if aside else sys.stdout)
    return _STATUS[worst]
