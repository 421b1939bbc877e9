"""The functions of one list have the values of `evaluate`."""

from itertools import product

import pytest
from random_tables import random_tables

import byhand
from byhand import Conventions, evaluate, lists_of

# each with the conventions that it takes
FUNCTIONS = {
    "RR": (byhand.reciprocal_rank, ()),
    "AP": (byhand.average_precision, ("denominator",)),
    "nDCG": (byhand.ndcg, ("gain", "ideal")),
    "DCG": (byhand.dcg, ("gain",)),
    "P": (byhand.precision, ()),
    "R": (byhand.recall, ("denominator",)),
    "Success": (byhand.success, ()),
}
OPTIONS = [
    {},
    {"denominator": "capped", "gain": "exponential", "ideal": "uncut"},
    {"denominator": "retrieved", "gain": "binary", "ideal": "retrieved"},
]


@pytest.mark.missing_queries
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options.values()))
def test_they_have_the_values_of_evaluate(options):
    tables = random_tables(90, queries=30)
    cases = lists_of(*tables)
    for (name, (function, takes)), k in product(FUNCTIONS.items(), (None, 1, 3, 20)):
        own = {each: options[each] for each in takes if each in options}
        if (name, own) == ("R", {"denominator": "retrieved"}):
            own = {}  # recall refuses it
        measure = f"{name}@{k}" if k else name
        expected = evaluate(*tables, measure, conventions=Conventions(**own))[measure]
        found = [function(*cases[query], k=k, **own) for query in expected.index]
        assert found == pytest.approx(expected.tolist(), abs=1e-12), measure
    means = evaluate(*tables, ["RR@3", "AP@3"]).mean()
    for function, mean in zip(
        (byhand.mean_reciprocal_rank, byhand.mean_average_precision), means, strict=True
    ):
        assert function(iter(cases.values()), k=3) == pytest.approx(mean, abs=1e-12)
