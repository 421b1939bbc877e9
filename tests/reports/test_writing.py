"""Files that are there whole or not at all."""

import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from byhand.reports.writing import replacing


def test_a_file_is_replaced_only_when_the_new_one_is_whole(tmp_path: Path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), replacing(path) as new:
        new.write_text(f"half{1 / 0}")
    assert path.read_text() == "old"
    with replacing(path) as new:
        new.write_text("whole")
    assert path.read_text() == "whole"
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes on this system")
def test_a_pipe_takes_what_is_written_and_stays_a_pipe(tmp_path: Path):
    path, heard = tmp_path / "pipe", []
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: heard.append(path.read_text()), daemon=True)
    reader.start()
    with replacing(path) as new:
        new.write_text("whole")
    reader.join(10)
    assert heard == ["whole"]
    assert stat.S_ISFIFO(path.stat().st_mode)


@pytest.mark.skipif(os.name == "nt" or sys.platform == "emscripten", reason="rights are others")
def test_an_old_file_keeps_its_rights_and_a_link_stays_one(tmp_path: Path):
    old, link = tmp_path / "old.txt", tmp_path / "link.txt"
    old.touch()
    old.chmod(0o640)
    link.symlink_to(old)
    with replacing(link) as new:
        new.write_text("whole")
    assert link.is_symlink()
    assert old.read_text() == "whole"
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
