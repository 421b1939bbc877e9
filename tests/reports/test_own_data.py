"""The sample that a report may be tried on."""

import gzip
import io
import runpy
from contextlib import redirect_stdout
from pathlib import Path

ROOT = Path(__file__).parents[2]
SAMPLE = [ROOT / "data" / f"sample-{name}" for name in ("new.txt.gz", "old.txt.gz", "qrels.csv")]


def test_the_sample_is_what_its_script_makes(tmp_path):
    with redirect_stdout(io.StringIO()):
        runpy.run_path(str(ROOT / "tools" / "make_sample.py"))["main"](tmp_path)
    *runs, qrels = SAMPLE
    for path in runs:
        kept = gzip.decompress(path.read_bytes())
        assert gzip.decompress((tmp_path / path.name).read_bytes()) == kept
    assert (tmp_path / qrels.name).read_text() == qrels.read_text()
