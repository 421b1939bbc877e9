"""What may be done to a run and its qrels without changing a value: change by order of ties."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from random_tables import random_tables

import byhand.parallel
from byhand import Conventions, evaluate
from byhand.metrics import CHOICES

MEASURES = ["RR", "AP", "nDCG", "DCG", "ERR", "RBP", "P", "R", "Rprec", "Success"]
MEASURES += [f"{name}@{k}" for name in MEASURES for k in (1, 3)]
MEASURES += ["AP(rel=2)", "RR(rel=2)@3", "nDCG(dcg='exp-log2')@3"]
OF_RELEVANT, MEASURES = MEASURES, [*MEASURES, "Bpref", "Judged@3"]
TIES = [*CHOICES["ties"].options]
RUN, QRELS = random_tables(7, queries=400)
UNTIED = RUN.assign(score=np.random.default_rng(0).permutation(len(RUN)) + 1)
STRANGER = pd.DataFrame({"query_id": "stranger", "doc_id": list("abc"), "score": [9, 9, 1]})
assert_same = pd.testing.assert_frame_equal


def renamed(frame):
    return frame.assign(doc_id=frame["doc_id"].map(lambda name: name[::-1] + "!"))


def extra(frame):
    return frame.assign(rank=1, system="x").set_index(pd.Index(range(len(frame), 0, -1)))


CHANGES = {
    "none": lambda: (RUN, QRELS),
    "3s - 7": lambda: (RUN.assign(score=3 * RUN["score"] - 7), QRELS),
    "exp": lambda: (RUN.assign(score=np.exp(RUN["score"])), QRELS),
    "cube": lambda: (RUN.assign(score=RUN["score"] ** 3), QRELS),
    "float32": lambda: (RUN.astype({"score": "float32"}), QRELS),
    "strangers": lambda: (pd.concat([STRANGER, RUN, STRANGER.assign(query_id="x")]), QRELS),
    "columns and index": lambda: (extra(RUN), extra(QRELS)),
    "shuffled": lambda: (RUN.sample(frac=1, random_state=1), QRELS),
    "untied": lambda: (UNTIED, QRELS),
    "untied, renamed": lambda: (renamed(UNTIED), renamed(QRELS)),
}


@cache
def values(change, ties):
    run, qrels = CHANGES[change]()
    return evaluate(run, qrels, MEASURES, conventions=Conventions(ties=ties))


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("change", CHANGES)
def test_changes_nothing(change, ties):
    if (change, ties) == ("shuffled", "input") or change == "untied":
        assert not values("none", ties).equals(values(change, ties))
        return
    before = "untied" if "untied" in change else "none"
    assert_same(values(change, ties), values(before, ties), check_exact=True)
    strangers = 2 * (change == "strangers")
    assert (
        values(change, ties).attrs["run_only"] == values(before, ties).attrs["run_only"] + strangers
    )


@pytest.mark.parametrize("ties", TIES)
def test_grades_of_zero_or_below_change_nothing_but_what_is_judged(ties):
    found = evaluate(
        RUN, QRELS[QRELS["relevance"] > 0], OF_RELEVANT, conventions=Conventions(ties=ties)
    )
    assert_same(found, values("none", ties).loc[found.index, OF_RELEVANT], check_exact=True)


@pytest.mark.parametrize("ties", TIES)
def test_without_ties_every_order_is_the_same_and_else_best_and_worst_bound_it(ties):
    np.testing.assert_allclose(values("untied", ties), values("untied", "doc_id"), atol=1e-12)
    assert (values("none", "best") >= values("none", ties) - 1e-12).all(axis=None)
    assert (values("none", "worst") <= values("none", ties) + 1e-12).all(axis=None)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("block", [1, 7, 64])
def test_the_size_of_a_block_changes_nothing_nor_are_tables_changed(monkeypatch, block, ties):
    run, qrels = RUN[:120].copy(deep=True), QRELS[:200].copy(deep=True)
    chosen = Conventions(ties=ties)
    expected = evaluate(run, qrels, conventions=chosen)
    monkeypatch.setattr(byhand.parallel, "BLOCK", block)
    assert len(byhand.parallel.blocks(len(run))) == -(-len(run) // block)
    assert_same(evaluate(run, qrels, conventions=chosen), expected, check_exact=True)
    assert_same(run, RUN[:120], check_exact=True)
    assert_same(qrels, QRELS[:200], check_exact=True)
