"""What docs/teach.md says of the lessons is so: their parts, questions, slips and minutes."""

import re
import tomllib
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "teach.md").read_text(encoding="utf-8")
PLANS = dict(re.findall(r"^### Lesson (\d+): .+\n((?:(?!#).*\n)+)", TEXT, re.MULTILINE))
ANSWERS = tomllib.loads((ROOT / "helpers" / "answers.toml").read_text(encoding="utf-8"))
CODE = re.compile(r"`([^`]+)`")


def prose_and_code(number: str) -> str:
    (path,) = (ROOT / "notebooks").glob(f"{int(number):02}-*.ipynb")
    return "\n\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)


def test_there_is_a_plan_for_each_lesson_named():
    assert [*PLANS] == ["0", "3", "5", "7", "8"]


@pytest.mark.parametrize("number", PLANS)
def test_a_plan_takes_45_minutes_through_parts_that_there_are(number: str):
    plan, lesson = PLANS[number], prose_and_code(number)
    assert sum(map(int, re.findall(r"^- (\d+) min:", plan, re.MULTILINE))) == 45
    headings = re.findall(r"^## (.+)$", lesson, re.MULTILINE)
    named = re.findall(r"\*\*(.+?)\*\*", plan)
    assert named
    assert not {*named} - {*headings}
    done = re.findall(r"^- \d+ min: \*\*(.+?)\*\*", plan, re.MULTILINE)
    assert done == sorted(done, key=headings.index)


@pytest.mark.parametrize("number", PLANS)
def test_a_plan_names_questions_of_its_lesson_and_wrong_answers_that_it_foresees(number: str):
    plan, lesson = PLANS[number], prose_and_code(number)
    for sentence in re.findall(r"^(?:- )?(?:\d+ min: )?(.+)$", plan, re.MULTILINE):
        questions = [each for each in CODE.findall(sentence) if each in ANSWERS]
        assert all(f'"{each}"' in lesson for each in questions)
        foreseen = {}
        for each in questions:
            asked = ANSWERS[each]
            foreseen |= asked.get("slips", {}) | asked.get("comments", {})
            assert asked.get("answer") not in CODE.findall(sentence) or len(questions) > 1
        assert {*CODE.findall(sentence)} <= {*questions, *foreseen}
    assert all(f"`{each}`" in plan for each in re.findall(r'predict\(\s*"([\w-]+)"', lesson))
