"""Runs and qrels as tables: what comes back, in which order, and how it is counted."""

import tracemalloc

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from byhand import Conventions, chance_levels, evaluate, tie_range, unjudged_range
from byhand.metrics import CHOICES, MissingQueriesWarning

RUN = {
    "q2": {"a": 0.1, "b": 0.3, "c": 0.2},
    "q1": {"b": 0.8, "a": 0.2},
    "stray": {"a": 9.0},
    "odd": {"a": 9.0},
}
QRELS = {"q2": {"c": 2, "zzz": 1}, "q9": {"a": 1}, "q1": {"a": 1}, "q0": {"a": 0}}


@pytest.mark.missing_queries
def test_one_row_a_judged_query_in_the_order_of_the_qrels():
    found = evaluate(RUN, QRELS, ["RR", "R", "P@4"])
    assert found.index.tolist() == ["q2", "q9", "q1", "q0"]
    assert found.index.name == "query_id"
    assert found.columns.tolist() == ["RR", "R", "P@4"]
    assert found["RR"].tolist() == [1 / 2, 0, 1 / 2, 0]
    assert found["R"].tolist() == [1 / 2, 0, 1, 0]
    assert found["P@4"].tolist() == [1 / 4, 0, 1 / 4, 0]
    for measures in ("RR", ("RR",), iter(["RR"])):
        assert evaluate(RUN, QRELS, measures).columns.tolist() == ["RR"]


@pytest.mark.missing_queries
def test_attrs_say_how_many_queries_were_what():
    found = evaluate(RUN, QRELS)
    assert found.columns.tolist() == ["RR", "AP", "nDCG"]
    assert found.attrs == {
        "judged": 4,
        "averaged": 4,
        "missing": 2,
        "empty": 1,
        "run_only": 2,
        "preset": "trec_eval -c",
        "conventions": Conventions().as_dict(),
        "relevant_from": None,
    }
    chosen = Conventions(missing="skip", no_relevant="skip", ties="worst")
    found = evaluate(RUN, QRELS, "RR", conventions=chosen)
    assert found.attrs["averaged"] == 2 == found["RR"].count()
    assert found.attrs["conventions"] == chosen.as_dict()
    assert found.attrs["preset"] == "none"


@pytest.mark.parametrize("denominator", CHOICES["denominator"].options)
@pytest.mark.parametrize("ties", ["doc_id", "worst", "expected"])
@pytest.mark.missing_queries
@pytest.mark.filterwarnings("ignore::byhand.metrics.NoCommonItemsWarning")
def test_no_hits_at_all_give_zeros_under_every_convention(ties, denominator):
    qrels = {"q1": ["nowhere"], "q9": ["nowhere"]}
    chosen = Conventions(ties=ties, denominator=denominator)
    measures = ["RR", "AP", "AP@2", "nDCG", "DCG", "ERR", "RBP", "P", "P@3", "R", "Success"]
    found = tie_range(RUN, qrels, measures, conventions=chosen)
    assert not found.pop("tied").any()
    levels = chance_levels(RUN, qrels, measures, conventions=chosen)
    for table in (found, levels):
        assert set(table.dtypes) == {np.dtype(float)}
        assert (table == 0).all(axis=None)
    assert np.isnan([*levels.attrs["lift"].values()]).all()


@pytest.fixture
def one_core():
    """As many rows under way at a time as on any machine."""
    cores = pa.cpu_count()
    pa.set_cpu_count(1)
    yield
    pa.set_cpu_count(cores)


@pytest.mark.skipif(
    int(pd.__version__.split(".")[0]) < 3 or int(pa.__version__.split(".")[0]) < 20,
    reason="text takes more memory with this pandas and this pyarrow",
)
@pytest.mark.parametrize("dtype", ["int64", "object", "str"])
@pytest.mark.missing_queries
def test_memory_beyond_the_input_is_a_few_bytes_a_row(one_core, dtype):
    query, place = (axis.ravel() for axis in np.indices((1000, 1000)))
    items = pd.Series(np.random.default_rng(0).permutation(1000))
    items = items.astype(str if dtype != "int64" else dtype).astype(dtype)
    run = pd.DataFrame({"query_id": query, "doc_id": items.array[place], "score": place * 1.0})
    qrels = run[:100_000:10].drop(columns="score").assign(relevance=1)
    evaluate(run[:10], qrels)
    peaks = []
    for _ in range(3):  # what other threads of the tests take meanwhile is counted, too
        tracemalloc.start()
        evaluate(run, qrels[:500])
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert min(peaks) / len(run) < 25


FULL = {f"q{n}": ["a", "b"] for n in range(60)}
GOLD = {query: ["b"] for query in FULL}
TWO = {query: FULL[query] for query in ("q3", "q7")}
ASKED = [evaluate, tie_range, chance_levels, unjudged_range]


@pytest.mark.parametrize("ask", ASKED)
def test_a_run_with_part_of_the_judged_queries_is_said_once_and_where_it_was_asked(ask):
    says = r"The run lacks 58 of the 60 judged queries, and each counts as 0\."
    with pytest.warns(MissingQueriesWarning, match=says) as said:
        found = ask(TWO, GOLD, "RR")
    assert [each.filename for each in said] == [__file__]
    assert found["RR"].sum() == 1
    # 5% is not said
    assert ask({query: FULL[query] for query in [*FULL][3:]}, GOLD, "RR").attrs["missing"] == 3


@pytest.mark.parametrize(
    "queries",
    [["q7", "q3"], {"q3", "q7"}, pd.Index(["q3", "q7"]), pd.Series(["q3", "q3", "q7"]), TWO],
)
@pytest.mark.parametrize("ask", ASKED)
def test_some_queries_only(ask, queries):
    found = ask(TWO, GOLD, ["RR", "nDCG@5"], queries=queries)
    assert found.index.tolist() == ["q3", "q7"]
    assert (found.attrs["judged"], found.attrs["missing"]) == (2, 0)
    expected = ask(FULL, GOLD, ["RR", "nDCG@5"]).loc[["q3", "q7"]]
    pd.testing.assert_frame_equal(found, expected)
    assert found.attrs.get("lift") == pytest.approx(expected.attrs.get("lift"))
