"""What a report is written to: its page, every number, a table for a paper, the figures."""

import json
import platform
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import is_dataclass
from functools import cache
from importlib.metadata import version
from itertools import product
from os import PathLike, fspath
from pathlib import Path
from string import ascii_lowercase
from typing import Protocol

import numpy as np
import pandas as pd
from jinja2 import Template

from byhand.errors import DataError, one_line, shown
from byhand.files.writing import refuse_source, replacing
from byhand.reports.claims import Claims
from byhand.reports.comparison_rows import HIGHER
from byhand.reports.figure_files import figures_of
from byhand.reports.number_text import made_with, number
from byhand.reports.options import FilePath
from byhand.reports.other_choices import Alternative, OtherChoices
from byhand.reports.pool import Pool
from byhand.reports.rendering import templates
from byhand.reports.results import Results
from byhand.statistics import CONFIDENCE, Size, Verdict
from byhand.words import ENGLISH, gettext as _, language, listed, speaking

_ENDINGS = {".html": "html", ".htm": "html", ".csv": "csv", ".json": "json", ".tex": "latex"}
_SAY = (
    "Name a file that ends in .html, .csv, .json or .tex, or for figures a folder, such as figures/"
)
_LIBRARIES = ("numpy", "pandas", "scipy", "pyarrow")
_ESCAPED = {each: rf"\{each}" for each in "&%$#_{}"}
_ESCAPED |= {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_ESCAPED |= {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "−": "$-$"}
_ESCAPED |= {'"': r"\char34{}", "`": r"\textasciigrave{}", "≤": r"$\leq$", "[": "{[}"}
_ESCAPED |= {"]": "{]}", "*": "{*}"}  # else the end of a line before takes them for its own


class Exported(Protocol):
    """What a report is asked for when it is written."""

    results: Results
    others: OtherChoices
    pool: Pool
    claims: Claims
    html: Callable[..., str]
    phrase: Callable[..., str]
    sentences: Callable[..., list[str]]


def write_forms(
    report: Exported,
    paths: Sequence[FilePath],
    forms: Mapping[str, FilePath | None],
    done: Callable[[int, int], None],
) -> list[Path]:
    """Write a report in each form, whole or not at all; what is read stays."""
    makers = {"html": lambda each: each.html(done), "csv": csv_text, "json": json_text}
    makers["latex"] = latex_text
    wanted = _wanted(paths, forms, [*makers, "figures"])
    sources = [file.path for each in report.results.inputs.sources.values() for file in each]
    for each in wanted:
        refuse_source(each[1], sources)
    with ExitStack() as files:  # nothing is replaced until all is well
        new = {}
        for form, path in wanted:
            if form != "figures":
                with _about(path):
                    new[path] = files.enter_context(replacing(path))
        for form, path in wanted:
            if form == "figures":
                drawn = figures_of(report.results)
                with _about(path):
                    path.mkdir(parents=True, exist_ok=True)
                    for name, figure in drawn.items():
                        files.enter_context(replacing(path / name)).write_bytes(figure)
            else:
                text = makers[form](report)
                with _about(path):
                    new[path].write_text(text, encoding="utf-8", newline="\n")
    return [path for _, path in wanted]


def _wanted(
    paths: Sequence[FilePath], forms: Mapping[str, FilePath | None], known: Sequence[str]
) -> list[tuple[str, Path]]:
    """What is to be written, and where; an error if that cannot be."""
    if not paths and not forms:
        raise DataError(f"There is no path to write to. {_SAY}.")
    for path in (*paths, *forms.values()):
        if path is not None and not (isinstance(path, str | PathLike) and fspath(path)):
            raise DataError(f"{shown(path)} is no path. {_SAY}.")
    wanted = [(_form_of(path), Path(path)) for path in paths]
    wanted += [(form, Path(path)) for form, path in forms.items() if path is not None]
    places = [path.resolve() for _, path in wanted]
    for form, path in wanted:
        if form not in known:
            raise DataError(f"{form!r} is not a form to save. Choose from {', '.join(known)}.")
        if places.count(path.resolve()) > 1:
            raise DataError(f"{path} is named twice: give each form a path of its own.")
        if form != "figures" and path.is_dir():
            raise DataError(f"{path} is a folder: name a file for {form}.")
    return wanted


def _form_of(path: FilePath) -> str:
    """The form that a path asks for by its ending; a folder is for figures."""
    if fspath(path).endswith(("/", "\\")) or Path(path).is_dir():
        return "figures"
    if (ending := Path(path).suffix.lower()) not in _ENDINGS:
        raise DataError(f"{path} does not say what to write. {_SAY}.")
    return _ENDINGS[ending]


@contextmanager
def _about(path: Path) -> Iterator[None]:
    """Let a disk that is full, or a folder that takes nothing, say for what."""
    try:
        yield
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror}.") from None


def csv_text(report: Exported) -> str:
    """The value of each query, and its chance level, as CSV: one row a query and system."""
    results, tables = report.results, []
    columns = [name for measure in results.measures for name in (measure, f"{measure} chance")]
    for name, table in results.tables.items():
        values = table[columns].reset_index()
        values.insert(1, "system", name)
        values.insert(2, "answered", ~table.index.isin(results.missing[name]))
        tables.append(values)
    return pd.concat(tables).to_csv(index=False)


@speaking(ENGLISH)  # programs read it
def json_text(report: Exported) -> str:
    """Every number of the page, what is said of them, and what they rest on, as JSON."""
    results, data = report.results, report.results.inputs
    told = {
        "made_with": made_with(),
        "versions": {"python": platform.python_version()}
        | {library: version(library) for library in _LIBRARIES},
        "files": {
            what: [{"file": file.path.name, "sha256": file.sha256} for file in files]
            for what, files in data.sources.items()
        },
        "systems": list(results.tables),
        "measures": results.measures,
        "preset": data.conventions if isinstance(data.conventions, str) else None,
        "conventions": {name: results.chosen(name) for name in results.measures},
        "relevant_from": data.relevant_from,
        "matters": results.matters,
        "reported": None,
        "summary": report.sentences("summary", ENGLISH),
        "methods": report.sentences("methods", ENGLISH),
        "data": {
            name: {"counts": vars(checked.counts), "notes": checked.notes}
            for name, checked in data.checked.items()
        },
        "means": results.means,
        "cutoffs": {name: table.mean() for name, table in results.cutoffs.items()},
        "orders_of_equal_scores": {
            order: _outcome(results, found) for order, found in report.others.orders.items()
        },
        "other_choices": {
            choice: _outcome(results, found)
            for choice, found in report.others.by_choice.items()
            if not choice.startswith("ties ")
        },
        "unjudged_items": report.pool.means if results.of_unjudged else None,
        "queries": {
            name: table.assign(answered=~table.index.isin(results.missing[name]))
            for name, table in results.tables.items()
        },
    }
    if (explained := results.explained) is not None:
        told["reported"] = {"means": results.reported, "explanations": explained}
        told["reported"]["says"] = explained.attrs["says"]
    if (groups := results.groups) is not None:
        measure, compared = results.measures[0], groups.comparison
        if compared is not None:
            compared = compared.rename(columns={"measure": "group"})
        values = pd.DataFrame({name: table[measure] for name, table in results.tables.items()})
        means = {
            name: {"queries": len(queries), "means": values.loc[queries].mean()}
            for name, queries in groups.queries.items()
        }
        told["groups"] = {"measure": measure, "means": means, "comparison": compared}
    if results.comparison is not None:
        told["comparison"] = results.comparison
        told["test"] = results.comparison.attrs
        for what, of in (
            ("ties", report.others.tie_dependent),
            ("judgements", report.pool.dependent),
        ):
            told[f"verdicts_that_depend_on_{what}"] = of[["measure", "a", "b"]]
        overlaps = [
            {"a": a, "b": b, "k": results.top, "queries": shared}
            for (a, b), shared in results.overlaps.items()
        ]
        told["overlap"] = None if data.scanned else overlaps
    return json.dumps(_plain(told), indent=1)


def _outcome(results: Results, found: Alternative) -> dict[str, object]:
    means = {name: table[results.measures].mean() for name, table in found.tables.items()}
    return {"means": means, "comparison": found.comparison}


def _plain(value: object) -> object:
    """A value as JSON knows it: a table is a list of rows, or its rows by query."""
    if isinstance(value, pd.DataFrame):
        rows = [_plain(row) for row in value.to_dict("records")]
        named = value.index.name is not None
        return dict(zip(map(str, value.index), rows, strict=True)) if named else rows
    value = vars(value) if is_dataclass(value) else value
    if isinstance(value, pd.Series | Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, np.ndarray | list | tuple | pd.Index):
        return [_plain(each) for each in value]
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float):
        return value if np.isfinite(value) else (None if np.isnan(value) else str(value))
    return value if isinstance(value, bool | int | str | None) else str(value)


def latex_text(report: Exported) -> str:
    """A table of the means: a system a row, a measure a column, its interval below each mean.

    A mean has the letters of the systems that it is higher than. The rules are those of booktabs,
    or plain lines in a document that does without. Its words are in the language that is spoken;
    its numbers are written as in papers.
    """
    results = report.results
    compared, counts = results.comparison is not None, sorted({*results.means["queries"]})
    letters = [*ascii_lowercase, *map("".join, product(ascii_lowercase, repeat=2))]
    return latex_template(language()).render(
        r=results,
        report=report,
        made_with=made_with(),
        counts="--".join(f"{count:,}" for count in dict.fromkeys([counts[0], counts[-1]])),
        level=f"{CONFIDENCE * 100:g}",
        alpha=f"{1 - CONFIDENCE:.2g}",
        letters=dict(zip(results.tables, letters, strict=False)) if compared else {},
        pairs=[_("{a} with {b}").format(a=_tex(a), b=_tex(b)) for a, b in results.pairs],
        rows=[
            row
            | {"named": _tex(report.phrase("named", row)), "size": report.claims.size(row)}
            | {"judged": report.pool.decides(row)}
            for row in results.rows
        ],
        V=Verdict,
        SIZE=Size,
        HIGHER=HIGHER,
    )


@cache
def latex_template(language: str) -> Template:
    """The template of the table, with words in a language."""
    environment = templates(language).overlay(
        autoescape=False,  # LaTeX; every name passes through `tex`
        keep_trailing_newline=True,
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
        comment_start_string="<#",
        comment_end_string="#>",
    )
    own = {"tex": _tex, "both": listed, "oneline": one_line, "number": number}
    environment.filters = environment.filters | own
    return environment.get_template("means.tex.j2")


def _tex(text: str) -> str:
    """A text with nothing in it that LaTeX takes for a command.

    Example:
        >>> print(_tex("bm25_v2 & 50%"))
        bm25\\_v2 \\& 50\\%
    """
    known = (" " if unicodedata.category(each).startswith("C") else each for each in text)
    return "".join(_ESCAPED.get(each, each) for each in known)
