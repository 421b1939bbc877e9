"""The sample that a report may be tried on."""

import gzip

from make_sample import main
from small_runs import NEW, OLD, QRELS


def test_the_sample_is_what_its_script_makes(tmp_path):
    main(tmp_path)
    for kept in (NEW, OLD):
        made = (tmp_path / kept.name).read_bytes()
        assert gzip.decompress(made) == gzip.decompress(kept.read_bytes())
    assert (tmp_path / QRELS.name).read_text() == QRELS.read_text()
