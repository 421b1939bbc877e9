"""`ranking-report`: two files in, one HTML file out that can be handed over.

Whatever takes long to import is imported once the options are known to be right.
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from byhand.errors import DataError
from byhand.report.options import parser
from byhand.report.sources import check_sources, complaint, pipes_saved
from byhand.report.targets import STDOUT, check_targets, page_beside, saved_of, written_by


def main(arguments: list[str] | None = None) -> int:
    """Make a report.

    Returns:
        0; whatever goes wrong leaves with exit status 2.
    """
    made = parser()
    options = made.parse_args(arguments)
    if options.all_pairs and not options.against:
        made.error("argument --all-pairs: there is one system; name others with --against")
    if (odd := "".join(options.command)) != odd.encode(errors="ignore").decode():
        made.error("a name is not UTF-8, and a page holds nothing else: rename it, or name a link")
    runs = [options.run, *options.against]
    options.names = [system.name for system in runs]
    options.run, *options.against = (system.file for system in runs)
    options.typed = {}  # what a file was called whose content was saved in another
    try:
        options.output = options.output or page_beside(options.run)
        check_targets(options)
        with pipes_saved(options):
            check_sources(options)
            _make(options)
    except (DataError, OSError, MemoryError, RuntimeError, ImportError) as error:
        made.exit(2, f"{made.prog}: {complaint(error, options)}\n")
    if not options.quiet:
        # standard output is for the page, if that goes there
        stream = sys.stderr if options.output == STDOUT else sys.stdout
        for line in written_by(options):
            print(line, file=stream)
    return 0


def _make(options: argparse.Namespace) -> None:
    from byhand.report.data_report import Request, write_report
    from byhand.report.running import Bar

    request = Request(
        run=options.run,
        qrels=options.qrels,
        against=tuple(options.against),
        names=tuple(options.names),
        all_pairs=options.all_pairs,
        measures=tuple(options.measures),
        conventions=options.conventions,
        relevant_from=options.relevant_from,
        matters=options.matters,
        run_columns=dict(options.run_columns),
        qrels_columns=dict(options.qrels_columns),
        queries=options.queries,
        docs=options.docs,
        groups=options.groups,
        memory=options.memory,
    )
    bar = Bar(shown=not options.quiet)
    bar(0, 1)
    with TemporaryDirectory() as folder:
        page = Path(folder, "page") if options.output == STDOUT else Path(options.output)
        try:
            write_report(request, page, save=saved_of(options), done=bar, told=bar.told)
        finally:
            bar.end()
        if options.output == STDOUT:
            if sys.stdout.isatty():  # through what lets no name steer a terminal
                sys.stdout.write(page.read_text(encoding="utf-8"))
            else:
                sys.stdout.buffer.write(page.read_bytes())
                sys.stdout.flush()
