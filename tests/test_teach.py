"""What docs/teach.md says of the lessons is so: their parts, questions, slips and minutes."""

import re
import tomllib
from pathlib import Path

import nbformat
import pytest

from helpers.site import MapRow, lesson_map

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "teach.md").read_text(encoding="utf-8")
SECTION = TEXT.partition("\n## 45-minute lesson plans\n")[2].partition("\n## ")[0] + "\n"
PLANS = dict(re.findall(r"^### (.+)\n((?:(?!#).*\n)+)", SECTION, re.MULTILINE))
DOCUMENTS = "The documents: one per group"
ANSWERS = tomllib.loads((ROOT / "helpers" / "answers.toml").read_text(encoding="utf-8"))
CODE = re.compile(r"`([^`]+)`")


def prose_and_code(title: str) -> str:
    """What the notebook of a plan says, or all those that its text leads to."""
    files = re.findall(r"\(\.\./notebooks/(\S+)\)", PLANS[title])
    files = files if title == DOCUMENTS else [s.file for s in lesson_map() if heading(s) == title]
    notebooks = (nbformat.read(ROOT / "notebooks" / file, as_version=4) for file in files)
    return "\n\n".join(cell.source for notebook in notebooks for cell in notebook.cells)


def heading(stop: MapRow) -> str:
    return stop.title if stop.number is None else f"Lesson {stop.number}: {stop.title}"


@pytest.mark.parametrize("title", PLANS)
def test_a_plan_takes_45_minutes_through_parts_and_questions_that_there_are(title: str):
    """It names wrong answers that its questions foresee, and never the right one."""
    plan, lesson = PLANS[title], prose_and_code(title)
    assert sum(map(int, re.findall(r"^- (\d+) min:", plan, re.MULTILINE))) == 45
    named = re.findall(r"\*\*(.+?)\*\*", plan)
    assert {*named} <= {*re.findall(r"^## (.+)$", lesson, re.MULTILINE)}
    for sentence in re.findall(r"^(?:- )?(?:\d+ min: )?(.+)$", plan, re.MULTILINE):
        in_code = CODE.findall(sentence)
        questions = [each for each in in_code if each in ANSWERS]
        assert all(f'"{each}"' in lesson for each in questions)
        foreseen = {}
        for each in questions:
            asked = ANSWERS[each]
            foreseen |= asked.get("slips", {}) | asked.get("comments", {})
            assert asked.get("answer") not in in_code or len(questions) > 1
        assert {*in_code} <= {*questions, *foreseen}
    asked = re.findall(r'predict\(\s*"([\w-]+)"', lesson)
    assert asked
    assert title == DOCUMENTS or all(f"`{each}`" in plan for each in asked)
