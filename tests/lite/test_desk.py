"""What the page of one's own files asks Python, here in the Python of the tests."""

import json

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


def test_what_is_wrong_is_said_in_english_with_the_file(files):
    (files / "run.csv").write_text(RUN + "q1,c,high\n")
    told = ask("make", speaks="ko", runs=[{"file": "run.csv", "name": ""}])
    assert told["wrong"].startswith("run.csv")
    assert told["table"] == "run"
    assert "not a finite number" in told["wrong"]


def test_a_report_with_columns_that_were_named(files):
    (files / "bare.csv").write_text("q1,a,0.75\nq1,b,0.5\n")
    told = ask("look", file="bare.csv", kind=None, columns=None)
    (way,) = told["ways"]
    assert way == {"0": "query_id", "1": "doc_id", "2": "score"}
    runs = [{"file": "run.csv", "name": "ours"}, {"file": "bare.csv", "name": ""}]
    found = ask("make", runs=runs, columns={"bare.csv": way, "run.csv": None}, language="pt")
    assert 'lang="pt"' in found["found"]["html"]
    assert "ours" in found["found"]["csv"]
    assert json.loads(found["found"]["json"])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"relevant_from": "x"}, "Expected a grade above 0, but got 'x'"),
        ({"matters": "-0,02"}, "Expected a difference above 0, but got -0.02"),
        ({"conventions": "llama_index"}, "There is no relevant item for 1 of 2 judged queries"),
    ],
)
def test_an_option_that_is_refused_is_named_beside_what_is_said(files, asked, said):
    (files / "run.csv").write_text(RUN + "q2,a,1\n")
    (files / "qrels.csv").write_text(QRELS + "q2,a,0\n")
    told = ask("make", **asked)
    assert told["wrong"].startswith(said)
    assert told["options"] == [*asked]


def test_an_item_that_is_there_twice_is_said_by_what_the_page_offers(files):
    (files / "run.csv").write_text(RUN + "q1,a,0.25\n")
    told = ask("make")
    assert "once per query: duplicates='best' keeps the one with the highest score" in told["wrong"]
    assert "duplicates" in told["options"]
    assert "html" in ask("make", duplicates="best")["found"]


def test_a_number_that_is_none_is_refused():
    assert "is not a number" in ask("explain", measure="AP", number="abc")["wrong"]
    html = ask("explain", measure="RR", number="1.000")["found"]["html"]
    assert "1.000" in html
    assert (
        ask("explain", measure="RR", number="1,000")["found"]["html"] == html
    )  # as typed in Brazil


def test_what_is_too_large_for_the_memory_is_said_apart(monkeypatch):
    def report(**_):
        raise MemoryError

    monkeypatch.setattr(desk, "report", report)
    assert ask("make") == {"lacks": "memory"}
