"""What the tests of several formats share."""

import pytest

from byhand.files.opening import LIMITS


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a file into an empty current folder, and return its name."""
    monkeypatch.chdir(tmp_path)

    def writer(content, name="file"):
        content = content.encode() if isinstance(content, str) else content
        (tmp_path / name).write_bytes(content)
        return name

    return writer


@pytest.fixture
def in_blocks(monkeypatch):
    """Let readers take so many bytes at a time, and Python's own parsers so many rows."""

    def cut(size, rows=100_000):
        monkeypatch.setattr(LIMITS, "block", size)
        monkeypatch.setattr(LIMITS, "rows", rows)

    return cut
