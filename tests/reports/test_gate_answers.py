"""What the gate answers where ties, clusters or missing queries decide, and what it cannot use."""

import pandas as pd
import pytest
from small_runs import frame, ranked, write

from byhand import DataError, gate
from byhand.reports.gate_command import main

FILES = ("new.csv", "old.csv", "qrels.csv")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write_runs(new, old):
    """The files of two runs by the ranks of their hits."""
    for name, ranks in ("new", new), ("old", old):
        run, qrels = ranked(*ranks)
        write(f"{name}.csv", run)
    write("qrels.csv", qrels)


def test_other_rankings_with_the_same_values_are_tested():
    write_runs([1, 2, 3] * 10, [1, 2, 3] * 10)
    write("new.csv", pd.read_csv("new.csv").replace({"doc_id": {"x9": "y9"}}))
    found = gate(*FILES, measure="RR")
    assert found.verdict == "inconclusive"
    assert "(0.0000; one-sided 95% bounds -0.09" in found.line
    assert "No query has a different value, but the test still decides" in found.line


def test_queries_that_hang_together_count_as_one():
    write_runs([2, 1, 1, 1] * 50, [1, 1, 1, 2] * 50)
    topics = pd.DataFrame({"query_id": [f"q{n}" for n in range(200)]})
    write("topics.csv", topics.assign(topic=topics.index // 4))
    found = gate(*FILES, measure="RR", max_drop=0.07, clusters="topics.csv")
    assert found.verdict == "pass"  # each topic has the same mean as before
    assert (found.numbers["queries"], found.numbers["clusters"]) == (200, 50)
    assert "200 queries form 50 clusters" in found.line


@pytest.mark.parametrize(
    ("lacking", "gone", "conventions", "refused"),
    [
        ("new", 5, "trec_eval -c", ""),
        ("new", 6, "trec_eval -c", "^new.csv lacks 6 of 100 judged queries, more than 5%"),
        ("old", 6, "trec_eval -c", "^old.csv lacks 6 of 100 judged queries, more than 5%"),
        ("new", 1, "trec_eval", "^new.csv lacks 1 of 100 judged queries, and trec_eval leaves"),
        ("old", 1, "trec_eval", ""),
    ],
)
def test_a_run_may_lack_a_few_queries_if_they_count(lacking, gone, conventions, refused):
    write_runs([1] * 100, [2] * 100)
    run = pd.read_csv(f"{lacking}.csv")
    write(f"{lacking}.csv", run[run["query_id"].str[1:].astype(int) >= gone])
    options = {"measure": "RR", "max_drop": 0.4, "conventions": conventions}
    if refused:
        with pytest.raises(DataError, match=refused):
            gate(*FILES, **options)
    else:
        assert gate(*FILES, **options)


def write_tied(name, tied=range(0), *, second=0, other="d"):
    """400 lists of ten items, with equal scores in some; the hit is first, in so many second."""
    rows = []
    for n in range(400):
        docs = [f"{other}{place}" for place in range(10)]
        docs[1 if n < second else 0] = "hit"
        rows += [(f"q{n}", doc, n - place * (n not in tied)) for place, doc in enumerate(docs)]
    write(name, frame(rows, "score"))


ALL = {"tied": range(400)}
IR_MEASURES = {"conventions": "ir_measures"}


@pytest.mark.parametrize(
    ("new", "old", "options", "verdict", "worst"),
    [
        # as counted it passes, with the worst order it fails
        (ALL, {}, {}, "inconclusive", 0.1),
        (ALL | {"other": "c"}, ALL, {}, "inconclusive", 0.1),
        # with any order it is no worse
        ({}, ALL, {}, "pass", 1),
        # 100 of 400 lose half, in the worst order 300 others lose .9: that it is lower is certain
        ({"tied": range(100, 400), "second": 100}, {}, {"max_drop": 0.2}, "lower", 0.2),
        # lower as counted, and with the best order it passes
        ({"tied": range(40)}, {}, IR_MEASURES | {"max_drop": 0.1}, "inconclusive", 0.91),
    ],
)
def test_no_verdict_rests_on_the_order_of_equal_scores(new, old, options, verdict, worst):
    write_tied("new.csv", **new)
    write_tied("old.csv", **old)
    write("qrels.csv", frame([(f"q{n}", "hit", 1) for n in range(400)], "relevance"))
    found = gate(*FILES, measure="RR", **options)
    assert found.verdict == verdict
    means = [found.numbers["ties"]["worst"][f"mean_{name}"] for name in ("new", "old")]
    assert means == pytest.approx([worst, 1], abs=1e-12)
    assert "depends on the order of equal scores" in found.line
    assert ("Export the scores with more digits" in found.line) == (verdict != "pass")


@pytest.mark.parametrize(("ranks", "verdict"), [([1, 2, 3], "pass"), ([5, 5, 5], "fail")])
def test_only_a_pass_is_true_and_its_text_is_the_line_of_the_command(ranks, verdict, capsys):
    write_runs(ranks * 20, [1, 2, 3] * 20)
    found = gate(*FILES, measure="RR")
    assert (found.verdict, bool(found)) == (verdict, verdict == "pass")
    main([*FILES[:2], "--qrels", FILES[2], "--measure", "RR"])
    assert capsys.readouterr().out == f"ranking-gate: {found}\n"


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ({"max_drop": "5%%"}, "^max_drop: .* such as 5%, but got '5%%'"),
        ({"measure": "new.csv"}, "^measure: 'new.csv' is not a measure"),
        ({"conventions": "trec"}, "^conventions='trec' is not a preset"),
    ],
)
def test_an_option_that_is_none_is_named(option, said):
    write_runs([1], [1])
    with pytest.raises(DataError, match=said):
        gate(*FILES, **option)
