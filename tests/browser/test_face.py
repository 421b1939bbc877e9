"""The type of pages and reports: no word mixes two faces."""

from html import escape
from pathlib import Path
from unicodedata import category, name

from playwright.sync_api import Page

from byhand.theme import base_style

CATALOGS = Path(__file__).parents[2].glob("*/locale/*.po")


def belongs_to_the_face(character: str) -> bool:
    """Letters of Latin, digits, and what stands between them; a system has other scripts."""
    latin = ord(character) < 0x100 or "LATIN" in name(character, "")
    return character.isprintable() and (latin or category(character)[0] == "P")


def test_letters_of_the_catalogs_are_in_the_face(page: Page):
    said = {letter for path in CATALOGS for letter in path.read_text("utf-8")}
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
