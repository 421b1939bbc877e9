"""What is wrong with the data: each message says what, where, what was expected, what to do."""

import pickle
import re

import numpy as np
import pandas as pd
import pytest

import byhand.parallel
from byhand import (
    Conventions,
    DataError,
    average_precision,
    dcg,
    evaluate,
    explain,
    mean_average_precision,
    mean_reciprocal_rank,
    ndcg,
    read_qrels,
    read_run,
    reciprocal_rank,
)
from byhand.columns import names_of

RUN = pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [0.9, 0.4]})
QRELS = pd.DataFrame({"query_id": ["q"], "doc_id": ["a"], "relevance": [1]})


def message_of(call, *args, **kwargs):
    with pytest.raises(DataError) as caught:
        call(*args, **kwargs)
    return str(caught.value)


def test_every_complaint_is_a_value_error():
    assert issubclass(DataError, ValueError)


def test_an_error_survives_a_process_of_its_own():
    error = DataError("No score: pass", columns={"sim": "score"}, table="run", missing=["score"])
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == "No score: pass columns={'sim': 'score'}."
    assert vars(copy) == vars(error)


TABLE_ERRORS = {
    "no frame": (
        lambda: ({"query_id": ["q"]}, QRELS),
        "run is a dict, not a pandas DataFrame. Expected a table with the columns query_id, "
        "doc_id, score: pd.DataFrame(run) may be all it takes.",
    ),
    "missing column": (
        lambda: (RUN.drop(columns="score"), QRELS),
        "run: no column 'score'. Columns found: 'query_id', 'doc_id'. Expected the columns "
        "query_id, doc_id, score.",
    ),
    "column by another name": (
        lambda: (RUN, QRELS.rename(columns={"relevance": "rel"})),
        "qrels: no column 'relevance'. Columns found: 'query_id', 'doc_id', 'rel'. Rename it: "
        "qrels.rename(columns={'rel': 'relevance'}).",
    ),
    "column in the index": (
        lambda: (RUN.set_index("query_id"), QRELS),
        "run: no column 'query_id'. Columns found: 'doc_id', 'score'. It is in the index: pass "
        "run.reset_index().",
    ),
    "no columns": (
        lambda: (RUN, pd.DataFrame()),
        "qrels: no columns 'query_id', 'doc_id' and 'relevance'. Columns found: none. Expected the "
        "columns query_id, doc_id, relevance.",
    ),
    "columns of two levels": (
        lambda: (RUN.set_axis(pd.MultiIndex.from_product([["x"], RUN.columns]), axis=1), QRELS),
        "run: no columns 'query_id', 'doc_id' and 'score'. Columns found: ('x', 'query_id'), "
        "('x', 'doc_id'), ('x', 'score'). Expected the columns query_id, doc_id, score.",
    ),
    "columns by other names": (
        lambda: (RUN.set_axis(["qid", "DocNo", "similarity"], axis=1), QRELS),
        "run: no columns 'query_id', 'doc_id' and 'score'. Columns found: 'qid', 'DocNo', "
        "'similarity'. Rename them: run.rename(columns={'qid': 'query_id', 'DocNo': 'doc_id', "
        "'similarity': 'score'}).",
    ),
    "columns by names of their own": (
        lambda: (RUN.set_axis(["A", "B", "C"], axis=1), QRELS),
        "run: no columns 'query_id', 'doc_id' and 'score'. Columns found: 'A', 'B', 'C'. Say which "
        "is which (the highest score is best), for example run.rename(columns={'A': 'query_id', "
        "'B': 'doc_id', 'C': 'score'}).",
    ),
    "a rank and a score": (
        lambda: (RUN.set_axis(["A", "B", "C"], axis=1).assign(Rang=1), QRELS),
        "run: no columns 'query_id', 'doc_id' and 'score'. Columns found: 'A', 'B', 'C', 'Rang'. "
        "Only you can tell which column is which; the highest score is best, and the lowest rank. "
        "Whichever is right: run.rename(columns={'A': 'query_id', 'B': 'doc_id', 'C': 'score'}) or "
        "run.assign(score=-run['Rang']).rename(columns={'A': 'query_id', 'B': 'doc_id'}) or "
        "run.rename(columns={'A': 'query_id', 'B': 'doc_id', 'Rang': 'score'}).",
    ),
    "one of two by another name": (
        lambda: (RUN[["query_id", "doc_id"]].rename(columns={"doc_id": "docno"}), QRELS),
        "run: no columns 'doc_id' and 'score'. Columns found: 'query_id', 'docno'. Expected the "
        "columns query_id, doc_id, score. For those that are there: "
        "run.rename(columns={'docno': 'doc_id'}).",
    ),
    "similarity": (
        lambda: (RUN.rename(columns={"score": "similarity"}), QRELS),
        "run: no column 'score'. Columns found: 'query_id', 'doc_id', 'similarity'. Rename it: "
        "run.rename(columns={'similarity': 'score'}).",
    ),
    "a name that comes close": (
        lambda: (RUN.rename(columns={"score": "bm25_score"}), QRELS),
        "run: no column 'score'. Columns found: 'query_id', 'doc_id', 'bm25_score'. If "
        "'bm25_score' is it: run.rename(columns={'bm25_score': 'score'}).",
    ),
    "rating in the run": (
        lambda: (RUN.rename(columns={"score": "rating"}), QRELS),
        "run: no column 'score'. Columns found: 'query_id', 'doc_id', 'rating'. If 'rating' is "
        "it: run.rename(columns={'rating': 'score'}).",
    ),
    "rating in the qrels": (
        lambda: (RUN, QRELS.rename(columns={"relevance": "rating"})),
        "qrels: no column 'relevance'. Columns found: 'query_id', 'doc_id', 'rating'. Rename "
        "it: qrels.rename(columns={'rating': 'relevance'}).",
    ),
    "clicks and no grades": (
        lambda: (RUN, QRELS.drop(columns="relevance")),
        "qrels: no column 'relevance'. Columns found: 'query_id', 'doc_id'. Expected the columns "
        "query_id, doc_id, relevance. If every row is a hit, as in a log of clicks: "
        "qrels.assign(relevance=1).",
    ),
    "ranks and no scores": (
        lambda: (RUN.rename(columns={"score": "Rank"}), QRELS),
        "run: no column 'score'. Columns found: 'query_id', 'doc_id', 'Rank'. Its score is minus "
        "the rank: run.assign(score=-run['Rank']).",
    ),
    "another name in the index": (
        lambda: (RUN.rename(columns={"query_id": "qid", "score": "sim"}).set_index("qid"), QRELS),
        "run: no columns 'query_id' and 'score'. Columns found: 'doc_id', 'sim'. Rename them: "
        "run.reset_index().rename(columns={'qid': 'query_id', 'sim': 'score'}).",
    ),
    "column twice": (
        lambda: (pd.concat([RUN, RUN["score"]], axis=1), QRELS),
        "run: 2 columns are called 'score'; keep one.",
    ),
    "no rows in the run": (
        lambda: (RUN[:0], QRELS),
        "run: no rows. Without retrieved items there is nothing to evaluate.",
    ),
    "no rows in the run, nor dtypes": (
        lambda: (pd.DataFrame(columns=["query_id", "doc_id", "score"]), QRELS),
        "run: no rows. Without retrieved items there is nothing to evaluate.",
    ),
    "no rows in the qrels": (
        lambda: (RUN, QRELS[:0]),
        "qrels: no rows. Without judgements there is nothing to evaluate.",
    ),
    "no query in common": (
        lambda: (RUN, QRELS.assign(query_id="Q")),
        "run and qrels have no query in common. The run's begin with 'q', the qrels' with 'Q'. "
        "Both must name their queries alike.",
    ),
    "missing id": (
        lambda: (RUN.assign(doc_id=["a", None]), QRELS),
        "run: doc_id has no value in 1 of 2 rows, the first at row 1. Every row needs an id: fill "
        "it in, or remove the row.",
    ),
    "missing query": (
        lambda: (RUN, QRELS.assign(query_id=np.nan)),
        "qrels: query_id has no value in 1 of 1 rows, the first at row 0. Every row needs an id: "
        "fill it in, or remove the row.",
    ),
    "fractional ids": (
        lambda: (RUN.assign(doc_id=[1.0, 2.0]), QRELS),
        "run: doc_id holds float64 values, such as 1.0. Ids are text or whole numbers: convert "
        "the column, for example with astype('int64') or astype(str).",
    ),
    "truth values as ids": (
        lambda: (RUN.assign(query_id=[True, False]), QRELS),
        "run: query_id holds bool values, such as True. Ids are text or whole numbers: convert "
        "the column, for example with astype('int64') or astype(str).",
    ),
    "a fraction among ids": (
        lambda: (RUN.assign(doc_id=pd.Series(["a", 1.5], dtype=object)), QRELS),
        "run: doc_id holds 1.5 (float) at row 1. Ids are text or whole numbers: convert it.",
    ),
    "a truth value among ids": (
        lambda: (RUN.assign(doc_id=pd.Series([True, "a"], dtype=object)), QRELS),
        "run: doc_id holds True (bool) at row 0. Ids are text or whole numbers: convert it.",
    ),
    "bytes as ids": (
        lambda: (RUN, QRELS.assign(doc_id=pd.Series([b"a"], dtype=object))),
        "qrels: doc_id holds b'a' (bytes) at row 0. Ids are text or whole numbers: convert it.",
    ),
    "fractional categories": (
        lambda: (RUN.assign(doc_id=pd.Categorical([0.5, 1.5])), QRELS),
        "run: doc_id holds 0.5 (float) at category 0. Ids are text or whole numbers: convert it.",
    ),
    "score as text": (
        lambda: (RUN.assign(score=pd.Series(["0.9", "0.4"], dtype=object)), QRELS),
        "run: score holds object values, such as '0.9'. Expected numbers: convert the column, for "
        "example with pd.to_numeric.",
    ),
    "complex score": (
        lambda: (RUN.assign(score=[1j, 2]), QRELS),
        "run: score holds complex128 values, such as 1j. Expected numbers: convert the column, "
        "for example with pd.to_numeric.",
    ),
    "no score": (
        lambda: (RUN.assign(score=[0.9, np.nan]), QRELS),
        "run: score is no finite number in 1 of 2 rows, the first, nan, at row 1. A score is a "
        "finite number: mend the row or remove it.",
    ),
    "missing nullable score": (
        lambda: (RUN.assign(score=pd.array([None, 1], dtype="Int64")), QRELS),
        "run: score is no finite number in 1 of 2 rows, the first, nan, at row 0. A score is a "
        "finite number: mend the row or remove it.",
    ),
    "endless score": (
        lambda: (RUN.assign(score=[-np.inf, 0]).set_index(pd.Index([7, 8])), QRELS),
        "run: score is no finite number in 1 of 2 rows, the first, -inf, at row 7. A score is a "
        "finite number: mend the row or remove it.",
    ),
    "no grade": (
        lambda: (RUN, QRELS.assign(relevance=np.nan)),
        "qrels: relevance is no finite number in 1 of 1 rows, the first, nan, at row 0. A grade is "
        "a finite number: mend the row or remove it.",
    ),
    "item twice in the run": (
        lambda: (pd.concat([RUN, RUN[:1]], ignore_index=True), QRELS),
        "run: query 'q' has item 'a' twice, at rows 0 and 2. A query holds each item once: keep "
        "one of them, for example with drop_duplicates(['query_id', 'doc_id']).",
    ),
    "item twice in the qrels": (
        lambda: (RUN, pd.concat([QRELS, QRELS.assign(relevance=0)], ignore_index=True)),
        "qrels: query 'q' has item 'a' twice, at rows 0 and 1. A query holds each item once: keep "
        "one of them, for example with drop_duplicates(['query_id', 'doc_id']).",
    ),
    "item twice under one label": (
        lambda: (pd.concat([RUN, RUN]), QRELS),
        "run: query 'q' has item 'a' twice, at rows 0 and 2 (counted from 0; the index calls both "
        "0). A query holds each item once: keep one of them, for example with "
        "drop_duplicates(['query_id', 'doc_id']).",
    ),
}


@pytest.mark.parametrize("ours", ["query_id", "doc_id", "score", "relevance"])
def test_whatever_a_file_may_call_a_column_a_frame_is_told_to_rename(tmp_path, ours):
    tables = {"run": RUN, "qrels": QRELS}
    name, reader = ("qrels", read_qrels) if ours == "relevance" else ("run", read_run)
    path = tmp_path / "file.csv"
    for theirs in set(names_of(ours)) - {ours}:
        frame = tables[name].rename(columns={ours: theirs})
        frame.to_csv(path, index=False)
        assert reader(path)[ours].tolist() == tables[name][ours].tolist()
        with pytest.raises(DataError) as caught:
            evaluate(**{**tables, name: frame})
        assert f"Rename it: {name}.rename(columns={{{theirs!r}: {ours!r}}})." in str(caught.value)
        assert (caught.value.table, caught.value.missing) == (name, (ours,))


@pytest.mark.parametrize("case", TABLE_ERRORS)
def test_tables(case):
    tables, message = TABLE_ERRORS[case]
    assert message_of(evaluate, *tables()) == message


def test_a_bad_number_far_down_is_found(monkeypatch):
    monkeypatch.setattr(byhand.parallel, "BLOCK", 3)
    run = pd.DataFrame({"query_id": "q", "doc_id": range(10), "score": [*range(8), np.inf, 1]})
    assert (
        "run: score is no finite number in 1 of 10 rows, the first, inf, at row 8."
        in message_of(evaluate, run, QRELS)
    )


@pytest.mark.parametrize("first", [0, 5])
@pytest.mark.parametrize("ids", ["object", "int64", "category"])
def test_a_repeat_across_blocks_and_among_strangers_is_found(monkeypatch, ids, first):
    monkeypatch.setattr(byhand.parallel, "BLOCK", 3)
    items = [*range(10), first]
    run = pd.DataFrame({"query_id": ["q"] + ["s"] * 10, "doc_id": items, "score": 1.0})
    run.loc[first, "query_id"] = "s"
    run["doc_id"] = run["doc_id"].astype(str if ids == "object" else ids)
    qrels = QRELS if first else QRELS.assign(query_id="s")
    expected = f"run: query 's' has item '{first}' twice, at rows {first} and 10."
    assert expected in message_of(evaluate, run, qrels)


def test_the_first_repeat_in_the_table_is_the_one_named():
    run = pd.DataFrame({"query_id": "q", "doc_id": list("abcdecba"), "score": 1.0})
    assert "query 'q' has item 'c' twice, at rows 2 and 5." in message_of(evaluate, run, QRELS)


def test_the_same_item_in_two_queries_is_no_repeat():
    run = pd.DataFrame({"query_id": ["q", "r"], "doc_id": "a", "score": 1.0})
    assert evaluate(run, QRELS, "RR")["RR"].tolist() == [1]


def lengths(texts):
    return np.array([len(text) for text in texts], dtype=np.uint64)


def test_ids_that_differ_but_share_a_key_are_no_repeat_and_no_hit(monkeypatch):
    monkeypatch.setattr(byhand.tables.ids, "python_hashes", lengths)
    run = RUN.assign(doc_id=pd.Series(["a", "b"], dtype=object))
    qrels = pd.DataFrame({"query_id": "q", "doc_id": ["c"], "relevance": 1}, dtype=object)
    found = evaluate(run, qrels.astype({"relevance": int}), ["R", "P"])
    assert found.loc["q"].tolist() == [0, 0]


LIST_ERRORS = {
    "repeat": (
        (["D4", "D1", "D4"], {"D4"}),
        "'D4' stands at rank 1 and again at rank 3 of the ranked list. A ranked list holds each "
        "item once: remove the repeat.",
    ),
    "text as ranked": (
        ("ABC", ["A"]),
        "ranked is the text 'ABC', not a list of items. Put the items into a list: ['ABC'] if it "
        "is one item.",
    ),
    "text as relevant": (
        (["A"], "A"),
        "relevant is the text 'A', not a list of items. Put the items into a list: ['A'] if it "
        "is one item.",
    ),
    "bytes as relevant": (
        (["A"], b"A"),
        "relevant is the bytes b'A', not a list of items. Put the items into a list: [b'A'] if it "
        "is one item.",
    ),
    "one number as relevant": (
        ([7], 7),
        "relevant is the int 7, not a list of items. Put the items into a list: [7] if it is one "
        "item.",
    ),
    "set as ranked": (
        ({"A", "B"}, ["A"]),
        "ranked is a set, which does not say which item comes first. Pass a list of items, best "
        "first.",
    ),
    "scores as ranked": (
        ({"A": 0.1, "B": 0.9}, ["A"]),
        "ranked is a dict, which does not say which item comes first. Pass a list of items, best "
        "first.",
    ),
    "table as ranked": (
        (pd.DataFrame({"A": [1]}), ["A"]),
        "ranked is a DataFrame, which does not say which item comes first. Pass a list of items, "
        "best first.",
    ),
    "series as relevant": (
        (["A"], pd.Series({"A": 2})),
        "relevant is a Series, whose items could be its values or its index. Pass list(series) "
        "if the items are its values, series.to_dict() if it holds the grades of the items in its "
        "index.",
    ),
    "list as an item": (
        ([["A"], "B"], ["A"]),
        "ranked holds ['A'] (list), which cannot be looked up. Items are text, numbers or tuples.",
    ),
    "list as a relevant item": (
        (["A"], [["A"]]),
        "relevant holds ['A'] (list), which cannot be looked up. Items are text, numbers or "
        "tuples.",
    ),
    "no grade": (
        (["A"], {"A": float("nan")}),
        "The grade of 'A' is nan. A grade is a finite number: 0 for not relevant, 1 for relevant, "
        "more for more relevant.",
    ),
    "grade as a word": (
        (["A"], {"A": "high"}),
        "The grade of 'A' is 'high'. A grade is a finite number: 0 for not relevant, 1 for "
        "relevant, more for more relevant.",
    ),
    "grade that only Python reads": (
        (["A"], {"A": "1_0"}),
        "The grade of 'A' is '1_0'. A grade is a finite number: 0 for not relevant, 1 for "
        "relevant, more for more relevant.",
    ),
    "None as a grade": (
        (["A"], {"A": None}),
        "The grade of 'A' is None. A grade is a finite number: 0 for not relevant, 1 for "
        "relevant, more for more relevant.",
    ),
}


@pytest.mark.parametrize("function", [reciprocal_rank, average_precision, ndcg, explain])
@pytest.mark.parametrize("case", LIST_ERRORS)
def test_lists(case, function):
    lists, message = LIST_ERRORS[case]
    assert message_of(function, *lists) == message


def test_a_grade_beyond_all_numbers():
    assert message_of(ndcg, ["A"], {"A": 10**400}).startswith("The grade of 'A' is 1000")


@pytest.mark.parametrize("function", [dcg, ndcg])
def test_a_grade_too_large_to_be_added_up(function):
    expected = (
        "A grade is 1e+308, more than can be added up. Map the grades to a scale such as 0 to 4."
    )
    assert message_of(function, ["A", "B"], {"A": 1.0, "B": 1e308}) == expected
    most = 2.0**1000
    assert dcg(["A", "B", "C"], {"A": most, "C": most}) == 1.5 * most


def test_a_grade_too_large_for_two_to_its_power():
    expected = (
        "A grade is 5000, and 2^5000 - 1 is more than a number can hold. Map the grades to a "
        "scale such as 0 to 4, or take gain='linear'."
    )
    assert message_of(ndcg, ["A"], {"A": 5000}, gain="exponential") == expected
    assert ndcg(["A"], {"A": 5000}) == 1
    chosen = Conventions(gain="exponential")
    qrels = QRELS.assign(relevance=5000)
    assert message_of(evaluate, RUN, qrels, conventions=chosen) == expected


@pytest.mark.parametrize("mean", [mean_reciprocal_rank, mean_average_precision])
def test_no_cases_no_mean(mean):
    expected = "There are no cases, so there is no mean. Pass (ranked, relevant) pairs."
    assert message_of(mean, []) == expected


def test_a_case_that_is_no_pair():
    expected = (
        "Case 1 is 7, not a pair. Each case is (ranked, relevant); put a single one into a list: "
        "[(ranked, relevant)]."
    )
    assert message_of(mean_reciprocal_rank, [(["a"], ["a"]), 7]) == expected
    assert re.match("Case 0 is", message_of(mean_reciprocal_rank, (["a", "b", "c"], {"a"})))


@pytest.mark.parametrize(
    ("ranked", "relevant"),
    [
        (["x", "a"], {"a": True, "x": False}),
        (("x", "a"), ("a",)),
        (np.array(["x", "a"]), np.array(["a"])),
        (pd.Series(["x", "a"]), frozenset("a")),
        (iter(["x", "a"]), iter(["a"])),
        (pd.Index(["x", "a"]), dict.fromkeys("a", 1).keys()),
        ([1, 2], np.array([2])),
        (range(1, 3), [2, 2]),
        ([("x", 1), ("a", 1)], {("a", 1)}),
    ],
)
def test_any_sequence_and_any_set_will_do(ranked, relevant):
    assert reciprocal_rank(ranked, relevant) == 1 / 2


@pytest.mark.parametrize("function", [reciprocal_rank, average_precision, ndcg])
def test_nothing_retrieved_or_nothing_relevant_is_zero(function):
    assert (function([], ["a"]), function(["a"], []), function([], {})) == (0, 0, 0)
