"""The forms that the record's column `compute` is written in, each on a value done by hand."""

import math
import re
from fractions import Fraction

import pytest

from byhand.errors import DataError
from helpers.places import DATA
from helpers.record.printed import printed_value, record
from helpers.record.recomputed import FORMS, exact, recompute, shown_how

OTHER = "RR of the other theme in every order with the value as printed"
SPOTS = "the document's procedure on data/spots.csv"

# by form: examples, and what comes out
EXAMPLES = {
    "<example>: <measure> of <query>": {
        "ko/mrr: RR of case 2": Fraction(1, 4),
        "ko/rr: RR@1 of the list": Fraction(0),
        "tracin/scenarios: AP of scenario A": Fraction(7, 10),  # (1/1 + 2/4 + 3/5) / 3
        "pt/table: nDCG of user 2": (1 + 1 / 2) / (1 + 1 / math.log2(3)),
    },
    "<example>: mean <measure> of the lists": {
        "ko/mrr: mean RR of the lists": Fraction(3, 8),
        "d4/mrr: mean Success@1 of the lists": Fraction(1, 3),
    },
    "<example>: sum of <measure> over the lists": {
        "ko/mrr: sum of RR over the lists": Fraction(3, 4),
        "d4/mrr: sum of RR over the lists": Fraction(3, 2),
    },
    "<example>: rank of hit <n> of <query>": {
        "tracin/map: rank of hit 3 of triple 1": Fraction(6),
        "d4/mrr: rank of hit 1 of Q3": math.inf,
    },
    "<example>: P@k of <query>, k the rank of hit <n>": {
        "tracin/map: P@k of triple 2, k the rank of hit 2": Fraction(2, 3),
        "tracin/scenarios: P@k of scenario A, k the rank of hit 3": Fraction(3, 5),
    },
    "<example>: 1 / (number of relevant items of <query>)": {
        "tracin/map: 1 / (number of relevant items of triple 2)": Fraction(1, 2),
        "ko/rr: 1 / (number of relevant items of the list)": Fraction(1, 4),  # K was not retrieved
    },
    "<example>: 1 / (number of queries)": {
        "d4/mrr: 1 / (number of queries)": Fraction(1, 3),
        "ko/mrr: 1 / (number of queries)": Fraction(1, 2),
    },
    "<measure> with hits at <ranks> of <length>": {
        "RR with hits at 2 of 20": Fraction(1, 2),
        "P@4 with hits at 1, 3 of 4": Fraction(1, 2),
        "P with hits at 2 to 12 of 12": Fraction(11, 12),
        "P with hits at 1 and 992 to 1000 of 10,000": Fraction(1, 1000),
        "P with hits at 1 to 2, 4 and 6 to 7 of 10": Fraction(1, 2),
    },
    "<measure> of a list of <length> without a hit": {
        "AP of a list of 4 without a hit": Fraction(0)
    },
    "<end> <measure> of all lists of 1 to 4 items": {
        "lowest nDCG of all lists of 1 to 4 items": Fraction(0),
        "highest P of all lists of 1 to 4 items": Fraction(1),
    },
    "1 / MRR of first hits at <ranks>": {
        "1 / MRR of first hits at 1, 4, 4": Fraction(2),
        "1 / MRR of first hits at 3": Fraction(3),
        "1 / MRR of first hits at 1, 2 times 4": Fraction(2),
    },
    f"<row>: {OTHER}": {
        # the first spot of the one is at rank 2, so the other has rank 1
        f"spots-love-weighted-corrected: {OTHER}": Fraction(1),
        f"d4-q1-rr: {OTHER}": Fraction(1),
    },
    "<row> and <other>: ratio of the two values as printed": {
        "d4-sum and ko-sum: ratio of the two values as printed": Fraction(2),
        "ko-sum and d4-sum: ratio of the two values as printed": Fraction(1, 2),
    },
    "<row> and <other>: mean of the two printed values, each 1 / rank": {
        # 0.3333 and 1/2
        "tracin-mrr1-rr and d4-q1-rr: mean of the two printed values, each 1 / rank": Fraction(
            5, 12
        ),
    },
    "<procedure> RR of <theme>, <score> score: the document's procedure on data/spots.csv": {
        f"original RR of steins, weighted score: {SPOTS}": Fraction(1, 2),
        f"original RR of steins, normalized score: {SPOTS}": Fraction(1, 4),
        f"corrected RR of steins, weighted score: {SPOTS}": Fraction(1),
        f"corrected RR of love, weighted score: {SPOTS}": Fraction(1, 2),
    },
}


@pytest.mark.parametrize(
    ("text", "value"), [pair for examples in EXAMPLES.values() for pair in examples.items()]
)
def test_what_comes_out(text, value):
    found = recompute(text)
    assert type(found) is type(value)
    assert found == (pytest.approx(value, abs=1e-12) if isinstance(value, float) else value)


def test_every_form_is_tried_and_described():
    assert list(EXAMPLES) == list(FORMS)
    described = (DATA / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"(?m)^\| `([^`]*<.*?)` \|", described) == list(FORMS)


def test_every_form_is_used(monkeypatch):
    texts = record().query("kind != 'claim' and compute != ''")["compute"]
    used = set()
    for form in FORMS:
        monkeypatch.setitem(FORMS, form, lambda form=form, **_: used.add(form))
    texts.map(recompute)
    assert used == set(FORMS)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "RR",
        "ko: mean RR of the lists",
        "mean RR of the lists",
        "ko/mrr: mean RR of the lists ",
        "d4/mrr: rank of hit 0 of Q1",
        "middle RR of all lists of 1 to 4 items",
        "RR with hits at first of 4",
        "RR with hits at 1 to 2 to 3 of 4",
        "RR with hits at 2 times of 4",
        "d4-sum: ratio of the two values as printed",
        f"third RR of steins, weighted score: {SPOTS}",
    ],
)
def test_other_texts_are_told_the_forms(text):
    with pytest.raises(DataError) as error:
        recompute(text)
    first, *forms = str(error.value).splitlines()
    assert first == f"{text!r} is no computation. Expected one of these forms:"
    assert forms == [f"  {form}" for form in FORMS]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("ok/mrr: mean RR of the lists", "no document 'ok'. Those with lists are: ko, pt"),
        ("ko/map: mean RR of the lists", "no example 'map'. It has: rr, mrr"),
        ("ko/mrr: mean of the lists", "no list 'lists'"),
        ("ko/mrr: RR of case 3", "no list 'case 3'. The example has: case 1, case 2"),
        ("ko/mrr: MRRR of case 1", "'MRRR' is not a measure"),
        ("ko/mrr: P@k of case 1, k the rank of hit 9", "no hit 9 in the list 'case 1'"),
        ("RR with hits at 2, 5 of 4", "no rank 5 in a list of 4"),
        ("RR with hits at 0 of 4", "no rank 0 in a list of 4"),
        (f"ko-mmr: {OTHER}", "no row 'ko-mmr'"),
        (f"ko-grades: {OTHER}", "is no printed value"),
        # at rank 1: the other begins at rank 2, 3, 4 or 5
        (f"d4-q2-rr: {OTHER}", "An RR of 1 leaves 4 values to the other theme"),
    ],
)
def test_what_is_not_there_is_said(text, problem):
    with pytest.raises(ValueError, match=problem):
        recompute(text)


def test_readers_see_the_computation_without_what_it_starts_from():
    assert shown_how("d4/mrr: 1 / (number of queries)") == "1 / (number of queries)"
    assert shown_how("RR with hits at 1, 3 of 4") == "RR with hits at 1, 3 of 4"


def test_a_float_is_a_fraction_only_if_it_is_one():
    assert exact(0.1 + 0.2) == Fraction(3, 10)
    assert exact(math.pi) == math.pi


def test_a_printed_value_has_the_precision_of_its_digits():
    assert printed_value("tracin-a-ap").within == Fraction(1, 20_000)
