"""Widgets in other languages: nothing stays English."""

import re
from pathlib import Path

from marked import Marked, outside
from page_checks import STARTED, until
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
