"""What the page of one's own files asks Python, here in the Python of the tests."""

import json
import re
from unittest.mock import Mock

import pytest

from lite.report import desk

RUN = "query_id,doc_id,score\nq1,a,0.75\nq1,b,0.5\n"
QRELS = "query_id,doc_id,relevance\nq1,a,1\nq1,b,0\n"
BASIC = {
    "speaks": "en",
    "runs": [{"file": "run.csv", "name": ""}],
    "qrels": "qrels.csv",
    "columns": {},
    "texts": {},
    "measures": "AP, RR",
    "conventions": "trec_eval -c",
    "relevant_from": "",
    "duplicates": "",
    "matters": "",
    "language": "en",
}


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.csv").write_text(RUN)
    (tmp_path / "qrels.csv").write_text(QRELS)
    yield tmp_path
    desk.use_language("en")


def ask(call, **asked):
    return json.loads(desk.answer(call, json.dumps(BASIC | asked), lambda *_: None))


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("a.txt", "q1 Q0 a 1 0.5 x\n", "run"),
        ("a.txt", "q1 0 a 1\n", "qrels"),
        ("a.json", '{"q1": {"a": 1, "b": 0}}', "qrels"),
        ("a.json", '{"q1": {"a": 1, "b": 0.5}}', "run"),
        ("a.csv", "doc_id,score,relevance\na,1,0\nb,2,1\n", "both"),
        # columns that nobody knows are no texts, if the last of them holds numbers
        ("a.tsv", "Kunde\tBuch\tWert\nq1\ta\t0,5\nq1\tb\t2\n", "run"),
        ("a.csv", "qid,text\nq1,a warm soup\n", "queries"),
        ("corpus.tsv", "d1\tPea soup\tIt is warm.\n", "docs"),
        ("corpus.jsonl", '{"_id": "d1", "title": "Soup", "text": "It is warm."}\n', "docs"),
        ("a.csv", "qid,cluster\nq1,t1\n", "clusters"),
        ("a.png", "\x89PNG\0", "run"),
    ],
)
def test_a_file_is_taken_for_what_it_holds(files, name, text, kind):
    (files / name).write_text(text)
    told = ask("look", file=name, kind=None, columns=None)
    assert (told.get("found") or {"kind": "run"})["kind"] == kind
    assert ("found" in told) != (name in ("a.png", "a.tsv"))


@pytest.mark.parametrize(
    ("row", "asked", "said", "option"),
    [
        ("q2,a,1", {"relevant_from": "x"}, "^Expected .+ above 0, but got 'x'", "relevant_from"),
        ("q2,a,1", {"matters": "-0,02"}, "^Expected .+ above 0, but got -0.02", "matters"),
        ("q2,a,1", {"conventions": "llama_index"}, "^There is no relevant item", "conventions"),
        ("q1,a,1", {}, "once per query: duplicates='best' keeps the one with the", "duplicates"),
        ("q1,c,high", {}, "^run.csv.+ not a finite number", None),
    ],
)
def test_what_is_refused_is_said_in_english_and_names_the_option_to_put_beside_it(
    files, row, asked, said, option
):
    (files / "run.csv").write_text(f"{RUN}{row}\n")
    (files / "qrels.csv").write_text(f"{QRELS}q2,a,0\n")
    told = ask("make", speaks="ko", **asked)
    assert re.search(said, told["wrong"])
    assert {*told["options"]} == {option} - {None}


def test_a_report_with_columns_that_were_named(files):
    (files / "bare.csv").write_text("q1,a,0.75\nq1,b,0.5\n")
    (way,) = ask("look", file="bare.csv", kind=None, columns=None)["ways"]
    assert way == {"0": "query_id", "1": "doc_id", "2": "score"}
    runs = [{"file": "run.csv", "name": "ours"}, {"file": "bare.csv", "name": ""}]
    found = ask("make", runs=runs, columns={"bare.csv": way, "run.csv": None}, language="pt")
    assert 'lang="pt"' in found["found"]["html"]
    assert "ours" in found["found"]["csv"]


def test_a_number_is_explained_as_typed_in_brazil_too_or_refused():
    assert "is not a number" in ask("explain", measure="AP", number="abc")["wrong"]
    html = ask("explain", measure="RR", number="1.000")["found"]["html"]
    assert "1.000" in html
    assert ask("explain", measure="RR", number="1,000")["found"]["html"] == html


def test_what_is_too_large_for_the_memory_is_said_apart(monkeypatch):
    monkeypatch.setattr(desk, "report", Mock(side_effect=MemoryError))
    assert ask("make") == {"lacks": "memory"}
