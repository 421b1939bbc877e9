"""Somebody in front of the page that makes a report of dropped files."""

import base64
import re
from collections.abc import Mapping
from pathlib import Path

from lite_harness import MINUTES, Visitor
from playwright.sync_api import Locator, Page, Request, expect

_DROPPED = """(files) => {
  const held = new DataTransfer();
  for (const [name, text] of files) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    held.items.add(new File([bytes], name));
  }
  const at = document.getElementById("drop");
  for (const kind of ["dragenter", "dragover", "drop"])
    at.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: held }));
}"""


class OwnFiles:
    """The page, and what it asked its host for."""

    def __init__(self, visitor: Visitor, name: str = "index") -> None:
        self.page: Page = visitor.context.new_page()
        self.asked: list[Request] = []
        self.page.on("request", lambda request: self.asked.append(request))
        self.page.on("pageerror", lambda error: visitor.errors.append(str(error)))
        self.page.goto(f"{visitor.address}/report/{name}.html")

    def is_ready(self) -> None:
        """Wait until Python stands."""
        expect(self.page.locator("#python")).to_be_hidden(timeout=2 * MINUTES)

    def drop(self, files: Mapping[str, bytes | str]) -> None:
        """Drop files onto the page, as from a folder."""
        contents = {
            name: held.encode() if isinstance(held, str) else held for name, held in files.items()
        }
        held = [(name, base64.b64encode(each).decode()) for name, each in contents.items()]
        self.page.evaluate(_DROPPED, held)

    def card(self, name: str) -> Locator:
        """What is said of a file."""
        return self.page.locator("#cards > li").filter(has=self.page.get_by_text(name, exact=True))

    def kind(self, name: str) -> str:
        """What a file is taken for, once Python has looked at it."""
        expect(self.card(name)).to_have_attribute("data-looked", "")
        return self.card(name).locator("select").input_value()

    def rows(self, name: str) -> list[list[str]]:
        """The rows of a file that are shown, its columns before them."""
        return [
            row.locator("th, td").all_inner_texts()
            for row in self.card(name).locator("table tr").all()
        ]

    def wrong(self) -> list[str]:
        """Everything that is said to be wrong."""
        return self.page.locator(".wrong:visible").all_inner_texts()

    def make(self) -> None:
        """Have the report made, and see it."""
        self.page.locator("#make").click()  # the button to stop is there at once, and may be brief
        expect(self.page.locator("#stop")).to_be_hidden(timeout=2 * MINUTES)
        assert self.wrong() == []
        expect(self.page.locator("#doing")).to_contain_text(re.compile(r"\d\.\d"))

    def saved(self, form: str, folder: Path) -> str:
        """What is saved in a form."""
        with self.page.expect_download() as download:
            self.page.locator(f"[data-save={form}]").click()
        path = folder / download.value.suggested_filename
        download.value.save_as(path)
        return path.read_text(encoding="utf-8")

    def empty(self) -> None:
        """Remove all files."""
        while (cards := self.page.locator("#cards [data-part=remove]")).count():
            cards.first.click()
