"""Tables of any library, and one table that says both: the same values."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from lazy_cases import CASES, Stream, assert_same_values, in_arrow, random_case

from byhand import compare, preflight


def streamed(frame, kind):
    """A frame in chunks of three rows, its text of one kind."""
    table = in_arrow(frame)
    for place, field in enumerate(table.schema):
        if pa.types.is_string(field.type) or pa.types.is_large_string(field.type):
            # not a cast: pyarrow before 25 may end the process when it exports views of its making
            ids = pa.array(table[field.name].to_pylist(), kind)
            table = table.set_column(place, field.name, ids)
    return Stream(pa.Table.from_batches(table.to_batches(max_chunksize=3), table.schema))


KINDS = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())]


@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_values_are_the_same_however_the_rows_are_held(case):
    run, qrels = random_case(*case)
    kind, falling = KINDS[CASES.index(case) % 4], run.sort_values("score", ascending=False)
    held = streamed(run, kind), streamed(qrels.astype({"doc_id": str}), kind)
    assert_same_values(held, (run, qrels))
    for rows in (run, falling):
        in_order = rows.sort_values("query_id", kind="stable", key=lambda ids: ids.astype(str))
        assert_same_values((in_order, qrels), (run, qrels))


@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_a_judged_table_has_the_values_of_a_run_and_its_qrels(case):
    run, _ = random_case(*case)
    grades = np.random.default_rng(0).choice([-1, 0, 1, 2, 2.5], len(run))
    table = run.assign(relevance=grades)
    for relevant_from in (None, 2):
        apart = table, table.copy()
        assert_same_values((table, table), apart, relevant_from=relevant_from)
    own, apart = preflight(table, table), preflight(table, table.copy())
    assert "never retrieved" in own.notes[0]
    assert (own.facts, own.notes[1:]) == (apart.facts, apart.notes)


def test_qrels_that_are_one_of_the_runs():
    run, _ = random_case("whole", "numbers")
    table = run.assign(relevance=np.arange(len(run)) % 3)
    runs = {"one": table, "two": run.assign(score=-run["score"])[::-1]}
    expected = compare(runs, table.copy(), ["RR", "nDCG"])
    for order in (1, -1):
        some = dict([*runs.items()][::order])
        found = compare(some, table, ["RR", "nDCG"], pairs=[("one", "two")])
        pd.testing.assert_frame_equal(found, expected)
