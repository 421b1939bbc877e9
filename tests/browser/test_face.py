"""The type of pages and reports: no word mixes two faces, and headings stand where they should."""

from pathlib import Path
from unicodedata import category, name

import pandas as pd
import polib
import pytest
from playwright.sync_api import Browser

from byhand import report
from byhand.widgets.embed import tokens
from byhand.words import languages

ROOT = Path(__file__).parents[2]
RUNS = [ROOT / f"data/sample-{name}.txt.gz" for name in ("new", "old")]
CATALOGS = sorted(ROOT.glob("*/locale/*.po"))
SHOWN = """(characters) => {
  document.querySelector('main').replaceChildren(...characters.map((character) => {
    const place = document.createElement('p');
    place.textContent = character;
    return place;
  }));
  return document.fonts.ready.then(() => document.fonts.status);
}"""

# what stands between the letters of a heading, in pixels, and how high its lines are, in letters
ROOM = """(head) => {
  const { letterSpacing, lineHeight, fontSize } = getComputedStyle(head);
  const high = parseFloat(lineHeight) / parseFloat(fontSize);
  return [parseFloat(letterSpacing) || 0, Math.round(high * 100) / 100];
}"""
# headings that are not aligned as the cells below them
ASKEW = """() => {
  const side = (cell) => getComputedStyle(cell).textAlign.replace('start', 'left');
  return [...document.querySelectorAll('table')].flatMap(({ tHead, tBodies: [body] }) =>
    [...tHead?.rows[0].cells ?? []].filter((head, i) => head.textContent.trim()
      && [...body.rows].some(({ cells }) => cells[i] && side(cells[i]) !== side(head))
    ).map((head) => head.textContent));
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


@pytest.mark.parametrize("language", languages())
def test_headings_of_a_report_stand_over_their_cells(
    chromium: Browser, tmp_path: Path, language: str
):
    names = ["query_id", "_", "doc_id", "rank", "score", "tag"]
    run = pd.read_csv(RUNS[1], sep=" ", names=names)[["query_id", "doc_id", "score"]]
    made = report(
        {"new": RUNS[0], "old": RUNS[1], "older": run.iloc[::2]},
        ROOT / "data/sample-qrels.csv",
        all_pairs=True,
        groups={query: query[-1] for query in run["query_id"].unique()},
        language=language,
    )
    (tmp_path / "report.html").write_text(made.html(), encoding="utf-8")

    context = chromium.new_context(java_script_enabled=False)  # what a widget replaces is there
    page = context.new_page()
    page.goto((tmp_path / "report.html").as_uri())
    assert page.locator("table").count() > 5
    assert page.evaluate(ASKEW) == []
    if language == "ko":
        assert page.locator(".headline").evaluate(ROOM) == [0, 1.2]
    context.close()
