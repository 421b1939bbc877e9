"""What the page asks Python: what a file holds, a report, how a number came out.

Files lie in the current folder under their names, so that all that is said of them has these.
Everything goes in and out as JSON. Nothing here decides anything that the library does not.
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
from byhand.files.lines import tables
from byhand.naming import JUDGED_RUN, NAME, QRELS, RUN, number_of
from byhand.reports.exports import csv_text, json_text
from byhand.reports.input_files import with_preset
from byhand.reports.options import MEASURES, refuse

_TABLES = {"both": JUDGED_RUN, "run": RUN, "qrels": QRELS}
_TEXTS = {"queries": texts.QUERIES, "docs": texts.DOCS}
_TEXTS |= {"groups": texts.GROUPS, "clusters": texts.CLUSTERS}
_KINDS = {**_TABLES, **_TEXTS}
_ROWS = 3  # that are shown
_FEW = 1000  # rows that tell a run from qrels where no name does
_FIELD = re.compile(r"\b(conventions|duplicates|measures|relevant_from)=")
Done = Callable[[int, int, str], None]  # how far it is, of how many, and with what
_GRADES = 20  # so many different numbers, all of them whole, are grades rather than scores


def answer(call: str, asked: str, done: Done) -> str:
    """What the page is told, as JSON: what was asked for, or what is wrong and with which file."""
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


def _said(error: DataError) -> dict[str, object]:
    """The library's sentence, and the fields of the page for the options that it names.

    Its ways to name columns become buttons, too.
    """
    said = one_line(with_preset(str(error))).removeprefix(f"{error.option}: ")
    options = [error.option] if error.option else _FIELD.findall(said)
    return {"wrong": said, "options": options}


def _about(error: DataError) -> dict[str, object]:
    ways = [{str(k): v for k, v in way.items()} for way in error.ways]
    ways = [way for way in ways if not any(name.startswith(NAME) for name in way)]
    return {**_said(error), "file": error.file, "table": error.table, "ways": ways}


# ---- what a file holds -------------------------------------------------------------------------


def look(asked: Mapping[str, object], _: object) -> dict[str, object]:
    """What a file is taken for, and its first rows or what is wrong with it as that."""
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
    """Names of columns, or their places: JSON has text for both."""
    return {int(k) if k.isdecimal() else k: value for k, value in (given or {}).items()}


def _likely(name: str, could: Mapping[str, Form]) -> str:
    """What a file is, of all that it could be; if it could be nothing, a run, which says why."""
    tables = [each for each in _TABLES if each in could]
    if tables:
        if tables[0] != "both" and len(tables) > 1:
            return "qrels" if _grades(could["qrels"]) else "run"
        return tables[0]
    words = [each for each in _TEXTS if each in could]
    if words and _numbers(could[words[0]]):  # a table whose columns nobody knows yet
        return "run"
    named = [each for each in words if each.removesuffix("s").removesuffix("ie") in name.casefold()]
    if named:
        return named[0]
    if "docs" in words and {"title", "url"} & could["docs"].columns.positions.keys():
        return "docs"
    of_groups = [each for each in words if each in ("groups", "clusters")]
    if {"groups", "clusters"} <= could.keys():  # by what it calls itself
        called = str(could["clusters"].columns.theirs.get("cluster", "")).casefold()
        of_groups = ["clusters" if called.startswith("cluster") else "groups"]
    if of_groups and not _sentences(could[of_groups[0]]):
        return of_groups[0]
    return words[0] if words else "run"


def _rows(source: Form) -> Iterator[tuple[object, ...]]:
    for batch in tables(source, few=True):
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _text(value: object) -> str:
    return "" if value is None else str(value)[:200]


def _grades(source: Form) -> bool:
    """Whether these are grades: few different numbers, all of them whole."""
    place, found = [*source.columns.positions].index("relevance"), set()
    try:
        found = {_text(row[place]) for row in islice(_rows(source), _FEW)}
    except DataError:  # of which some formats complain themselves
        return False
    return len(found) <= _GRADES and all(each.lstrip("-").isdecimal() for each in found)


def _numbers(source: Form) -> bool:
    """Whether below its first row the last of three columns or more holds numbers."""
    last = [_text(row[-1]) for row in islice(_rows(source), 1, 20) if len(row) > 2]
    return bool(last) and not any(isnan(number_of(each.replace(",", "."))) for each in last)


def _sentences(source: Form) -> bool:
    return any(" " in _text(row[-1]).strip() for row in islice(_rows(source), 20))


# ---- what is made of them ----------------------------------------------------------------------


def make(asked: Mapping[str, object], done: Done) -> dict[str, str]:
    """The whole report: as a page, the value of each query, and every number."""
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
    """How a number came out that somebody reported of the run in question."""
    given = _arguments(asked)
    given |= {"runs": given["runs"][:1], "names": given["names"][:1], "language": None}
    measure = _measures(asked["measure"])[0]
    number = (measure, asked["number"].strip().replace(",", "."))
    found = report(**{**given, "measures": [measure], "reported": [number]})
    return {"html": found.section("reported").html}


def _arguments(asked: Mapping[str, object]) -> dict[str, object]:
    """What `report` is called with."""
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
    """A number with a point or a comma; what is none is refused as it was typed."""
    number = number_of(typed.strip().replace(",", "."))
    return (typed.strip() or None) if isnan(number) else number


def _measures(typed: str) -> list[str]:
    """What stands between commas or spaces, outside of parentheses; of nothing, the default."""
    found = re.split(r"[\s,]+(?![^()]*\))", typed)
    return [*filter(None, found)] or [*MEASURES]


def _of_each(columns: Mapping[str, object], runs: Iterable[str]) -> dict[str, object]:
    return {run: _columns(columns[run]) for run in runs if columns.get(run)}


_CALLS = {"look": look, "make": make, "explain": explain}
