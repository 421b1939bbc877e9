"""What reports and commands say, word for word; `golden.py` writes it anew."""

import pytest
from golden import FOLDER, NAMES, texts_of


@pytest.mark.parametrize("name", NAMES)
def test_what_is_said_is_what_was_said(name, tmp_path):
    if name == "scanned":
        pytest.importorskip("duckdb")
    wanted = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert texts_of(name, tmp_path) == wanted
