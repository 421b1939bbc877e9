"""The site, and a visitor; without a site, why these tests are left out."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_harness import QUIET, chromium_path
from left_out import leave_out
from lite_harness import Visitor, served
from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
SITE = os.environ.get("LITE")
MISSING = (
    "The tests of the notebooks in the browser ({n}) were left out: make test-lite builds the "
    "notebooks and runs them (Node and Chromium; 100 MB the first time)."
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what needs the site, unless it was built."""
    if not SITE:
        leave_out(items, HERE, MISSING)


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder that a host serves: the pages, and the notebooks in `lite`."""
    return (ROOT / SITE).resolve().parent


@pytest.fixture(scope="session")
def visitor(built, tmp_path_factory) -> Iterator[Visitor]:
    """One visitor for all tests here, whose browser keeps what the first of them loads."""
    with served(built) as address, sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(tmp_path_factory.mktemp("profile")),
            executable_path=chromium_path(),
            args=QUIET,
            viewport={"width": 1300, "height": 1000},
        )
        context.set_default_timeout(120_000)
        yield Visitor(context, address)
        context.close()
