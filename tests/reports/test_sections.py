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
    read_qrels,
    read_run,
    report,
)


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

    def test_the_first_systems_have_the_colours_that_differ_most(self):
        html = html_of(report_at([1], [2], [3]), "distributions")
        assert re.findall(r'class="line" [^>]*style="color:var\(--c(\d)\)"', html) == [
            "2",
            "4",
            "1",
        ]

    def test_a_measure_without_a_value_has_no_curve(self):
        run, qrels = frame([("1", "a", 2.0), ("1", "b", 1.0)], "score"), {"1": {"a": 1, "b": 0}}
        skip = Conventions(no_relevant="skip")
        found = report_on(run, qrels=qrels, measures=["RR(rel=2)", "P@1"], conventions=skip)
        assert html_of(found, "cutoffs") == ""
        assert "No query of a has a value." in found.text()


class TestTies:
    @pytest.mark.parametrize(("n_above", "shows"), [(139, True), (140, False)])
    def test_orders_are_tried_where_four_digits_may_show_them(self, n_above, shows):
        # 1/140 - 1/141 is 0.000051, 1/141 - 1/142 is 0.000049
        run = frame([("q", f"d{n}", -min(n, n_above)) for n in range(n_above + 2)], "score")
        qrels = frame([("q", f"d{n_above}", 1)], "relevance")
        found = report_on(run, qrels=qrels, measures="RR")
        assert bool(html_of(found, "ties")) == shows


class TestUnjudged:
    def test_the_means_if_none_and_if_all_are_relevant(self):
        run, qrels = ranked(2, 2, 3)
        judged = pd.concat([qrels, frame([("q0", "x1", 0)], "relevance")])
        found = report_on(run, qrels=judged, measures="P@2")
        (row,) = rows_of(found, "unjudged")
        assert row == ["P@2", "a", "0.3333", "0.8333"]
        assert "These two are no bounds" in html_of(found, "unjudged")
