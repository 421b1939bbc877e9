"""Lesson 10's steps: what they show is what `evaluate` and the other functions say."""

import io
import json
import re
from contextlib import redirect_stdout
from dataclasses import replace
from html import unescape
from pathlib import Path
from unittest.mock import patch

import nbformat
import numpy as np
import pandas as pd
import pytest
from IPython.utils.capture import capture_output
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from small_runs import DATA, NEW, OLD, QRELS, frame, ranked, shown, write

import byhand.report.steps.picker
from byhand import Conventions, DataError, chance_levels, evaluate, reciprocal_rank
from byhand.files.read import read_qrels, read_run
from byhand.report.running import LESSON
from byhand.report.steps import (
    read_own_data,
    results_of,
    show_best,
    show_comparison,
    show_curve,
    show_distributions,
    show_means,
    show_methods,
    show_preflight,
    show_summary,
    show_worst,
    write_per_query,
)
from byhand.report.steps.dragged import explorer_of
from byhand.report.steps.methods import methods
from byhand.report.steps.picker import FilePicker
from byhand.report.steps.ranking import in_order, ranked_lists
from byhand.reports.request import system_names
from byhand.widgets import Explorer

NASTY = ["<script>alert(1)</script>", "**bold**", "$x$", "&amp;", "`code`", "_a_", "한국어"]


@pytest.fixture
def results(tmp_path):
    """Results of small files: call it with frames."""

    def make(run, qrels=None, measures=("AP", "RR"), against=None, **options):
        tables = {"run": run, "qrels": qrels, "against": against}
        files = [
            None if table is None else write(tmp_path / f"{name}.csv", table)
            for name, table in tables.items()
        ]
        with capture_output():
            data = read_own_data(*files)
        return results_of(data, measures, **options)

    return make


class TestFiles:
    def test_says_what_was_read(self):
        texts, html, _ = shown(read_own_data, NEW, QRELS, OLD)
        assert "run of sample-new" in texts
        assert "4,307" in texts
        assert str(DATA) not in texts + html

    @pytest.mark.parametrize(
        ("paths", "names"),
        [
            (["x/bm25.txt.gz"], ["bm25"]),
            (["run.csv", "run.parquet"], ["run.csv", "run.parquet"]),
            (["a/b/run.csv", "a/c/run.csv"], ["b/run", "c/run"]),
            (["v1.5.run", "v1.6.run"], ["v1.5", "v1.6"]),
            ([".csv"], [".csv"]),
            (["run.txt.gz", "b/run.txt.gz"], ["run", "b/run"]),
            (["/a/proj/run.txt.gz", "/a/proj/b/run.txt.gz"], ["run", "b/run"]),
            (["../run.csv", "run.csv"], ["../run", "run"]),
            (["/a/b/run.csv", "c/run.csv"], ["b/run", "c/run"]),
        ],
    )
    def test_names_of_systems(self, paths, names):
        assert system_names(paths) == names

    def test_names_of_ones_own(self):
        with capture_output():
            data = read_own_data(NEW, QRELS, OLD, names=["after", "before"])
        assert data.systems == ["after", "before"]

    @pytest.mark.parametrize("names", [["one"], "ab"])
    def test_names_that_do_not_tell_systems_apart(self, names):
        with pytest.raises(DataError, match="Expected a list of two different names, or None"):
            read_own_data(NEW, QRELS, OLD, names=names)

    def test_a_name_for_two_systems(self):
        with pytest.raises(DataError, match="Two systems are called 'same'"):
            read_own_data(NEW, QRELS, OLD, names=["same", "same"])

    def test_no_comparison_with_itself(self):
        with pytest.raises(DataError, match="compared with itself"):
            read_own_data(NEW, QRELS, DATA / ".." / "data" / NEW.name)
        with pytest.raises(DataError, match="compared with itself"):
            read_own_data(NEW, QRELS, NEW)

    def test_columns_of_ones_own(self, tmp_path):
        run = write(tmp_path / "run.csv", pd.DataFrame({"q": ["1"], "edge": ["a"], "s": [1.0]}))
        ours = {"q": "query_id", "edge": "doc_id", "s": "score"}
        qrels = write(tmp_path / "qrels.csv", frame([("1", "a", 1)], "relevance"))
        with capture_output():
            data = read_own_data(run, qrels, run_columns=ours)
        assert data.runs["run"].iloc[0].tolist() == ["1", "a", 1.0]

    def test_problems_stop_after_they_are_shown(self, tmp_path):
        run = write(tmp_path / "run.csv", frame([("1", "a", 1.0)], "score"))
        qrels = write(tmp_path / "qrels.csv", frame([("1", "a", 0)], "relevance"))
        with capture_output() as captured, pytest.raises(DataError, match=r"run\.csv: No item is"):
            show_preflight(read_own_data(run, qrels))
        assert "Problem" in captured.outputs[-1].data["text/html"]


class TestResults:
    def test_means_are_those_of_evaluate(self, sample):
        texts, _, _ = shown(show_means, sample)
        table = chance_levels(read_run(NEW), read_qrels(QRELS), ["AP"])
        (row,) = [
            line.split() for line in texts.splitlines() if line.startswith("AP  ") and "new" in line
        ]
        assert row[2] == f"{table['AP'].mean():.4f}"
        assert row[5:7] == [f"{table['AP'].median():.4f}", f"{table['AP chance'].mean():.4f}"]
        assert float(row[3]) < float(row[2]) < float(row[4])
        assert row[-1] == "200"

    def test_summary_says_both(self, sample):
        texts, _, _ = shown(show_summary, sample)
        assert "Over 200 queries, sample-new gets a mean nDCG@10 of 0.340" in texts
        assert "0.051 above that of sample-old" in texts
        assert "after Holm's correction): sample-new is higher." in texts

    def test_a_figure_a_measure_and_a_curve(self, sample):
        assert shown(show_distributions, sample)[2] == 3
        texts, _, pictures = shown(show_curve, sample)
        assert pictures == 1
        assert "Mean nDCG by cutoff k" in texts
        assert "100:" in texts

    def test_curve_of_a_measure_with_options(self, results):
        found = results(
            frame([("1", "a", 1.0)], "score"), frame([("1", "a", 2)], "relevance"), ["AP(rel=2)@3"]
        )
        assert "Mean AP(rel=2) by cutoff" in shown(show_curve, found)[0]

    def test_per_query_file(self, sample, tmp_path):
        write_per_query(sample, tmp_path / "values.csv")
        table = pd.read_csv(tmp_path / "values.csv")
        assert table.columns[:2].tolist() == ["query_id", "system"]
        assert len(table) == 400
        unanswered = table.loc[~table["answered"], ["query_id", "system"]]
        assert unanswered["query_id"].tolist() == ["q012", "q077", "q158"]
        assert set(unanswered["system"]) == {"sample-new"}
        assert not [column for column in table if "lift" in column]
        assert table.groupby("system")["AP"].mean()["sample-new"] == pytest.approx(
            sample.first["AP"].mean(), abs=1e-12
        )
        write_per_query(sample, None)

    def test_an_interval_that_may_be_too_narrow_is_said_to_be(self, results, sample):
        run, qrels = ranked(1, 2, 3)
        found = results(run, qrels, ["RR", "AP"], against=ranked(2, 3, 1)[0])
        few = "With 3 values, the interval may hold the true mean less often than it says."
        assert shown(show_means, found)[0].endswith(
            f"\nRR of run, RR of against, AP of run and AP of against: {few}"
        )
        assert f"RR and AP: {few}" in shown(show_comparison, found)[0]
        assert "less often" not in shown(show_means, sample)[0] + shown(show_comparison, sample)[0]

    def test_no_measures(self, sample):
        with pytest.raises(ValueError, match="measures is empty"):
            results_of(sample.data, [])

    def test_every_query_left_out(self, results):
        run, qrels = frame([("1", "a", 1.0)], "score"), frame([("1", "b", 0)], "relevance")
        found = results(run, qrels, conventions=Conventions(no_relevant="skip"))
        assert "no mean" in shown(show_summary, found)[0]
        assert "–" in shown(show_means, found)[0]
        assert shown(show_distributions, found)[2] == 0


class TestQueries:
    def test_worst_and_best_have_something_to_find(self, sample):
        worst, best = shown(show_worst, sample)[0], shown(show_best, sample)[0]
        assert worst.startswith("q068: nDCG@10 0.0000")
        assert worst.endswith("Not answered, so without a list: q012, q077, q158.")
        assert best.startswith("q192: nDCG@10 1.0000")
        assert "q031" not in worst  # nothing relevant

    def test_of_equal_values_those_that_miss_most_come_first(self, results):
        rows = [(f"q{n}", "x", 1.0) for n in range(8)]
        relevant = [(f"q{n}", f"d{m}", 1) for n in range(8) for m in range(1 + n % 4)]
        found = results(frame(rows, "score"), frame(relevant, "relevance"), ["RR", "AP"])
        worst = [line.partition(":")[0] for line in shown(show_worst, found)[0].splitlines()]
        assert worst == ["q3", "q7", "q2", "q6"]  # 4, 4, 3 and 3 relevant items

    @pytest.mark.parametrize(
        ("n_queries", "n_worst", "n_best"),
        [(3, 1, 2), (9, 4, 5), (10, 5, 5), (11, 5, 5)],
    )
    def test_no_query_is_both_among_the_worst_and_the_best(
        self, results, n_queries, n_worst, n_best
    ):
        names = [f"q{n:02d}" for n in range(n_queries)]
        # the item of query n stands at rank n + 1
        rows = [(q, f"d{m:02d}", -m) for n, q in enumerate(names) for m in range(n + 1)]
        relevant = [(q, f"d{n:02d}", 1) for n, q in enumerate(names)]
        found = results(frame(rows, "score"), frame(relevant, "relevance"), ["RR"])
        worst, best = (
            [line.partition(":")[0] for line in shown(show, found)[0].splitlines()]
            for show in (show_worst, show_best)
        )
        assert worst == names[::-1][:n_worst]
        assert best == names[:n_best]

    @pytest.mark.parametrize("dtype", ["uint64", "int64"])
    def test_whole_scores_are_shown_in_their_order(self, dtype):
        ends = np.iinfo(dtype)
        run = pd.DataFrame({"query_id": "q", "doc_id": list("abc")})
        run["score"] = np.array([ends.min, ends.max, ends.max - 1], dtype=dtype)
        assert in_order(run, {"a": 1}, Conventions())["doc_id"].tolist() == ["b", "c", "a"]

    def test_long_whole_scores_are_shown_in_full(self, results):
        run = frame([("q", "a", 2**62), ("q", "b", 2**62 + 1)], "score")
        found = results(run, frame([("q", "b", 1)], "relevance"), ["RR"])
        html = shown(show_best, found)[1]
        assert "q: RR 1.0000" in shown(show_best, found)[0]
        assert html.index("4611686018427387905") < html.index("4611686018427387904")

    @pytest.mark.parametrize(("n_gone", "end"), [(20, "q20."), (21, "q20 and 1 more.")])
    def test_twenty_queries_without_an_answer_are_named(self, results, n_gone, end):
        qrels = frame([(f"q{n}", "a", 1) for n in range(n_gone + 1)], "relevance")
        found = results(frame([("q0", "a", 1.0)], "score"), qrels)
        said = shown(show_worst, found)[0]
        assert said.endswith(
            f"Not answered, so without a list: {', '.join(qrels['query_id'][1:20])}, {end}"
        )

    @pytest.mark.parametrize(("n_hits", "end"), [(12, "12."), (13, "12 and more.")])
    def test_the_ranks_of_twelve_hits_are_named(self, results, n_hits, end):
        items = [("q", f"d{n:02d}", -n) for n in range(n_hits)]
        qrels = frame([("q", doc, 1) for _, doc, _ in items], "relevance")
        said = shown(show_best, results(frame(items, "score"), qrels))[0]
        assert said.endswith(f"at rank 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, {end}")

    def test_twenty_ranks_of_each(self, sample):
        html = shown(show_worst, sample)[1]
        assert html.count("<details") == 5
        assert html.count("<tr>") == 5 * 21

    def test_one_query_is_the_best(self, results):
        found = results(frame([("1", "a", 1.0)], "score"), frame([("1", "a", 1)], "relevance"))
        assert "Only one query" in shown(show_worst, found)[0]
        assert "1: AP 1.0000" in shown(show_best, found)[0]

    @pytest.mark.parametrize("ties", ["doc_id", "doc_id_ascending", "input", "best", "worst"])
    def test_lists_stand_in_the_order_that_was_evaluated(self, ties):
        rng = np.random.default_rng(3)
        conventions = Conventions(ties=ties)
        for _ in range(50):
            docs = [f"d{n}" for n in rng.permutation(12)]
            run = pd.DataFrame({"query_id": "q", "doc_id": docs, "score": rng.integers(0, 3, 12)})
            grade = {f"d{n}": int(g) for n, g in enumerate(rng.integers(-1, 3, 12)) if g > 0} or {
                "d0": 1
            }
            qrels = pd.DataFrame(
                {"query_id": "q", "doc_id": list(grade), "relevance": list(grade.values())}
            )
            ranked = in_order(run, grade, conventions)["doc_id"].tolist()
            value = evaluate(run, qrels, ["RR", "nDCG"], conventions=conventions).iloc[0]
            assert reciprocal_rank(ranked, grade) == value["RR"]
            assert evaluate(
                run.assign(score=-run["doc_id"].map(ranked.index)), qrels, ["nDCG"]
            ).iloc[0]["nDCG"] == pytest.approx(value["nDCG"], abs=1e-12)

    @pytest.mark.parametrize(
        ("measure", "conventions", "column"),
        [
            ("nDCG@10", "trec_eval", True),
            ("AP", "pytrec_eval", True),
            ("AP", "recommenders", True),
            ("nDCG", Conventions(gain="exponential"), True),
            ("nDCG", Conventions(ties="expected"), False),
            ("RR", Conventions(unjudged="removed"), True),
            ("P@5", "trec_eval", True),
        ],
    )
    def test_shares_only_where_they_add_up(self, results, measure, conventions, column):
        run, qrels = frame([("1", "a", 1.0)], "score"), frame([("1", "a", 1)], "relevance")
        html = shown(show_best, results(run, qrels, [measure], conventions=conventions))[1]
        assert ("adds to" in html) == column

    def test_names_are_text(self, results):
        run = frame([(query, item, n) for query in NASTY for n, item in enumerate(NASTY)], "score")
        qrels = frame([(query, NASTY[0], 1) for query in NASTY], "relevance")
        found = results(run, qrels)
        html = shown(show_worst, found)[1] + shown(show_best, found)[1]
        assert "<script" not in html
        assert "<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>" in html
        assert "<bdi>&amp;amp;</bdi>" in html
        assert html.count("mathjax_ignore") == 2  # "$x$" is no formula in a notebook


def tied_run(n_queries=4, n_items=50):
    """Long graded lists full of ties, some of whose items nobody judged and some missing."""
    rng = np.random.default_rng(11)
    run, qrels = [], []
    for query in (f"q{n}" for n in range(n_queries)):
        docs = [f"d{n}" for n in rng.permutation(n_items)]
        run += [
            (query, doc, score)
            for doc, score in zip(docs, rng.integers(0, 9, n_items), strict=True)
        ]
        judged = [*docs[::4], "missed 1", "missed 2"]
        qrels += [
            (query, doc, grade)
            for doc, grade in zip(judged, rng.integers(-1, 4, len(judged)), strict=True)
        ]
    return frame(run, "score"), frame(qrels, "relevance")


def dragged(found, query):
    """The list to drag of a query, or why there is none."""
    (system,) = found.tables
    with patch("byhand.report.steps.dragged.explorer_state", Explorer):
        return explorer_of(found, system, query, ranked_lists(found, system, [query])[query], {})


def states(html):
    """The states of the widgets in some HTML."""
    return [json.loads(unescape(each)) for each in re.findall(r"data-live='([^']*)'", html)]


class TestDragged:
    @pytest.mark.parametrize(
        "conventions",
        [
            *("trec_eval -c", "trec_eval -c -l", "trec_eval -J"),
            *("ir_measures", "ranx", "recommenders"),
            Conventions(gain="exponential", ideal="retrieved", denominator="retrieved"),
            Conventions(unjudged="removed", ties="worst"),
            Conventions(denominator="capped", gain="binary", ties="best"),
        ],
        ids=str,
    )
    @pytest.mark.parametrize("relevant_from", [None, 2])
    def test_values_are_those_of_the_report(self, results, conventions, relevant_from):
        measures = ["nDCG@10", "AP", "AP@5", "RR", "P@5", "R@30", "AP(rel=2)", "Success@1"]
        found = results(*tied_run(), measures, conventions=conventions)
        data = replace(found.data, relevant_from=relevant_from)
        found = results_of(data, measures, conventions=conventions)
        for query, stated in found.first.iterrows():
            explorer = dragged(found, query)
            assert {"nDCG@10", "AP(rel=2)"} <= set(explorer.values)
            # where nDCG keeps its low grades, they stand in the list, and to AP they are no hits
            assert "AP" in explorer.values or (conventions, relevant_from) == ("trec_eval -c -l", 2)
            for name, value in explorer.values.items():
                assert value == pytest.approx(stated[name], abs=1e-12), name
            assert sum(explorer.ranks.start.spans.values()) > 10 or conventions != "trec_eval -c"

    def test_a_measure_that_orders_ties_otherwise_is_left_out(self, results):
        # by descending identifier b comes first, by ascending a
        run, qrels = (
            frame([("1", x, 1.0) for x in "ab"], "score"),
            frame([("1", "a", 1)], "relevance"),
        )
        found = results(run, qrels, ["nDCG", "RR@5", "RR"], conventions="ir_measures")
        assert dragged(found, "1").values == {"nDCG": pytest.approx(1 / np.log2(3)), "RR": 0.5}

    @pytest.mark.parametrize(
        ("rows", "grades", "measures", "conventions", "why"),
        [
            ("ab", {"a": 1}, ["RR"], "sklearn", "its equal scores leave more than one order"),
            ("abc", {"a": 1, "b": 1}, ["R@2"], "sklearn", "its equal scores"),
            ("ab", {"a": 0.5}, ["RR"], "trec_eval", "its grades are not whole numbers up to 9"),
            ("ab", {"a": 10}, ["RR"], "trec_eval", "its grades are not whole numbers up to 9"),
            ("ab", {"a": 1}, ["Judged@2", "RR"], "trec_eval", "a browser cannot compute Judged@2"),
            (
                [f"d{n}" for n in range(200)],
                {f"d{n}": 1 for n in range(0, 200, 2)},
                ["RR"],
                "trec_eval",
                "it takes 200 rows, and 60 is the most",
            ),
            (
                "ab",
                {"a": 1, **{f"d{n}": 1 for n in range(80)}},
                ["RR"],
                "trec_eval",
                "it takes 81 rows, and 60 is the most",
            ),
        ],
    )
    def test_a_list_that_stands_still_says_why(
        self, results, rows, grades, measures, conventions, why
    ):
        tied = conventions == "sklearn"
        run = frame([("1", item, 0 if tied else -n) for n, item in enumerate(rows)], "score")
        qrels = frame([("1", *each) for each in grades.items()], "relevance")
        found = results(run, qrels, measures, conventions=conventions)
        assert why in dragged(found, "1")
        html = shown(show_best, found)[1]
        assert f"stands still: {why}" in html
        assert states(html) == []
        assert html.count("<table") == 1

    def test_ties_without_a_hit_leave_a_list_movable(self, results):
        run = frame([("1", "a", 2), ("1", "b", 1), ("1", "c", 1)], "score")
        found = results(run, frame([("1", "a", 1)], "relevance"), ["AP"], conventions="sklearn")
        assert dragged(found, "1").values == {"AP": 1.0}

    def test_the_table_is_there_as_well(self, sample):
        for step in (show_worst, show_best):
            html = shown(step, sample)[1]
            assert len(states(html)) == 5
            assert html.count("<table") == 5

    def test_a_run_of_items_is_one_row(self, sample):
        first = states(shown(show_worst, sample)[1])[0]["fixed"]["ranks"]["fixed"]
        labels = [each["label"] for each in first["items"]]
        assert labels[20:22] == ["5 items, none relevant", "d1735"]
        assert (first["grading"], first["docking"]) == (False, False)
        assert (
            sum(first["spans"].values()) + len(first["start"]["order"]) - len(first["spans"]) == 100
        )


class TestComparison:
    def test_one_system_shows_nothing(self, results):
        run, qrels = frame([("1", "a", 1.0)], "score"), frame([("1", "a", 1)], "relevance")
        assert shown(show_comparison, results(run, qrels)) == ("", "", 0)

    def test_two(self, sample):
        texts, _, pictures = shown(show_comparison, sample)
        assert "+0.0510" in texts
        assert "nDCG@10 and AP: sample-new is higher. RR: cannot tell." in texts
        assert pictures == 1

    def test_a_p_shows_no_more_than_its_draws_and_its_floor_as_a_bound(self, results):
        run, qrels = ranked(*[1] * 30)
        found = results(run, qrels, ["RR", "P@1"], against=ranked(*[2] * 30)[0])
        line = shown(show_comparison, found)[0].splitlines()[1]
        # the observed signs and none of 100,000 others: at most 1 in 100,001, twice that by Holm
        assert "≤ 0.00001  ≤ 0.00002    30 " in line

    @pytest.mark.parametrize("name", ["$x$", r"$\frac$", "_private", "<b>"])
    def test_names_of_systems_are_no_formulas(self, tmp_path, name):
        run = frame([("1", "a", 1.0), ("2", "b", 1.0)], "score")
        qrels = write(tmp_path / "qrels.csv", frame([("1", "a", 1), ("2", "a", 1)], "relevance"))
        with capture_output():
            files = write(tmp_path / f"{name}.csv", run), qrels, write(tmp_path / "b.csv", run)
            data = read_own_data(*files)
        found = results_of(data, ["RR"])
        assert name in shown(show_distributions, found)[0]
        assert name in shown(show_curve, found)[0]
        assert shown(show_comparison, found)[2] == 1


class TestMethods:
    def test_names_files_counts_and_seeds(self, sample):
        text = shown(show_methods, sample)[0]
        for part in (
            "sample-new.txt.gz",
            "sample-qrels.csv",
            "as trec_eval -c computes them",
            "seed 0",
            "3 are missing",
            "5 have no relevant",
            "Holm",
        ):
            assert part in text

    def test_random_signs_are_said_to_be_random(self, sample):
        text = " ".join(methods(sample))
        assert "(100,000 random sign assignments, seed 0), corrected by Holm" in text
        assert "over the 3 measures; the effect size is" in text
        assert "exact" not in text.partition("randomisation test")[2]

    def test_few_queries_are_not_said_to_be_drawn(self, results):
        run, qrels = ranked(1, 2, 3, 1, 4)
        found = results(run, qrels, ["RR"], against=ranked(2, 3, 1, 4, 1)[0])
        text = " ".join(methods(found))
        assert "mean difference (all sign assignments, so p is exact); the effect" in text
        for wrong in ("random sign", "Holm", "1 measures"):
            assert wrong not in text

    def test_measures_can_differ_in_how_they_were_tested(self, results):
        # 17 queries differ in RR, but only one of them in whether the first item is relevant
        run, qrels = ranked(1, *[2] * 16)
        found = results(run, qrels, ["RR", "P@1"], against=ranked(2, *[3] * 16)[0])
        assert (
            "(for P@1 all sign assignments, so p is exact; for RR 100,000 random sign assignments, "
            "seed 0), corrected by Holm's procedure over the 2 measures" in " ".join(methods(found))
        )

    def test_one_query_has_no_intervals(self, results):
        run, qrels = ranked(1)
        text = " ".join(methods(results(run, qrels, ["RR"], against=ranked(2)[0])))
        assert "Student" not in text
        assert "Where fewer than two queries have a value, there is no interval." in text
        assert "effect size" not in text

    def test_intervals_where_only_one_system_has_them(self, results):
        (run, qrels), (other, _) = ranked(1, 2), ranked(2)  # of the two queries, other has one
        skip = Conventions(missing="skip")
        text = " ".join(methods(results(run, qrels, ["RR"], against=other, conventions=skip)))
        assert "Student's t intervals, 95%" in text
        assert "Where fewer than two queries have a value, there is no interval." in text

    def test_judged_run(self, results):
        table = frame([("1", "a", 0.5, 1), ("1", "b", 0.7, 0)], "score", "relevance")
        exponential = Conventions(gain="exponential")
        found = results(table, measures=["nDCG"], conventions=exponential)
        text = " ".join(methods(found))
        assert "holds the relevance as well: 2 judgements, 1 of them" in text
        assert "with our own conventions" in text
        assert "2^grade - 1" in text


class TestPicker:
    def test_keeps_what_it_was_given(self, tmp_path):
        picker = FilePicker(run=tmp_path / "none.csv", qrels=QRELS)
        assert picker.files == {
            "run": str(tmp_path / "none.csv"),
            "qrels": str(QRELS),
            "against": None,
        }

    def test_walks_from_folder_to_folder(self, tmp_path):
        inner = tmp_path / "inner"
        inner.mkdir()
        for path in (tmp_path / "a.csv", inner / "b.csv", inner / ".hidden"):
            path.write_text("qid,docno,score\nq,a,1\n")
        picker = FilePicker(run=tmp_path / "a.csv")
        folders, runs = picker._folders, picker._lists["run"]
        folders.value = str(inner)
        assert [name for name, _ in runs.options] == ["a.csv", "b.csv"]
        runs.value = (str(inner / "b.csv"),)
        assert picker.files["run"] == str(inner / "b.csv")
        folders.value = dict(folders.options)["one up"]
        assert "a.csv" in dict(runs.options)
        assert picker.files["run"] == str(inner / "b.csv")

    def test_offers_what_can_be_read_and_names_the_rest(self, tmp_path):
        (tmp_path / "run.csv").write_text("qid,docno,score\nq,a,1\n")
        (tmp_path / "judged.csv").write_text("qid,docno,score,label\nq,a,1,1\n")
        (tmp_path / "qrels.json").write_text('{"q": {"a": 1}}')
        (tmp_path / "own.csv").write_text("Edge,Score,ok\na,0.5,1\n")
        (tmp_path / "README.md").write_text("# Data, and where it comes from\n")
        (tmp_path / "table<1>.xlsx").write_bytes(b"PK\x03\x04")
        picker = FilePicker(run=tmp_path / "run.csv")

        def offered(role):
            return [name for name, _ in picker._lists[role].options]

        assert offered("run") == ["run.csv", "judged.csv", "qrels.json"]
        assert offered("qrels") == ["(none)", "judged.csv", "qrels.json"]
        assert offered("against") == ["(none)", "judged.csv", "qrels.json", "run.csv"]
        said = picker._left_out.value
        assert (
            "<code>README.md</code>, <code>own.csv</code>, <code>table&lt;1&gt;.xlsx</code>" in said
        )
        named = FilePicker(
            run=tmp_path / "run.csv", run_columns={"Edge": "doc_id", "ok": "relevance"}
        )
        assert [name for name, _ in named._lists["run"].options] == ["run.csv", "own.csv"]

    def test_a_choice_stays_until_other_files_are_named(self, tmp_path):
        for name in "ab":
            (tmp_path / f"{name}.csv").write_text("qid,docno,score\nq,a,1\n")
        first = FilePicker(run=NEW, qrels=QRELS, against=OLD)
        first._enter(tmp_path)
        first._lists["run"].value = (str(tmp_path / "b.csv"),)
        again = FilePicker(run=NEW, qrels=QRELS, against=OLD, before=first)
        assert (
            again.files
            == first.files
            == {
                "run": str(tmp_path / "b.csv"),
                "qrels": str(QRELS),
                "against": str(OLD),
            }
        )
        assert again._folder == tmp_path
        other = FilePicker(run=OLD, qrels=QRELS, before=again)
        assert other.files == {"run": str(OLD), "qrels": str(QRELS), "against": None}

    def test_says_how_far_it_looked_into_a_large_folder(self, tmp_path, monkeypatch):
        monkeypatch.setattr(byhand.report.steps.picker, "_MOST", 2)
        for name in "abc":
            (tmp_path / f"{name}.csv").write_text("qid,docno,score\nq,a,1\n")
        picker = FilePicker(run=tmp_path / "a.csv")
        assert [name for name, _ in picker._lists["run"].options] == ["a.csv", "b.csv"]
        assert "Only the first 2 files" in picker._left_out.value
        assert "c.csv" not in picker._left_out.value
        (tmp_path / "a.csv").write_text("nothing")
        assert "Only the first 2 files" in FilePicker(run=tmp_path / "b.csv")._left_out.value

    def test_several_others_stay_several(self):
        picker = FilePicker(run=NEW, qrels=QRELS, against=[OLD, QRELS])
        assert picker.files["against"] == [str(OLD), str(QRELS)]
        assert repr(picker).endswith("against 'sample-old.txt.gz', 'sample-qrels.csv')")

    def test_walks_up_from_a_relative_folder(self, tmp_path, monkeypatch):
        (tmp_path / "a" / "b").mkdir(parents=True)
        (tmp_path / "a" / "b" / "run.csv").write_text("x")
        monkeypatch.chdir(tmp_path / "a" / "b")
        picker = FilePicker(run="run.csv")
        for _ in range(2):
            picker._folders.value = dict(picker._folders.options)["one up"]
        assert picker._folder.resolve() == tmp_path.resolve()


def lesson_cell(name):
    (cell,) = (cell for cell in nbformat.read(LESSON, 4).cells if cell.id == name)
    return cell.source


def test_two_lines_of_pandas_do_what_the_lesson_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = read_run(NEW)
    twice = pd.concat([run.assign(score=run["score"] - 1), run])
    twice.to_csv("parts.csv", index=False)
    blocks = re.findall(r"```python\n(.+?)```", lesson_cell("10-pandas"), re.DOTALL)
    names = {"run": str(NEW), "qrels": str(QRELS), "measures": ["AP", "RR"]}
    found = []
    for block in blocks:
        *lines, last = block.strip().splitlines()
        exec("\n".join(lines), names)
        exec(f"shown = {last}" if last.startswith("evaluate") else last, names)
        found.append(names.pop("shown", None))
    whole = evaluate(run, read_qrels(QRELS), ["AP", "RR"])
    answered = whole[whole.index.isin(run["query_id"])]
    assert found[1].tolist() == answered.mean().tolist()
    worst_first = evaluate(run.assign(score=-run["score"]), read_qrels(QRELS), ["AP", "RR"])
    assert found[2].tolist() == worst_first.mean().tolist()
    again = evaluate(names["best"], read_qrels(QRELS), ["AP", "RR"])
    pd.testing.assert_frame_equal(again, whole)


WRONG = {
    "columns": (
        {"run": "run.csv"},
        "run.csv has no column 'score' (or 'rank'). Columns found: 'qid', 'docno', 'scre'. If "
        "'scre' is it, write run_columns = {'scre': 'score'} in the cell with the names of the "
        "files, and run all cells again.",
    ),
    "clicks": (
        {"run": str(NEW), "qrels": "clicks.csv"},
        "clicks.csv has no columns 'doc_id' and 'relevance'. Columns found: 'user', 'song', "
        "'time'. If every row is a hit, as in a log of clicks, say qrels_columns = {'relevance': "
        "1}. That is, write qrels_columns = {'song': 'doc_id', 'relevance': 1} in the cell with "
        "the names of the files, and run all cells again.",
    ),
    "a name that is not there": (
        {"run": "run.csv", "run_columns": {"score": "score"}},
        "run.csv has no column 'score', which run_columns names. Columns found: 'qid', 'docno', "
        "'scre'. Did you mean 'scre'?",
    ),
    "swapped": (
        {"run": str(QRELS), "qrels": str(NEW)},
        "sample-qrels.csv has no column 'score' (or 'rank'). Columns found: 'query_id', 'doc_id', "
        "'relevance'. It has 'relevance', as qrels do: such a file goes into qrels. If that column "
        "holds scores, write run_columns = {'relevance': 'score'} in the cell with the names of "
        "the files, and run all cells again.",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_an_error_names_the_variables_of_the_lesson(tmp_path, monkeypatch, case):
    monkeypatch.chdir(tmp_path)
    Path("run.csv").write_text("qid,docno,scre\nq,a,1\n")
    Path("clicks.csv").write_text("user,song,time\nu1,s1,17\n")
    options, message = WRONG[case]
    with pytest.raises(DataError) as caught:
        read_own_data(**{"qrels": QRELS} | options)
    assert str(caught.value).replace(f"{QRELS.parent}/", "") == message
    assert caught.value._render_traceback_() == [str(caught.value)]


def test_in_jupyter_a_choice_survives_run_all_cells_and_an_error_is_one_paragraph(tmp_path):
    (tmp_path / "mine.csv").write_text("qid,docno,score\nq,a,1\n")
    mine = str(tmp_path / "mine.csv")
    names = f"run, qrels, against = {str(NEW)!r}, {str(QRELS)!r}, None\n"
    names += "run_columns = qrels_columns = None"
    choosing = [names, lesson_cell("10-05"), lesson_cell("10-05b")]
    sources = [
        *choosing,
        f"picker._enter(type(picker._folder)({str(tmp_path)!r}))\n"
        f"picker._lists['run'].value = ({mine!r},)",
        *choosing,
        "print(run)",
        "from byhand.report.steps import read_own_data\nread_own_data('nowhere.csv', qrels)",
    ]
    notebook = new_notebook(cells=[new_code_cell(source) for source in sources])
    NotebookClient(notebook, allow_errors=True, timeout=60).execute()
    *_, printed, broken = (cell.outputs for cell in notebook.cells)
    assert printed[0].text == f"{mine}\n"
    assert broken[0].ename == "OwnDataError"
    assert broken[0].traceback == [broken[0].evalue]
    assert broken[0].evalue.startswith("There is no file nowhere.csv. ")


def test_a_measure_that_is_not_known_is_one_paragraph_too(sample):
    with pytest.raises(DataError, match="nDGC") as caught:
        results_of(sample.data, ["nDGC@10"])
    assert "\n" not in caught.value._render_traceback_()[0]


def test_the_sample_is_what_its_script_makes(tmp_path):
    import gzip
    import runpy

    script = Path(__file__).parents[1] / "tools" / "make_sample.py"
    with redirect_stdout(io.StringIO()):
        runpy.run_path(str(script))["main"](tmp_path)
    for name in ("sample-new.txt.gz", "sample-old.txt.gz"):
        made, kept = (gzip.decompress((folder / name).read_bytes()) for folder in (tmp_path, DATA))
        assert made == kept
    assert (tmp_path / "sample-qrels.csv").read_text() == QRELS.read_text()


class TestMethodsOfSomeMeasures:
    run = pd.DataFrame({"query_id": ["p", "q"], "doc_id": ["a", "a"], "score": [1.0, 1.0]})
    qrels = pd.DataFrame({"query_id": ["p", "q"], "doc_id": ["a", "a"], "relevance": [1, 2]})

    def test_only_the_conventions_that_concern_them_are_said(self, results):
        said = " ".join(methods(results(self.run, self.qrels, ["RR", "P@5"])))
        assert "64-bit" in said
        assert "equal scores" in said
        for other in ("AP divides", "ideal order", "the gain"):
            assert other not in said
        assert "the gain of an item is its grade" in " ".join(
            methods(results(self.run, self.qrels, ["nDCG"]))
        )

    def test_measures_that_differ_in_what_is_relevant_are_counted_apart(self, results):
        found = results(
            self.run,
            self.qrels,
            ["RR", "RR(rel=2)"],
            conventions=Conventions(no_relevant="skip"),
        )
        said = " ".join(methods(found))
        assert "are over 2 (RR) and 1 (RR(rel=2)) of 2 judged queries" in said
