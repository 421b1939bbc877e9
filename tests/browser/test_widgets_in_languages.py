"""Widgets in other languages: nothing stays English, numbers have the language's marks."""

import re
from pathlib import Path

import pytest
from marked import Marked, outside
from page_checks import SPILLS, STARTED, assert_for_everybody, until, watch
from playwright.sync_api import Page
from widgets import write_page

from byhand import words
from byhand.metrics.conventions import CHOICES
from byhand.metrics.presets import PRESETS

# what is seen and what is said of a page
SAID = """() => {
  const said = [];
  for (const node of document.querySelectorAll('main *, main')) {
    if (node.closest('style, script, sup')) continue;
    if (node.querySelector(':scope > sup')) said.push(node.textContent); // a power is part of it
    else for (const child of node.childNodes) if (child.nodeType === 3) said.push(child.data);
    for (const name of ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'alt'])
      if (node.hasAttribute(name)) said.push(node.getAttribute(name));
  }
  return [...new Set(said)];
}"""
CUT_OFF = """() => [...document.querySelectorAll('main button, main label, main .rm-value')]
  .filter((node) => node.checkVisibility() && node.scrollWidth > node.clientWidth + 1
    && getComputedStyle(node).display !== 'inline')
  .map((node) => `${node.className}: ${node.textContent}`)"""
# what can be pressed, but what leads away; alone, or each press would lay out the whole page
PRESS = """() => {
  const sections = [...document.querySelectorAll('main section')];
  for (const section of sections) {
    for (const each of sections) each.hidden = each !== section;
    for (const node of section.querySelectorAll('button, summary, input')) {
      if (node.type === 'range' && !node.disabled) {
        node.value = node.max;
        node.dispatchEvent(new Event('input'));
      } else if (!node.closest('.rm-row') && node.checkVisibility()) node.click();
    }
  }
  for (const each of sections) each.hidden = false;
}"""
# what stays as it is in each language: names of measures, of tools and of options, and code
NAMES = sorted({*PRESETS, *(each for one in CHOICES.values() for each in one.options)}, key=len)
KEPT = re.compile(
    "|".join(rf"\b{re.escape(each)}(?!\w)" for each in reversed(NAMES))
    + r"|nDCG|DCG|MRR|MAP|RR|AP|ERR|RBP|HR|Success|[PRHk]@\d|\b[kpt]\b|τ|log[2₂]|rel="
    r"|\b(Enter|Esc|Home|End|Tab|Delete|Insert|run|lift|rank)\b",
    re.ASCII,
)


def everything_said(page: Page) -> list[str]:
    """What a reader comes to see and hear, pressing this and that."""
    said = page.evaluate(SAID)
    for _ in range(2):  # a third time brings values, and no word
        page.evaluate(PRESS)
        page.wait_for_timeout(300)
        said += page.evaluate(SAID)
    return [text for text in dict.fromkeys(said) if text.strip()]


def test_each_word_of_each_widget_is_a_message(page: Page, tmp_path: Path, monkeypatch):
    marked = Marked()
    monkeypatch.setattr(words, "catalog", lambda *_: marked)
    page.goto(write_page(tmp_path).as_uri())
    until(page, STARTED)
    said = everything_said(page)
    assert len(said) > 500
    english = [text for text in said if re.search(r"[a-z]{2}", KEPT.sub("", outside(text)))]
    assert not english, "\n".join(english)


@pytest.mark.parametrize("language", ["pt", "ko"])
def test_in_other_languages_it_fits_and_numbers_are_of_the_language(
    page: Page, tmp_path: Path, axe_source: str, language: str
):
    seen = watch(page)
    page.goto(write_page(tmp_path, language=language).as_uri())
    until(page, STARTED)
    assert page.locator(".rm").first.get_attribute("lang") == language
    page.evaluate(PRESS)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        until(page, f"({SPILLS})() === 0")
        assert page.evaluate(CUT_OFF) == []
    if language == "pt":  # names and colours are there in each language
        assert_for_everybody(page, axe_source, "main")
        said = everything_said(page)
        assert [text for text in said if re.search(r"\b\d\.\d(?!\d\d\b)", text)] == []
        assert [text for text in said if re.search(r"= \d,\d{3}", text)]
    assert seen == []
