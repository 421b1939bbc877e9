"""Files that are there whole or not at all."""

import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from byhand.files import replacing


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
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600)])
def test_a_new_file_has_the_rights_of_any_new_file_and_an_old_one_keeps_its_own(
    tmp_path: Path, umask: int, mode: int
):
    old, link, before = tmp_path / "old.txt", tmp_path / "link.txt", os.umask(umask)
    try:
        old.touch()
        old.chmod(0o640)
        link.symlink_to(old)
        for path in (link, tmp_path / "new.txt"):
            with replacing(path) as new:
                new.write_text("whole")
    finally:
        os.umask(before)
    assert link.is_symlink()
    assert old.read_text() == "whole"
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "new.txt").stat().st_mode) == mode
