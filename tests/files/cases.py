"""What the cases in the text files call, and the bytes that they are made of."""

import gzip
import io
import json
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from byhand import read_judged_run, read_qrels, read_run
from byhand.files.texts import texts_in

LIBRARIES = Path(__file__).parents[2] / "tools" / "libraries"
NESTED = {"q1": {"d1": 0.25, "d2": 0.75, "4": 0.5}, "q2": {"d7": 13.0, "é 2": 12.5}}
BY_ROW = [[q, d, number] for q, held in NESTED.items() for d, number in held.items()]
TREC = b"q1 Q0 a 1 0.9 t\nq1 Q0 b 2 0.4 t\nq2 Q0 a 1 0.8 t\n"
CSV = b"query_id,doc_id,score\nq1,a,0.9\nq1,b,0.4\n"
JSON = b"".join(b'{"query_id":"q","doc_id":"%d","score":1}\n' % i for i in range(30))
NUMBERED = b"".join(b"q Q0 d%d 1 %d t\n" % (i, i) for i in range(60_000))
TOPICS = b"<top>\n<num> Number: 301\n<title> Polio\n</top>\n"
nan = float("nan")
FAR = pa.array([2**61], pa.timestamp("us"))  # a time that Python cannot hold


def arrow(**columns):
    """A Parquet file of these columns."""
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return file.getvalue()


def parquet(**columns):
    """A Parquet file as pandas writes it."""
    file = io.BytesIO()
    pd.DataFrame(columns).to_parquet(file, index=False)
    return file.getvalue()


def repeated_names():
    """A Parquet file in which two columns have one name."""
    file, columns = io.BytesIO(), [[1], ["q"], ["y"], ["a"], [1.0]]
    names = ["x", "query_id", "x", "doc_id", "score"]
    pq.write_table(pa.Table.from_arrays([pa.array(column) for column in columns], names), file)
    return file.getvalue()


PARQUET = parquet(
    query_id=["q"] * 1000,
    doc_id=[str(i) for i in range(1000)],
    score=[float(i) for i in range(1000)],
)


def docs(path, columns):
    """What an item says that no file has: all of it is gone through."""
    return texts_in(path, "doc").of(["gone"])


def queries(path, columns):
    """What a query says that no file has."""
    return texts_in(path, "query").of(["gone"])


def _taken(reader):
    return lambda content=None, columns=None: (reader, content, columns)


NAMES = {name: each for name, each in globals().items() if not name.startswith("_")}
READERS = (read_run, read_qrels, read_judged_run, docs, queries)
NAMES |= {each.__name__: _taken(each) for each in READERS}
NAMES |= {each.__name__: each for each in (gzip, json)}  # in calls only


def called(call):
    """What a case reads: the reader, the content and the columns that it names."""
    reader, content, columns = eval(call, NAMES)
    return reader, content.encode() if isinstance(content, str) else content, columns
