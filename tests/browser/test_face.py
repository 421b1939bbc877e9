"""The type of pages and reports: no word mixes two faces."""

from html import escape
from pathlib import Path
from unicodedata import category, name

from playwright.sync_api import Browser, Page

from byhand.theme import base_style

ROOT = Path(__file__).parents[2]
CATALOGS = sorted(ROOT.glob("*/locale/*.po"))


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


def test_letters_of_the_catalogs_are_in_the_face(chromium: Browser):
    said = "".join(path.read_text("utf-8") for path in CATALOGS)
    letters = sorted({*filter(belongs_to_the_face, said)} - {" "})
    page = chromium.new_page()
    shown = " ".join(f"<p>{escape(each)}" for each in letters)
    page.set_content(f'<style>{base_style()}</style><body class="kit"><main>{shown}')
    page.evaluate("() => document.body.offsetHeight && document.fonts.ready.then(() => 0)")
    ours = drawn_by_ours(page, "main p")
    page.close()
    assert len(letters) > 100
    assert [letter for letter, own in zip(letters, ours, strict=True) if not own] == []
