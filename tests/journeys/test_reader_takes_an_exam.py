"""A reader who takes the exams on their pages, and wants to know how it went."""

from playwright.sync_api import Page, expect


def test_an_exam_says_how_many_are_right_so_far(page: Page, course: str):
    page.goto(f"{course}/exam-2.html")
    score = page.locator("#score")
    expect(score).to_have_text("Right at the first try: 0 of 12")
    for question, letters in (("1", "d"), ("2", "ba"), ("9", "c")):
        asked = page.locator(f"[data-question='exam-2-{question}']")
        for letter in letters:
            asked.locator(f"input[value={letter}]").check()
            asked.get_by_role("button", name="Check").click()
    expect(score).to_have_text("Right at the first try: 2 of 12")  # 2 was right at the second
    missed = page.get_by_text("Not right at the first try:")
    expect(missed).to_have_text("Not right at the first try: 2")
    page.reload()
    expect(score).to_have_text("Right at the first try: 2 of 12")
    missed.get_by_role("link", name="2", exact=True).click()
    expect(page.locator("[data-question='exam-2-2']")).to_be_in_viewport()
    page.goto(f"{course}/index.html")
    expect(page.get_by_role("link", name="Go on: the exam")).to_be_visible()


def test_an_exam_says_all_along_how_many_are_right_and_who_has_passed(page: Page, course: str):
    page.goto(f"{course}/exam-1.html")
    score = page.locator("#score")
    right = ["7/16", "c", "1/2", "d", "cde", "0.235", "a"]
    right += [["ketchup", "bisque", "gazpacho", "minestrone"], "abd", "b", "ac", "11/45"]
    for n, answer in enumerate(right, start=1):
        asked = page.locator(f"[data-question='exam-1-{n}']")
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
