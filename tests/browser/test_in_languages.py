"""In other languages: pages live, fit a phone and lead to one another; no word stays English."""

import re
from html import escape
from pathlib import Path
from unicodedata import category, name

import pytest
from browser_harness import ROOT
from marked import Marked, outside
from page_checks import ALL_BUT_COLOURS, SPILLS, STARTED, until, violations, watch
from playwright.sync_api import Page, expect
from widgets import write_page

from byhand import words
from byhand.metrics.conventions import CHOICES
from byhand.metrics.presets import PRESETS
from byhand.theme import base_style
from helpers.site import course_notebooks

LESSON = "03-average-precision.html"
CUT_OFF = """() => [...document.querySelectorAll('main :is(button, label, .rm-value), .brand')]
  .filter((node) => node.checkVisibility() && node.scrollWidth > node.clientWidth + 1
    && getComputedStyle(node).display !== 'inline')
  .map((node) => `${node.className}: ${node.textContent}`)"""


@pytest.mark.parametrize("language", [each for each in words.languages() if each != words.ENGLISH])
def test_every_page_lives_and_fits_a_phone(
    page: Page, editions: Path, axe_source: str, language: str
):
    seen = watch(page)
    for stem in ["index", *(path.stem for path in course_notebooks())]:
        page.goto((editions / language / f"{stem}.html").as_uri())
        until(page, STARTED)
        for width in (320, 360, 390):
            page.set_viewport_size({"width": width, "height": 844})
            title = page.locator("h1").bounding_box()
            speaks = page.locator(".speaks").bounding_box()
            assert speaks["y"] + speaks["height"] <= title["y"], stem
            assert page.evaluate(CUT_OFF) == [], stem
        assert page.evaluate(SPILLS) <= 0, stem
        assert page.locator("body > header").bounding_box()["height"] <= 49, stem
    page.goto((editions / language / LESSON).as_uri())
    page.evaluate(axe_source)
    assert violations(page, **ALL_BUT_COLOURS) == []  # colours are those of the English
    assert seen == []


def test_on_a_phone_neither_contents_nor_languages_cover_the_other(page: Page, editions: Path):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto((editions / "ko" / LESSON).as_uri())
    until(page, STARTED)
    # as Korean is read
    expect(page.locator(".rm-label").first).to_have_css("word-break", "keep-all")
    contents, toggle = page.locator("#parts"), page.locator(".toggle")
    toggle.click()
    for link in contents.get_by_role("link").all():
        link.click(trial=True)  # nothing lies over it
    page.locator(".speaks").click()
    expect(contents).to_be_hidden()
    for language in page.locator(".languages > :not(i)").all():
        language.click(trial=True)
        assert language.bounding_box()["height"] >= 44
    toggle.click()
    expect(page.locator(".languages")).to_be_hidden()
    expect(contents).to_be_visible()


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


def test_each_word_of_each_widget_is_a_message(page: Page, tmp_path: Path, monkeypatch):
    marked = Marked()
    monkeypatch.setattr(words, "catalog", lambda *_: marked)
    page.goto(write_page(tmp_path).as_uri())
    until(page, STARTED)
    said = page.evaluate(SAID)
    for _ in range(2):  # a third time brings values, and no word
        page.evaluate(PRESS)
        page.wait_for_timeout(300)
        said += page.evaluate(SAID)
    assert len({*said}) > 500
    english = {text for text in said if re.search(r"[a-z]{2}", KEPT.sub("", outside(text)))}
    assert not english, "\n".join(english)


def belongs_to_the_face(character: str) -> bool:
    """Letters of Latin, digits, and what stands between them; a system has other scripts."""
    latin = ord(character) < 0x100 or "LATIN" in name(character, "")
    return character.isprintable() and (latin or category(character)[0] == "P")


def test_letters_of_the_catalogs_are_in_the_face(page: Page):
    said = {letter for path in ROOT.glob("*/locale/*.po") for letter in path.read_text("utf-8")}
    letters = "".join(sorted(filter(belongs_to_the_face, said)))
    assert len(letters) > 100
    page.set_content(f'<style>{base_style()}</style><body class="kit"><p>{escape(letters)}')
    page.evaluate("() => document.body.offsetHeight && document.fonts.ready.then(() => 0)")
    asked = page.context.new_cdp_session(page)
    asked.send("DOM.enable")
    asked.send("CSS.enable")
    root = asked.send("DOM.getDocument")["root"]["nodeId"]
    shown = asked.send("DOM.querySelector", {"nodeId": root, "selector": "p"})
    fonts = asked.send("CSS.getPlatformFontsForNode", shown)["fonts"]
    assert [font for font in fonts if not font["isCustomFont"]] == []
