"""Lessons are run to their end, and then some cells again."""

from second_run import pytest_collection_modifyitems, pytest_configure, pytest_unconfigure

__all__ = ["pytest_collection_modifyitems", "pytest_configure", "pytest_unconfigure"]
