"""What moved, and the texts beside it: computed from the lists, and never more than text."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from IPython.utils.capture import capture_output
from small_runs import NEW, OLD, QRELS, frame, shown, write

from byhand import DataError, ndcg
from byhand.report.steps import read_own_data, results_of, show_best, show_moved, show_worst
from byhand.reports.command import main

NASTY = "<script>alert(1)</script>"


@pytest.fixture
def results(tmp_path):
    """Results of two lists a query, best first, and of grades: call it with these and texts."""

    def make(new, old, grades, measure="nDCG@10", conventions="trec_eval -c", **texts):
        paths = []
        for name, lists in {"new": new, "old": old}.items():
            rows = [(q, d, -n) for q, ds in lists.items() for n, d in enumerate(ds)]
            paths.append(write(tmp_path / f"{name}.csv", frame(rows, "score")))
        qrels = frame([(q, d, g) for q in grades for d, g in grades[q].items()], "relevance")
        files = {}
        for name, rows in texts.items():
            (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
            files[name] = tmp_path / f"{name}.jsonl"
        with capture_output():
            data = read_own_data(paths[0], write(tmp_path / "qrels.csv", qrels), paths[1], **files)
        return results_of(data, [measure], conventions=conventions)

    return make


GRADES = {"q": {"d1": 3, "d2": 1, "x3": 0}}
OLDER = {"q": ["d1", "d2", "x1", "x2"]}
NEWER = {"q": ["x3", "x4", "d2", "x1", "d1"]}


class TestSentence:
    def test_an_item_that_fell_is_said_with_what_it_cost(self, results):
        text = shown(show_moved, results(NEWER, OLDER, GRADES))[0]
        best = ndcg(["d1", "d2"], GRADES["q"])
        assert best == 1
        ideal = 3 + 1 / np.log2(3)
        cost = (3 / np.log2(6) - 3) / ideal
        assert f"d1, grade 3, fell from rank 1 to 5: −{-cost:.2f} of nDCG@10." in text
        assert "Of the first 4 items, 2 are in both." in text
        assert "Nobody judged x4 (rank 2), which came up." in text
        assert "x3 (rank 1)" not in text  # judged

    def test_items_that_came_and_went(self, results):
        new, old = {"p": ["a"], "q": ["b"]}, {"p": ["b"], "q": ["a"]}
        text = shown(show_moved, results(new, old, {"p": {"a": 1}, "q": {"a": 1}}))[0]
        assert "p: nDCG@10: old 0.0000 → new 1.0000. a came in at rank 1: +1.00 of nDCG@10." in text
        assert "a stood at rank 1 and is not retrieved any more: −1.00 of nDCG@10. Of" in text
        assert text.index("new lost most against old") < text.index("new gained most against old")

    def test_shares_add_up_to_the_difference(self, sample):
        text = shown(show_moved, sample)[0]
        lines = re.findall(r"sample-old (0\.\d+) → sample-new (0\.\d+)\. (.*?)\. Of the", text)
        assert len(lines) > 5
        for old, new, sentence in lines:
            total, parts = float(new) - float(old), re.findall(r"([+−]\d\.\d\d)", sentence)
            named = [float(part.replace("−", "-")) for part in parts]
            assert 1 <= len(named) <= 3
            assert all(part * total > 0 for part in named)
            assert named == sorted(named, key=abs, reverse=True)

    def test_where_ties_have_no_order_no_cost_is_said(self, results):
        text = shown(show_moved, results(NEWER, OLDER, GRADES, conventions="sklearn"))[0]
        assert "of nDCG@10." not in text
        assert "2 are in both" in text

    def test_one_that_did_not_answer(self, results):
        grades = {"p": {"a": 1}, "q": {"a": 1}}
        text = shown(show_moved, results({"p": ["a"]}, {"p": ["a"], "q": ["a"]}, grades))[0]
        assert "q: nDCG@10: old 1.0000 → new not answered. new did not answer this query." in text

    def test_nothing_moved_and_one_system(self, results, tmp_path):
        text = shown(show_moved, results(OLDER, OLDER, GRADES))[0]
        assert "No query has another nDCG@10." in text
        with capture_output():
            data = read_own_data(NEW, QRELS)
        assert shown(show_moved, results_of(data, ["RR"])) == ("", "", 0)


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ([0, 3], ["+3"]),
        ([2, -1], ["-1", "+2"]),
        ([1, 2, 3, 4, 5], ["+5", "+4", "+3", "+2", "+1"]),
        ([1, 2, 3, 4, 5, 6, -1], ["-1", "+6", "+5", "+4", "+3", "+2"]),
        ([-1, -2, -3, -4, -5, -6], ["-6", "-5", "-4", "-3", "-2"]),
    ],
)
def test_the_five_that_lost_and_that_gained_most_are_shown(results, moves, expected):
    # of ten items so many more are relevant that one system has and the other has not
    def lists(sign):
        return {
            f"q{n}": [f"d{m}" if m < move * sign else f"x{m}" for m in range(10)]
            for n, move in enumerate(moves)
        }

    grades = {f"q{n}": {f"d{m}": 1 for m in range(9)} for n in range(len(moves))}
    text = shown(show_moved, results(lists(1), lists(-1), grades, "P@10"))[0]
    rows = re.findall(r"^(q\d): P@10: old (\S+) → new (\S+)\. ", text, re.MULTILINE)
    assert [(q, round(10 * (float(new) - float(old)))) for q, old, new in rows] == [
        (f"q{moves.index(int(move))}", int(move)) for move in expected
    ]


class TestOverlap:
    def test_over_all_queries(self, results):
        new, old = {"p": ["a", "b"], "q": ["a"]}, {"p": ["b", "a"], "q": ["c"]}
        lines = shown(show_moved, results(new, old, {"p": {"a": 1}, "q": {"a": 1}}))[0].splitlines()
        assert lines[1].split() == ["new", "and", "old", "50%", "1", "1", "2"]


class TestSideBySide:
    def test_lines_join_what_is_in_both_and_lead_out_where_an_item_went(self, results):
        html = shown(show_moved, results(NEWER, OLDER, GRADES))[1]
        lines = re.findall(r'<line x1="0" y1="(\S+)" x2="100" y2="(\S+)" stroke="(\S+)"', html)
        assert lines == [
            ("0.5", "4.5", "#d55e00"),
            ("1.5", "2.5", "#d55e00"),
            ("2.5", "3.5", "#d55e00"),
        ]
        assert html.count('stroke-width="3"') == 2  # d1 and d2
        left, right = html.split("<ol")[1:3]
        assert re.findall(r"<bdi>(\w\d)</bdi>", left.partition("</ol>")[0]) == OLDER["q"]
        assert re.findall(r"<bdi>(\w\d)</bdi>", right.partition("</ol>")[0]) == NEWER["q"]
        assert "● 3" in left
        assert "<small>gone</small>" in left  # x2
        assert "<small>new</small>" in right  # x3

    def test_beyond_the_cutoff(self, results):
        long = {"q": [*(f"y{n}" for n in range(12)), "d1"]}
        html = shown(show_moved, results(long, OLDER, GRADES))[1]
        assert "<small>↓ 13</small>" in html
        assert 'y1="0.5" x2="100" y2="10" stroke="#d55e00" stroke-width="3" stroke-da' in html


class TestTexts:
    queries = ({"_id": "q", "text": f"How? {NASTY}"},)
    docs = (
        {"_id": "d1", "title": f"One {NASTY}", "text": "word " * 400, "url": "https://x.example/1"},
        {"_id": "d2", "title": "", "text": "Two", "url": "javascript:alert(1)"},
        {"_id": "x1", "title": "", "text": "Not shown elsewhere."},
        {"_id": "far", "title": "", "text": "Never retrieved."},
    )

    @pytest.mark.parametrize("step", [show_moved, show_best])
    def test_what_is_shown_is_said_as_text(self, results, step):
        found = results(NEWER, OLDER, GRADES, queries=self.queries, docs=self.docs)
        html = shown(step, found)[1]
        assert "“<bdi>How? &lt;script&gt;alert(1)&lt;/script&gt;</bdi>”" in html
        assert "<script" not in html
        assert "One &lt;script&gt;" in html
        assert "Never retrieved" not in html
        assert max(map(len, re.findall(r"(?:word ?)+", html))) <= 500
        assert '<a href="https://x.example/1" rel="noopener noreferrer">' in html
        assert 'href="javascript' not in html
        assert "javascript:alert(1)" in html

    @pytest.mark.parametrize("url", ["https://[", "http:", "//x.example", "data:text/html,x"])
    def test_what_is_no_address_of_the_web_is_no_link(self, results, url):
        found = results(NEWER, OLDER, GRADES, docs=[{"_id": "d1", "text": "One", "url": url}])
        assert "<a " not in shown(show_moved, found)[1]

    def test_texts_that_are_lacking_are_counted(self, results):
        found = results(NEWER, OLDER, GRADES, docs=self.docs, queries=[{"_id": "p", "text": "?"}])
        text = shown(show_worst, found)[0]
        assert text.startswith(
            "No text was found for 1 of the 1 queries that this report shows, such as q. The files "
            "of texts have ids such as 'p': check that these are the same ids. No text was found "
            "for 3 of the 6 items that this report shows, such as x3."
        )
        assert "No text" not in shown(show_worst, results(NEWER, OLDER, GRADES))[0]

    def test_a_list_to_drag_says_them_too(self, results):
        found = results({"q": ["d2"]}, OLDER, GRADES, docs=self.docs)
        assert "d2 · Two" in shown(show_best, found)[1]

    def test_a_file_is_gone_through_once(self, results, monkeypatch):
        found = results(NEWER, OLDER, GRADES, docs=self.docs)
        calls = []
        (texts,) = found.data.words["doc"]
        monkeypatch.setitem(found.data.words, "doc", [type(texts)(texts.tables)])
        monkeypatch.setattr(type(texts), "of", lambda self, ids: calls.append(set(ids)) or {})
        for step in (show_worst, show_best, show_moved):
            shown(step, found)
        assert calls == [{"d1", "d2", "x1", "x2", "x3", "x4"}]

    def test_the_run_may_hold_them(self, tmp_path):
        run = frame([("q", "d1", 1.0), ("q", "d2", 0.5)], "score").assign(text=["One", "Two"])
        run["query"] = "How?"
        run = run.rename(columns={"query_id": "qid"})
        qrels = write(tmp_path / "qrels.csv", frame([("q", "d1", 1)], "relevance"))
        text, _, _ = shown(lambda: read_own_data(write(tmp_path / "run.csv", run), qrels))
        assert "texts of queries  run.csv" in text
        with capture_output():
            data = read_own_data(tmp_path / "run.csv", qrels)
        html = shown(show_best, results_of(data, ["RR"]))[1]
        assert "“<bdi>How?</bdi>”" in html
        assert "d1 · One" in html


def test_the_command_takes_both_and_names_no_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"query_id": ["q147"], "text": ["where is it"]}).to_csv("q.csv", index=False)
    pd.DataFrame({"id": ["d1735"], "contents": ["here it is"]}).to_parquet("docs.parquet")
    files = ["--queries", "q.csv", "--docs", "docs.parquet", "-o", "report.html"]
    assert main([str(NEW), "--qrels", str(QRELS), "--against", str(OLD), *files]) == 0
    html = (tmp_path / "report.html").read_text()
    assert "“<bdi>where is it</bdi>”" in html
    assert "here it is" in html
    assert str(tmp_path) not in html


def test_the_command_refuses_a_file_without_texts_at_once(tmp_path, capsys):
    write(tmp_path / "docs.csv", pd.DataFrame({"doc_id": ["a"], "colour": ["red"]}))
    docs = ["--docs", str(tmp_path / "docs.csv")]
    with pytest.raises(SystemExit):
        main([str(NEW), "--qrels", str(QRELS), *docs, "-o", "x.html"])
    said = capsys.readouterr().err
    assert "docs.csv has the columns 'doc_id', 'colour'. Expected the columns 'doc_id' and" in said
    with pytest.raises(DataError, match=r"There is no file gone\.csv"):
        read_own_data(NEW, QRELS, queries="gone.csv")
