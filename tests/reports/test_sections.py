"""The sections of a report: what they show is what `evaluate` and the other functions say."""

import pandas as pd
import pytest
from small_runs import (
    frame,
    html_of,
    ranked,
    report_on,
    rows_of,
)  # fmt: skip

from byhand import (
    DataError,
)


class TestRead:
    def test_problems_stop_a_report(self):
        run, qrels = frame([("1", "a", 1.0)], "score"), frame([("1", "a", 0)], "relevance")
        with pytest.raises(DataError, match="a: No item is relevant"):
            report_on(run, qrels=qrels)
        with pytest.raises(DataError) as found:
            report_on(run, run.assign(score=2.0), qrels=qrels)
        said = str(found.value)
        assert said.startswith("a and b: No item is relevant: all grades are 0 or below (0)")
        assert said.count("No item is relevant") == 1


class TestUnjudged:
    def test_the_means_if_none_and_if_all_are_relevant(self):
        run, qrels = ranked(2, 2, 3)
        judged = pd.concat([qrels, frame([("q0", "x1", 0)], "relevance")])
        found = report_on(run, qrels=judged, measures="P@2")
        (row,) = rows_of(found, "unjudged")
        assert row == ["P@2", "a", "0.3333", "0.8333"]
        assert "These two are no bounds" in html_of(found, "unjudged")
