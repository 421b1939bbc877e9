"""Write one run and its qrels as other libraries write them, into `libraries/` beside this file.

    python -m venv ENV && ENV/bin/pip install ranx pytrec_eval-terrier ir_datasets polars
    ENV/bin/python tools/write_libraries.py

The files in the repository were written with ranx 0.3.21, pytrec_eval-terrier 0.5.11, ir_datasets
0.6.3, polars 2.1.0, pyarrow 26.0.1 and pandas 3.1.1. A name says who wrote the file, and what it
holds. BEIR has no writer of its own: its users dump the dictionaries that it returns, as here.
"""

import gzip
import json
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pytrec_eval
import ranx
from ir_datasets.formats import TrecQrel

RUN = {"q1": {"d1": 0.25, "d2": 0.75, "4": 0.5}, "q2": {"d7": 13.0, "é 2": 12.5}}
QRELS = {"q1": {"d1": 2, "4": 1, "d9": 0}, "q2": {"é 2": 1}, "q3": {"d3": 1}}
FOLDER = Path(__file__).parent / "libraries"


def rows(nested: dict[str, dict[str, float]], number: str) -> list[dict[str, object]]:
    """The same as rows of a table."""
    return [
        {"query_id": query, "doc_id": doc, number: value}
        for query, held in nested.items()
        for doc, value in held.items()
    ]


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(exist_ok=True)
    for name, kind, nested in (("run", ranx.Run, RUN), ("qrels", ranx.Qrels, QRELS)):
        for ending in (".json", ".parquet"):
            kind(nested).save(str(FOLDER / f"ranx-{name}{ending}"))
    ranx.Run(RUN).save(str(FOLDER / "ranx-run.lz4"))

    run = [f"{q} Q0 {d.replace(' ', '')} 1 {s} tag\n" for q in RUN for d, s in RUN[q].items()]
    qrels = [f"{q} 0 {d.replace(' ', '')} {g}\n" for q in QRELS for d, g in QRELS[q].items()]
    parsed = {"run": pytrec_eval.parse_run(run), "qrels": pytrec_eval.parse_qrel(qrels)}
    for name, nested in parsed.items():
        (FOLDER / f"pytrec_eval-{name}.json").write_text(json.dumps(nested) + "\n")
    packed = gzip.compress(json.dumps(RUN).encode(), mtime=0)
    (FOLDER / "beir-run.json.gz").write_bytes(packed)

    judged = [
        TrecQrel(each["query_id"], each["doc_id"], each["relevance"], "0")
        for each in rows(QRELS, "relevance")
    ]
    pd.DataFrame(judged).to_csv(FOLDER / "ir_datasets-qrels.csv", index=False)

    for name, table in (("run", rows(RUN, "score")), ("qrels", rows(QRELS, "relevance"))):
        frame = pl.DataFrame(table)
        frame.write_parquet(FOLDER / f"polars-{name}.parquet")
        frame.write_ndjson(FOLDER / f"polars-{name}.jsonl")
        frame.write_csv(FOLDER / f"polars-{name}-without-header.csv", include_header=False)
        pyarrow.csv.write_csv(pa.Table.from_pylist(table), FOLDER / f"pyarrow-{name}.csv")
    pd.DataFrame(rows(RUN, "score")).to_json(FOLDER / "pandas-run-by-column.json")


if __name__ == "__main__":
    main()
