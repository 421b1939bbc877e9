"""The one story of lessons 0 to 4, and the way: the map, and what comes next."""

from itertools import pairwise

import nbformat
import pytest
from nbformat import NotebookNode

from byhand import reciprocal_rank
from helpers import questions, worked_example
from helpers.places import NOTEBOOKS
from helpers.site import MapRow, lesson_map

MAP = lesson_map()
DOCUMENTS = 1  # their part of the map
ASIDE = {"words-and-sources.ipynb", "documented-values.ipynb", "your-own-data.ipynb"}
WAY = [stop for stop in MAP if stop.file not in ASIDE]  # these lead to no next stop


def read(stop: MapRow) -> NotebookNode:
    return nbformat.read(NOTEBOOKS / stop.file, as_version=4)


def test_the_map_leads_through_every_lesson_in_order():
    numbers = [stop.number for stop in MAP if stop.number is not None]
    assert numbers == sorted(numbers)
    assert [stop.number for stop in MAP if stop.beside and stop.part != DOCUMENTS] == [1, 2, 3, 4]
    assert all(stop.beside for stop in MAP if stop.part == DOCUMENTS)
    assert [stop.part for stop in MAP] == sorted(stop.part for stop in MAP)
    for stop in MAP[1:]:
        assert read(stop).cells[0].source.partition("\n")[0].startswith(f"# {stop.name}")


@pytest.mark.parametrize(("stop", "after"), [*pairwise([*WAY, None])])
def test_a_stop_ends_with_the_next(stop: MapRow, after: MapRow | None):
    heading, _, text = read(stop).cells[-1].source.partition("\n\n")
    assert heading == "## Next"
    assert not after or f"[{after.name}]({after.file}). *{after.answers}*" in text


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
    source = "\n".join(cell.source for cell in read(MAP[0]).cells)
    moves = {"a": ("salad", 3), "b": ("lasagne", 1), "c": ("bisque", None), "d": ("ketchup", 8)}
    for letter, (item, rank) in moves.items():
        to = "off the page" if rank is None else f"to {'the end' if rank == 8 else f'rank {rank}'}"
        assert f'"{letter}": "{item} {to}"' in source
    alone = [letter for letter, move in moves.items() if moved(*move) == 1 / 2]
    assert questions.questions()["00-b"].answer.answer == alone
