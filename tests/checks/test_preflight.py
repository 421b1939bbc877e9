"""What is counted before an evaluation, what it means, and what stops it."""

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from refused import cases_of, message_of

from byhand import DataError, Preflight, preflight

RUN = pd.DataFrame(
    {
        "query_id": ["q1"] * 4 + ["q2"] * 2 + ["q9"],
        "doc_id": ["a", "b", "c", "d", "a", "b", "a"],
        "score": [0.91, 0.82, 0.73, 0.64, 0.57, 0.41, 0.33],
    }
)
QRELS = pd.DataFrame(
    {
        "query_id": ["q1", "q1", "q2", "q3"],
        "doc_id": ["b", "x", "a", "a"],
        "relevance": [2, 1, 0, 1],
    }
)
TIED = RUN.assign(score=[0.9, 0.9, 0.51, 0.4, 0.51, 0.4, 0.51])
HERE = Path(__file__).parent


def test_what_is_counted_and_what_it_means_as_text():
    """Two queries in both, one that the run lacks, one that nobody judged; a tie touches one."""
    found = preflight(TIED, QRELS)
    assert f"{found!r}\n" == (HERE / "preflight.txt").read_text(encoding="utf-8")
    assert found.raise_if_problems() is None
    assert repr(Preflight((), ("Bad.",), ())) == "Problem: Bad."


GRADED = pd.DataFrame({"query_id": "q1", "doc_id": list("abcde")})
TWELVE = pd.DataFrame({"query_id": "q", "doc_id": map(str, range(12)), "score": range(12)})


def judged(*grades):
    return GRADED[: len(grades)].assign(relevance=grades)


def missing(n):
    """A run of one query of those judged."""
    qrels = pd.DataFrame({"query_id": [f"q{i}" for i in range(n + 1)], "doc_id": "a"})
    return qrels[:1].assign(score=1.0), qrels.assign(relevance=1)


def another(n):
    """A run that lacks one of those judged, and has another in its place."""
    qrels = pd.DataFrame({"query_id": [f"q{i}" for i in range(n)], "doc_id": "a"})
    run = qrels.replace({"query_id": {"q0": "x"}})
    return run.assign(score=1.0 + run.index), qrels.assign(relevance=1)


def scored(*scores):
    return RUN.assign(score=scores), QRELS


def variants(*ids):
    """A run and qrels with these queries."""
    frame = pd.DataFrame({"query_id": ids, "doc_id": "a"})
    return frame.assign(score=1.5), frame.assign(relevance=1)


NOTES, PROBLEMS = (cases_of(HERE / f"{name}.txt") for name in ("notes", "problems"))


@pytest.mark.parametrize("case", NOTES)
def test_what_changes_how_the_numbers_read_is_a_note(case):
    call, lines = NOTES[case]
    notes = eval(call).notes
    for line in lines:
        unsaid, text = line.startswith("no "), line.removeprefix("no ")
        assert any(text in note for note in notes) != unsaid


@pytest.mark.parametrize("case", PROBLEMS)
def test_what_makes_the_numbers_wrong_is_a_problem(case):
    call, lines = PROBLEMS[case]
    found = eval(call)
    assert [*found.problems] == lines
    assert message_of(found.raise_if_problems) == "\n".join(lines)


@pytest.mark.parametrize(
    ("measures", "conventions", "said"),
    [
        ("RR", "trec_eval", "the mean RR from 0.2500 to 0.5000."),  # without the one it lacks
        ("AP@1", "torchmetrics", "How far it moves the means is not known under these"),
        ("RR", "ranx", "How far it moves the means is not known under these"),  # refuses that one
        ("P@4", "trec_eval -c", "Four digits of the mean P@4 are the same in any order."),
        (("P@4", "R"), "trec_eval", "Four digits of each mean are the same in any order: P@4, R."),
    ],
)
def test_the_range_of_ties_is_that_of_the_conventions_in_use(measures, conventions, said):
    found = preflight(TIED, QRELS, measures=measures, conventions=conventions)
    (note,) = [each for each in found.notes if "shares its score" in each]
    assert said in note


def test_the_lowest_relevant_grade_is_counted_and_said():
    found = preflight(RUN, judged(1, 2, 3, 4, 5), relevant_from=4)
    assert (found.counts.relevant, len(found.counts.empty)) == (2, 0)
    assert ("grades used", "1, 2, 3, 4, 5", "4 or more is relevant") in found.facts


@pytest.mark.parametrize("lowest", [None, 2])
@pytest.mark.parametrize(("empty", "turns"), [(2, False), (3, True)])
def test_queries_without_a_relevant_item_turn_a_verdict_if_they_are_not_few(lowest, empty, turns):
    qrels = {f"q{n}": {"a": 2 if n >= empty else 0 if lowest is None else 1} for n in range(40)}
    run = {query: {"a": 2, "b": 1} for query in qrels}
    found = preflight(run, qrels, relevant_from=lowest)
    assert any("have no relevant item" in note for note in found.notes)
    assert any("have no relevant item" in note for note in found.turning) == turns


def upside_down():
    """A run of which the score is the rank, and the relevant item among the first ranks."""
    rows = [(f"q{query}", f"d{rank}", rank) for query in range(12) for rank in range(1, 21)]
    run = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
    return run, {f"q{query}": [f"d{query % 4 + 1}"] for query in range(12)}


RANKED, BELOW = "like ranks, but the highest comes first", "rank lower than in a random order"


@pytest.mark.parametrize(
    ("change", "signs"),
    [
        (lambda score: score, {RANKED, BELOW}),
        (lambda score: score - 1, {RANKED, BELOW}),
        (lambda score: score.astype(float), {RANKED, BELOW}),
        (lambda score: score.astype("uint8"), {RANKED, BELOW}),
        (lambda score: score / 2, {BELOW}),
        (lambda score: (score - 1).replace(19, 20), {BELOW}),
        (lambda score: score + 1, {BELOW}),
        (lambda score: -score, set()),
        (lambda score: score.max() + 1 - score, {RANKED}),  # points for a place: who could tell?
    ],
)
@pytest.mark.parametrize("engine", [False, True])
def test_lists_that_may_stand_on_their_heads_are_the_first_note(change, signs, engine):
    run, qrels = upside_down()
    run["score"] = change(run["score"])
    if engine:
        run = pytest.importorskip("duckdb").connect().from_arrow(pa.Table.from_pandas(run))
    found = preflight(run, qrels)
    assert found.problems == ()
    assert {sign for sign in (RANKED, BELOW) if sign in found.doubt} == signs
    assert found.doubt == (found.notes[0] if signs else "")
    if signs:
        assert "--run-columns FILE NAME=rank" in found.doubt


def test_ids_in_its_html_are_text():
    run = RUN.assign(query_id=RUN["query_id"].replace("q1", "<script>alert(1)</script>"))
    qrels = QRELS.assign(query_id=["<b>&", "<b>&", "q2", "q3"])
    html = preflight(run, qrels)._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt;&amp;" in html
    problem = preflight(run[:4], qrels)._repr_html_()
    assert "<script>" not in problem
    assert "&lt;script&gt;" in problem
    assert html.count("<tr>") == 12


def test_the_first_rows_are_of_a_query_with_judgements_and_a_hit_best_first():
    run = {"other": {"x": 1.0}, "none": {"a": 1.0}, "q": {"a": 0.2, "b": 0.9, "c": 0.5}}
    found = preflight(run, {"none": {"a": 0, "x": 1}, "q": {"a": 0, "b": 2}})
    assert found.first_rows(2).values.tolist() == [["q", "b", 0.9, 2], ["q", "c", 0.5, "–"]]
    with pytest.raises(DataError, match="no query in common"):
        preflight(run, {"z": ["a"]}).first_rows()
