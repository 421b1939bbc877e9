"""Nested JSON, and whatever else other libraries write: each file, and what is read from it."""

import gzip
import json
from pathlib import Path

import pytest

from byhand import evaluate, read_qrels, read_run

LIBRARIES = Path(__file__).parents[1] / "tools" / "libraries"
RUN = {"q1": {"d1": 0.25, "d2": 0.75, "4": 0.5}, "q2": {"d7": 13.0, "é 2": 12.5}}
QRELS = {"q1": {"d1": 2, "4": 1, "d9": 0}, "q2": {"é 2": 1}, "q3": {"d3": 1}}
BY_ROW = [(q, d, number) for q, held in RUN.items() for d, number in held.items()]


def nested(frame):
    """The rows of a frame as a dictionary of dictionaries; pytrec_eval's ids hold no blanks."""
    found = {}
    for query, item, number in frame.itertuples(index=False):
        found.setdefault(query, {})[item.replace("é2", "é 2")] = number
    return found


@pytest.mark.parametrize(
    "name", ["ranx-run.json", "ranx-run.parquet", "pytrec_eval-run.json", "beir-run.json.gz",
     "polars-run.parquet", "polars-run.jsonl", "pyarrow-run.csv"],
)  # fmt: skip
def test_the_run_of_another_library_is_read_without_a_word(name):
    assert nested(read_run(LIBRARIES / name)) == RUN


@pytest.mark.parametrize(
    "name", ["ranx-qrels.json", "pytrec_eval-qrels.json", "ir_datasets-qrels.csv",
     "polars-qrels.parquet", "polars-qrels.jsonl", "pyarrow-qrels.csv"],
)  # fmt: skip
def test_the_qrels_of_another_library_are_read_without_a_word(name):
    qrels = read_qrels(LIBRARIES / name)
    assert nested(qrels) == QRELS
    assert qrels["relevance"].dtype == "int64"


LAYOUTS = {
    "one line": json.dumps(RUN),
    "indented": json.dumps(RUN, indent=2),
    "no blanks": json.dumps(RUN, separators=(",", ":")),
    "windows line ends": json.dumps(RUN, indent=1).replace("\n", "\r\n"),
    "byte order mark": "\ufeff" + json.dumps(RUN),
    "not escaped": json.dumps(RUN, ensure_ascii=False),
    "an object a line": "\n".join(json.dumps({q: held}) for q, held in RUN.items()),
    "blank lines": f"\n\n {json.dumps(RUN, indent=2)}\n\n",
    "an empty query": json.dumps({"q0": {}} | RUN | {"q9": {}}),
    "scores as text": json.dumps({q: {d: str(s) for d, s in RUN[q].items()} for q in RUN}),
}


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzipped"])
@pytest.mark.parametrize("block", [1, 2, 7, 40, 1 << 20])
@pytest.mark.parametrize("case", LAYOUTS)
def test_nested_json_is_read_wherever_reading_cuts_it(write, in_blocks, case, block, packed):
    in_blocks(block, rows=block)
    content = LAYOUTS[case].encode()
    run = read_run(write(gzip.compress(content) if packed else content))
    assert list(run.itertuples(index=False, name=None)) == BY_ROW
    assert run["score"].dtype == "float64"
    assert run.attrs["format"] == "nested JSON" + ", gzipped" * packed
    assert run.attrs["notes"] == run.attrs["other columns"] == []


@pytest.mark.parametrize("rows", [1, 2, 100])
@pytest.mark.parametrize(
    ("scores", "dtype"),
    [
        ([1, 2, 3], "float64"),
        ([1, 0.5, 2], "float64"),
        ([2**53 + 1, 2**53, 7], "int64"),
        ([2**64 - 1, 2**64 - 2, 7], "uint64"),
        (["0.5", 1, 2.25], "float64"),
    ],
)
def test_scores_keep_every_digit(write, in_blocks, scores, dtype, rows):
    in_blocks(1 << 20, rows=rows)
    content = json.dumps({f"q{n}": {"d": score} for n, score in enumerate(scores)})
    run = read_run(write(content))
    assert run["score"].dtype == dtype
    assert run["score"].tolist() == [float(s) if dtype == "float64" else s for s in scores]


def test_a_run_and_qrels_of_one_library_are_evaluated(write):
    run, qrels = (read(LIBRARIES / f"ranx-{name}.json") for name, read in
                  (("run", read_run), ("qrels", read_qrels)))  # fmt: skip
    assert evaluate(run, qrels, "RR")["RR"].to_dict() == {"q1": 1 / 2, "q2": 1 / 2, "q3": 0}
