"""Several systems in one report: each comparison that it shows is one of `compare`."""

import numpy as np
import pandas as pd
import pytest
from small_runs import html_of, methods, ranked, report_at, report_on, rows_of, said

from byhand import compare

RANKS = {"a": [1] * 20, "b": [1, 2] * 10, "c": [3] * 20}


@pytest.fixture(scope="module")
def three():
    return report_at(*RANKS.values(), measures=["RR", "P@1"])


@pytest.fixture(scope="module")
def all_pairs():
    return report_at(*RANKS.values(), measures=["RR", "P@1"], all_pairs=True)


@pytest.mark.parametrize(
    ("fixture", "pairs"), [("three", ["ab", "ac"]), ("all_pairs", ["ab", "ac", "bc"])]
)
def test_who_is_compared_and_corrected_over_all(request, fixture, pairs):
    found = request.getfixturevalue(fixture).results
    runs = {name: ranked(*ranks)[0] for name, ranks in RANKS.items()}
    pairs = [tuple(pair) for pair in pairs]
    wanted = compare(runs, ranked(*RANKS["a"])[1], ["RR", "P@1"], pairs=pairs)
    compared = found.comparison.drop(columns="permutations")
    pd.testing.assert_frame_equal(compared, wanted, check_exact=True)
    assert wanted["p_holm"].gt(wanted["p"]).any()


class TestSummary:
    def test_says_each_difference_and_its_verdict(self, three):
        b, c = (three.results.comparison.iloc[place] for place in (0, 1))
        text = said(three)
        assert f"That mean is {b['difference']:.3f} above that of b (95% interval" in text
        assert f"It is {c['difference']:.3f} above that of c" in text
        assert text.count("So a is higher.") == text.count("So a is higher, with a caution.") == 1

    def test_all_pairs_are_put_in_order(self, all_pairs):
        text = said(all_pairs)
        assert "the mean RR is 1.000 for a, 0.750 for b and 0.333 for c; a random order" in text
        assert "All 3 pairs can be told apart after Holm's correction. a is higher than b" in text
        assert "a is higher than b and c (with a caution). b is higher than c." in text

    def test_pairs_that_cannot_be_told_apart_are_not_put_in_order(self):
        text = said(report_at([1, 2] * 10, [2, 1] * 10, [9] * 20, all_pairs=True))
        assert "Of 3 pairs, 2 can be told apart" in text
        assert "a is higher than c. b is higher than c." in text

    def test_queries_that_one_did_not_answer(self):
        text = said(report_at([1] * 20, [2] * 19, [3] * 20))
        assert (
            "b did not answer 1 of 20 queries. Each of these counts 0. Over the 19 that all" in text
        )
        assert "the mean is 1.000 for a, 0.500 for b and 0.333 for c: no verdict changes." in text


class TestShown:
    def test_a_row_a_measure_and_pair_with_its_verdict(self, three):
        rows = rows_of(three, "comparison")
        for cells, (_, row) in zip(rows, three.results.comparison.iterrows(), strict=True):
            assert cells[:3] == [row["measure"], f"a minus {row['b']}", f"{row['difference']:+.4f}"]
            assert cells[6] == f"{row['wins']} / {row['ties']} / {row['losses']}"
            assert cells[8] == "a is higher" + ", with a caution" * bool(row["caution"])

    def test_the_matrix_has_each_pair_once(self, all_pairs):
        a, b = rows_of(all_pairs, "comparison")[:2]
        assert a[0] == "a"
        assert a[1].startswith("▲ +0.250 p ")
        assert a[1].endswith("10 / 10 / 0")
        assert b[:2] == ["b", ""]
        assert b[2].startswith("▲ +0.417 p ")
        assert html_of(all_pairs, "comparison").count('class="r ok"') == 3

    def test_means_and_methods_name_every_system(self, three):
        rows = [row[:2] for row in rows_of(three, "means")]
        assert rows == 2 * [[m, name] for m in ("RR", "P@1") for name in "abc"]
        assert "over the 4 comparisons (2 measures, 2 pairs of systems)" in methods(three)

    def test_ties_name_the_pair_whose_verdict_they_change(self):
        run, qrels = ranked(*[2] * 20)
        # every item of c but a first one is tied: it is best or worst as one likes
        tied = ranked(*[1] * 20)[0].assign(score=1.0)
        tied.loc[0, "score"] = 2.0
        found = report_on(run, ranked(*[9] * 20)[0], tied, qrels=qrels, measures="RR")
        assert "The verdict on RR (a minus c) depends on the order." in found.text("ties")
        assert "For RR (a minus c) the verdict depends on the order of equal scores; see" in said(
            found
        )


def test_a_seed_is_used_anew_for_each_row(three):
    one = report_at(RANKS["a"], RANKS["c"]).results.comparison
    assert one["p"].item() == three.results.comparison["p"].iloc[1]
    assert np.isclose(one["p_holm"].max(), one["p"].max())
