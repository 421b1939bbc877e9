"""Several systems in one report: each comparison that it shows is one of `compare`."""

import numpy as np
import pandas as pd
import pytest
from byhand.report.options import parser
from IPython.utils.capture import capture_output
from small_runs import NEW, OLD, QRELS, ranked, shown, write

from byhand import DataError, compare
from byhand.files.read import read_qrels, read_run
from byhand.report.steps import (
    read_own_data,
    results_of,
    show_comparison,
    show_means,
    show_methods,
    show_summary,
    show_ties,
)
from byhand.reports.command import main

RANKS = {"a": [1] * 20, "b": [1, 2] * 10, "c": [3] * 20}


@pytest.fixture
def results(tmp_path):
    """Results of runs in which the relevant item of each query stands at the ranks given."""

    def make(ranks=RANKS, measures=("RR", "P@1"), **options):
        runs = {name: ranked(*each)[0] for name, each in ranks.items()}
        qrels = write(tmp_path / "qrels.csv", ranked(*next(iter(ranks.values())))[1])
        paths = [write(tmp_path / f"{name}.csv", run) for name, run in runs.items()]
        with capture_output():
            data = read_own_data(paths[0], qrels, paths[1:])
        return results_of(data, measures, **options)

    return make


def expected(found, pairs):
    return compare(found.data.runs, found.data.qrels, found.measures, pairs=pairs)


class TestColumns:
    """Runs with different headers, from Python."""

    @pytest.fixture
    def files(self, tmp_path):
        run, qrels = ranked(1, 2)
        a = write(tmp_path / "a.csv", run.set_axis(["Frage", "Buch", "Wert"], axis=1))
        b = write(tmp_path / "b.csv", run.set_axis(["Query text", "Thing", "Value"], axis=1))
        c = write(tmp_path / "c.csv", run)
        return a, write(tmp_path / "qrels.csv", qrels), [b, c]

    @pytest.mark.parametrize("named", [str, lambda path: path.name])
    def test_each_file_has_its_own(self, files, named):
        a, qrels, (b, c) = files
        columns = {
            named(a): {"Frage": "query_id", "Buch": "doc_id", "Wert": "score"},
            named(b): {"Query text": "query_id", "Thing": "doc_id", "Value": "score"},
        }
        with capture_output():
            data = read_own_data(a, qrels, [b, c], run_columns=columns)
        values = [
            run[["query_id", "doc_id", "score"]].values.tolist() for run in data.runs.values()
        ]
        assert values[0] == values[1] == values[2]

    def test_what_is_suggested_keeps_the_others(self, files, tmp_path):
        a, qrels, (b, c) = files
        first = {"Frage": "query_id", "Buch": "doc_id", "Wert": "score"}
        second = {"Query text": "query_id", "Thing": "doc_id", "Value": "score"}
        with pytest.raises(DataError) as caught, capture_output():
            read_own_data(a, qrels, [b, c], run_columns={str(a): first})
        assert f"run_columns = { ({str(a): first, str(b): second}) } in the cell" in str(
            caught.value
        )
        with pytest.raises(
            DataError, match="Where the runs differ, name the columns of each: run_"
        ):
            read_own_data(a, qrels, [b, c], run_columns=first)
        with pytest.raises(DataError, match=r"named for 'x\.csv', which is none of the runs"):
            read_own_data(a, qrels, [b, c], run_columns={"x.csv": first})


class TestPairs:
    def test_the_first_is_compared_with_each_and_corrected_over_all(self, results):
        found = results()
        wanted = expected(found, [("a", "b"), ("a", "c")])
        pd.testing.assert_frame_equal(found.comparison, wanted, check_exact=True)
        assert wanted["p_holm"].gt(wanted["p"]).any()

    def test_all_with_all(self, results):
        found = results(all_pairs=True)
        wanted = expected(found, [("a", "b"), ("a", "c"), ("b", "c")])
        pd.testing.assert_frame_equal(found.comparison, wanted, check_exact=True)

    def test_names_that_are_the_same_or_too_few(self):
        with pytest.raises(DataError, match="Two systems are called 'x'"):
            read_own_data(NEW, QRELS, [OLD, "other.csv"], names=["x", "y", "x"])
        with pytest.raises(DataError, match="compared with itself"):
            read_own_data("other.csv", QRELS, [NEW, NEW])


class TestSummary:
    def test_says_each_difference_and_its_verdict(self, results):
        found = results()
        text = shown(show_summary, found)[0]
        b, c = (found.comparison.iloc[place] for place in (0, 1))
        assert f"That mean is {b['difference']:.3f} above that of b (95% interval" in text
        assert f"It is {c['difference']:.3f} above that of c" in text
        assert text.count(": a is higher.") == text.count(": a is higher, with a caution.") == 1

    def test_all_pairs_are_put_in_order(self, results):
        text = shown(show_summary, results(all_pairs=True))[0]
        assert "the mean RR is 1.000 for a, 0.750 for b and 0.333 for c; a random order" in text
        assert "All 3 pairs can be told apart after Holm's correction. a is higher than b" in text
        assert "a is higher than b and c (with a caution). b is higher than c." in text

    def test_pairs_that_cannot_be_told_apart_are_not_put_in_order(self, results):
        same = {"a": [1, 2] * 10, "b": [2, 1] * 10, "c": [9] * 20}
        text = shown(show_summary, results(same, all_pairs=True))[0]
        assert "Of 3 pairs, 2 can be told apart" in text
        assert "a is higher than c. b is higher than c." in text

    def test_queries_that_one_did_not_answer(self, results):
        found = results({"a": [1] * 20, "b": [2] * 19, "c": [3] * 20})
        text = shown(show_summary, found)[0]
        assert (
            "b did not answer 1 of 20 queries; each of these counts 0. Over the 19 that all" in text
        )
        assert "the mean is 1.000 for a, 0.500 for b and 0.333 for c: no verdict changes." in text


class TestShown:
    def test_a_row_a_measure_and_pair_with_its_verdict(self, results):
        found = results()
        text, _, pictures = shown(show_comparison, found)
        assert pictures == 1
        for _, row in found.comparison.iterrows():
            (line,) = (
                line
                for line in text.splitlines()
                if line.startswith(row["measure"]) and f" a minus {row['b']}" in line
            )
            assert f"{row['difference']:+.4f}" in line
            assert f"{row['wins']} / {row['ties']} / {row['losses']}" in line
            assert line.endswith("a is higher" + ", with a caution" * bool(row["caution"]))

    def test_the_matrix_turns_a_pair_round(self, results):
        text, html, _ = shown(show_comparison, results(all_pairs=True))
        lines = [line for line in text.splitlines() if line.startswith(("a  ", "b  ", "c  "))]
        assert "+0.2500" in lines[0]
        assert "10 / 10 / 0" in lines[0]
        assert "−0.2500" in lines[1]
        assert "0 / 10 / 10" in lines[1]
        assert html.count("background:#0072b22e") == 6

    def test_means_and_methods_name_every_system(self, results):
        found = results()
        rows = [line.split()[:2] for line in shown(show_means, found)[0].splitlines()[1:7]]
        assert rows == [[m, name] for m in ("RR", "P@1") for name in "abc"]
        text = shown(show_methods, found)[0]
        assert "over the 4 comparisons (2 measures, 2 pairs of systems)" in text

    def test_ties_name_the_pair_whose_verdict_they_change(self, tmp_path):
        run, qrels = ranked(*[2] * 20)
        # every item of c is tied: it is best or worst as one likes
        runs = {"a": run, "b": ranked(*[9] * 20)[0], "c": ranked(*[1] * 20)[0].assign(score=1.0)}
        paths = [write(tmp_path / f"{name}.csv", each) for name, each in runs.items()]
        with capture_output():
            data = read_own_data(paths[0], write(tmp_path / "q.csv", qrels), paths[1:])
        found = results_of(data, ["RR"])
        text = shown(show_ties, found)[0]
        assert text.splitlines()[0].split() == ["measure", "order", "a", "b", "c"]
        assert text.endswith("The verdict on RR (a minus c) depends on the order.")
        said = shown(show_summary, found)[0]
        assert "For RR (a minus c) the verdict depends on the order of equal scores; see" in said


class TestCommand:
    def test_systems_are_named_and_none_is_lost(self, tmp_path):
        third = write(tmp_path / "third=x.csv", read_run(OLD).assign(score=lambda t: -t["score"]))
        output = tmp_path / "report.html"
        arguments = [f"after={NEW}", "--qrels", str(QRELS), "--against", str(OLD)]
        arguments += ["--against", str(third), "--measures", "RR", "-o", str(output)]
        assert main(arguments) == 0
        html = output.read_text()
        assert "<title>Ranking report: after against sample-old and third=x</title>" in html
        table = compare(
            {"after": read_run(NEW), "third=x": read_run(third)}, read_qrels(QRELS), ["RR"]
        )
        assert f"{table['difference'].item():+.4f}" in html

    @pytest.mark.parametrize(
        "typed", [["--against", "b", "c"], ["--against", "b", "--against", "c"]]
    )
    def test_both_ways_to_name_several(self, typed):
        options = parser().parse_args(["a", *typed, "-o", "x.html"])
        assert [system.file for system in options.against] == ["b", "c"]

    def test_a_name_without_a_file(self, capsys):
        with pytest.raises(SystemExit):
            main(["new=", "-o", "x.html"])
        assert "'new=' is not NAME=FILE, such as new=runs/new.csv" in capsys.readouterr().err


def test_a_seed_is_used_anew_for_each_row(results):
    one = results({"a": RANKS["a"], "c": RANKS["c"]}, measures=["RR"])
    several = results(measures=["RR"])
    assert one.comparison["p"].item() == several.comparison["p"].iloc[1]
    assert np.isclose(several.comparison["p_holm"].max(), several.comparison["p"].max())
