"""`ranking-report`: two files in, one page out that can be handed over; and `report`, its Python.

Whatever takes long to import is imported once the options are known to be right.
"""

import argparse
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os.path import dirname, isdir
from pathlib import Path
from typing import TYPE_CHECKING

from byhand.duplicates import Duplicates
from byhand.errors import DataError
from byhand.memory import MEMORY
from byhand.metrics.conventions import Conventions
from byhand.reports.input_files import InputFiles, typed_columns
from byhand.reports.options import (
    CHECKS,
    CONVENTIONS,
    MEASURES,
    FilePath,
    Parser,
    System,
    mean,
    measure,
    refuse,
    system,
)
from byhand.reports.system_names import place_of

if TYPE_CHECKING:
    from byhand.reports.report import Report

_DESCRIPTION = """\
Evaluate a ranked run, and write a report on it: one HTML file that needs nothing else.

Runs and qrels are TREC files, CSV, TSV, JSON Lines, Parquet, or nested JSON as of ranx and BEIR,
gzipped or not: a file, a folder of them, or a glob in quotes. Without --qrels the file of the run
has to hold the relevance of its items as well; of several runs, what each says counts for all.
"""
_EXAMPLE = "ranking-report new.run --qrels qrels.csv --against old.run -o report.html"
_STDOUT = "-"
_TEXTS = ("queries", "docs", "groups", "clusters")
_FORMS = ("csv", "json", "latex")


class ReportError(DataError):
    """What is wrong with the data of a report; a notebook shows it without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


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
    """All that can be said of one system, or of several on the same queries, as one document.

    Queries, docs, groups and clusters are a file, a frame or any other table, or a dict by id,
    such as `{"q1": "en", "q2": "ko"}` for groups.

    Args:
        runs: what a system ranked: a file, a folder, a glob, or anything that `evaluate` takes.
            Of several systems a list, or by name: `{"new": run, "old": "old.run"}`. The first is
            the one in question.
        qrels: what is relevant, as one of these; None if the first run says so itself; of
            several runs, what each says of its items counts for all.
        names: what to call the systems of a list; None, for all or one, as their files are called.
        measures: names in ir_measures' notation; the first one sorts the queries.
        conventions: the name of a preset (`PRESETS`), or `Conventions`.
        relevant_from: the lowest relevant grade; any above 0 by default.
        matters: the smallest difference that matters, such as 0.02, chosen beforehand.
        reported: published means of the first run: the report finds the conventions or mistakes
            that give them.
        run_columns: the runs' names for our columns: `{"Edge": "doc_id"}`; where the runs differ,
            those of each, by its file or name: `{"old.csv": {"Item": "doc_id"}}`.
        qrels_columns: the same for the qrels; `{"relevance": 1}` where every row is a hit.
        duplicates: which row of a run to keep if an item is repeated in a query: "first", or
            "best", with the highest score; refused by default.
        queries: texts of the queries: query_id and text.
        docs: texts of the items: doc_id and text, optionally title and url.
        groups: groups of queries: query_id and group.
        clusters: clusters of dependent queries, such as variants of a topic: query_id and cluster.
        memory: how much memory the tables may take; larger tables stay on disk.
        path: a file to write the page to; one that exists is replaced.
        language: of the words, such as `"pt"`; None for that of the process (`use_language`).

    Raises:
        DataError: data or an option that cannot be used, and why.

    Example:
        >>> runs = {"new": {"q": {"d1": 0.9, "d2": 0.5}}, "old": {"q": {"d1": 0.3, "d2": 0.5}}}
        >>> report(runs, {"q": {"d1": 1}}, measures="RR").title
        'Ranking report: new against old'
    """
    refuse(
        conventions=conventions,
        relevant_from=relevant_from,
        matters=matters,
        duplicates=duplicates,
        memory=memory,
        language=language,
    )
    from byhand.reports.inputs import inputs_of
    from byhand.reports.report import Report
    from byhand.reports.results import Results

    with _in_arguments():
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
        made = Report(Results(data, matters=matters, reported=dict(reported)), language)
        if path is not None:
            made.save(html=path)
    return made


@contextmanager
def _in_arguments() -> Iterator[None]:
    """Let complaints about columns name the arguments of `report`."""
    try:
        yield
    except DataError as error:
        found = ReportError(error.message)
        vars(found).update(vars(error))
        if error.table:
            found.argument = f"{error.table}_columns"
        raise found from None


# ---- the command -------------------------------------------------------------------------------


def _parser() -> Parser:
    made = Parser("ranking-report", "RUN --qrels QRELS", _DESCRIPTION, _EXAMPLE)
    said = "what the system ranked: a file, a folder or a quoted glob; NAME=FILE names it"
    made.add("input", "run RUN", said, check=system)
    said, several = "what other systems ranked, to compare RUN with each", {"nargs": "+"}
    made.add("input", "--against RUN2", said, check=system, action="extend", default=[], **several)
    made.add_shared()
    made.add("input", "--queries FILE", "texts of the queries: query_id and text")
    said = "texts of the items: doc_id and text, optionally title and url"
    made.add("input", "--docs FILE", said)
    made.add("input", "--groups FILE", "groups of queries: query_id and group")
    said = "names in ir_measures' notation; the first one sorts the queries (default: "
    said += f"{' '.join(MEASURES)})"
    made.add("evaluation", "--measures M", said, check=measure, default=MEASURES, **several)
    said = "the smallest difference that matters, such as 0.02, chosen beforehand"
    made.add("evaluation", "--matters DIFFERENCE", said, check=CHECKS["matters"])
    said = "published means of RUN: the report finds the conventions or mistakes that give them"
    made.add("evaluation", "--reported MEASURE=NUMBER", said, check=mean, default=(), **several)
    said = "the report to write; - for standard output (default: a page beside RUN)"
    made.add("output", "-o --output HTML", said)
    made.add("output", "--csv FILE", "also write the value of each query")
    said = "also write every number, with conventions, versions and hashes"
    made.add("output", "--json FILE", said)
    made.add("output", "--latex FILE", "also write the means as a table for a paper")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Make a report.

    Returns:
        0; whatever goes wrong leaves with exit status 2.
    """
    made = _parser()
    options = made.parse_args(arguments)
    if (odd := "".join(arguments or sys.argv[1:])) != odd.encode(errors="ignore").decode():
        made.error("a name is not UTF-8, as a page must be: rename the file, or link to it")
    systems: list[System] = [options.run, *options.against]
    runs, names = [each.file for each in systems], [each.name for each in systems]
    with made.refusing():
        files = InputFiles(
            runs,
            options.qrels,
            {kind: getattr(options, kind) for kind in _TEXTS},
            run_columns=typed_columns(options.run_columns, runs, names),
            qrels_columns=dict(options.qrels_columns),
        )
    try:
        if not options.output:
            options.output = page_beside(options.run.file)
            if not isdir(dirname(options.output) or "."):  # so there is no run either
                files.check()
        _check_targets(_forms_of(options), files.files)
        with files.readable():
            files.check()
            _make(options, files, names)
    except (DataError, OSError, MemoryError, RuntimeError, ImportError) as error:
        made.exit(2, f"{made.prog}: {files.complaint(error)}\n")
    # standard output is for the page, if that goes there
    stream = sys.stderr if options.output == _STDOUT else sys.stdout
    for file in _forms_of(options).values():
        size = Path(file).stat().st_size
        shown = f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.1f} kB"
        print(f"Wrote {file}, {shown}", file=stream)
    return 0


def page_beside(run: str) -> str:
    """A page beside a run, called as the run's system is.

    Example:
        >>> page_beside("runs/new.run.gz"), page_beside("runs/old/*.parquet"), page_beside("new/")
        ('runs/new-report.html', 'runs/old-report.html', 'new-report.html')
        >>> page_beside("/dev/stdin")
        'stdin-report.html'
    """
    place = place_of(run)
    page = place.with_name(f"{place.name}-report.html")
    return page.name if _is_open(str(place)) else str(page)


def _forms_of(options: argparse.Namespace) -> dict[str, str]:
    """The files to write, by what is written; the page may go to standard output instead."""
    page = {} if options.output == _STDOUT else {"html": options.output}
    others = {form: getattr(options, form) for form in _FORMS}
    return page | {form: file for form, file in others.items() if file is not None}


def _check_targets(forms: Mapping[str, str], sources: Sequence[str]) -> None:
    """Refuse at once what is plainly no place for what is to be written."""
    from byhand.files.paths import matched
    from byhand.files.writing import place_for, refuse_source

    for form, file in forms.items():
        if file == _STDOUT:
            raise DataError(
                f"--{form} must be a file name: only the page can go to standard output."
            )
        target = place_for(file)
        refuse_source(file, [each for source in sources for each in matched(source)])
        if (target.exists() and not target.is_file()) or _is_open(file):
            raise DataError(
                f"{file} is not a regular file, so it cannot be replaced: use another name."
            )


def _is_open(file: str) -> bool:
    """Whether a path names what a process has open, as /dev/stdout does: a pipe, or any file."""
    folder = Path(file).parent.resolve()
    return folder in (Path("/dev"), Path("/dev/fd")) or Path("/proc") in folder.parents


def _make(options: argparse.Namespace, files: InputFiles, names: Sequence[str | None]) -> None:
    """Write the report, whole, in each form that was asked for."""
    asked = ("measures", "conventions", "relevant_from", "matters", "reported", "duplicates")
    page, forms = None, _forms_of(options)
    with warnings.catch_warnings(action="ignore"):  # of libraries; the report says its own
        made = report(
            files.runs,
            files.qrels,
            names=names,
            run_columns=files.run_columns,
            qrels_columns=files.qrels_columns,
            memory=options.memory,
            language=options.language,
            **{name: getattr(options, name) for name in asked},
            **files.texts,
        )
        if options.output == _STDOUT:
            page = made.html()
        if forms:
            made.save(**forms)
    if page is not None and sys.stdout.isatty():  # through what lets no name steer a terminal
        sys.stdout.write(page)
    elif page is not None:
        try:
            sys.stdout.buffer.write(page.encode())
            sys.stdout.flush()
        except OSError as error:
            raise OSError(error.errno, error.strerror, "standard output") from None
