"""A static host, and somebody who opens the lessons there, or makes a report of own files."""

import base64
import json
import os
import re
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar
from urllib.parse import urlsplit

from browser_harness import COMMAND, CONNECTED, HOST, SETTLED, note_outside
from playwright.sync_api import BrowserContext, Locator, Page, Request, expect

KIT = "/some/folder"  # a site seldom lies at the root of its host
CELLS = """() => window.jupyterapp.shell.currentWidget.content.widgets.map((cell) => ({
  type: cell.model.type, source: cell.model.sharedModel.source,
  count: cell.model.executionCount, outputs: cell.model.outputs?.toJSON() }))"""
ASK = """async (code) => {
  const kernel = window.jupyterapp.shell.currentWidget.context.sessionContext.session.kernel;
  const future = kernel.requestExecute({ code, store_history: false });
  let said = "";
  future.onIOPub = ({ content }) => { said += content.text ?? content.evalue ?? ""; };
  await future.done;
  return said.trim();
}"""
MINUTES = 60_000


class Host(SimpleHTTPRequestHandler):
    """Serves a folder, and counts the bytes of each file that it sends."""

    protocol_version = "HTTP/1.1"
    sent: ClassVar[Counter[str]] = Counter()

    def translate_path(self, path: str) -> str:
        return super().translate_path(path.removeprefix(KIT))

    def copyfile(self, source, outputfile) -> None:
        Host.sent[urlsplit(self.path).path.removeprefix(KIT)] += os.fstat(source.fileno()).st_size
        super().copyfile(source, outputfile)

    def log_message(self, *_) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a host that serves a folder as static hosts do."""
    server = ThreadingHTTPServer((HOST, 0), partial(Host, directory=str(folder)))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://{HOST}:{server.server_address[1]}{KIT}"
    server.shutdown()


@dataclass
class Visitor:
    """Somebody with a browser that keeps what it loads, and what they asked other hosts for."""

    context: BrowserContext
    address: str
    outside: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.context.on("request", lambda asked: note_outside(asked, self.outside))

    @contextmanager
    def open(self, lesson: str, *, further: str = "") -> Iterator["Lesson"]:
        """A lesson in a tab of its own, its Python ready; the tab is closed at the end."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        path = f"notebooks/{lesson}.ipynb"
        page.goto(f"{self.address}/lite/lab/index.html?path={path}{further}")
        page.wait_for_function(CONNECTED, arg=path, timeout=4 * MINUTES)
        page.evaluate("() => window.jupyterapp.shell.collapseLeft?.()")
        yield Lesson(page)
        page.close()


@dataclass
class Lesson:
    """A lesson in front of somebody."""

    page: Page

    def command(self, name: str, **given: object) -> None:
        """Have JupyterLab do one of its commands."""
        self.page.evaluate(COMMAND, [name, given])

    def run_all(self) -> list[dict]:
        """Run every cell from scratch, and return them."""
        self.command("editmenu:clear-all")  # what is there comes with the file
        self.command("notebook:run-all-cells")
        self.settle()
        return self.cells()

    def cells(self) -> list[dict]:
        """The cells as they stand now."""
        return self.page.evaluate(CELLS)

    def set_source(self, place: int, source: str) -> None:
        """Write something else into a cell."""
        self.page.evaluate(
            """([place, source]) => window.jupyterapp.shell.currentWidget.content.widgets[place]
              .model.sharedModel.setSource(source)""",
            [place, source],
        )

    def run_cell(self, place: int) -> str:
        """Run one cell, and return what it says."""
        self.go_to(place)
        self.command("notebook:run-cell")
        self.settle()
        return "\n".join(said(self.cells()[place]["outputs"]))

    def go_to(self, place: int) -> None:
        """Have a cell in view: JupyterLab draws none that nobody sees."""
        self.page.evaluate(
            """async (place) => {
              const notebook = window.jupyterapp.shell.currentWidget.content;
              notebook.activeCellIndex = place;
              await notebook.scrollToItem(place, "center");
            }""",
            place,
        )

    def place_of(self, start: str) -> int:
        """The first code cell with a line that begins so."""
        places = [
            place
            for place, cell in enumerate(self.cells())
            if cell["type"] == "code" and re.search(rf"^{re.escape(start)}", cell["source"], re.M)
        ]
        assert places, f"no code begins with {start}"
        return places[0]

    def settle(self) -> None:
        """Wait until Python has done all that it was sent."""
        self.page.evaluate(SETTLED, 50)

    def ask(self, code: str) -> str:
        """What Python prints."""
        return self.page.evaluate(ASK, code)


# of which its words say what it shows: its bytes are those of one version of matplotlib
DRAWING = re.compile(r"data:image/svg\+xml;base64,[\w+/=]+")


def said(outputs: list[dict]) -> list[str]:
    """What outputs say in words: as text, as HTML without drawings, and joined what was printed."""
    words, printed = [], ""
    for output in outputs:
        if output["output_type"] == "stream":
            printed += "".join(output["text"])
        elif output["output_type"] == "error":
            words.append(f"{output['ename']}: {output['evalue']}")
        else:
            data = output.get("data", {})
            words += ["".join(data[kind]) for kind in ("text/plain", "text/html") if kind in data]
    return [printed, *(DRAWING.sub("", each) for each in words)]


def stored(path: Path) -> list[dict]:
    """The cells of a lesson as the project holds them."""
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


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

    def take(self, files: Mapping[str, bytes | str]) -> list[str]:
        """Drop files, and return what each is taken for."""
        self.drop(files)
        return [self.kind(name) for name in files]

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
