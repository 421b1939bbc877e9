"""The record of the documents' numbers: its rows, and what its verdicts rest on.

The documents are not part of the project. Each row's value and verdict stand at the end of its
document's notebook, where nbval compares them.
"""

import math
from fractions import Fraction
from statistics import mean

import pytest

import byhand
from byhand import DataError
from byhand.metrics import chance_at_mean
from helpers import documented_values, record, worked_example
from helpers.measuring import chance_ratio, placements
from helpers.printed_values import PrintedValue, rows
from helpers.record import verdict
from helpers.record_tables import record_html
from helpers.spots import THEMES, corrected_value, mixed_orders


@pytest.fixture(scope="module")
def values():
    return documented_values()


# --- Its rows ---------------------------------------------------------------------------------


def test_rows_hang_together(values):
    data = rows()
    assert data.index.is_unique
    assert (data.index.str.split("-").str[0] == data["document"]).all()
    assert set(data["kind"]) == {"result", "intermediate", "interpretation", "claim"}
    table = record.formulas()
    is_computed, is_cited = table["formula"] != "", data.index.isin([*record.CITED])
    assert ((data["how"] != "") == is_computed | is_cited).all()
    assert set(data.loc[table["says"] != "", "kind"]) == {"claim"}
    assert is_computed[(table["says"] + table["holds"] != "")].all()
    assert is_computed[[*record.ON_OUR_TABLE]].all()
    assert set(values.loc[~is_computed & ~is_cited, "verdict"]) == {"no data"}
    assert set(values.loc[is_cited, ["kind", "verdict"]].agg(" ".join, axis=1)) == {"claim right"}
    assert values.loc[is_cited, "why"].str.contains(r"\b(?:19|20)\d\d\b").all()  # of a source


def test_everything_but_what_is_right_comes_with_a_reason(values):
    assert (values["why"][values["verdict"] != "right"].str.len() > 20).all()


# --- Printed values and verdicts --------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "x", "~", "1,00", "10,0000", "1.", ".5", "-1", "1/", "high"])
def test_other_texts_are_no_values(text):
    with pytest.raises(DataError, match="not a printed value"):
        PrintedValue.parse(text)


@pytest.mark.parametrize(
    ("printed", "computed", "steps", "expected"),
    [
        ("0.3333", Fraction(1, 3), "", "right"),
        ("0.3333", 1 / 3, "", "right"),
        ("0.3334", Fraction(1, 3), "", "wrong"),
        ("0.25", Fraction(51, 200), "", "right"),  # half a unit away: either rounding
        ("0.25", Fraction(511, 2000), "", "wrong"),
        ("2", Fraction(21, 10), "", "wrong"),
        ("~2", Fraction(5, 2), "", "right"),
        ("~2", Fraction(251, 100), "", "wrong"),
        ("2.4x", Fraction(235, 100), "", "right"),
        ("2.4x", Fraction(2349, 1000), "", "wrong"),
        ("100,000", 100_000.5, "", "wrong"),
        ("quase máxima", Fraction(9, 10), "", "right"),
        ("quase máxima", Fraction(899, 1000), "", "wrong"),
        ("um", Fraction(999_999, 1_000_000), "", "wrong"),
        ("3/4", Fraction(75_001, 100_000), "", "wrong"),
        ("—", math.inf, "", "right"),  # not found, as no rank is
        ("—", Fraction(3), "", "wrong"),
        ("3", math.inf, "", "wrong"),
        # the mean of the steps as printed: (1 + 0.6667) / 2
        ("0.8334", Fraction(5, 6), "1.0000 0.6667", "rounding"),
        ("0.8333", Fraction(5, 6), "1.0000 0.6667", "right"),
        # the steps give neither
        ("0.8335", Fraction(5, 6), "1.0000 0.6667", "wrong"),
        ("0.7333", Fraction(7, 10), "1/1 2/4 3/5", "wrong"),
        # the steps may be as far away as the last digit of the roughest of them
        ("0.80", Fraction(750, 1000), "0.6 1.0000", "rounding"),
        ("0.80", Fraction(749, 1000), "0.6 1.0000", "wrong"),
        # the steps give it, but one of them is wrong itself
        ("0.8500", Fraction(5, 6), "1.0000 0.7000", "wrong"),
    ],
)
def test_verdicts(printed, computed, steps, expected):
    printed, *steps = map(PrintedValue.parse, [printed, *steps.split()])
    assert verdict(printed, computed, steps=steps) == expected
    if expected != "right":  # whatever else there is to say
        assert verdict(printed, computed, steps=steps, holds=False, published=False) == expected


# --- What the reasons say ---------------------------------------------------------------------


def measure(name, ranks, length=10):
    return byhand.measure_list(name, range(1, length + 1), set(ranks))


def mrr(*ranks):
    return sum(1 / rank for rank in ranks) / len(ranks)


def different(name):
    return len({round(float(value), 12) for value in placements(name, 3, 8)})


PATTERNS = [mean(corrected_value(order, theme) for theme in THEMES) for order in mixed_orders()]
LATE, LATER = [1, *[430] * 99], [5, *[9_900] * 99]


@pytest.mark.parametrize(
    ("row", "computed", "said"),
    [
        ("d4-closer", mrr(1, 9), "at ranks 1 and 9 have an MRR of {:.2f}"),
        ("d4-closer", mrr(2, 2), "and at 2 and 2 of {:.1f}"),
        ("tracin-mrr-best", measure("AP", {1, 9, 10}), "RR 1 and AP {:.2f}"),
        ("tracin-mrr-best", measure("AP", {2, 3, 4}), "RR 1/2 and AP {:.2f}"),
        ("tracin-map-excellent", measure("AP", range(2, 13), 12), "with 11 of 12, AP is {:.2f}"),
        (
            "tracin-map-excellent",
            measure("AP", [*range(1, 13), *range(101, 106)], 1000),
            "only 12 there, AP is {:.2f} at most",
        ),
        ("tracin-ccggdd-rank", mrr(*LATE), "also have an MRR of {:.4f}"),
        ("tracin-ccggdd-rank", mean(LATE), "but an average of {:.0f}"),
        ("tracin-cggd-rank", mrr(*LATER), "also have an MRR of {:.4f}"),
        ("tracin-cggd-rank", mean(LATER), "but an average of {:,.0f}"),
        ("tracin-complete-picture", measure("DCG", {1, 4, 6}), "apart, {:.3f} and"),
        ("tracin-complete-picture", measure("DCG", {1, 3, 9}), "and {:.3f}."),
        ("ko-very-different", different("AP"), "where AP has {}"),
        ("ko-very-different", different("nDCG"), "nDCG {}."),
        ("tracin-code-mrr", mean([Fraction(1, 2), 1, 0]), "the formula gives {} and"),
        ("tracin-code-mrr", mean([Fraction(1, 2), 1]), "the code {}."),
        ("tracin-code-ap", measure("AP", {2, 3, 8}, 8) * 3 / 4, "the formula gives {:.3f}"),
        ("tracin-code-ap", measure("AP", {2, 3, 8}, 8), "the code {:.3f}"),
        (
            "tracin-top-results",
            1 - chance_at_mean(10_000, 1.69, "RR@10") / chance_at_mean(10_000, 1.69),
            "have {:.0%} of their RR",
        ),
        *(
            (row, chance_ratio(name, n), f"{{:.1f}} {'in lists ' * (n < 2000)}of {n:,}")
            for row, name in (("tracin-ratio-mrr", "RR"), ("tracin-ratio-map", "AP"))
            for n in (1_000, 10_000, 100_000)
        ),
        ("tracin-map-more", measure("AP", {2, 3}, 7), "from {:.2f} to"),
        ("pt-relevant-size", byhand.chance(100, 1), "RR {:.2f} with one"),
        ("pt-relevant-size", byhand.chance(100, 10), "and {:.2f} with ten"),
        ("pt-ndcg-lowest", measure("nDCG", {3, 4}, 4), "still has {:.2f}."),
        ("pt-exam-ndcg", measure("nDCG", {2}, 20), "It would be {:.2f} if"),
        ("tracin-map-moderate", measure("AP", {3, 4, 5}), "have AP {:.2f}."),
        ("tracin-fewer-edges", byhand.chance(10_000, 17, "AP"), "{:.4f} with 17"),
        ("tracin-fewer-edges", byhand.chance(10_000, 2, "AP"), "{:.4f} with 2."),
        ("tracin-ranks-better", chance_ratio("AP"), "is still {:.1f} times as high"),
        ("tracin-not-chance", chance_ratio("RR"), "is {:.1f} times that"),
        ("spots-more-appropriate", min(PATTERNS), "scores from {:.1f} to"),
        ("spots-more-appropriate", max(PATTERNS), "to {:.2f}, and"),
        ("tracin-map-more", measure("AP", {2, 3, 8}, 8), "to {:.2f}."),
    ],
)
def test_a_reason_gives_the_number_that_comes_out(values, row, computed, said):
    assert said.format(computed) in values.at[row, "why"]


def test_random_orders_that_have_the_documented_means(values):
    for measure, n_items, n_relevant, printed in (
        ("RR", 8_850, 17.37, "0.0123"),
        ("RR", 6_900, 1.69, "0.0021"),
        ("AP", 5_300, 17.37, "0.0048"),
        ("AP", 4_900, 1.69, "0.0020"),
    ):
        assert f"{chance_at_mean(n_items, n_relevant, measure):.4f}" == printed
        row = values[values["documented"] == printed].iloc[0]
        assert f"about {n_items:,} edges, {n_relevant} of them" in row["why"]


def test_what_the_reasons_rest_on(values):
    # random orders have more than the documented ratio of RR
    documented = Fraction("0.0123") / Fraction("0.0021")
    assert all(chance_ratio("RR", n) > documented for n in (1_000, 10_000, 100_000))
    # four of seven random orders of the spots get the highest mean
    assert Fraction(PATTERNS.count(max(PATTERNS)), len(PATTERNS)) == Fraction(4, 7)
    # edges side by side have the documented MAP
    for row in ("tracin-ccggdd", "tracin-cggd"):
        side_by_side = values.at[f"{row}-spread", "computed"]
        assert f"{side_by_side:.4f}" == values.at[f"{row}-map", "documented"]


def test_scikit_learn_has_no_reciprocal_rank_and_its_nearest_function_is_a_mean_ap():
    metrics = pytest.importorskip("sklearn.metrics")
    assert not [name for name in dir(metrics) if "reciprocal" in name or "mrr" in name.lower()]
    found = {}
    for example in ("mrr", "table"):
        cases = worked_example("pt", example).values()
        relevant = [[item in case.relevant for item in case.ranked] for case in cases]
        scores = [[4, 3, 2, 1]] * 3
        found[example] = metrics.label_ranking_average_precision_score(relevant, scores)
    # the second is no MRR: all three lists begin with a hit
    assert found == pytest.approx({"mrr": 11 / 18, "table": 31 / 36}, abs=1e-12)


# --- Its tables ---------------------------------------------------------------------------------


def test_what_the_rows_hold_is_text_and_never_markup(values):
    row = values.head(1).assign(what="<b>what</b>", why="<script>", how="<i>", documented="<u>")
    page = record_html(row)
    for tag in ("<b>what", "<script", "<i>", "<u>"):
        assert tag not in page
