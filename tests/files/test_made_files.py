"""Files made from seeds; tools/fuzz.py makes more."""

import pytest
from made_files import made
from tried_files import damaged, finding, parsed

SEEDS = range(240)


@pytest.mark.parametrize("part", range(4))
def test_a_valid_file_comes_back_row_for_row(tmp_path, part):
    files = map(made, SEEDS[part::4])
    assert [(file.seed, found) for file in files if (found := finding(file, tmp_path))] == []


@pytest.mark.parametrize("part", range(4))
def test_a_damaged_file_is_refused_or_read_whole(tmp_path, part):
    files = (damaged(made(seed)) for seed in SEEDS[part::4])
    assert [(file.seed, found) for file in files if (found := finding(file, tmp_path))] == []


def test_the_parser_beside_agrees_with_what_was_written():
    forms = {"CSV": {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}}
    for file in map(made, SEEDS):
        if file.form not in ("Parquet", "bare"):
            form = forms.get(file.form, {}).get(file.delimiter, file.form)
            ids = [
                tuple(str(row[ours]) for ours in ("query_id", "doc_id"))
                for row in parsed(file, form)
            ]
            assert ids == [row[:2] for row in file.rows], file.seed
