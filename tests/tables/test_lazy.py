"""Runs and qrels in an engine: the same hits, values and complaints as in memory."""

import duckdb
import pytest
from lazy_cases import TIES, assert_same_hits, random_case

import helpers.tables.lazy
from helpers.metrics.hits import Tables

CASES = 200


def in_duckdb(frame):
    return duckdb.connect().from_df(frame)


@pytest.fixture(params=["every row beside the hits", "dense queries sorted"])
def way(request, monkeypatch):
    if request.param == "dense queries sorted":
        monkeypatch.setattr(helpers.tables.lazy, "DENSE", 1)


@pytest.mark.parametrize("seed", range(CASES))
def test_hits_are_those_of_memory_to_the_last_bit(seed, way):
    run, qrels = random_case(seed)
    options = {"judged": seed % 3 == 0, "relevant_from": [None, 2][seed % 7 == 0]}
    here, there = Tables(run, qrels, **options), Tables(in_duckdb(run), qrels, **options)
    for ties in TIES:
        assert_same_hits(there.hits(ties=ties), here.hits(ties=ties))
