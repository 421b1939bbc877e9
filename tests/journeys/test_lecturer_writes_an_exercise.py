"""A lecturer who puts an exercise of their own into a lesson, as docs/teach.md says."""

import re
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell
from playwright.sync_api import Page, expect

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "teach.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## Add your own list or exercise")[2].partition("\n## ")[0]
QUESTION, ANSWER = re.findall(r"```python\n(.+?)\n```", SECTION, re.DOTALL)
(ASKED,) = re.findall(r'"(\*\*Exercise .+?)"', SECTION)
CHOICE = """
from helpers import ask

ask(
    Question(
        "salsa-b",
        answer="b",
        comments={"a": "It falls.", "b": "What stands after the last hit counts nowhere."},
    ),
    options={"a": "salsa on top", "b": "salsa at the end"},
)
"""
STUDENT = f"""
from byhand import *
from helpers import *
soups = {{"bisque", "gazpacho", "harira", "minestrone", "rasam"}}
today = "ketchup minestrone gazpacho lasagne focaccia bisque salad tart".split()
{QUESTION}
for answer in ("1/3", 0.252):
    print(check(salsa, answer))
"""
TRIED = ANSWER.replace("None", "1 / 3  # tried by its author")


def write_into(path: Path, *, title: str) -> None:
    """What a lecturer types in JupyterLab: a title, and an exercise before the recap."""
    lesson = nbformat.read(path, as_version=4)
    first = lesson.cells[0]
    first.source = re.sub("^# .+", f"# {title}", first.source)
    (place,) = (n for n, cell in enumerate(lesson.cells) if cell.source.startswith("## Recap"))
    lesson.cells[place:place] = [
        new_code_cell(QUESTION, metadata={"jupyter": {"source_hidden": True}}),
        new_markdown_cell(ASKED),
        new_code_cell(TRIED),
        new_markdown_cell("**Exercise e.** What leaves AP as it is?"),
        new_code_cell(CHOICE.strip()),
    ]
    nbformat.write(lesson, path)


def test_an_exercise_of_their_own(shell, tmp_path: Path, page: Page):
    shell(f"cp -r {ROOT}/notebooks {ROOT}/data .")
    shell("cp notebooks/03-average-precision.ipynb 'notebooks/week 2.ipynb'")
    lesson = tmp_path / "notebooks" / "week 2.ipynb"
    write_into(lesson, title="Salsa")

    # in JupyterLab the cells stay folded, and a student is checked
    shell("python -m helpers notebooks 'notebooks/week 2.ipynb'")
    cells = nbformat.read(lesson, as_version=4).cells
    (own,) = (cell for cell in cells if cell.source == QUESTION)
    assert own.metadata["jupyter"]["source_hidden"]
    said = shell("python", types=STUDENT)
    assert "Not yet. That was AP before the salsa came." in said.out
    assert "Right: 0.2524. Each soup is one rank lower." in said.out

    # one page of it
    said = shell("python -m helpers pages handout 'notebooks/week 2.ipynb'")
    assert "1 page: handout/week 2.html" in said.out
    html = (tmp_path / "handout" / "week 2.html").read_text(encoding="utf-8")
    assert "tried by its author" not in html
    page.goto((tmp_path / "handout" / "week 2.html").as_uri() + "#exercises")
    expect(page.get_by_role("heading", level=1)).to_have_text("Salsa")

    number = page.locator("[data-question='salsa-a']")
    for guess, reply in (
        ("1/3", "Not yet. That was AP before the salsa came."),
        ("0.7", "At ranks 3, 4 and 7. Add up the precisions there."),
        ("0.252", re.compile("Right: the answer is 0.252.*Each soup is one rank lower.")),
    ):
        number.get_by_role("textbox").fill(guess)
        number.get_by_role("button", name="Check").click()
        expect(number).to_contain_text(reply)

    choice = page.locator("[data-question='salsa-b']")
    choice.get_by_label("salsa at the end").check()
    choice.get_by_role("button", name="Check").click()
    expect(choice).to_contain_text("What stands after the last hit counts nowhere.")
