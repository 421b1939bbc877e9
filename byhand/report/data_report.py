"""The report on a user's data: lesson 10, run on it, as one HTML file."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from os import path
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from byhand.files.writing import replacing
from byhand.report.data_page import Request, report_html
from byhand.report.running import rewrite_parameters, run_lesson


def write_report(
    request: Request,
    output: Path,
    *,
    save: Mapping[str, Path] | None = None,
    done: Callable[[int, int], None] = lambda *_: None,
    told: Callable[[str], None] = lambda _: None,
) -> None:
    """Make a report, and write it when it is complete.

    Args:
        request: what it is to be made of.
        output: the HTML file; one that exists is replaced.
        save: further files by form: "csv" the value of each query, and those of `write_results`.
        done: called with how many steps have been taken, and of how many.
        told: called with what a step says of its progress.

    Raises:
        DataError: what is wrong with the data; then no file changes.
        RuntimeError: anything else that went wrong.
        OSError: a file that cannot be written.
    """
    with ExitStack() as files:
        report = files.enter_context(replacing(output))
        parameters = request.parameters(path.abspath)
        further = dict(save or {})
        figures = further.pop("figures", None)
        if figures is not None:  # laid down elsewhere until all is well
            drawn = files.enter_context(TemporaryDirectory(prefix="ranking-"))
        written = {
            form: str(files.enter_context(replacing(each))) for form, each in further.items()
        }
        parameters["report"] = None  # whatever the lesson names: this is it
        parameters["per_query_csv"] = written.pop("csv", None)
        parameters["save"] = written | ({} if figures is None else {"figures": drawn})
        # what spills there goes whatever happens to the process that computes
        room = files.enter_context(TemporaryDirectory(prefix="ranking-"))
        notebook = run_lesson(parameters, room=room, done=done, told=told)
        # the report goes to others: they need the names of the files, not where they lie
        rewrite_parameters(notebook, request.parameters(path.basename))
        report.write_text(report_html(notebook, request), encoding="utf-8", newline="\n")
        if figures is not None:
            figures.mkdir(exist_ok=True)
            for each in Path(drawn).iterdir():
                copyfile(each, figures / each.name)
