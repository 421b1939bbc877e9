"""A lecturer whose class answers a lesson, and who wants to know what was not understood."""

import csv
from pathlib import Path

from playwright.sync_api import Page, expect


def answer(page: Page, course: str, tries: str) -> None:
    """Open lesson 5 as another student, who commits to these letters in its first question."""
    page.goto(f"{course}/05-choosing-a-metric.html")
    page.get_by_role("button", name="Forget all").click()
    page.reload()
    question = page.locator("[data-question='05-guess']")
    for letter in tries:
        question.locator(f"input[value={letter}]").check()
        question.get_by_role("button", name="Commit").click()


def test_a_class_hands_in(shell, tmp_path: Path, page: Page, course: str):
    # two students save a file each, the second one tries once more; a third one copies the text
    folder = tmp_path / "handed in"
    for name, tries in (("Ana Sá", "c"), ("ben", "abc"), (" Ben ", "ac")):
        answer(page, course, tries)
        page.get_by_text("Hand in your answers").click()
        page.get_by_label("Your name or number").fill(name)
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save them as a file").click()
        expect(page.get_by_text("Saved with your downloads")).to_be_visible()
        saved.value.save_as(folder / tries / saved.value.suggested_filename)
    answer(page, course, "a")
    page.get_by_text("Hand in your answers").click()
    page.get_by_role("button", name="Copy my answers").click()
    copied = page.get_by_label("What is handed in").input_value()
    assert "05-guess: not right yet (a)" in copied
    (folder / "mail.txt").write_text(f"Dear teacher,\n{copied}\nCho", encoding="utf-8")
    (folder / "half.txt").write_text(copied[:-30], encoding="utf-8")
    (folder / "other.txt").write_text("My answers are a, b, b.", encoding="utf-8")

    said = shell("python -m helpers answers 'handed in'")
    assert "half.txt is left out: it is damaged" in said.err
    assert "other.txt is left out: no answers of a lesson stand in it" in said.err
    assert said.err.count("is of the same student, and later") == 1
    assert "05-guess 3 33% 67% a (2)" in " ".join(said.out.split())
    assert "Wrote answers.csv. It is what the browsers of the class say, and no proof." in said.out
    rows = list(csv.DictReader((tmp_path / "answers.csv").open(encoding="utf-8-sig")))
    assert sorted(row["05-guess"] for row in rows) == ["1", "2", "wrong"]
    assert "Ana" not in (tmp_path / "answers.csv").read_text(encoding="utf-8")

    shell("python -m helpers answers 'handed in' --names -o class.csv")
    names = [
        row["name"] for row in csv.DictReader((tmp_path / "class.csv").open(encoding="utf-8-sig"))
    ]
    assert sorted(names) == ["Ana Sá", "Ben", "mail.txt"]

    said = shell("python -m helpers answers 'handed in' --lesson 06", status=2)
    assert "holds no answers" in said.err


def test_an_exam_says_how_many_are_right_so_far(page: Page, course: str):
    page.goto(f"{course}/exam-2.html")
    score = page.locator("#score")
    expect(score).to_have_text("Right at the first try: 0 of 12")
    for question, letters in (("a", "d"), ("b", "ab"), ("i", "c")):
        asked = page.locator(f"[data-question='exam-2-{question}']")
        for letter in letters:
            asked.locator(f"input[value={letter}]").check()
            asked.get_by_role("button", name="Check").click()
    expect(score).to_have_text("Right at the first try: 2 of 12")  # b was right at the second
    missed = page.get_by_text("Not right at the first try:")
    expect(missed).to_have_text("Not right at the first try: b")
    page.reload()
    expect(score).to_have_text("Right at the first try: 2 of 12")
    missed.get_by_role("link", name="b").click()
    expect(page.locator("[data-question='exam-2-b']")).to_be_in_viewport()
    page.goto(f"{course}/index.html")
    expect(page.get_by_role("link", name="Go on: the exam")).to_be_visible()


def test_an_exam_says_all_along_how_many_are_right_and_who_has_passed(page: Page, course: str):
    page.goto(f"{course}/exam-1.html")
    score = page.locator("#score")
    right = {"a": "7/16", "b": "c", "c": "1/2", "d": "b", "e": "cde", "f": "0.235", "g": "b"}
    right |= {"h": ["ketchup", "bisque", "gazpacho", "minestrone"], "i": "abd", "j": "b"}
    right |= {"k": "ac", "l": ["B", "C", "A"]}
    for n, (question, answer) in enumerate(right.items(), start=1):
        asked = page.locator(f"[data-question='exam-1-{question}']")
        if asked.locator(".rm-text").count():
            asked.locator(".rm-text").fill(answer)
        elif isinstance(answer, list):
            for item in reversed(answer):
                asked.get_by_role("button", name=f"Move {item}").press("Home")
        else:
            for letter in answer:
                asked.locator(f"input[value={letter}]").check()
        asked.get_by_role("button", name="Check").click()
        said = "" if n < 9 else ". Passed: nine or more." if n < 12 else ". All of them: well done."
        expect(score).to_have_text(f"Right at the first try: {n} of 12{said}")
        expect(score).to_be_in_viewport()
