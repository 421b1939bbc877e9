"""Tests that a machine cannot run: left out, and said once at the end, with what would help."""

import os
from pathlib import Path

import pytest

SAID = pytest.StashKey[list[str]]()


def leave_out(config: pytest.Config, items: list[pytest.Item], place: Path, message: str) -> None:
    """Leave the tests of a file or a folder out; in the message, {n} is how many they are."""
    ours = [item for item in items if place in (item.path, *item.path.parents)]
    if not ours:
        return
    config.stash.setdefault(SAID, []).append(message.format(n=len(ours)))
    config.hook.pytest_deselected(items=ours)
    items[:] = [item for item in items if item not in ours]


def in_ci() -> bool:
    """Whether nothing may be left out that is there to be checked."""
    return os.environ.get("CI", "").lower() in ("1", "true")
