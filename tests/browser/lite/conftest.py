"""The built site on a host, and a browser that visits it; without a site, why no test runs."""

import os
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from browser_harness import HOST, QUIET, chromium_path, note_outside
from left_out import leave_out
from playwright.sync_api import BrowserContext, expect, sync_playwright

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
SITE = os.environ.get("LITE")
MISSING = (
    "The tests of the notebooks in the browser ({n}) were left out: make test-lite builds the "
    "notebooks and runs them (Node and Chromium; 100 MB the first time)."
)
FOLDER = "/some/folder"  # a site seldom lies at the root of its host


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what needs the site, unless it was built."""
    if not SITE:
        leave_out(items, HERE, MISSING)


class Host(SimpleHTTPRequestHandler):
    """Serves files as static hosts do, and notes the size of each that it sends."""

    protocol_version = "HTTP/1.1"
    sent: ClassVar[list[int]] = []

    def translate_path(self, path: str) -> str:
        return super().translate_path(path.removeprefix(FOLDER))

    def copyfile(self, source, outputfile) -> None:
        Host.sent.append(os.fstat(source.fileno()).st_size)
        super().copyfile(source, outputfile)

    def log_message(self, *_) -> None:
        pass


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder that the host serves: the pages, and the notebooks in `lite`."""
    return (ROOT / SITE).resolve().parent


@pytest.fixture(scope="session")
def complaints() -> list[str]:
    """What other hosts were asked for, and what failed on a page."""
    return []


@pytest.fixture(scope="session")
def visitor(built, complaints, tmp_path_factory) -> Iterator[BrowserContext]:
    """One browser for all tests here, which keeps what the first of them loads."""
    server = ThreadingHTTPServer((HOST, 0), partial(Host, directory=str(built)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    expect.set_options(timeout=120_000)
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(tmp_path_factory.mktemp("profile")),
            executable_path=chromium_path(),
            args=QUIET,
            viewport={"width": 1280, "height": 900},
            base_url=f"http://{HOST}:{server.server_port}{FOLDER}/",
        )
        context.set_default_timeout(240_000)
        context.on("request", lambda asked: note_outside(asked, complaints))
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        yield context
        context.close()
    server.shutdown()


@pytest.fixture(autouse=True)
def nothing_outside(complaints) -> Iterator[None]:
    """No test asks another host for anything, and on no page a script fails."""
    complaints.clear()
    yield
    # anywidget says so after two seconds, which a busy machine takes
    assert {*complaints} <= {"[anywidget] Failed to initialize model."}


@pytest.fixture
def sent() -> list[int]:
    """The size of each file that the host sends."""
    Host.sent.clear()
    return Host.sent
