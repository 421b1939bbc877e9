"""What the tests of several formats share."""

import pytest

import byhand.files.file
import byhand.files.json
import byhand.files.table_file


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
        monkeypatch.setattr(byhand.files.file, "BLOCK", size)
        for module in (byhand.files.json, byhand.files.table_file):
            monkeypatch.setattr(module, "ROWS", rows)

    return cut
