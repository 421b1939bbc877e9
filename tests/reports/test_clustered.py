"""Queries that hang together: a report counts whole clusters, and asks where nobody said so."""

import pandas as pd
import pytest
from small_runs import ranked, report_on, write

from byhand import evaluate
from byhand.statistics import compare_values, mean_interval

# twelve topics of three variants; of each topic one system is better in all variants
MINE = [rank for topic in range(12) for rank in [1 + topic % 2] * 3]
THEIRS = [rank for topic in range(12) for rank in [2 + topic % 3] * 3]
TOPICS = pd.DataFrame({"query_id": [f"q{n}" for n in range(36)], "topic": [*range(12)] * 3})
TOPICS["topic"] = TOPICS["topic"].sort_values(ignore_index=True)


def of(**options):
    return report_on(ranked(*MINE)[0], ranked(*THEIRS)[0], qrels=ranked(*MINE)[1], **options)


def test_intervals_and_p_count_clusters(tmp_path):
    path = write(tmp_path / "topics.csv", TOPICS)
    found = of(measures=["RR"], clusters=path).results
    values = {"a": evaluate(ranked(*MINE)[0], ranked(*MINE)[1], "RR")}
    values["b"] = evaluate(ranked(*THEIRS)[0], ranked(*MINE)[1], "RR")
    wanted = compare_values(values, clusters=TOPICS)
    shared = [*wanted]
    rows = pd.DataFrame(found["comparison"])
    pd.testing.assert_frame_equal(rows[shared], pd.DataFrame(wanted), check_dtype=False)
    assert rows["clusters"][0] == 12
    each = values["a"]["RR"].groupby(TOPICS.set_index("query_id")["topic"]).mean()
    mine = found["means"][0]
    assert (mine["low"], mine["high"]) == pytest.approx(mean_interval(each), abs=1e-12)
