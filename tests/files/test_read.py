"""Files of every format that a run, qrels or a judged run come in, and what is read from them."""

import gzip
import os
from pathlib import Path
from threading import Thread

import pandas as pd
import pyarrow as pa
import pytest
from cases import NAMES, PARQUET, arrow, called
from refused import cases_of

from byhand import DataError, read_judged_run, read_run
from byhand.files.opening import LIMITS

CASES = cases_of(Path(__file__).with_name("valid_files.txt"))


@pytest.mark.parametrize("how", ["plain", "packed, in small blocks"])
@pytest.mark.parametrize("name", CASES)
def test_a_valid_file_is_read_as_written(write, in_blocks, name, how):
    reader, content, options = called(CASES[name][0])
    rows, *notes = CASES[name][1]
    if how != "plain":
        in_blocks(*((9, 2) if len(content) < 20_000 else (5_000,)))
    if how != "plain" and not content.startswith(b"\x1f\x8b"):
        notes = [note for note in notes if "no line break" not in note]
        content = gzip.compress(content)
    table = reader(write(content), **options)
    found = [[*row] for row in table.itertuples(index=False, name=None)]
    assert repr(found) == repr(eval(rows, NAMES))  # of the same types, and nan is nan
    assert table.attrs["notes"] == notes


PLAIN = [["q1", "a", 9.0], ["q1", "b", 1.0], ["q2", "a", 0.5]]
ENDS = ["\n", "\r\n", "\r"]


@pytest.mark.parametrize("block", [9, 1 << 24], ids=["small blocks", "one block"])
@pytest.mark.parametrize("below", ENDS)
@pytest.mark.parametrize("first", ENDS)
def test_a_line_ends_alike_wherever_it_stands(write, in_blocks, first, below, block):
    in_blocks(block)
    for header, row in (
        (f"query_id,doc_id,score{first}", "{},{},{}"),
        ("", "{} Q0 {} 1 {} t"),
        ("", '{{"qid":"{}","docno":"{}","score":{}}}'),
    ):
        one, two, three = (row.format(*each) for each in PLAIN)
        run = read_run(write(f"{header}{one}{first}{two}{below}{first}{three}{below}"))
        assert run.values.tolist() == PLAIN


@pytest.mark.parametrize("at_once", range(24, 120, 7))
def test_a_quoted_line_end_is_kept_wherever_the_parser_cuts(write, monkeypatch, at_once):
    monkeypatch.setattr(LIMITS, "thread", at_once)
    items = [f'a\n"b"{i}' for i in range(60)]
    frame = pd.DataFrame({"query_id": "q", "doc_id": items, "score": 1.0})
    assert read_run(write(frame.to_csv(index=False, quoting=1)))["doc_id"].tolist() == items


def test_a_pipe_is_read_whole(write):
    os.mkfifo("pipe")
    writer = Thread(target=lambda: Path("pipe").write_bytes(PARQUET))
    writer.start()
    pd.testing.assert_frame_equal(read_run("pipe"), read_run(write(PARQUET)))
    writer.join()


@pytest.mark.parametrize("kind", [pa.int8(), pa.int64(), pa.uint64(), pa.float64(), pa.string()])
def test_numbers_of_parquet_are_their_owners_to_change(write, kind):
    numbers = pa.array([2, 0]).cast(kind)
    content = arrow(query_id=["q", "q"], doc_id=["a", "b"], score=numbers, relevance=numbers)
    run = read_judged_run(write(content))
    for name in ("score", "relevance"):
        run.loc[1, name] = 7
        assert run[name].tolist() == [2, 7]


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("without names, ")])
def test_a_file_without_names_is_refused_with_what_reads_it(write, name):
    reader, content, options = called(CASES[name][0])
    with pytest.raises(DataError, match="has no header: it begins with") as caught:
        reader(write(content))
    assert options["columns"] in caught.value.ways
    read = reader("file", **options)
    assert read.attrs["format"].startswith("text without a header, separated by ")
