"""The record of the documents' numbers: its rows, and a verdict for each that cannot change unseen.

The documents are not part of the project. What is held here was read from them once.
"""

from fractions import Fraction
from itertools import combinations
from pathlib import Path
from statistics import mean

import pandas as pd
import pytest

import byhand
import helpers
from byhand.errors import DataError
from helpers.places import DATA
from helpers.record.claims.tracin import chance_ratio
from helpers.record.printed import Printed
from helpers.record.printed import record as stored_record
from helpers.record.spots import SCORES, THEMES, most_visited
from helpers.record.values import CLAIMS, documented_values, verdict
from helpers.tracin import chance_at_mean
from helpers.worked_examples import worked_example

ROWS = {
    ("ko", "RR · Intro"): 2,
    ("ko", "RR · 개념"): 1,
    ("ko", "RR · 특징"): 1,
    ("ko", "RR · 사용하는 경우"): 1,
    ("ko", "RR · 수식"): 2,
    ("ko", "RR · 코드"): 1,
    ("ko", "RR · 한계점"): 1,
    ("ko", "MRR · 수식"): 1,
    ("ko", "MRR · 코드"): 8,
    ("pt", "O que é"): 3,
    ("pt", "Fórmula"): 2,
    ("pt", "Como interpretar"): 5,
    ("pt", "Em Python"): 4,
    ("pt", "Diferença do NDCG"): 17,
    ("pt", "Diferença da MAP"): 16,
    ("d4", "Definition"): 1,
    ("d4", "Formula"): 2,
    ("d4", "Step-by-Step Example"): 11,
    ("d4", "Applications of MRR"): 2,
    ("d4", "Characteristics"): 5,
    ("tracin", "MRR · Example"): 10,
    ("tracin", "MRR · Interpretation"): 4,
    ("tracin", "MRR · When to Use"): 2,
    ("tracin", "MAP · Example"): 25,
    ("tracin", "MAP · Interpretation"): 5,
    ("tracin", "MAP · When to Use"): 2,
    ("tracin", "MRR vs MAP"): 8,
    ("tracin", "Scenarios A and B"): 22,
    ("tracin", "Code"): 4,
    ("tracin", "Evaluation Setup"): 2,
    ("tracin", "Real Data"): 15,
    ("tracin", "Significance"): 7,
    ("tracin", "Limitations"): 7,
    ("tracin", "Summary"): 2,
    ("spots", "Problem Identification"): 1,
    ("spots", "Original Method"): 1,
    ("spots", "Corrected Method"): 1,
    ("spots", "Results"): 12,
    ("spots", "Analysis"): 4,
    ("spots", "Conclusion"): 1,
}

# id | as printed | computed | verdict
EXPECTED = """
ko-how-many | 얼마나 많이 | 0 | reproduced
ko-clicks | 클릭률 | - | not reproducible
ko-steeply | 급격히 | 1/2 | reproduced
ko-second-hits | 전혀 반영하지 않는 | 1/2 | reproduced
ko-one-answer | 단 하나의 정답 | 1/2 | reproduced
ko-no-hit | 0 | 0 | reproduced
ko-very-different | 매우 다른 성격 | 6 | reproduced
ko-rr5 | 0.5 | 1/2 | reproduced
ko-ten-hits | 부적합 | 0 | reproduced
ko-mrr-no-hit | 0 | 0 | reproduced
ko-code-mrr | 0.375 | 3/8 | reproduced
ko-grades | 관련도 점수 | 3/8 | reproduced
ko-case1-rr | 0.5 | 1/2 | reproduced
ko-case1-fraction | 1/2 | 1/2 | reproduced
ko-case2-rr | 0.25 | 1/4 | reproduced
ko-case2-fraction | 1/4 | 1/4 | reproduced
ko-sum | 3/4 | 3/4 | reproduced
ko-mrr | 0.375 | 3/8 | reproduced
pt-list-size | independente do tamanho | 0 | misleading
pt-relevant-size | robusto | 0.2591658532 | misleading
pt-ten-items | não afetará | 1 | reproduced
pt-no-hit | zero | 0 | reproduced
pt-binary-scores | indicador binário | 1/4 | misleading
pt-lowest | 0 | 0 | reproduced
pt-highest | 1 | 1 | reproduced
pt-all-first | um | 1 | reproduced
pt-none-found | zero | 0 | reproduced
pt-between | entre zero e um | 11/18 | reproduced
pt-scikit-learn | não temos uma função | 31/36 | reproduced
pt-zip | Para cada usuário | 1/2 | misleading
pt-no-hit-code | zero | 0 | reproduced
pt-rank-formula | 1 / rank(i+1) | 1/4 | misleading
pt-ndcg-complete | mais poderosa e completa | 12 | reproduced
pt-ndcg-lowest | 0 | 0 | reproduced
pt-ndcg-highest | 1 | 1 | reproduced
pt-ndcg-positions | todos os itens | 6 | reproduced
pt-exam-mrr | quase máxima | 1/2 | wrong
pt-exam-ndcg | não acontece | 0.0896172872 | reproduced
pt-table-rr1 | 1 | 1 | reproduced
pt-table-ndcg1 | 1 | 1 | reproduced
pt-table-rr2 | 1 | 1 | reproduced
pt-table-ndcg2 | 0.919721 | 0.9197207891 | reproduced
pt-table-rr3 | 1 | 1 | reproduced
pt-table-ndcg3 | 0.877215 | 0.8772153153 | reproduced
pt-same-rr | 1 | 1 | reproduced
pt-ndcg-differs | consegue capturar | 3 | reproduced
pt-one-item | apenas um item relevante | 0 | reproduced
pt-several-items | opção melhor | 2 | reproduced
pt-ndcg-grades | diferentes de zero e um | 0.796707581 | reproduced
pt-map-lowest | 0 | 0 | reproduced
pt-map-highest | 1 | 1 | reproduced
pt-map-between | ponto intermediário | 6 | reproduced
pt-map-average | média dessas precisões | 7/12 | wrong
pt-table2-rr1 | 1 | 1 | reproduced
pt-table2-ndcg1 | 1 | 1 | reproduced
pt-table2-ap1 | 1 | 1 | reproduced
pt-table2-rr2 | 1 | 1 | reproduced
pt-table2-ndcg2 | 0.919721 | 0.9197207891 | reproduced
pt-table2-ap2 | 0.833333 | 5/6 | reproduced
pt-table2-rr3 | 1 | 1 | reproduced
pt-table2-ndcg3 | 0.877215 | 0.8772153153 | reproduced
pt-table2-ap3 | 0.75 | 3/4 | reproduced
pt-map-positions | todos os itens relevantes | 3 | reproduced
pt-grades-better | mais adequado | 0.203292419 | reproduced
pt-arguments-map | também se aplicam | 1/40 | reproduced
d4-closer | appearing earlier | 4/5 | reproduced
d4-number-of-queries | Total number of queries | 1/2 | reproduced
d4-no-hit | 0 | 0 | reproduced
d4-q1-rank | 2 | 2 | reproduced
d4-q1-fraction | 1/2 | 1/2 | reproduced
d4-q1-rr | 0.5 | 1/2 | reproduced
d4-q2-rank | 1 | 1 | reproduced
d4-q2-fraction | 1/1 | 1 | reproduced
d4-q2-rr | 1.0 | 1 | reproduced
d4-q3-rank | — | inf | reproduced
d4-q3-rr | 0 | 0 | reproduced
d4-weight | 1/3 | 1/3 | reproduced
d4-sum | 1.5 | 3/2 | reproduced
d4-mrr | 0.5 | 1/2 | reproduced
d4-top-only | only the top recommendation | 1/3 | misleading
d4-used-in | Used in TREC | - | not reproducible
d4-lowest | 0 | 0 | reproduced
d4-highest | 1 | 1 | reproduced
d4-perfect | 1 | 1 | reproduced
d4-worst | 0 | 0 | reproduced
d4-top-sensitive | Sensitive to Top Results | 45 | reproduced
tracin-mrr1-rank | 3 | 3 | reproduced
tracin-mrr1-fraction | 1/3 | 1/3 | reproduced
tracin-mrr1-rr | 0.3333 | 1/3 | reproduced
tracin-mrr2-rank | 1 | 1 | reproduced
tracin-mrr2-fraction | 1/1 | 1 | reproduced
tracin-mrr2-rr | 1.0000 | 1 | reproduced
tracin-mrr3-rank | 5 | 5 | reproduced
tracin-mrr3-fraction | 1/5 | 1/5 | reproduced
tracin-mrr3-rr | 0.2000 | 1/5 | reproduced
tracin-mrr | 0.5111 | 23/45 | reproduced
tracin-mean-rank-1 | 1 | 1 | reproduced
tracin-mean-rank-2 | 2 | 2 | misleading
tracin-mean-rank-10 | 10 | 10 | misleading
tracin-mrr-best | better at ranking | 4/5 | reproduced
tracin-top-results | only the top-ranked results | 1/11 | misleading
tracin-mrr-equal | equally valuable | 0 | reproduced
tracin-map1-rank1 | 2 | 2 | reproduced
tracin-map1-fraction1 | 1/2 | 1/2 | reproduced
tracin-map1-precision1 | 0.5000 | 1/2 | reproduced
tracin-map1-rank2 | 4 | 4 | reproduced
tracin-map1-fraction2 | 2/4 | 1/2 | reproduced
tracin-map1-precision2 | 0.5000 | 1/2 | reproduced
tracin-map1-rank3 | 6 | 6 | reproduced
tracin-map1-fraction3 | 3/6 | 1/2 | reproduced
tracin-map1-precision3 | 0.5000 | 1/2 | reproduced
tracin-map1-weight | 1/3 | 1/3 | reproduced
tracin-map1-ap | 0.5000 | 1/2 | reproduced
tracin-map2-rank1 | 1 | 1 | reproduced
tracin-map2-fraction1 | 1/1 | 1 | reproduced
tracin-map2-precision1 | 1.0000 | 1 | reproduced
tracin-map2-rank2 | 3 | 3 | reproduced
tracin-map2-fraction2 | 2/3 | 2/3 | reproduced
tracin-map2-precision2 | 0.6667 | 2/3 | reproduced
tracin-map2-weight | 1/2 | 1/2 | reproduced
tracin-map2-ap | 0.8334 | 5/6 | rounding
tracin-map3-rank1 | 3 | 3 | reproduced
tracin-map3-fraction1 | 1/3 | 1/3 | reproduced
tracin-map3-precision1 | 0.3333 | 1/3 | reproduced
tracin-map3-weight | 1/1 | 1 | reproduced
tracin-map3-ap | 0.3333 | 1/3 | reproduced
tracin-map | 0.5556 | 5/9 | reproduced
tracin-map-perfect | 1.0 | 1 | reproduced
tracin-map-excellent | 0.8 | 0.8002631782 | reproduced
tracin-map-moderate | 0.5 | 43/90 | misleading
tracin-map-poor | 0.1 | 1/10 | misleading
tracin-map-best | better overall ranking quality | 1/12 | reproduced
tracin-map-more | finding more relevant items | 3/32 | reproduced
tracin-map-order | order of all relevant items | 3/10 | reproduced
tracin-first-only | Only cares about position | 1/3 | reproduced
tracin-map-all | positions of all | 4 | reproduced
tracin-table-mrr-lowest | 0 | 0 | reproduced
tracin-table-mrr-highest | 1 | 1 | reproduced
tracin-table-map-lowest | 0 | 0 | reproduced
tracin-table-map-highest | 1 | 1 | reproduced
tracin-table-mrr-best | 1.0 | 1 | reproduced
tracin-table-map-best | 1.0 | 1 | reproduced
tracin-a-rank1 | 1 | 1 | reproduced
tracin-a-rank2 | 4 | 4 | reproduced
tracin-a-rank3 | 5 | 5 | reproduced
tracin-a-rr | 1.0 | 1 | reproduced
tracin-a-weight | 1/3 | 1/3 | reproduced
tracin-a-precision1 | 1/1 | 1 | reproduced
tracin-a-precision2 | 2/4 | 1/2 | reproduced
tracin-a-precision3 | 3/5 | 3/5 | reproduced
tracin-a-ap | 0.7333 | 7/10 | wrong
tracin-b-rank1 | 1 | 1 | reproduced
tracin-b-rank2 | 2 | 2 | reproduced
tracin-b-rank3 | 3 | 3 | reproduced
tracin-b-rr | 1.0 | 1 | reproduced
tracin-b-weight | 1/3 | 1/3 | reproduced
tracin-b-precision1 | 1/1 | 1 | reproduced
tracin-b-precision2 | 2/2 | 1 | reproduced
tracin-b-precision3 | 3/3 | 1 | reproduced
tracin-b-ap | 1.0000 | 1 | reproduced
tracin-analysis-rr | 1.0 | 1 | reproduced
tracin-analysis-b | 1.0 | 1 | reproduced
tracin-analysis-a | 0.7333 | 7/10 | wrong
tracin-analysis-differs | distinguishes | 1 | reproduced
tracin-code-mrr | Mean Reciprocal Rank | 3/4 | wrong
tracin-code-ap | Average Precision | 37/72 | wrong
tracin-code-total | total_items | 0 | misleading
tracin-code-totals | all_total_items | 2/3 | misleading
tracin-edges-least | ~1000 | - | not reproducible
tracin-edges-most | 100,000 | - | not reproducible
tracin-ccggdd-mrr | 0.0123 | - | not reproducible
tracin-ccggdd-rank | ~81 | 43000/529 | misleading
tracin-ccggdd-map | 0.0048 | - | not reproducible
tracin-ccggdd-spread | spread | 0.004811142279 | misleading
tracin-ccggdd-relevant | 17.37 | - | not reproducible
tracin-cggd-mrr | 0.0021 | - | not reproducible
tracin-cggd-rank | ~476 | 10000/21 | misleading
tracin-cggd-map | 0.0020 | - | not reproducible
tracin-cggd-spread | more scattered | 0.001998224589 | misleading
tracin-cggd-relevant | 1.69 | - | not reproducible
tracin-ratio-mrr | 6x | 41/7 | misleading
tracin-finds-faster | much faster | 2029/165000 | misleading
tracin-ratio-map | 2.4x | 12/5 | misleading
tracin-ranks-better | ranks all GTs better | 2.495296383 | misleading
tracin-ratio-relevant | 10x | 1737/169 | reproduced
tracin-p-mrr | 0.000017 | - | not reproducible
tracin-significant-mrr | highly significant | - | not reproducible
tracin-p-map | 0.000024 | - | not reproducible
tracin-significant-map | highly significant | - | not reproducible
tracin-test-means | differences in MRR | 2/3 | misleading
tracin-test-means-map | MRR and MAP | 2/3 | misleading
tracin-not-chance | not due to chance | 7.325926175 | misleading
tracin-ten-edges | 10 GT edges | 1 | reproduced
tracin-binary | Binary view | 23/45 | wrong
tracin-tail | doesn't affect | 0 | reproduced
tracin-equal-edges | equally important | 0 | reproduced
tracin-fewer-edges | Easier | 0.4185193544 | misleading
tracin-only-relevant | Only GT positions | 0 | reproduced
tracin-complete-picture | complete picture | 2 | misleading
tracin-summary-lowest | 0 | 0 | reproduced
tracin-summary-highest | 1 | 1 | reproduced
spots-inaccurate | inaccurate evaluation results | 0 | misleading
spots-original-standard | does not conform | 18 | reproduced
spots-corrected-standard | standard definition of MRR | 0 | reproduced
spots-steins-weighted-original | 0.5000 | 1/2 | not reproducible
spots-steins-weighted-corrected | 1.0000 | 1 | reproduced
spots-steins-normalized-original | 0.2500 | 1/4 | not reproducible
spots-steins-normalized-corrected | 1.0000 | 1 | reproduced
spots-love-weighted-original | 0.3333 | 1/3 | not reproducible
spots-love-weighted-corrected | 0.5000 | 1/2 | not reproducible
spots-love-normalized-original | 0.3333 | 1/3 | not reproducible
spots-love-normalized-corrected | 0.5000 | 1/2 | not reproducible
spots-mean-weighted-original | 0.4167 | 5/12 | reproduced
spots-mean-weighted-corrected | 0.7500 | 3/4 | reproduced
spots-mean-normalized-original | 0.2917 | 7/24 | reproduced
spots-mean-normalized-corrected | 0.7500 | 3/4 | reproduced
spots-original-accuracy | accuracy in sorting | 1 | misleading
spots-corrected-ability | quickly identify | 5 | reproduced
spots-original-suits | already selected a specific theme | 1 | reproduced
spots-corrected-suits | from all candidates | 5 | reproduced
spots-more-appropriate | more appropriate | 0 | misleading
"""


def expected():
    return [tuple(line.split(" | ")) for line in EXPECTED.strip().splitlines()]


def shown(value):
    if value is None:
        return "-"
    return str(value) if isinstance(value, Fraction) else f"{value:.10g}"


@pytest.fixture(scope="module")
def record():
    return pd.read_csv(DATA / "documented-values.csv", dtype=str, keep_default_na=False)


@pytest.fixture(scope="module")
def values():
    return documented_values()


def test_every_section_has_its_rows(record):
    assert record.groupby(["document", "section"]).size().to_dict() == ROWS


def test_ids_name_the_document_and_are_not_repeated(record):
    assert record["id"].is_unique
    assert (record["id"].str.split("-").str[0] == record["document"]).all()


def test_every_printed_value_can_be_read_and_no_claim_can(record):
    for row in record.itertuples():
        if row.kind == "claim":
            with pytest.raises(DataError, match="no printed value"):
                Printed.parse(row.documented)
        else:
            assert row.kind in {"result", "intermediate", "interpretation"}
            Printed.parse(row.documented)


def test_a_claim_is_decided_and_no_number_is_computed_out_of_sight(record):
    rows = record.set_index("id")
    claims = set(rows.index[(rows["kind"] == "claim") & (rows["compute"] != "")])
    assert claims <= set(CLAIMS) <= set(rows.index)
    assert {row for row, claim in CLAIMS.items() if claim.value is not None} <= claims
    assert {row for row, claim in CLAIMS.items() if claim.said is not None} <= claims


def test_only_what_has_no_data_has_no_computation(record, values):
    without = [value is None for value in values["computed"]]
    assert list(values.index[without]) == record.loc[record["compute"] == "", "id"].tolist()


@pytest.mark.parametrize(
    ("column", "text", "expected"),
    [
        ("compute", "d4/mrr: MRR", "'d4/mrr: MRR' is no computation. Expected one of these forms:"),
        ("compute", "d4/mrr: MRRR of Q1", "'MRRR' is not a measure"),
        ("compute", "d4/map: RR of Q1", "has no example 'map'. It has: mrr"),
        ("documented", "half", "'half' is no printed value"),
        ("steps", "d4-q4-rr", "no row 'd4-q4-rr'"),
    ],
)
def test_a_row_that_cannot_be_read_is_named(monkeypatch, column, text, expected):
    rows = stored_record().copy()
    rows.loc["d4-q1-rr", column] = text
    monkeypatch.setattr("helpers.record.values.record", lambda: rows)
    with pytest.raises(DataError, match=f"^Row 'd4-q1-rr' of documented-values.csv: .*{expected}"):
        documented_values()


def test_a_value_without_data_must_still_be_readable(monkeypatch):
    rows = stored_record().copy()
    rows.loc["tracin-p-mrr", "documented"] = "small"
    monkeypatch.setattr("helpers.record.values.record", lambda: rows)
    with pytest.raises(DataError, match=r"^Row 'tracin-p-mrr' .*'small' is no printed value"):
        documented_values()


def test_steps_are_rows_with_numbers(record):
    numbers = set(record.query("kind != 'claim'")["id"])
    assert {step for steps in record["steps"] for step in steps.split()} <= numbers


def test_no_value_and_no_verdict_has_changed(values):
    found = [
        (row, values.at[row, "documented"], shown(values.at[row, "computed"]), verdict)
        for row, verdict in values["verdict"].items()
    ]
    assert found == expected()


def test_computed_values_are_exact_or_floats_and_none_without_data(values):
    assert {type(value) for value in values["computed"]} == {Fraction, float, type(None)}
    without = values[[value is None for value in values["computed"]]]
    assert set(without["verdict"]) == {"not reproducible"}


def test_everything_but_a_reproduced_number_comes_with_a_reason(values):
    assert (values["why"][values["verdict"] != "reproduced"].str.len() > 20).all()
    assert (values[["what", "how", "section"]].map(len) > 0).all(axis=None)


def test_the_readme_counts_steps_apart(values):
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    kinds = values["kind"].value_counts()
    said = f"{kinds['result']} results, {kinds['intermediate']} steps on the way to them"
    statements = kinds["interpretation"] + kinds["claim"]
    assert f"all five documents: {said}, {statements} readings and statements |" in readme
    assert kinds.sum() == len(values)


def test_the_columns_and_the_public_name(values):
    columns = "document section kind what documented how computed verdict why"
    assert list(values) == columns.split()
    assert helpers.documented_values is documented_values


def test_each_call_returns_its_own_frame(values):
    mine = documented_values()
    mine.loc[:, "verdict"] = "changed"
    assert "changed" not in set(documented_values()["verdict"])


def number(text):
    return Printed.parse(text)


@pytest.mark.parametrize(
    ("text", "value", "within"),
    [
        ("0.5111", Fraction(5111, 10_000), Fraction(1, 20_000)),
        ("0.5", Fraction(1, 2), Fraction(1, 20)),
        ("~81", 81, Fraction(1, 2)),
        ("~1000", 1000, Fraction(1, 2)),
        ("6x", 6, Fraction(1, 2)),
        ("2.4x", Fraction(12, 5), Fraction(1, 20)),
        ("100,000", 100_000, 0),
        ("3/4", Fraction(3, 4), 0),
        ("1", 1, 0),
        ("um", 1, 0),
        ("zero", 0, 0),
        ("quase máxima", 1, Fraction(1, 10)),
        ("—", float("inf"), 0),
    ],
)
def test_printed_texts(text, value, within):
    assert Printed.parse(text) == Printed(value, within)


@pytest.mark.parametrize("text", ["", "x", "~", "1,00", "10,0000", "1.", ".5", "-1", "1/", "high"])
def test_other_texts_are_no_values(text):
    with pytest.raises(DataError, match="no printed value"):
        Printed.parse(text)


def test_the_rank_of_what_was_not_found_agrees_with_no_other():
    assert number("—").agrees(float("inf"))
    assert not number("—").agrees(Fraction(3))
    assert not number("3").agrees(float("inf"))


THIRD = Fraction(1, 3)


@pytest.mark.parametrize(
    ("printed", "computed", "more", "expected"),
    [
        ("0.3333", THIRD, {}, "reproduced"),
        ("0.3333", float(THIRD), {}, "reproduced"),
        ("0.3334", THIRD, {}, "wrong"),
        ("0.25", Fraction(51, 200), {}, "reproduced"),  # half a unit away: either rounding
        ("0.25", Fraction(511, 2000), {}, "wrong"),
        ("2", Fraction(21, 10), {}, "wrong"),
        ("~2", Fraction(21, 10), {}, "reproduced"),
        ("~2", Fraction(5, 2), {}, "reproduced"),
        ("~2", Fraction(251, 100), {}, "wrong"),
        ("2.4x", Fraction(235, 100), {}, "reproduced"),
        ("2.4x", Fraction(2349, 1000), {}, "wrong"),
        ("quase máxima", Fraction(9, 10), {}, "reproduced"),
        ("quase máxima", Fraction(899, 1000), {}, "wrong"),
        ("um", Fraction(999_999, 1_000_000), {}, "wrong"),
        ("3/4", Fraction(75_001, 100_000), {}, "wrong"),
        ("0.3333", THIRD, {"holds": False}, "misleading"),
        ("0.3334", THIRD, {"holds": False}, "wrong"),
        ("0.3333", None, {}, "not reproducible"),
        ("0.3333", THIRD, {"published": False}, "not reproducible"),
        ("0.3334", THIRD, {"published": False}, "wrong"),
    ],
)
def test_verdicts(printed, computed, more, expected):
    assert verdict(number(printed), computed, **more) == expected


@pytest.mark.parametrize(
    ("printed", "computed", "steps", "expected"),
    [
        # (1 + 2/3) / 2, from 0.6667
        ("0.8334", Fraction(5, 6), ["1.0000", "0.6667"], "rounding"),
        ("0.8333", Fraction(5, 6), ["1.0000", "0.6667"], "reproduced"),
        # the steps give neither
        ("0.8335", Fraction(5, 6), ["1.0000", "0.6667"], "wrong"),
        ("0.7333", Fraction(7, 10), ["1/1", "2/4", "3/5"], "wrong"),
        # the steps may be as far away as the last digit of the roughest of them
        ("0.80", Fraction(750, 1000), ["0.6", "1.0000"], "rounding"),
        ("0.80", Fraction(749, 1000), ["0.6", "1.0000"], "wrong"),
        # the steps give it, but one of them is wrong itself
        ("0.8500", Fraction(5, 6), ["1.0000", "0.7000"], "wrong"),
    ],
)
def test_a_rounding_on_the_way_is_told_from_a_mistake(printed, computed, steps, expected):
    assert verdict(number(printed), computed, steps=[number(step) for step in steps]) == expected


def test_one_kind_of_defect_has_one_verdict(values):
    # both functions leave what was not found out of a mean
    assert values.loc[["tracin-code-mrr", "tracin-code-ap"], "verdict"].nunique() == 1


def measure(name, ranks, length=10):
    return byhand.measure_list(name, range(1, length + 1), set(ranks))


def mrr(*ranks):
    return sum(1 / rank for rank in ranks) / len(ranks)


def different(name):
    ways = [measure(name, ranks, 8) for ranks in combinations(range(1, 9), 3)]
    return len({round(value, 12) for value in ways})


LATE, LATER = [1, *[430] * 99], [5, *[9_900] * 99]


@pytest.mark.parametrize(
    ("row", "computed", "said"),
    [
        ("d4-closer", mrr(1, 9), "at ranks 1 and 9 have an MRR of {:.2f}"),
        ("d4-closer", mrr(2, 2), "and at 2 and 2 of {:.1f}"),
        ("tracin-mrr-best", measure("AP", {1, 9, 10}), "RR 1 and AP {:.2f}"),
        ("tracin-mrr-best", measure("AP", {2, 3, 4}), "RR 1/2 and AP {:.2f}"),
        ("tracin-map-excellent", measure("AP", range(2, 13), 12), "11 of 12 have an AP of {:.2f}"),
        (
            "tracin-map-excellent",
            measure("AP", [*range(1, 13), *range(101, 106)], 1000),
            "only 12 there, AP is {:.2f} at most",
        ),
        ("tracin-ccggdd-rank", mrr(*LATE), "have an MRR of {:.4f}, too"),
        ("tracin-ccggdd-rank", mean(LATE), "and an average of {:.0f}"),
        ("tracin-cggd-rank", mrr(*LATER), "have an MRR of {:.4f}, too"),
        ("tracin-cggd-rank", mean(LATER), "and an average of {:,.0f}"),
        ("tracin-complete-picture", measure("DCG", {1, 4, 6}), "apart, {:.3f} and"),
        ("tracin-complete-picture", measure("DCG", {1, 3, 9}), "and {:.3f}."),
        ("ko-very-different", different("AP"), "where AP has {}"),
        ("ko-very-different", different("nDCG"), "nDCG {}."),
        ("tracin-code-ap", measure("AP", {2, 3, 8}, 8) * 3 / 4, "the formula gives {:.3f}"),
        ("tracin-code-ap", measure("AP", {2, 3, 8}, 8), "the code {:.3f}"),
    ],
)
def test_a_reason_gives_the_number_that_comes_out(values, row, computed, said):
    assert said.format(computed) in values.at[row, "why"]


def test_every_verdict_occurs(values):
    assert set(values["verdict"]) == {
        "reproduced",
        "rounding",
        "wrong",
        "misleading",
        "not reproducible",
    }


@pytest.mark.parametrize(
    ("n_items", "of_rr", "of_ap"),
    [(1_000, 6.39, 2.91), (10_000, 7.33, 2.50), (100_000, 7.92, 2.23)],
)
def test_random_orders_have_the_documented_ratio_of_ap_and_more_than_that_of_rr(
    n_items, of_rr, of_ap
):
    assert round(chance_ratio("RR", n_items), 2) == of_rr
    assert round(chance_ratio("AP", n_items), 2) == of_ap
    assert chance_ratio("RR", n_items) > Fraction("0.0123") / Fraction("0.0021")


def test_a_mean_of_relevant_items_is_not_rounded():
    one, two = byhand.chance(1_000, 1), byhand.chance(1_000, 2)
    assert chance_at_mean(1_000, 1.69) == pytest.approx(0.31 * one + 0.69 * two, abs=1e-12)
    # a straight line from none to two would give less
    assert chance_at_mean(1_000, 1.69) > 1.69 / 2 * two
    assert chance_at_mean(1_000, 2) == two


@pytest.mark.parametrize(
    ("measure", "n_items", "n_relevant", "printed"),
    [
        ("RR", 8_850, 17.37, "0.0123"),
        ("RR", 6_900, 1.69, "0.0021"),
        ("AP", 5_300, 17.37, "0.0048"),
        ("AP", 4_900, 1.69, "0.0020"),
    ],
)
def test_random_orders_that_have_the_documented_means(
    values, measure, n_items, n_relevant, printed
):
    assert f"{chance_at_mean(n_items, n_relevant, measure):.4f}" == printed
    row = values[values["documented"] == printed].iloc[0]
    assert f"about {n_items:,} edges, {n_relevant} of them" in row["why"]


def test_most_of_rr_by_chance_comes_from_below_rank_10_in_long_lists(values):
    at_10 = chance_at_mean(10_000, 1.69, "RR@10")
    assert round(1 - at_10 / chance_at_mean(10_000, 1.69), 2) == 0.67
    assert "67%" in values.at["tracin-top-results", "why"]


def test_the_code_for_ap_is_right_where_every_edge_is_ranked():
    values = [
        byhand.average_precision(*case, denominator="retrieved")
        for case in worked_example("tracin", "map").values()
    ]
    assert sum(values) / 3 == pytest.approx(5 / 9, abs=1e-12)


def test_one_more_hit_raises_ap_by_the_formula_and_not_by_the_code():
    ranked, relevant = worked_example("ko", "rr")["list"]
    by_code = [
        byhand.average_precision(ranked[:n], relevant, denominator="retrieved") for n in (7, 8)
    ]
    assert [f"{value:.2f}" for value in by_code] == ["0.58", "0.51"]


@pytest.mark.parametrize("row", ["tracin-ccggdd-spread", "tracin-cggd-spread"])
def test_edges_side_by_side_have_the_documented_map(values, row):
    printed = values.at[row.replace("spread", "map"), "documented"]
    assert f"{values.at[row, 'computed']:.4f}" == printed


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


def test_the_themes_are_those_of_the_document():
    assert {spot for theme in THEMES.values() for spot in theme} == {f"S00{n}" for n in range(1, 9)}
    assert list(SCORES) == ["weighted", "normalized"]
    assert most_visited("steins") == "S001"
