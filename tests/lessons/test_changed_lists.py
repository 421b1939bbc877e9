"""Somebody changes the lists of lessons 1 to 5: what is to follow them, does."""

import ast
import json
import re
import sys
from copy import deepcopy
from fractions import Fraction
from inspect import signature

import nbformat
import pytest
from nbformat import NotebookNode

from byhand import DataError, average_precision, ndcg, reciprocal_rank
from byhand.widgets.embed import LIVE
from helpers import check, follow, worked_example
from helpers.notebooks import kernel, live_state, own_question, run_with_solutions
from helpers.places import NOTEBOOKS
from helpers.questions import entries
from helpers.site import course_notebooks

LESSONS = {
    int(path.name[:2]): path for path in course_notebooks() if re.match("0[1-5]-", path.name)
}
OURS = {item for ranked, _ in worked_example("cooking", "tomato soup").values() for item in ranked}

TODAY = ["sushi", "pizza", "ramen", "burger", "pho", "taco", "udon", "curry", "bagel", "laksa"]
GRADES = {"ramen": 2, "pho": 1, "udon": 1, "laksa": 3, "soba": 2, "somen": 2}
LATE = ["sushi", "pizza", "burger", "taco", "curry", "ramen", "pho"]
SHORT = ["pho", "sushi"]
LONE = ["sushi", "pizza", "udon", "burger", "taco"]
FULL = ["sushi", "pizza", *GRADES, "taco"]
THREE = {
    "noodles": (TODAY, {*GRADES}),
    "rolls": (["taco", "bagel", "sushi"], {"sushi", "bagel"}),
    "sweets": (["pho", "curry", "pizza", "ramen"], {"mochi"}),
}
FOUR = THREE | {"snacks": (["taco", "bagel"], {"taco", "udon"})}
CHANGED = {
    1: {"today": TODAY, "lone": LONE, "full": FULL, "soups": {*GRADES}},
    2: {"today": TODAY, "soups": {*GRADES}, "tonight": THREE},
    3: {"today": TODAY, "late": LATE, "short": SHORT, "soups": {*GRADES}, "searches": FOUR},
    4: {"today": TODAY[2:], "short": SHORT, "grades": GRADES},
    5: {"today": TODAY, "grades": GRADES},
}
RR, AP, NDCG = (metric(TODAY, GRADES) for metric in (reciprocal_rank, average_precision, ndcg))
SAID = {  # by lesson: some of what is printed then, worked out here
    1: [f"RR = {RR:.4f}", f"lone RR = {1 / 3:.4f}"],
    2: [f"MRR = {(RR + 1 / 2) / 3:.4f}", f"noodles {RR:.4f}"],
    3: [f"AP = {AP:.4f}", f"MAP = {(AP + 7 / 12 + 0 + 1 / 2) / 4:.4f}"],
    4: [f"nDCG = {ndcg(TODAY[2:], GRADES):.3f}, nDCG@3 = {ndcg(TODAY[2:], GRADES, k=3):.3f}"],
    5: [f"RR = {RR:.3f}, AP = {AP:.3f}, nDCG = {NDCG:.3f}"],
}


def change(notebook: NotebookNode, lists: dict[str, object]) -> None:
    """Put other lists where a cell first makes them; what a cell adds to them goes."""
    left = {**lists}
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        lines = cell.source.splitlines()
        for node in reversed(ast.parse(cell.source).body):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)]) if name in left:
                    lines[node.lineno - 1 : node.end_lineno] = [f"{name} = {left.pop(name)!r}"]
                case ast.AugAssign(target=ast.Name(id=name)) if name in lists:
                    del lines[node.lineno - 1 : node.end_lineno]
        cell.source = "\n".join(lines)
    assert not left


def shown(cell: NotebookNode) -> str:
    """What a cell shows and lets a page show, as text; no pictures."""
    found = (output.get("text") or output.get("data", {}) for output in cell.get("outputs", []))
    return "".join(
        each if isinstance(each, str) else f"{each['text/plain']}\n{json.dumps(each.get(LIVE))}"
        for each in found
    )


def test_the_answers_that_follow_are_those_of_the_file_for_our_lists():
    ours = follow._our_lists()
    assert {name[:2] for name in follow.RULES} == {"01", "02", "03", "04"}
    for asked, rule in follow.RULES.items():
        assert follow.followed(asked) is None  # nothing is changed here
        for field, value in rule(*map(ours.get, signature(rule).parameters)).items():
            said = entries()[asked].get(field)
            if field == "answer" and not isinstance(said, str | list):
                assert float(Fraction(value)) == pytest.approx(said, abs=1e-6)
            elif field in ("answer", "among"):
                assert [*map(str, value)] == [*map(str, said)], asked


def test_a_kernel_may_change_its_lists_and_change_them_back(monkeypatch):
    def given(today: list[str], soups: set[str]) -> None:
        monkeypatch.setattr(sys.modules["__main__"], "today", today, raising=False)
        monkeypatch.setattr(sys.modules["__main__"], "soups", soups, raising=False)

    given(["sushi", "pizza", "ramen"], {"ramen"})
    assert check("01-b", 1).text.startswith("Not yet. The hints were written for other lists.")
    assert check("01-b", 0.5).text == "Right: 1/2 = 0.5000. So it comes out for these lists."
    given(["ramen", "pizza"], {"ramen"})
    with pytest.raises(DataError, match=r"have no answer to '01-b' .*division by zero"):
        check("01-b", 1)
    given(*map(follow._our_lists().get, ("today", "soups")))
    assert check("01-b", 1).text.startswith("Right: 1. It counts from 0")


@pytest.fixture(scope="module")
def run():
    with kernel(NOTEBOOKS) as run:
        yield run


@pytest.mark.parametrize("number", LESSONS)
def test_what_a_lesson_shows_and_asks_follows_its_lists(run, number: int):
    ours = nbformat.read(LESSONS[number], as_version=4)
    theirs = deepcopy(ours)
    change(theirs, CHANGED[number])
    run_with_solutions(theirs, run)  # every solution is right
    text = " ".join("".join(map(shown, theirs.cells)).split())
    assert [said for said in SAID[number] if said not in text] == []
    assert not OURS & {*re.findall(r"\w+", " ".join(map(shown, theirs.cells)))}
    for name, rule in follow.RULES.items():
        if not name.startswith(f"{number:02}"):
            continue
        expected = rule(*map(CHANGED[number].get, signature(rule).parameters))["answer"]
        assert expected != entries()[name]["answer"]  # it can be told from ours
        place = next(n for n, cell in enumerate(ours.cells) if f'"{name}"' in cell.source)
        cell, solution = theirs.cells[place : place + 2]
        if name.endswith("-guess"):
            answer = live_state(cell)["fixed"]["answer"]
            number_or_letter = expected if expected in [*"abc"] else float(Fraction(expected))
            assert answer == pytest.approx(number_or_letter)
        else:  # of which a page makes its box
            assert own_question(cell).entry["answer"] == expected
            assert "So it comes out for these lists." in solution.source
