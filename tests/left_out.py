"""Tests that a machine cannot run: skipped, with what would help."""

import os
from pathlib import Path

import pytest


def leave_out(items: list[pytest.Item], place: Path, message: str) -> None:
    """Skip the tests of a file or a folder; in the message, {n} is how many they are."""
    ours = [item for item in items if place in (item.path, *item.path.parents)]
    for item in ours:
        item.add_marker(pytest.mark.skip(reason=message.format(n=len(ours))))


def in_ci() -> bool:
    """Whether nothing may be left out that is there to be checked."""
    return os.environ.get("CI", "").lower() in ("1", "true")
