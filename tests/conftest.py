"""One fixed Hypothesis profile, without a time limit; what runs together; fixtures of many."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from left_out import in_ci
from xdist.scheduler import LoadFileScheduling

settings.register_profile(
    "stable",
    derandomize=True,
    deadline=None,
    max_examples=60,
    # `make mutants` runs each test more than once in a process
    suppress_health_check=[HealthCheck.differing_executors],
)
settings.load_profile("stable")
# several share their name, and none has a doctest
collect_ignore_glob = ["*conftest.py"]

HERE = Path(__file__).parent
# `pytest -m net`: what users rely on, asked without looking inside the code
NET = [
    *("journeys", "peers", "files/test_read.py", "files/test_broken_files.py"),
    *("lessons/test_record.py", "lessons/test_worked_out.py", "lessons/test_exercises.py"),
    "reports/test_golden.py",
]
assert all((HERE / path).exists() for path in NET), "a test of the net has another name now"


class OneFrontend(LoadFileScheduling):
    """A file runs in one process; so do all in front of a notebook."""

    def _split_scope(self, nodeid: str) -> str:
        folder, found, _ = super()._split_scope(nodeid).partition("/frontends/")
        return folder + found


def pytest_collection_modifyitems(items):
    """Mark the tests of the net."""
    for item in items:
        if any(item.path.is_relative_to(HERE / path) for path in NET):
            item.add_marker(pytest.mark.net)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Open each frontend once, as that takes many seconds."""
    return OneFrontend(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """A test marked `missing_queries` is told that a run lacks many queries; no other test is."""
    if not pyfuncitem.get_closest_marker("missing_queries"):
        return (yield)
    from byhand.metrics import MissingQueriesWarning  # not for a suite without the library

    with pytest.warns(MissingQueriesWarning):
        return (yield)


@pytest.fixture(scope="session")
def editions(tmp_path_factory):
    """The folder of the lessons as pages in every language: one process makes them for all."""
    from fcntl import LOCK_EX, flock  # not for the tests of every file

    from byhand.words import languages
    from helpers.site import write_pages

    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "editions"
    with open(f"{folder}.lock", "w") as lock:
        flock(lock, LOCK_EX)
        if not folder.exists():
            made = tmp_path_factory.mktemp("pages")
            write_pages(made, [*languages()])
            made.rename(folder)
    return folder


@pytest.fixture(scope="session")
def chromium():
    """A headless Chromium."""
    from browser_harness import chromium_path, launch
    from playwright.sync_api import expect, sync_playwright

    if not chromium_path():
        stop = pytest.fail if in_ci() else pytest.skip
        stop("There is no Chromium (apt-get install chromium, or set CHROMIUM to the path of one).")
    expect.set_options(timeout=60_000)  # a busy machine is no failure
    with sync_playwright() as playwright:
        browser = launch(playwright.chromium)
        yield browser
        browser.close()
