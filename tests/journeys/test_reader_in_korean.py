"""Somebody who reads Korean: the front page, a lesson and its widgets, and the same in English."""

import re

from playwright.sync_api import Page, expect

# what somebody reads of a page or hears, but for code, names of languages, and titles of sources
SAID = """() => {
  const found = [...document.querySelectorAll('[aria-label], [alt], [title]')].flatMap((node) =>
    ['aria-label', 'alt', 'title'].map((name) => node.getAttribute(name) ?? ''));
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const sources = document.getElementById('sources');
  const other = 'script, style, pre, code, math, [lang=en], [lang=pt]';
  for (let node; (node = walk.nextNode()); ) {
    if (sources?.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING) continue;
    if (!node.parentElement.closest(other)) found.push(node.data);
  }
  return found;
}"""
SKIP = re.compile("(질문|목표) 건너뛰기")
FOUR_WORDS = re.compile(r"\b[a-z]+(?:,? [a-z']+){3,}", re.IGNORECASE)


def expect_no_english(page: Page) -> None:
    said = page.evaluate(SAID)
    assert len(said) > 100
    items = re.compile(r"\b[A-Z]\b,?")  # of a document
    assert [each for each in said if FOUR_WORDS.search(items.sub("", each))] == []


def test_reads_it_in_korean_and_in_english(page: Page, course: str):
    page.goto(f"{course}/index.html")
    page.get_by_role("link", name="한국어").click()
    bisque = page.get_by_role("button", name="비스크 옮기기, 8개 중 6위")
    bisque.press("Home")
    expect(page.get_by_role("img", name="값: 1.000.")).to_be_visible()
    said = page.get_by_role("status")
    expect(said.filter(has_text="비스크")).to_contain_text("1위")
    expect_no_english(page)

    page.get_by_role("link", name="3 평균 정밀도(AP)").click()
    today = page.get_by_role("list", name="순위 리스트").first
    today.get_by_role("button", name="비스크 옮기기").press("Delete")
    dock = page.get_by_role("list", name="관련 있지만 리스트에 없음").first
    expect(dock).to_contain_text("비스크")
    for guess, reply in (("5/9", "아직"), ("1/3", "맞")):
        page.get_by_role("textbox").fill(guess)
        page.get_by_role("button", name="확정").click()
        expect(said.filter(has_text=reply).last).to_be_visible()
    while (skip := page.get_by_role("button", name=SKIP)).count():
        skip.click()
    expect(page.get_by_role("heading", name="정리")).to_be_visible()
    expect_no_english(page)
    heading = page.get_by_role("heading", name="방문자 다섯 명")
    heading.scroll_into_view_if_needed()

    page.get_by_role("link", name="English").click()
    dock = page.get_by_role("list", name="Relevant, but not in the list").first
    expect(dock).to_contain_text("bisque")
    expect(said.filter(has_text="Right").first).to_contain_text("1/3")
    expect(page.get_by_role("button", name="Skip the question")).to_have_count(0)
    expect(page.get_by_role("heading", name="Five visitors")).to_be_in_viewport()
    page.get_by_role("button", name="Move tart").first.press("Home")
    page.get_by_role("link", name="한국어").click()
    expect(today.get_by_role("listitem").first).to_contain_text("타르트")
    expect(today).to_be_in_viewport()
