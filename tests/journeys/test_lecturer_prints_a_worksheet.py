"""A lecturer who prints the questions of a lesson for a class, and keeps the last sheet."""

import re
from pathlib import Path

from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]


def test_a_worksheet(shell, tmp_path: Path, page: Page):
    said = shell("python -m helpers pages handout --worksheet", status=2)
    assert "--worksheet: expected at least one" in said.err
    shell(f"cp -r {ROOT}/notebooks {ROOT}/data .")
    said = shell("python -m helpers pages handout --worksheet notebooks/05-choosing-a-metric.ipynb")
    assert "1 page: handout/05-choosing-a-metric-worksheet.html" in said.out
    worksheet = tmp_path / "handout" / "05-choosing-a-metric-worksheet.html"
    html = worksheet.read_text(encoding="utf-8")
    assert "<script" not in html
    assert "data-live='" not in html

    page.goto(worksheet.as_uri())
    page.emulate_media(media="print")
    text = page.locator("main").inner_text()
    questions, _, solutions = text.partition("\nSolutions\n")
    for words in ("Name:", "the five readers of AP", "Success@1", "exactly as good as BM25?"):
        assert words in questions
    for words in (
        "It goes on after the first hit",
        "One answer is shown: it is good",
        "It looks at the first five",
        "A search that returns little has little to miss",
    ):
        assert words in solutions
        assert words not in questions
    assert page.locator("button, input, nav, header").filter(visible=True).count() == 0

    page.pdf(path=tmp_path / "sheets.pdf", format="A4")
    sheets = re.findall(rb"/Type\s*/Page\b", (tmp_path / "sheets.pdf").read_bytes())
    assert 2 <= len(sheets) <= 5
