"""What the tests of several formats share."""

import pytest


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a file into an empty current folder, and return its name."""
    monkeypatch.chdir(tmp_path)

    def writer(content, name="file"):
        content = content.encode() if isinstance(content, str) else content
        (tmp_path / name).write_bytes(content)
        return name

    return writer
