"""What a report computes is what `evaluate` and `compare_values` say: groups, clusters, bounds."""

import pandas as pd
import pytest
from small_runs import frame, html_of, ranked, report_on, rows_of

from byhand import DataError, evaluate, report
from byhand.statistics import compare_values, mean_interval

QUERIES = [f"q{n}" for n in range(24)]


def test_each_group_is_compared_by_itself():
    mine, qrels = ranked(*[1] * 12, *[3] * 12, 1, 2)
    theirs, _ = ranked(*[2] * 12, *[1] * 12, 2, 1)
    groups = pd.DataFrame({"qid": QUERIES, "language": ["one"] * 12 + ["two"] * 12})
    found = report_on(mine, theirs, qrels=qrels, measures="RR", groups=groups)
    one, two, rest = rows_of(found, "groups")
    assert one[:4] == ["one", "12", "1.0000", "0.5000"]
    assert two[:4] == ["two", "12", "0.3333", "1.0000"]
    assert rest[:5] == ["(no group)", "2", "0.7500", "0.7500", "0.0000"]
    said = ["a is higher, with a warning", "b is higher", "too few to tell"]
    assert [row[-1] for row in (one, two, rest)] == said
    values = found.results["queries"].items()
    (row,) = compare_values(
        {name: table.loc[QUERIES[:12], ["RR"]] for name, table in values}
    ).to_dict("records")
    assert one[5] == f"{row['low']:+.4f} to {row['high']:+.4f}"
    # 2 of 2^12 signs, times the three groups
    assert one[6] == f"{3 * 2 / 2**12:.5f}"


def test_intervals_and_p_count_clusters(tmp_path):
    """Twelve topics of three variants: of each topic one system is better in all variants."""
    mine, qrels = ranked(*(1 + topic % 2 for topic in range(12) for _ in range(3)))
    theirs, _ = ranked(*(2 + topic % 3 for topic in range(12) for _ in range(3)))
    topics = pd.DataFrame({"query_id": [f"q{n}" for n in range(36)]})
    topics["topic"] = topics.index // 3
    topics.to_csv(tmp_path / "topics.csv", index=False)
    options = {"measures": ["RR"], "clusters": tmp_path / "topics.csv"}
    found = report_on(mine, theirs, qrels=qrels, **options).results
    values = {name: evaluate(run, qrels, "RR") for name, run in (("a", mine), ("b", theirs))}
    wanted = compare_values(values, clusters=topics)
    rows = pd.DataFrame(found["comparison"])
    pd.testing.assert_frame_equal(rows[[*wanted]], pd.DataFrame(wanted), check_dtype=False)
    assert rows["clusters"][0] == 12
    each = values["a"]["RR"].groupby(topics.set_index("query_id")["topic"]).mean()
    mean = found["means"][0]
    assert (mean["low"], mean["high"]) == pytest.approx(mean_interval(each), abs=1e-12)


def test_the_means_if_none_and_if_all_unjudged_items_are_relevant():
    run, qrels = ranked(2, 2, 3)
    judged = pd.concat([qrels, frame([("q0", "x1", 0)], "relevance")])
    found = report_on(run, qrels=judged, measures="P@2")
    (row,) = rows_of(found, "unjudged")
    assert row == ["P@2", "a", "0.3333", "0.8333"]
    assert "These two are not bounds" in html_of(found, "unjudged")


@pytest.mark.parametrize("run", [{"q1": {"d1": 0.9, "d2": 0.5}}, {"q1": ["d1", "d2"]}])
def test_scores_of_dicts_and_lists_are_no_grades(run):
    held = frame([("q1", "d1", 0.5)], "score")
    for runs in (run, {"new": run, "old": held}):
        with pytest.raises(DataError, match=r"has no relevance grades\. Pass the judgements as"):
            report(runs)
    said = "^old: run has no column 'relevance'.* Add it, or pass the judgements as qrels"
    with pytest.raises(DataError, match=said):
        report({"old": held, "new": run})


def test_a_judged_frame_has_the_report_of_its_file(tmp_path):
    table, path = ranked(2, 3)[0].assign(relevance=1), tmp_path / "a"
    table.to_csv(path, index=False)
    held, read = (report(each, names=["a"], measures=["RR"]).text() for each in (table, path))
    assert "a: Relevance is known only for retrieved items." in held
    assert read == held.replace("The run of a has", "The run of a is a,")


def test_problems_stop_a_report_and_are_said_once():
    run, qrels = frame([("1", "a", 1.0)], "score"), frame([("1", "a", 0)], "relevance")
    said = "^a and b: No item is relevant: all grades are 0 or below"
    with pytest.raises(DataError, match=said) as found:
        report_on(run, run.assign(score=2.0), qrels=qrels)
    assert str(found.value).count("No item is relevant") == 1


def test_a_measure_that_ties_leave_undefined_at_other_cutoffs_has_no_curve():
    run = pd.DataFrame({"query_id": "q", "doc_id": ["a", "b", "c"], "score": [2, 2, 1]})
    qrels = pd.DataFrame({"query_id": "q", "doc_id": ["b", "c"], "relevance": 1})
    found = report(run, qrels=qrels, measures="AP", conventions="sklearn")
    assert found.results["means"][0]["mean"] == pytest.approx((1 / 2 * (1 + 1 / 2) + 2 / 3) / 2)
    assert not any(found.results["cutoffs"].values())
    assert "How far down the list?" not in found.html()
