"""Systems on the same queries: the table by hand, the verdict, and when data is bad."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from byhand import Conventions, compare
from byhand.statistics import (
    MissingQueriesWarning,
    Size,
    Verdict,
    compare_values,
    differences,
    holm,
    mean_bounds,
    mean_interval,
    size_of,
    verdict,
    verdict_rule,
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
TWO = {"A": FIRST, "B": SECOND}


def table_of(*columns, measures=("RR", "AP", "nDCG")):
    index = pd.Index([f"q{place}" for place in range(len(columns[0]))], name="query_id")
    return pd.DataFrame(dict(zip(measures, columns, strict=False)), index=index)


class TestCompare:
    def test_one_row_by_hand(self):
        # RR 1, 1/2, 1, 1/4 against 1/2, 1/2, 1/4, 1/2: differences 1/2, 0, 3/4, -1/4
        row = compare(TWO, QRELS, "RR").iloc[0].to_dict()
        low, high = mean_interval(np.array([0.5, 0, 0.75, -0.25]))
        deviation = np.sqrt((1 + 1 + 4 + 4) / 48)
        assert row.pop("effect_size") == pytest.approx(0.25 / deviation, abs=1e-12)
        assert row.pop("caution").startswith("With 4 values")
        expected = stats.ttest_rel([1, 1 / 2, 1, 1 / 4], [1 / 2, 1 / 2, 1 / 4, 1 / 2]).pvalue
        assert row.pop("p_t") == pytest.approx(expected, abs=1e-12)
        # here the interval is wider than the gate's bounds
        assert (row.pop("at_least"), row.pop("at_most")) == (low, high)
        assert row == {
            **{"measure": "RR", "a": "A", "b": "B"},
            **{"queries": 4, "missing_a": 0, "missing_b": 0, "left_out": 0},
            **{"mean_a": 0.6875, "mean_b": 0.4375, "difference": 0.25, "low": low, "high": high},
            # sums of ±1/2 ±3/4 ±1/4 as far from 0 as 1: 1 and 3/2, and their negatives, of 8
            **{"p": 0.5, "p_holm": 0.5, "exact": True, "verdict": Verdict.TOO_FEW},
            **{"wins": 2, "ties": 1, "losses": 1},
        }

    def test_one_row_for_each_measure_and_pair_and_how_they_were_made(self):
        found = compare(TWO | {"C": FIRST}, QRELS, ["RR", "P@1"], rng=5, confidence=0.9, **QUICK)
        made = {"confidence": 0.9, "rng": 5, "relevant_from": None, "correct": "all"}
        assert found.attrs == QUICK | made | {"conventions": Conventions().as_dict()}
        rows = [tuple(row) for row in found[["measure", "a", "b"]].to_numpy()]
        assert rows == [(name, a, b) for name in ("RR", "P@1") for a, b in ("AB", "AC", "BC")]
        assert " ".join(found) == (
            "measure a b difference low high p_holm verdict caution queries missing_a missing_b "
            "left_out mean_a mean_b p exact p_t wins ties losses effect_size at_least at_most"
        )

    @pytest.mark.parametrize(
        ("conventions", "queries", "left_out", "means"),
        [
            ("trec_eval -c", 4, 0, (2.75 / 4, 1.5 / 4)),  # counts zero
            ("trec_eval", 3, 1, (1.75 / 3, 0.5)),  # left out for both
        ],
    )
    @pytest.mark.missing_queries
    def test_a_query_that_a_run_lacks_is_reported(self, conventions, queries, left_out, means):
        runs = {"A": FIRST, "B": SECOND[SECOND["query_id"] != "q3"]}
        row = compare(runs, QRELS, "RR", conventions=conventions).iloc[0]
        assert (row["queries"], row["left_out"]) == (queries, left_out)
        assert (row["missing_a"], row["missing_b"]) == (0, 1)
        assert (row["mean_a"], row["mean_b"]) == means


class TestMissing:
    """A system that did not run must not win or lose."""

    QRELS = pd.DataFrame({"query_id": range(30), "doc_id": "D", "relevance": 1})
    FULL = run_of(dict.fromkeys(range(30), 1))
    SECOND = run_of(dict.fromkeys(range(30), 2))

    def lacking(self, n):
        return self.SECOND[self.SECOND["query_id"] >= n]

    @pytest.mark.parametrize("order", ["AB", "BA"])
    def test_a_run_without_two_of_30_queries_gets_a_warning_and_no_verdict(self, order):
        runs = {"A": self.FULL, "B": self.lacking(2)}
        says = r"'B'\] lacks 2 of the 30 judged"
        with pytest.warns(MissingQueriesWarning, match=says) as said:
            row = compare({name: runs[name] for name in order}, self.QRELS, "RR").iloc[0]
        assert [each.filename for each in said] == [__file__]
        assert row["p"] < 0.0003
        assert row["verdict"] == Verdict.WITHHELD

    def test_one_query_of_30_is_no_reason(self):
        row = compare({"A": self.FULL, "B": self.lacking(1)}, self.QRELS, "RR").iloc[0]
        assert (row["missing_b"], row["verdict"]) == (1, Verdict.A_HIGHER)


class TestCompareValues:
    def test_holm_runs_over_all_rows_and_nothing_else_does(self):
        rng = np.random.default_rng(0)
        tables = {n: table_of(*rng.random((3, 30)) ** (1 + 0.4 * i)) for i, n in enumerate("ABC")}
        found = compare_values(tables, **QUICK)
        p = found["p"].to_numpy()
        wanted = {"all": holm(p).tolist()}
        wanted["primary"] = holm(p[:3]).tolist() + wanted["all"][3:]
        for correct, each in wanted.items():
            corrected = compare_values(tables, correct=correct, **QUICK)
            assert corrected["p_holm"].tolist() == each
            assert corrected.attrs["correct"] == correct
        alone = compare_values({name: tables[name][["AP"]] for name in "BC"}, **QUICK)
        among = found.query("measure == 'AP' and a == 'B'")
        of_all = ("p_holm", "verdict", "at_least", "at_most")
        together = [column for column in alone if column not in of_all]
        assert among[together].to_numpy().tolist() == alone[together].to_numpy().tolist()

    @pytest.mark.parametrize(
        ("confidence", "found"), [(0.95, Verdict.TOO_FEW), (0.8, Verdict.A_HIGHER)]
    )
    def test_the_verdict_is_as_strict_as_the_interval(self, confidence, found):
        values = {"A": table_of([0.5, 0.6, 0.7, 0.8]), "B": table_of([0.1, 0.3, 0.2, 0.3])}
        row = compare_values(values, confidence=confidence).iloc[0]
        assert (row["p"], row["verdict"]) == (0.125, found)
        difference = differences(values["A"]["RR"], values["B"]["RR"])
        assert (row["low"], row["high"]) == mean_interval(difference, confidence=confidence)

    @pytest.mark.parametrize(
        ("a", "b", "found"),
        [
            ([1.0], [0.5], np.nan),  # one query says nothing of how they vary
            ([0.1, 0.3, 0.2], [0.0, 0.2, 0.1], np.inf),  # but for rounding
            ([0.5] * 3, [1.0] * 3, -np.inf),
            ([0.5] * 3, [0.5] * 3, 0),
        ],
    )
    def test_differences_that_do_not_vary(self, a, b, found):
        row = compare_values({"A": table_of(a), "B": table_of(b)}).iloc[0]
        assert row["effect_size"] == pytest.approx(found, nan_ok=True)
        assert np.isnan(row["low"]) == np.isnan(row["high"]) == (len(a) == 1)


class TestMatters:
    """What is said of the size of a difference, by corrected bounds."""

    @pytest.mark.parametrize(
        ("ends", "found"),
        [
            ((0.03, 0.1), Size.OVER),
            ((-0.1, -0.03), Size.OVER),
            ((-0.01, 0.019), Size.WITHIN),
            ((0.02, 0.1), Size.OPEN),
            ((-0.02, 0.01), Size.OPEN),
            ((np.nan, np.nan), Size.OPEN),
        ],
    )
    def test_the_rule(self, ends, found):
        assert size_of(*ends, 0.02) is found

    def test_bounds_are_of_all_rows_that_are_corrected_together(self):
        values = np.random.default_rng(1).uniform(0, 0.5, (3, 40))
        tables = {name: table_of(*values * scale) for name, scale in (("A", 1), ("B", 1.5))}
        for correct, of in (("all", 3), ("primary", 1)):
            row = compare_values(tables, correct=correct, confidence=0.9, **QUICK).iloc[0]
            difference = differences(*(table["RR"] for table in tables.values()))
            low, high = mean_bounds(difference, 1.0, alpha=0.1 / of)
            assert row["at_least"] == min(low, row["low"])
            assert row["at_most"] == max(high, row["high"])

    def test_without_a_scale_or_a_verdict_nothing_is_said(self):
        a, b = table_of(np.full(40, 0.9), np.full(40, 9.0)), table_of(np.full(40, 0.1), np.ones(40))
        found = compare_values({"A": a, "B": b}, matters=0.02)
        assert found["size"].tolist() == ["more than 0.02", "inconclusive"]
        assert found.loc[1, ["at_least", "at_most"]].isna().all()
        found = compare_values({"A": a, "B": b}, matters=0.02, missing={"B": 4})
        assert found["size"].tolist() == ["inconclusive"] * 2


def test_rounding_is_a_tie_and_a_difference_is_not_and_what_is_small_depends_on_the_values():
    a, b = [0.1 + 0.2, 1 / 100_000, 1.0], [0.3, 1 / 99_999, 0.0]
    assert differences(a, b).tolist() == [0, 1 / 100_000 - 1 / 99_999, 1]
    assert differences([1e-14], [2e-14]).tolist() == [-1e-14]
    assert differences([1e9 + 1e-5, 3], [1e9, 4]).tolist() == [0, -1]


class TestVerdict:
    @pytest.mark.parametrize(
        ("p", "low", "high", "options", "found"),
        [
            (0.05, 0.001, 0.1, {}, Verdict.A_HIGHER),
            (0.05, -0.1, -0.001, {}, Verdict.B_HIGHER),
            (0.051, 0.001, 0.1, {}, Verdict.INCONCLUSIVE),  # the interval alone does not say it
            (0.04, 0, 0.1, {}, Verdict.INCONCLUSIVE),  # nor does p
            (0.04, -0.1, 0.1, {}, Verdict.INCONCLUSIVE),
            (0.03, np.nan, np.nan, {}, Verdict.INCONCLUSIVE),
            (0.03, 0.1, 0.2, {"alpha": 0.01}, Verdict.INCONCLUSIVE),
            (0.03, 0.1, 0.2, {"differ": 6}, Verdict.A_HIGHER),
            (0.03, 0.1, 0.2, {"differ": 5}, Verdict.TOO_FEW),
            (0.0001, 0.1, 0.2, {"missing": 0.05}, Verdict.A_HIGHER),
            (0.0001, 0.1, 0.2, {"missing": 0.051}, Verdict.WITHHELD),
            (0.125, 0.1, 0.2, {"missing": 0.5, "differ": 4}, Verdict.WITHHELD),
        ],
    )
    def test_the_rule(self, p, low, high, options, found):
        assert verdict(p, low, high, **{"differ": 50} | options) is found

    def test_the_words_say_the_numbers_of_the_rule(self):
        said = verdict_rule(alpha=0.01)
        for part in ("at most 0.01", "the 99% interval", "fewer than 8 queries", "more than 5%"):
            assert part in said
