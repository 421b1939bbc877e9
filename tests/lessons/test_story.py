"""The one story of lessons 0 to 4, and the way: the map, what comes next, how long each takes."""

from collections.abc import Callable
from fractions import Fraction
from math import log2
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from byhand import average_precision, ndcg, reciprocal_rank
from byhand.widgets.bench import FORMULAS
from byhand.widgets.prediction.answers import Answer
from helpers import questions, worked_example
from helpers.html import CHECKED
from helpers.places import NOTEBOOKS
from helpers.site import Stop, lesson_map

MAP = lesson_map()
WAY = {stop.number: stop for stop in MAP if stop.number is not None}
DOCUMENTS = 1  # their part of the map
LOOKED_UP = ("words-and-sources.ipynb", "documented-values.ipynb")
ASIDE = {*LOOKED_UP, "your-own-data.ipynb"}  # which lead to no next stop
EXAMS = [stop for stop in MAP if stop.file.startswith("exam-")]
HOME = f"[the map]({MAP[0].file})"


def read(stop: Stop) -> NotebookNode:
    return nbformat.read(NOTEBOOKS / stop.file, as_version=4)


def next_line(stop: Stop) -> str:
    """The line that ends a stop: what is done, of a lesson or an exam, and what is next."""
    rest = [each for each in MAP[MAP.index(stop) + 1 :] if each.file not in ASIDE]
    after = rest[0] if rest else None
    leads = f"[{after.name}]({after.file}). *{after.answers}*" if after else ""
    if stop.part == DOCUMENTS:
        return leads
    last = max(each.number for each in MAP[: MAP.index(stop) + 1] if each.number is not None)
    so_far = {0: "lesson 0", 1: "lessons 0 and 1"}.get(last, f"lessons 0 to {last}")
    done = f"{so_far} of {'the map' if stop is MAP[0] else HOME}"
    done += ", and their exam" if stop in EXAMS else ""
    if not after:
        stops = [each for file in LOOKED_UP for each in MAP if each.file == file]
        links = " and ".join(f"[{each.name}]({each.file})" for each in stops)
        return f"Done: {done}. To look things up: {links}."
    if after.part == DOCUMENTS:
        on = next(each for each in rest if each.number is not None)
        leads += f" The documents can wait: the lessons go on with [{on.name}]({on.file})."
    return f"Done: {done}. Next: {leads}"


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
def test_a_stop_ends_with_what_is_done_and_what_is_next(stop: Stop):
    assert read(stop).cells[-1].source == f"## Next\n\n{next_line(stop)}"


def source(number: int) -> str:
    return "\n".join(cell.source for cell in read(WAY[number]).cells)


@pytest.mark.parametrize("stop", EXAMS, ids=lambda stop: stop.file)
def test_an_exam_has_twelve_questions_and_a_page_asks_them_all(stop: Stop):
    asked = [name for name in questions.questions() if name.startswith(Path(stop.file).stem)]
    assert len(asked) == 12
    assert all(isinstance(questions.questions()[name].answer, Answer) for name in asked)
    cells = read(stop).cells
    assert [name for cell in cells for name in CHECKED.findall(cell.source)][::2] == asked


def mean(*values: object) -> Fraction:
    return sum(map(Fraction, values)) / len(values)


def page(name: str, *, without: str = "", k: int | None = None, **options: object) -> Fraction:
    """The AP of a page for tomato soup, less one recipe."""
    ranked, soups = worked_example("cooking", "tomato soup")[name]
    left = [item for item in ranked if item != without]
    return Fraction(average_precision(left, soups, k=k, **options)).limit_denominator(1000)


def graded(**grades: int) -> float:
    """The nDCG of today's page for tomato soup, with some grades changed."""
    ranked, soups = worked_example("cooking", "tomato soup")["today"]
    return ndcg(ranked, soups | grades)


def added_up(*hits: int, worth: Callable[[int], float]) -> float:
    """What today's minestrone, gazpacho and bisque add up to at these ranks."""
    return sum(grade * worth(rank) for grade, rank in zip((1, 2, 3), hits, strict=False))


def discount(rank: int) -> float:
    return 1 / log2(rank + 1)


def supper(**options: str) -> float:
    """The nDCG@6 of the page for supper."""
    return ndcg(*worked_example("cooking", "supper")["supper"], k=6, **options)


def supper_by(worth: Callable[[int], float]) -> float:
    """The same with another discount, by its grades and those of the best page."""
    found, best = (3, 2, 3, 0, 1, 2), (3, 3, 3, 2, 2, 2)
    mine, ideal = (sum(g * worth(r) for r, g in enumerate(each, 1)) for each in (found, best))
    return mine / ideal


def graded_twice(metric: Callable[..., float]) -> list[float]:
    """Of a page with one soup, at rank 2: all 20 soups of the site are relevant, or that one."""
    soups = [*range(1, 21)]
    return [metric(["tart", 2, "salad"], relevant) for relevant in (soups, [2])]


def nearest_p(n: int) -> float:
    """The p of RBP whose weights of n ranks come nearest to the discounts of nDCG."""
    ranks = range(1, n + 1)
    return min(
        (each / 200 for each in range(1, 200)),
        key=lambda p: sum((p ** (rank - 1) - discount(rank)) ** 2 for rank in ranks),
    )


DCG = added_up(2, 3, 6, worth=discount)
IDEAL = sum(grade * discount(rank) for rank, grade in enumerate((3, 2, 2, 1, 1), start=1))
SAID = {
    0: {"from 1/3 to {}, and RR is": float(mean("1/2", "2/3", "3/4", "4/5", "5/6"))},
    1: {
        "From rank 7 to rank 8 it loses only {}.": Fraction(1, 7) - Fraction(1, 8),
    },
    2: {
        "(1/2 + 1/4) / 2 = {}.": mean("1/2", "1/4"),
        "from 3/8 to {}.": mean("1/2"),
        "goes down, here from {}": mean("1/2", "1/4", 0),
        "here from 1/4 to {}, as": mean("1/2", 0, 0),
        "(1/2 + 1/4 + 1/4) / 3 = {}.": mean("1/2", "1/4", "1/4"),
        "At the top, the dumplings would give {}.": mean("1/2", "1/4", 1),
        "it gives (1/2 + 1) / 2 = {}.": mean("1/2", 1),
        "That is Success@1, here {}:": mean(0, 1, 0),
        "and their mean rank is {}.": mean(4, 1, 4),
    },
    3: {
        "is never more than {:.3f}": float(mean(1, "1/2", "1/3", "1/4", "1/5")),
        "AP@3 is (1/2 + 2/3) / 5 = {}, or 0.233.": page("today", k=3),
        "or {:.3f}. The most": float(page("today", k=3)),
        "The most it can be is {},": page("perfect", k=3),
        "With `g3` at rank 5 AP is {:.3f},": float(mean(1, 1, "3/5")),
        "with `g2` at rank 4 it is {:.3f}.": float(mean(1, "2/4", "3/5")),
        "and MAP from 0.5556 to {:.4f}.": float(mean("1/2", "5/6", 1)),
    },
    4: {
        "1, 2 and 3 add up to {} in any order.": added_up(2, 3, 6, worth=lambda rank: 1),
        "It is {:.2f}, and": log2(3),
        "1/1.58 is {:.2f}.": discount(2),
        "All see rank 1, {:.0f} see rank 2,": 100 * discount(2),
        "50 see rank 3, and {:.0f} are still there at rank 7.": 100 * discount(7),
        "With 1/rank only {:.0f} would be.": 100 / 7,
        "and rank 6 is worth only {:.3f}.": discount(6),
        "3 × 0.43 = {:.2f}.": 3 * discount(4),
        "the grades 1, 2 and 3 at ranks 2, 3 and 6 add up to {:.2f}.": DCG,
        "one of grade 3, {:.3f} to 3.": FORMULAS["grade / log2"].value(
            [(1, 2), (2, 2)], n=8, relevant=5
        ),
        "7 to {:.3f}.": FORMULAS["(2^grade - 1) / log2"].value([(1, 2), (2, 2)], n=8, relevant=5),
        "has 2.70 of {:.2f}, which": IDEAL,
        "which is {:.3f}, and *bread*": DCG / IDEAL,
        "of 3, which is {:.3f}.": discount(4),
        "With the logarithm, {:.0f} of 100 go on from rank 1 to rank 2,": 100 * discount(2),
        "but {:.0f} of 100 from rank 7 to rank 8:": 100 * discount(8) / discount(7),
        "For the third user that would be {}.": mean(1, "1/2", "1/3", "2/4"),
        "The table has {},": mean(1, "2/4"),
        "(0.444 + 0.431 + 0) / 3 = {:.3f}.": (DCG / IDEAL + discount(4)) / 3,
    },
    5: {
        "Change p to {:.1f}, which comes closest": nearest_p(8),
        "higher: {:.2f} for 20 rows,": nearest_p(20),
        "{:.2f} for 100.": nearest_p(100),
        "the first adds {:.2f},": discount(2),
        "the second {:.2f}.": 1 - discount(2),
        "*bold* wins, {:.3f} to 0.500.": float(mean(1, "1/20")),
        "*even* wins, {:.3f} to": discount(2),
        "0.631 to {:.3f}.": (discount(1) + discount(20)) / 2,
        "one hit of 20, and nDCG is {:.2f}.": graded_twice(ndcg)[0],
        "one hit of one, and nDCG is {:.2f}.": graded_twice(ndcg)[1],
    },
}
HINTED = {
    "each step: {}, and": mean("1/3", "3/4", "1/4", 1) - mean("1/3", "3/4", "1/4", 0),
    "1/4, and {}.": mean(1, "3/4", "1/4", 0) - mean("1/3", "3/4", "1/4", 0),
    "1/2 + 2/3 + 3/6, which is {:.3f}.": added_up(2, 3, 6, worth=lambda rank: 1 / rank),
    "today's page wins, {:.3f} to 2.": DCG,
    "DCG rises by {:.3f}.": added_up(1, 3, 6, worth=discount) - DCG,
    "that adds only {:.3f}.": added_up(3, 2, 6, worth=discount) - DCG,
    "it adds only {:.3f}.": added_up(2, 3, 5, worth=discount) - DCG,
    "AP falls to 3/4, and nDCG only to {:.3f},": (1 + discount(4)) / (1 + discount(2)),
    "That gives {:.3f}. What does the soup": graded(gazpacho=3, bisque=2),
    "That gives {:.3f}. Compare": graded(minestrone=3, gazpacho=1, bisque=2),
    "That gives {:.3f}. Which of": graded(minestrone=2, gazpacho=3, bisque=1),
    "That gives {:.3f}. The bisque": graded(minestrone=2, gazpacho=1),
    "first cook's grades: {:.3f}.": graded(),
    "nDCG is {:.3f}: the best grade": graded(minestrone=3, bisque=1),
    "That gives {:.3f}: lower than ours": supper(gain="exponential"),
    "That gives {:.3f}. Theirs is": supper_by(lambda rank: 1 / rank),
}


@pytest.mark.parametrize(
    ("number", "said", "value"),
    [(number, *each) for number, told in SAID.items() for each in told.items()],
)
def test_what_is_said_of_a_list_that_was_dragged_comes_out(
    number: int, said: str, value: Fraction | float
):
    assert said.format(value) in source(number)


@pytest.mark.parametrize(("said", "value"), HINTED.items())
def test_what_the_hints_of_lessons_3_and_4_and_of_their_exam_say_comes_out(
    said: str, value: Fraction | float
):
    assert said.format(value) in Path(questions.__file__).with_name("answers.toml").read_text()
    ours, theirs = supper(), supper(ideal="retrieved")
    assert f"We get an nDCG@6 of {ours:.3f}. Another program gets {theirs:.3f}." in source(4)


def moved(item: str, rank: int | None) -> float:
    """RR of today's page with an item moved to a rank, or taken out."""
    ranked, soups = worked_example("cooking", "tomato soup")["today"]
    others = [each for each in ranked if each != item]
    return reciprocal_rank(
        others if rank is None else [*others[: rank - 1], item, *others[rank - 1 :]], soups
    )


def test_what_lessons_0_and_1_ask_of_the_pages_comes_out():
    pages = worked_example("cooking", "tomato soup")
    today, soups = pages["today"]
    by_rr = sorted(("late", "lone", "short"), key=lambda name: -reciprocal_rank(*pages[name]))
    assert questions.questions()["00-a"].answer.answer == by_rr
    moves = {"a": ("salad", 3), "b": ("lasagne", 1), "c": ("bisque", None), "d": ("ketchup", 8)}
    for letter, (item, rank) in moves.items():
        to = "off the page" if rank is None else f"to {'the end' if rank == 8 else f'rank {rank}'}"
        assert f"- **{letter}**: {item} {to}\n" in f"{source(0)}\n"
    alone = [letter for letter, move in moves.items() if moved(*move) == 1 / 2]
    assert questions.questions()["00-b"].answer.answer == alone
    assert questions.questions()["01-top-guess"].answer.answer == sum(
        moved(item, 1) == 1 for item in today
    )
    cut = [reciprocal_rank(today, soups, k=k) for k in range(1, 9)]
    assert questions.questions()["01-cutoff-guess"].answer.answer == cut.count(1 / 2)
