"""Thousands of tiny random queries against the plain reference, under every option."""

from itertools import product

import numpy as np
import pytest
import reference
from random_tables import nested, random_tables

import byhand
from byhand import Conventions, evaluate, measure_list

TIES = ("doc_id", "doc_id_ascending", "input", "best", "worst")
OPTIONS = [
    {},
    {"denominator": "capped", "gain": "exponential"},
    {"denominator": "retrieved", "gain": "binary", "ideal": "retrieved"},
    {"discount": "log2_from_2", "ideal": "length"},
    {"gain": "exponential", "ideal": "uncut"},
]
OF_OPTIONS = ("AP", "R", "nDCG", "DCG")
CUTOFFS = (None, 1, 2, 3, 5, 20)


def named_measures(options):
    """Each name with what it means; under options those that they are about."""
    for measure, k in product(reference.MEASURES, CUTOFFS):
        if options and measure not in OF_OPTIONS:
            continue
        cutoff = f"@{k}" if k else ""
        yield f"{measure}{cutoff}", {"measure": measure, "k": k}
        if measure not in ("DCG", "nDCG", "ERR"):
            yield f"{measure}(rel=2){cutoff}", {"measure": measure, "k": k, "rel": 2}
        more = {"RBP": ("p", 0.5), "ERR": ("max_rel", 7)}.get(measure)
        if more:
            name = f"{measure}({more[0]}={more[1]}){cutoff}"
            yield name, {"measure": measure, "k": k, more[0]: more[1]}


def value_of(ranked, grades, asked, options):
    chosen = options if asked["measure"] in OF_OPTIONS else {}
    return float(reference.value(ranked=ranked, grades=grades, **asked, **chosen))


@pytest.mark.missing_queries
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options.values()))
@pytest.mark.parametrize("ties", TIES)
def test_tables_agree_with_the_reference(ties, options):
    run, qrels = random_tables(TIES.index(ties) * 10 + OPTIONS.index(options), queries=100)
    rows, grades = nested(run, "score"), nested(qrels, "relevance")
    names = dict(named_measures(options))
    found = evaluate(run, qrels, names, conventions=Conventions(ties=ties, **options))
    assert found.index.tolist() == qrels["query_id"].unique().tolist()
    ranked = {
        query: reference.ranking(rows.get(query, {}).items(), grades[query], ties)
        for query in found.index
    }
    for name, asked in names.items():
        expected = [value_of(ranked[each], grades[each], asked, options) for each in found.index]
        np.testing.assert_allclose(found[name], expected, rtol=0, atol=1e-12, err_msg=name)


FUNCTIONS = {
    "RR": (byhand.reciprocal_rank, ()),
    "AP": (byhand.average_precision, ("denominator",)),
    "nDCG": (byhand.ndcg, ("gain", "ideal")),
    "DCG": (byhand.dcg, ("gain",)),
    "P": (byhand.precision, ()),
    "R": (byhand.recall, ("denominator",)),
    "Success": (byhand.success, ()),
}


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options.values()))
def test_one_list_and_each_function_agree_with_the_reference(options):
    run, qrels = random_tables(90 + OPTIONS.index(options), queries=15)
    rows, grades = nested(run, "score"), nested(qrels, "relevance")
    cases = []
    for query in grades:
        ranked = reference.ranking(rows.get(query, {}).items(), grades[query], "doc_id")
        cases.append((ranked, grades[query]))
        for name, asked in named_measures(options):
            expected = value_of(ranked, grades[query], asked, options)
            found = measure_list(name, ranked, grades[query], conventions=Conventions(**options))
            assert found == pytest.approx(expected, abs=1e-12), name
            own = asked["measure"] in FUNCTIONS and "rel" not in asked
            if own and "discount" not in options:
                function, names = FUNCTIONS[asked["measure"]]
                own = {name: options[name] for name in names if name in options}
                if (asked["measure"], own) == ("R", {"denominator": "retrieved"}):
                    own = {}  # recall refuses it
                assert function(ranked, grades[query], k=asked["k"], **own) == found
    of_ap = {name: options[name] for name in options if name == "denominator"}
    for mean, function, own in (
        (byhand.mean_reciprocal_rank, byhand.reciprocal_rank, {}),
        (byhand.mean_average_precision, byhand.average_precision, of_ap),
    ):
        expected = np.mean([function(*case, k=3, **own) for case in cases])
        assert mean(iter(cases), k=3, **own) == pytest.approx(expected, abs=1e-12)
