"""Thousands of tiny random queries against the plain reference, under every option."""

from collections import defaultdict
from itertools import product

import numpy as np
import pandas as pd
import pytest
import reference

import byhand
from byhand import Conventions, evaluate, measure_list

TIES = ("doc_id", "input", "best", "worst")
OPTIONS = [
    {"denominator": "relevant", "gain": "linear", "ideal": "judged"},
    {"denominator": "capped", "gain": "exponential", "ideal": "judged"},
    {"denominator": "retrieved", "gain": "linear", "ideal": "retrieved"},
    {"denominator": "relevant", "gain": "exponential", "ideal": "retrieved"},
]
CUTOFFS = (None, 1, 2, 3, 5, 20)
ITEMS = ["a", "B", "10", "9", "é", "z1", "z10", "doc", "document", "ドキュメント"]
QUERIES = 400


def random_tables(seed):
    """Queries of up to 10 items with few different scores, in one shuffled table."""
    rng = np.random.default_rng(seed)
    run, qrels = [], []
    for query in range(QUERIES):
        items = rng.permutation(ITEMS)[: rng.integers(0, 11)]
        scores = rng.integers(0, rng.integers(1, 8), len(items)) / 4
        run += [(query, *row) for row in zip(items, scores, strict=True)]
        judged = rng.permutation(ITEMS)[: rng.integers(1, 9)]
        grades = rng.integers(-1, 4, len(judged))
        qrels += [(query, *row) for row in zip(judged, grades, strict=True)]
    run = pd.DataFrame(run, columns=["query_id", "doc_id", "score"])
    return (
        run.sample(frac=1, random_state=seed, ignore_index=True),
        pd.DataFrame(qrels, columns=["query_id", "doc_id", "relevance"]),
    )


def as_dicts(run, qrels):
    rows, grades = defaultdict(list), defaultdict(dict)
    for query, item, score in run.itertuples(index=False):
        rows[query].append((item, score))
    for query, item, grade in qrels.itertuples(index=False):
        grades[query][item] = int(grade)
    return rows, grades


def name_of(measure, k, rel):
    return measure + (f"(rel={rel})" if rel > 1 else "") + (f"@{k}" if k else "")


def named_measures():
    for measure, k in product(reference.MEASURES, CUTOFFS):
        yield name_of(measure, k, 1), {"measure": measure, "k": k}
        if "DCG" not in measure:
            yield name_of(measure, k, 2), {"measure": measure, "k": k, "rel": 2}


def choices_for(measure, options):
    return options if measure in ("AP", "nDCG", "DCG") else {}


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options.values()))
@pytest.mark.parametrize("ties", TIES)
def test_tables_agree_with_the_reference(ties, options):
    run, qrels = random_tables(seed=TIES.index(ties) * 10 + OPTIONS.index(options))
    rows, grades = as_dicts(run, qrels)
    measures = dict(named_measures())
    found = evaluate(run, qrels, measures, conventions=Conventions(ties=ties, **options))
    ranked = {query: reference.ranking(rows[query], grades[query], ties) for query in grades}
    assert found.index.tolist() == [str(query) for query in grades]
    for name, asked in measures.items():
        expected = [
            float(
                reference.value(
                    ranked=ranked[query],
                    grades=grades[query],
                    **asked,
                    **choices_for(asked["measure"], options),
                )
            )
            for query in grades
        ]
        np.testing.assert_allclose(found[name], expected, rtol=0, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options.values()))
def test_one_list_agrees_with_the_reference(options):
    rows, grades = as_dicts(*random_tables(seed=90 + OPTIONS.index(options)))
    for query in list(grades)[:100]:
        ranked = reference.ranking(rows[query], grades[query], "doc_id")
        for name, asked in named_measures():
            chosen = choices_for(asked["measure"], options)
            expected = reference.value(ranked=ranked, grades=grades[query], **asked, **chosen)
            found = measure_list(name, ranked, grades[query], conventions=Conventions(**options))
            assert found == pytest.approx(float(expected), abs=1e-12), name


FUNCTIONS = {
    "RR": (byhand.reciprocal_rank, ()),
    "AP": (byhand.average_precision, ("denominator",)),
    "nDCG": (byhand.ndcg, ("gain", "ideal")),
    "DCG": (byhand.dcg, ("gain",)),
    "P": (byhand.precision, ()),
    "R": (byhand.recall, ()),
    "Success": (byhand.success, ()),
}


@pytest.mark.parametrize("measure", FUNCTIONS)
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options.values()))
def test_each_function_passes_its_choices_on(measure, options):
    function, names = FUNCTIONS[measure]
    ranked, grades = ["x", "a", "b", "c"], {"a": 1, "b": 3, "d": 2, "e": 3, "c": 0}
    chosen = {name: options[name] for name in names}
    for k in CUTOFFS:
        expected = float(reference.value(measure, ranked, grades, k=k, **chosen))
        assert function(ranked, grades, k=k, **chosen) == pytest.approx(expected, abs=1e-12)
