"""One fixed Hypothesis profile, without a time limit; what runs together, what is left out."""

import sys

import pytest
from hypothesis import HealthCheck, settings
from left_out import SAID
from xdist.scheduler import LoadFileScheduling

EXAMPLES = 10 if sys.platform == "emscripten" else 60  # Python is slow there
settings.register_profile(
    "stable",
    derandomize=True,
    deadline=None,
    max_examples=EXAMPLES,
    # `make mutants` runs each test more than once in a process
    suppress_health_check=[HealthCheck.differing_executors],
)
settings.load_profile("stable")
# several of the first share their name, and none has a doctest; the last needs other libraries, and
# of the other tools that nobody runs for a while it is seen here that they can be imported
collect_ignore_glob = ["*conftest.py", "tools/write_libraries.py"]


class OneFrontend(LoadFileScheduling):
    """A file runs in one process; so do all that stand in front of a notebook, or run lessons."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        folder, found, _ = file.partition("/frontends/")
        return "languages" if file.endswith("_languages.py") else folder + found


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Open each frontend once, as that takes many seconds."""
    return OneFrontend(config, log)


@pytest.fixture(scope="session")
def editions(tmp_path_factory):
    """The folder of the lessons as pages in every language; those that were run are kept."""
    from byhand.words import languages  # not for the tests of every file
    from helpers.site import write_pages

    folder = tmp_path_factory.mktemp("editions")
    write_pages(folder, [*languages()])
    return folder


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A process among several hands over what it left out: it has nowhere to say it."""
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output["left out"] = session.config.stash.get(SAID, [])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error: object) -> None:
    """Take over what that process left out; each of them looks through all tests."""
    node.config.stash[SAID] = getattr(node, "workeroutput", {}).get("left out", [])


def pytest_terminal_summary(terminalreporter, config: pytest.Config) -> None:
    """Say once what was left out, and how to have it."""
    for message in config.stash.get(SAID, []):
        terminalreporter.write_line(message, yellow=True)
