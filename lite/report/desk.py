"""The Python calls of the report page: look at a file, make a report, explain a number.

The files are in the current folder under their own names, so that messages contain these names.
Input and output are JSON. All decisions are those of the library.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from math import isnan

from byhand import report, use_language
from byhand.errors import DataError, one_line
from byhand.files import texts
from byhand.files.forms import Form, form_of
from byhand.files.lines import batches_of
from byhand.naming import JUDGED_RUN, NAME, QRELS, RUN, number_of
from byhand.reports.exports import csv_text, json_text
from byhand.reports.input_files import with_preset
from byhand.reports.options import MEASURES, refuse

_TABLES = {"both": JUDGED_RUN, "run": RUN, "qrels": QRELS}
_TEXTS = {"queries": texts.QUERIES, "docs": texts.DOCS}
_TEXTS |= {"groups": texts.GROUPS, "clusters": texts.CLUSTERS}
_KINDS = {**_TABLES, **_TEXTS}
_ROWS = 3  # rows to show
_FEW = 1000  # rows to distinguish a run from qrels if no column name does
_FIELD = re.compile(r"\b(conventions|duplicates|measures|relevant_from)=")
Done = Callable[[int, int, str], None]  # step, number of steps, and current section
_GRADES = 20  # at most so many different whole numbers are grades, not scores


def answer(call: str, asked: str, done: Done) -> str:
    """Return the result of a call as JSON, or the error and its file."""
    given = json.loads(asked)
    use_language(given.pop("speaks"))
    try:
        found = _CALLS[call](given, done)
        return json.dumps(found if "wrong" in found else {"found": found})
    except DataError as error:
        return json.dumps(_about(error))
    except ValueError as error:  # an option
        return json.dumps({"wrong": one_line(str(error))})
    except MemoryError:
        return json.dumps({"lacks": "memory"})


def _error_text(error: DataError) -> dict[str, object]:
    """Return the message, and the fields of the page for the options in it."""
    said, after = one_line(with_preset(str(error))), f"{error.option}: "
    if said.startswith(after):  # it is now a sentence of its own
        said = re.sub(r"^[a-z]+ ", lambda word: word[0].capitalize(), said.removeprefix(after))
    options = [error.option] if error.option else _FIELD.findall(said)
    return {"wrong": said, "options": options}


def _about(error: DataError) -> dict[str, object]:
    ways = [{str(k): v for k, v in way.items()} for way in error.ways]
    ways = [way for way in ways if not any(name.startswith(NAME) for name in way)]
    return {**_error_text(error), "file": error.file, "table": error.table, "ways": ways}


# ---- one file ----------------------------------------------------------------------------------


def look(asked: Mapping[str, object], _: object) -> dict[str, object]:
    """Return the kind that a file is read as, and its first rows or its error."""
    name, kind, columns = asked["file"], asked["kind"], _columns(asked["columns"])
    could = {}
    for each in _KINDS:
        with suppress(DataError):
            could[each] = _looked_at(name, each, columns)
    taken = kind or _likely(name, could)
    try:
        source = could.get(taken) or _looked_at(name, taken, columns)
    except DataError as error:
        return {"kind": taken, **_about(error)}
    ours = [*source.columns.positions]
    rows = [[*map(_text, row)] for row in islice(_rows(source), _ROWS)]
    theirs = [str(source.columns.theirs.get(each, "")) for each in ours]
    return {"kind": taken, "format": source.kind, "ours": ours, "theirs": theirs, "rows": rows}


def _looked_at(name: str, kind: str, columns: Mapping[object, object]) -> Form:
    if kind in _TEXTS:
        return form_of(name, _TEXTS[kind])
    return form_of(name, _TABLES[kind], columns)


def _columns(given: Mapping[str, object] | None) -> dict[object, object]:
    """Return the names or the positions of columns; in JSON, both are text."""
    return {int(k) if k.isdecimal() else k: value for k, value in (given or {}).items()}


def _likely(name: str, could: Mapping[str, Form]) -> str:
    """Return the most likely kind of a file; a run, with its error, if no kind fits."""
    tables = [each for each in _TABLES if each in could]
    if tables:
        if tables[0] != "both" and len(tables) > 1:
            return "qrels" if _grades(could["qrels"]) else "run"
        return tables[0]
    words = [each for each in _TEXTS if each in could]
    if words and _numbers(could[words[0]]):  # a table with unknown columns
        return "run"
    named = [each for each in words if each.removesuffix("s").removesuffix("ie") in name.casefold()]
    if named:
        return named[0]
    if "docs" in words and {"title", "url"} & could["docs"].columns.positions.keys():
        return "docs"
    of_groups = [each for each in words if each in ("groups", "clusters")]
    if {"groups", "clusters"} <= could.keys():  # by the name of its column
        called = str(could["clusters"].columns.theirs.get("cluster", "")).casefold()
        of_groups = ["clusters" if called.startswith("cluster") else "groups"]
    if of_groups and not _sentences(could[of_groups[0]]):
        return of_groups[0]
    return words[0] if words else "run"


def _rows(source: Form) -> Iterator[tuple[object, ...]]:
    for batch in batches_of(source, few=True):
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _text(value: object) -> str:
    return "" if value is None else str(value)[:200]


def _grades(source: Form) -> bool:
    """Return whether these are grades: few different numbers, all of them whole."""
    place, found = [*source.columns.positions].index("relevance"), set()
    try:
        found = {_text(row[place]) for row in islice(_rows(source), _FEW)}
    except DataError:  # some formats raise an error of their own
        return False
    return len(found) <= _GRADES and all(each.lstrip("-").isdecimal() for each in found)


def _numbers(source: Form) -> bool:
    """Return whether, below the first row, the last of three or more columns contains numbers."""
    last = [_text(row[-1]) for row in islice(_rows(source), 1, 20) if len(row) > 2]
    return bool(last) and not any(isnan(number_of(each.replace(",", "."))) for each in last)


def _sentences(source: Form) -> bool:
    return any(" " in _text(row[-1]).strip() for row in islice(_rows(source), 20))


# ---- the report --------------------------------------------------------------------------------


def make(asked: Mapping[str, object], done: Done) -> dict[str, str]:
    """Return the report as a page, as CSV and as JSON."""
    for each in _measures(asked["measures"]):
        refuse(measures=each)
    made = report(**_arguments(asked), matters=_number(asked["matters"]))
    done(0, 1, "computing")
    html = made.html(lambda at, of: done(at, of, "writing"))
    return {
        "html": html,
        "csv": csv_text(made.results),
        "json": json_text(made.results, made.sources, made.sentences),
    }


def explain(asked: Mapping[str, object], _: object) -> dict[str, str]:
    """Return the explanations of a reported number of the first run."""
    given = _arguments(asked)
    given |= {"runs": given["runs"][:1], "names": given["names"][:1], "language": None}
    measure = _measures(asked["measure"])[0]
    number = (measure, asked["number"].strip().replace(",", "."))
    found = report(**{**given, "measures": [measure], "reported": [number]})
    return {"html": found.section("reported").html}


def _arguments(asked: Mapping[str, object]) -> dict[str, object]:
    """Return the arguments of `report`."""
    runs, columns = asked["runs"], asked["columns"]
    texts_of = {each: asked["texts"].get(each) for each in _TEXTS}
    qrels = asked["qrels"]
    return {
        "runs": [each["file"] for each in runs],
        "names": [each["name"] or None for each in runs],
        "qrels": qrels,
        "run_columns": _of_each(columns, (each["file"] for each in runs)),
        "qrels_columns": _columns(columns.get(qrels)),
        "measures": _measures(asked["measures"]),
        "conventions": asked["conventions"],
        "relevant_from": _number(asked["relevant_from"]),
        "duplicates": asked["duplicates"] or None,
        "language": asked["language"],
        **texts_of,
    }


def _number(typed: str) -> float | str | None:
    """Read a number with a decimal point or comma; raise an error with the typed text."""
    number = number_of(typed.strip().replace(",", "."))
    return (typed.strip() or None) if isnan(number) else number


def _measures(typed: str) -> list[str]:
    """Split at commas and spaces outside of parentheses; the default for an empty text."""
    found = re.split(r"[\s,]+(?![^()]*\))", typed)
    return [*filter(None, found)] or [*MEASURES]


def _of_each(columns: Mapping[str, object], runs: Iterable[str]) -> dict[str, object]:
    return {run: _columns(columns[run]) for run in runs if columns.get(run)}


_CALLS = {"look": look, "make": make, "explain": explain}
