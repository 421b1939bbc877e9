"""One fixed Hypothesis profile: the same examples on every machine, and no time limit."""

from hypothesis import settings

settings.register_profile("stable", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("stable")
collect_ignore_glob = ["*conftest.py"]  # several share that name, and none has a doctest
