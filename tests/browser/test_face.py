"""The face of pages and reports: it has all that they say in letters, so that no word mixes two."""

from pathlib import Path
from unicodedata import category, name

import polib
import pytest
from playwright.sync_api import Browser

from byhand.widgets.embed import tokens

ROOT = Path(__file__).parents[2]
CATALOGS = sorted(ROOT.glob("*/locale/*.po"))
SHOWN = """(characters) => {
  document.querySelector('main').replaceChildren(...characters.map((character) => {
    const place = document.createElement('p');
    place.textContent = character;
    return place;
  }));
  return document.fonts.ready.then(() => document.fonts.status);
}"""


def belongs_to_the_face(character: str) -> bool:
    """Letters of Latin, digits, and what stands between them; a system has other scripts."""
    latin = ord(character) < 0x100 or "LATIN" in name(character, "")
    return character.isprintable() and (latin or category(character)[0] == "P")


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_each_letter_of_each_catalog_is_in_the_face(chromium: Browser, path: Path):
    said = set()
    for entry in polib.pofile(str(path)):
        said.update(entry.msgid, entry.msgid_plural, entry.msgstr, *entry.msgstr_plural.values())
    letters = sorted(filter(belongs_to_the_face, said - {" "}))
    assert {*"aZ0,"} < {*letters}

    page = chromium.new_page()
    page.set_content(
        f"<style>{tokens(face=True)}</style>"
        f'<html lang="{path.stem}"><body class="kit" style="font-family: var(--face)"><main>'
    )
    page.evaluate(SHOWN, letters)
    asked = page.context.new_cdp_session(page)
    asked.send("DOM.enable")
    asked.send("CSS.enable")
    root = asked.send("DOM.getDocument")["root"]["nodeId"]
    places = asked.send("DOM.querySelectorAll", {"nodeId": root, "selector": "p"})["nodeIds"]
    lacking = ""
    for letter, place in zip(letters, places, strict=True):
        fonts = asked.send("CSS.getPlatformFontsForNode", {"nodeId": place})["fonts"]
        if not all(font["isCustomFont"] for font in fonts):
            lacking += letter
    page.close()
    assert not lacking
