"""`ranking-gate`, from its arguments to its exit status."""

import json
from pathlib import Path

import pandas as pd
import pytest
from small_runs import frame, write

import byhand
from byhand.reports.gate_command import main


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def asked(capsys):
    """Call it for the exit status of a call, what it printed, and what it said beside that."""

    def ask(*arguments):
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as end:
            status = end.code
        return status, *capsys.readouterr()

    return ask


@pytest.fixture
def answer(asked):
    """Call it for the exit status and the one line; for data of no use, a command may follow."""

    def ask(*arguments):
        status, out, err = asked(*arguments)
        line, *more = (out + err).splitlines()
        assert (out == "") == (status == 2)
        assert len(more) <= (status == 2)
        assert all(each.startswith("ranking-gate ") for each in more)
        assert line.startswith("ranking-gate: ")
        return status, line.removeprefix("ranking-gate: ")

    return ask


def write_run(name, ranks):
    """A run of one item a query at these ranks, so that its RR is 1 / rank; 0 is not found."""
    rows = [
        (f"q{query}", "hit" if place == rank else f"d{place}", 100 - place)
        for query, rank in enumerate(ranks)
        for place in range(1, max(11, rank + 1))
    ]
    write(f"{name}.csv", frame(rows, "score"))


def write_hits(n_queries):
    """Of each query the one relevant item."""
    write("qrels.csv", frame([(f"q{query}", "hit", 1) for query in range(n_queries)], "relevance"))


def three(old, new):
    """The files of two runs by rank, and of what is relevant."""
    write_run("old", old)
    write_run("new", new)
    write_hits(len(old))
    return "new.csv", "old.csv", "--qrels", "qrels.csv", "--measure", "RR"


class TestAnswers:
    @pytest.mark.parametrize("change", [{"doc_id": {"d9": "e9"}}, {"score": {91: 91.5}}])
    def test_the_same_values_of_other_rankings_are_tested(self, answer, change):
        files = three([1, 2, 3] * 10, [1, 2, 3] * 10)
        write("new.csv", pd.read_csv("new.csv").replace(change))
        status, line = answer(*files)
        if "score" in change:  # the order is what it was
            assert (status, "the same ranking" in line) == (0, True)
        else:
            assert (status, "(0.0000; one-sided 95% bounds -0.09" in line) == (3, True)
            assert "No query has a different value, but the test still decides" in line
        assert "-0.0000" not in line

    def test_a_limit_that_stops_nothing_is_of_no_use(self, answer):
        files = three([8, 0, 0, 0] * 10, [0, 8, 0, 0] * 10)
        status, line = answer(*files, "--max-drop", "0.04")
        said = "A drop cannot exceed a margin of 0.04: the mean RR of old.csv is 0.031"
        assert (status, said in line) == (2, True)
        assert answer(*files, *line.split("such as ")[1].removesuffix(".").split())[0] == 3

    def test_queries_that_hang_together_count_as_one(self, asked, answer):
        files = three([1, 1, 1, 2] * 50, [2, 1, 1, 1] * 50)
        ids = pd.read_csv("qrels.csv")["query_id"]
        topics = pd.DataFrame({"query_id": ids, "topic": ids.str[1:].astype(int) // 4})
        write("topics.csv", topics)
        status, line = answer(*files, "--max-drop", 0.07, "--clusters", "topics.csv")
        assert status == 0  # each topic has the same mean as before
        assert "200 queries form 50 clusters" in line
        told = json.loads(asked(*files, "--clusters", "topics.csv", "--json")[1])
        assert (told["queries"], told["clusters"], told["verdict"]) == (200, 50, "inconclusive")
        assert json.loads(asked(*files, "--json")[1])["clusters"] is None


class TestUnusable:
    @pytest.mark.parametrize("lacking", ["new", "old"])
    def test_a_run_that_lacks_more_than_5_percent(self, answer, lacking):
        files = three([2] * 100, [1] * 100)
        whole = pd.read_csv(f"{lacking}.csv")
        for gone, status in ((5, 0), (6, 2)):
            write(f"{lacking}.csv", whole[whole["query_id"].str[1:].astype(int) >= gone])
            found, line = answer(*files, "--max-drop", "0.4")
            assert found == status
        assert line.startswith(f"Unusable: {lacking}.csv lacks 6 of 100 judged queries, more than")

    @pytest.mark.parametrize(("lacking", "status"), [("new", 2), ("old", 0)])
    def test_what_the_new_run_did_not_answer_cannot_be_left_out(self, answer, lacking, status):
        files = three([2] * 400, [1] * 400)
        path = f"{lacking}.csv"
        write(path, pd.read_csv(path).query("query_id != 'q7'"))
        files += ("--max-drop", "0.4", "--conventions")
        found, line = answer(*files, "trec_eval")
        assert found == status
        if status == 2:
            assert "new.csv lacks 1 of 400 judged queries, and trec_eval leaves them out" in line
        assert answer(*files, "trec_eval -c")[0] == 0


class TestTies:
    def tied(self, name, tied=True):
        """A run of ten items a query, the hit the first by name; scores may be equal in each."""
        other = "c" if tied == "other" else "d"
        rows = [
            (
                f"q{query}",
                "hit" if place == 0 else f"{other}{place}",
                query / 7 - place * (not tied),
            )
            for query in range(400)
            for place in range(10)
        ]
        write(name, frame(rows, "score"))

    @pytest.mark.parametrize(
        ("new", "old", "preset", "status"),
        [
            (True, False, "trec_eval -c", 3),  # as counted it passes, with the worst order it fails
            (False, True, "trec_eval -c", 0),  # … with any order it is no worse
            ("other", True, "trec_eval -c", 3),  # … of other items
        ],
    )
    def test_no_verdict_rests_on_the_order_of_equal_scores(
        self, asked, answer, new, old, preset, status
    ):
        for name, tied in (("new.csv", new), ("old.csv", old)):
            self.tied(name, tied)
        write_hits(400)
        files = ("new.csv", "old.csv", "--qrels", "qrels.csv", "--measure", "RR")
        found, line = answer(*files, "--conventions", preset)
        assert found == status
        told = json.loads(asked(*files, "--conventions", preset, "--json")[1])
        means = [told["ties"]["worst"][f"mean_{name}"] for name in ("new", "old")]
        assert means == pytest.approx([0.1 if new else 1, 1], abs=1e-12)
        assert ("Export the scores with more digits" in line) == (status == 3)
        assert ("RR depends on the order of equal scores" in line) == (status == 0)

    @pytest.mark.parametrize(
        ("lost", "open_", "preset", "limit", "status"),
        [
            # as counted 100 of 400 lose half, in the worst order 300 others lose .9
            (100, 300, "trec_eval -c", "0.2", 5),  # lower in any order; by how much, it decides
            (0, 40, "ir_measures", "0.1", 3),  # lower as counted, and with the best order it passes
            (100, 0, "trec_eval -c", "0.2", 0),
        ],
    )
    def test_nor_does_that_something_is_lower(self, asked, lost, open_, preset, limit, status):
        rows = [
            (f"q{query}", "hit" if place == (query < lost) else f"d{place}", -place * apart)
            for query in range(400)
            for apart in [not lost <= query < lost + open_]
            for place in range(10)
        ]
        write("new.csv", frame(rows, "score"))
        write_run("old", [1] * 400)
        write_hits(400)
        files = ("new.csv", "old.csv", "--qrels", "qrels.csv", "--measure", "RR@10")
        found, out, _ = asked(*files, "--conventions", preset, "--max-drop", limit)
        assert found == status
        assert ("depends on the order of equal scores" in out) == (open_ > 0)
        assert out.startswith("ranking-gate: Lower: RR@10 dropped, but whether") == (status == 5)


class TestInPython:
    """`gate` answers as the command does; only a pass is true."""

    def test_only_a_pass_is_true(self, answer):
        for new, verdict in ([1, 2, 3], "pass"), ([5, 5, 5], "fail"):
            status, line = answer(*three([1, 2, 3] * 20, new * 20))
            found = byhand.gate("new.csv", "old.csv", "qrels.csv", measure="RR")
            assert (found.verdict, bool(found), str(found)) == (verdict, not status, line)
            assert found.numbers["measure"] == "RR"

    def test_what_cannot_be_used_is_an_error(self):
        three([1], [1])
        with pytest.raises(byhand.DataError, match=r"^max_drop: .* such as 5%, but got '5%%'"):
            byhand.gate("new.csv", "old.csv", "qrels.csv", max_drop="5%%")
        with pytest.raises(byhand.DataError, match=r"^measure: 'new.csv' is not a measure"):
            byhand.gate("new.csv", "old.csv", "qrels.csv", measure="new.csv")
        with pytest.raises(byhand.DataError, match=r"^conventions='trec' is not a preset"):
            byhand.gate("new.csv", "old.csv", "qrels.csv", conventions="trec")
        Path("new.csv").write_text("a,b,c\nq0,hit,1\n")
        with pytest.raises(byhand.DataError, match="pass run_columns="):
            byhand.gate("new.csv", "old.csv", "qrels.csv")
