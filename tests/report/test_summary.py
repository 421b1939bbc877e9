"""What the first paragraph of a report claims: no more than the numbers do, whatever the data."""

import numpy as np
import pandas as pd
import pytest
from IPython.utils.capture import capture_output
from small_runs import NEW, OLD, QRELS, frame, ranked, shown, write

from byhand import (
    Conventions,
    compare,
    evaluate,
    queries_needed,
    smallest_difference,
    unjudged_range,
)
from byhand.report.steps import (
    Results,
    read_own_data,
    results_of,
    show_methods,
    show_summary,
    show_ties,
    show_unjudged,
)
from byhand.report.steps.summary import summary
from byhand.report.steps.wording import computed_as, conventions_text


@pytest.fixture
def results(tmp_path):
    """Results of one or two runs, by their frames."""

    def make(run, qrels, against=None, measures=("RR",), relevant_from=None, **options) -> Results:
        files = {"a": run, "qrels": qrels, "b": against}
        paths = [
            None if table is None else write(tmp_path / f"{name}.csv", table)
            for name, table in files.items()
        ]
        with capture_output():
            data = read_own_data(*paths, relevant_from=relevant_from)
        return results_of(data, list(measures), **options)

    return make


@pytest.fixture(scope="module")
def sample():
    with capture_output():
        data = read_own_data(NEW, QRELS, OLD)
    return results_of(data, ["nDCG@10", "AP", "RR"])


def text(results):
    return " ".join(summary(results))


def both(mine, theirs):
    """Two runs and their qrels: in each query the relevant item stands at the rank given."""
    run, qrels = ranked(*mine)
    return run, qrels, ranked(*theirs)[0]


class TestVerdict:
    def test_higher_if_p_and_interval_say_so(self, results):
        said = text(results(*both([1] * 12, [2, 9] * 6)))
        assert ": a is higher." in said
        assert "samples" not in said
        assert ": b is higher." in text(results(*both([2, 9] * 6, [1] * 12)))

    def test_four_queries_are_too_few_whatever_the_interval(self, results):
        said = text(results(*both([1, 1, 1, 1], [2, 3, 2, 3])))
        # ++++ and ---- of 16
        assert "p = 0.125). The two differ on 4 queries only: too few to tell" in said
        assert "higher." not in said.replace("which is higher.", "")
        assert "On the mean: All 4 values are the same" not in said
        assert "On the mean and the difference: With 4 values, the interval may hold the" in said

    @pytest.mark.parametrize(
        ("conventions", "empty"), [("trec_eval -c", 6), ("trec_eval -c -l", 0)]
    )
    def test_what_is_not_relevant_enough_counts_as_the_first_measure_counts_it(
        self, results, conventions, empty
    ):
        run, qrels, other = both([1, 2] * 6, [2, 1] * 6)
        graded = qrels.assign(relevance=[1, 4] * 6)
        options = {"relevant_from": 4, "measures": ("nDCG", "AP"), "conventions": conventions}
        said = text(results(run, graded, other, **options))
        assert ("6 of 12 judged queries have no relevant item" in said) == bool(empty)

    def test_where_it_cannot_tell_it_says_how_small_a_difference_it_could_have_shown(self, results):
        found = results(*both([1, 2, 1, 2, 3, 1, 4, 1] * 3, [2, 1, 1, 1, 3, 2, 4, 3] * 3))
        said = text(found)
        differences = found.tables["a"]["RR"] - found.tables["b"]["RR"]
        least = smallest_difference(differences.std(ddof=1), len(differences))
        assert (
            "These queries cannot tell which is higher. So many queries show a true difference of "
            f"about {least:.3f} in four of five samples, a smaller one less often." in said
        )

    @pytest.mark.parametrize(
        ("matters", "says"),
        [
            (
                0.02,
                "To show a difference of 0.02, which would matter, "
                "in four of five samples takes about {needed:,} queries.",
            ),
            (0.257, "A difference of 0.257, which would matter, shows in four of five samples."),
            (0.5, "The interval excludes the 0.5 that would matter, either way."),
        ],
    )
    def test_what_matters_was_chosen_and_not_observed(self, results, matters, says):
        found = results(
            *both([1, 2, 1, 2, 3, 1, 4, 1] * 3, [2, 1, 1, 1, 3, 2, 4, 3] * 3), matters=matters
        )
        spread = (found.tables["a"]["RR"] - found.tables["b"]["RR"]).std(ddof=1)
        assert says.format(needed=queries_needed(spread, matters)) in text(found)

    def test_the_same_mean_is_no_proof_of_anything(self, results):
        said = text(results(*both([1, 2] * 6, [2, 1] * 6)))
        assert "The mean of b is the same. These queries cannot tell which is higher." in said
        assert "show a true difference of about" in said

    def test_the_rule_stands_in_the_methods(self, sample):
        assert "One system is called higher if" in shown(show_methods, sample)[0]


class TestMissing:
    def test_a_system_that_did_not_run_does_not_lose(self, results):
        run, qrels, other = both([1] * 30, [2] * 30)
        said = text(results(run, qrels, other[other["query_id"] == "q0"]))
        assert (
            "No verdict: b did not answer 29 of 30 queries, more than 5%, so what was not answered "
            "may decide." in said
        )
        assert "b did not answer 29 of 30 queries; each of these counts 0. Over the 1 that" in said

    def test_both_ways_of_counting_are_said(self, results):
        rng = np.random.default_rng(5)
        mine, theirs = rng.integers(1, 5, 60), rng.integers(1, 8, 60)
        run, qrels, other = both(mine, theirs)
        run = run[~run["query_id"].isin(["q3", "q8"])]
        as_zero = compare({"a": run, "b": other}, qrels, ["RR"]).iloc[0]
        rest = qrels[~qrels["query_id"].isin(["q3", "q8"])]
        answered = compare({"a": run, "b": other}, rest, ["RR"]).iloc[0]
        counted = text(results(run, qrels, other))
        assert f"mean is {as_zero['difference']:.3f} above that of b" in counted
        assert (
            "a did not answer 2 of 60 queries; each of these counts 0. Over the 58 that" in counted
        )
        assert f"both answered, the difference is {answered['difference']:+.3f} (" in counted
        skipped = text(results(run, qrels, other, conventions="trec_eval"))
        above = f"{answered['difference']:.3f} above that of b"
        assert f"Over the 58 with a value of both, its mean is {above}" in skipped
        assert (
            "each of these is left out. Counted as 0, the difference is "
            f"{as_zero['difference']:+.3f} (" in skipped
        )

    def test_of_one_system(self, results):
        run, qrels = ranked(*[1, 2] * 10)
        said = text(results(run[run["query_id"] != "q0"], qrels))
        assert "a did not answer 1 of 20 queries; each of these counts 0. Over the 19 that" in said
        assert f"it answered, the mean is {(9 + 10 / 2) / 19:.3f}." in said

    def test_no_query_that_both_answered(self, results):
        run, qrels, other = both([1] * 2, [1] * 2)
        said = text(results(run[run["query_id"] == "q0"], qrels, other[other["query_id"] == "q1"]))
        assert "Over the 0 that both answered, there is nothing to compare." in said


class TestPool:
    @pytest.fixture
    def pooled(self):
        """Two runs of much the same quality, and judgements of the first ten of one of them."""
        rng = np.random.default_rng(1)
        runs, qrels = {"a": [], "b": []}, []
        for query in range(40):
            good = rng.random(100) < 0.3
            top = {}
            for name, rows in runs.items():
                score = good + rng.normal(size=100)
                rows += [(f"q{query}", f"d{item}", score[item]) for item in range(100)]
                top[name] = np.argsort(-score)[:10]
            qrels += [(f"q{query}", f"d{item}", int(good[item])) for item in top["a"]]
        return (
            frame(runs["a"], "score"),
            frame(qrels, "relevance"),
            frame(runs["b"], "score"),
        )

    def test_says_that_the_difference_may_be_an_artefact(self, pooled, results):
        run, qrels, other = pooled
        found = results(run, qrels, other, ["P@10"])
        said = text(found)
        shares = [evaluate(each, qrels, ["Judged@10"]).mean().item() for each in (run, other)]
        judged = Conventions(unjudged="removed")
        fair = compare({"a": run, "b": other}, qrels, ["P@10"], conventions=judged).iloc[0]
        assert shares[0] == 1 > shares[1] + 0.1
        assert f"items, 100.0% are judged for a and {shares[1]:.1%} are judged for b: the " in said
        assert "): a is higher by these judgements." in said
        assert "may be an artefact of what was judged. On judged items only, the " in said
        assert fair["difference"] == 0
        assert "the difference is 0.000 (95% interval" in said

    def test_says_nothing_where_both_were_judged_alike(self, pooled, results, sample):
        assert "artefact" not in text(sample)
        run, qrels, other = pooled
        removed = Conventions(unjudged="removed")
        assert "artefact" not in text(results(run, qrels, other, ["P@10"], conventions=removed))

    def test_shows_what_unjudged_items_leave_open(self, pooled, results):
        run, qrels, other = pooled
        found = results(run, qrels, other, ["P@10", "AP"])
        ends = unjudged_range(other, qrels, ["P@10"]).mean()
        lines = shown(show_unjudged, found)[0].splitlines()
        assert lines[2].split() == [
            "P@10", "b", f"{ends['P@10 none']:.4f}", f"{ends['P@10 all']:.4f}"
        ]  # fmt: skip
        assert len(lines) == 3  # AP has no cutoff

    def test_unjudged_items_count_as_relevant_to_each_measure(self, results):
        run = frame([("q", f"d{n}", -n) for n in range(10)], "score")
        qrels = frame([("q", f"d{n}", 2 if n < 2 else 0) for n in range(3)], "relevance")
        found = results(run, qrels, None, ["P(rel=2)@10"])
        lines = shown(show_unjudged, found)[0].splitlines()
        assert lines[1].split() == ["P(rel=2)@10", "a", "0.2000", "0.9000"]

    @pytest.mark.parametrize(("k", "wide"), [(20, False), (19, True)])
    def test_a_twentieth_of_a_mean_may_hang_on_unjudged_items_without_a_table(
        self, results, k, wide
    ):
        run = frame([("q", f"d{n}", -n) for n in range(k)], "score")
        qrels = run[1:].drop(columns="score").assign(relevance=1)
        qrels = pd.concat([qrels, frame([("q", "y", 0)], "relevance")])
        said = shown(show_unjudged, results(run, qrels, None, [f"P@{k}"]))[0]
        assert said.startswith("measure" if wide else "If all retrieved items that nobody judged")

    @pytest.mark.parametrize(("n_judged", "said"), [(9, False), (8, True)])
    def test_a_tenth_more_may_be_judged_of_one_system(self, results, n_judged, said):
        run = frame([("q", f"d{n}", -n) for n in range(10)], "score")
        other = frame([("q", f"{'dx'[n >= n_judged]}{n}", -n) for n in range(10)], "score")
        qrels = run.drop(columns="score").assign(relevance=[1] + [0] * 9)
        assert ("artefact" in text(results(run, qrels, other, ["P@10"]))) == said

    @pytest.mark.parametrize(("n_above", "shows"), [(139, True), (140, False)])
    def test_orders_are_tried_where_four_digits_may_show_them(self, results, n_above, shows):
        # 1/140 - 1/141 is 0.000051, 1/141 - 1/142 is 0.000049
        run = frame([("q", f"d{n}", -min(n, n_above)) for n in range(n_above + 2)], "score")
        qrels = frame([("q", f"d{n_above}", 1)], "relevance")
        assert bool(results(run, qrels, None, ["RR"]).orders) == shows

    def test_a_range_that_takes_long_is_said_to_be_left_out(self, pooled, results, monkeypatch):
        run, qrels, other = pooled
        monkeypatch.setattr("byhand.report.steps.results._MOST_ROWS", len(run))
        said = shown(show_unjudged, results(run, qrels, other, ["P@10"]))[0]
        assert said.startswith("With 8,000 rows, the range is left out: it takes long.")

    def test_shows_nothing_where_all_are_judged(self, results):
        run, _ = ranked(1, 2)
        every = run.assign(relevance=0).drop(columns="score")
        every.loc[every["doc_id"] == "D", "relevance"] = 1
        assert shown(show_unjudged, results(run, every, None, ["RR@5"]))[0] == ""

    def test_of_relevant_items_only_nobody_knows_what_was_judged(self, results):
        run, qrels, other = both([1, 1, 1, 1, 2] * 6, [9, 8] * 15)
        found = results(run, qrels, other, ["P@1", "RR"])
        assert shown(show_unjudged, found)[0].startswith("The qrels hold relevant items only.")
        said = text(found)
        assert ": a is higher." in said
        assert "judge" not in said


class TestTies:
    def test_the_sample_under_each_order(self, sample):
        lines = [line.split() for line in shown(show_ties, sample)[0].splitlines()]
        rr = [line for line in lines if line[0] == "RR"]
        wanted = [
            compare(
                sample.data.runs,
                sample.data.qrels,
                ["nDCG@10", "AP", "RR"],
                conventions=Conventions(ties=ties),
            ).iloc[2]
            for ties in ("doc_id", "expected", "best", "worst")
        ]
        for line, row in zip(rr, wanted, strict=True):
            assert f"{row['difference']:+.4f}" in line
            assert f"{row['mean_b']:.4f}" in line
        assert "For RR the verdict depends on the order of equal scores; see below." in text(sample)
        assert rr[0][1:5] == ["by", "identifier", "(in", "use)"]
        assert shown(show_ties, sample)[0].endswith("The verdict on RR depends on the order.")

    def test_says_so_if_the_verdict_depends_on_it(self, results):
        # every item of b is tied: it is best or worst as one likes
        run, qrels, other = both([2] * 20, [1] * 20)
        found = results(run, qrels, other.assign(score=1.0))
        said = text(found)
        assert "The verdict depends on the order of equal scores, which is a mere conv" in said
        mean = np.mean([1 / rank for rank in range(1, 10)])
        assert f": the difference is {1 / 2 - mean:+.3f} (p " in said
        assert ") on average over all orders, −0.500 (p " in said
        assert f"with relevant items first and {1 / 2 - 1 / 9:+.3f} (p " in said

    def test_nothing_where_no_mean_moves(self, results):
        found = results(*both([1, 2, 3], [2, 2, 2]))
        assert shown(show_ties, found) == ("", "", 0)
        assert "equal scores" not in text(found)

    def test_one_system_has_no_comparison(self, results):
        run, qrels = ranked(1, 2)
        lines = shown(show_ties, results(run.assign(score=1.0), qrels))[0].splitlines()
        assert lines[0].split() == ["measure", "order", "a"]
        assert [line.split()[-1] for line in lines[3:]] == ["1.0000", f"{1 / 9:.4f}"]


class TestWhoseNumbers:
    near = pd.DataFrame({"query_id": "q", "doc_id": list("ab"), "score": [1.0, 1.0 + 1e-12]})
    far = near.assign(score=[1.0, 2.0])
    qrels = pd.DataFrame({"query_id": "q", "doc_id": ["a"], "relevance": [1]})

    def test_float32_is_decided_by_the_data(self, results):
        far, near = (
            computed_as(results(run, self.qrels, conventions="pytrec_eval"))
            for run in (self.far, self.near)
        )
        assert far == "as pytrec_eval computes it"
        assert near == (
            "approximately as pytrec_eval computes it, except that scores that differ only "
            "after their 7th digit are equal to it (float32)"
        )
        assert computed_as(results(self.near, self.qrels)) == "as trec_eval -c computes it"

    def test_what_no_choice_expresses_is_said(self, results):
        found = results(self.far, self.qrels, conventions="ranx")
        assert (
            "RR, approximately as ranx computes it, except that equal scores have no fixed"
            in shown(show_summary, found)[0]
        )
        assert computed_as(results(self.far, self.qrels, conventions=Conventions())) == (
            "with our own conventions"
        )

    def test_choices_of_some_measures_are_said_of_these(self, results):
        found = results(
            self.far, self.qrels, None, ["RR", "RR@5", "RR@10"], conventions="ir_measures"
        )
        assert conventions_text(found).startswith(
            "for RR items with equal scores are ordered by their identifier, descending by code "
            "point; for RR@5 and RR@10 items with equal scores are ordered by their identifier, "
            "ascending by code point; a query"
        )
        binary = conventions_text(
            results(self.far, self.qrels, None, ["nDCG@10"], conventions="recommenders")
        )
        assert "the gain of a relevant item is 1, discounted" in binary
        assert "a judged query that the run lacks counts 0" in binary

    graded = (
        frame([("q", "a", 3.0), ("q", "b", 2.0), ("q", "c", 1.0)], "score"),
        frame([("q", "a", 3), ("q", "b", 5), ("q", "c", 1)], "relevance"),
    )

    @pytest.mark.parametrize(
        ("conventions", "measure", "value", "says", "low"),
        [
            ("trec_eval -c", "nDCG", 0.6309, "approximately as trec_eval -c computes it, except "
             "that a grade below 4 gains nothing;", "a grade below 4 gains nothing;"),
            ("trec_eval -c -l", "nDCG", 0.9002, ", as trec_eval -c -l computes it;",
             "a grade below 4 keeps its gain, as with trec_eval's option -l;"),
            ("trec_eval -c", "RR", 0.5, ", as trec_eval -c computes it;", ""),
            ("recommenders", "RR", 0.5, "approximately as recommenders computes it, except that it "
             "has no RR or Success;", ""),
        ],
    )  # fmt: skip
    def test_what_a_lower_grade_gains_is_said(
        self, results, conventions, measure, value, says, low
    ):
        run, qrels = self.graded
        found = results(run, qrels, None, [measure], relevant_from=4, conventions=conventions)
        assert found.first[measure].tolist() == pytest.approx([value], abs=5e-5)
        assert says in shown(show_summary, found)[0]
        assert low in conventions_text(found)
        assert ("grade below" in conventions_text(found)) == (low != "")
        assert "grade below" not in conventions_text(results(run, qrels, None, [measure]))

    def test_where_no_grade_is_lower_it_is_the_tool_s(self, results):
        run, qrels = self.graded
        found = results(run, qrels, None, ["nDCG"], relevant_from=1)
        assert computed_as(found) == "as trec_eval -c computes it"

    def test_the_lowest_relevant_grade_is_used_and_said(self, results):
        run = frame([("q", "a", 3.0), ("q", "b", 2.0), ("q", "c", 1.0)], "score")
        qrels = frame([("q", "a", 1), ("q", "b", 3), ("q", "c", 5)], "relevance")
        found = results(run, qrels, relevant_from=4)
        assert found.first["RR"].tolist() == [1 / 3]
        assert "computes it; relevant is a grade of 4 or more." in shown(show_summary, found)[0]
        methods = shown(show_methods, found)[0]
        assert "3 judgements, 1 of them relevant (a grade of 4 or more)" in methods
