"""What may be done to a run and its qrels without changing a value."""

import numpy as np
import pandas as pd
import pytest
from random_tables import random_tables

from byhand import Conventions, evaluate
from byhand.metrics import CHOICES

MEASURES = ["RR", "AP", "nDCG@3", "ERR", "Bpref", "Judged@3"]
RUN, QRELS = random_tables(7, queries=400)
STRANGER = pd.DataFrame({"query_id": "stranger", "doc_id": list("abc"), "score": [9, 9, 1]})
CHANGES = {
    "3s - 7": lambda run: run.assign(score=3 * run["score"] - 7),
    "exp": lambda run: run.assign(score=np.exp(run["score"])),
    "float32": lambda run: run.astype({"score": "float32"}),
    "strangers": lambda run: pd.concat([STRANGER, run, STRANGER.assign(query_id="x")]),
    "columns and index": lambda run: run.assign(rank=1, x=0).set_index(pd.Index(range(len(run)))),
    "shuffled": lambda run: run.sample(frac=1, random_state=1),
}


@pytest.mark.parametrize("ties", CHOICES["ties"].options)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.missing_queries
def test_changes_nothing(change, ties):
    before, after = (
        evaluate(run, QRELS, MEASURES, conventions=Conventions(ties=ties))
        for run in (RUN, CHANGES[change](RUN))
    )
    assert after.equals(before) == ((change, ties) != ("shuffled", "input"))
    strangers = 2 * (change == "strangers")
    assert after.attrs["run_only"] == before.attrs["run_only"] + strangers


def many_times(table, times, *, together):
    """The rows so many times, each time of other queries; apart, a query's rows are far apart."""
    found = pd.concat([table] * times)
    found["query_id"] += np.repeat([f"/{n}" for n in range(times)], len(table)).astype(object)
    return (found if together else found.sort_index(kind="stable")).reset_index(drop=True)


@pytest.mark.parametrize(
    ("ties", "together"),
    [("doc_id", True), ("doc_id", False), ("expected", True), ("input", False)],
)
@pytest.mark.missing_queries
def test_a_query_counts_alike_wherever_its_rows_stand_nor_are_tables_changed(ties, together):
    tables = RUN[:120], QRELS[:200]
    chosen = Conventions(ties=ties)
    expected = evaluate(*tables, conventions=chosen)
    many = [many_times(table, 1200, together=together) for table in tables]
    kept = [table.copy(deep=True) for table in many]
    found = evaluate(*many, conventions=chosen)
    assert len(found) == 1200 * len(expected)
    of_query = found.index.str.rpartition("/").get_level_values(0)
    np.testing.assert_array_equal(found, expected.loc[of_query])
    for table, copy in zip(many, kept, strict=True):
        pd.testing.assert_frame_equal(table, copy, check_exact=True)
