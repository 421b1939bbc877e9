"""The way through the lessons: the map of lesson 0, what comes next, how long each takes."""

import re

import nbformat
import pytest
from nbformat import NotebookNode

from helpers import worked_example
from helpers.notebooks import is_widget
from helpers.places import NOTEBOOKS
from helpers.site import Stop, lesson_map

MAP = lesson_map()
WAY = [stop for stop in MAP if stop.number <= 10]  # the others are for looking up
UNTIMED = {0, 11}  # an entrance, a glossary: the map alone says how long they take
LONGEST = 30  # minutes
HOME = f"[the map]({MAP[0].file})"
WORDS_A_MINUTE = 130


def read(stop: Stop) -> NotebookNode:
    return nbformat.read(NOTEBOOKS / stop.file, as_version=4)


def next_line(stop: Stop) -> str:
    """The line that ends a lesson: what is done, and what is next."""
    so_far = {0: "lesson 0", 1: "lessons 0 and 1"}.get(stop.number, f"lessons 0 to {stop.number}")
    done = f"{so_far} of {'the map' if stop is MAP[0] else HOME}"
    rest = MAP[MAP.index(stop) + 1 :]
    if stop is WAY[-1]:
        links = " and ".join(f"[{each.name}]({each.file})" for each in rest)
        return f"Done: {done}. To look things up: {links}."
    after = rest[0]
    return f"Done: {done}. Next: [{after.name}]({after.file}). *{after.answers}*"


def words(markdown: str) -> int:
    """How many words a reader reads: a formula is one; folds, addresses, alt texts are none."""
    shown = re.sub(r"<details>.*?</details>|!\[[^]]*\]\([^)]*\)", "", markdown, flags=re.DOTALL)
    shown = re.sub(r"(\$\$?).+?\1", "x", shown, flags=re.DOTALL)
    return len(re.findall(r"\w[^\s|]*", re.sub(r"\]\([^)]*\)", "]", shown)))


def minutes(notebook: NotebookNode) -> float:
    """How long a lesson takes: reading, running, predicting, dragging and its exercises."""
    taken = 0.0
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        if cell.cell_type == "markdown":
            taken += words(cell.source) / WORDS_A_MINUTE
        elif "predict" in tags:
            taken += 1
        elif "exercise" in tags:
            taken += 2.5
        else:
            taken += 2 if any(map(is_widget, cell.outputs)) else 0.5
    return taken


def test_the_map_leads_through_every_lesson_in_order():
    assert [stop.number for stop in MAP] == sorted({stop.number for stop in MAP})
    assert [stop.file for stop in MAP] == sorted(path.name for path in NOTEBOOKS.glob("*.ipynb"))
    for stop in MAP[1:]:
        assert re.match(rf"# {stop.number} · \w", read(stop).cells[0].source)


@pytest.mark.parametrize("stop", WAY, ids=lambda stop: stop.file)
def test_a_lesson_ends_with_what_is_done_and_what_is_next(stop: Stop):
    assert read(stop).cells[-1].source == f"## Next\n\n{next_line(stop)}"


@pytest.mark.parametrize("stop", MAP, ids=lambda stop: stop.file)
def test_the_minutes_are_those_that_it_takes_and_it_is_one_sitting(stop: Stop):
    notebook = read(stop)
    stated = re.search(r"^- \*\*Time\*\*: (\d+) minutes", notebook.cells[0].source, re.MULTILINE)
    assert (stated is None) == (stop.number in UNTIMED)
    assert stated is None or int(stated[1]) == stop.minutes
    assert stop.minutes % 5 == 0
    assert stop.minutes <= LONGEST
    assert abs(minutes(notebook) - stop.minutes) <= 5
    assert minutes(notebook) < LONGEST + 2.5  # which is rounded to it


def source(number: int) -> str:
    return "\n".join(cell.source for cell in read(MAP[number]).cells)


def test_the_films_begin_with_the_letters_of_the_document():
    films, liked = (
        re.findall(r'"(\w)\w+"', source(1).partition(f"{name} = ")[2].partition("\n")[0])
        for name in ("films", "liked")
    )
    ranked, relevant = worked_example("ko", "rr")["list"]
    assert (films, sorted(liked)) == (ranked, sorted(relevant))


@pytest.mark.parametrize("number", [1, 3, 4])
def test_one_small_case_runs_through_the_course(number: int):
    text = source(number)
    assert '["salad", "roasted", "pumpkin", "creamy", "sauce"]' in text
    assert all(f'"{soup}"' in text for soup in ("roasted", "creamy", "gazpacho"))


def test_its_first_hit_is_where_lesson_2_says():
    tried = re.search(r"^tried = (.*)$", source(2), re.MULTILINE)[1]
    assert "*tomato soup* on the cooking site, with its first hit at rank 2" in source(2)
    assert re.findall(r"\[(\d)", tried) == ["2", "2", "2"]


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_what_is_said_of_the_documents_stands_in_boxes_of_one_kind(number: int):
    boxes = re.findall(r"^> *(.*)", source(number), re.MULTILINE)
    assert boxes
    assert all(box.startswith("**In the document.** ") for box in boxes)
