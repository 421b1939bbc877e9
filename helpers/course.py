"""The lessons in their order: the map that lesson 0 shows its readers."""

import re
from dataclasses import dataclass

import nbformat

from helpers.places import NOTEBOOKS

_MAP = "00-start-here.ipynb"
_ROW = re.compile(
    r"^\| (?:\*\*|\[)(?P<name>(?P<number>\d+) · [^*\]]+)(?:\*\*|\]\((?P<file>[^)]+)\))"
    r" \| (?P<answers>.+) \| (?P<minutes>\d+) \|$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Stop:
    """One row of the map.

    Attributes:
        number: the lesson's, from 0.
        name: what it is called, with its number.
        file: its notebook.
        answers: the question that it answers.
        minutes: how long it takes.
    """

    number: int
    name: str
    file: str
    answers: str
    minutes: int


def lesson_map() -> list[Stop]:
    """The rows of the map, in its order.

    Example:
        >>> lesson_map()[1].name, lesson_map()[1].file
        ('1 · Reciprocal rank', '01-reciprocal-rank.ipynb')
    """
    cells = nbformat.read(NOTEBOOKS / _MAP, as_version=4).cells
    return [
        Stop(
            number=int(row["number"]),
            name=row["name"],
            file=row["file"] or _MAP,
            answers=row["answers"],
            minutes=int(row["minutes"]),
        )
        for cell in cells
        for row in _ROW.finditer(cell.source)
    ]
