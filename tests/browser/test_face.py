"""The type of pages and reports: no word mixes two faces, and scripts stand where they should."""

import re
from html import escape
from pathlib import Path
from unicodedata import category, name

from nbformat import read
from playwright.sync_api import Browser, Page

from byhand.theme import base_style
from helpers.html import course_style
from helpers.markdown import Markdown
from helpers.site import course_notebooks

ROOT = Path(__file__).parents[2]
CATALOGS = sorted(ROOT.glob("*/locale/*.po"))
# how far what hangs below or stands above its base does so, in heights of the base
RAISED = """() => [...document.querySelectorAll('msub, msup')].map((math) => {
  const [base, script] = [...math.children].map((each) => each.getBoundingClientRect());
  return { kind: math.localName, below: (script.bottom - base.bottom) / base.height,
    above: (base.top - script.top) / base.height, apart: script.bottom < base.top };
})"""


def belongs_to_the_face(character: str) -> bool:
    """Letters of Latin, digits, and what stands between them; a system has other scripts."""
    latin = ord(character) < 0x100 or "LATIN" in name(character, "")
    return character.isprintable() and (latin or category(character)[0] == "P")


def drawn_by_ours(page: Page, selector: str) -> list[bool]:
    """Of each such element, whether no font of the system draws it."""
    asked = page.context.new_cdp_session(page)
    asked.send("DOM.enable")
    asked.send("CSS.enable")
    root = asked.send("DOM.getDocument")["root"]["nodeId"]
    places = asked.send("DOM.querySelectorAll", {"nodeId": root, "selector": selector})["nodeIds"]
    drawn = [asked.send("CSS.getPlatformFontsForNode", {"nodeId": each}) for each in places]
    return [all(font["isCustomFont"] for font in each["fonts"]) for each in drawn]


def test_letters_and_formulas_are_in_the_face_and_scripts_stand_low_and_high(chromium: Browser):
    letters = {
        *filter(belongs_to_the_face, "".join(path.read_text("utf-8") for path in CATALOGS))
    } - {" "}
    markdown, formulas = Markdown(ROOT, lambda _: None), []
    for path in course_notebooks():
        prose = [each.source for each in read(path, 4).cells if each.cell_type == "markdown"]
        formulas += re.findall("<math.*?</math>", markdown.html("\n\n".join(prose)), re.DOTALL)
    shown = [*(f"<p>{escape(each)}" for each in sorted(letters)), *formulas]
    page = chromium.new_page()
    style = base_style() + course_style(formulas=True)
    page.set_content(f'<style>{style}</style><body class="kit"><main>{" ".join(shown)}')
    page.evaluate("() => document.body.offsetHeight && document.fonts.ready.then(() => 0)")
    said = page.locator("main :is(p, mi, mn, mo, mtext)").all_text_contents()
    ours = drawn_by_ours(page, "main :is(p, mi, mn, mo, mtext)")
    raised = page.evaluate(RAISED)
    page.close()
    assert {"R", "−", "∑", "grade", "log"} <= {*said}
    assert [text for text, own in zip(said, ours, strict=True) if not own] == []
    low, high = ([each for each in raised if each["kind"] == kind] for kind in ("msub", "msup"))
    assert low
    assert all(each["below"] > 0.1 for each in low), low
    assert high
    assert all(each["above"] > 0.1 and not each["apart"] for each in high), high
