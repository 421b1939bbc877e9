"""One fixed Hypothesis profile, without a time limit; and what runs in one process."""

import pytest
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

settings.register_profile("stable", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("stable")
collect_ignore_glob = ["*conftest.py"]  # several share that name, and none has a doctest


class OneFrontend(LoadFileScheduling):
    """A file runs in one process, and so do all that stand in front of a notebook."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        folder, found, _ = file.partition("/frontends/")
        return folder + found


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Open each frontend once, as that takes many seconds."""
    return OneFrontend(config, log)
