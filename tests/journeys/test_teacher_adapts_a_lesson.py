"""A teacher who hands out a lesson with a list of their own: as a notebook, then as one page."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

ROOT = Path(__file__).parents[2]
OURS = r"""s/\(today = \[\)/\1\\"salsa\\", /"""
SOLUTION = r"""s/\[free\[0\], hits\[-1\]\]/[1, 2]/"""


def test_a_lesson_with_a_list_of_their_own(shell, execute, tmp_path: Path, page: Page):
    shell(f"cp -r {ROOT}/notebooks {ROOT}/data .")
    shell(f"sed '{OURS}' notebooks/03-average-precision.ipynb > notebooks/our-soup.ipynb")

    # in JupyterLab, from top to bottom: the numbers are those of the new list
    execute("notebooks/our-soup.ipynb")
    lesson = (tmp_path / "notebooks" / "our-soup.ipynb").read_text(encoding="utf-8")
    for ours in ("AP = 0.2524", "tomato soup  0.2524"):
        assert ours in lesson
    assert "tomato soup  0.3333" not in lesson

    # a page to hand out: its lists, too, and nothing of it is asked of anybody
    said = shell("python -m helpers pages handout notebooks/our-soup.ipynb")
    assert "1 page: handout/our-soup.html" in said.out
    assert [each.name for each in (tmp_path / "handout").iterdir()] == ["our-soup.html"]
    page.goto((tmp_path / "handout" / "our-soup.html").as_uri())
    rows = page.get_by_role("list", name="Ranked list").first.get_by_role("listitem")
    expect(rows.first).to_contain_text("salsa")
    rows.nth(1).get_by_role("button").first.press("ArrowUp")
    expect(rows.first).to_contain_text("ketchup")
    dead = page.eval_on_selector_all("a[href]", "all => all.map((a) => a.getAttribute('href'))")
    assert [each for each in dead if not re.match(r"[#?]|https://", each)] == []

    # a solution that is not right any more is found before the class does
    shell(f"sed -i '{SOLUTION}' notebooks/our-soup.ipynb")
    said = shell("python -m helpers pages handout notebooks/our-soup.ipynb", status=1)
    assert "a solution is not right" in said.err
    assert "helpers/answers.toml" in said.err
