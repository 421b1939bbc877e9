"""The command `ranking-report` and its function `report`: a page from a run and qrels.

Slow imports follow the check of the options.
"""

import sys
import warnings
from collections.abc import Mapping, Sequence
from os.path import exists
from pathlib import Path
from typing import TYPE_CHECKING

from byhand.duplicates import Duplicates
from byhand.errors import DataError, printable
from byhand.memory import MEMORY
from byhand.metrics.conventions import Conventions
from byhand.reports.input_files import InputFiles, naming_arguments
from byhand.reports.options import (
    CHECKS,
    CONVENTIONS,
    MEASURES,
    FilePath,
    Parser,
    mean,
    refuse,
    system,
    typed_measure,
)
from byhand.reports.system_names import place_of

if TYPE_CHECKING:
    from byhand.reports.report import Report

_DESCRIPTION = """\
Evaluate a ranked run, and write a report on it: one HTML file that needs nothing else.

Runs and qrels are TREC files, CSV, TSV, JSON Lines, Parquet, or nested JSON (ranx, BEIR), also
gzipped: a file, a folder of files, or a glob in quotes. Without --qrels, the runs must have a
column of relevance; the judgements of each run then apply to all runs.
"""
_EXAMPLE = "ranking-report new.run --qrels qrels.csv --against old.run -o report.html -o means.md"
_STDOUT = "-"


def report(
    runs: object,
    qrels: object = None,
    *,
    names: Sequence[str | None] | None = None,
    measures: object = MEASURES,
    conventions: str | Conventions = CONVENTIONS,
    relevant_from: float | None = None,
    matters: float | None = None,
    reported: Mapping[str, str] | Sequence[tuple[str, str]] = (),
    run_columns: Mapping[object, object] | None = None,
    qrels_columns: Mapping[object, object] | None = None,
    duplicates: Duplicates | None = None,
    queries: object = None,
    docs: object = None,
    groups: object = None,
    clusters: object = None,
    memory: str = MEMORY,
    path: FilePath | None = None,
    language: str | None = None,
) -> "Report":
    """Write a report that evaluates one system, or compares several on the same queries.

    Queries, docs, groups and clusters are each a file, a table such as a data frame, or a dict by
    id, such as `{"q1": "en", "q2": "ko"}` for groups. All are optional.

    Args:
        runs: results of a system: a file, a folder, a glob, or anything that `evaluate` accepts;
            for several systems, a list or a mapping `{"new": run, "old": "old.run"}`. The report
            evaluates the first and compares the others with it.
        qrels: judgements, in the same forms; None (the default) if the runs contain them. Each
            run's judgements apply to all runs.
        names: a list with the name of each system, with None for the name of its file; by default,
            all systems have the names of their files.
        measures: names in ir_measures' notation; the first one sorts the queries. By default
            nDCG@10, AP and RR.
        conventions: name of a preset (`PRESETS`), "trec_eval -c" by default, or `Conventions`.
        relevant_from: the lowest relevant grade; any above 0 by default.
        matters: the smallest difference that matters, such as 0.02, chosen beforehand; none by
            default.
        reported: published means of the first run; the report finds the conventions or mistakes
            that reproduce them.
        run_columns: names of columns in the runs, `{"Edge": "doc_id"}`; if the runs differ, by
            file or name: `{"old.csv": {"Item": "doc_id"}}`.
        qrels_columns: the same for the qrels; `{"relevance": 1}` if every row is relevant.
        duplicates: the row to keep if an item is repeated in a query: "first", or "best" for the
            highest score; an error by default.
        queries: texts of the queries: query_id and text.
        docs: texts of the items: doc_id and text, optionally title and url.
        groups: groups of queries: query_id and group.
        clusters: clusters of dependent queries, such as variants of a topic: query_id and cluster.
        memory: maximum memory for the tables, "4GB" by default; larger tables stay on disk.
        path: a file to write, as for `Report.save`; None (the default) for no file.
        language: code of the language, such as `"pt"`; that of `use_language` by default.

    Raises:
        DataError: If the data or an option cannot be used.

    Example:
        >>> runs = {"new": {"q": {"d1": 0.9, "d2": 0.5}}, "old": {"q": {"d1": 0.3, "d2": 0.5}}}
        >>> report(runs, {"q": {"d1": 1}}, measures="RR").title
        'Ranking report: new against old'
    """
    refuse(matters=matters, language=language)
    from byhand.reports.inputs import inputs_of
    from byhand.reports.report import Report
    from byhand.reports.results import results_of

    with naming_arguments():
        data = inputs_of(
            runs,
            qrels,
            names=names,
            measures=measures,
            conventions=conventions,
            relevant_from=relevant_from,
            queries=queries,
            docs=docs,
            groups=groups,
            clusters=clusters,
            memory=memory,
            run_columns=run_columns,
            qrels_columns=qrels_columns,
            duplicates=duplicates,
        )
        results = results_of(data, matters=matters, reported=dict(reported))
        made = Report(results, data, language)
        if path is not None:
            made.save(path)
    return made


# ---- the command -------------------------------------------------------------------------------


def _parser() -> Parser:
    made = Parser("ranking-report", "RUN --qrels QRELS", _DESCRIPTION, _EXAMPLE)
    text = "the results of a system: a file, a folder or a quoted glob; NAME=FILE names it"
    made.add("input", "run RUN", text, check=system)
    text, several = "the results of other systems, to compare RUN with each", {"nargs": "+"}
    made.add("input", "--against RUN2", text, check=system, action="extend", default=[], **several)
    made.add_shared()
    made.add("input", "--queries FILE", "texts of the queries: query_id and text")
    text = "texts of the items: doc_id and text, optionally title and url"
    made.add("input", "--docs FILE", text)
    made.add("input", "--groups FILE", "groups of queries: query_id and group")
    text = "names in ir_measures' notation; the first one sorts the queries (default: "
    text += f"{' '.join(MEASURES)})"
    made.add("evaluation", "--measures M", text, check=typed_measure, default=MEASURES, **several)
    text = "the smallest difference that matters, such as 0.02, chosen beforehand"
    made.add("evaluation", "--matters DIFFERENCE", text, check=CHECKS["matters"])
    text = "published means of RUN: the report finds the conventions or mistakes that give them"
    made.add("evaluation", "--reported M=NUMBER", text, check=mean, default=(), **several)
    text = "a file to write; its extension sets the format: .html (page), .csv (query values), "
    text += ".json (every number), .tex or .md (the means as a table); repeat it for several; - "
    text += "prints the page (default: a page beside RUN)"
    made.add("output", "-o --output FILE", text, action="append")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Write a report and return 0, or exit with status 2."""
    made = _parser()
    options = vars(made.parse_args(arguments))
    if (odd := "".join(arguments or sys.argv[1:])) != odd.encode(errors="ignore").decode():
        made.error(
            "a file name is not UTF-8, and cannot be written to a page: rename the file, or link "
            "to it."
        )
    systems = [options.pop("run"), *options.pop("against")]
    outputs = options.pop("output") or [page_beside(systems[0].file)]
    files = InputFiles(made, systems, options)
    targets = [file for file in outputs if file != _STDOUT]
    try:
        _check_targets(targets, files.files)
        with files.readable():
            _make(files, targets, outputs != targets)
    except (DataError, OSError, MemoryError, RuntimeError, ImportError) as error:
        made.exit(2, f"{made.prog}: {files.complaint(error)}\n")
    # standard output may have the page
    stream = sys.stdout if outputs == targets else sys.stderr
    for file in targets:
        size = Path(file).stat().st_size
        shown = f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.1f} kB"
        print(f"Wrote {printable(file)}, {shown}", file=stream)
    return 0


def page_beside(run: str) -> str:
    """Return the path of a page beside a run, named after its system.

    Example:
        >>> page_beside("runs/new.run.gz"), page_beside("runs/old/*.parquet"), page_beside("new/")
        ('runs/new-report.html', 'runs/old-report.html', 'new-report.html')
        >>> page_beside("/dev/stdin")
        'stdin-report.html'
    """
    place = place_of(run)
    page = place.with_name(f"{place.name}-report.html")
    folder = place.parent.resolve()
    is_open = folder in (Path("/dev"), Path("/dev/fd")) or Path("/proc") in folder.parents
    return page.name if is_open else str(page)


def _check_targets(targets: Sequence[str], sources: Sequence[str]) -> None:
    """Raise `DataError` for missing inputs and invalid output paths before any long work."""
    from byhand.files.opening import File
    from byhand.files.paths import matched
    from byhand.reports.exports import targets_of

    read = [each for source in sources for each in matched(source)]
    for source in read:
        if not exists(source):
            File.at(source)  # says why
    if targets:
        targets_of(targets, read)


def _make(files: InputFiles, targets: Sequence[str], printed: bool) -> None:
    """Write the report to each file, and print the page if `printed`."""
    with warnings.catch_warnings(action="ignore"):  # the report has its own warnings
        made = report(files.runs, names=files.names, **files.arguments)
        page = made.html() if printed else ""
        page = printable(page) if sys.stdout.isatty() else page
        if targets:
            made.save(*targets)
    if page:
        try:
            sys.stdout.buffer.write(page.encode())
            sys.stdout.flush()
        except OSError as error:
            raise OSError(error.errno, error.strerror, "standard output") from None
