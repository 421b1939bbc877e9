"""Files that cannot be read: each message says what, where, what was expected, what to do."""

import csv
import gzip
import io
import os
import re
from contextlib import suppress
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from needs import SYSTEM

import byhand.files.file
import byhand.files.pipes
import byhand.files.text
from byhand import DataError, evaluate
from byhand.files.read import read_judged_run, read_qrels, read_run

TREC = b"q1 Q0 a 1 0.9 t\nq1 Q0 b 2 0.4 t\nq2 Q0 a 1 0.8 t\n"
CSV = b"query_id,doc_id,score\nq1,a,0.9\nq1,b,0.4\n"
JSON = b"".join(b'{"query_id":"q","doc_id":"%d","score":1}\n' % i for i in range(30))
NUMBERED = b"".join(b"q Q0 d%d 1 %d t\n" % (i, i) for i in range(60_000))


def parquet(**columns):
    file = io.BytesIO()
    pd.DataFrame(columns).to_parquet(file, index=False)
    return file.getvalue()


def arrow(**columns):
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return file.getvalue()


FAR = pa.array([2**61], pa.timestamp("us"))  # a time that Python cannot hold
PARQUET = parquet(
    query_id=["q"] * 1000,
    doc_id=[str(i) for i in range(1000)],
    score=[float(i) for i in range(1000)],
)


def message_of(call, *args, **kwargs):
    with pytest.raises(DataError) as caught:
        call(*args, **kwargs)
    return str(caught.value)


# … stands for what a library says, in words of its own
BROKEN = {
    "missing": (
        read_run,
        None,
        "There is no file absent. Looked in the current folder, which holds 0 other names: check "
        "the path.",
    ),
    "empty": (read_run, b"", "file is empty: 0 bytes. Was it written to its end?"),
    "blank only": (
        read_run,
        b"\n\n  \n",
        "file holds nothing but blank space. Was it written fully?",
    ),
    "binary": (
        read_run,
        b"\x00\x01\x02\x03" * 20,
        "file is a binary file, not text: byte 0 is zero. Expected a TREC file, CSV, TSV, JSON or "
        "Parquet.",
    ),
    "zip": (
        read_run,
        b"PK\x03\x04aaaa",
        "file is a zip archive or an Excel workbook. Unpack the archive, or save the sheet as CSV"
        " with UTF-8 text.",
    ),
    "xls": (
        read_run,
        b"\xd0\xcf\x11\xe0aaaa",
        "file is an old Excel workbook. Save it as CSV with UTF-8 text.",
    ),
    "bz2": (
        read_run,
        b"BZh91AY&SYaa",
        "file is packed with bzip2. Unpack it first; of packed files only gzip is read.",
    ),
    "pickle": (
        read_run,
        b"\x80\x04\x95aaa",
        "file is a Python pickle. Save its table as Parquet, for example with pandas' to_parquet.",
    ),
    "html": (
        read_run,
        b"<!DOCTYPE html><html>",
        "file is an HTML page. Download the file itself, not the page that shows it.",
    ),
    "lfs": (
        read_run,
        b"version https://git-lfs.github.com/spec/v1\noid sha256:aa\n",
        "file is only a pointer of Git LFS, not the data. Fetch the data with `git lfs pull`.",
    ),
    "torn gzip": (
        read_run,
        gzip.compress(bytes(range(33, 127)) * 99)[:-20],
        "file is torn: it begins as a gzip file but cannot be unpacked to its end (…). Download "
        "or pack it again.",
    ),
    "torn gzip late": (
        read_run,
        gzip.compress(NUMBERED)[:-2000],
        "file is torn: it begins as a gzip file but cannot be unpacked to its end (…). Download "
        "or pack it again.",
    ),
    "gzip garbage": (
        read_run,
        b"\x1f\x8bxxxxxxxxxxx",
        "file is torn: it begins as a gzip file but cannot be unpacked to its end (…). Download "
        "or pack it again.",
    ),
    "gzip crc": (
        read_run,
        gzip.compress(TREC)[:-8] + b"\0" * 8,
        "file is torn: it begins as a gzip file but cannot be unpacked to its end (CRC check "
        "failed …). Download or pack it again.",
    ),
    "torn parquet": (
        read_run,
        PARQUET[:-30],
        "file begins as a Parquet file but is torn (…). Write, copy or download it again.",
    ),
    "short parquet": (
        read_run,
        PARQUET[:6],
        "file begins as a Parquet file but is torn (…). Write, copy or download it again.",
    ),
    "parquet middle": (
        read_run,
        PARQUET[:200] + b"\xff" * 400 + PARQUET[600:],
        "file begins as a Parquet file but is torn (…). Write, copy or download it again.",
    ),
    "zeros in text": (
        read_run,
        TREC + b"\0" * 70000 + b"\n",
        "file is a binary file, not text: byte 48 is zero. Expected a TREC file, CSV, TSV, JSON or "
        "Parquet.",
    ),
    "zeros late": (
        read_run,
        TREC * 5000 + b"q3 Q0 \0\0\0\n",
        "file, line 15001 holds a zero byte, which is no text: the file is torn. Write, copy or "
        "download it again.",
    ),
    "header only": (
        read_run,
        b"query_id,doc_id,score\n",
        "file has no rows, only a header. Expected one row for each item.",
    ),
    "header only, rows blank": (
        read_run,
        b"query_id,doc_id,score\n\n\n",
        "file has no rows, only a header. Expected one row for each item.",
    ),
    "parquet no rows": (
        read_run,
        parquet(query_id=[], doc_id=[], score=[]),
        "file has no rows, only a header. Expected one row for each item.",
    ),
    "no score": (
        read_run,
        b"query_id,doc_id\nq,a\n",
        "file has no column 'score' (or 'rank'). Columns found: 'query_id', 'doc_id'. Add it.",
    ),
    "close name": (
        read_run,
        b"query_id,doc_id,scre\nq,a,1\n",
        "file has no column 'score' (or 'rank'). Columns found: 'query_id', 'doc_id', 'scre'. If "
        "'scre' is it, pass columns={'scre': 'score'}.",
    ),
    "holds name": (
        read_run,
        b"query_id,doc_id,bm25_score\nq,a,1\n",
        "file has no column 'score' (or 'rank'). Columns found: 'query_id', 'doc_id', "
        "'bm25_score'. If 'bm25_score' is it, pass columns={'bm25_score': 'score'}.",
    ),
    "a rank and a score": (
        read_run,
        b"Suchanfrage;Artikelnummer;Rang;Punktzahl\nJacke;4711;1;9\nJacke;4712;2;8\n",
        "file has no columns 'query_id', 'doc_id' and 'score' (or 'rank'). Columns found: "
        "'Suchanfrage', 'Artikelnummer', 'Rang', 'Punktzahl'. Only you can tell which column is "
        "which; the highest score is best, and the lowest rank. Whichever is right, pass "
        + " or ".join(
            f"columns={{'Suchanfrage': 'query_id', 'Artikelnummer': 'doc_id', {which}}}"
            for ours in ("rank", "score")
            for which in (f"'Rang': '{ours}'", f"'Punktzahl': '{ours}'")
        )
        + ".",
    ),
    "other names": (
        read_run,
        b"A;B;C\nq;a;1\n",
        "file has no columns 'query_id', 'doc_id' and 'score' (or 'rank'). Columns found: 'A', "
        "'B', 'C'. Only you can tell which column is which; the highest score is best, and the "
        "lowest rank. Whichever is right, pass columns={'A': 'query_id', 'B': 'doc_id', 'C': "
        "'rank'} or columns={'A': 'query_id', 'B': 'doc_id', 'C': 'score'}.",
    ),
    "no names": (
        read_qrels,
        b"q1,d1,0.5\nq1,d2,0.4\n",
        "file has no line of names: it begins with 'q1', 'd1', '0.5'. Its numbers are fractions, "
        "as scores are: is it a run? Add a line of names, or count the columns from 0: columns={0: "
        "'query_id', 1: 'doc_id', 2: 'relevance'}.",
    ),
    "msmarco": (
        read_run,
        b"1048585\t7187158\t1\n1048585\t7187157\t2\n",
        "file has no line of names: it begins with '1048585', '7187158', '1'. Are its whole "
        "numbers scores, of which the highest is best, or ranks, of which 1 is? Add a line of "
        "names, or count the columns from 0: columns={0: 'query_id', 1: 'doc_id', 2: 'score'} "
        "or columns={0: 'query_id', 1: 'doc_id', 2: 'rank'}.",
    ),
    "whole scores": (
        read_run,
        b"q1,d1,9\nq1,d2,7\n",
        "file has no line of names: it begins with 'q1', 'd1', '9'. Are its whole numbers "
        "scores, of which the highest is best, or ranks, of which 1 is? Add a line of names, "
        "or count the columns from 0: columns={0: 'query_id', 1: 'doc_id', 2: 'score'} or "
        "columns={0: 'query_id', 1: 'doc_id', 2: 'rank'}.",
    ),
    "ranks as grades": (
        read_qrels,
        b"".join(b"q1,d%d,%d\n" % (i, i) for i in range(1, 6)),
        "file has no line of names: it begins with 'q1', 'd1', '1'. Its numbers count from 1 on, "
        "as ranks do: is it a run? Add a line of names, or count the columns from 0: columns={0: "
        "'query_id', 1: 'doc_id', 2: 'relevance'}.",
    ),
    "times as grades": (
        read_qrels,
        b"17,4711,881250949\n17,4712,881250977\n",
        "file has no line of names: it begins with '17', '4711', '881250949'. Its numbers go up to "
        "881,250,977: are these grades? Add a line of names, or count the columns from 0: "
        "columns={0: 'query_id', 1: 'doc_id', 2: 'relevance'}.",
    ),
    "movielens": (
        read_qrels,
        b"196\t242\t3\t881250949\n186\t302\t3\t891717742\n",
        "file begins with '196\\t242\\t3\\t881250949'. Read as TREC qrels, its fourth column is "
        "the grade, and it is no grade. If the columns are user, item, rating and time, count them "
        "from 0: columns={0: 'query_id', 1: 'doc_id', 2: 'relevance'}.",
    ),
    "four without names": (
        read_qrels,
        b"1,31,4.0,881250949\n",
        "file has no line of names: it begins with '1', '31', '4.0', '881250949'. Expected "
        "query, item and grade, or TREC's four columns. If every row is a hit, as in a log of "
        "clicks, say relevance=1. Add a line of names, or count the columns from 0: "
        "columns={0: 'query_id', 1: 'doc_id', 3: 'relevance'} or columns={0: 'query_id', 1: "
        "'doc_id', 2: 'relevance'}.",
    ),
    "numbers first": (
        read_run,
        b"0.5,q1,d1\n0.4,q1,d2\n",
        "file has no line of names: it begins with '0.5', 'q1', 'd1'. Expected query, item and "
        "score. Add a line of names, or count the columns from 0: columns={1: 'query_id', 2: "
        "'doc_id', 0: 'score'}.",
    ),
    "two without names": (
        read_run,
        b"17,4711\n",
        "file has no line of names: it begins with '17', '4711'. Expected query, item and score. "
        "Add a line of names.",
    ),
    "a word among scores without names": (
        read_run,
        b"q1,d1,0.5\nq1,d2,high\nq1,d3,0.25\n",
        "file, line 2, column '2' (score): 'high' is no finite number. Expected a score such as "
        "0.93, with a decimal point: mend the row or remove it.",
    ),
    "names of pandas, or data": (
        read_run,
        b"0,1,2\nq1,d1,0.5\n",
        "file has no line of names: it begins with '0', '1', '2'. Are these names, as pandas "
        "gives them, or data? Add a line of names, or count the columns from 0: columns={0: "
        "'query_id', 1: 'doc_id', 2: 'score'} or columns={0: 'query_id', 1: 'doc_id', 2: "
        "'rank'}.",
    ),
    "qrels without names as a run": (
        read_run,
        b"q1,0,d1,1\n",
        "file has no line of names: it begins with 'q1', '0', 'd1', '1'. These are the columns of "
        "qrels, not of a run. Read it with read_qrels; were the two files swapped?",
    ),
    "a run without names as qrels": (
        read_qrels,
        b"q1,Q0,d1,1,0.5,me\n",
        "file has no line of names: it begins with 'q1', 'Q0', 'd1', '1', '0.5', 'me'. These are "
        "the columns of a run, not of qrels. Read it with read_run; were the two files swapped?",
    ),
    "one column": (
        read_run,
        b"query_id\nq1\n",
        "file has no columns 'doc_id' and 'score' (or 'rank'). Columns found: 'query_id'. Expected "
        "columns separated by "
        "commas, semicolons or tabs, their names in the first line; or the lines of a TREC file, "
        "as in 'q1 Q0 d7 1 0.93 mine' or 'q1 0 d7 1'.",
    ),
    "colon": (
        read_run,
        b"query_id:doc_id:score\nq1:a:2\n",
        "file has no columns 'query_id', 'doc_id' and 'score' (or 'rank'). Columns found: "
        "'query_id:doc_id:score'. Expected columns "
        "separated by commas, semicolons or tabs, their names in the first line; or the lines of "
        "a TREC file, as in 'q1 Q0 d7 1 0.93 mine' or 'q1 0 d7 1'.",
    ),
    "ambiguous2": (
        read_run,
        b"user_id,topic_id,docno,score\nu,t,a,1\n",
        "file: columns 'user_id' and 'topic_id' could each be query_id. Whichever is right, "
        "pass columns={'user_id': 'query_id'} or columns={'topic_id': 'query_id'}.",
    ),
    "twice": (
        read_run,
        b"query_id,doc_id,score,score\nu,t,1,1\n",
        "file: columns 'score' and 'score' could each be score. Give them different names.",
    ),
    "text score": (
        read_run,
        CSV + b"q1,c,high\n",
        "file, line 4, column 'score': 'high' is no finite number. Expected a score such as 0.93,"
        " with a decimal point: mend the row or remove it.",
    ),
    "text score trec": (
        read_run,
        TREC + b"q2 Q0 b 2 n/a t\n",
        "file, line 4, column 'score': 'n/a' is no finite number. Expected a score such as 0.93, "
        "with a decimal point: mend the row or remove it.",
    ),
    "nan score": (
        read_run,
        TREC + b"\nq2 Q0 b 2 nan t\nq2 Q0 c 2 nan t\n",
        "file, line 5, column 'score': 'nan' is no finite number (and 1 more of 5 rows). Expected"
        " a score such as 0.93, with a decimal point: mend the row or remove it.",
    ),
    "inf score": (
        read_run,
        CSV + b"q1,c,-inf\n",
        "file, line 4, column 'score': '-inf' is no finite number. Expected a score such as 0.93,"
        " with a decimal point: mend the row or remove it.",
    ),
    "too large": (
        read_run,
        CSV + b"q1,c,1e999\n",
        "file, line 4, column 'score': '1e999' is no finite number. Expected a score such as "
        "0.93, with a decimal point: mend the row or remove it.",
    ),
    "empty score": (
        read_run,
        CSV + b"q1,c,\n",
        "file, line 4, column 'score': there is no value. Expected a score such as 0.93, with a "
        "decimal point: mend the row or remove it.",
    ),
    "score underscore": (
        read_run,
        CSV + b"q1,c,1_000\n",
        "file, line 4, column 'score': '1_000' is no finite number. Expected a score such as "
        "0.93, with a decimal point: mend the row or remove it.",
    ),
    "thousands": (
        read_run,
        b"query_id;doc_id;score\nq;a;1,234\nq;b;2,345\n",
        "file, line 2, column 'score': '1,234' could be 1.234 or 1234. Write numbers with a "
        "decimal point, and without separators of thousands.",
    ),
    "mixed decimals": (
        read_run,
        b"query_id;doc_id;score\nq;a;0.5\nq;b;0,4\n",
        "file, line 3, column 'score': '0,4' is no finite number. Expected a score such as 0.93, "
        "with a decimal point: mend the row or remove it.",
    ),
    "text score sim": (
        read_run,
        b"qid\tdid\tsim\nq\ta\tx\n",
        "file, line 2, column 'sim' (score): 'x' is no finite number. Expected a score such as "
        "0.93, with a decimal point: mend the row or remove it.",
    ),
    "missing query": (
        read_run,
        CSV + b",c,1\n",
        "file, line 4, column 'query_id': there is no id. Every row needs an id: fill it in, or "
        "remove the row.",
    ),
    "missing doc": (
        read_run,
        CSV + b'q1,"",1\nq1," ",1\n',
        "file, line 4, column 'doc_id': there is no id (and 1 more of 4 rows). Every row needs an"
        " id: fill it in, or remove the row.",
    ),
    "empty rows at the end": (
        read_run,
        b"query_id;doc_id;score\nq;a;1\n;;\n;;\n",
        "file, line 3, column 'query_id': there is no id (and 1 more of 3 rows). Every row needs "
        "an id: fill it in, or remove the row.",
    ),
    "ragged trec": (
        read_run,
        TREC + b"q2 Q0 my doc 2 0.1 t\n",
        "file, line 4 has 7 fields: 'q2 Q0 my doc 2 0.1 t'. A line of a TREC run has 6: 'query_id"
        " Q0 doc_id rank score tag'. Mend that line; its ids hold no blanks.",
    ),
    "ragged trec 2": (
        read_run,
        b"q1 Q0 a 1 0.9\nq1 Q0 b 2 0.8\n",
        "file, line 1 has 5 fields: 'q1 Q0 a 1 0.9'. A line of a TREC run has 6: 'query_id Q0 "
        "doc_id rank score tag'. Mend that line; its ids hold no blanks.",
    ),
    "torn trec": (
        read_run,
        TREC + b"q2 Q0 c",
        "file, line 4 has 3 fields: 'q2 Q0 c'. A line of a TREC run has 6: 'query_id Q0 doc_id "
        "rank score tag'. Mend that line; its ids hold no blanks. The file ends in the "
        "middle of that line: was it written, or copied, to its end?",
    ),
    "ragged qrels": (
        read_qrels,
        b"q1 0 a 1\nq1 0 b\n",
        "file, line 2 has 3 fields: 'q1 0 b'. A line of TREC qrels has 4: 'query_id iteration "
        "doc_id relevance'. Mend that line; its ids hold no blanks.",
    ),
    "ragged csv": (
        read_run,
        CSV + b"q1,c,1,x\n",
        "file, line 4 has 4 fields: 'q1,c,1,x'. Expected 3, as in its header. Mend that line.",
    ),
    "short csv": (
        read_run,
        CSV + b"q1,c\n",
        "file, line 4 has 2 fields: 'q1,c'. Expected 3, as in its header. Mend that line.",
    ),
    "mixed delimiters": (
        read_run,
        CSV.replace(b",", b";", 2),
        "file, line 2 has 1 field: 'q1,a,0.9'. Expected 3, as in its header. Mend that line.",
    ),
    "open quote": (
        read_run,
        CSV + b'q1,"c,1\nq1,d,0.2\n',
        "file, line 4 to 5: …. A quoted field ends with a quote before the next ',' or the line's"
        " end; a quote inside it is doubled. Mend that line.",
    ),
    "open quote in note": (
        read_run,
        b'query_id,doc_id,score,note\nq,a,1,"x\nq,b,2,y\nq,c,3,z\n',
        "file, line 2 to 4: …. A quoted field ends with a quote before the next ',' or the line's"
        " end; a quote inside it is doubled. Mend that line.",
    ),
    "bad quotes": (
        read_run,
        b'query_id,doc_id,score,note\nq,a,1,"x\nq,b,2,y"z\nq,c,3,z\n',
        "file, line 2 to 3: …. A quoted field ends with a quote before the next ',' or the line's"
        " end; a quote inside it is doubled. Mend that line.",
    ),
    "repeat": (
        read_run,
        CSV + b"q1,a,0.1\n",
        "file: query 'q1' has item 'a' twice, in line 2 and line 4. A query holds each item once: "
        "remove one of them.",
    ),
    "repeat trec": (
        read_run,
        b"\n" + TREC + b"q1 Q0\tb 3 0.1 t\n",
        "file: query 'q1' has item 'b' twice, in line 3 and line 5. A query holds each item once: "
        "remove one of them.",
    ),
    "repeat parquet": (
        read_run,
        parquet(query_id=[1, 1], doc_id=["a", "a"], score=[1, 2]),
        "file: query '1' has item 'a' twice, in row 0 (counted from 0) and row 1 (counted from 0). "
        "A query holds each item once: remove one of them.",
    ),
    "repeat qrels": (
        read_qrels,
        b"q1 0 a 1\nq1 0 a 0\n",
        "file: query 'q1' has item 'a' twice, in line 1 and line 2. A query holds each item once: "
        "remove one of them.",
    ),
    "repeat json": (
        read_run,
        b'{"qid":1,"docno":"a","score":1}\n\n{"qid":1,"docno":"a","score":2}\n',
        "file: query '1' has item 'a' twice, in line 1 and line 3. A query holds each item once: "
        "remove one of them.",
    ),
    "grade word": (
        read_qrels,
        b"query_id,doc_id,relevance\nq,a,1\nq,b,high\n",
        "file, line 3, column 'relevance': 'high' is no finite number. Expected a grade such as "
        "0, 1 or 2, or true or false: mend the row or remove it.",
    ),
    "grade nan": (
        read_qrels,
        b"query_id,doc_id,relevance\nq,a,1\nq,b,\n",
        "file, line 3, column 'relevance': there is no value. Expected a grade such as 0, 1 or 2,"
        " or true or false: mend the row or remove it.",
    ),
    "grade trec word": (
        read_qrels,
        b"q1 0 a 1\nq1 0 b 1\nq1 0 c yes\n",
        "file, line 3, column 'relevance': 'yes' is no finite number. Expected a grade such as 0,"
        " 1 or 2, or true or false: mend the row or remove it.",
    ),
    "latin1": (
        read_run,
        "query_id,doc_id,score\nq,ab,1\nq,caf\xe9,0.9\n".encode("latin1"),
        "file, line 3 holds the byte 0xe9, which is not UTF-8 text. Read as Latin-1 it would be "
        "'q,café,0.9'; if that looks right, save the file as UTF-8 (in a spreadsheet: CSV UTF-8).",
    ),
    "latin1 trec": (
        read_run,
        TREC + "q2 Q0 caf\xe9 1 0.7 t\n".encode("latin1"),
        "file, line 4 holds the byte 0xe9, which is not UTF-8 text. Read as Latin-1 it would be "
        "'q2 Q0 café 1 0.7 t'; if that looks right, save the file as UTF-8 (in a spreadsheet: CSV"
        " UTF-8).",
    ),
    "latin1 header": (
        read_run,
        "query_id,doc_id,score,\xe9\nq,ab,1,2\n".encode("latin1"),
        "file, line 1 holds the byte 0xe9, which is not UTF-8 text. Read as Latin-1 it would be "
        "'_id,score,é'; if that looks right, save the file as UTF-8 (in a spreadsheet: CSV "
        "UTF-8).",
    ),
    "latin1 json": (
        read_run,
        '{"query_id":"q","doc_id":"caf\xe9","score":1}\n'.encode("latin1"),
        "file, line 1 holds the byte 0xe9, which is not UTF-8 text. Read as Latin-1 it would be "
        '\'c_id":"café","score"\'; if that looks right, save the file as UTF-8 (in a spreadsheet: '
        "CSV UTF-8).",
    ),
    "run as qrels": (
        read_qrels,
        TREC,
        "file is a run, not qrels: its lines read 'query_id Q0 doc_id rank score tag'. Read it "
        "with read_run; were the two files swapped?",
    ),
    "qrels as run": (
        read_run,
        b"q1 0 a 1\nq1 0 b 0\n",
        "file is qrels, not a run: its lines read 'query_id iteration doc_id relevance'. Read it "
        "with read_qrels; were the two files swapped?",
    ),
    "run csv as qrels": (
        read_qrels,
        CSV,
        "file has no column 'relevance'. Columns found: 'query_id', 'doc_id', 'score'. It has "
        "'score', as a run does: read_run reads those. If that column holds grades, pass "
        "columns={'score': 'relevance'}.",
    ),
    "qrels csv as run": (
        read_run,
        b"qid,docno,rel\nq,a,1\n",
        "file has no column 'score' (or 'rank'). Columns found: 'qid', 'docno', 'rel'. It has "
        "'rel', as qrels do: read_qrels reads those. If that column holds scores, pass "
        "columns={'rel': 'score'}.",
    ),
    "trec as judged": (
        read_judged_run,
        TREC,
        "file is a TREC run, which holds no judgements. A judged run has both in one table; TREC "
        "keeps them in two files: read_run for one, read_qrels for the other.",
    ),
    "qrels as judged": (
        read_judged_run,
        b"q1 0 a 1\nq1 0 b 0\n",
        "file is TREC qrels, which hold no scores. A judged run has both in one table; TREC keeps"
        " them in two files: read_run for one, read_qrels for the other.",
    ),
    "rank and score swapped": (
        read_run,
        b"q1 Q0 a 0.9 1 t\nq1 Q0 b 0.8 2 t\n",
        "file: rank and score look swapped: the first line has rank 0.9 and score 1. A TREC run "
        "reads 'query_id Q0 doc_id rank score tag': write it in that order.",
    ),
    "trec with header": (
        read_run,
        b"qid Q0 docno rank score tag\n" + TREC,
        "file, line 1 names the columns: 'qid Q0 docno rank score tag'. TREC files have no "
        "header: remove that line.",
    ),
    "json array": (
        read_run,
        b'[{"query_id":"q","doc_id":"a","score":1}]',
        "file is a JSON list. Expected JSON Lines, one object a line, as pandas writes them: "
        "pd.read_json(path).to_json(path, orient='records', lines=True).",
    ),
    "json lists": (
        read_run,
        b'[\n["q", "a", 1]\n]',
        "file is a JSON list. Expected JSON Lines, one object a line, as pandas writes them: "
        "pd.read_json(path).to_json(path, orient='records', lines=True).",
    ),
    "python instead of json": (
        read_run,
        b"{'q1': {'a': 0.5, 'b': 1.5}}",
        "file has no columns 'query_id', 'doc_id' and 'score' (or 'rank'). Columns found: \"{'q1': "
        "{'a': 0.5\", \"'b': 1.5}}\". It begins as JSON does, and is none: there, names and text "
        "stand in double quotes, and nothing stands beside them. Write it anew, for example with "
        "json.dump.",
    ),
    "json lines of lists as qrels": (
        read_qrels,
        b'{"query_id": "q1", "doc_id": ["a", "b"], "score": [1, 2]}\n',
        "file has no column 'relevance'. Columns found: 'query_id', 'doc_id', 'score'. It has "
        "'score', as a run does: read_run reads those. Name the column that holds it in columns=, "
        "as relevance.",
    ),
    "json pretty": (
        read_run,
        b'{\n "query_id": "q"\n}\n',
        "file, line 1 is no whole JSON value (…): '{'. Expected JSON Lines, one object a line, as"
        " pandas writes them with to_json(path, orient='records', lines=True).",
    ),
    "json torn": (
        read_run,
        b'{"query_id":"q","doc_id":"a","score":1}\n{"query_id":"q","doc',
        'file, line 2 is no whole JSON value (…): \'{"query_id":"q","doc\'. Expected JSON Lines, '
        "one object a line, as pandas writes them with to_json(path, orient='records', "
        "lines=True). The file ends in the middle of that line: was it written, or copied, to its "
        "end?",
    ),
    "json no key": (
        read_run,
        b'{"query_id":"q","doc_id":"a","score":1}\n{"query_id":"q","score":1}\n',
        "file, line 2, column 'doc_id': there is no id. Every row needs an id: fill it in, or "
        "remove the row.",
    ),
    "json null score": (
        read_run,
        b'{"query_id":"q","doc_id":"a","score":1}\n{"query_id":"q","doc_id":"b","score":null}\n',
        "file, line 2, column 'score': there is no value. Expected a score such as 0.93, with a "
        "decimal point: mend the row or remove it.",
    ),
    "json text score": (
        read_run,
        b'{"query_id":"q","doc_id":"a","score":"x"}\n',
        "file, line 1, column 'score': 'x' is no finite number. Expected a score such as 0.93, "
        "with a decimal point: mend the row or remove it.",
    ),
    "json bool score": (
        read_run,
        b'{"query_id":"q","doc_id":"a","score":true}\n',
        "file, line 1, column 'score': 'true' is no finite number. Expected a score such as 0.93,"
        " with a decimal point: mend the row or remove it.",
    ),
    "json fraction id": (
        read_run,
        b'{"query_id":1.5,"doc_id":"a","score":1}\n',
        "file, column 'query_id' holds double values, such as 1.5. Ids are text or whole numbers:"
        " write the column as text, for example with astype('int64').astype(str) if a missing "
        "value made fractions of whole numbers.",
    ),
    "json list line": (
        read_run,
        b'{"query_id":1,"doc_id":"a","score":1}\n[1]\n',
        "file, line 2 holds a JSON list: '[1]'. Expected JSON Lines, one object a line, as pandas"
        " writes them with to_json(path, orient='records', lines=True).",
    ),
    "json fraction id below": (
        read_run,
        b'{"query_id":1,"doc_id":"a","score":1}\n{"query_id":1.5,"doc_id":"a","score":1}\n',
        "file, line 2, column 'query_id': 1.5 is no id. Ids are text or whole numbers: put it in "
        "quotes if it is meant as text.",
    ),
    "parquet float ids": (
        read_run,
        parquet(query_id=[1.0, 2.0], doc_id=["a", "b"], score=[1, 2]),
        "file, column 'query_id' holds double values, such as 1.0. Ids are text or whole numbers:"
        " write the column as text, for example with astype('int64').astype(str) if a missing "
        "value made fractions of whole numbers.",
    ),
    "parquet null id": (
        read_run,
        parquet(query_id=["a", None], doc_id=["a", "b"], score=[1, 2]),
        "file, row 1 (counted from 0), column 'query_id': there is no id. Every row needs an id: "
        "fill it in, or remove the row.",
    ),
    "parquet nan": (
        read_run,
        parquet(query_id=["a", "b"], doc_id=["a", "b"], score=[1, float("nan")]),
        "file, row 1 (counted from 0), column 'score': there is no value. Expected a score such "
        "as 0.93, with a decimal point: mend the row or remove it.",
    ),
    "parquet text": (
        read_run,
        parquet(query_id=["a", "b"], doc_id=["a", "b"], score=["1", "x"]),
        "file, row 1 (counted from 0), column 'score': 'x' is no finite number. Expected a score "
        "such as 0.93, with a decimal point: mend the row or remove it.",
    ),
    "parquet bool score": (
        read_run,
        parquet(query_id=["a", "b"], doc_id=["a", "b"], score=[True, False]),
        "file, column 'score' holds bool values, such as True. Expected numbers: a score is a "
        "finite number.",
    ),
    "parquet no column": (
        read_run,
        parquet(query_id=["a", "b"], item=["a", "b"], value=[1, 2]),
        "file has no column 'score' (or 'rank'). Columns found: 'query_id', 'item', 'value'. "
        "Only you can tell which column is which; the highest score is best, and the lowest "
        "rank. Whichever is right, pass columns={'value': 'rank'} or columns={'value': "
        "'score'}.",
    ),
    "parquet date score": (
        read_run,
        parquet(query_id=["a"], doc_id=["a"], score=[pd.Timestamp("2020-01-01")]),
        "file, column 'score' holds timestamp[…] values, such as …. "
        "Expected numbers: a score is a finite number.",
    ),
    "parquet null scores": (
        read_run,
        parquet(query_id=["a"], doc_id=["a"], score=[None]),
        "file, column 'score' holds null values. Expected numbers: a score is a finite number.",
    ),
    "judged repeat 2": (
        read_judged_run,
        b"Test,TrainEdge,TracInScore,In_path\nt1,a,0.5,1\nt2,a,0.4,0\n",
        "file: query 'all' has item 'a' twice, in line 2 and line 3. A query holds each item once: "
        "remove one of them. No column says which query a row belongs to, so all were taken for "
        "one: if 'Test' does, pass columns={'Test': 'query_id'}.",
    ),
    "judged repeat 3": (
        read_judged_run,
        b"Test,TrainEdge,TracInScore,In_path,Note\nt1,a,0.5,1,x\nt2,a,0.4,0,y\n",
        "file: query 'all' has item 'a' twice, in line 2 and line 3. A query holds each item once: "
        "remove one of them. No column says which query a row belongs to, so all were taken for "
        "one: if one of 'Test', 'Note' does, pass, for example, columns={'Test': 'query_id'}.",
    ),
    "judged repeat, no other column": (
        read_judged_run,
        b"TrainEdge,TracInScore,In_path\na,0.5,1\na,0.4,0\n",
        "file: query 'all' has item 'a' twice, in line 2 and line 3. A query holds each item once: "
        "remove one of them. No column says which query a row belongs to, so all were taken for "
        "one.",
    ),
    "repeat, the first one": (
        read_run,
        CSV + b"q2,b,1\nq2,a,1\nq2,c,1\nq1,b,1\nq2,b,1\nq1,a,1\n",
        "file: query 'q1' has item 'b' twice, in line 3 and line 7. A query holds each item once: "
        "remove one of them.",
    ),
    "all names are its own": (
        read_judged_run,
        b"Edge;Punkte;ok\na;0,5;1\n",
        "file has no columns 'doc_id', 'score' (or 'rank') and 'relevance'. Columns found: "
        "'Edge', 'Punkte', 'ok'. Only you can tell which column is which; the highest score is "
        "best, and the lowest rank. Whichever is right, pass columns={'Edge': 'doc_id', "
        "'Punkte': 'score', 'ok': 'relevance'} or columns={'Edge': 'doc_id', 'ok': 'rank', "
        "'Punkte': 'relevance'} or columns={'Edge': 'doc_id', 'ok': 'score', 'Punkte': "
        "'relevance'}.",
    ),
    "two missing, one guessed": (
        read_run,
        b"qid,Thing,bm25_score\nq,a,1\n",
        "file has no columns 'doc_id' and 'score' (or 'rank'). Columns found: 'qid', 'Thing', "
        "'bm25_score'. Say which is which (the highest score is best), for example "
        "columns={'Thing': 'doc_id', 'bm25_score': 'score'}.",
    ),
    "two missing, both guessed": (
        read_run,
        b"qid,item_nr,bm25_score\nq,a,1\n",
        "file has no columns 'doc_id' and 'score' (or 'rank'). Columns found: 'qid', 'item_nr', "
        "'bm25_score'. If they are these, pass columns={'item_nr': 'doc_id', 'bm25_score': "
        "'score'}.",
    ),
    "more missing than there": (
        read_judged_run,
        b"Edge;Punkte\na;0,5\n",
        "file has no columns 'doc_id', 'score' (or 'rank') and 'relevance'. Columns found: 'Edge', "
        "'Punkte'. Expected the columns doc_id, score, relevance.",
    ),
    "one of two is there": (
        read_run,
        b"qid,bm25_score\nq,1\n",
        "file has no columns 'doc_id' and 'score' (or 'rank'). Columns found: 'qid', "
        "'bm25_score'. Expected the columns query_id, doc_id, score. For those that are there, "
        "pass columns={'bm25_score': 'score'}.",
    ),
    "a run with a name of its own as qrels": (
        read_qrels,
        b"qid,Thing,score\nq,a,1\n",
        "file has no columns 'doc_id' and 'relevance'. Columns found: 'qid', 'Thing', 'score'. "
        "It has 'score', as a run does: read_run reads those. Expected the columns query_id, "
        "doc_id, relevance. For those that are there, pass columns={'Thing': 'doc_id'}.",
    ),
    "a run with names of its own as qrels": (
        read_qrels,
        b"A,B,C,score\nq,a,2,1\n",
        "file has no columns 'query_id', 'doc_id' and 'relevance'. Columns found: 'A', 'B', 'C', "
        "'score'. It has 'score', as a run does: read_run reads those. Say which is which, for "
        "example columns={'A': 'query_id', 'B': 'doc_id', 'C': 'relevance'}.",
    ),
    "rating in a run": (
        read_run,
        b"user_id,item_id,rating\nu,a,4\n",
        "file has no column 'score' (or 'rank'). Columns found: 'user_id', 'item_id', 'rating'. It "
        "has 'rating', as qrels do: read_qrels reads those. If that column holds scores, pass "
        "columns={'rating': 'score'}.",
    ),
    "no names in judged": (
        read_judged_run,
        b"d1,0.5,1\nd2,0.4,0\n",
        "file has no line of names: it begins with 'd1', '0.5', '1'. Which of them is which "
        "cannot be told. Add a line of names, or count the columns from 0: columns={0: "
        "'doc_id', 1: 'score', 2: 'relevance'} or columns={0: 'doc_id', 2: 'rank', 1: "
        "'relevance'} or columns={0: 'doc_id', 2: 'score', 1: 'relevance'}.",
    ),
    "a score before its item": (
        read_run,
        b"user,points,hotel\nu1,0.5,h1\nu1,0.7,h2\n",
        "file has no columns 'doc_id' and 'score' (or 'rank'). Columns found: 'user', "
        "'points', 'hotel'. Say which is which (the highest score is best), for example "
        "columns={'hotel': 'doc_id', 'points': 'score'}.",
    ),
    "judged no doc": (
        read_judged_run,
        b"Test,Thing,TracInScore,In_path\nt1,a,0.5,1\nt2,a,0.4,0\n",
        "file has no column 'doc_id'. Columns found: 'Test', 'Thing', 'TracInScore', 'In_path'. "
        "Say which is which, for example columns={'Test': 'query_id', 'Thing': 'doc_id'}.",
    ),
    "judged no doc, and two that it could be": (
        read_judged_run,
        b"query,Thing,Other,TracInScore,In_path\nt1,a,b,0.5,1\nt2,a,b,0.4,0\n",
        "file has no column 'doc_id'. Columns found: 'query', 'Thing', 'Other', 'TracInScore', "
        "'In_path'. Items without ids need one each, such as their row number. Name the column "
        "that holds it in columns=, as doc_id.",
    ),
    "rank text": (
        read_run,
        b"qid,docno,rank\nq,a,first\n",
        "file, line 2, column 'rank': 'first' is no finite number. Expected a rank such as 1: "
        "mend the row or remove it.",
    ),
    "doubled blank and no tag": (
        read_run,
        TREC + b"q2  Q0 b 2 0.7\n",
        "file, line 4 has 5 fields: 'q2 Q0 b 2 0.7'. A line of a TREC run has 6: 'query_id Q0 "
        "doc_id rank score tag'. Mend that line; its ids hold no blanks.",
    ),
    "blank at the end and no tag": (
        read_run,
        TREC + b"q2 Q0 b 2 0.7 \n",
        "file, line 4 has 5 fields: 'q2 Q0 b 2 0.7'. A line of a TREC run has 6: 'query_id Q0 "
        "doc_id rank score tag'. Mend that line; its ids hold no blanks.",
    ),
    "open quote in the last field": (
        read_run,
        CSV + b'q1,c,"0.2',
        "file, line 4: …. A quoted field ends with a quote before the next ',' or the line's end; "
        "a quote inside it is doubled. Mend that line. The file ends in the middle of that line: "
        "was it written, or copied, to its end?",
    ),
    "text behind a quote": (
        read_run,
        CSV + b'q1,"c"d,0.2\n',
        "file, line 4: …. A quoted field ends with a quote before the next ',' or the line's end; "
        "a quote inside it is doubled. Mend that line.",
    ),
    "text behind an empty quote": (
        read_run,
        CSV + b'q1,c,""9\n',
        "file, line 4: …. A quoted field ends with a quote before the next ',' or the line's end; "
        "a quote inside it is doubled. Mend that line.",
    ),
    "latin1 json far down": (
        read_run,
        JSON + '{"query_id":"q","doc_id":"caf\xe9","score":1}\n'.encode("latin1"),
        "file, line 31 holds the byte 0xe9, which is not UTF-8 text. …",
    ),
    "json half of a character": (
        read_run,
        JSON + b'{"query_id":"q\\ud800","doc_id":"a","score":1}\n',
        "file, line 31, column 'query_id': 'q\\ud800' holds half of a surrogate pair, which is no "
        "character. Write the text as UTF-8, or both halves.",
    ),
    "json half of a character in a name": (
        read_run,
        b'{"query_id":"q","doc_id":"a","score":1,"\\udc00":1}\n',
        "file, line 1, column '\\udc00': '\\udc00' holds half of a surrogate pair, which is no "
        "character. Write the text as UTF-8, or both halves.",
    ),
    "json id of a fraction below": (
        read_run,
        JSON + b'{"query_id":"q","doc_id":1.50,"score":1}\n',
        "file, line 31, column 'doc_id': 1.50 is no id. Ids are text or whole numbers: put it in "
        "quotes if it is meant as text.",
    ),
    "json name twice": (
        read_run,
        JSON + b'{"query_id":"q","doc_id":"a","doc_id":"b","score":1}\n',
        "file, line 31 has 'doc_id' more than once. Expected each name once in an object: remove "
        "the others.",
    ),
    "json score of 5,000 digits": (
        read_run,
        b'{"query_id":"q","doc_id":"a","score":' + b"9" * 5000 + b"}\n",
        f"file, line 1, column 'score': '{'9' * 80}… is no finite number. …",
    ),
    "parquet list of grades": (
        read_qrels,
        arrow(query_id=["q"], doc_id=["a"], relevance=[[1]]),
        "file, column 'relevance' holds list<element: int64> values, such as [1]. Expected a "
        "grade such as 0, 1 or 2, or true or false.",
    ),
    "parquet struct of grades": (
        read_qrels,
        arrow(query_id=["q"], doc_id=["a"], relevance=[{"a": 1}]),
        "file, column 'relevance' holds struct<a: int64> values, such as {'a': 1}. Expected a "
        "grade such as 0, 1 or 2, or true or false.",
    ),
    "parquet far time as score": (
        read_run,
        arrow(query_id=["q"], doc_id=["a"], score=FAR),
        "file, column 'score' holds timestamp[us] values. Expected numbers: a score is a finite "
        "number.",
    ),
    "parquet far time as grade": (
        read_qrels,
        arrow(query_id=["q"], doc_id=["a"], relevance=FAR),
        "file, column 'relevance' holds timestamp[us] values. Expected a grade such as 0, 1 or 2, "
        "or true or false.",
    ),
    "parquet far time as id": (
        read_run,
        arrow(query_id=FAR, doc_id=["a"], score=[1]),
        "file, column 'query_id' holds timestamp[us] values. Ids are text or whole numbers: …",
    ),
    "parquet text that is none": (
        read_run,
        arrow(query_id=["qqqqqqqq"], doc_id=["a"], score=[1]).replace(b"qqqqqqqq", b"qqq\xffqqqq"),
        "file begins as a Parquet file but is torn (…UTF8…). Write, copy or download it again.",
    ),
    "ids of 64 KB": (
        read_run,
        CSV + b"".join(b"q,%s,1\n" % (b"x" * 65_000) for _ in range(2)),
        f"file: query 'q' has item '{'x' * 80}… twice, in line 4 and line 5. A query holds each "
        "item once: remove one of them.",
    ),
    "a name of 64 KB": (
        read_run,
        b"x" * 65_000 + b"\ny\n",
        "file has no columns 'query_id', 'doc_id' and 'score' (or 'rank'). Columns found: "
        f"'{'x' * 80}…. Expected columns separated by …",
    ),
    "two json objects on a line far down": (
        read_run,
        JSON + b'{"query_id":"q","doc_id":"a","score":1}{"query_id":"q","doc_id":"b","score":1}\n',
        "file, line 31 is no whole JSON value (…): …. Expected JSON Lines, one object a line, …",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_explained(write, case):
    reader, content, message = BROKEN[case]
    name = "absent" if content is None else write(content)
    pattern = ".*".join(map(re.escape, message.split("…")))
    assert re.fullmatch(pattern, message_of(reader, name))


@pytest.mark.parametrize("case", [name for name, (_, content, _) in BROKEN.items() if content])
def test_a_packed_broken_file_is_explained_alike(write, case):
    reader, content, message = BROKEN[case]
    if content.startswith(b"\x1f\x8b"):
        return
    pattern = ".*".join(map(re.escape, message.split("…")))
    assert re.fullmatch(pattern, message_of(reader, write(gzip.compress(content))))


@pytest.mark.parametrize(
    "case", [name for name, (*_, text) in BROKEN.items() if ", line " in text or "lines" in text]
)
def test_lines_are_counted_across_blocks(write, monkeypatch, case):
    monkeypatch.setattr(byhand.files.file, "BLOCK", 7)
    test_a_broken_file_is_explained(write, case)


@pytest.mark.parametrize("cut", [-1, -2])
def test_torn_text_in_utf_16_is_said_to_be(write, cut):
    content = "query_id,doc_id,score\nq,d,1\nq,\U0001f600".encode("utf-16")[:cut]
    assert message_of(read_run, write(content)) == (
        "file is torn: it begins as text in UTF-16 and goes on as something else "
        "(unexpected end of data). Save it anew, best as UTF-8."
    )


def test_a_folder_without_files(write, tmp_path):
    (tmp_path / "runs").mkdir()
    expected = "The folder runs holds no files. Expected those of a table."
    assert message_of(read_run, "runs") == expected


def test_a_misspelled_path_is_met_with_the_likely_one(write):
    write(CSV, "run-bm25.csv")
    assert message_of(read_run, "run-bm52.csv").endswith("Did you mean 'run-bm25.csv'?")
    assert "Nor is there a folder nowhere" in message_of(read_run, "nowhere/run.csv")


@SYSTEM
def test_a_dangling_link_is_called_one(write, tmp_path):
    (tmp_path / "run.csv").symlink_to("gone.csv")
    expected = "There is no file run.csv. It is a link to gone.csv, which is not there: mend the"
    assert message_of(read_run, "run.csv") == f"{expected} link."


@SYSTEM
def test_a_path_without_end_and_a_device_are_no_files(write):
    assert message_of(read_run, "a\0b") == "'a\\x00b' holds a zero byte, which no path does."
    assert message_of(read_run, "/dev/zero").startswith("/dev/zero is a device, such as a term")
    assert message_of(read_run, "x" * 300).endswith(" cannot be read: File name too long.")


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzipped"])
def test_a_line_that_does_not_end_is_refused_before_it_fills_the_memory(write, monkeypatch, packed):
    monkeypatch.setattr(byhand.files.file, "LONGEST", 10_000)
    monkeypatch.setattr(byhand.files.file, "BLOCK", 5_000)
    content = TREC + b"x" * 40_000
    expected = (
        "file has a line of more than 10,000 bytes, which begins at byte 48. Expected a line for "
        "each row: write line ends."
    )
    assert message_of(read_run, write(gzip.compress(content) if packed else content)) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            b"query_id,doc_id,score\n" + b"q1," + b"d" * 10_500 + b",1\n",
            "a line of more than 10,000 bytes, which begins at byte 22. Expected a line for each",
        ),
        (
            b"query_id,doc_id,score\n" + b'q1,"' + b"d\n" * 10_000 + b'",1\n',
            ": field larger than field limit (10000). A quoted field ends with a quote before",
        ),
        (
            b"query_id,doc_id,score\n" + b"q1,d1,1\n" + b"\n" * 90_000 + b"q2,d1,1\n",
            "bytes of blank space, from",
        ),
        (TREC + b"\n" * 90_000, "bytes of blank space, from byte "),
        (b"\n" * 90_000 + TREC, "bytes of blank space, from byte 0 on. Was it written fully?"),
    ],
)
def test_what_is_beyond_all_measure_is_refused_at_once(write, monkeypatch, content, expected):
    for name, size in {"LONGEST": 10_000, "BLOCK": 5_000, "HEAD": 5_000, "BLANK": 20_000}.items():
        monkeypatch.setattr(byhand.files.file, name, size)
        monkeypatch.setattr(byhand.files.lines, name, size, raising=False)
    before = csv.field_size_limit(10_000)
    try:
        assert expected in message_of(read_run, write(content))
    finally:
        csv.field_size_limit(before)


def test_of_very_many_columns_none_is_guessed(write):
    names = [f"doc{n}" for n in range(20_000)]
    expected = "and 19980 more. Expected the columns query_id, doc_id, score."
    assert expected in message_of(read_run, write(",".join(names).encode()))
    frame = pd.DataFrame([["a"] * 20_000], columns=names)
    assert expected in message_of(lambda run: evaluate(run, run, ["RR"]), frame)


CHANGES = {
    "cut": lambda file: os.truncate(file, 600),
    "cut in a row": lambda file: os.truncate(file, 607),
    "written on": lambda file: Path(file).write_bytes(Path(file).read_bytes() + TREC),
    "replaced": lambda file: (Path("new").write_bytes(NUMBERED), os.replace("new", file)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_changes_while_it_is_read_is_refused(write, monkeypatch, change):
    monkeypatch.setattr(byhand.files.file, "BLOCK", 100_000)
    parse, changes = byhand.files.text._parse, [CHANGES[change]]

    def changing(*args):
        with suppress(IndexError):  # by the first of several threads
            changes.pop()("file")
        return parse(*args)

    monkeypatch.setattr(byhand.files.text, "_parse", changing)
    found = message_of(read_run, write(NUMBERED))
    assert found.startswith(f"file changed while it was read: it had {len(NUMBERED):,} bytes, and")
    assert found.endswith("Read it again when nothing writes to it any more.")


@SYSTEM
def test_a_pipe_that_nobody_writes_into_is_refused_at_once(write, monkeypatch):
    os.mkfifo("pipe")
    monkeypatch.setattr(byhand.files.pipes, "_PATIENCE", 0.1)
    expected = (
        "pipe is a pipe that nobody writes into. Start what writes first (a pipe can be read only "
        "once), or save its output as a file."
    )
    assert message_of(read_run, "pipe") == expected


def test_a_table_in_memory_needs_no_reading():
    expected = (
        "A DataFrame is not the path of a file. Pass the path as text; a table in memory needs no "
        "reading: evaluate takes a DataFrame as it is."
    )
    assert message_of(read_run, pd.DataFrame()) == expected


COLUMNS_ERRORS = {
    "not in the file": (
        {"TestTriple": "query_id"},
        "file has no column 'TestTriple', which columns= names. Columns found: 'query_id', "
        "'doc_id', 'score'.",
    ),
    "misspelled": (
        {"scor": "score"},
        "file has no column 'scor', which columns= names. Columns found: 'query_id', 'doc_id', "
        "'score'. Did you mean 'score'?",
    ),
    "turned round": (
        {"doc_id": "docno"},
        "columns={'doc_id': 'docno'}: 'docno' is not one of our columns, which are query_id, "
        "doc_id, score, rank, relevance. Turn it round: {'docno': 'doc_id'}.",
    ),
    "no mapping": (
        ["docno"],
        "columns is a list. Expected a mapping from the file's names to ours, such as "
        "{'TestTriple': 'query_id'}.",
    ),
    "one of ours twice": (
        {"a": "doc_id", "b": "doc_id"},
        "columns gives 'doc_id' to more than one column; choose one.",
    ),
    "beyond the last": (
        {0: "query_id", 1: "doc_id", 7: "score"},
        "file has no column 7, which columns= names. Columns found: '0', '1', '2'.",
    ),
}


def test_advice_keeps_the_columns_that_were_named_already(write):
    found = message_of(read_run, write(b"A,B,C\na,1,q\n"), columns={"C": "query_id"})
    assert found.endswith("columns={'C': 'query_id', 'A': 'doc_id', 'B': 'score'}.")
    found = message_of(
        read_run, write(b"A,B,scre\nq,a,1\n"), columns={"A": "query_id", "B": "doc_id"}
    )
    assert found.endswith("columns={'A': 'query_id', 'B': 'doc_id', 'scre': 'score'}.")


@pytest.mark.parametrize(
    ("reader", "content", "table"),
    [
        (read_run, b"A,B\nq,a\n", "run"),
        (read_qrels, b"A,B\nq,a\n", "qrels"),
        (read_judged_run, b"A,B\nq,a\n", "run"),
        (read_qrels, b"q1 0 a yes\n", "qrels"),
        (read_run, b"", "run"),
    ],
)
def test_an_error_says_which_table_it_is_about(write, reader, content, table):
    with pytest.raises(DataError) as caught:
        reader(write(content))
    assert caught.value.table == table


def test_an_error_carries_what_is_missing_and_what_to_name(write):
    with pytest.raises(DataError) as caught:
        read_judged_run(write(b"Edge;Punkte;ok\na;0,5;1\n"))
    error = caught.value
    named = {"Edge": "doc_id", "Punkte": "score", "ok": "relevance"}
    assert (error.missing, error.ways[0]) == (("doc_id", "score", "relevance"), named)
    ways = " or ".join(f"columns={way}" for way in error.ways)
    assert f"{error.message} {ways}." == str(error)


@pytest.mark.parametrize("case", COLUMNS_ERRORS)
def test_columns_that_do_not_fit_are_refused(write, case):
    columns, message = COLUMNS_ERRORS[case]
    assert message_of(read_run, write(CSV), columns=columns) == message


ALL_HITS = {
    "clicks": (
        read_qrels,
        b"user,song,time\nu1,s1,1000\n",
        None,
        "file has no columns 'doc_id' and 'relevance'. Columns found: 'user', 'song', 'time'. If "
        "every row is a hit, as in a log of clicks, say relevance=1. That is, pass "
        "columns={'song': 'doc_id', 'relevance': 1}.",
    ),
    "known names": (
        read_qrels,
        b"user,item\nu1,s1\n",
        None,
        "file has no column 'relevance'. Columns found: 'user', 'item'. If every row is a hit, as "
        "in a log of clicks, say relevance=1. That is, pass columns={'relevance': 1}.",
    ),
    "no names": (
        read_qrels,
        b"17,4711\n",
        None,
        "file has no line of names: it begins with '17', '4711'. Expected query, item and grade, "
        "or TREC's four columns. If every row is a hit, as in a log of clicks, say relevance=1. "
        "Add a line of names, or count the columns from 0: columns={0: 'query_id', 1: 'doc_id', "
        "'relevance': 1}.",
    ),
    "times and no names": (
        read_qrels,
        b"17,4711,881250949\n",
        {"relevance": 1},
        "file has no line of names: it begins with '17', '4711', '881250949'. Expected query and "
        "item. Add a line of names, or count the columns from 0: columns={0: 'query_id', 1: "
        "'doc_id', 'relevance': 1}.",
    ),
    "grades are there": (
        read_qrels,
        b"q1 0 d1 2\n",
        {"relevance": 1},
        "file is TREC qrels, with grades: leave relevance=1 out.",
    ),
    "grades are there, too": (
        read_qrels,
        b'{"q1": {"d1": 2}}',
        {"relevance": 1},
        "file is nested JSON, with grades: leave relevance=1 out.",
    ),
    "a run": (
        read_run,
        CSV,
        {"relevance": 1},
        "file is read as a run, and relevance=1 is for qrels.",
    ),
    "no hit": (
        read_qrels,
        b"user,item\nu1,s1\n",
        {"relevance": 0},
        "relevance=0 is no grade of a hit. Expected a number above 0.",
    ),
}


@pytest.mark.parametrize("case", ALL_HITS)
def test_rows_that_are_all_hits_have_to_be_called_so(write, case):
    reader, content, columns, message = ALL_HITS[case]
    assert message_of(reader, write(content), columns=columns) == message


def test_a_trec_file_has_no_names_to_map(write):
    expected = (
        "file is a TREC run, whose columns have no names. Leave columns= out, or count them from "
        "0, for example columns={0: 'query_id', 2: 'doc_id', 4: 'score'}."
    )
    assert message_of(read_run, write(TREC), columns={"sim": "score"}) == expected
