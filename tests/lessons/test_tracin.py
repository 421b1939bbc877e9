"""The simulated triples of lesson 9: random orders of the sizes that the lesson says."""

import numpy as np
import pytest

from byhand import chance, chance_levels
from helpers import chance_at_mean, random_mrr, simulated_triples, tracin


@pytest.fixture
def of_one_length(monkeypatch):
    monkeypatch.setattr(tracin, "_LENGTHS", (50.001, 50.002))


@pytest.mark.usefixtures("of_one_length")
def test_the_draws_and_the_triples_are_random_orders():
    drawn = random_mrr(1, draws=2_000, seed=0)
    spread = drawn.std() / np.sqrt(len(drawn))
    assert abs(drawn.mean() - chance(50, 1)) < 4 * spread
    run, qrels = simulated_triples(1, seed=0)
    assert len(run) == 50 * 150
    assert chance_levels(run, qrels, ["RR"])["RR chance"].unique() == [chance(50, 1)]


@pytest.mark.usefixtures("of_one_length")
def test_the_draws_know_of_several_relevant_edges():
    drawn = random_mrr(4, draws=2_000, seed=0)
    numbers = 1 + np.random.default_rng(1).poisson(3, size=100_000)
    assert abs(drawn.mean() - chance(50, numbers).mean()) < 0.002


def test_the_triples_have_the_documented_sizes():
    run, qrels = simulated_triples(1.69, seed=2)
    lengths = run.groupby("query_id").size()
    assert lengths.between(1_000, 100_000).all()
    assert lengths.min() < 2_000
    assert lengths.max() > 50_000
    found = qrels.groupby("query_id").size()
    assert len(found) == tracin.N_TRIPLES == 150
    assert (found.min(), round(found.mean(), 1)) == (1, 1.7)


def test_a_level_between_two_numbers_of_edges_for_many_lengths_at_once():
    lengths = np.array([10, 100])
    between = chance_at_mean(lengths, 1.25, "AP")
    expected = 0.75 * chance(lengths, 1, "AP") + 0.25 * chance(lengths, 2, "AP")
    assert between == pytest.approx(expected, abs=1e-15)


def test_a_mean_of_relevant_items_is_not_rounded():
    one, two = chance(1_000, 1), chance(1_000, 2)
    assert chance_at_mean(1_000, 1.69) == pytest.approx(0.31 * one + 0.69 * two, abs=1e-12)
    # a straight line from none to two would give less
    assert chance_at_mean(1_000, 1.69) > 1.69 / 2 * two
    assert chance_at_mean(1_000, 2) == two
