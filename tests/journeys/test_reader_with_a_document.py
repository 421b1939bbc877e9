"""Somebody with one of the five documents in hand: from README to its values and its lists."""

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
WORDS = {
    "": ("Commit", "Right", re.compile("Skip the (question|goal)")),
    "pt/": ("Confirmar", "Certo", re.compile("Pular (a pergunta|o objetivo)")),
    "ko/": ("확정", "맞았습니다", re.compile("(질문|목표) 건너뛰기")),
}


def sees(page: Page, role: str, *names: str) -> None:
    """What is called so is on the page."""
    for name in names:
        expect(page.get_by_role(role, name=name).first).to_be_visible()


@pytest.fixture
def opened(page: Page, course: str) -> Callable:
    """Search README for what a document prints, follow the link, and answer the first questions."""

    def follow(printed: str, *guesses: str, language: str = "") -> None:
        rows = [each for each in README.splitlines() if each.startswith("| [")]
        (found,) = (each for each in rows if re.search(rf"(?<![\w.]){printed}(?![\w.]*\d)", each))
        (name,) = re.findall(r"\(notebooks/([\w-]+)\.ipynb\)", found)
        page.goto(f"{course}/{language}{name}.html")
        commit, right, skip = WORDS[language]
        said = page.get_by_role("status")
        for n, guess in enumerate(guesses, start=1):
            page.get_by_role("textbox").last.fill(guess)
            page.get_by_role("button", name=commit).last.click()
            expect(said.filter(has_text=right)).to_have_count(n)
        while (question := page.get_by_role("button", name=skip)).count():
            question.first.click()

    return follow


def test_the_korean_list_in_korean(page: Page, opened: Callable, drag: Callable):
    opened("MRR 0.375", "0.5", language="ko/")
    # how soon B comes is nothing to precision and recall
    drag(page.get_by_role("list", name="순위 리스트").first, "B", to="Z")
    sees(page, "img", "P@8 = 0.375, R@8 = 0.750.")
    sees(page, "row", "RR@5 원문 값 ✓", "리스트 1/2 = 0.5000 0.5 ✓", "MRR 3/8 = 0.3750 0.375 ✓")
    # two cases: the hit of the second one moves up to the top
    drag(page.get_by_role("list", name="케이스 2").first, "B", to="N")
    sees(page, "group", "RR 평균: 3/4.")


def test_the_d4_queries(page: Page, opened: Callable, drag: Callable):
    opened("MRR 0.5", "0", "0.5")
    # whether D4 is there, which order does not change; and how soon
    found, soon = (page.get_by_role("list", name="Q1").nth(n) for n in (0, 1))
    drag(found, "D4", to="D2")
    sees(page, "group", "mean Success@3 is 2/3.")
    sees(page, "row", "Q1 1/2 = 0.5000 0.5 ✓", "Q3 0 0 ✓", "MRR 1/2 = 0.5000 0.5 ✓")
    drag(soon, "D4", to="D1")
    sees(page, "group", "mean RR is 2/3.")
    # Q3 finds D4 at last, and the number of a program that skips it falls
    skips = page.get_by_role("button", name="mean without failures")
    expect(skips).to_contain_text("3/4")
    page.get_by_role("button", name="Move D4, not in the list").nth(2).press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(skips).to_contain_text("11/18")
    expect(page.get_by_role("button", name="the note's MRR")).to_contain_text("11/18")


def test_three_users_in_portuguese(page: Page, opened: Callable, drag: Callable):
    opened("0.877215", "11/18", language="pt/")
    # the second hit changes no RR
    drag(page.get_by_role("list", name="gosta de 1 e 4").first, "4", to="1")
    sees(page, "group", "média de RR é 1.")
    sees(page, "row", "gosta de 1 e 4 1 1 ✓ 0,877215 0,877215 ✓ 3/4 = 0,750000 0,75 ✓")
    # the user who likes 1 and 4 becomes the one who likes 1 and 3, who is in the table, too
    drag(page.get_by_role("list", name="Ranking").first, "4", to="3")
    sees(page, "img", "RR = 1,000; AP = 0,833; nDCG = 0,920.")
    sees(page, "row", "gosta de 1 e 3 1 1 ✓ 0,919721 0,919721 ✓ 5/6 = 0,833333 0,833333 ✓")


def test_tracins_triples(page: Page, opened: Callable, drag: Callable):
    opened("0.5111", "23/45")
    # the second relevant edge of a triple takes the place of the first
    drag(page.get_by_role("list", name="triple 1").first, "C", to="D")
    sees(page, "group", "mean rank is 3.")
    sees(page, "row", "MRR 23/45 = 0.5111 0.5111 ✓")
    # MRR 0.5, "on average at rank 2", with first hits at ranks 4, 1 and 4
    for triple, edge, to in (("triple 1", "E", "C"), ("triple 3", "M", "L")):
        drag(page.get_by_role("list", name=triple).nth(1), edge, to)
    sees(page, "button", "MRR 1/2", "mean rank 3")
    # an AP that does not come out, whatever is dragged
    drag(page.get_by_role("list", name="Ranked list").first, "g2", to="x1")
    sees(page, "img", "Hits at ranks 1, 2, 5 of 10. AP = 0.867.")
    sees(page, "row", "A 1 1.0 ✓ 7/10 = 0.7000 0.7333 ✗")


def test_the_tourist_spots(page: Page, opened: Callable, drag: Callable):
    opened("0.4167", "5/12")
    procedures = ("original", "corrected")
    for group in product(procedures, ("weighted", "normalized")):
        sees(page, "row", f"{', '.join(group)} Steins;Gate 1")
    means = {"5/12 = 0.4167 0.4167": 1, "7/24 = 0.2917 0.2917": 1, "3/4 = 0.7500 0.7500": 2}
    for mean, n in means.items():
        expect(page.get_by_role("row", name=f"MRR {mean} ✓")).to_have_count(n)
    # a theme's most visited spot moves to the top: one mean rises, and the other one falls
    rows = [page.get_by_role("row", name=f"{each} procedure").first for each in procedures]
    expect(rows[0]).to_contain_text("0.4167")
    drag(page.get_by_role("list", name="Ranked list").first, "S001", to="S003")
    for row in rows:
        expect(row).to_contain_text("0.6667")


def test_tracin_on_real_data(page: Page, opened: Callable, drag: Callable):
    opened("0.0123")
    sees(page, "row", "many (CCGGDD) 0.0123 0.0048 17.37", "few (CGGD) 0.0021 0.0020 1.69")
    ratios = page.get_by_text("many ÷ few: MRR 5.9; MAP 2.4; relevant edges 10.3")
    expect(ratios).to_be_visible()
    # a better rank raises RR, and so does one more relevant edge of a random order
    drag(page.get_by_role("list", name="Ranked list").first, "F", to="E")
    sees(page, "img", "Hit at rank 5 of 8. RR = 0.200.")
    # at random: the ratios that come out by chance
    sees(page, "row", "MRR 0.0111 0.0015 7.3", "RR 17,658 0.7848")
