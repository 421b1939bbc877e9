"""The same Hypothesis examples on every machine, without a time limit; lessons run twice."""

from hypothesis import settings
from second_run import pytest_collection_modifyitems

__all__ = ["pytest_collection_modifyitems"]

settings.register_profile("stable", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("stable")
collect_ignore_glob = ["*conftest.py"]  # several share that name, and none has a doctest
