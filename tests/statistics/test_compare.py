"""Systems and groups side by side: the tables, against scipy, by hand, and when data is bad."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from byhand import DataError, evaluate
from byhand.metrics.conventions import Conventions
from byhand.statistics import (
    MissingQueriesWarning,
    Verdict,
    compare,
    compare_groups,
    compare_values,
    holm,
    mann_whitney,
    mean_interval,
)

QUICK = {"permutations": 500}


def run_of(ranks):
    """A run of nine items a query in which item D stands at the rank given."""
    rows = []
    for query, rank in ranks.items():
        items = [f"x{place}" for place in range(8)]
        items.insert(rank - 1, "D")
        rows += [(query, item, -place) for place, item in enumerate(items)]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])


QRELS = pd.DataFrame({"query_id": ["q1", "q2", "q3", "q4"], "doc_id": "D", "relevance": 1})
FIRST = run_of({"q1": 1, "q2": 2, "q3": 1, "q4": 4})
SECOND = run_of({"q1": 2, "q2": 2, "q3": 4, "q4": 2})
LACKING = SECOND[SECOND["query_id"] != "q3"]

values_of_queries = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=20
).map(lambda pairs: np.array(pairs) / 6)


def table_of(*columns, measures=("RR", "AP", "nDCG")):
    index = pd.Index([f"q{place}" for place in range(len(columns[0]))], name="query_id")
    return pd.DataFrame(dict(zip(measures, columns, strict=False)), index=index)


class TestCompare:
    def test_one_row_by_hand(self):
        # RR 1, 1/2, 1, 1/4 against 1/2, 1/2, 1/4, 1/2: differences 1/2, 0, 3/4, -1/4
        row = compare({"A": FIRST, "B": SECOND}, QRELS, "RR").iloc[0]
        assert (row["measure"], row["a"], row["b"]) == ("RR", "A", "B")
        assert (row["queries"], row["missing_a"], row["missing_b"], row["left_out"]) == (4, 0, 0, 0)
        assert (row["mean_a"], row["mean_b"], row["difference"]) == (0.6875, 0.4375, 0.25)
        assert (row["wins"], row["ties"], row["losses"]) == (2, 1, 1)
        # sums of ±1/2 ±3/4 ±1/4 as far from 0 as 1: 1 and 3/2, and their negatives, of 8
        assert row["p"] == row["p_holm"] == 0.5
        assert row["effect_size"] == pytest.approx(0.25 / np.sqrt((1 + 1 + 4 + 4) / 48), abs=1e-12)
        assert (row["low"], row["high"]) == mean_interval(np.array([0.5, 0, 0.75, -0.25]))
        assert row["verdict"] == Verdict.TOO_FEW

    def test_one_row_for_each_measure_and_pair(self):
        runs = {"A": FIRST, "B": SECOND, "C": FIRST}
        found = compare(runs, QRELS, ["RR", "P@1"], **QUICK)
        assert [tuple(row) for row in found[["measure", "a", "b"]].to_numpy()] == [
            (measure, a, b) for measure in ("RR", "P@1") for a, b in ("AB", "AC", "BC")
        ]

    def test_the_columns(self):
        found = compare({"A": FIRST, "B": SECOND}, QRELS, "RR", **QUICK)
        assert " ".join(found) == (
            "measure a b queries missing_a missing_b left_out mean_a mean_b difference low high "
            "p p_holm exact verdict caution wins ties losses effect_size"
        )

    def test_the_means_are_those_of_evaluate(self):
        row = compare({"A": FIRST, "B": SECOND}, QRELS, ["nDCG@3"], **QUICK).iloc[0]
        assert row["mean_b"] == evaluate(SECOND, QRELS, "nDCG@3")["nDCG@3"].mean()

    def test_pairs_can_be_chosen_and_turned(self):
        runs = {"A": FIRST, "B": SECOND, "C": FIRST}
        found = compare(runs, QRELS, iter(["RR", "AP"]), pairs=iter([("B", "A")]), **QUICK)
        assert found["difference"].tolist() == [-0.25, -0.25]
        assert found["a"].tolist() == ["B", "B"]

    @pytest.mark.filterwarnings("ignore::byhand.statistics.MissingQueriesWarning")
    def test_a_query_that_a_run_lacks_counts_zero_and_is_reported(self):
        row = compare({"A": FIRST, "B": LACKING}, QRELS, "RR").iloc[0]
        assert (row["queries"], row["missing_a"], row["missing_b"], row["left_out"]) == (4, 0, 1, 0)
        assert row["mean_b"] == (1 / 2 + 1 / 2 + 0 + 1 / 2) / 4

    @pytest.mark.filterwarnings("ignore::byhand.statistics.MissingQueriesWarning")
    def test_a_query_that_is_left_out_is_left_out_for_both_and_counted(self):
        chosen = Conventions(missing="skip")
        row = compare({"A": FIRST, "B": LACKING}, QRELS, "RR", conventions=chosen).iloc[0]
        assert (row["queries"], row["missing_b"], row["left_out"]) == (3, 1, 1)
        assert row["mean_a"] == (1 + 1 / 2 + 1 / 4) / 3
        assert row["mean_b"] == 0.5

    def test_the_table_says_how_it_was_made(self):
        found = compare({"A": FIRST, "B": SECOND}, QRELS, "RR", rng=5, confidence=0.9, **QUICK)
        chosen = found.attrs.pop("conventions")
        assert chosen == Conventions().as_dict()
        assert found.attrs == QUICK | {"confidence": 0.9, "rng": 5, "relevant_from": None}

    def test_the_lowest_relevant_grade_is_that_of_evaluate(self):
        qrels = QRELS.assign(relevance=np.arange(len(QRELS)) % 2 + 1)
        found = compare({"A": FIRST, "B": SECOND}, qrels, "AP", relevant_from=2, **QUICK).iloc[0]
        for name, run in (("mean_a", FIRST), ("mean_b", SECOND)):
            assert found[name] == evaluate(run, qrels, "AP", relevant_from=2)["AP"].mean()
        assert found["mean_a"] != evaluate(FIRST, qrels, "AP")["AP"].mean()

    @pytest.mark.filterwarnings("error")
    def test_identical_systems(self):
        found = compare({"A": FIRST, "B": FIRST}, QRELS)
        for column in ("p", "p_holm"):
            assert (found[column] == 1).all()
        assert (found["verdict"] == Verdict.TOO_FEW).all()
        for column in ("difference", "low", "high", "effect_size", "wins"):
            assert (found[column] == 0).all()
        assert not found.isna().any(axis=None)


class TestMissing:
    """A system that did not run must not win or lose."""

    QRELS = pd.DataFrame({"query_id": range(30), "doc_id": "D", "relevance": 1})
    FULL = run_of(dict.fromkeys(range(30), 1))

    def lacking(self, n):
        return self.FULL[self.FULL["query_id"] >= n]

    @pytest.mark.parametrize("order", [("all", "some"), ("some", "all")])
    def test_a_run_without_29_of_30_queries_gets_a_warning_and_no_verdict(self, order):
        runs = {"all": self.FULL, "some": self.lacking(29)}
        with pytest.warns(
            MissingQueriesWarning, match=r"'some'\] lacks 29 of the 30 judged"
        ) as said:
            row = compare({name: runs[name] for name in order}, self.QRELS, "RR").iloc[0]
        assert len(said) == 1
        assert said[0].filename == __file__
        assert row["p"] < 0.0003
        assert row["verdict"] == Verdict.WITHHELD

    @pytest.mark.filterwarnings("error")
    def test_one_query_of_30_is_no_reason_and_two_are(self):
        lower = run_of(dict.fromkeys(range(30), 2))
        row = compare({"A": lower, "B": self.lacking(1)}, self.QRELS, "RR").iloc[0]
        assert (row["missing_b"], row["verdict"]) == (1, Verdict.B_HIGHER)
        with pytest.raises(MissingQueriesWarning, match="2 of the 30"):
            compare({"A": lower, "B": self.lacking(2)}, self.QRELS, "RR")

    @pytest.mark.filterwarnings("error")
    def test_values_say_nothing_of_what_is_missing_unless_told(self):
        tables = {
            name: evaluate(run, self.QRELS, "RR")
            for name, run in {"A": self.FULL, "B": self.lacking(10)}.items()
        }
        told = {name: table.attrs["missing"] for name, table in tables.items()}
        assert compare_values(tables)["verdict"].item() == Verdict.A_HIGHER
        found = compare_values(tables, missing=told).iloc[0]
        assert (found["missing_a"], found["missing_b"]) == (0, 10)
        assert found["verdict"] == Verdict.WITHHELD

    def test_on_the_queries_that_both_answered(self):
        runs = {"A": self.FULL, "B": self.lacking(10)}
        with pytest.warns(MissingQueriesWarning):
            row = compare(runs, self.QRELS, "RR", conventions=Conventions(missing="skip")).iloc[0]
        assert (row["queries"], row["left_out"], row["difference"], row["p"]) == (20, 10, 0, 1)


class TestCompareValues:
    def test_paired_by_query_not_by_row(self):
        a, b = table_of([1, 0.5, 0.25]), table_of([0.5, 0.5, 0])
        found = compare_values({"A": a, "B": b.iloc[::-1]}, **QUICK)
        pd.testing.assert_frame_equal(found, compare_values({"A": a, "B": b}, **QUICK))
        assert (found["wins"].item(), found["ties"].item()) == (2, 1)

    def test_holm_runs_over_all_rows(self):
        rng = np.random.default_rng(0)
        tables = {
            name: table_of(*rng.random((2, 30)) ** skew)
            for name, skew in {"A": 1, "B": 2, "C": 3}.items()
        }
        found = compare_values(tables, **QUICK)
        assert len(found) == 6
        assert found["p_holm"].tolist() == holm(found["p"]).tolist()
        assert (found["p_holm"] > found["p"]).any()

    def test_it_says_where_p_is_exact(self):
        rng = np.random.default_rng(2)
        a, few, many = rng.random((3, 20))
        b = table_of(np.where(np.arange(20) < 8, few, a), many)  # 8 queries differ, and all 20
        found = compare_values({"A": table_of(a, a), "B": b}, permutations=256)
        assert found["exact"].tolist() == [True, False]
        assert not compare_values({"A": table_of(a, a), "B": b}, permutations=255)["exact"].any()

    def test_a_winner_that_hangs_on_queries_not_seen_has_a_caution(self):
        rng = np.random.default_rng(0)
        old = rng.uniform(0.2, 0.7, 25)
        small, large = old + rng.uniform(0, 0.042, 25), old + rng.uniform(0, 0.5, 25)
        found = compare_values({"A": table_of(small, large), "B": table_of(old, old)}, **QUICK)
        assert (found["verdict"] == Verdict.A_HIGHER).all()
        assert [bool(text) for text in found["caution"]] == [True, False]

    def test_what_is_small_beside_the_largest_value_of_all_is_a_difference(self):
        old = table_of(np.append(np.full(99, 8.0), 2.0**60), measures=["DCG"])
        found = compare_values({"A": old.where(old > 9, 0), "B": old}, **QUICK)
        assert (found["losses"].item(), found["verdict"].item()) == (99, Verdict.B_HIGHER)

    def test_a_row_does_not_depend_on_the_others(self):
        rng = np.random.default_rng(1)
        tables = {name: table_of(*rng.random((3, 40))) for name in "ABC"}
        alone = compare_values({name: tables[name][["AP"]] for name in "BC"}, **QUICK)
        among = compare_values(tables, **QUICK).query("measure == 'AP' and a == 'B'")
        together = [column for column in alone if column != "p_holm"]
        assert among[together].to_numpy().tolist() == alone[together].to_numpy().tolist()

    @given(values_of_queries)
    @pytest.mark.filterwarnings("error")
    def test_swapping_the_systems_flips_the_signs(self, values):
        a, b = table_of(values[:, 0]), table_of(values[:, 1])
        there = compare_values({"A": a, "B": b}, permutations=200).iloc[0]
        back = compare_values({"B": b, "A": a}, permutations=200).iloc[0]
        for column in ("difference", "effect_size"):
            assert back[column] == pytest.approx(-there[column], abs=1e-12, nan_ok=True)
        for column in ("p", "ties"):
            assert back[column] == pytest.approx(there[column], abs=1e-12)
        assert (back["wins"], back["mean_a"]) == (there["losses"], there["mean_b"])
        assert back["low"] == pytest.approx(-there["high"], abs=1e-12, nan_ok=True)
        assert 0 < there["p"] <= there["p_holm"] <= 1

    @pytest.mark.filterwarnings("error")
    def test_one_query_has_a_difference_and_no_interval(self):
        row = compare_values({"A": table_of([1.0]), "B": table_of([0.5])}).iloc[0]
        assert (row["difference"], row["p"]) == (0.5, 1)
        assert row[["low", "high", "effect_size"]].isna().all()


class TestCompareGroups:
    A = 1 / np.random.default_rng(0).geometric(0.05, 60)
    B = 1 / np.random.default_rng(1).geometric(0.10, 45)

    def test_against_scipy_and_pair_counting(self):
        row = compare_groups(self.A, self.B).iloc[0]
        expected = stats.mannwhitneyu(self.A, self.B, method="asymptotic")
        assert (row["U"], row["p"], row["exact"]) == (expected.statistic, expected.pvalue, False)
        above = np.sign(self.A[:, None] - self.B)
        assert row["rank_biserial"] == pytest.approx(above.mean(), abs=1e-12)
        assert row["superiority"] == pytest.approx((1 + above.mean()) / 2, abs=1e-12)
        assert (row["n_a"], row["n_b"]) == (60, 45)
        assert row["difference"] == self.A.mean() - self.B.mean()
        assert (row["median_a"], row["median_b"]) == (np.median(self.A), np.median(self.B))

    def test_its_intervals_are_near_those_of_resampled_groups(self):
        row = compare_groups(self.A, self.B).iloc[0]
        rng = np.random.default_rng(9)
        a, b = rng.choice(self.A, (4000, 60)), rng.choice(self.B, (4000, 45))
        means = np.quantile(a.mean(axis=1) - b.mean(axis=1), [0.025, 0.975])
        signs = np.sign(a[:, :, None] - b[:, None, :]).mean(axis=(1, 2))
        assert row[["low", "high"]].tolist() == pytest.approx(means, abs=0.02)
        ends = row[["rank_biserial_low", "rank_biserial_high"]].tolist()
        assert ends == pytest.approx(np.quantile(signs, [0.025, 0.975]), abs=0.03)

    @given(values_of_queries)
    @pytest.mark.filterwarnings("error")
    def test_swapping_the_groups_flips_the_signs(self, values):
        a, b = values[:, 0], values[1:, 1] if len(values) > 1 else values[:, 1]
        there, back = (compare_groups(*pair).iloc[0] for pair in ((a, b), (b, a)))
        assert back["rank_biserial"] == pytest.approx(-there["rank_biserial"], abs=1e-12)
        assert back["difference"] == pytest.approx(-there["difference"], abs=1e-12)
        assert back["p"] == pytest.approx(there["p"], abs=1e-12)
        assert back["U"] + there["U"] == len(a) * len(b)

    @pytest.mark.filterwarnings("error")
    def test_two_groups_of_one_value(self):
        row = compare_groups([0.5, 0.5, 0.5], [0.5, 0.5]).iloc[0]
        assert row["p"] == 1
        assert (row[["difference", "low", "high", "rank_biserial"]] == 0).all()
        assert row["rank_biserial_low"] == pytest.approx(-row["rank_biserial_high"], abs=1e-9)
        assert not row.isna().any()

    @pytest.mark.filterwarnings("error")
    def test_groups_that_do_not_overlap(self):
        row = compare_groups(pd.Series([0.8, 0.9]), (0.1, 0.2, 0.3)).iloc[0]
        assert (row["rank_biserial"], row["rank_biserial_high"]) == (1, 1)
        assert row["rank_biserial_low"] < 0.5
        assert row["p"] == pytest.approx(2 / 10, abs=1e-12)  # the first or the last of 10 orders


class TestMannWhitney:
    def test_ties_by_hand(self):
        row = compare_groups([1, 1, 1], [0.5, 0.5, 0.5]).iloc[0]
        assert (row["U"], row["exact"]) == (9, True)
        assert row["p"] == pytest.approx(2 / 20, abs=1e-12)  # each of 20 arrangements alike

    @given(values_of_queries)
    def test_it_counts_every_arrangement(self, values):
        a, b = values[:5, 0], values[:6, 1]
        joined = np.concatenate([a, b])
        places = [list(chosen) for chosen in combinations(range(len(joined)), len(a))]

        def far_from_the_middle(chosen):
            others = np.delete(joined, chosen)
            return abs(np.sign(joined[chosen][:, None] - others).sum())

        observed = far_from_the_middle(range(len(a)))
        expected = np.mean([far_from_the_middle(chosen) >= observed for chosen in places])
        u, p = mann_whitney(a, b)
        assert p == pytest.approx(expected, abs=1e-12)
        assert 2 * u - len(a) * len(b) == np.sign(a[:, None] - b).sum()

    @pytest.mark.parametrize(("n", "m"), [(3, 4), (25, 30), (50, 50), (2, 900)])
    def test_without_ties_it_is_scipy_s_exact_one(self, n, m):
        rng = np.random.default_rng(n)
        a, b = rng.random(n) + 0.2, rng.random(m)
        expected = stats.mannwhitneyu(a, b, method="exact")
        assert mann_whitney(a, b) == pytest.approx(tuple(expected), abs=1e-12)

    def test_counting_and_the_normal_limit_agree_where_they_meet(self):
        for seed in range(20):
            rng = np.random.default_rng(seed)
            a, b = 1 / rng.geometric(0.3, 50), 1 / rng.geometric(0.3, 50)
            normal = stats.mannwhitneyu(a, b, method="asymptotic").pvalue
            assert mann_whitney(a, b)[1] == pytest.approx(normal, abs=0.005)


TABLE = table_of([1.0, 0.5])
BAD_COMPARISONS = {
    "a list of runs": (compare, ([FIRST, SECOND], QRELS), "does not name the systems"),
    "one run": (compare, ({"A": FIRST}, QRELS), "only 'A'; a comparison takes two"),
    "a path": (compare, ({"A": FIRST, "B": "b.csv"}, QRELS), r"runs\['B'\]: run is a str, not"),
    "values for a run": (
        compare,
        ({"A": FIRST, "B": evaluate(SECOND, QRELS)}, QRELS),
        "compare_values",
    ),
    "a run without scores": (
        compare,
        ({"A": FIRST, "B": SECOND.drop(columns="score")}, QRELS),
        r"Evaluating runs\['B'\]: run: no column 'score'",
    ),
    "no measures": (compare, ({"A": FIRST, "B": SECOND}, QRELS, []), "none against none"),
    "one table": (compare_values, ({"A": TABLE},), "values has only 'A'"),
    "other queries": (
        compare_values,
        ({"A": TABLE, "B": TABLE.iloc[1:]},),
        "not about the same queries: 1 is only in RR of 'A', such as 'q0'",
    ),
    "a query twice": (
        compare_values,
        ({"A": TABLE, "B": TABLE.iloc[[0, 1, 1]]},),
        "RR of 'B' has query 'q1' more than once",
    ),
    "a column twice": (
        compare_values,
        ({"A": TABLE[["RR", "RR"]], "B": TABLE[["RR", "RR"]]},),
        "RR of 'A' is a DataFrame, which does not say whose value is whose",
    ),
    "other measures": (
        compare_values,
        ({"A": TABLE, "B": TABLE.rename(columns={"RR": "AP"})},),
        "do not have the same measures: 'RR' against 'AP'",
    ),
    "text": (
        compare_values,
        ({"A": TABLE, "B": TABLE.astype(str)},),
        "such as '1.0'. Expected numbers",
    ),
    "complex numbers": (
        compare_groups,
        ([1 + 1j], [1]),
        "a holds complex128 values, such as",
    ),
    "true and false": (compare_values, ({"A": TABLE, "B": TABLE > 0.7},), "holds bool values"),
    "nothing in common": (
        compare_values,
        ({"A": TABLE.assign(RR=[1, np.nan]), "B": TABLE.assign(RR=[np.nan, 1])},),
        "No query has a value both in RR of 'A' and in RR of 'B'",
    ),
    "an empty group": (compare_groups, ([], [0.5]), "a has no values"),
    "a gap": (compare_groups, ([0.5], [0.5, np.nan]), r"1 of the 2 values of b is missing \(NaN\)"),
    "a missing value": (
        compare_groups,
        (pd.Series([1, None], dtype="Int64"), [1]),
        "1 of the 2 values",
    ),
    "words": (compare_groups, (["high"], [0.5]), "such as 'high'. Expected numbers"),
    "one text": (compare_groups, ("0.5", [0.5]), "a is a str. Expected a list"),
    "an infinity": (compare_groups, ([0.5, np.inf], [0.5]), "a is inf at 1"),
    "a table": (compare_groups, (TABLE, [0.5]), r"columns 'RR'.*such as a\['RR'\]"),
    "two dimensions": (compare_groups, (np.ones((2, 3)), [1]), r"ndarray of shape \(2, 3\)"),
    "a set": (compare_groups, ({0.5}, [1]), "a is a set"),
}


@pytest.mark.parametrize(
    ("function", "data", "says"), BAD_COMPARISONS.values(), ids=BAD_COMPARISONS
)
def test_bad_data_is_explained(function, data, says):
    with pytest.raises(DataError, match=says):
        function(*data)


@pytest.mark.parametrize(
    ("pairs", "says"),
    [
        ([("A", "C")], "two different names out of 'A', 'B'"),
        ([("A", "A")], "two different names"),
        ([], "pairs is empty"),
        ("AB", "pairs holds"),
    ],
    ids=str,
)
def test_pairs_that_cannot_be_compared(pairs, says):
    with pytest.raises(DataError, match=says):
        compare({"A": FIRST, "B": SECOND}, QRELS, "RR", pairs=pairs)
