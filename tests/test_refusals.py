"""Calls of measures, conventions and statistics that cannot be answered, and what they say."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from refused import alike, cases_of, refusal_of

import byhand
import byhand.metrics
import byhand.statistics
from byhand.metrics.measures import Measure, register

RUN = pd.DataFrame({"query_id": ["q1", "q2"], "doc_id": "a", "score": 1.0})
QRELS = pd.DataFrame({"query_id": ["q1", "q2", "q3"], "doc_id": "a", "relevance": [1, 0, 1]})
RUNS = {"A": RUN, "B": RUN}
VALUES = pd.DataFrame({"RR": [1.0, 0.5]}, index=["q0", "q1"])
ONE = pd.Series([1.0], ["q0"])
TWO = pd.Series([0.5, 1.0], ["q0", "q1"])
NESTED = {"q1": {"a": 1.0}}


def named(name, *aliases):
    """A measure of one's own."""
    return type("Own", (Measure,), {"name": name, "aliases": aliases})


PARTS = (byhand, byhand.metrics, byhand.statistics)
NAMES = {name: getattr(part, name) for part in PARTS for name in part.__all__} | {
    each.__name__: each for each in (register, named)
}
NAMES |= {name: each for name, each in globals().items() if name.isupper()} | {"np": np, "pd": pd}
CASES = cases_of(Path(__file__).with_name("refusals.txt"))


@pytest.mark.parametrize("name", CASES)
def test_what_cannot_be_answered_is_explained(name):
    call, said = CASES[name]
    assert alike(refusal_of(call, NAMES), " ".join(said))
