"""The report on a user's data: lesson 10, run on it, as one HTML file."""

import datetime
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from os import path
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from nbformat import NotebookNode

from helpers.errors import both
from helpers.figures.tables import name_html
from helpers.files.memory import MEMORY
from helpers.lessons.writing import replacing
from helpers.report.cells import Options, body_html, summary_html
from helpers.report.markdown import Markdown
from helpers.report.page import Page
from helpers.report.running import LESSON, rewrite_parameters, run_lesson
from helpers.report.system_names import system_names

_OPTIONS = Options(
    code_open=False,
    left_out=frozenset({"not-in-page", "parameters", "summary"}),
    streams=False,
    empty_sections=False,
)


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a report is to be made of, and how.

    Attributes:
        run: what the system ranked.
        qrels: what is relevant; None if the run's file says so.
        against: what other systems ranked.
        names: what to call the systems; None calls one as its file is called.
        all_pairs: whether each system is compared with each, and not only the first with each.
        measures: names in ir_measures' notation; the first one sorts the queries.
        conventions: the name of a preset.
        relevant_from: the lowest grade that is relevant; None for any above 0.
        run_columns: the runs' names for our columns, or None.
        qrels_columns: the same for the qrels.
        queries: what the queries say, or None.
        docs: what the items say, or None.
        groups: which groups the queries are in, or None.
        memory: how much memory there is; what needs more is scanned.
    """

    run: str
    qrels: str | None = None
    against: tuple[str, ...] = ()
    names: tuple[str | None, ...] | None = None
    all_pairs: bool = False
    measures: tuple[str, ...] = ("nDCG@10", "AP", "RR")
    conventions: str = "trec_eval -c"
    relevant_from: float | None = None
    run_columns: Mapping[str, str] | None = None
    qrels_columns: Mapping[str, str] | None = None
    queries: str | None = None
    docs: str | None = None
    groups: str | None = None
    memory: str = MEMORY

    @property
    def systems(self) -> list[str]:
        """What the systems are called throughout the report."""
        return system_names([self.run, *self.against], self.names)

    def title(self, written: Callable[[str], str] = str) -> str:
        """Which systems the report is about, and which of them it is against."""
        first, *others = map(written, self.systems)
        about = [both([first, *others])] if self.all_pairs else [first, both(others)]
        return f"Ranking report: {' against '.join(filter(None, about))}"

    def parameters(self, place: Callable[[str], str]) -> dict[str, object]:
        """The names in the notebook's parameters cell, with what `place` makes of the paths."""
        return {
            "run": place(self.run),
            "qrels": None if self.qrels is None else place(self.qrels),
            "against": [place(file) for file in self.against] or None,
            "names": self.systems,
            "all_pairs": self.all_pairs,
            "measures": list(self.measures),
            "conventions": self.conventions,
            "relevant_from": self.relevant_from,
            "run_columns": dict(self.run_columns or {}) or None,
            "qrels_columns": dict(self.qrels_columns or {}) or None,
            "queries": None if self.queries is None else place(self.queries),
            "docs": None if self.docs is None else place(self.docs),
            "groups": None if self.groups is None else place(self.groups),
            "memory": self.memory,
        }


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


def report_html(notebook: NotebookNode, request: Request) -> str:
    """The page of a notebook that was run on this request."""
    markdown = Markdown(LESSON.parent)
    body = body_html(notebook, markdown, _OPTIONS)
    today = datetime.date.today()
    head = (
        f"<h1>{request.title(name_html)}</h1>\n"
        f"<p>{today.day} {today:%B %Y}</p>\n"
        f"{summary_html(notebook, _OPTIONS)}"
    )
    foot = (
        "Made with Ranking Metrics by Hand. This file asks no other host for anything. "
        "The code behind each part is under “Code”."
    )
    shown = [heading for heading in markdown.headings if f'id="{heading.anchor}"' in body]
    return Page(
        title=request.title(),
        head=head,
        body=body,
        headings=shown,
        foot=f"<p>{foot}</p>",
    ).html()
