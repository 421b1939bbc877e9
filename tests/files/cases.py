"""What the cases in the text files call, and the bytes that they are made of."""

import gzip  # noqa: F401 - cases call it
import io
import json  # noqa: F401 - cases call it
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from byhand import read_judged_run, read_qrels, read_run
from byhand.files.texts import texts_in

LIBRARIES = Path(__file__).parents[2] / "tools" / "libraries"
NESTED = {"q1": {"d1": 0.25, "d2": 0.75, "4": 0.5}, "q2": {"d7": 13.0, "é 2": 12.5}}
BY_ROW = [[q, d, number] for q, held in NESTED.items() for d, number in held.items()]
GRADES = [["q1", "d1", 2], ["q1", "4", 1], ["q1", "d9", 0], ["q2", "é 2", 1], ["q3", "d3", 1]]
TREC = b"q1 Q0 a 1 0.9 t\nq1 Q0 b 2 0.4 t\nq2 Q0 a 1 0.8 t\n"
CSV = b"query_id,doc_id,score\nq1,a,0.9\nq1,b,0.4\n"
JSON = b"".join(b'{"query_id":"q","doc_id":"%d","score":1}\n' % i for i in range(30))
NUMBERED = b"".join(b"q Q0 d%d 1 %d t\n" % (i, i) for i in range(60_000))
TOPICS = b"<top>\n<num> Number: 301\n<title> Polio\n</top>\n"
nan = float("nan")
FAR = pa.array([2**61], pa.timestamp("us"))  # a time that Python cannot hold


def arrow(table=None, **columns):
    """A Parquet file of a table, or of these columns."""
    file = io.BytesIO()
    pq.write_table(table or pa.table(columns), file)
    return file.getvalue()


def parquet(**columns):
    """A Parquet file as pandas writes it."""
    return pd.DataFrame(columns).to_parquet(index=False)


PARQUET = parquet(query_id="q", doc_id=[*map(str, range(1000))], score=np.arange(1000.0))


def from_library(name):
    """A file that another library wrote."""
    return (LIBRARIES / name).read_bytes()


def docs(path):
    """What an item says that no file has: all of it is gone through."""
    return texts_in(path, "doc").of(["gone"])


def queries(path):
    """What a query says that no file has."""
    return texts_in(path, "query").of(["gone"])


def _taken(reader):
    return lambda content=None, **options: (reader, content, options)


NAMES = {name: each for name, each in globals().items() if not name.startswith("_")}
READERS = (read_run, read_qrels, read_judged_run, docs, queries)
NAMES |= {each.__name__: _taken(each) for each in READERS}


def called(call):
    """What a case reads: the reader, the content and the options that it names."""
    reader, content, options = eval(call, NAMES)
    return reader, content.encode() if isinstance(content, str) else content, options
