"""The lessons' questions: right answers are right, known slips get their own comment."""

import re
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import nbformat
import pytest

from helpers import check, exercises
from helpers.exercises import ANSWERS, Verdict, asked

LESSONS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
NUMBERS = {name: each for name, each in ANSWERS.items() if hasattr(each, "slips")}
CHOICES = {name: each for name, each in ANSWERS.items() if hasattr(each, "comments")}


def summed(ranks):
    """The precisions at hits, added up."""
    return sum(nth / rank for nth, rank in enumerate(ranks, start=1))


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_is_right_rounded_or_not_a_slip_gets_its_comment_any_other_the_hint(name):
    question = NUMBERS[name]
    for given in (question.answer, float(question.answer), round(float(question.answer), 3)):
        assert question.judge(given)[0]
    for slip, said in question.slips.items():
        assert question.judge(slip) == (False, said)
    assert question.judge(-17.5) == (False, question.hint)
    for given in ("a half", "1/0", [1], True, float("nan")):
        assert not question.judge(given)[0]


@pytest.mark.parametrize("name", CHOICES)
def test_only_one_choice_is_right(name):
    question = CHOICES[name]
    right = [letter for letter in question.comments if question.judge(letter)[0]]
    assert right == [question.answer]


@pytest.mark.parametrize(
    ("name", "given", "right", "said"),
    [
        ("06-b", "25/48", True, "25/48 = 0.5208. (1 + 1/2"),
        ("06-b", " 0.521 ", True, "25/48 = 0.5208. (1 + 1/2"),
        ("06-b", 0.52, None, "Close. Write three decimals"),
        ("06-b", 0.525, None, "Close. Write three decimals"),
        ("06-b", (0, 5), None, "0.5, not 0,5"),
        ("02-b", 0.375, True, "3/8 = 0.3750. 50 queries"),
        *(("08-c", given, True, "800. Half") for given in (737, 774, 790, 800)),
        ("08-c", 700, False, "square root"),  # what the rounded figures give is taken
        ("08-b", "x", None, "Choose one of 'a', 'b', 'c'."),
        ("03-b", lambda ranks, n: None, None, "my_ap([2, 3, 6], 5) returns None"),
        ("03-b", lambda ranks, n: float("nan"), False, "is nan"),
        ("03-b", lambda ranks, n: "0.7", False, "should return a number"),
        ("03-b", lambda ranks, n: ranks[0] / n, False, "expected 0.333333. The i-th hit"),
        ("03-b", lambda ranks, n: 1 / 0, False, "ZeroDivisionError"),
        ("03-b", lambda ranks, n: sum(1 / r for r in ranks) / n, False, "Count the hits so far"),
        ("03-b", lambda ranks, n: summed(ranks) / len(ranks), False, "Who is missing?"),
        ("03-b", lambda ranks, n: summed(ranks), False, "That is the sum."),
        ("03-b", lambda ranks, n: summed(ranks) / n, True, "today's tomato soup"),
        ("03-b", 0.7, None, "the function itself"),
        ("04-a", "7", True, "7. 1 / log2(7 + 1) is 1/3"),
        ("04-b", "A", False, "0.751"),
        ("04-c", "d", True, "0.534"),
    ],
)
def test_what_is_said(name, given, right, said):
    verdict, comment = ANSWERS[name].judge(given)
    assert verdict is right
    assert said in comment


@pytest.fixture
def tried(monkeypatch):
    """The tries of a kernel that has just been started."""
    monkeypatch.setattr(exercises, "_TRIED", defaultdict(list))


@pytest.mark.usefixtures("tried")
class TestCheck:
    def test_a_first_wrong_answer_gets_a_hint_a_second_one_another_and_the_way(self):
        asked = NUMBERS["06-b"]
        assert check("06-b", 7) == Verdict(f"Not yet. {asked.hint}", "warn")
        second = check("06-b", 8)
        assert second.text == f"Not yet. {asked.second_hint}"
        assert second.more == "The solution stands below: open it to see the way."
        assert check("06-b", 1).text == f"Not yet. {asked.slips[1]} {asked.second_hint}"
        right = "Right: 25/48 = 0.5208. (1 + 1/2 + 1/3 + 1/4) / 4."
        assert check("06-b", "25/48") == Verdict(right, "good")
        with pytest.raises(ValueError, match="There is no question '99-z'"):
            check("99-z", 1)

    def test_the_same_answer_gets_the_same_reply_however_often_it_is_given(self):
        replies = [check("08-a", 7) for _ in range(2)]
        assert replies[0] == replies[1]
        assert replies[0].more == ""
        others = [check("08-a", "1/8") for _ in range(2)]
        assert others[0] == others[1]
        assert others[0].text.endswith(ANSWERS["08-a"].second_hint)
        assert check("08-a", 7) == replies[0]

    @pytest.mark.parametrize("given", [None, "a third", (0, 5), 0.525])
    def test_what_is_no_answer_is_no_try(self, given):
        assert check("06-b", given).tone == ""
        assert check("06-b", 7).more == ""
        assert check("06-a", 7).more == ""  # one question does not count for another


@pytest.mark.parametrize("name", [name for name in ANSWERS if not name.endswith("-guess")])
def test_every_exercise_has_a_second_hint_that_does_not_give_the_answer(name):
    question = ANSWERS[name]
    assert question.second_hint
    if name in NUMBERS:
        answer, hints = question.answer, f"{question.hint} {question.second_hint}"
        given = {f"{float(answer):.{digits}f}" for digits in (3, 4)} | {f"{float(answer):g}"}
        if isinstance(answer, Fraction) and answer.denominator > 1:
            given.add(str(answer))
        said = "|".join(map(re.escape, given))
        sums = r"(?:=|is|gives|get) " if float(answer).is_integer() else ""  # 1 is in any sum
        assert not re.search(rf"{sums}(?<![\d/.])(?:{said})(?![\d/]|\.\d)", hints)


def test_a_verdict_is_a_card_of_text_in_the_colours_of_the_widgets():
    html = Verdict("1 < 2", "good", "a & b")._repr_html_()
    assert re.sub(r"<style>.*</style>|<[^>]*>", "", html) == "✓ 1 &lt; 2a &amp; b"
    assert "<script" not in html
    styled = re.findall(r"\.(rm-answer[\w-]*)", html)
    assert {
        name for names in re.findall(r'class="([^"]+)"', html) for name in names.split()
    } <= set(styled)
    used, known = (set(re.findall(rf"{end}(--rm-[\w-]+)", html)) for end in (r"var\(", ""))
    assert {"--rm-good", "--rm-warn-soft"} <= used <= known
    assert '[data-jp-theme-light="false"] .rm-answer{color-scheme: dark;}' in html


def test_every_question_is_asked_in_its_lesson_and_an_exercise_as_it_is_committed():
    cells = [
        (path.name, cell) for path in LESSONS for cell in nbformat.read(path, as_version=4).cells
    ]
    exercises = [cell.source for _, cell in cells if "exercise" in cell.metadata.get("tags", [])]
    assert sorted(exercises) == sorted(asked(name) for name in ANSWERS if "-guess" not in name)
    found = {
        name
        for file, cell in cells
        for name in re.findall(r'(?:check|predict)\(\s*"([^"]+)"', cell.source)
        if file.startswith(name[:2])
    }
    assert found == set(ANSWERS)
