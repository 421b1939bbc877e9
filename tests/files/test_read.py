"""Files of every format that a run, qrels or a judged run come in, and what is read from them."""

import gzip
import inspect
import io
import json
import os
import re
import time
from decimal import Decimal
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from needs import THREADS

import byhand.files.file
import byhand.files.formats
import byhand.files.read
import byhand.files.text
from byhand import DataError, evaluate, preflight
from byhand.columns import RUN
from byhand.files.formats import Format
from byhand.files.header import Layout, find_columns
from byhand.files.read import read_judged_run, read_qrels, read_run

ROWS = [["007", "NA", 0.5], ["007", "null", -1e-05], ["7", " a b ", 12.0], ["é", "日本", 3.25]]
PLAIN = [["007", "NA", 0.5], ["007", "null", -1e-05], ["7", '"a"', 12.0], ["é", "日本", 3.25]]


def trec(*, between=" ", end="\n", around=""):
    lines = [[q, "Q0", d, str(i), str(s), "tag"] for i, (q, d, s) in enumerate(PLAIN, start=1)]
    return "".join(around + between.join(line) + around + end for line in lines)


TREC = {
    "blanks": trec(),
    "tabs": trec(between="\t"),
    "many blanks": trec(between="   "),
    "blanks and tabs": trec(between=" \t"),
    "one tab among blanks": trec().replace("Q0 ", "Q0\t", 1),
    "one doubled blank": trec().replace("Q0 ", "Q0  ", 1),
    "blanks around lines": trec(around="  "),
    "tabs around lines": trec(between="\t", around="\t"),
    "windows line ends": trec(end="\r\n"),
    "windows line ends after blanks": trec(end=" \r\n"),
    "blank lines": "\n" + trec(end="\n\n"),
    "lines of blanks": " \n" + trec(end="\n \t\n"),
    "no last line end": trec().rstrip(),
    "blank lines, no last line end": "\n \n" + trec().rstrip(),
    "byte order mark": "\ufeff" + trec(),
    "plus signs": trec().replace("12.0", "+12.0"),
    "exponents": trec().replace("12.0", "1.2E1"),
}


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzipped"])
@pytest.mark.parametrize("block", [9, 1 << 24], ids=["small blocks", "one block"])
@pytest.mark.parametrize("case", TREC)
def test_a_trec_run_may_mix_blanks_and_tabs(write, monkeypatch, case, block, packed):
    monkeypatch.setattr(byhand.files.file, "BLOCK", block)
    content = TREC[case].encode()
    run = read_run(write(gzip.compress(content) if packed else content))
    assert run.values.tolist() == PLAIN
    assert run.attrs == {
        "file": "file",
        "format": "TREC run, gzipped" if packed else "TREC run",
        "other columns": ["Q0", "rank", "tag"],
        "notes": [],
    }


ENDS = ["\n", "\r\n", "\r"]


@pytest.mark.parametrize("block", [9, 1 << 24], ids=["small blocks", "one block"])
@pytest.mark.parametrize("below", ENDS)
@pytest.mark.parametrize("first", ENDS)
def test_a_line_ends_alike_wherever_it_stands(write, monkeypatch, first, below, block):
    monkeypatch.setattr(byhand.files.file, "BLOCK", block)
    expected = [["q1", "a", 9.0], ["q1", "b", 1.0], ["q2", "a", 0.5]]
    named = f"query_id,doc_id,score{first}q1,a,9{below}q1,b,1{below}{first}q2,a,0.5{below}"
    assert read_run(write(named)).values.tolist() == expected
    rows = f"q1 Q0 a 1 9 t{first}q1 Q0 b 2 1 t{below}{first}q2 Q0 a 1 .5 t{below}"
    assert read_run(write(rows)).values.tolist() == expected
    objects = [f'{{"qid":"{q}","docno":"{d}","score":{s}}}' for q, d, s in expected]
    text = f"{objects[0]}{first}{objects[1]}{below}{first}{objects[2]}{below}"
    assert read_run(write(text)).values.tolist() == expected
    assert byhand.files.formats.layouts_of("file", RUN)[0].kind == "JSON Lines"


def test_a_byte_order_mark_within_the_data_is_part_of_an_id(write, monkeypatch):
    marked = [["\ufeffq", "a", 1.0], ["\ufeffq", "b", 2.0]]
    for block in (9, 1 << 24):
        monkeypatch.setattr(byhand.files.file, "BLOCK", block)
        for start in ("", "\ufeff"):
            rows = "\ufeffq,a,1\n\ufeffq,b,2\n"
            assert read_run(write(f"{start}qid,docno,sim\n{rows}")).values.tolist() == marked
        trec = "\ufeff\ufeffq Q0 a 1 1 t\n\ufeffq Q0 b 2 2 t\n"
        assert read_run(write(trec)).values.tolist() == marked


def table(frame, **options):
    return frame.to_csv(index=False, **options)


FRAME = pd.DataFrame(ROWS, columns=["query_id", "doc_id", "score"])
TABLES = {
    "commas": table(FRAME),
    "semicolons": table(FRAME, sep=";"),
    "tabs": table(FRAME, sep="\t"),
    "bars": table(FRAME, sep="|"),
    "semicolons and decimal commas": table(FRAME, sep=";", decimal=","),
    "everything quoted": table(FRAME, quoting=1),
    "everything quoted, decimal commas": table(FRAME, sep=";", decimal=",", quoting=1),
    "text quoted": table(FRAME, quoting=2),
    "windows line ends": table(FRAME, lineterminator="\r\n"),
    "byte order mark": "\ufeff" + table(FRAME),
    "byte order mark and quotes": "\ufeff" + table(FRAME, quoting=1),
    "blank lines": "\n" + table(FRAME, lineterminator="\n\n"),
    "no last line end": table(FRAME).rstrip(),
    "other order": table(FRAME[["score", "doc_id", "query_id"]]),
    "other columns": table(FRAME.assign(title="a, b", **{"": "x"})),
    "quoted line ends": table(FRAME.assign(note='two\nlines, "quoted"')),
    "capitals and blanks": table(FRAME).replace("query_id,doc_id,score", "Query ID, Doc-Id ,SCORE"),
    "aliases": table(FRAME).replace("query_id,doc_id,score", "qid,docno,sim"),
    "topic and did": table(FRAME).replace("query_id,doc_id,score", "topic,did,prediction"),
    "recommender": table(FRAME).replace("query_id,doc_id,score", "user_id,item_id,pred"),
}


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzipped"])
@pytest.mark.parametrize("block", [9, 1 << 24], ids=["small blocks", "one block"])
@pytest.mark.parametrize("case", TABLES)
def test_a_table_of_text_is_read_as_written(write, monkeypatch, case, block, packed):
    monkeypatch.setattr(byhand.files.file, "BLOCK", block)
    content = TABLES[case].encode()
    run = read_run(write(gzip.compress(content) if packed else content, "run.whatever"))
    assert run.values.tolist() == ROWS


@pytest.mark.parametrize("at_once", range(24, 120, 7))
def test_a_quoted_line_end_is_kept_wherever_the_parser_cuts(write, monkeypatch, at_once):
    monkeypatch.setattr(byhand.files.text, "_AT_ONCE", at_once)
    frame = pd.DataFrame({"query_id": "q", "doc_id": [f'a\n"b"{i}' for i in range(60)]})
    run = read_run(write(table(frame.assign(score=1.0), quoting=1)))
    assert run["doc_id"].tolist() == frame["doc_id"].tolist()


@pytest.mark.parametrize("sign", ['"', '""', 'a"b', '"a', 'b"', ',"', '",', "\n", "\r\n", " "])
def test_quotes_and_separators_inside_ids_are_kept(write, sign):
    frame = pd.DataFrame({"query_id": ["q", "q"], "doc_id": [f"x{sign}", f"{sign}y"], "score": 1.0})
    run = read_run(write(table(frame, lineterminator="\n")))
    assert run["doc_id"].tolist() == [f"x{sign}", f"{sign}y"]


def test_quotes_inside_an_unquoted_field_are_text(write):
    run = read_run(write('query_id,doc_id,score\nq,5" disk,1\nq,12" "LP",2\n'))
    assert run["doc_id"].tolist() == ['5" disk', '12" "LP"']


@pytest.mark.parametrize("end", ENDS)
def test_names_may_hold_line_ends(write, end):
    head = f'{end}query_id,"a{end}b",doc_id,"two{end}{end}lines",score{end}'
    run = read_run(write(f'{head}q,x,a,y,1{end}q,x,b,"y{end}",2{end}'))
    assert run.values.tolist() == [["q", "a", 1.0], ["q", "b", 2.0]]
    assert run.attrs["other columns"] == [f"a{end}b", f"two{end}{end}lines"]


def test_fields_and_headers_may_be_long(write):
    long, wide = "x" * 200_000, ",".join(f"column{i:06}" for i in range(9_000))
    run = read_run(write(f'query_id,doc_id,score,note\nq,{long},1,"{long}\ny"\n'))
    assert run.values.tolist() == [["q", long, 1.0]]
    run = read_run(write(f"query_id,doc_id,{wide},{long},score\nq,a,{',' * 9_001}1\n"))
    assert run.values.tolist() == [["q", "a", 1.0]]


def test_a_file_may_begin_with_many_blank_lines(write):
    assert read_run(write("\n" * 70_000 + trec())).values.tolist() == PLAIN


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("query_id,doc_id,score\nq,a,0.2", ["column 'score'"]),
        ("score,query_id,docno\n0.25,q,a", ["column 'docno' (doc_id)"]),
        ("query_id,doc_id,score\nq,a,0.2\r", []),
        ('query_id,doc_id,score\nq,a,"0.2"', []),
        ("query_id,doc_id,score,note\nq,a,0.2,x", []),
        ("q1 Q0 a 1 0.2 tag", []),
        (gzip.compress(b"query_id,doc_id,score\nq,a,0.2", mtime=0), []),
    ],
)
def test_a_last_value_that_may_be_cut_is_pointed_out(write, content, said):
    note = "The last line has no line end: if the file was cut there, so may be its "
    assert read_run(write(content)).attrs["notes"] == [f"{note}{column}." for column in said]


JSON_LINES = {
    "text": [{"query_id": q, "doc_id": d, "score": s} for q, d, s in ROWS],
    "other keys": [{"qid": q, "n": {"x": [1]}, "docno": d, "score": s} for q, d, s in ROWS],
    "whole scores": [{"qid": q, "docno": d, "score": int(s) if s == 12 else s} for q, d, s in ROWS],
    "scores as text": [{"qid": q, "docno": d, "score": str(s)} for q, d, s in ROWS],
}


@pytest.mark.parametrize("block", [9, 1 << 24], ids=["small blocks", "one block"])
@pytest.mark.parametrize("escaped", [False, True])
@pytest.mark.parametrize("case", JSON_LINES)
def test_json_lines_are_read_as_written(write, monkeypatch, case, escaped, block):
    monkeypatch.setattr(byhand.files.file, "BLOCK", block)
    lines = [json.dumps(row, ensure_ascii=escaped) for row in JSON_LINES[case]]
    run = read_run(write("\ufeff" * escaped + "\n".join(lines)))
    assert run.values.tolist() == ROWS
    assert run.attrs["format"] == "JSON Lines"
    assert run.attrs["other columns"] == (["n"] if case == "other keys" else [])


def test_json_ids_may_be_whole_numbers_even_among_text_and_beyond_64_bits(write):
    numbers = '{"qid": 7, "docno": 1, "score": 1}\n'
    assert read_run(write(numbers)).values.tolist() == [["7", "1", 1.0]]
    mixed = numbers + '{"qid": "007", "docno": 123456789012345678901, "score": 2}\n'
    assert read_run(write(mixed)).values.tolist()[1] == ["007", "123456789012345678901", 2.0]


def test_json_numbers_may_be_of_any_length(write):
    long = "9" * 5_000
    run = read_run(write(f'{{"qid": {long}, "docno": "a", "score": 1, "n": {long}}}\n'))
    assert run.values.tolist() == [[long, "a", 1.0]]


def test_a_json_id_of_minus_zero_is_zero_wherever_it_stands(write):
    text = '{"qid": -0, "docno": "a", "score": 1}\n'
    assert read_run(write(text))["query_id"].tolist() == ["0"]
    other = text.replace("-0", '"q"')
    assert read_run(write(other + text))["query_id"].tolist() == ["q", "0"]


def test_a_name_twice_in_json_does_no_harm_where_it_is_not_read(write):
    text = '{"qid": 1, "docno": "a", "score": 1, "n": 1, "n": 2}\n'
    assert read_run(write(text + text.replace("1", '"x"', 1))).values.tolist() == [
        ["1", "a", 1.0],
        ["x", "a", 1.0],
    ]


def test_a_json_file_is_opened_as_often_whatever_its_size(write, monkeypatch):
    opened = []
    whole = byhand.files.file.File.open

    def counted(file):
        opened.append(file.name)
        return whole(file)

    monkeypatch.setattr(byhand.files.file.File, "open", counted)
    monkeypatch.setattr(byhand.files.file, "BLOCK", 60)
    counts = []
    for n in (1, 40):
        opened.clear()
        lines = (json.dumps({"qid": "q", "docno": i, "score": 1}) for i in range(n))
        assert len(read_run(write("\n".join(lines)))) == n
        counts.append(len(opened))
    assert counts[0] == counts[1]


def test_json_text_that_looks_like_a_date_stays_text(write):
    run = read_run(write('{"qid": "2020-01-01", "docno": "2020-01-01T00:00:00Z", "score": 1}\n'))
    assert run.values.tolist() == [["2020-01-01", "2020-01-01T00:00:00Z", 1.0]]


def parquet(frame, **options):
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), file, **options)
    return file.getvalue()


PARQUETS = {
    "str": FRAME,
    "object": FRAME.astype({"query_id": object, "doc_id": object}),
    "categories": FRAME.astype({"query_id": "category", "doc_id": "category"}),
    "float32 scores": FRAME.iloc[[0, 2, 3]].astype({"score": "float32"}),
    "decimal scores": FRAME.astype({"score": pd.ArrowDtype(pa.decimal128(12, 6))}),
}


@pytest.mark.parametrize("rows", [1, 2, 100])
@pytest.mark.parametrize("case", PARQUETS)
def test_parquet_is_read_as_written(write, case, rows):
    run = read_run(write(parquet(PARQUETS[case].assign(more=1), row_group_size=rows)))
    expected = [ROWS[i] for i in PARQUETS[case].index]
    assert run.values.tolist() == expected
    assert (run.attrs["format"], run.attrs["other columns"]) == ("Parquet", ["more"])


def test_parquet_may_be_gzipped_and_hold_whole_numbers(write):
    frame = pd.DataFrame({"qid": [1, 2], "docno": np.uint64([2**63, 7]), "score": [1, 2]})
    run = read_run(write(gzip.compress(parquet(frame))))
    assert run.values.tolist() == [["1", "9223372036854775808", 1.0], ["2", "7", 2.0]]


def test_other_columns_of_parquet_may_share_a_name(write):
    names = ["x", "query_id", "x", "doc_id", "score"]
    file, columns = io.BytesIO(), [[1], ["q"], ["y"], ["a"], [1.0]]
    pq.write_table(pa.Table.from_arrays([pa.array(column) for column in columns], names), file)
    assert read_run(write(file.getvalue())).values.tolist() == [["q", "a", 1.0]]


@pytest.mark.parametrize("name", ["s3:x.parquet", "file:x", "gs:a", "_x", ".x", "a b%20.parquet"])
def test_parquet_is_read_whatever_its_name(write, name):
    assert read_run(write(parquet(FRAME), name)).values.tolist() == ROWS


@THREADS
@pytest.mark.parametrize(
    "content", [trec(), gzip.compress(trec().encode(), mtime=0), parquet(FRAME)]
)
def test_a_pipe_is_read_whole(write, content):
    os.mkfifo("pipe")
    content = content.encode() if isinstance(content, str) else content
    expected = read_run(write(content)).values.tolist()
    writer = Thread(target=lambda: Path("pipe").write_bytes(content))
    writer.start()
    assert read_run("pipe").values.tolist() == expected
    writer.join()


def test_columns_have_the_same_types_whatever_the_file(write):
    frames = [read_run(write(content)) for content in (trec(), table(FRAME), parquet(FRAME))]
    frames.append(read_run(write("\n".join(map(json.dumps, JSON_LINES["text"])))))
    assert len({tuple(map(str, frame.dtypes)) for frame in frames}) == 1
    for name in ("query_id", "doc_id"):
        dtype = frames[0][name].dtype
        assert isinstance(dtype, pd.StringDtype)
        assert dtype.storage == "pyarrow"
    assert frames[0]["score"].dtype == "float64"
    assert isinstance(frames[0].index, pd.RangeIndex)


def scored_files(texts):
    """Files of each format whose items have these scores, a query each two of them."""
    rows = [(f"q{n // 2}", f"d{n}", text) for n, text in enumerate(texts)]
    lines = [f'{{"query_id":"{q}","doc_id":"{d}","score":{text}}}' for q, d, text in rows]
    return {
        "CSV": "qid,docno,score\n" + "\n".join(map(",".join, rows)),
        "quoted CSV": 'qid,docno,score,x\n"q""",d,0,"\n"\n' + ",\n".join(map(",".join, rows)) + ",",
        "TREC": "".join(f"{q} Q0 {d} 1 {text} t\n" for q, d, text in rows),
        "JSON Lines": "\n".join(lines),
        "Parquet of text": parquet(pd.DataFrame(rows, columns=["qid", "docno", "score"])),
    }


@pytest.mark.parametrize("form", scored_files([]))
@pytest.mark.parametrize(
    ("texts", "dtype"),
    [
        ([str(2**53 - 1), "0", "-1"], "float64"),
        ([str(2**53 + 1), str(2**53), "-7"], "int64"),
        ([str(-(2**53) - 1), str(-(2**53))], "int64"),
        ([str(-(2**63)), str(2**63 - 1), "0"], "int64"),
        ([str(2**64 - 1), str(2**64 - 2), "7"], "uint64"),
    ],
)
def test_whole_scores_keep_every_digit(write, form, texts, dtype):
    run = read_run(write(scored_files(texts)[form]))
    assert run["score"].dtype == dtype
    assert [int(score) for score in run["score"]][-len(texts) :] == list(map(int, texts))
    assert not [note for note in run.attrs["notes"] if "2^53" in note]
    judged = run[["query_id", "doc_id"]].iloc[[-len(texts)]].assign(relevance=1)
    first = int(texts[0]) > int(texts[1])
    assert evaluate(run, judged, ["RR"])["RR"].tolist() == [1 if first else 0.5]


@pytest.mark.parametrize("form", scored_files([]))
@pytest.mark.parametrize(
    "texts",
    [
        [str(2**53 + 1), "0.5"],
        [str(2**64), "1"],
        [str(2**64 - 1), "-1"],
        ["1e300", "1"],
        ["1" * 30, "1"],
    ],
)
def test_scores_that_may_have_become_equal_are_pointed_out(write, form, texts):
    run = read_run(write(scored_files(texts)[form]))
    assert run["score"].tolist()[-len(texts) :] == list(map(float, texts))
    assert "Some scores are 2^53 or more" in run.attrs["notes"][-1]


@pytest.mark.parametrize(
    ("scores", "dtype"),
    [
        (pa.array([2**62 + 1, 2**62]), "int64"),
        (pa.array([2**64 - 1, 2**64 - 2], pa.uint64()), "uint64"),
        (pa.array([2**53 - 1, 0]), "float64"),
        (pa.array([Decimal(2**62 + 1), Decimal(2**62)], pa.decimal128(20, 0)), "int64"),
        (pa.array([2**62 + 1, 2**62]).dictionary_encode(), "int64"),
    ],
)
def test_whole_scores_of_parquet_keep_every_digit(write, scores, dtype):
    file = io.BytesIO()
    pq.write_table(pa.table({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": scores}), file)
    run = read_run(write(file.getvalue()))
    assert run["score"].dtype == dtype
    assert [int(score) for score in run["score"]] == [int(score) for score in scores.to_pylist()]


def test_long_ranks_are_still_turned_round(write):
    run = read_run(write(f"qid,docno,rank\nq,a,{2**63}\nq,b,1\n"))
    assert run["score"].tolist() == [-(2.0**63), -1]


def test_hexadecimal_scores_are_no_numbers(write):
    with pytest.raises(DataError, match="'0x10' is no finite number"):
        read_run(write(f"qid,docno,score\nq,a,{2**62}\nq,b,0x10\n"))


def test_trec_qrels_keep_their_grades(write):
    qrels = read_qrels(write("q1 0 a 2\nq1\t0  b\t0\nq2 Q0 c -1\n"))
    assert qrels.values.tolist() == [["q1", "a", 2], ["q1", "b", 0], ["q2", "c", -1]]
    assert qrels["relevance"].dtype == "int64"
    assert qrels.attrs["format"] == "TREC qrels"


@pytest.mark.parametrize(
    ("texts", "grades", "dtype"),
    [
        (["1", "0"], [1, 0], "int64"),
        (["true", "FALSE", " True "], [1, 0, 1], "int64"),
        (["2.0", "+1"], [2, 1], "int64"),
        (["0.5", "1"], [0.5, 1], "float64"),
        (["1e2", "-3"], [100, -3], "int64"),
        (["1e300"], [1e300], "float64"),
    ],
)
def test_grades_are_numbers_or_truth(write, texts, grades, dtype):
    lines = "".join(f"q,d{i},{text}\n" for i, text in enumerate(texts))
    qrels = read_qrels(write("qid,docno,label\n" + lines))
    assert qrels["relevance"].tolist() == grades
    assert qrels["relevance"].dtype == dtype


@pytest.mark.parametrize("grades", [[True, False], [1, 0], [1.0, 0.5], ["1", "true"]])
def test_grades_of_parquet_and_json_may_have_any_type(write, grades):
    frame = pd.DataFrame({"qid": "q", "docno": ["a", "b"], "rel": grades})
    expected = [1, 1] if grades[0] == "1" else [float(grade) for grade in grades]
    for content in (parquet(frame), frame.to_json(orient="records", lines=True)):
        assert read_qrels(write(content))["relevance"].tolist() == expected


def test_the_qrels_of_beir_call_their_grades_score(write):
    qrels = read_qrels(write("query-id\tcorpus-id\tscore\n1\t31715818\t1\n"))
    assert qrels.values.tolist() == [["1", "31715818", 1]]
    assert qrels.attrs["notes"] == ["relevance is read from 'score', as in the qrels of BEIR."]


def test_the_qrels_of_ranx_call_their_grades_score(write):
    held = {"q_id": ["q"], "doc_id": ["a"], "score": [2]}
    qrels = read_qrels(write(parquet(pd.DataFrame(held))))
    assert qrels.values.tolist() == [["q", "a", 2]]
    assert qrels.attrs["notes"] == ["relevance is read from 'score', as in the qrels of ranx."]
    with pytest.raises(DataError, match="It has 'score', as a run does"):
        read_qrels(write(parquet(pd.DataFrame(held | {"score": [2.0]}))))


def test_ratings_as_of_movielens_are_grades_and_what_they_count_as_is_said(write):
    content = "userId,movieId,rating,timestamp\n1,31,2.5,1260759144\n1,32,4.0,1260759179\n"
    qrels = read_qrels(write(content))
    assert qrels.values.tolist() == [["1", "31", 2.5], ["1", "32", 4.0]]
    assert qrels.attrs["notes"] == ["relevance is read from 'rating'."]
    run = pd.DataFrame({"query_id": "1", "doc_id": ["31", "32"], "score": [2.5, 1.5]})
    for lowest, relevant in ((None, "above 0"), (4, "4 or more")):
        said = repr(preflight(run, qrels, relevant_from=lowest))
        assert f"{relevant} is relevant" in said
        assert ("relevant_from=4" in said) == (lowest is None)
        assert "any rating" not in said
    judged = read_judged_run(write("user_id,item_id,rating,prediction\nu,a,4,4.2\n"))
    assert judged.values.tolist() == [["u", "a", 4.2, 4]]


HEADERLESS = {
    "commas": (read_run, "q1,d1,0.5\nq1,d2,-3\n", [["q1", "d1", 0.5], ["q1", "d2", -3]], "012"),
    "tabs": (read_run, "7\t1\t0.5\n7\t2\t3\n", [["7", "1", 0.5], ["7", "2", 3]], "012"),
    "semicolons": (read_run, "q;a b;0,5\nq;é;1,25\n", [["q", "a b", 0.5], ["q", "é", 1.25]], "012"),
    "quotes": (
        read_run,
        '"q","a,b",0.5\n"q","c",.25\n',
        [["q", "a,b", 0.5], ["q", "c", 0.25]],
        "012",
    ),
    "blanks between tabs": (
        read_run,
        "q r\ta\t0.5\nq\tb c\t2\n",
        [["q r", "a", 0.5], ["q", "b c", 2]],
        "012",
    ),
    "blanks": (read_run, "q a 0.5\nq  b 1e-3\n", [["q", "a", 0.5], ["q", "b", 0.001]], "012"),
    "TREC with commas": (
        read_run,
        "q,Q0,a,1,9,me\nq,Q0,b,2,8,me\n",
        [["q", "a", 9], ["q", "b", 8]],
        "024",
    ),
    "grades": (read_qrels, "q,a,2\nq,b,0\n", [["q", "a", 2], ["q", "b", 0]], "012"),
    "grades with points": (
        read_qrels,
        "1,31,4.0\n1,32,3.0\n",
        [["1", "31", 4], ["1", "32", 3]],
        "012",
    ),
    "truth": (read_qrels, "1,31,true\n1,32,false\n", [["1", "31", 1], ["1", "32", 0]], "012"),
    "four": (read_qrels, "q,0,a,1\nq,0,b,0\n", [["q", "a", 1], ["q", "b", 0]], "023"),
}


@pytest.mark.parametrize("block", [9, 1 << 24], ids=["small blocks", "one block"])
@pytest.mark.parametrize("case", HEADERLESS)
def test_a_file_without_names_is_refused_and_read_as_pasted(write, monkeypatch, case, block):
    monkeypatch.setattr(byhand.files.file, "BLOCK", block)
    reader, content, expected, places = HEADERLESS[case]
    with pytest.raises(DataError, match="has no line of names: it begins with") as caught:
        reader(write(content))
    last = "score" if reader is read_run else "relevance"
    way = dict(zip(map(int, places), ("query_id", "doc_id", last), strict=True))
    assert way in caught.value.ways
    table = reader("file", columns=way)
    assert table.values.tolist() == expected
    assert table.attrs["format"].startswith("text without a header, separated by ")


CLICKS = "user,song,time\nu1,s1,1000\nu1,s2,1001\nu2,s1,1002\nu1,s1,1003\n"


def test_of_a_log_of_clicks_every_row_is_a_hit(write):
    for columns, relevance in (({"song": "doc_id"}, 2), ({"song": "doc_id", "relevance": 2}, None)):
        qrels = read_qrels(write(CLICKS), columns=columns, relevance=relevance)
        assert qrels.values.tolist() == [["u1", "s1", 2], ["u1", "s2", 2], ["u2", "s1", 2]]
        assert qrels["relevance"].dtype == "int64"
        assert qrels.attrs["notes"] == [
            "Every row is a hit, with relevance 2; rows that repeat a query and its item count "
            "once.",
            "1 row repeats a query and its item.",
        ]
        assert qrels.attrs["other columns"] == ["time"]
    assert columns == {"song": "doc_id", "relevance": 2}


@pytest.mark.parametrize(
    ("content", "columns"),
    [
        ("17,4711\n17,4712\n", {0: "query_id", 1: "doc_id"}),
        ("17 4711\n17 4712\n", {0: "query_id", 1: "doc_id"}),
        ("17\t4711\t881250949\n17\t4712\t881250949\n", {0: "query_id", 1: "doc_id"}),
        ('{"user": 17, "item": 4711}\n{"user": 17, "item": 4712}\n', None),
        (b"user_id,item_id,rating\n17,4711,3\n17,4712,1\n", None),
    ],
)
def test_clicks_come_in_every_format(write, content, columns):
    qrels = read_qrels(write(content), columns=columns, relevance=1)
    assert qrels.values.tolist() == [["17", "4711", 1], ["17", "4712", 1]]


def test_clicks_of_parquet(write):
    qrels = read_qrels(write(parquet(pd.DataFrame({"uid": [7], "iid": [8]}))), relevance=0.5)
    assert qrels.values.tolist() == [["7", "8", 0.5]]


@pytest.mark.parametrize("block", [1 << 24, 9])
@pytest.mark.parametrize("tail", ["", " more junk", "\tat\tends of 2 lines"])
def test_a_trec_file_is_read_as_trec_eval_reads_it(write, monkeypatch, block, tail):
    monkeypatch.setattr(byhand.files.file, "BLOCK", block)
    lines = ["# a comment", "", f"q1 Q0 #a 1 0.5 S{tail}", "  # q1 Q0 x 2 0.4 S", "q1 Q0 b 2 0.4 S"]
    run = read_run(write("\r\n".join(lines) + "\n#\n"))
    assert run.values.tolist() == [["q1", "#a", 0.5], ["q1", "b", 0.4]]
    notes = ["3 lines begin with #: passed over as comments, as by trec_eval 10."]
    notes += ["Line 3 goes on after the tag: passed over, as by trec_eval."] * bool(tail)
    assert run.attrs["notes"] == notes
    qrels = read_qrels(write("# by hand\nq1 0 a 1\n#q1 0 b 1\n"))
    assert qrels.values.tolist() == [["q1", "a", 1]]


def test_ids_with_blanks_between_tabs_make_no_trec_file(write):
    rows = "".join(f"user {n}\td{n}\t0.5\n" for n in range(3))
    assert read_run(write(f"query_id\tdoc_id\tscore\n{rows}"))["query_id"].tolist()[0] == "user 0"
    named = {"Kunde": "query_id", "Buch": "doc_id", "Wert": "score"}
    run = read_run(write(f"Kunde\tBuch\tWert\n{rows}"), columns=named)
    assert run["query_id"].tolist() == ["user 0", "user 1", "user 2"]
    counted = {0: "query_id", 1: "doc_id", 2: "relevance"}
    qrels = read_qrels(write('"q0\tx"\ta\t1\nq lead\tb\t2\n'), columns=counted)
    assert qrels.values.tolist() == [["q0\tx", "a", 1], ["q lead", "b", 2]]


@pytest.mark.parametrize("query", ["{}", "{", "[]", "q;1", "q;", "a;b,c|d"])
def test_a_trec_file_may_have_any_first_id(write, query):
    run = read_run(write(f"{query} Q0 d; 1 0.5 t\n{query} Q0 b 2 0.4 t\n"))
    assert run.values.tolist() == [[query, "d;", 0.5], [query, "b", 0.4]]
    assert read_qrels(write(f"{query} 0 d; 1\n"))["query_id"].tolist() == [query]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("block", [1 << 24, 5])
def test_text_in_utf_16_is_read(write, monkeypatch, encoding, pack, block):
    monkeypatch.setattr(byhand.files.file, "BLOCK", block)
    content = "\ufeffqid;docno;score\r\né;\U0001f600;0,5\r\né;한국;0,25\r\n".encode(encoding)
    run = read_run(write(pack(content)))
    assert run.values.tolist() == [["é", "\U0001f600", 0.5], ["é", "한국", 0.25]]


def test_trec_qrels_may_have_blanks_wherever_they_like(write):
    qrels = read_qrels(write("  q1   0  a    2  \n\n q1 0 \t b 0\t\n\n"))
    assert qrels.values.tolist() == [["q1", "a", 2], ["q1", "b", 0]]
    assert qrels.attrs["format"] == "TREC qrels"


def test_a_file_with_ranks_and_no_scores_is_ranked_by_them(write):
    run = read_run(write("qid,docno,Rank\nq,a,2\nq,b,1\n"))
    assert run["score"].tolist() == [-2, -1]
    assert run.attrs["notes"] == ["There are no scores: score is minus the rank in 'Rank'."]
    qrels = pd.DataFrame({"query_id": "q", "doc_id": ["b"], "relevance": 1})
    assert evaluate(run, qrels, "RR").loc["q", "RR"] == 1


def test_scores_go_before_ranks(write):
    run = read_run(write("qid,docno,rank,score\nq,a,1,0.5\nq,b,2,0.7\n"))
    assert run["score"].tolist() == [0.5, 0.7]
    assert run.attrs["other columns"] == ["rank"]
    assert run.attrs["notes"] == []


def test_a_file_without_names_is_read_by_position(write):
    columns = {0: "query_id", 1: "doc_id", 2: "rank"}
    run = read_run(write("1048585\t7187158\t1\n1048585\t007\t2\n"), columns=columns)
    assert run.values.tolist() == [["1048585", "7187158", -1], ["1048585", "007", -2]]
    columns = {0: "query_id", 2: "doc_id", 4: "score"}
    assert read_run(write(trec(between=" \t")), columns=columns).values.tolist() == PLAIN


def test_one_row_behind_a_blank_line_and_no_last_line_end(write):
    run = read_run(write("\nq1 Q0 d1 1 0.5 t"))
    assert run.values.tolist() == [["q1", "d1", 0.5]]


def test_numbers_that_name_columns_are_names(write):
    columns = {0: "query_id", 1: "doc_id", 2: "score"}
    assert read_run(write("0,1,2\nq,a,1\n"), columns=columns).values.tolist() == [["q", "a", 1]]
    assert read_run(write("0,1,9\n0,2,7\n"), columns=columns).values.tolist() == [
        ["0", "1", 9],
        ["0", "2", 7],
    ]


def test_given_names_go_before_known_ones(write):
    content = "qid,docno,score,mine,Text\nq,a,1,9,t\n"
    run = read_run(write(content), columns={"mine": "score", "Text": "doc_id"})
    assert run.values.tolist() == [["q", "t", 9.0]]
    assert run.attrs["other columns"] == ["docno", "score"]


def test_of_two_known_names_the_likelier_is_taken_and_said(write):
    run = read_run(write("qid,query,docid,docno,score,rank\n1,what is mrr,815,D7,0.5,1\n"))
    assert run.values.tolist() == [["1", "D7", 0.5]]
    assert run.attrs["notes"] == [
        "query_id is read from 'qid', not from 'query'.",
        "doc_id is read from 'docno', not from 'docid'.",
    ]


def test_our_own_names_go_before_aliases(write):
    run = read_run(write("docno,doc_id,query_id,qid,score,sim\nx,d,q,y,1,2\n"))
    assert run.values.tolist() == [["q", "d", 1.0]]


def test_scores_that_rise_down_the_ranks_are_pointed_out(write):
    rising = "".join(f"q Q0 d{i} {i} {i / 10} tag\n" for i in range(1, 9))
    (note,) = read_run(write(rising)).attrs["notes"]
    assert "the score rises as the rank goes down" in note
    falling = "".join(f"q Q0 d{i} {i} {-i / 10} tag\n" for i in range(1, 9))
    assert read_run(write(falling)).attrs["notes"] == []


def test_a_judged_run_like_tracin(write):
    content = "TestTriple,TrainTriple,TracInScore,In_path\nt1,A,0.1,1\nt1,B,0.9,0\nt2,A,3,1\n"
    judged = read_judged_run(write(content))
    assert judged.columns.tolist() == ["query_id", "doc_id", "score", "relevance"]
    assert judged.values.tolist() == [["t1", "A", 0.1, 1], ["t1", "B", 0.9, 0], ["t2", "A", 3, 1]]
    assert evaluate(judged, judged, "RR")["RR"].to_dict() == {"t1": 1 / 2, "t2": 1}


def test_a_judged_run_like_spots(write):
    content = "SpotID;Theme;Score1;Score2;Fits\n1;sea;0,3;0,1;true\n2;sea;0,5;0,2;false\n"
    columns = {"Theme": "query_id", "Score2": "score", "Fits": "relevance"}
    judged = read_judged_run(write(content), columns=columns)
    assert judged.values.tolist() == [["sea", "1", 0.1, 1], ["sea", "2", 0.2, 0]]
    assert judged.attrs["other columns"] == ["Score1"]


def test_a_judged_run_without_queries_is_one_query(write):
    judged = read_judged_run(write("item,rank,label\na,1,0\nb,2,1\n"))
    assert judged["query_id"].tolist() == ["all", "all"]
    assert judged.attrs["notes"] == [
        "There are no scores: score is minus the rank in 'rank'.",
        "There is no query column: all rows are one query, called 'all'.",
    ]
    assert evaluate(judged, judged, "RR").loc["all", "RR"] == 1 / 2


def test_the_slow_exact_path_agrees_with_pyarrow(write, monkeypatch):
    cases = {**TREC, **TABLES}
    fast = [read_run(write(content)) for content in cases.values()]
    monkeypatch.setattr(byhand.files.text, "ROWS", 2)

    def refuse(*_):
        raise byhand.files.text.NotPlainError

    monkeypatch.setattr(byhand.files.text, "_parse", refuse)
    for expected, content in zip(fast, cases.values(), strict=True):
        pd.testing.assert_frame_equal(read_run(write(content)), expected)


def test_every_format_offers_the_same_functions():
    wanted = {
        name: inspect.signature(function).parameters.keys() - {"self"}
        for name, function in vars(Format).items()
        if inspect.isfunction(function) and not name.startswith("_")
    }
    assert wanted.keys() == {"recognises", "find", "read", "place"}
    for form in byhand.files.formats.FORMATS:
        found = {name: inspect.signature(getattr(form, name)).parameters.keys() for name in wanted}
        assert found == wanted


def test_a_format_is_four_functions_and_an_entry_in_one_list(write, monkeypatch):
    def words(file):
        return file.head.decode().split()[1:]

    def find(file, wanted, given):
        return Layout("Mine", find_columns(words(file)[:3], wanted, given, file.name))

    def read(file, layout, *, few=False):
        rows = pa.array(words(file)[3:]).to_numpy(zero_copy_only=False).reshape(-1, 3)
        places = layout.columns.positions
        yield pa.table({ours: pa.array(rows[:, place]) for ours, place in places.items()})

    mine = SimpleNamespace(
        recognises=lambda file: file.head.startswith(b"\0MINE"),
        find=find,
        read=read,
        place=lambda file, layout, row: f"verse {row + 1}",
    )
    content = b"\0MINE qid docno sim q a 0.5 q b 0.7 "
    with pytest.raises(DataError, match="binary"):
        read_run(write(content))
    monkeypatch.setattr(byhand.files.formats, "FORMATS", (mine, *byhand.files.formats.FORMATS))
    run = read_run(write(content))
    assert run.values.tolist() == [["q", "a", 0.5], ["q", "b", 0.7]]
    assert run.attrs["format"] == "Mine"
    with pytest.raises(DataError, match="'a' twice, in verse 1 and verse 3"):
        read_run(write(content + b"q a 1"))
    with pytest.raises(DataError, match=r"verse 3, column 'sim' \(score\): 'x' is no finite"):
        read_run(write(content + b"q c x"))


def test_repeats_in_long_tables_are_left_to_evaluate(write, monkeypatch):
    content = "qid,docno,score\nq,a,1\nq,a,2\n"
    with pytest.raises(DataError, match="'a' twice"):
        read_run(write(content))
    monkeypatch.setattr(byhand.files.read, "CHECKED_FOR_REPEATS", 1)
    run = read_run(write(content))
    with pytest.raises(DataError, match="'a' twice"):
        evaluate(run, pd.DataFrame({"query_id": "q", "doc_id": ["a"], "relevance": 1}))


@pytest.fixture
def slow(monkeypatch):
    """Every look at the clock finds a second gone."""
    seconds = iter(range(10_000))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(seconds)))
    monkeypatch.setattr(byhand.files.file, "BLOCK", 9)


def test_a_long_read_says_so_once_in_a_log(write, slow, capsys):
    read_run(write(trec() * 1, "run.txt"))
    assert capsys.readouterr() == ("", "Reading run.txt …\n")


def test_a_long_read_keeps_one_line_of_a_terminal_up_to_date(write, slow, capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    read_run(write(trec(), "run.txt"))
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert re.fullmatch(r"(\rReading run\.txt: [ \d]{3}%)+\n", err)
    assert err.endswith("\rReading run.txt: 100%\n")


def test_a_long_read_prints_in_a_notebook(write, slow, capsys, monkeypatch):
    monkeypatch.setattr(byhand.files.file, "_in_notebook", lambda: True)
    read_run(write(trec(), "run.txt"))
    out, err = capsys.readouterr()
    assert err == ""
    assert out.endswith("\rReading run.txt: 100%\n")


def test_a_quick_read_says_nothing(write, capsys):
    read_run(write(trec()))
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    "query", ["PAR1", "BZh9", "ARROW1", "%PD", "PK", "<html", "{q", "[q]", "Q0"]
)
def test_ids_that_look_like_the_mark_of_a_format_are_ids(write, query):
    content = f"{query} Q0 a 1 0.5 tag\n"
    assert read_run(write(content)).values.tolist() == [[query, "a", 0.5]]
