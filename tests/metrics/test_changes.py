"""What may be done to a run and its qrels without changing a value: change by order of ties."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from random_tables import random_tables

from byhand import Conventions, evaluate
from byhand.metrics import CHOICES, MissingQueriesWarning

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


def many_times(table, times, *, together):
    """The rows so many times, each time of other queries; apart, a query's rows are far apart."""
    of_table = np.tile(np.arange(len(table)), times)
    nth = np.repeat(np.arange(times), len(table))
    if not together:
        of_table, nth = np.sort(of_table), np.tile(np.arange(times), len(table))
    found = table.iloc[of_table].reset_index(drop=True)
    return found.assign(query_id=found["query_id"].astype(str) + "/" + nth.astype(str))


@cache
def values(change, ties):
    run, qrels = CHANGES[change]()
    with pytest.warns(MissingQueriesWarning):
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


@pytest.mark.filterwarnings("ignore::byhand.metrics.MissingQueriesWarning")
@pytest.mark.parametrize("ties", TIES)
def test_without_ties_every_order_is_the_same_and_else_best_and_worst_bound_it(ties):
    np.testing.assert_allclose(values("untied", ties), values("untied", "doc_id"), atol=1e-12)
    assert (values("none", "best") >= values("none", ties) - 1e-12).all(axis=None)
    assert (values("none", "worst") <= values("none", ties) + 1e-12).all(axis=None)


@pytest.mark.parametrize("ties", ["doc_id", "expected", "input"])
@pytest.mark.parametrize("together", [True, False])
@pytest.mark.missing_queries
def test_a_query_counts_alike_wherever_its_rows_stand_nor_are_tables_changed(together, ties):
    tables = RUN[:120], QRELS[:200]
    chosen = Conventions(ties=ties)
    expected = evaluate(*tables, conventions=chosen)
    run, qrels = kept = [many_times(table, 1200, together=together) for table in tables]
    kept = [table.copy(deep=True) for table in kept]
    found = evaluate(run, qrels, conventions=chosen)
    assert len(found) == 1200 * len(expected)
    of_query = found.index.str.rpartition("/").get_level_values(0)
    np.testing.assert_array_equal(found, expected.loc[of_query])
    assert_same(run, kept[0], check_exact=True)
    assert_same(qrels, kept[1], check_exact=True)
