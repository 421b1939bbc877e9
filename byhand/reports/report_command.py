"""`ranking-report`: two files in, one page out that can be handed over; and `report`, its Python.

Whatever takes long to import is imported once the options are known to be right.
"""

import argparse
import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr
from os.path import dirname, isdir
from typing import TYPE_CHECKING

from byhand.duplicates import Duplicates
from byhand.errors import DataError
from byhand.metrics.conventions import Conventions
from byhand.reports.input_files import InputFiles
from byhand.reports.options import OPTIONS, FilePath, Parser, option_names
from byhand.reports.output_files import STDOUT, check_targets, page_beside, written_by

if TYPE_CHECKING:
    from byhand.reports.report import Report

_DESCRIPTION = """\
Evaluate a ranked run, and write a report on it: one HTML file that needs nothing else.

Runs and qrels are TREC files, CSV, TSV, JSON Lines, Parquet, or nested JSON as of ranx and BEIR,
gzipped or not: a file, a folder of them, or a glob in quotes. Without --qrels the file of the run
has to hold the relevance of its items as well; of several runs, what each says counts for all.
"""
_EXAMPLE = "ranking-report new.run --qrels qrels.csv --against old.run -o report.html"


class ReportError(DataError):
    """What is wrong with the data of a report; a notebook shows it without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def report(
    runs: object,
    qrels: object = None,
    *,
    names: Sequence[str | None] | None = None,
    measures: object = OPTIONS["measures"].default,
    conventions: str | Conventions = OPTIONS["conventions"].default,
    relevant_from: float | None = None,
    all_pairs: bool = False,
    matters: float | None = None,
    correct: str = OPTIONS["correct"].default,
    reported: Mapping[str, str] | Sequence[tuple[str, str]] = (),
    judged_by: str | None = None,
    short: bool = False,
    run_columns: Mapping[object, object] | None = None,
    qrels_columns: Mapping[object, object] | None = None,
    duplicates: Duplicates | None = None,
    queries: object = None,
    docs: object = None,
    groups: object = None,
    clusters: object = None,
    memory: str = OPTIONS["memory"].default,
    path: FilePath | None = None,
    language: str | None = None,
) -> "Report":
    """All that can be said of one system, or of several on the same queries, as one document.

    Args:
        runs: what a system ranked: a file, a folder, a glob, or anything that `evaluate` takes.
            Of several systems a list, or by name: `{"new": run, "old": "old.run"}`. The first is
            the one in question.
        qrels: what is relevant, as one of these; None if the first run says so itself; of
            several runs, what each says of its items counts for all.
        names: what to call the systems of a list; None, for all or one, as their files are called.
        run_columns: the runs' names for our columns: `{"Edge": "doc_id"}`; where the runs differ,
            those of each, by its file or name: `{"old.csv": {"Item": "doc_id"}}`.
        qrels_columns: the same for the qrels; `{"relevance": 1}` where every row is a hit.
        path: a file to write the page to; one that exists is replaced.
        language: of the words, such as `"pt"`; None for that of the process (`use_language`).
        measures: names in ir_measures' notation; the first one sorts the queries.
        conventions: one of trec_eval -c, trec_eval, trec_eval 10, pytrec_eval, ir_measures,
            sklearn, ranx, torchmetrics, recommenders, xgboost, lightgbm, catboost, llama_index,
            haystack, lenskit, mlflow, trulens, phoenix, ragas, deepeval, mteb, spark, recommenders
            spark, or 'trec_eval -c -l', which leaves grades below the lowest relevant one their
            gain in nDCG.
        relevant_from: the lowest relevant grade.
        duplicates: which row of a run to keep if an item is repeated in a query: the first, or the
            best, with the highest score.
        all_pairs: compare every pair of systems.
        matters: the smallest difference that matters, such as 0.02, chosen beforehand.
        correct: the comparisons over which Holm's procedure corrects p: its own for the first
            measure and all for the others (primary); all; those of each measure; or none.
        reported: published means of RUN: the report finds the conventions or mistakes that give
            them.
        judged_by: who judged, and how deep, for the methods paragraph.
        short: a page that stops after what moved.
        memory: how much memory the tables may take; larger tables stay on disk.
        queries: texts of the queries: query_id and text.
        docs: texts of the items: doc_id and text, optionally title and url.
        groups: groups of queries: query_id and group.
        clusters: clusters of dependent queries, such as variants of a topic: query_id and cluster.

    Queries, docs, groups and clusters are a file, a frame or any other table, or a dict by id,
    such as `{"q1": "en", "q2": "ko"}` for groups.

    Raises:
        DataError: data or an option that cannot be used, and why.

    Example:
        >>> runs = {"new": {"q": {"d1": 0.9, "d2": 0.5}}, "old": {"q": {"d1": 0.3, "d2": 0.5}}}
        >>> report(runs, {"q": {"d1": 1}}, measures="RR").title
        'Ranking report: new against old'
    """
    given = locals()
    for name in option_names("shared", "result"):
        if "nargs" not in OPTIONS[name].typed:
            OPTIONS[name].refuse(given[name])
    from byhand.reports.inputs import inputs_of
    from byhand.reports.report import Report
    from byhand.reports.results import Results

    asked = {name: given[name] for name in option_names("shared", "text") if name != "language"}
    with _in_arguments():
        data = inputs_of(runs, qrels, names=names, measures=measures, **asked)
        wanted = {name: given[name] for name in option_names("result")}
        wanted["reported"] = dict(reported)
        made = Report(Results(data, **wanted), language, short=short)
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


def main(arguments: list[str] | None = None) -> int:
    """Make a report.

    Returns:
        0; whatever goes wrong leaves with exit status 2.
    """
    made = Parser("ranking-report", "RUN --qrels QRELS", _DESCRIPTION, _EXAMPLE)
    for option in OPTIONS.values():
        option.add_to(made.groups[option.group])
    options = made.parse_args(arguments)
    if options.all_pairs and not options.against:
        made.error("argument --all-pairs: there is one system; add others with --against")
    if (odd := "".join(arguments or sys.argv[1:])) != odd.encode(errors="ignore").decode():
        made.error("a name is not UTF-8, as a page must be: rename the file, or link to it")
    files = InputFiles(options)
    try:
        if not options.output:
            options.output = page_beside(options.run.file)
            if not isdir(dirname(options.output) or "."):  # so there is no run either
                files.check()
        check_targets(options, files.files)
        with files.readable():
            files.check()
            _make(options, files)
    except (DataError, OSError, MemoryError, RuntimeError, ImportError) as error:
        made.exit(2, f"{made.prog}: {files.complaint(error)}\n")
    # standard output is for the page, if that goes there
    stream = sys.stderr if options.output == STDOUT else sys.stdout
    for line in () if options.quiet else written_by(options):
        print(line, file=stream)
    return 0


def _make(options: argparse.Namespace, files: InputFiles) -> None:
    """Write the report, whole, in each form that was asked for."""
    asked = {name: getattr(options, name) for name in option_names("shared", "result")}
    asked |= {"run_columns": files.run_columns, "qrels_columns": files.qrels_columns}
    forms = {form: getattr(options, form) for form in option_names("form")}
    page = None
    with Bar(shown=not options.quiet) as bar, redirect_stderr(bar):
        bar(0, 1)
        made = report(
            files.runs,
            files.qrels,
            names=files.names,
            measures=options.measures,
            short=options.short,
            **asked,
            **files.texts,
        )
        if options.output == STDOUT:
            page = made.html(bar)
        else:
            forms = {"html": options.output} | forms
        made.save(done=bar, **forms)
    if page is not None and sys.stdout.isatty():  # through what lets no name steer a terminal
        sys.stdout.write(page)
    elif page is not None:
        try:
            sys.stdout.buffer.write(page.encode())
            sys.stdout.flush()
        except OSError as error:
            raise OSError(error.errno, error.strerror, "standard output") from None


class Bar(io.TextIOBase):
    """How far a report is, as a line of the terminal that overwrites itself.

    In place of the standard error it takes what readers say of their progress into that line, and
    what libraries warn of nowhere.
    """

    _WIDTH = 24

    def __init__(self, *, shown: bool = True) -> None:
        self._stream, self._steps, self._last = sys.stderr, "", ""
        self._shown = shown and self._stream.isatty()

    def __call__(self, done: int, total: int) -> None:
        """Show that so many of all steps have been taken."""
        full = self._WIDTH * done // max(total, 1)
        self._steps = f"[{'#' * full}{'.' * (self._WIDTH - full)}] {done} of {total} steps"
        self._print(self._steps)

    def isatty(self) -> bool:
        """Whether readers may overwrite what they said."""
        return True

    def write(self, text: str) -> int:
        """Show what a reader says of its progress."""
        last = text.strip().rpartition("\r")[2]
        if last.startswith("Reading "):
            self._print(f"{self._steps}. {last}")
        return len(text)

    def __exit__(self, *_: object) -> None:
        self._print("")  # clears the line

    def _print(self, text: str) -> None:
        if self._shown:
            for line in (" " * len(self._last), text):
                print(f"\r{line}", end="", file=self._stream, flush=True)
            self._last = text
