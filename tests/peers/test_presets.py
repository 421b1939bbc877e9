"""Each preset against what its tool gave; and where it differs, why."""

import numpy as np
import pandas as pd
import pytest

from helpers import PRESETS, DataError, evaluate
from helpers.lessons.tools import tool_case, tool_results

# (tool, cases, measures, part of the call, why no choice of conventions can give the number)
KNOWN = [
    ("pytrec_eval", "float32", "RR AP nDCG", "", "compares scores as float32"),
    ("ir_measures", "float32", "RR AP nDCG", "", "compares scores as float32"),
    ("sklearn", "grade-below-zero one-item", "nDCG", "", "refuses"),
    ("sklearn", "*", "nDCG nDCG@3", "ignore_ties=True", "the tie order of its sorting routine"),
    (
        "sklearn",
        "tied-one tied-one-renamed tied-two tied-twenty float16",
        "AP",
        "",
        "a rank is the number of items that score as much or more",
    ),
    ("sklearn", "no-relevant", "AP", "label_ranking", "a query without a relevant item counts 1"),
    ("sklearn", "unjudged", "AP nDCG", "", "the rows it is given are all it knows"),
    ("ranx", "tied-twenty", "RR AP nDCG", "", "sorts more than 15 ties in no order"),
    ("ranx", "missing", "*", "make_comparable=True", "an option makes a missing query count 0"),
    ("ranx", "unjudged", "*", "", "refuses a query that nobody judged"),
    ("torchmetrics", "grade-below-zero", "nDCG", "", "subtracts negative grades"),
    ("torchmetrics", "*", "R@3 R@5 R@10", "", "R is what was retrieved"),
    (
        "torchmetrics",
        "tied-one tied-one-renamed tied-two tied-twenty float16",
        "RR AP RR@8 P@3",
        "",
        "the tie order of its sorting routine",
    ),
    ("torchmetrics", "float32", "*", "", "compares scores as float32"),
    ("torchmetrics", "negative-scores", "RR AP P@2", "", "a score of 0 or below is no hit"),
    ("torchmetrics", "unjudged", "*", "", "the rows it is given are all it knows"),
    ("recommenders", "*", "nDCG nDCG@3 nDCG@6", "score_type=", "an option keeps the grades"),
    ("recommenders", "deep many-relevant", "AP@10 AP@3", "map(", "map divides by R"),
]
RECORDED = [row for row in tool_results().itertuples() if row.tool in PRESETS]


def reasons(row):
    return [
        entry
        for entry in KNOWN
        if entry[0] == row.tool
        and (entry[1] == "*" or row.case in entry[1].split())
        and (entry[2] == "*" or row.measure in entry[2].split())
        and entry[3] in row.call
    ]


def agrees(row):
    run, qrels = tool_case(row.case)
    try:
        value = evaluate(run, qrels, [row.measure], conventions=row.tool)[row.measure].mean()
    except DataError:
        return isinstance(row.error, str)
    return bool(pd.notna(row.value) and abs(value - row.value) < 1e-5)


@pytest.mark.parametrize("tool", [name for name in PRESETS if not name.startswith("trec_eval")])
def test_the_preset_gives_what_the_tool_gave(tool):
    rows = [row for row in RECORDED if row.tool == tool]
    assert len(rows) > 30
    unexplained = [
        (row.case, row.measure, row.call) for row in rows if not reasons(row) and not agrees(row)
    ]
    assert unexplained == []


@pytest.mark.parametrize("entry", KNOWN, ids=lambda entry: f"{entry[0]}: {entry[4]}")
def test_every_exception_is_needed(entry):
    covered = [row for row in RECORDED if entry in reasons(row)]
    assert any(not agrees(row) for row in covered)


def test_presets_say_what_they_are():
    for preset in PRESETS.values():
        assert preset.says.endswith(".")
        assert preset.source


def random_tables(rng, *, n_queries=30, n_items=12):
    """A run with many ties, and graded judgements of items that were all retrieved."""
    query = np.repeat(np.arange(n_queries), n_items)
    doc = np.tile(np.arange(n_items), n_queries)
    score = rng.integers(0, 5, size=len(doc)) / 4
    grade = rng.integers(0, 4, size=len(doc))
    run = pd.DataFrame({"query_id": query, "doc_id": doc, "score": score})
    return run, pd.DataFrame({"query_id": query, "doc_id": doc, "relevance": grade})


@pytest.mark.parametrize("k", [None, 1, 3, 5, 12])
def test_sklearn_on_random_ties(k):
    from sklearn.metrics import ndcg_score

    run, qrels = random_tables(np.random.default_rng(11))
    name = "nDCG" if k is None else f"nDCG@{k}"
    ours = evaluate(run, qrels, [name], conventions="sklearn")[name].mean()
    shape = (30, 12)
    grades, scores = qrels["relevance"].values.reshape(shape), run["score"].values.reshape(shape)
    assert ours == pytest.approx(ndcg_score(grades, scores, k=k), abs=1e-12)


def test_pytrec_eval_and_ir_measures_on_random_ties_and_missing_queries():
    ir_measures = pytest.importorskip("ir_measures")
    pytrec_eval = pytest.importorskip("pytrec_eval")
    run, qrels = random_tables(np.random.default_rng(12))
    run = run[run["query_id"] % 5 > 0].astype({"query_id": str, "doc_id": str})
    qrels = qrels.astype({"query_id": str, "doc_id": str})

    def nested(frame, value):
        return {
            q: dict(zip(rows["doc_id"], rows[value].tolist(), strict=True))
            for q, rows in frame.groupby("query_id")
        }

    theirs = pytrec_eval.RelevanceEvaluator(nested(qrels, "relevance"), {"map"}).evaluate(
        nested(run, "score")
    )
    ours = evaluate(run, qrels, ["AP"], conventions="pytrec_eval")["AP"]
    assert ours.count() == len(theirs) == 24
    assert ours.mean() == pytest.approx(np.mean([v["map"] for v in theirs.values()]), abs=1e-12)
    mean = ir_measures.calc_aggregate([ir_measures.AP], qrels, run)[ir_measures.AP]
    found = evaluate(run, qrels, ["AP"], conventions="ir_measures")["AP"].mean()
    assert found == pytest.approx(mean, abs=1e-12)
    measures = [ir_measures.RR @ 3, ir_measures.RR, ir_measures.nDCG @ 5]  # ties in two orders
    theirs = ir_measures.calc_aggregate(measures, qrels, run)
    ours = evaluate(run, qrels, measures, conventions="ir_measures").mean()
    assert ours.to_dict() == pytest.approx({str(m): v for m, v in theirs.items()}, abs=1e-12)
