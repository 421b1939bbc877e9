"""A reader who takes the exams on their pages, and wants to know how it went."""

from playwright.sync_api import Page, expect


def test_an_exam_says_how_many_are_right_so_far(page: Page, course: str):
    page.goto(f"{course}/exam-2.html")
    score = page.locator("#score")
    expect(score).to_have_text("Right at the first try: 0 of 12")
    for question, letters in (("a", "d"), ("b", "ba"), ("i", "c")):
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
    expect(page.locator("[data-question='exam-2-2']")).to_be_in_viewport()
    page.goto(f"{course}/index.html")
    expect(page.get_by_role("link", name="Go on: the exam")).to_be_visible()


def test_an_exam_says_all_along_how_many_are_right_and_who_has_passed(page: Page, course: str):
    page.goto(f"{course}/exam-1.html")
    score = page.locator("#score")
    right = {"a": "7/16", "b": "c", "c": "1/2", "d": "d", "e": "cde", "f": "0.235", "g": "a"}
    right |= {"h": ["ketchup", "bisque", "gazpacho", "minestrone"], "i": "abd", "j": "b"}
    right |= {"k": "ac", "l": "11/45"}
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
        more = ". Nine or more: a good result." if n < 12 else ". All of them: well done."
        said = more if n >= 9 else ""
        expect(score).to_have_text(f"Right at the first try: {n} of 12{said}")
        expect(score).to_be_in_viewport()
