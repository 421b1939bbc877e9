"""Where one layout of a file ends and another begins: the rule, at its boundary."""

import pytest

from byhand import DataError, read_qrels, read_run
from byhand.columns import guess, type_of

RUN_LINE, QRELS_LINE, OTHER = "q Q0 d{} 1 0.{} t", "q 0 d{} {}", "some text of {} and {} words"


def lines(*counts):
    """So many lines of a run, of qrels, and of neither, in turn."""
    of_each = zip((RUN_LINE, QRELS_LINE, OTHER), counts, strict=True)
    return "".join(f"{line.format(n, 1 + n)}\n" for line, many in of_each for n in range(many))


@pytest.mark.parametrize(
    ("counts", "kind"), [((2, 0, 1), "run"), ((0, 2, 1), "qrels"), ((1, 0, 0), "run")]
)
def test_a_file_is_what_more_than_half_of_its_first_lines_are(tmp_path, counts, kind):
    path = tmp_path / "file"
    path.write_text(lines(*counts))
    wrong = read_qrels if kind == "run" else read_run
    with pytest.raises(DataError, match=f"is {'a run' if kind == 'run' else 'qrels'}, not"):
        wrong(path)


@pytest.mark.parametrize("counts", [(1, 0, 1), (0, 1, 1), (1, 1, 0)])
def test_half_of_its_first_lines_are_not_enough(tmp_path, counts):
    path = tmp_path / "file"
    path.write_text(lines(*counts))
    for reader in (read_run, read_qrels):
        with pytest.raises(DataError) as caught:
            reader(path)
        assert " not a run: " not in str(caught.value)
        assert " not qrels: " not in str(caught.value)


def test_a_name_that_holds_a_known_one_is_a_guess():
    assert guess(["relevance"], ["my_rating"]).ways == ({"my_rating": "relevance"},)
    assert guess(["score", "doc_id"], ["my_rating", "docno"]).basis == "type"


QDS = "query_id doc_id score"
QDR = "query_id doc_id rank"
# what is missing, what the columns hold, and all ways to name them
TYPED = {
    "in order": ([*QDS.split()], {"A": "text", "B": "text", "C": "fraction"}, {QDS: "ABC"}),
    "by type": (["doc_id", "score"], {"A": "fraction", "B": "text"}, {"doc_id score": "BA"}),
    "a number before text": (
        ["doc_id", "score"],
        {"A": "whole", "B": "fraction", "C": "text"},
        {"doc_id score": ["CB", "CA"], "doc_id rank": "CA"},
    ),
    "a rank or a score": (
        [*QDS.split()],
        {"A": "text", "B": "text", "C": "whole", "D": "fraction"},
        {QDS: ["ABD", "ABC"], QDR: "ABC"},
    ),
    "two whole numbers": (
        [*QDS.split()],
        {"A": "text", "B": "text", "C": "whole", "D": "whole"},
        {QDS: ["ABC", "ABD"], QDR: ["ABC", "ABD"]},
    ),
    "scores and grades": (
        ["doc_id", "score", "relevance"],
        {"A": "text", "B": "fraction", "C": "whole"},
        {"doc_id score relevance": ["ABC", "ACB"], "doc_id rank relevance": "ACB"},
    ),
    "scores and truth": (
        ["doc_id", "score", "relevance"],
        {"A": "text", "B": "fraction", "C": "truth"},
        {"doc_id score relevance": "ABC"},
    ),
    "lists are nothing": (["score"], {"A": "nested"}, {}),
    "whole ids": ([*QDS.split()], dict.fromkeys("ABC", "whole"), {QDS: "ABC", QDR: "ABC"}),
    "unknown": ([*QDS.split()], {}, {QDS: "ABC", QDR: "ABC"}),
    "truth": (["doc_id", "relevance"], {"A": "truth", "B": "text"}, {"doc_id relevance": "BA"}),
    "one alone": (["score"], {"A": "text", "B": "fraction"}, {"score": "B"}),
    "one alone, and whole": (["score"], {"A": "whole"}, {"score": "A", "rank": "A"}),
    "one of two alike": (["score"], {"A": "fraction", "B": "fraction"}, {"score": ["A", "B"]}),
    "too many": (["score"], dict.fromkeys("ABCDEFG", "fraction"), {}),
    "no number": (["doc_id", "score"], {"A": "text", "B": "text"}, {"doc_id": "A"}),
}


@pytest.mark.parametrize("case", TYPED)
def test_columns_are_guessed_by_what_they_hold_and_scores_only_where_nothing_else_is(case):
    missing, types, ways = TYPED[case]
    found = guess(missing, [*types] or [*"ABC"], types)
    expected = [
        dict(zip(theirs, ours.split(), strict=True))
        for ours, each in ways.items()
        for theirs in ([each] if isinstance(each, str) else each)
    ]
    assert sorted(
        map(str, map(sorted, (way.items() for way in (found.ways if found else ()))))
    ) == (sorted(map(str, map(sorted, (way.items() for way in expected)))))


@pytest.mark.parametrize(
    ("names", "ways"),
    [
        (["bm25_score", "rank_by_score"], [{"bm25_score": "score"}]),
        (["bm25_score", "dense_score"], [{"bm25_score": "score"}, {"dense_score": "score"}]),
        (["rating", "Punkte"], [{"Punkte": "score"}, {"rating": "score"}]),
    ],
)
def test_no_name_chooses_between_two_columns_of_scores(names, ways):
    assert [*guess(["score"], names, dict.fromkeys(names, "fraction")).ways] == ways


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1", "-2", " +3 "], "whole"),
        (["1", "0,5"], "fraction"),
        (["1e-3", "nan", "-inf"], "fraction"),
        (["True", "false"], "truth"),
        (["true", "1"], "text"),
        (["q1", "1"], "text"),
        (["", None], ""),
        ([1, 2.5, None], "fraction"),
        ([1, [2]], "nested"),
    ],
)
def test_a_type_is_what_all_values_are(values, expected):
    assert type_of(values) == expected
