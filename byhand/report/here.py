"""The report from within lesson 10: its page, written by the Python that the lesson runs in.

`ranking-report` starts a Python for it. A browser's Python cannot start another one, and has
neither nbclient nor nbformat.
"""

import ast
import base64
import json
from collections.abc import Mapping
from dataclasses import fields
from os import PathLike
from os.path import basename
from pathlib import Path

from IPython import get_ipython
from IPython.utils.capture import RichOutput, capture_output

from byhand.files.writing import refuse_source, replacing
from byhand.report.data_page import INJECTED, LESSON, Request, assignments, report_html
from byhand.report.steps.inputs import against_of
from byhand.report.steps.told import told
from helpers.cells import tags_of


class _Node(dict):
    """A piece of a notebook, its keys also as attributes."""

    __getattr__ = dict.__getitem__


@told
def write_page(names: Mapping[str, object], report: str | PathLike[str] | None) -> None:
    """Write the page that `ranking-report` writes, from within a notebook.

    The cells of lesson 10 as it is shipped are run once more, with names of their own.

    Args:
        names: what the names in the lesson's parameters cell stand for; others are left alone.
        report: the HTML file to write; one that exists is replaced. None writes nothing.

    Raises:
        DataError: what is wrong with the data.
        RuntimeError: this is no notebook.

    Example:
        >>> write_page({}, None)
    """
    if report is None:
        return
    refuse_source(report, map(names.get, ("run", "qrels", "against", "queries", "docs", "groups")))
    if get_ipython() is None:
        raise RuntimeError("There is no notebook here. In a terminal, ranking-report writes it.")
    parameters = {field.name: names[field.name] for field in fields(Request)}
    request = _request(**parameters)
    notebook = _lesson()
    for cell in notebook.cells:
        if "parameters" in tags_of(cell):
            cell["source"] = assignments(request.parameters(basename))
            cell["metadata"] = _Node(tags=[INJECTED])
        elif cell.cell_type == "code":
            cell["outputs"] = _outputs(cell.source, parameters)
    with replacing(Path(report)) as new:
        new.write_text(report_html(notebook, request), encoding="utf-8", newline="\n")


def _request(*, against: object, names: object, **others: object) -> Request:
    return Request(
        against=tuple(against_of(against)),
        names=None if names is None else tuple(names),
        **others,
    )


def _lesson() -> _Node:
    """The lesson's cells that are in its page, with nothing run."""
    notebook = json.loads(LESSON.read_text(encoding="utf-8"), object_hook=_Node)
    apart = {"lab-only", "not-in-page"}
    notebook["cells"] = [cell for cell in notebook.cells if apart.isdisjoint(tags_of(cell))]
    for cell in notebook.cells:
        cell["source"] = "".join(cell.source)
        if cell.cell_type == "code":
            cell["outputs"] = []
    return notebook


def _outputs(source: str, names: dict[str, object]) -> list[_Node]:
    """What a cell displays when it is run with these names."""
    with capture_output() as caught:
        for statement in ast.parse(source).body:
            exec(compile(ast.Interactive([statement]), LESSON.name, "single"), names)
    return [_output(shown) for shown in caught.outputs]


def _output(shown: RichOutput) -> _Node:
    data = {
        kind: base64.b64encode(each).decode() if isinstance(each, bytes) else each
        for kind, each in shown.data.items()
    }
    return _Node(output_type="display_data", data=data, metadata=shown.metadata or {})
