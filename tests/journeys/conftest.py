"""A shell to type in, in a folder of one's own, and the kit's samples under names a user has.

A journey is one hour of one user: what they type, from the shell or a browser, to the file they
keep. It imports nothing but what that user would type.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING, NamedTuple

import nbformat
import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page

ROOT = Path(__file__).parents[2]
SAMPLES = {
    "new.run.gz": "sample-new.txt.gz",
    "old.run.gz": "sample-old.txt.gz",
    "qrels.csv": "sample-qrels.csv",
    "bm25.run.gz": "cranfield-bm25.txt.gz",
    "tfidf.run.gz": "cranfield-tfidf.txt.gz",
    "cranfield.csv": "cranfield-qrels.csv",
    "topics.csv": "cranfield-queries.csv",
    "titles.csv": "cranfield-titles.csv",
}


class Said(NamedTuple):
    """What a line that was typed printed, and the exit status it left."""

    out: str
    err: str
    status: int


@pytest.fixture
def shell(tmp_path: Path) -> Callable[..., Said]:
    """Type lines in bash, in `tmp_path`: `shell("ranking-report new.run --qrels qrels.csv")`.

    `shell("python", types="…")` types into what was started. A traceback fails the journey, and so
    does a status that is not the one expected; `error="DataError"` is for Python that ends in such
    an error, and so with a traceback and status 1.
    """
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("LC_")},
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "LANG": "C.UTF-8",
        "LANGUAGE": "en",
    }

    def typed(line: str, *, types: str = "", status: int = 0, error: str = "") -> Said:
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=tmp_path,
            env=environment,
            input=types.encode(),
            capture_output=True,
        )
        said = Said(done.stdout.decode(), done.stderr.decode(), done.returncode)
        everything = f"$ {line}\n{types}{said.out}{said.err}[{said.status}]"
        assert said.status == (1 if error else status), everything
        traceback = "Traceback (most recent call last)" in said.out + said.err
        assert traceback == bool(error), everything
        assert not error or f"{error}: " in said.err, everything
        return said

    return typed


@pytest.fixture
def execute(shell: Callable[..., Said]) -> Callable[..., Said]:
    """Run a notebook in place: `execute("mine.ipynb")`.

    What Jupyter logs is read only if it fails: on a busy machine its kernel may end in a traceback
    of its own.
    """

    def executed(path: str, options: str = "") -> Said:
        line = f"jupyter execute {options} --inplace {path} 2>jupyter.log"
        return shell(f"{line} || {{ cat jupyter.log >&2; false; }}")

    return executed


@pytest.fixture
def run_cells(execute: Callable[..., Said], tmp_path: Path) -> Callable[..., list[list[dict]]]:
    """Run a notebook of such cells to its end, and return what each of them shows."""

    def ran(*sources: str) -> list[list[dict]]:
        cells = [nbformat.v4.new_code_cell(source) for source in sources]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "all.ipynb")
        execute("all.ipynb", "--allow-errors")
        done = nbformat.read(tmp_path / "all.ipynb", as_version=4).cells
        return [cell.outputs for cell in done]

    return ran


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    """The kit's samples beside the user, as the files of a user are called; and where they are."""
    for theirs, ours in SAMPLES.items():
        copyfile(ROOT / "data" / ours, tmp_path / theirs)
    return tmp_path


OWN = """
import pandas as pd
pairs = [(q, p) for q in range(24) for p in range(9)]
run, old = (
    pd.DataFrame([(f"q{q}", f"p{(q + p) % 9}", 0.9 - (p + q * by) % 9 / 10) for q, p in pairs])
    .set_axis(["query_id", "doc_id", "score"], axis=1) for by in (0, 2)
)
judged = pd.DataFrame([(f"q{q}", f"p{(q + p * p) % 9}", p) for q in range(24) for p in (1, 2)])
judged = judged.set_axis(["query_id", "doc_id", "relevance"], axis=1)
run.to_csv("run.csv", index=False)
judged.to_csv("qrels.csv", index=False)
for name, table in {"own": run, "old": old}.items():
    table.set_axis(["Question", "Page", "Confidence"], axis=1).to_csv(f"{name}.csv", index=False)
judged.set_axis(["Question", "Page", "Stars"], axis=1).to_csv("stars.csv", index=False)
asked = pd.DataFrame({"query_id": [f"q{q}" for q in range(24)]})
asked.assign(text=[f"what is {q}?" for q in range(24)]).to_csv("questions.csv", index=False)
asked.assign(group=[f"{q % 2} of 2" for q in range(24)]).to_csv("groups.csv", index=False)
said = pd.DataFrame({"doc_id": [f"p{p}" for p in range(9)]})
said.assign(title=[f"Page of {p}" for p in range(9)]).to_csv("pages.csv", index=False)
"""


@pytest.fixture
def own_files(shell: Callable[..., Said]) -> str:
    """Small tables, also under column names of one's own; and the Python that wrote them."""
    shell("python", types=OWN)
    return OWN


WINDOWS = {
    "desk": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}


@pytest.fixture(params=["desk"])
def window(request: pytest.FixtureRequest, chromium: "Browser") -> Iterator["BrowserContext"]:
    """A browser that remembers; its pages asked no host for anything, and did not complain."""
    context = chromium.new_context(**WINDOWS[request.param], offline=True)
    seen = []
    context.on("console", lambda message: seen.append(message.text))
    context.on("weberror", lambda error: seen.append(str(error.error)))
    context.on("requestfailed", lambda request: seen.append(request.url))
    yield context
    context.close()
    assert seen == []


@pytest.fixture
def course(window: "BrowserContext", editions: Path) -> str:
    """Where the pages of the course are, as an address."""
    from browser_harness import SITE, serve_from  # not for a journey without a browser

    serve_from(editions, window)
    return SITE


@pytest.fixture
def page(window: "BrowserContext") -> "Page":
    """A tab of it."""
    return window.new_page()


@pytest.fixture
def drag() -> Callable[..., None]:
    """Take a row by its name, and let it go where another stands: `drag(rows, "D4", to="D1")`."""

    def dragged(rows: "Locator", item: str, to: str) -> None:
        row, goal = (rows.get_by_title(name, exact=True) for name in (item, to))
        goal.evaluate("node => node.scrollIntoView({ block: 'center' })")  # both are in sight
        row.hover()
        start, end = row.bounding_box(), goal.bounding_box()
        beyond = -4 if end["y"] < start["y"] else end["height"] + 4
        rows.page.mouse.down()
        rows.page.mouse.move(start["x"] + 30, (start["y"] + end["y"]) / 2, steps=4)
        rows.page.mouse.move(start["x"] + 30, end["y"] + beyond, steps=4)
        rows.page.mouse.up()

    return dragged
