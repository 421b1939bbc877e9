"""The page that makes a report of dropped files, as somebody uses it."""

from collections.abc import Mapping
from pathlib import Path

from playwright.sync_api import Locator, Page, Request, expect

HELD = """(files) => {
  const held = new DataTransfer();
  for (const [name, bytes] of files) held.items.add(new File([new Uint8Array(bytes)], name));
  return held;
}"""


class Desk:
    """The page, and what it asked its host for."""

    def __init__(self, page: Page, name: str = "index") -> None:
        self.page = page
        self.asked: list[Request] = []
        page.on("request", lambda request: self.asked.append(request))
        page.goto(f"report/{name}.html")
        expect(page.locator("#python")).to_be_hidden()  # Python stands
        self.button, self.result = page.locator("#make"), page.locator("#result")
        self.options, self.reported = page.locator("#options"), page.locator("#reported")
        self.report = page.frame_locator("iframe")

    def drop(self, files: Mapping[str, bytes]) -> list[str]:
        """Drop files onto the page, as from a folder, and return what each is taken for."""
        held = [(name, [*content]) for name, content in files.items()]
        transfer = self.page.evaluate_handle(HELD, held)
        for kind in ("dragenter", "dragover", "drop"):
            self.page.dispatch_event("#drop", kind, {"dataTransfer": transfer})
        return [self.kind(name) for name in files]

    def card(self, name: str) -> Locator:
        """What is said of a file."""
        return self.page.locator("#cards > li").filter(has=self.page.get_by_text(name, exact=True))

    def kind(self, name: str) -> str:
        """What a file is taken for, once Python has looked at it."""
        expect(self.card(name)).to_have_attribute("data-looked", "")
        return self.card(name).locator("select").first.input_value()

    def wrong(self) -> list[str]:
        """Everything that is said to be wrong."""
        return self.page.locator(".wrong:visible").all_inner_texts()

    def make(self) -> None:
        """Have the report made, and see it."""
        self.button.click()
        expect(self.result).to_be_visible()
        assert self.wrong() == []

    def saved(self, form: str, folder: Path) -> Path:
        """What is saved in a form."""
        with self.page.expect_download() as download:
            self.page.locator(f"[data-save={form}]").click()
        path = folder / download.value.suggested_filename
        download.value.save_as(path)
        return path
