"""Widgets in other languages: nothing stays English, numbers have the language's marks."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from marked import Marked, outside
from page_checks import SPILLS, STARTED, assert_for_everybody, until, watch
from playwright.sync_api import Page, expect

from byhand import words
from byhand.metrics.conventions import CHOICES
from byhand.metrics.presets import PRESETS
from byhand.reports.page import page as page_around
from byhand.widgets import (
    Challenge,
    Explorer,
    FormulaComparison,
    Goal,
    IntervalSamples,
    OwnList,
    OwnQueries,
    PermutationTest,
    Prediction,
    Queries,
    Shuffle,
    Visitors,
    phrases,
)
from byhand.widgets.bench import FORMULAS
from byhand.widgets.embed import live_html
from byhand.widgets.prediction.answers import Choice, Number, Order, Several

LIST, GRADES = ["α", "β", "γ", "δ"], {"β": 1, "γ": 1, "ω": 1}
WIDGETS: dict[str, Callable[[], object]] = {
    "explorer": lambda: Explorer(LIST, {"β": 2, "γ": None, "ω": 1}, max_grade=2, k=3),
    "spans": lambda: Explorer(LIST, {"β"}, spans={"δ": 5}, measures=["RR", "P@2"]),
    "others": lambda: Explorer(LIST, {"β": 2, "ω": 1}, max_grade=2, measures=["ERR", "RBP", "R@2"]),
    "means": lambda: Explorer(LIST, {"β"}, measures="RR", means={"①": {"②": (LIST, {"γ"})}}),
    "low": lambda: Explorer(LIST, {"β": 2, "γ": 1}, max_grade=2, measures=["AP(rel=2)", "DCG"]),
    "number": lambda: Explorer(LIST, {"γ"}, shows="number", trace=True),
    "curve": lambda: Explorer(LIST, {"β", "δ"}, shows="curve"),
    "area": lambda: Explorer(LIST, GRADES, shows="area"),
    "discount": lambda: Explorer(LIST, {"β": 2, "δ": 1}, max_grade=2, shows="discount"),
    "ideal": lambda: Explorer(LIST, {"β": 2, "ω": 1}, max_grade=2, shows="ideal"),
    "bench": lambda: FormulaComparison({"①": (LIST, GRADES)}, [*FORMULAS], extra=92),
    "benches": lambda: FormulaComparison(
        {"①": (LIST, GRADES), "②": (LIST[::-1], {"β"})}, ["line", "AP"]
    ),
    "challenge": lambda: Challenge(
        LIST,
        {"β", "γ"},
        Goal.highest("AP", given={"RR": "3/4"}),
        beside={"①": (["α"], {"α"})},
        covers=True,
    ),
    "one goal": lambda: Challenge(LIST, {"γ"}, Goal.reach("RR", "1/2"), docking=True),
    "own": lambda: OwnList("α\nβ *\nγ **", measures=["nDCG", "AP"]),
    "own queries": lambda: OwnQueries("①\nα\nβ *\n\n②\nγ"),
    "guess": lambda: Prediction("①?", Number(answer=0.25, hints=["②"]), covers=True),
    "choice": lambda: Prediction("①?", Choice(answer="β", options={"α": "α", "β": "β"})),
    "ticks": lambda: Prediction(
        "①?", Several(answer={"α"}, options={"α": "α", "β": "β", "γ": "γ"})
    ),
    "order": lambda: Prediction("①?", Order(answer=LIST, start=LIST[::-1])),
    "queries": lambda: Queries(
        {"①": (LIST, GRADES), "②": (["α"], ())},
        formulas=["mean rank", "mean of all", "mean of hits"],
        never=True,
    ),
    "one mean": lambda: Queries(
        {"①": (LIST, GRADES), "②": (["α"], ())}, goal=Goal.nearest("RR", 0.3), digits=4
    ),
    "draws": lambda: IntervalSamples([0.5, 0.25, -0.5, 0], names=("Α", "Β"), n=30, goal=0.1),
    "signs": lambda: PermutationTest([0.5, 0.25, 0, -0.25], names=("Α", "Β")),
    "shuffle": lambda: Shuffle(LIST, GRADES, measures="AP", others=1000),
    "labels": lambda: PermutationTest({"Α": [0.5, 0.2, 0.1], "Β": [0.1, 0.05, 0.01]}),
    "visitors": lambda: Visitors(LIST, GRADES),
    "whole walk": lambda: Visitors([*"αβγδεζηθ"], [*"βγζικ"]),
}
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
# what is covered or folded is opened, and what has longer words then is pressed
OPEN = """() => {
  for (const name of ['skip', 'more', 'longer', 'line'])
    for (const node of document.querySelectorAll(`main [data-name=${name}]`))
      if (node.checkVisibility() && node.ariaExpanded !== 'true') node.click();
  for (const node of document.querySelectorAll('main [data-name$=-many]')) node.click();
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
    + r"|nDCG|DCG|MRR|MAP|RR|AP|ERR|RBP|HR|Success|[PRHk]@\d|\b[kpt]\b|τ|log2|rel="
    r"|\b(Enter|Esc|Home|End|Tab|Delete|Insert|run|lift|rank)\b",
    re.ASCII,
)


@contextmanager
def written(folder: Path, language: str, names: list[str] | None = None) -> Iterator[Path]:
    """A page with widgets in a language, and their stills."""
    with words.speaking(language):
        body = ""
        for name in names or WIDGETS:
            widget = WIDGETS[name]()
            alt = picture.alt if (picture := widget.picture()) else ""
            state = live_html(widget.page_state(), f'<img class="still" alt="{alt}">')
            body += f'<section id="{name.replace(" ", "-")}"><h2>①</h2>{state}</section>'
        path = folder / "page.html"
        html = page_around(title="①", head="<h1>①</h1>", body=body, language=language)
        path.write_text(html, "utf-8")
        yield path


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
    seen = watch(page)
    with written(tmp_path, "en") as path:
        page.goto(path.as_uri())
    until(page, STARTED)
    said = everything_said(page)
    assert seen == []
    assert len(said) > 500
    english = [text for text in said if re.search(r"[a-z]{2}", KEPT.sub("", outside(text)))]
    assert not english, "\n".join(english)


@pytest.mark.parametrize("language", ["pt", "ko"])
def test_in_other_languages_it_fits_and_says_no_english(
    page: Page, tmp_path: Path, axe_source: str, language: str
):
    seen = watch(page)
    with written(tmp_path, language) as path:
        page.goto(path.as_uri())
    until(page, STARTED)
    said = page.evaluate(SAID)
    assert page.locator(".rm").first.get_attribute("lang") == language
    page.evaluate(OPEN)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        until(page, f"({SPILLS})() === 0")
        assert page.evaluate(CUT_OFF) == []
    if language == "pt":  # names and colours are there in each language
        assert_for_everybody(page, axe_source, "main")
    said += everything_said(page)
    english = {text for text in words_of("en") if re.search("[a-z]{3}", text)} - {*NAMES}
    assert not {*said} & (english - words_of(language))
    if language == "ko":
        latin = [text for text in said if re.search("[a-z]{2}", KEPT.sub("", text))]
        assert not latin, "\n".join(latin)
    else:
        points = [text for text in said if re.search(r"\b\d\.\d(?!\d\d\b)", text)]
        assert not points, "\n".join(points)
        assert [text for text in said if re.search(r"= \d,\d{3}", text)]
    assert seen == []


def test_numbers_may_be_entered_with_a_comma(page: Page, tmp_path: Path):
    with written(tmp_path, "pt", ["guess"]) as path:
        page.goto(path.as_uri())
    field, said = page.locator("#guess [type=text]"), page.locator("#guess .rm-verdict")
    field.fill("0,25")
    page.get_by_role("button", name="Confirmar").click()
    expect(said).to_contain_text("0,25 (1/4)")


def words_of(language: str) -> set[str]:
    """What widgets say in a language."""
    with words.speaking(language):
        said = phrases.phrases()
    texts = [text for part in said.values() for text in part.values()]
    return {form for text in texts for form in ([text] if isinstance(text, str) else text.values())}
