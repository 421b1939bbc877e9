"""`ranking-report`: two files in, one page out that can be handed over.

Whatever takes long to import is imported once the options are known to be right.
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from byhand.errors import DataError
from byhand.reports.request import OPTIONS, Parser
from byhand.reports.sources import STDOUT, Sources, check_targets, page_beside, written_by

_DESCRIPTION = """\
Evaluate a ranked run, and write a report on it: one HTML file that needs nothing else.

Runs and qrels are TREC files, CSV, TSV, JSON Lines, Parquet, or nested JSON as of ranx and BEIR,
gzipped or not: a file, a folder of them, or a glob in quotes. Without --qrels the file of the run
has to hold the relevance of its items as well.
"""
_EXAMPLE = "ranking-report new.run --qrels qrels.csv --against old.run -o report.html"


def main(arguments: list[str] | None = None) -> int:
    """Make a report.

    Returns:
        0; whatever goes wrong leaves with exit status 2.
    """
    made = Parser("ranking-report", _DESCRIPTION, _EXAMPLE)
    for option in OPTIONS.values():
        option.add_to(made)
    options = made.parse_args(arguments)
    if options.all_pairs and not options.against:
        made.error("argument --all-pairs: there is one system; name others with --against")
    if (odd := "".join(options.command)) != odd.encode(errors="ignore").decode():
        made.error("a name is not UTF-8, and a page holds nothing else: rename it, or name a link")
    sources = Sources(options)
    try:
        options.output = options.output or page_beside(options.run.file)
        check_targets(options, sources.files)
        with sources.readable():
            sources.check()
            _make(options, sources)
    except (DataError, OSError, MemoryError, RuntimeError, ImportError) as error:
        made.exit(2, f"{made.prog}: {sources.complaint(error)}\n")
    if not options.quiet:
        # standard output is for the page, if that goes there
        stream = sys.stderr if options.output == STDOUT else sys.stdout
        for line in written_by(options):
            print(line, file=stream)
    return 0


def _make(options: argparse.Namespace, sources: Sources) -> None:
    from byhand.report.data_report import Request, write_report
    from byhand.report.running import Bar

    run, *against = sources.runs
    named = ("all_pairs", "conventions", "relevant_from", "matters", "memory")
    request = Request(
        run=run,
        qrels=sources.qrels,
        against=tuple(against),
        names=tuple(sources.names),
        measures=tuple(options.measures),
        run_columns=sources.run_columns,
        qrels_columns=sources.qrels_columns,
        **{name: getattr(options, name) for name in named},
        **sources.texts,
    )
    forms = ("csv", "json", "latex", "figures")
    save = {form: Path(file) for form in forms if (file := getattr(options, form)) is not None}
    bar = Bar(shown=not options.quiet)
    bar(0, 1)
    with TemporaryDirectory() as folder:
        page = Path(folder, "page") if options.output == STDOUT else Path(options.output)
        try:
            write_report(request, page, save=save, done=bar, told=bar.told)
        finally:
            bar.end()
        if options.output == STDOUT:
            _print(page.read_text(encoding="utf-8"))


def _print(page: str) -> None:
    if sys.stdout.isatty():  # through what lets no name steer a terminal
        sys.stdout.write(page)
    else:
        sys.stdout.buffer.write(page.encode())
        sys.stdout.flush()
