"""The sections of a report: what they show is what `evaluate` and the other functions say."""

import re

import numpy as np
import pandas as pd
import pytest
from small_runs import (
    NEW,
    OLD,
    QRELS,
    frame,
    html_of,
    methods,
    ranked,
    report_at,
    report_on,
    rows_of,
    said,
    text_of,
    write,
)  # fmt: skip

from byhand import (
    Conventions,
    DataError,
    compare,
    evaluate,
    read_qrels,
    read_run,
    report,
    unjudged_range,
)

NASTY = ["<script>alert(1)</script>", "**bold**", "$x$", "&amp;", "`code`", "_a_", "한국어"]


class TestRead:
    def test_says_what_was_read_and_not_where(self, sample):
        assert rows_of(sample, "files") == [
            ["run of sample-new", "sample-new.txt.gz", "TREC run, gzipped", "19,700"],
            ["run of sample-old", "sample-old.txt.gz", "TREC run, gzipped", "20,000"],
            ["qrels", "sample-qrels.csv", "CSV, separated by commas", "4,307"],
        ]
        assert str(NEW.parent) not in sample.html()

    def test_frames_have_no_file(self):
        found = report_at([1, 2])
        assert rows_of(found, "files")[0] == ["run of a", "–", "in memory", "18"]
        assert "The run of a has 18 rows." in methods(found)
        assert "The qrels hold 2 judgements, 2 of them relevant (a grade above 0)." in methods(
            found
        )

    def test_a_file_says_the_same_as_its_table(self, sample):
        runs = {"sample-new": read_run(NEW), "sample-old": read_run(OLD)}
        for table in (*runs.values(), qrels := read_qrels(QRELS)):
            table.attrs = {}
        held = report(runs, qrels, measures=["nDCG@10", "AP", "RR"])
        for name in ("summary", "means", "comparison", "moved", "ties", "unjudged"):
            assert html_of(held, name) == html_of(sample, name)

    def test_problems_stop_a_report(self):
        run, qrels = frame([("1", "a", 1.0)], "score"), frame([("1", "a", 0)], "relevance")
        with pytest.raises(DataError, match="a: No item is relevant"):
            report_on(run, qrels=qrels)

    def test_preflight_is_shown_for_each_system(self, sample):
        html = html_of(sample, "data")
        assert html.count("<table") == 1
        assert rows_of(sample, "data")[0] == ["queries judged the mean is over these", "200", "200"]
        assert "sample-new: The run lacks 3 of 200 judged queries" in text_of(html)


class TestMeans:
    def test_are_those_of_evaluate(self, sample):
        table = evaluate(read_run(NEW), read_qrels(QRELS), ["AP"])
        lift, row = (each for each in rows_of(sample, "means") if each[:2] == ["AP", "sample-new"])
        assert lift[2:] == row[7:9]
        assert row[2] == f"{table['AP'].mean():.4f}"
        assert row[5] == f"{table['AP'].median():.4f}"
        assert row[6] == f"{sample.results.tables['sample-new']['AP chance'].mean():.4f}"
        assert float(row[3]) < float(row[2]) < float(row[4])
        assert row[-1] == "200"

    def test_an_interval_that_may_be_too_narrow_is_said_to_be(self, sample):
        found = report_at([1, 2, 3], [2, 3, 1], measures=["RR", "AP"])
        few = "With 3 values, the interval may hold the true mean less often than it says."
        assert f"RR of a, RR of b, AP of a and AP of b: {few}" in text_of(html_of(found, "means"))
        assert f"RR and AP: {few}" in text_of(html_of(found, "comparison"))
        assert "less often" not in html_of(sample, "means") + html_of(sample, "comparison")


class TestFigures:
    def test_one_a_measure_and_a_curve(self, sample):
        assert html_of(sample, "distributions").count('role="img"') == 3
        assert html_of(sample, "cutoffs").count("<polyline") == 2
        assert rows_of(sample, "cutoffs")[-1] == ["100", "0.491", "0.459"]
        assert "<img" not in sample.html()

    def test_a_curve_is_the_share_of_queries_with_at_most_a_value(self):
        found = report_at([1, 1, 2, 4])
        points = re.search(r'points="([^"]*)"', html_of(found, "distributions"))[1]
        shares = {float(x): 100 - float(y) for x, y in (p.split(",") for p in points.split())}
        assert [shares[at] for at in (0, 20, 25, 45, 50, 95, 100)] == [0, 0, 25, 25, 50, 50, 100]

    def test_a_measure_with_options(self):
        run, qrels = frame([("1", "a", 1.0)], "score"), frame([("1", "a", 2)], "relevance")
        found = report_on(run, qrels=qrels, measures="AP(rel=2)@3")
        assert 'aria-label="Mean AP(rel=2) by cutoff"' in html_of(found, "cutoffs")

    def test_names_of_systems_are_no_formulas(self, tmp_path):
        (run, qrels), names = ranked(1, 2), ["$x$", r"$\frac$", "_private", "<b>"]
        found = report(dict.fromkeys(names, run), qrels, measures="RR")
        found.save(figures=tmp_path)
        drawn = (tmp_path / "cutoffs.svg").read_text().replace("&lt;", "<").replace("&gt;", ">")
        for name in names:
            assert name in drawn
            for section in ("distributions", "cutoffs", "comparison"):
                assert name in found.text(section)


class TestComparison:
    def test_one_system_shows_nothing(self):
        found = report_at([1, 2])
        assert {html_of(found, name) for name in ("comparison", "moved", "groups")} == {""}

    def test_two(self, sample):
        rows = rows_of(sample, "comparison")
        assert rows[0][1] == "+0.0510"
        verdicts = ["sample-new is higher", "sample-new is higher", "cannot tell"]
        assert [row[-1] for row in rows] == verdicts

    def test_a_p_shows_no_more_than_its_draws_and_its_floor_as_a_bound(self):
        found = report_at([1] * 30, [2] * 30, measures=["RR", "P@1"])
        # the observed signs and none of 100,000 others: at most 1 in 100,001, twice that by Holm
        assert rows_of(found, "comparison")[0][3:6] == ["≤ 0.00001", "≤ 0.00002", "30 / 0 / 0"]


class TestTies:
    def test_the_sample_under_each_order(self, sample):
        rows = [row for row in rows_of(sample, "ties") if row[0] == "RR"]
        assert [row[1] for row in rows] == [
            "by identifier (in use)", "mean of all orders", "relevant first", "relevant last"
        ]  # fmt: skip
        data = sample.results.data
        for row, ties in zip(rows, ("doc_id", "expected", "best", "worst"), strict=True):
            options = {"conventions": Conventions(ties=ties)}
            wanted = compare(data.runs, data.qrels, ["nDCG@10", "AP", "RR"], **options).iloc[2]
            assert row[3:5] == [f"{wanted['mean_b']:.4f}", f"{wanted['difference']:+.4f}"]
        assert "For RR the verdict depends on the order of equal scores; see below." in said(sample)
        assert "The verdict on RR depends on the order." in sample.text("ties")

    def test_says_so_if_the_verdict_depends_on_it(self):
        (run, qrels), (other, _) = ranked(*[2] * 20), ranked(*[1] * 20)
        # every item of b but a first one is tied: it is best or worst as one likes
        other = other.assign(score=1.0)
        other.loc[0, "score"] = 2.0
        found = report_on(run, other, qrels=qrels, measures="RR")
        text = said(found)
        assert "The verdict depends on the order of equal scores, which is a mere conv" in text
        mean = (1 + 19 * np.mean([1 / rank for rank in range(1, 10)])) / 20
        assert f": the difference is {1 / 2 - mean:+.3f} (p " in text
        assert ") on average over all orders, −0.500 (p " in text
        worst = (1 + 19 / 9) / 20
        assert f"with relevant items first and {1 / 2 - worst:+.3f} (p " in text

    def test_nothing_where_no_mean_moves(self):
        found = report_at([1, 2, 3], [2, 2, 2])
        assert html_of(found, "ties") == ""
        assert "equal scores" not in said(found)

    def test_one_system_has_no_comparison(self):
        run, qrels = ranked(1, 2)
        run = run.assign(score=1.0)
        run.loc[0, "score"] = 2.0
        rows = rows_of(report_on(run, qrels=qrels, measures="RR"), "ties")
        assert [row[2] for row in rows[2:]] == ["1.0000", f"{(1 + 1 / 9) / 2:.4f}"]

    @pytest.mark.parametrize(("n_above", "shows"), [(139, True), (140, False)])
    def test_orders_are_tried_where_four_digits_may_show_them(self, n_above, shows):
        # 1/140 - 1/141 is 0.000051, 1/141 - 1/142 is 0.000049
        run = frame([("q", f"d{n}", -min(n, n_above)) for n in range(n_above + 2)], "score")
        qrels = frame([("q", f"d{n_above}", 1)], "relevance")
        found = report_on(run, qrels=qrels, measures="RR")
        assert bool(html_of(found, "ties")) == shows


class TestUnjudged:
    @pytest.fixture
    def half(self):
        """Two runs, of which only the first half of one is judged."""
        rows = [(f"q{q}", f"d{n}", -n) for q in range(4) for n in range(20)]
        other = [(f"q{q}", f"{'dx'[n % 2]}{n}", -n) for q in range(4) for n in range(20)]
        judged = [(f"q{q}", f"d{n}", n % 2) for q in range(4) for n in range(10)]
        return frame(rows, "score"), frame(other, "score"), frame(judged, "relevance")

    def test_shows_what_they_leave_open(self, half):
        run, other, qrels = half
        found = report_on(run, other, qrels=qrels, measures=["P@10", "AP"])
        ends = unjudged_range(other, qrels, ["P@10"]).mean()
        rows = rows_of(found, "unjudged")
        assert rows[1] == ["P@10", "b", f"{ends['P@10 none']:.4f}", f"{ends['P@10 all']:.4f}"]
        assert [row[0] for row in rows] == ["P@10", "P@10", "P@10", "AP"]  # AP has no cutoff
        for row, measure in zip(rows[2:], ["P@10", "AP"], strict=True):
            assert row[1:3] == ["100.0% of 10", "50.0% of 10"]
            for place, more in ((3, {}), (4, {"conventions": Conventions(unjudged="removed")})):
                a, b = (evaluate(each, qrels, measure, **more).mean() for each in (run, other))
                assert row[place] == f"{(a - b)[measure]:+.4f}"
        assert "On judged items only, no verdict changes." in found.text("unjudged")

    def test_they_count_as_relevant_to_each_measure(self):
        run = frame([("q", f"d{n}", -n) for n in range(10)], "score")
        qrels = frame([("q", f"d{n}", 2 if n < 2 else 0) for n in range(3)], "relevance")
        found = report_on(run, qrels=qrels, measures="P(rel=2)@10")
        assert rows_of(found, "unjudged") == [["P(rel=2)@10", "a", "0.2000", "0.9000"]]

    @pytest.mark.parametrize(("k", "wide"), [(20, False), (19, True)])
    def test_a_twentieth_of_a_mean_may_hang_on_them_without_a_table(self, k, wide):
        run = frame([("q", f"d{n}", -n) for n in range(k)], "score")
        qrels = run[1:].drop(columns="score").assign(relevance=1)
        qrels = pd.concat([qrels, frame([("q", "y", 0)], "relevance")])
        found = report_on(run, qrels=qrels, measures=f"P@{k}")
        assert bool(rows_of(found, "unjudged")) == wide
        assert ("If all retrieved items that nobody judged" in found.text("unjudged")) != wide

    def test_a_range_that_takes_long_is_said_to_be_left_out(self, half, monkeypatch):
        run, other, qrels = half
        monkeypatch.setattr("byhand.reports.results._MOST_ROWS", len(run))
        found = report_on(run, other, qrels=qrels, measures="P@10")
        assert "With 160 rows, the range is left out: it takes long." in found.text("unjudged")

    def test_shows_nothing_where_all_are_judged(self):
        run, _ = ranked(1, 2)
        every = run.assign(relevance=0).drop(columns="score")
        every.loc[every["doc_id"] == "D", "relevance"] = 1
        assert html_of(report_on(run, qrels=every, measures="RR@5"), "unjudged") == ""

    def test_of_relevant_items_only_nobody_knows_what_was_judged(self):
        found = report_at([1, 1, 1, 1, 2] * 6, [9, 8] * 15, measures=["P@1", "RR"])
        assert "The qrels hold relevant items only." in found.text("unjudged")
        assert "So a is higher." in said(found)
        assert "judge" not in said(found)


class TestMethods:
    def test_names_files_counts_and_seeds(self, sample):
        text = methods(sample)
        for part in (
            "64-bit", "sample-new.txt.gz", "sample-qrels.csv", "as trec_eval -c computes them",
            "3 are missing", "5 have no relevant", "One system is called higher if",
            "(100,000 random sign assignments, seed 0), corrected by Holm",
            "over the 3 measures. The effect size is",
        ):  # fmt: skip
            assert part in text
        assert "exact" not in text.partition("randomisation test")[2]

    def test_few_queries_are_not_said_to_be_drawn(self):
        text = methods(report_at([1, 2, 3, 1, 4], [2, 3, 1, 4, 1]))
        assert "mean difference (all sign assignments, so p is exact). The effect" in text
        for wrong in ("random sign", "Holm", "1 measures"):
            assert wrong not in text

    def test_measures_can_differ_in_how_they_were_tested(self):
        # 17 queries differ in RR, but only one of them in whether the first item is relevant
        found = report_at([1, *[2] * 16], [2, *[3] * 16], measures=["RR", "P@1"])
        assert (
            "(for P@1 all sign assignments, so p is exact; for RR 100,000 random sign assignments, "
            "seed 0), corrected by Holm's procedure over the 2 measures" in methods(found)
        )

    def test_one_query_has_no_intervals(self):
        text = methods(report_at([1], [2]))
        assert "Student" not in text
        assert "Where fewer than two queries have a value, there is no interval." in text
        assert "effect size" not in text

    def test_intervals_where_only_one_system_has_them(self):
        text = methods(report_at([1, 2], [2], conventions=Conventions(missing="skip")))
        assert "Student's t intervals, 95%" in text
        assert "Where fewer than two queries have a value, there is no interval." in text

    def test_judged_run(self):
        table = frame([("1", "a", 0.5, 1), ("1", "b", 0.7, 0)], "score", "relevance")
        exponential = Conventions(gain="exponential")
        text = methods(report_on(table, measures="nDCG", conventions=exponential))
        assert "holds the relevance as well: 2 judgements, 1 of them" in text
        assert "with our own conventions" in text
        assert "2^grade - 1" in text

    def test_only_the_conventions_that_concern_the_measures_are_said(self):
        run, qrels = ranked(1, 2)
        text = methods(report_on(run, qrels=qrels, measures=["RR", "P@5"]))
        assert "equal scores" in text
        for other in ("AP divides", "ideal order", "the gain"):
            assert other not in text
        of_ndcg = methods(report_on(run, qrels=qrels, measures="nDCG"))
        assert "the gain of an item is its grade" in of_ndcg

    def test_measures_that_differ_in_what_is_relevant_are_counted_apart(self):
        run, qrels = ranked(1, 1)
        skip = Conventions(no_relevant="skip")
        found = report_on(
            run,
            qrels=qrels.assign(relevance=[1, 2]),
            measures=["RR", "RR(rel=2)"],
            conventions=skip,
        )
        assert "are over 2 (RR) and 1 (RR(rel=2)) of 2 judged queries" in methods(found)


def test_ranks_in_place_of_scores_are_said_to_be(tmp_path):
    run, qrels = ranked(1, 2)
    by_rank = run.assign(rank=-run["score"]).drop(columns="score")
    files = write(tmp_path / "run.csv", by_rank), write(tmp_path / "qrels.csv", qrels)
    assert "The run of run is run.csv, 18 rows (ranks in place of scores)." in methods(
        report(*files, measures="RR")
    )
