"""Files of every format that a run, qrels or a judged run come in, and what is read from them."""

import gzip
import io
import os
import re
from pathlib import Path
from threading import Thread

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cases import LIBRARIES, NAMES, NESTED, arrow, called
from refused import cases_of

from byhand import DataError, read_judged_run, read_qrels, read_run
from byhand.files.forms import form_of
from byhand.files.lines import batches_of
from byhand.files.opening import LIMITS
from byhand.naming import RUN

CASES = cases_of(Path(__file__).with_name("valid_files.txt"))


@pytest.mark.parametrize("how", ["plain", "packed, in small blocks"])
@pytest.mark.parametrize("name", CASES)
def test_a_valid_file_is_read_as_written(write, in_blocks, name, how):
    reader, content, columns = called(CASES[name][0])
    rows, *notes = CASES[name][1]
    if how != "plain":
        in_blocks(*((9, 2) if len(content) < 20_000 else (5_000,)))
    if how != "plain" and not content.startswith(b"\x1f\x8b"):
        notes = [note for note in notes if "no line break" not in note]
        content = gzip.compress(content)
    table = reader(write(content), columns=columns)
    found = [[*row] for row in table.itertuples(index=False, name=None)]
    assert repr(found) == repr(eval(rows, NAMES))  # of the same types, and nan is nan
    assert table.attrs["notes"] == notes


ROWS = [["007", "NA", 0.5], ["007", "null", -1e-05], ["7", " a b ", 12.0], ["é", "日本", 3.25]]
FRAME = pd.DataFrame(ROWS, columns=["query_id", "doc_id", "score"])
PLAIN = [["q1", "a", 9.0], ["q1", "b", 1.0], ["q2", "a", 0.5]]
TREC = "q1 Q0 a 1 9 t\nq1 Q0 b 2 1 t\nq2 Q0 a 1 .5 t\n"
ENDS = ["\n", "\r\n", "\r"]


@pytest.mark.parametrize("block", [9, 1 << 24], ids=["small blocks", "one block"])
@pytest.mark.parametrize("below", ENDS)
@pytest.mark.parametrize("first", ENDS)
def test_a_line_ends_alike_wherever_it_stands(write, in_blocks, first, below, block):
    in_blocks(block)
    named = f"query_id,doc_id,score{first}q1,a,9{below}q1,b,1{below}{first}q2,a,0.5{below}"
    assert read_run(write(named)).values.tolist() == PLAIN
    rows = f"q1 Q0 a 1 9 t{first}q1 Q0 b 2 1 t{below}{first}q2 Q0 a 1 .5 t{below}"
    assert read_run(write(rows)).values.tolist() == PLAIN
    objects = [f'{{"qid":"{q}","docno":"{d}","score":{s}}}' for q, d, s in PLAIN]
    text = f"{objects[0]}{first}{objects[1]}{below}{first}{objects[2]}{below}"
    run = read_run(write(text))
    assert (run.values.tolist(), run.attrs["format"]) == (PLAIN, "JSON Lines")


@pytest.mark.parametrize("at_once", range(24, 120, 7))
def test_a_quoted_line_end_is_kept_wherever_the_parser_cuts(write, monkeypatch, at_once):
    monkeypatch.setattr(LIMITS, "thread", at_once)
    items = [f'a\n"b"{i}' for i in range(60)]
    frame = pd.DataFrame({"query_id": "q", "doc_id": items, "score": 1.0})
    assert read_run(write(frame.to_csv(index=False, quoting=1)))["doc_id"].tolist() == items


def test_a_block_is_parsed_alike_after_any_other(write, in_blocks):
    # float64 cannot represent the second score, so its block stays text
    scores = ["0.25", "9007199254740993", "0.5"]
    rows = [f"q,{'x' * (40 - len(each))},{each}\n" for each in scores]
    write("".join(["query_id,doc_id,score\n", *rows]))
    in_blocks(len(rows[0]))
    found = [str(each["score"].type) for each in batches_of(form_of("file", RUN))]
    assert found == ["double", "string", "double"]


def test_fields_and_headers_may_be_long(write):
    long, wide = "x" * 200_000, ",".join(f"column{i:06}" for i in range(9_000))
    run = read_run(write(f'query_id,doc_id,score,note\nq,{long},1,"{long}\ny"\n'))
    assert run.values.tolist() == [["q", long, 1.0]]
    run = read_run(write(f"query_id,doc_id,{wide},{long},score\nq,a,{',' * 9_001}1\n"))
    assert run.values.tolist() == [["q", "a", 1.0]]


def parquet(frame, **options):
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), file, **options)
    return file.getvalue()


@pytest.mark.parametrize("name", ["s3:x.parquet", "file:x", "gs:a", "_x", ".x", "a b%20.parquet"])
def test_parquet_is_read_whatever_its_name(write, name):
    assert read_run(write(parquet(FRAME), name)).values.tolist() == ROWS


@pytest.mark.parametrize("content", [TREC, gzip.compress(TREC.encode(), mtime=0), parquet(FRAME)])
def test_a_pipe_is_read_whole(write, content):
    os.mkfifo("pipe")
    content = content.encode() if isinstance(content, str) else content
    expected = read_run(write(content)).values.tolist()
    writer = Thread(target=lambda: Path("pipe").write_bytes(content))
    writer.start()
    assert read_run("pipe").values.tolist() == expected
    writer.join()


@pytest.mark.parametrize("kind", [pa.int8(), pa.int64(), pa.uint64(), pa.float64(), pa.string()])
def test_numbers_of_parquet_are_their_owners_to_change(write, kind):
    numbers = pa.array([2, 0]).cast(kind)
    content = arrow(query_id=["q", "q"], doc_id=["a", "b"], score=numbers, relevance=numbers)
    run = read_judged_run(write(content))
    assert (run["score"].dtype, run["relevance"].dtype) == ("float64", "int64")
    for name in ("score", "relevance"):
        run.loc[1, name] = 7
        assert run[name].tolist() == [2, 7]


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("without names, ")])
def test_a_file_without_names_is_refused_with_what_reads_it(write, in_blocks, name):
    reader, content, columns = called(CASES[name][0])
    in_blocks(9)
    with pytest.raises(DataError, match="has no header: it begins with") as caught:
        reader(write(content))
    assert columns in caught.value.ways
    table = reader("file", columns=columns)
    separated = "text without a header, separated by (commas|semicolons|tabs|bars|blanks)"
    assert re.fullmatch(separated, table.attrs["format"])


def test_of_repeated_rows_one_stays_if_asked_for(write):
    for duplicates, score in {"first": 1.0, "best": 2.0}.items():
        run = read_run(write("qid,docno,score\nq,a,1\nq,a,2\n"), duplicates=duplicates)
        assert run.values.tolist() == [["q", "a", score]]
        assert run.attrs["notes"][-1].endswith(f"the {duplicates} row of each is kept.")
        with pytest.raises(DataError, match="'a' twice, with relevance 1 and 0"):
            read_judged_run(write("docno,sim,rel\na,1,1\na,2,0\n"), duplicates=duplicates)


JUDGED = {"q1": {"d1": 2, "4": 1, "d9": 0}, "q2": {"é 2": 1}, "q3": {"d3": 1}}
OF_LIBRARIES = {
    read_run: "ranx-run.json ranx-run.parquet pytrec_eval-run.json beir-run.json.gz "
    "polars-run.parquet polars-run.jsonl pyarrow-run.csv",
    read_qrels: "ranx-qrels.json pytrec_eval-qrels.json ir_datasets-qrels.csv "
    "polars-qrels.parquet polars-qrels.jsonl pyarrow-qrels.csv",
}


@pytest.mark.parametrize("reader", OF_LIBRARIES)
def test_the_files_of_other_libraries_are_read_without_a_word(reader):
    for name in OF_LIBRARIES[reader].split():
        table, found = reader(LIBRARIES / name), {}
        for query, item, number in table.itertuples(index=False):
            # pytrec_eval's ids hold no blanks
            found.setdefault(query, {})[item.replace("é2", "é 2")] = number
        assert found == (NESTED if reader is read_run else JUDGED), name
        assert table.dtypes.iloc[2] == ("float64" if reader is read_run else "int64")
        assert table.attrs["notes"] == [] or "ranx" in name, name
