"""The levels of hits, against each row beside each hit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from byhand.tables.lazy import Levels

TINY, MOST = float(np.nextafter(0, 1)), float(np.finfo(float).max)
SCORES = {
    np.float64: [-MOST, -1.0, -TINY, -0.0, 0.0, TINY, 1.0, float(np.nextafter(1, 2)), MOST],
    np.int64: [-(2**63), -(2**63) + 1, -1, 0, 1, 2**53, 2**53 + 1, 2**63 - 2, 2**63 - 1],
    np.uint64: [0, 1, 2**53, 2**53 + 1, 2**63, 2**64 - 2, 2**64 - 1],
}


@pytest.mark.parametrize("dtype", SCORES)
@given(data=st.data())
def test_counts_are_those_of_each_row_beside_each_hit(dtype, data):
    """Every row has a place at one level of its query at most, and none is lost."""
    rows = st.lists(
        st.tuples(st.integers(0, 2), st.sampled_from(SCORES[dtype]), st.booleans()), min_size=1
    )
    drawn = data.draw(rows.filter(lambda rows: any(hit for *_, hit in rows)))
    query = np.array([query for query, *_ in drawn])
    score = np.array([score for _, score, _ in drawn], dtype=dtype)
    hit = np.flatnonzero([hit for *_, hit in drawn])
    levels = Levels.of(query[hit], score[hit])
    here = query[hit][levels.hit][:, None] == query
    tied = (here & (score == levels.lowest[:, None])).sum(1)
    placed = here & (score >= levels.lowest[:, None]) & (score <= levels.highest[:, None])
    assert (placed.sum(0) <= 1).all()
    above = [((query == query[one]) & (score > score[one])).sum() for one in hit]
    assert levels.above(placed.sum(1), tied).tolist() == above
    equal = [((query == query[one]) & (score == score[one])).sum() for one in hit]
    assert tied[levels.of_hit].tolist() == equal
