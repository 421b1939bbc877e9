"""The way back from a number: each convention and each mistake is found again, and no more said."""

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from refused import cases_of

from byhand import Conventions, evaluate, measure_list, which_conventions
from byhand.metrics import CHOICES
from helpers import tool_case

pytestmark = pytest.mark.filterwarnings("ignore::byhand.metrics.MissingQueriesWarning")
RNG = np.random.default_rng(5)
QUERIES, ITEMS, TOP = 12, 15, 4
MEASURES = ["nDCG@5", "AP@5", "RR@5", "P@5"]


def made() -> tuple[pd.DataFrame, pd.DataFrame]:
    """A run with ties, strangers and a missing query, and grades that it does not all retrieve."""
    queries = [f"q{n:02}" for n in range(QUERIES)]
    pairs = [(query, f"d{n:02}") for query in queries for n in range(ITEMS)]
    every = pd.DataFrame(pairs, columns=["query_id", "doc_id"])
    qrels = every[RNG.random(len(every)) < 0.6].copy()
    qrels["relevance"] = RNG.choice([0, 0, 1, 2, 3, TOP], len(qrels))
    qrels.loc[qrels["query_id"] == "q03", "relevance"] = 0
    run = every[RNG.random(len(every)) < 0.7].copy()
    run["score"] = RNG.integers(0, 9, len(run)) + 16_777_216.0  # which float32 rounds
    strangers = [run.head(3).assign(query_id=f"stranger {n}") for n in range(3)]
    run = pd.concat([run, *strangers])
    run = run[run["query_id"] != "q05"].sample(frac=1, random_state=1).sort_values("query_id")
    return run.reset_index(drop=True), qrels.reset_index(drop=True)


RUN, QRELS = made()


def told(reported: dict[str, float], run=RUN, qrels=QRELS, digits: int = 9, **options):
    text = {name: f"{value:.{digits}f}" for name, value in reported.items()}
    return which_conventions(run, qrels, text, **options)


def mean(measure: str, run=RUN, qrels=QRELS, **options) -> float:
    with warnings.catch_warnings(action="ignore"):  # of the missing query
        return evaluate(run, qrels, [measure], **options)[measure].mean()


OPTIONS = [
    (choice.name, option)
    for choice in CHOICES.values()
    for option in choice.options
    if option not in ("error", choice.default) and not choice.of_low_grades
]


@pytest.mark.parametrize(("name", "option"), OPTIONS, ids=lambda each: str(each))
@pytest.mark.parametrize(
    "measures", [["nDCG@5"], ["AP@5"], ["Bpref"], ["Judged@5"], MEASURES], ids="+".join
)
def test_every_choice_of_a_tool_is_found_again(measures, name, option):
    chosen = Conventions(**{name: option})
    values, usual = (
        evaluate(RUN, QRELS, measures, conventions=each).mean().to_dict()
        for each in (chosen, Conventions())
    )
    found = told(values, departures=1)
    assert found.attrs["default"] == pytest.approx(usual, abs=1e-12)
    moved = values != pytest.approx(usual, abs=1e-9)
    assert set(found["departures"]) == {int(moved)}  # of a coarse measure perhaps several
    assert not moved or chosen in [*found["choices"]] or found["equal"].any()
    for name, value in values.items():
        assert found[name].tolist() == pytest.approx([value] * len(found), abs=1e-9)


def test_two_choices_are_found_and_one_that_adds_nothing_is_not_told():
    chosen = Conventions(gain="exponential", no_relevant="skip")
    found = told({"nDCG@5": mean("nDCG@5", conventions=chosen)})
    assert found["choices"].tolist() == [chosen]
    assert found["departures"].tolist() == [2]
    alone = told({"nDCG@5": mean("nDCG@5", conventions=Conventions(gain="exponential"))})
    assert alone["departures"].tolist() == [1]


def at_rows(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(score=-np.arange(len(table), dtype=float))


def by_positions(run: pd.DataFrame) -> pd.DataFrame:
    theirs, ours = run["query_id"].unique(), QRELS["query_id"].unique()
    names = [*ours[: len(theirs)], *(f"no {n}" for n in range(len(theirs) - len(ours)))]
    return run.assign(query_id=run["query_id"].map(dict(zip(theirs, names, strict=True))))


def regraded(*grades: int) -> pd.DataFrame:
    return QRELS.assign(relevance=QRELS["relevance"].map(dict(enumerate((0, *grades)))))


def listed(query: str, run: pd.DataFrame = RUN) -> tuple[list[str], dict[str, int]]:
    """A query's items as trec_eval orders them, and its grades."""
    of = run[run["query_id"] == query].sort_values(["score", "doc_id"], ascending=False)
    judged = QRELS[QRELS["query_id"] == query]
    return of["doc_id"].tolist(), dict(zip(judged["doc_id"], judged["relevance"], strict=True))


def graded(query: str) -> tuple[list[int], list[int]]:
    """The grades of its items as they are ranked, and all that there are, the best first."""
    items, grades = listed(query)
    return [grades.get(item, 0) for item in items], sorted(grades.values(), reverse=True)


def hits(seen: list[int]) -> list[int]:
    return [rank for rank, grade in enumerate(seen, 1) if grade > 0]


def ndcg(seen: list[int], ideal: list[int], discount=lambda rank: 1 / np.log2(rank + 1)) -> float:
    gained, most = (
        sum(grade * discount(rank) for rank, grade in enumerate(each, 1))
        for each in (seen, sorted(ideal, reverse=True))
    )
    return gained / most if most else 0


def ap(seen: list[int], divisor: int, shift: int = 0) -> float:
    total = sum(nth / (rank + shift) for nth, rank in enumerate(hits(seen), 1))
    return total / divisor if divisor else 0


with warnings.catch_warnings(action="ignore"):  # of the missing query
    VALUES = evaluate(RUN, QRELS, ["nDCG@5"])
GRADED = [graded(query) for query in VALUES.index]
N5 = VALUES["nDCG@5"]
NEAR = RUN.assign(score=RUN["score"] + 0.1 * np.arange(len(RUN)) % 1)
NARROW = NEAR.assign(score=NEAR["score"].astype(np.float32).astype(float))
SELVES = RUN.groupby("query_id")["score"].max().add(1).reset_index()
SELVES = pd.concat([RUN, SELVES.assign(doc_id=SELVES["query_id"])])
MISTAKES = cases_of(Path(__file__).with_name("mistakes.txt"))


def over_queries(value) -> float:
    """The mean of a value of each query's grades, as ranked and as they could be."""
    return np.mean([value(*each) for each in GRADED])


@pytest.mark.parametrize("says", MISTAKES)
def test_every_mistake_is_found_as_if_somebody_had_made_it(says):
    call, (tool,) = MISTAKES[says]
    found = told(*eval(f"({call},)"), departures=1)
    assert found["explanation"].tolist() == [says]
    assert (found["mistakes"].tolist(), found["choices"].tolist()) == ([1], [None])
    assert (found["seen_in"][0].partition(",")[0] or "–") == tool


@pytest.mark.parametrize("measure", ["nDCG", "AP"])
@pytest.mark.parametrize(
    ("says", "counts", "in_ideal"),
    [
        ("each copy of a repeated item counts as a hit", 1, 0),
        ("each copy of a repeated item is an item of its own, also in the ideal", 1, 1),
        ("a repeated item counts once, and its copies keep their ranks", 0, 0),
    ],
)
def test_a_repeated_item_that_somebody_counted(measure, says, counts, in_ideal):
    best = RUN.sort_values("score", ascending=False).drop_duplicates("query_id")
    run, values = pd.concat([RUN, best.assign(score=best["score"] - 2.5)]), []
    for query in VALUES.index:
        items, grades = listed(query, run)
        copy = pd.Index(items).duplicated()
        seen = [grades.get(item, 0) for item in items]
        ideal = [*grades.values(), *np.array(seen)[copy] * in_ideal]
        seen = seen * np.where(copy, counts, 1)
        values.append(ndcg(seen, ideal) if measure == "nDCG" else ap(seen, len(hits(ideal))))
    run, named = run.rename(columns={"doc_id": "Edge"}), {"run_columns": {"Edge": "doc_id"}}
    found = told({measure: np.mean(values)}, run, departures=1, duplicates="first", **named)
    assert found["explanation"].tolist() == [says]


def test_a_number_above_1_is_a_percentage_unless_something_counts_twice_or_has_no_bound():
    run, qrels = tool_case("repeated")
    found = which_conventions(run, qrels, {"AP": "1.3750"}, departures=1, duplicates="first")
    assert "each copy of a repeated item counts as a hit" in found["explanation"].tolist()
    assert len(told({"DCG@5": mean("DCG@5")}, departures=0)) == 1
    value = 100 * mean("RR")
    comma = f"{value / 100:.6f}".replace(".", ",")
    for text in (f"{value:.4f}%", f"{value:.4f}", comma):
        found = which_conventions(RUN, QRELS, {"RR": text}, departures=0)
        assert found[["explanation", "equal"]].to_numpy().tolist() == [["the conventions given", 0]]


def test_digits_may_be_cut_off():
    value = mean("AP")
    cut, rounded = f"{value - 0.5e-5:.5f}", f"{value:.5f}"
    assert cut != rounded
    found = which_conventions(RUN, QRELS, {"AP": cut}, departures=1)
    assert "the digits are cut off, not rounded" in found["explanation"].tolist()


def test_a_number_altered_in_its_last_digit_is_not_explained_or_is_a_coincidence():
    value = round(mean("nDCG@5"), 6) + 1e-6
    found = told({"nDCG@5": value}, digits=6, departures=1)
    assert found.empty
    assert found.columns.equals(told({"nDCG@5": mean("nDCG@5")}, departures=0).columns)
    assert "None of" in found.attrs["says"][0]
    nearest, values = found.attrs["nearest"][0]
    assert nearest == "the conventions given"
    assert values["nDCG@5"] == pytest.approx(mean("nDCG@5"), abs=1e-12)
    two = told({"nDCG@5": mean("nDCG@5") - 0.2}, digits=1, departures=1)
    assert any(f"{two.attrs['tried']:,} ways were tried" in line for line in two.attrs["says"])
    assert any("Two digits or fewer" in line for line in two.attrs["says"])


def test_precision_of_a_whole_list_is_not_what_was_called_something_else():
    found = told({"nDCG@5": mean("P@5")}, departures=1)
    assert found["explanation"].tolist() == ["it is P@5 instead of nDCG@5"]
    assert told({"nDCG": mean("P")}, departures=1).empty


def test_several_numbers_are_matched_together():
    chosen = Conventions(ties="worst")
    values = evaluate(RUN, QRELS, ["nDCG@5", "AP", "RR"], conventions=chosen).mean().to_dict()
    assert told(values, digits=4, departures=1)["choices"].tolist() == [chosen]
    assert told(values | {"RR": 0.9}, digits=4, departures=1).empty


def test_rows_that_both_fit_are_told_apart_by_one_query():
    found = told({"nDCG@5": mean("nDCG@5") - 0.02}, digits=2)
    assert len(found) > 2
    parts = [set(each.split("; ")) for each in found["explanation"]]
    assert not any(less < more for less in parts for more in parts)
    query, measure = found.attrs["ask_for"]
    assert (found["ask_for"] == query).all()
    assert found["predicts"].round(4).nunique() > 2
    for choices, value in found[["choices", "predicts"]].dropna().to_numpy():
        again = measure_list(measure, *listed(query), conventions=choices)
        assert choices.ties != "doc_id" or value == pytest.approx(again, abs=1e-12)
    assert f"ask for {measure} of query {query}" in found.attrs["says"][-1]
