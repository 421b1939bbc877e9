"""The sections of a report: what they show is what `evaluate` and the other functions say."""

import re

import pandas as pd
import pytest
from small_runs import (
    NEW,
    OLD,
    QRELS,
    frame,
    html_of,
    ranked,
    report_at,
    report_on,
    rows_of,
)  # fmt: skip

from byhand import (
    Conventions,
    DataError,
    evaluate,
    read_qrels,
    read_run,
    report,
    unjudged_range,
)
from byhand.reports.pool import Pool


class TestRead:
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
        with pytest.raises(DataError) as found:
            report_on(run, run.assign(score=2.0), qrels=qrels)
        said = str(found.value)
        assert said.startswith("a and b: No item is relevant: all grades are 0 or below (0)")
        assert said.count("No item is relevant") == 1


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

    def test_a_curve_over_cutoffs_stands_where_its_ticks_say(self):
        found = report_at([1, 1, 2, 4])
        html = html_of(found, "cutoffs")
        ticks = re.findall(r'<text x="-8" y="([\d.]+)%" dy="4" class="e">([\d.]+)<', html)
        (low, bottom), *_, (high, top) = sorted((float(text), float(y)) for y, text in ticks)
        points = re.search(r'points="([^"]*)"', html)[1].split()
        heights = [float(point.partition(",")[2]) for point in points]
        values = [low + (y - bottom) * (high - low) / (top - bottom) for y in heights]
        assert values == pytest.approx(found.results.cutoffs["a"].mean().tolist(), abs=0.005)

    def test_the_ends_of_two_equal_curves_are_apart_and_their_names_whole(self):
        run, qrels = ranked(1, 2)
        names = ["a-long-name-bm25", "a-long-name-tfidf"]
        html = html_of(report(dict.fromkeys(names, run), qrels, measures="RR"), "cutoffs")
        first, second = (float(y) for y in re.findall(r'<svg x="100%" y="([\d.]+)%"', html))
        assert second - first == pytest.approx(12)
        assert 0 <= first < second <= 100
        assert all(f"<bdi>{name}</bdi>" in html.partition("<details")[0] for name in names)

    def test_the_first_systems_have_the_colours_that_differ_most(self):
        html = html_of(report_at([1], [2], [3]), "distributions")
        assert re.findall(r'class="line c(\d)"', html) == ["2", "4", "1"]

    def test_a_measure_with_options(self):
        run, qrels = frame([("1", "a", 1.0)], "score"), frame([("1", "a", 2)], "relevance")
        found = report_on(run, qrels=qrels, measures="AP(rel=2)@3")
        assert 'aria-label="Mean AP(rel=2) by cutoff"' in html_of(found, "cutoffs")

    def test_a_measure_without_a_value_has_no_curve(self, tmp_path):
        run, qrels = frame([("1", "a", 2.0), ("1", "b", 1.0)], "score"), {"1": {"a": 1, "b": 0}}
        skip = Conventions(no_relevant="skip")
        found = report_on(run, qrels=qrels, measures=["RR(rel=2)", "P@1"], conventions=skip)
        assert found.text("cutoffs") == ""
        assert "No query of a has a value." in found.text()
        found.save(figures=tmp_path)
        assert not [*tmp_path.glob("cutoffs*")]


class TestTies:
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
        kinds = ("none", "all")
        assert rows[1] == ["P@10", "b", *(f"{ends[f'P@10 {kind}']:.4f}" for kind in kinds)]
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
        assert (
            "If all of the retrieved items that nobody judged" in found.text("unjudged")
        ) != wide

    def test_a_range_that_takes_long_is_left_out(self, half):
        run, other, qrels = half
        found = report_on(run, other, qrels=qrels, measures="P@10")
        few, enough = (
            Pool(found.results, found.others, most_rows=len(run) + len(other) - n) for n in (1, 0)
        )
        assert few.means is None
        assert enough.means == found.pool.means

    def test_shows_nothing_where_all_are_judged(self):
        run, _ = ranked(1, 2)
        every = run.assign(relevance=0).drop(columns="score")
        every.loc[every["doc_id"] == "D", "relevance"] = 1
        assert html_of(report_on(run, qrels=every, measures="RR@5"), "unjudged") == ""
