"""A notebook server and a real Chromium, for tests that do what a reader does."""

import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from playwright.sync_api import (
    Browser,
    BrowserContext,
    BrowserType,
    Page,
    Request,
    Route,
    WebSocket,
)

ROOT = Path(__file__).resolve().parents[2]
HOST = "127.0.0.1"
SITE = "https://course.test"
QUIET = [
    f"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {HOST}",  # no other host is reached
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
}


def chromium_path() -> str | None:
    """Where a Chromium is, or None: $CHROMIUM if set, else the first that the path offers."""
    names = [os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"]
    return next((found for name in names if name and (found := shutil.which(name))), None)


def launch(kind: BrowserType) -> Browser:
    """A headless Chromium that talks to nobody by itself."""
    # a file whose name has letters that the locale has not is saved as "download"
    speaks = {**os.environ, "LC_ALL": "C.UTF-8"}
    return kind.launch(executable_path=chromium_path(), args=QUIET, env=speaks)


def serve_from(folder: Path, to: Page | BrowserContext) -> None:
    """Have the files of a folder at an address, SITE.

    Pages from disk may be told late, by a busy Chromium, what the page before them has kept.
    """

    def answer(route: Route) -> None:
        route.fulfill(path=folder / unquote(urlsplit(route.request.url).path).lstrip("/"))

    to.route(f"{SITE}/**", answer)


@dataclass(frozen=True)
class Server:
    """A running notebook server, which serves JupyterLab and Notebook 7."""

    port: int
    token: str
    folder: Path

    def url(self, path: str) -> str:
        """The address of a page on this server."""
        return f"http://{HOST}:{self.port}/{path}?token={self.token}"


def notebook_of(cells: list[str]) -> dict:
    """A fresh notebook with these cells: code, or Markdown: a heading, a sentence, or both."""
    is_text = re.compile(r"(#+ .*(\n\n)?)?([\w ]+\.?)?").fullmatch
    made = [new_markdown_cell(each) if is_text(each) else new_code_cell(each) for each in cells]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new_notebook(cells=made, metadata={"kernelspec": kernel})


@contextmanager
def serve(folder: Path) -> Iterator[Server]:
    """Start a server of our own, with its own settings, and stop it afterwards."""
    notebooks = folder / "notebooks"
    notebooks.mkdir(parents=True)
    token = secrets.token_hex(16)
    settings = folder / "labconfig/default_setting_overrides.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps(SETTINGS), encoding="utf-8")
    own = dict.fromkeys(("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR"), str(folder))
    found = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | own | {"PYTHONPATH": found}
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        f"--ServerApp.ip={HOST}",
        "--ServerApp.port=0",  # any that is free: another run may be at it, too
        f"--IdentityProvider.token={token}",
        f"--ServerApp.root_dir={notebooks}",
        "--LabApp.extension_manager=readonly",
        "--LabApp.news_url=None",
        "--LabApp.expose_app_in_browser=True",
        "--JupyterNotebookApp.expose_app_in_browser=True",
    ]
    with (folder / "server.log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        with ended(process):
            says = folder / "runtime" / f"jpserver-{process.pid}.json"
            about = once_written(process, says, json.loads)
            yield Server(about["port"], token, notebooks)


@contextmanager
def ended(process: subprocess.Popen) -> Iterator[None]:
    """At the end, so does the process."""
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


def once_written(process: subprocess.Popen, path: Path, read: Callable[[str], Any]) -> Any:
    """Return what a process writes into a file as it starts, once that can be read."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline and process.poll() is None:
        with suppress(OSError, ValueError):  # not yet there, or not yet whole
            return read(path.read_text(encoding="utf-8"))
        time.sleep(0.2)
    raise RuntimeError(f"It did not start: {process.args}")


CONNECTED = """(name) => {
  const context = window.jupyterapp?.shell?.currentWidget?.context;
  const kernel = context?.sessionContext?.session?.kernel;
  return context?.path === name && kernel?.connectionStatus === 'connected'
    && kernel.status === 'idle';
}"""
COMMAND = """([name, given]) =>
  window.jupyterapp.commands.execute(name, given).then(() => null)"""
# show what the file holds, as if the notebook had been opened anew. Nobody waits for the promise:
# what it belongs to may be gone before it is kept
REVERT = "() => { window.jupyterapp.shell.currentWidget.context.revert(); }"
REVERTED = """(time) => {
  const { model } = window.jupyterapp.shell.currentWidget.context;
  return model.getMetadata('opened') === time;
}"""
# idle ten times, with a pause of so many milliseconds before each
SETTLED = """async (pause) => {
  const session = () => window.jupyterapp.shell.currentWidget.context.sessionContext.session;
  for (let calm = 0; calm < 10; ) {
    calm = session()?.kernel?.status === 'idle' ? calm + 1 : 0;
    await new Promise((done) => setTimeout(done, pause));
  }
}"""


def note_outside(asked: Request | WebSocket, outside: list[str]) -> None:
    """Note a request to another host. (A route would turn off the browser's cache.)"""
    url = urlsplit(asked.url)
    if url.scheme in ("http", "https", "ws", "wss") and url.hostname != HOST:
        outside.append(asked.url)


@dataclass
class Reader:
    """Somebody in front of a notebook: a browser tab, and what it asked the network for."""

    page: Page
    server: Server
    frontend: str
    outside: list[str] = field(default_factory=list)

    @property
    def path(self) -> Path:
        """The one notebook that this reader has in front."""
        return self.server.folder / f"{self.frontend}.ipynb"

    def begin(self) -> None:
        """Go to a notebook of one's own, which all that follows is shown in."""
        for kind in ("request", "websocket"):
            self.page.on(kind, lambda asked: note_outside(asked, self.outside))
        folder = "lab/tree" if self.frontend == "lab" else "notebooks"
        self.path.write_text(json.dumps(notebook_of([])), encoding="utf-8")
        self.page.goto(self.server.url(f"{folder}/{self.path.name}"))
        self.page.wait_for_function(CONNECTED, arg=self.path.name, timeout=60_000)
        self.page.evaluate("() => window.jupyterapp.shell.collapseLeft?.()")

    def open(self, cells: list[str]) -> None:
        """Have a notebook with these cells and nothing else, and run it all."""
        notebook = notebook_of(cells)
        notebook["metadata"]["opened"] = time.monotonic_ns() // 1000
        self.path.write_text(json.dumps(notebook), encoding="utf-8")
        self.page.evaluate(REVERT)
        self.page.wait_for_function(REVERTED, arg=notebook["metadata"]["opened"])
        self.run_all()

    def run_all(self) -> None:
        """Run every cell, and wait until they have all run."""
        self.command("notebook:run-all-cells")

    def command(self, name: str, arguments: dict | None = None) -> None:
        """Have the notebook do one of its own commands."""
        self.page.evaluate(COMMAND, [name, arguments or {}])

    def printed(self, cell: int) -> str:
        """Run one cell again, and return what it prints."""
        self.settle()
        self.page.evaluate(
            "(n) => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = n; }", cell
        )
        self.command("notebook:run-cell")
        self.settle()
        return self.page.locator(".jp-Cell").nth(cell).locator(".jp-OutputArea").inner_text()

    def settle(self) -> None:
        """Wait until the kernel has done all that it was sent: idle for a fifth of a second."""
        self.page.evaluate(SETTLED, 20)

    def cells(self) -> list[tuple[str, str]]:
        """Type and source of each cell as the notebook holds them now."""
        return self.page.evaluate(
            """() => {
              const panel = window.jupyterapp.shell.currentWidget;
              return panel.content.widgets.map(c => [c.model.type, c.model.sharedModel.source]);
            }"""
        )

    def theme(self, name: str) -> None:
        """Switch to a theme, such as "JupyterLab Dark"."""
        self.command("apputils:change-theme", {"theme": name})
        light = "false" if "Dark" in name else "true"
        self.page.wait_for_selector(f'body[data-jp-theme-light="{light}"]', state="attached")
