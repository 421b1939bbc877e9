"""Fixtures of the browser tests."""

from collections.abc import Callable, Iterator
from json import dumps
from pathlib import Path

import pytest
from browser_harness import ROOT, Reader, Server, serve
from explorer_page import ExplorerPage
from from_npm import from_npm
from playwright.sync_api import Browser, Page

from byhand.theme import base_style
from byhand.widgets.embed import module, style
from helpers.site import write_pages

HERE = Path(__file__).parent
WIDGETS = ROOT / "byhand" / "widgets"
BROWSER = WIDGETS / "browser"
FRONTENDS = ["lab", "notebook"]
LOAD = """async (codes) => {
  const loaded = codes.map((code) =>
    import(URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))));
  window.live = Object.assign({}, ...await Promise.all(loaded));
}"""
SHOW = """async (state) => {
  window.stop?.();
  const el = document.createElement('div');
  window.model = new live.PageModel(JSON.parse(state));
  window.stop = await live.render({ model, el });
  document.querySelector('main').replaceChildren(el);
  scrollTo(0, 0);
  for (let i = 0; i < 2; i += 1) await new Promise(requestAnimationFrame); // it knows its width
}"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run a test again that fails: a full machine makes a browser late. The summary counts them."""
    for item in items:
        if item.path.is_relative_to(HERE) or "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def live(chromium: Browser) -> Iterator[Page]:
    """A page where `live` has what the widgets' files export, and `main` has room for one."""
    tab = chromium.new_page(has_touch=True)
    both = '<meta name="color-scheme" content="light dark">'  # as pages have it
    rules = base_style(face=False) + style()
    tab.set_content(f"{both}<style>{rules}</style><main data-live></main>")
    views = [path for path in WIDGETS.glob("*/*.js") if path.parent != BROWSER]
    files = [*views, BROWSER / "model.js", BROWSER / "main.js"]
    tab.evaluate(LOAD, [module(path) for path in files])
    yield tab
    tab.close()


@pytest.fixture
def show(live: Page) -> Iterator[Callable[..., ExplorerPage]]:
    """Shows a widget, or its state, on a page without Python, where no script fails."""
    failed: list[object] = []

    def note(error: object) -> None:
        failed.append(error)

    def show(widget: object, *, width: int = 1000, height: int = 900) -> ExplorerPage:
        live.set_viewport_size({"width": width, "height": height})
        live.mouse.move(0, 0)
        state = widget if isinstance(widget, dict) else widget.page_state()
        live.evaluate(SHOW, dumps(state))
        return ExplorerPage(live, scope="main")

    live.bring_to_front()
    live.on("pageerror", note)
    yield show
    live.remove_listener("pageerror", note)
    assert failed == []


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="session")
def readers(chromium: Browser, server: Server) -> dict[str, Reader]:
    """Somebody in front of each frontend, who stays there: opening one costs seconds."""
    tabs = chromium.new_context(has_touch=True)
    found = {frontend: Reader(tabs.new_page(), server, frontend) for frontend in FRONTENDS}
    for reader in found.values():
        reader.begin()
    return found


@pytest.fixture(params=FRONTENDS)
def reader(request: pytest.FixtureRequest, readers: dict[str, Reader]) -> Iterator[Reader]:
    """Somebody with a notebook; so far, nothing went outside."""
    reader = readers[request.param]
    reader.page.bring_to_front()
    reader.page.set_viewport_size({"width": 1250, "height": 1000})
    yield reader
    assert reader.outside == []


@pytest.fixture(scope="session")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The lessons as pages, by name."""
    return {path.stem: path for path in write_pages(tmp_path_factory.mktemp("lessons"))}


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A tab of its own, without a network."""
    tab = chromium.new_page(offline=True)
    yield tab
    tab.close()


@pytest.fixture(scope="session")
def axe_source() -> str:
    """The code of axe-core, from the npm registry the first time."""
    return from_npm("axe-core/axe.min.js").read_text(encoding="utf-8")
