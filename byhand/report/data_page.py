"""The page on a user's data: what it is asked for, and how it is made of a lesson that was run."""

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from byhand.errors import both
from byhand.figures import name_html
from byhand.metrics.names import measures_named
from byhand.parallel import MEMORY
from byhand.report.page import Page
from byhand.reports.request import system_names
from helpers.cells import Options, body_html, summary_html, tags_of
from helpers.markdown import Markdown
from helpers.places import NOTEBOOKS

if TYPE_CHECKING:  # a browser's Python has none
    from nbformat import NotebookNode

LESSON = NOTEBOOKS / "10-your-own-data.ipynb"
INJECTED = "injected-parameters"
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
        measures: names in ir_measures' notation, or just one; the first one sorts the queries.
        conventions: the name of a preset.
        relevant_from: the lowest grade that is relevant; None for any above 0.
        matters: the smallest difference that would matter; None if nobody said.
        run_columns: the runs' names for our columns, for all or for each by its path, or None.
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
    measures: str | Sequence[str] = ("nDCG@10", "AP", "RR")
    conventions: str = "trec_eval -c"
    relevant_from: float | None = None
    matters: float | None = None
    run_columns: Mapping[object, object] | None = None
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
            "measures": [*measures_named(self.measures)],
            "conventions": self.conventions,
            "relevant_from": self.relevant_from,
            "matters": self.matters,
            "run_columns": {
                place(name) if isinstance(ours, Mapping) else name: ours
                for name, ours in (self.run_columns or {}).items()
            }
            or None,
            "qrels_columns": dict(self.qrels_columns or {}) or None,
            "queries": None if self.queries is None else place(self.queries),
            "docs": None if self.docs is None else place(self.docs),
            "groups": None if self.groups is None else place(self.groups),
            "memory": self.memory,
        }


def assignments(parameters: Mapping[str, object]) -> str:
    """The code that gives parameters their values.

    Example:
        >>> assignments({"run": "a.csv", "qrels": None})
        "run = 'a.csv'\\nqrels = None"
    """
    return "\n".join(f"{name} = {value!r}" for name, value in parameters.items())


def _with_the_first_code(notebook: "NotebookNode") -> None:
    """Let the parameters stand in the first section that has code, and not before its heading."""
    injected = next(cell for cell in notebook.cells if INJECTED in tags_of(cell))
    rest = notebook.cells[notebook.cells.index(injected) + 1 :]
    code = next((cell for cell in rest if cell.cell_type == "code"), None)
    if code is not None:
        code["source"] = f"{injected['source']}\n\n{code['source']}"
        notebook.cells.remove(injected)


def report_html(notebook: "NotebookNode", request: Request) -> str:
    """The page of a notebook that was run on this request."""
    markdown = Markdown(LESSON.parent)
    _with_the_first_code(notebook)
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
