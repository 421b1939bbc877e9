"""Nested JSON, and whatever else other libraries write: each file, and what is read from it."""

import gzip
import json
import random
from pathlib import Path

import pandas as pd
import pytest
from needs import STACK

import byhand.files.file
import byhand.files.nested
from byhand import DataError, evaluate
from byhand.files.read import read_judged_run, read_qrels, read_run

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
def test_nested_json_is_read_wherever_reading_cuts_it(write, monkeypatch, case, block, packed):
    monkeypatch.setattr(byhand.files.file, "BLOCK", block)
    monkeypatch.setattr(byhand.files.nested, "_ROWS", block)
    content = LAYOUTS[case].encode()
    run = read_run(write(gzip.compress(content) if packed else content))
    assert list(run.itertuples(index=False, name=None)) == BY_ROW
    assert run["score"].dtype == "float64"
    assert run.attrs["format"] == "nested JSON" + ", gzipped" * packed
    assert run.attrs["notes"] == run.attrs["other columns"] == []


def test_one_query_may_be_longer_than_what_is_looked_at_first(write):
    items = {f"item{n:06}": n / 8 for n in range(20_000)}
    assert len(json.dumps(items)) > 4 * byhand.files.file.HEAD
    run = read_run(write(json.dumps({"q": items})))
    assert nested(run) == {"q": items}


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
def test_scores_keep_every_digit(write, monkeypatch, scores, dtype, rows):
    monkeypatch.setattr(byhand.files.nested, "_ROWS", rows)
    content = json.dumps({f"q{n}": {"d": score} for n, score in enumerate(scores)})
    run = read_run(write(content))
    assert run["score"].dtype == dtype
    assert run["score"].tolist() == [float(s) if dtype == "float64" else s for s in scores]


def test_grades_may_be_truth(write):
    qrels = read_qrels(write('{"q": {"a": true, "b": false}}'))
    assert qrels["relevance"].tolist() == [1, 0]


@pytest.mark.parametrize("content", ['{"p": ["a", 7], "q": []}', '{"p": ["a", 7]}\n{"q": []}'])
def test_lists_hold_ranked_items_or_relevant_ones(write, content):
    run = read_run(write(content))
    assert run.values.tolist() == [["p", "a", -1], ["p", "7", -2]]
    assert run.attrs["notes"] == [
        "There are no scores: score is minus the place of an item in the list of its query."
    ]
    qrels = read_qrels(write(content.replace("[]", '["é"]')))
    assert qrels.values.tolist() == [["p", "a", 1], ["p", "7", 1], ["q", "é", 1]]
    assert "with relevance 1" in qrels.attrs["notes"][0]
    long = {"q": [f"d{n}" for n in range(20_000)]}
    assert len(read_run(write(json.dumps(long)))) == 20_000


def test_json_lines_with_objects_inside_are_rows_of_a_table(write):
    row = '{"meta": {"url": {"x": 1}}, "tags": [1], "query_id": "q", "doc_id": "a", "score": 1}\n'
    assert read_run(write(row + row.replace('"a"', '"b"')))["doc_id"].tolist() == ["a", "b"]
    long = json.dumps({"vector": [0.5] * 40_000, "query_id": "q", "doc_id": "a", "score": 1})
    assert len(long) > 2 * byhand.files.file.HEAD
    assert read_run(write(long + "\n"))["doc_id"].tolist() == ["a"]


def test_a_run_and_qrels_of_one_library_are_evaluated(write):
    run, qrels = (read(LIBRARIES / f"ranx-{name}.json") for name, read in
                  (("run", read_run), ("qrels", read_qrels)))  # fmt: skip
    assert evaluate(run, qrels, "RR")["RR"].to_dict() == {"q1": 1 / 2, "q2": 1 / 2, "q3": 0}


NUMBER = 'Expected queries that hold items, as in {"q1": {"d7": 0.93}}.'
# … stands for what a library says, in words of its own
BROKEN = {
    "nothing": (read_run, "{}", f"file holds no items. {NUMBER}"),
    "empty queries only": (read_run, '{"q": {}, "r": {}}', f"file holds no items. {NUMBER}"),
    "a query without judgements": (
        read_qrels,
        '{"q": {"a": 1}, "r": {}}',
        "file, query 'r' holds no items. A query without any judgement cannot be evaluated: leave "
        "it out, or give it an item with grade 0.",
    ),
    "a list among objects": (
        read_run,
        '{"q": {"a": 1}, "r": ["a", "b"]}',
        f"file, query 'r' holds a list, where its items and their numbers belong. {NUMBER}",
    ),
    "an object among lists": (
        read_run,
        '{"q": ["a", "b"], "r": {"a": 1}}',
        "file, query 'r' holds an object, where the list of its items belongs, as in the first "
        "query.",
    ),
    "pairs": (
        read_run,
        '{"q": [["a", 0.5]]}',
        "file, query 'q', item 1 is ['a', 0.5]. Expected the id of an item, as in "
        '{"q1": ["d7", "d2"]}; with scores, {"q1": {"d7": 0.93}}.',
    ),
    "an item twice in a list": (
        read_run,
        '{"q": ["a", "b", "a"]}',
        "file: query 'q' has item 'a' twice, in item 1 of query 'q' and item 3 of query 'q'. A "
        "query holds each item once: remove one of them.",
    ),
    "one level more": (
        read_run,
        '{"bm25": {"q": {"a": 1.5}}}',
        f"file, query 'bm25', item 'q' holds an object, where its number belongs. {NUMBER} If "
        "'bm25' is the name of a run and no query, write each run as a file.",
    ),
    "lists of numbers": (
        read_run,
        '{"q": {"a": 2, "b": [1]}}',
        f"file, query 'q', item 'b' holds a list, where its number belongs. {NUMBER}",
    ),
    "text": (
        read_run,
        '{"q": {"a": 2, "b": "high"}}',
        "file, item 2 of query 'q', column 'score': 'high' is no finite number. Expected a score "
        "such as 0.93, with a decimal point: mend the row or remove it.",
    ),
    "null": (
        read_run,
        '{"p": {"x": 1}, "q": {"a": 2, "b": null}}',
        "file, item 2 of query 'q', column 'score': there is no value. Expected a score such as "
        "0.93, with a decimal point: mend the row or remove it.",
    ),
    "nan": (
        read_run,
        '{"q": {"a": 2.5, "b": NaN}}',
        "file, item 2 of query 'q', column 'score': 'nan' is no finite number. Expected a score "
        "such as 0.93, with a decimal point: mend the row or remove it.",
    ),
    "infinity": (
        read_qrels,
        '{"q": {"a": 2, "b": -Infinity}}',
        "file, item 2 of query 'q', column 'relevance': '-inf' is no finite number. Expected a "
        "grade such as 0, 1 or 2, or true or false: mend the row or remove it.",
    ),
    "truth as a score": (
        read_run,
        '{"q": {"a": true}}',
        "file, column 'score' holds bool values, such as True. Expected numbers: a score is a "
        "finite number.",
    ),
    "a nameless item": (
        read_run,
        '{"q": {"a": 1, "": 2}}',
        "file, item 2 of query 'q', column 'doc_id': there is no id. Every row needs an id: fill "
        "it in, or remove the row.",
    ),
    "an item twice": (
        read_run,
        '{"q": {"a": 1, "b": 2, "a": 3}}',
        "file: query 'q' has item 'a' twice, in item 1 of query 'q' and item 3 of query 'q'. A "
        "query holds each item once: remove one of them.",
    ),
    "a query twice": (
        read_run,
        '{"q": {"a": 1}, "r": {"a": 1}, "q": {"b": 2}}',
        "file has query 'q' twice. Expected each query once, with all its items: join the two.",
    ),
    "scores as grades": (
        read_qrels,
        '{"q": {"a": 1, "b": 0.5}}',
        "file holds 0.5, which looks like a score: the grades in such a file are whole numbers. Is "
        "it a run? Were the two files swapped? Grades that are fractions go into a table: "
        "query_id, doc_id, relevance.",
    ),
    "both in one": (
        read_judged_run,
        '{"q": {"a": 1}}',
        "file is nested JSON, which has one number for each item. A judged run has a score and a "
        "relevance: read_run for the scores, read_qrels for a file of grades.",
    ),
    "columns": (
        read_run,
        pd.DataFrame({"query_id": ["q"], "doc_id": ["a"], "score": [1]}).to_json(),
        "file is JSON that holds each column by itself. Expected a row by itself: pandas writes "
        "such a file with to_json(path, orient='records', lines=True).",
    ),
    "cut": (
        read_run,
        '{\n"q": {"a": 1,\n "b":',
        f"file, line 3, character 6 is no whole JSON (Expecting a value). {NUMBER} The file ends "
        "there: was it written, or copied, to its end?",
    ),
    "cut in a name": (
        read_run,
        '{"q": {"a": 1}, "r": {"long na',
        "file, line 1, character 23 is no whole JSON (Unterminated string starting at): "
        f"'\"long na'. {NUMBER}",
    ),
    "no comma": (
        read_run,
        '{"q": {"a": 1}\n"r": {"b": 1}}',
        "file, line 2, character 1 is no whole JSON (Expecting ',' or '}'): '\"r\": {\"b\": 1}}'. "
        f"{NUMBER}",
    ),
    "a comma too many": (
        read_run,
        '{"q": {"a": 1},\n}',
        f"file, line 2, character 1 is no whole JSON (Nothing follows the comma): '}}'. {NUMBER}",
    ),
    "text behind": (
        read_run,
        '{"q": {"a": 1}} and so on',
        f"file, line 1, character 17 is no whole JSON (Expecting '{{'): 'and so on'. {NUMBER}",
    ),
    "a number of 5,000 digits": (
        read_run,
        '{"q": {"a": ' + "9" * 5000 + "}}",
        "file, line 1, character 7 is no whole JSON (A number of thousands of digits): …",
    ),
    "half of a character": (
        read_run,
        '{"q": {"a\\ud800": 1}}',
        "file has the id 'a\\ud800', which holds half of a surrogate pair: that is no character. "
        "Write the text as UTF-8, or both halves.",
    ),
    "latin1": (
        read_run,
        '{"q": {"a": 1},\n "caf\xe9": {"a": 1}}'.encode("latin1"),
        "file, line 2 holds the byte 0xe9, which is not UTF-8 text. …",
    ),
    "nested without end": (
        read_run,
        '{"q":' * 100_000,
        "file, line 1, character 6 is no whole JSON (Nested too deeply): …",
    ),
}  # fmt: skip


def deep(case):
    """The case, which needs much of the stack if it is the one that nests without end."""
    return pytest.param(case, marks=STACK) if case == "nested without end" else case


def message_of(call, *args, **kwargs):
    with pytest.raises(DataError) as caught:
        call(*args, **kwargs)
    return str(caught.value)


@pytest.mark.parametrize("block", [1, 9, 1 << 20])
@pytest.mark.parametrize("case", [deep(case) for case in BROKEN])
def test_broken_nested_json_is_explained(write, monkeypatch, case, block):
    reader, content, message = BROKEN[case]
    if len(content) > 10_000 and block == 1:
        return
    monkeypatch.setattr(byhand.files.file, "BLOCK", block)
    found = message_of(reader, write(content))
    start, *rest = message.split("…")
    assert found.startswith(start)
    assert found.endswith(rest[-1]) if rest else found == message


def test_nested_json_has_no_columns_to_name(write):
    expected = "file is nested JSON, whose columns have no names. Leave columns= out."
    assert message_of(read_run, write('{"q": {"a": 1}}'), columns={"a": "doc_id"}) == expected


def test_what_is_broken_far_down_is_found_where_it_stands(write, monkeypatch):
    monkeypatch.setattr(byhand.files.file, "BLOCK", 50)
    rng = random.Random(0)
    lines = [f'"q{n}": {{"a": {rng.random()}, "b": 1}}' for n in range(200)]
    lines[150] = '"q150": {"a": 1 "b": 1}'
    found = message_of(read_run, write("{" + ",\n".join(lines) + "}"))
    assert found.startswith("file, line 151, character 17 is no whole JSON (Expecting ',' delim")


def test_what_ranx_packs_is_named(write):
    expected = (
        "is packed with lz4. Unpack it first; ranx saves under a name that ends in .json without "
        "packing."
    )
    assert message_of(read_run, LIBRARIES / "ranx-run.lz4").endswith(expected)


def test_what_pandas_writes_by_column_is_named():
    assert "holds each column by itself" in message_of(
        read_run, LIBRARIES / "pandas-run-by-column.json"
    )
