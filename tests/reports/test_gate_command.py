"""`ranking-gate`, from its arguments to its exit status."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import byhand.files.scan
from byhand import evaluate
from byhand.files.read import read_qrels, read_run
from byhand.reports.gate import main
from byhand.statistics import non_inferiority

DATA = Path(__file__).parents[2] / "data"
NEW, OLD, QRELS = (
    str(DATA / f"sample-{name}") for name in ("new.txt.gz", "old.txt.gz", "qrels.csv")
)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(capsys, *arguments):
    """The exit status of a call, what it printed, and what it said beside that."""
    try:
        status = main([str(argument) for argument in arguments])
    except SystemExit as end:
        status = end.code
    return status, *capsys.readouterr()


def answer(capsys, *arguments):
    """The exit status and the one line of a call; for data of no use, a command may follow."""
    status, out, err = asked(capsys, *arguments)
    line, *more = (out + err).splitlines()
    assert (out == "") == (status == 2)
    assert len(more) <= (status == 2)
    assert all(each.startswith("ranking-gate ") for each in more)
    assert line.startswith("ranking-gate: ")
    return status, line.removeprefix("ranking-gate: ")


def write_run(path, ranks, grades=(1,)):
    """A run of one item a query at these ranks, so that its RR is 1 / rank; 0 is not found."""
    rows = [
        (f"q{query}", "hit" if place == rank else f"d{place}", 100 - place)
        for query, rank in enumerate(ranks)
        for place in range(1, max(11, rank + 1))
    ]
    pd.DataFrame(rows, columns=["query_id", "doc_id", "score"]).to_csv(path, index=False)


def write_qrels(path, queries):
    rows = [(f"q{query}", "hit", 1) for query in range(queries)]
    pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"]).to_csv(path, index=False)


def three(old, new):
    """The files of two runs by rank, and of what is relevant."""
    write_run("old.csv", old)
    write_run("new.csv", new)
    write_qrels("qrels.csv", len(old))
    return "new.csv", "old.csv", "--qrels", "qrels.csv", "--measure", "RR"


class TestAnswers:
    def test_it_did_not_drop(self, capsys):
        status, line = answer(capsys, NEW, OLD, "--qrels", QRELS)
        assert status == 0
        assert line.startswith("Pass: nDCG@10 did not drop by more than 0.01: 0.3399, was 0.2889 (")
        assert "The new run lacks 3 of 200 queries, which count 0." in line

    def test_it_dropped(self, capsys):
        status, line = answer(capsys, OLD, NEW, "--qrels", QRELS, "--max-drop", "0.02")
        assert status == 4
        assert line.startswith("Fail: nDCG@10 dropped by more than 0.02: 0.2889, was 0.3399 (-0.0")
        assert "with 95% confidence at most -0.0" in line

    def test_it_cannot_tell(self, capsys):
        arguments = OLD, NEW, "--qrels", QRELS, "--measure", "RR", "--max-drop", "0.02"
        status, line = answer(capsys, *arguments)
        assert status == 3
        assert line.startswith("Cannot tell whether RR dropped by more than 0.02: ")
        values = [evaluate(read_run(run), read_qrels(QRELS), "RR")["RR"] for run in (OLD, NEW)]
        needed = non_inferiority(*values, max_drop=0.02).needed
        assert needed > 200
        assert " fits, each end with 95% confidence) over 200 queries. " in line
        assert f"About {needed:,} queries tell in 8 of 10 cases, if in truth nothing" in line

    def test_identical_runs(self, capsys, here):
        files = three([1, 2, 3] * 10, [1, 2, 3] * 10)
        for drop in (0, 0.01):
            status, line = answer(capsys, *files, "--max-drop", drop)
            assert status == 0
            assert line.endswith("0.6111, with the same ranking on each of 30 queries.")

    @pytest.mark.parametrize("change", [{"doc_id": {"d9": "e9"}}, {"score": {91: 91.5}}])
    def test_the_same_values_of_other_rankings_are_tested(self, capsys, here, change):
        files = three([1, 2, 3] * 10, [1, 2, 3] * 10)
        run = pd.read_csv("new.csv").replace(change)
        run.to_csv("new.csv", index=False)
        status, line = answer(capsys, *files)
        if "score" in change:  # the order is what it was
            assert (status, "the same ranking" in line) == (0, True)
        else:
            assert (status, "(0.0000; anything from -0.09" in line) == (3, True)
            assert "No query has another value, yet this is tested" in line
        assert "-0.0000" not in line

    def test_so_are_those_of_files_that_are_not_held_in_memory(self, capsys, here, monkeypatch):
        files = three([1, 2, 3] * 10, [1, 2, 3] * 10)
        monkeypatch.setattr(byhand.files.scan, "is_large", lambda *_: True)
        status, line = answer(capsys, *files)
        assert (status, "of files that are held in memory, pass" in line) == (3, True)

    def test_a_limit_that_stops_nothing_is_said_to(self, capsys, here):
        files = three([8, 0, 0, 0] * 10, [0, 8, 0, 0] * 10)
        line = answer(capsys, *files, "--max-drop", "0.04")[1]
        assert "A limit of 0.04 stops nothing where the old mean itself is 0.031: set" in line
        assert "stops nothing" not in answer(capsys, *files, "--max-drop", "0.03")[1]

    def test_what_rounds_to_0_has_no_sign(self, capsys, here):
        files = three([1000] * 50, [999] * 50)
        for form in ([], ["--markdown"]):
            _, out, err = asked(capsys, *files, "--max-drop", "0", *form)
            assert "0.0000" in out + err
            assert not re.search(r"[-−+]0\.0000", out + err)

    def test_a_run_of_ten_queries_cannot_tell(self, capsys, here):
        status, line = answer(capsys, *three([1, 2] * 5, [2, 1] * 5))
        assert status == 3
        assert " over 10 queries. About " in line

    def test_one_query(self, capsys, here):
        status, line = answer(capsys, *three([2], [1]))
        assert status == 3
        assert "over 1 query." in line

    def test_a_constant_drop(self, capsys, here):
        assert answer(capsys, *three([1] * 300, [2] * 300))[0] == 4
        assert answer(capsys, *three([1] * 300, [2] * 300), "--max-drop", "0.5")[0] == 3
        assert answer(capsys, *three([2] * 300, [1] * 300), "--max-drop", "0")[0] == 0

    def test_judged_items_that_differ_are_said_to(self, capsys, here):
        files = three([1] * 300, [1] * 300)
        rows = [(f"q{query}", f"d{place}", 0) for query in range(300) for place in range(2, 11)]
        judged = pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])
        pd.concat([pd.read_csv("qrels.csv"), judged]).to_csv("qrels.csv", index=False)
        run = pd.read_csv("new.csv")
        run["doc_id"] = run["doc_id"].where(run["doc_id"] == "hit", "new " + run["doc_id"])
        run.to_csv("new.csv", index=False)
        status, line = answer(capsys, *files[:4], "--measure", "RR@10")
        assert status == 0
        assert "Of its first items 10% are judged, of the old run's 100%" in line


class TestForms:
    @pytest.mark.parametrize(
        ("arguments", "status"), [((NEW, OLD), 0), ((OLD, NEW), 4), (("gone.run", OLD), 2)]
    )
    def test_json(self, capsys, arguments, status):
        given, out, err = asked(capsys, *arguments, "--qrels", QRELS, "--json")
        assert given == status
        told = json.loads(out)
        assert told["verdict"] == {0: "pass", 4: "fail", 2: "unusable"}[status]
        assert len(err.splitlines()) == 1
        assert err.startswith(f"ranking-gate: {told['verdict'].capitalize()}: ")
        if status == 2:
            assert told["why"] in err
            return
        values = [
            evaluate(read_run(run), read_qrels(QRELS), "nDCG@10")["nDCG@10"] for run in arguments
        ]
        wanted = vars(non_inferiority(*values)) | {}
        assert {name: told[name] for name in wanted if name != "outcome"} == {
            name: wanted[name] for name in wanted if name != "outcome"
        }
        assert told["new"]["file"] == arguments[0]
        assert told["conventions"]["preset"] == "trec_eval -c"
        assert told["made_with"].startswith("ranking-metrics-by-hand ")

    @pytest.mark.parametrize("arguments", [(NEW, OLD), (OLD, NEW), ("*gone*", OLD)])
    def test_markdown(self, capsys, arguments):
        status, out, err = asked(capsys, *arguments, "--qrels", QRELS, "--markdown")
        head, *rest = out.splitlines()
        heads = {0: "### Pass: nDCG@10", 4: "### Fail: nDCG@10", 2: "### Unusable"}
        assert head == heads[status]
        assert err.removeprefix("ranking-gate: ").strip().endswith(rest[-1].strip("` "))
        if status != 2:
            heads, line, cells = (row.split("|") for row in rest[1:4])
            assert len(heads) == len(line) == len(cells)
            assert cells[6:8] == [" 0.01 ", " 200 "]
            assert cells[3][1] in "+−"  # a minus sign
            assert "-" not in rest[3]

    def test_names_in_markdown_are_text(self, capsys, here):
        name = "@you ![x](y) [a](b) <img> #1 ``code`` www.evil.org|.csv"
        _, out, _ = asked(capsys, name, OLD, "--qrels", QRELS, "--markdown")
        (shown,) = re.findall("^``` (.*) ```$", out, re.MULTILINE)
        assert name in shown

    def test_not_both(self, capsys):
        status, _, err = asked(capsys, NEW, OLD, "--qrels", QRELS, "--json", "--markdown")
        assert status == 2
        assert "not allowed with" in err


class TestUnusable:
    @pytest.mark.parametrize("lacking", ["new", "old"])
    def test_a_run_that_lacks_more_than_5_percent(self, capsys, here, lacking):
        files = three([2] * 100, [1] * 100)
        whole = pd.read_csv(f"{lacking}.csv")
        for gone, status in ((5, 0), (6, 2)):
            left = whole[whole["query_id"].str[1:].astype(int) >= gone]
            left.to_csv(f"{lacking}.csv", index=False)
            found, line = answer(capsys, *files, "--max-drop", "0.4")
            assert found == status
        assert line.startswith(f"Unusable: {lacking}.csv lacks 6 of 100 judged queries, more than")

    @pytest.mark.parametrize("conventions", ["trec_eval", "pytrec_eval"])
    def test_so_it_is_where_they_would_be_left_out(self, capsys, here, conventions):
        files = three([2] * 100, [1] * 100)
        write_run("new.csv", [1] * 90)
        status, line = answer(capsys, *files, "--conventions", conventions)
        assert status == 2
        assert "lacks 10 of 100" in line

    @pytest.mark.parametrize(("lacking", "status"), [("new", 2), ("old", 0)])
    def test_what_the_new_run_did_not_answer_cannot_be_left_out(
        self, capsys, here, lacking, status
    ):
        files = three([2] * 400, [1] * 400)
        whole = pd.read_csv(f"{lacking}.csv")
        whole[whole["query_id"] != "q7"].to_csv(f"{lacking}.csv", index=False)
        files += ("--max-drop", "0.6", "--conventions")
        found, line = answer(capsys, *files, "trec_eval")
        assert found == status
        if status == 2:
            assert "new.csv lacks 1 of 400 judged queries, and trec_eval leaves them out" in line
        assert answer(capsys, *files, "trec_eval -c")[0] == 0

    def test_what_is_no_data(self, capsys, here):
        files = three([1] * 30, [1] * 30)
        for content in ("", "PK\3\4", "query_id,doc_id,scre\nq1,d,1\n", "a,b\n", "q1 d nan\n"):
            Path("new.csv").write_text(content)
            status, line = answer(capsys, *files)
            assert status == 2
            assert line.startswith("Unusable: new.csv")
            assert str(here) not in line

    @pytest.mark.parametrize("score", ["nan", "inf", "x", ""])
    def test_scores_that_are_no_numbers(self, capsys, here, score):
        files = three([1] * 30, [1] * 30)
        text = Path("new.csv").read_text().splitlines()
        text[7] = text[7].rpartition(",")[0] + f",{score}"
        Path("new.csv").write_text("\n".join(text))
        status, line = answer(capsys, *files)
        assert status == 2
        assert "new.csv" in line
        assert "line 8" in line

    def test_files_that_do_not_belong_together(self, capsys, here):
        files = three([1] * 30, [1] * 30)
        frame = pd.read_csv("new.csv")
        frame.assign(query_id="x" + frame["query_id"]).to_csv("new.csv", index=False)
        status, line = answer(capsys, *files)
        assert (status, "new.csv" in line) == (2, True)
        frame.assign(doc_id="x" + frame["doc_id"]).to_csv("new.csv", index=False)
        status, line = answer(capsys, *files)
        assert (status, "No judged item is in the run" in line) == (2, True)

    def test_nothing_relevant(self, capsys, here):
        files = three([1] * 30, [1] * 30)
        status, line = answer(capsys, *files, "--relevant-from", "4")
        assert (status, "No item is relevant" in line) == (2, True)

    def test_a_run_compared_with_itself(self, capsys, here):
        three([1] * 30, [1] * 30)
        for other in ("new.csv", "./new.csv"):
            status, line = answer(capsys, "new.csv", other, "--qrels", "qrels.csv")
            assert (status, "compared with itself" in line) == (2, True)

    def test_files_that_are_not_there(self, capsys, here):
        status, out, err = asked(capsys, "no.csv", "no2.csv", "--qrels", "q.csv")
        assert (status, out) == (2, "")
        for name in ("no.csv", "no2.csv", "q.csv"):
            assert f"There is no file {name}." in err
        assert answer(capsys, NEW, OLD)[0] == 2  # nothing says what is relevant

    @pytest.mark.parametrize("drop", ["-0.1", "nan", "inf", "much"])
    def test_drops_that_are_none(self, capsys, drop):
        status, _, err = asked(capsys, NEW, OLD, "--qrels", QRELS, f"--max-drop={drop}")
        assert status == 2
        assert f"{drop!r} is no drop" in err

    @pytest.mark.parametrize("measure", ["DCG", "DCG(dcg='exp-log2')@10"])
    def test_measures_without_a_highest_value(self, capsys, measure):
        status, line = answer(capsys, NEW, OLD, "--qrels", QRELS, "--measure", measure)
        assert status == 2
        assert line.startswith(f"Unusable: {measure} has no highest value")
        option = line.rpartition("such as ")[2].rstrip(".").split()
        assert answer(capsys, NEW, OLD, "--qrels", QRELS, *option)[0] == 0

    def test_measures_that_are_none(self, capsys):
        status, _, err = asked(capsys, NEW, OLD, "--qrels", QRELS, "--measure", "ERR@5")
        assert (status, "The nearest is 'RR@5'" in err) == (2, True)


class TestOtherFiles:
    def test_folders_and_globs_that_are_not_held_in_memory(self, capsys, here):
        expected = answer(capsys, NEW, OLD, "--qrels", QRELS)
        for name, file in (("new", NEW), ("old", OLD)):
            Path(name).mkdir()
            for part in range(3):
                read_run(file)[part::3].to_parquet(f"{name}/{part}.parquet")
        assert (
            answer(capsys, "new", "old/*.parquet", "--qrels", QRELS, "--memory", "1GB") == expected
        )

    def test_one_table_with_scores_and_relevance(self, capsys, here):
        three([1] * 300, [2] * 300)
        run = pd.read_csv("new.csv")
        run.assign(relevance=(run["doc_id"] == "hit") * 1).to_csv("new.csv", index=False)
        assert answer(capsys, "new.csv", "old.csv", "--measure", "RR")[0] == 4

    def test_own_columns(self, capsys, here):
        three([1] * 300, [2] * 300)
        for name in ("new", "old"):
            names = {"doc_id": "Edge", "score": "S"}
            pd.read_csv(f"{name}.csv").rename(columns=names).to_csv(f"{name}.csv", index=False)
        files = "new.csv", "old.csv", "--qrels", "qrels.csv", "--measure", "RR"
        status, _, said = asked(capsys, *files)
        assert status == 2
        command = shlex.split(said.splitlines()[-1])
        assert command[:3] == ["ranking-gate", "new.csv", "old.csv"]
        assert answer(capsys, *command[1:])[0] == 4

    def test_names_that_a_terminal_cannot_write(self, here):
        three([1] * 30, [1] * 30)
        Path("new.csv").rename("neu–ü.csv")
        environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(DATA.parent)}
        for form in ([], ["--json"], ["--markdown"]):
            command = ["neu–ü.csv", "gone–ü.csv", "--qrels", "qrels.csv", *form]
            done = subprocess.run(
                [sys.executable, "-m", "byhand", "gate", *command],
                env=environment,
                capture_output=True,
            )
            assert done.returncode == 2
            assert b"Unusable: There is no file gone\\u2013\\xfc.csv" in done.stderr


def test_differences_that_are_only_rounding_are_none():
    values = pd.Series(np.linspace(0.1, 1, 30))
    assert non_inferiority(values * 3 / 3, values).differ == 0


def test_columns_of_two_runs_of_one_name_are_told_apart(here, capsys):
    Path("sub").mkdir()
    Path("r.csv").write_text("Item,q,s\na,q1,1\n")
    Path("sub/r.csv").write_text("Thing,q,s\na,q1,1\n")
    Path("qrels.csv").write_text("query_id,doc_id,relevance\nq1,a,1\n")
    files = ["r.csv", "sub/r.csv", "--qrels", "qrels.csv"]
    line = asked(capsys, *files, "--run-columns", "Item=doc_id", "q=query_id", "s=score")[2]
    command = shlex.split(line.splitlines()[-1])
    # what was said of both is kept where it holds
    assert command[-4:] == ["sub/r.csv", "q=query_id", "s=score", "Thing=doc_id"]
    assert len(line.splitlines()) == 2
    assert answer(capsys, *command[1:])[0] == 0


def test_one_doubt_of_both_runs_is_said_once(here, capsys):
    for name, ids in (("new.csv", "abc"), ("old.csv", "acb")):
        rows = [f"q,{doc},{place}" for place, doc in enumerate(ids, 1)]
        Path(name).write_text("\n".join(["query_id,doc_id,score", *rows]))
    Path("qrels.csv").write_text("query_id,doc_id,relevance\nq,c,1\n")
    line = answer(capsys, "new.csv", "old.csv", "--qrels", "qrels.csv")[1]
    assert "new.csv and old.csv: In every query the scores are whole numbers" in line
    assert line.count("stands on its head") == 1


@pytest.mark.parametrize("scores", ["ranks", "distances"])
def test_a_run_that_stands_on_its_head_is_doubted_aloud(here, capsys, scores):
    new, old = read_run(NEW), read_run(OLD)
    rank = new.groupby("query_id")["score"].rank(ascending=False, method="first")
    new["score"] = rank if scores == "ranks" else -new["score"]
    for name, run in (("new.csv", new), ("old.csv", old)):
        run.to_csv(name, index=False)
    line = answer(capsys, "new.csv", "old.csv", "--qrels", QRELS)[1]
    assert "new.csv: " in line
    assert "stand lower than in a random order" in line
    assert ("as ranks are" in line) == (scores == "ranks")
    assert "old.csv: " not in line
    told = json.loads(asked(capsys, "new.csv", "old.csv", "--qrels", QRELS, "--json")[1])
    assert f"new.csv: {told['new']['doubt']}" in line
    assert told["old"]["doubt"] is None
    # what it suggests, pasted, answers as if the ranks had been read as such
    if scores == "ranks":
        new.rename(columns={"score": "place"}).to_csv("new.csv", index=False)
        columns = ["--run-columns", "new.csv", "place=rank"]
        line = answer(capsys, "new.csv", "old.csv", "--qrels", QRELS, *columns)[1]
        assert "random order" not in line


def test_a_measure_as_people_write_it_is_reported_in_our_notation(here, capsys):
    found = {
        name: answer(capsys, NEW, OLD, "--qrels", QRELS, "--measure", name)
        for name in ("RR", "MRR", "R@100", "recall_100")
    }
    assert found["RR"] == found["MRR"]
    assert found["R@100"] == found["recall_100"]
    assert "R@100 dropped by more" in found["recall_100"][1]
