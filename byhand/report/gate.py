"""`ranking-gate`: may a new run take the place of the old one? In one line, and by exit status.

Whatever takes long to import is imported once the options are known to be right.
"""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from byhand.columns import number_of
from byhand.errors import DataError
from byhand.report.options import Parser, add_evaluation, measure
from byhand.report.provenance import made_with
from byhand.report.sources import check_sources, complaint, pipes_saved

if TYPE_CHECKING:
    import pandas as pd

    from byhand.files.scan import Table
    from byhand.report.gated import Gated

_DESCRIPTION = """\
Say whether the mean of a measure dropped by more than it may, from an old run to a new one.

Ends with 0 if it did not drop by more, 4 if it did, 3 if these queries cannot tell, and 2 if the
data cannot be used. Nothing that goes wrong ends with 0, 3 or 4.

Simulated with 25 to 500 queries and a true drop of just the limit, 0 and 4 were each wrong in at
most 4.2% of samples of 19 populations. In five of them a drop hides: every query gains .003 and 2%
fall by 1; RR moves between ranks 20 and 60 and 2% fall from 1 to 0; 4% lose .5 to 1 and the others
move by at most .01, or not; 1% fall by 1. That it holds for all others is supported by such
numbers, and not proven. Without a test it passes only where both runs rank the same items in the
same order for every judged query, to the end of the lists.

Files are read as by ranking-report. Without --qrels the file of the new run has to hold the
relevance of its items as well.
"""
_EXAMPLE = """\
example:
  ranking-gate new.run old.run --qrels qrels.csv --measure nDCG@10 --max-drop 0.01
"""
_STATUS = {"did not drop": 0, "dropped": 4, "cannot tell": 3}
_UNUSABLE = 2


def parser() -> argparse.ArgumentParser:
    """The options of the command."""
    made = Parser(
        prog="ranking-gate",
        description=_DESCRIPTION,
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument(
        "run", metavar="NEW", help="what the new system ranked: a file, a folder, or a quoted glob"
    )
    made.add_argument("against", metavar="OLD", nargs=1, help="what the old system ranked")
    made.add_argument("--qrels", help="what is relevant")
    made.add_argument(
        "--measure", type=measure, default="nDCG@10", metavar="M", help="default: nDCG@10"
    )
    made.add_argument(
        "--max-drop",
        type=_drop,
        default=0.01,
        metavar="D",
        help="by how much the mean may drop, in units of the measure (default: 0.01)",
    )
    add_evaluation(made)
    # the gate shows no texts and no groups
    made.set_defaults(queries=None, docs=None, groups=None)
    form = made.add_mutually_exclusive_group()
    for name, what in (
        ("--json", "every number as JSON"),
        ("--markdown", "a heading and a table, as for the summary of a step"),
    ):
        form.add_argument(
            name, action="store_true", help=f"print {what}; the line goes to standard error"
        )
    return made


def _drop(text: str) -> float:
    drop = number_of(text)
    if not 0 <= drop < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no drop: expected a number, 0 or above")
    return drop


def main(arguments: list[str] | None = None) -> int:
    """Decide, and say so.

    Returns:
        0 it did not drop by more than it may, 4 it did, 2 nothing can be said, 3 cannot tell.
    """
    made = parser()
    options = made.parse_args(arguments)
    options.typed = {}  # what a file was called whose content was saved in another
    try:
        with pipes_saved(options):
            check_sources(options)
            gated = _gated(options)
    except (ValueError, OSError, MemoryError, RuntimeError, ImportError) as error:
        return _unusable(complaint(error, options), options)
    _say(gated.line(), options, as_json=gated.as_json, as_markdown=gated.as_markdown)
    return _STATUS[gated.decision.outcome]


def _gated(options: argparse.Namespace) -> "Gated":
    """Read, evaluate, decide.

    Raises:
        DataError: data that cannot be used.
    """
    from byhand.files.scan import Scan, read_together
    from byhand.metrics.conventions import preset_named
    from byhand.metrics.names import measure_named
    from byhand.report.gated import Gated
    from byhand.statistics.gate import gate, same_rankings

    measure = measure_named(options.measure)
    if measure.highest != 1:
        raise DataError(
            f"{measure} has no highest value, so nobody can say how far a query may fall that "
            "these do not show. Name a measure from 0 to 1, such as --measure nDCG@10."
        )
    files = {"new": options.run, "old": options.against[0], "qrels": options.qrels or options.run}
    if Path(files["new"]).resolve() == Path(files["old"]).resolve():
        raise DataError(f"{files['old']} is to be compared with itself. Name the old run's file.")
    runs, qrels = read_together(
        [files["new"], files["old"]],
        options.qrels,
        run_columns=dict(options.run_columns),
        qrels_columns=dict(options.qrels_columns),
        memory=options.memory,
    )
    name, k = options.measure, measure.k
    judged = [f"Judged@{k}"] if k and options.qrels else []
    new, old = (
        _evaluated(files[role], run, qrels, [name, *judged], options)
        for role, run in zip(("new", "old"), runs, strict=True)
    )
    chosen = measure.named_by(preset_named(options.conventions))
    if chosen.missing == "skip" and new.attrs["missing"]:
        raise DataError(
            f"{files['new']} lacks {new.attrs['missing']:,} of {new.attrs['judged']:,} judged "
            f"queries, and {options.conventions} leaves them out: what it did not answer would not "
            "count against it. Complete the run, or count them as 0: --conventions 'trec_eval -c'."
        )
    same = (
        not isinstance(runs[0], Scan)
        and new[name].equals(old[name])
        and same_rankings(*runs, new.index, ties=chosen.ties)
    )
    return Gated(
        decision=gate(new[name], old[name], max_drop=options.max_drop, same_rankings=same),
        measure=name,
        files={role: options.typed.get(file, file) for role, file in files.items()},
        doubts={"new": new.attrs["doubt"], "old": old.attrs["doubt"]},
        judged_queries=new.attrs["judged"],
        missing=(new.attrs["missing"], old.attrs["missing"]),
        judged_items=tuple(float(table[each].mean()) for each in judged for table in (new, old)),
        preset=options.conventions,
        conventions=new.attrs["conventions"],
        relevant_from=options.relevant_from,
    )


def _evaluated(
    file: str, run: "Table", qrels: "Table", measures: list[str], options: argparse.Namespace
) -> "pd.DataFrame":
    """The value of each query, of a run that can be judged by them."""
    from byhand.metrics.evaluate import evaluate
    from byhand.metrics.preflight import preflight
    from byhand.statistics.verdict import MISSING_LIMIT

    found = preflight(run, qrels, relevant_from=options.relevant_from)
    if found.problems:
        raise DataError(f"{file}: {' '.join(found.problems)}")
    how = {"conventions": options.conventions, "relevant_from": options.relevant_from}
    table = evaluate(run, qrels, measures, **how)
    table.attrs["doubt"] = found.doubt
    count, of = table.attrs["missing"], table.attrs["judged"]
    if count > MISSING_LIMIT * of:
        raise DataError(
            f"{file} lacks {count:,} of {of:,} judged queries, more than {MISSING_LIMIT:.0%}, so "
            "what it did not answer would decide. Complete the run, or leave these queries out of "
            "the qrels."
        )
    return table


def _unusable(why: str, options: argparse.Namespace) -> int:
    from byhand.report.gated import verbatim

    told = {"verdict": "unusable", "why": why, "made_with": made_with()}
    _say(
        f"Unusable: {why}",
        options,
        as_json=lambda: told,
        as_markdown=lambda: f"### Unusable\n\n{verbatim(why)}",
        aside=True,
    )
    return _UNUSABLE


def _say(
    line: str,
    options: argparse.Namespace,
    *,
    as_json: Callable[[], object],
    as_markdown: Callable[[], str],
    aside: bool = False,
) -> None:
    """Print an answer in the form that was asked for; the line beside it, or if there is none."""
    if options.json:
        print(json.dumps(as_json(), indent=2))
    elif options.markdown:
        print(as_markdown())
    sys.stdout.flush()
    aside = aside or options.json or options.markdown
    print(f"ranking-gate: {line}", file=sys.stderr if aside else sys.stdout)
