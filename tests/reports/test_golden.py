"""What whole reports say, word for word: `python tests/reports/golden.py` writes it anew."""

import pytest
from golden import FOLDER, REPORTS, text_of


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_says_what_it_said(name, tmp_path):
    if name == "scanned":
        pytest.importorskip("duckdb")
    assert text_of(name, tmp_path) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
