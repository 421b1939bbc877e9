"""The one story of lessons 0 to 4, and the way: the map, what comes next, how long each takes."""

import re
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from byhand import reciprocal_rank
from byhand.widgets.prediction.answers import Answer
from helpers import questions, worked_example
from helpers.places import NOTEBOOKS
from helpers.site import MapRow, lesson_map

MAP = lesson_map()
WAY = {stop.number: stop for stop in MAP if stop.number is not None}
DOCUMENTS = 1  # their part of the map
LOOKED_UP = ("words-and-sources.ipynb", "documented-values.ipynb")
ASIDE = {*LOOKED_UP, "your-own-data.ipynb"}  # which lead to no next stop
EXAMS = [stop for stop in MAP if stop.file.startswith("exam-")]


def read(stop: MapRow) -> NotebookNode:
    return nbformat.read(NOTEBOOKS / stop.file, as_version=4)


def next_stop(stop: MapRow) -> MapRow | None:
    """The stop after one on the map, but for those to look things up in."""
    return next((each for each in MAP[MAP.index(stop) + 1 :] if each.file not in ASIDE), None)


def test_the_map_leads_through_every_lesson_in_order():
    assert [*WAY] == sorted(WAY)
    assert [stop.number for stop in MAP if stop.beside and stop.part != DOCUMENTS] == [1, 2, 3, 4]
    assert all(stop.beside for stop in MAP if stop.part == DOCUMENTS)
    assert [stop.part for stop in MAP] == sorted(stop.part for stop in MAP)
    for stop in MAP[1:]:
        assert read(stop).cells[0].source.partition("\n")[0].startswith(f"# {stop.name}")


@pytest.mark.parametrize(
    "stop", [each for each in MAP if each.file not in ASIDE], ids=lambda stop: stop.file
)
def test_a_stop_ends_with_the_next(stop: MapRow):
    heading, _, text = read(stop).cells[-1].source.partition("\n\n")
    assert heading == "## Next"
    if after := next_stop(stop):
        assert f"[{after.name}]({after.file}). *{after.answers}*" in text
    if stop.part != DOCUMENTS:
        assert text.startswith("Done: lesson")


def source(number: int) -> str:
    return "\n".join(cell.source for cell in read(WAY[number]).cells)


@pytest.mark.parametrize("stop", EXAMS, ids=lambda stop: stop.file)
def test_an_exam_has_twelve_questions_and_a_page_asks_them_all(stop: MapRow):
    asked = [name for name in questions.questions() if name.startswith(Path(stop.file).stem)]
    assert len(asked) == 12
    assert all(isinstance(questions.questions()[name].answer, Answer) for name in asked)
    sources = [cell.source for cell in read(stop).cells]
    for call in ("ask", "check"):  # the question, and its solution
        called = re.compile(rf'\b{call}\(\s*"([\w-]+)"')
        assert [name for source in sources for name in called.findall(source)] == asked


def moved(item: str, rank: int | None) -> float:
    """RR of today's page with an item moved to a rank, or taken out."""
    ranked, soups = worked_example("cooking", "tomato soup")["today"]
    others = [each for each in ranked if each != item]
    return reciprocal_rank(
        others if rank is None else [*others[: rank - 1], item, *others[rank - 1 :]], soups
    )


def test_what_lesson_0_asks_of_the_pages_comes_out():
    pages = worked_example("cooking", "tomato soup")
    by_rr = sorted(("late", "lone", "short"), key=lambda name: -reciprocal_rank(*pages[name]))
    assert questions.questions()["00-a"].answer.answer == by_rr
    moves = {"a": ("salad", 3), "b": ("lasagne", 1), "c": ("bisque", None), "d": ("ketchup", 8)}
    for letter, (item, rank) in moves.items():
        to = "off the page" if rank is None else f"to {'the end' if rank == 8 else f'rank {rank}'}"
        assert f'"{letter}": "{item} {to}"' in source(0)
    alone = [letter for letter, move in moves.items() if moved(*move) == 1 / 2]
    assert questions.questions()["00-b"].answer.answer == alone
