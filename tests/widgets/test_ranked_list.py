"""The ranked list and the Explorer without a browser: what they accept, say, and are sent."""

from math import log2

import numpy as np
import pytest

from byhand.widgets import Explorer, RankedList


def test_what_was_not_retrieved_starts_in_the_dock_if_it_is_relevant():
    graded = RankedList(["D1"], {"D1": 1, "D7": 0, "D8": 2.0}, max_grade=2)
    assert graded.grades == {"D1": 1, "D8": 2}
    assert RankedList(["D1"], {3, "b", 1, "a"}).docked == (1, 3, "a", "b")  # in every run


def test_a_mapping_gives_labels_and_order_says_what_is_retrieved():
    ranks = RankedList({7: "Zoo", 8: "Park", 9: "Museum"}, [9], order=[8, 9])
    assert (ranks.order, ranks.docked, ranks.relevant) == ((8, 9), (7,), {9: 1})
    assert ranks.catalogue.labels[9] == "Museum"


def test_a_browser_knows_items_by_text_and_python_by_themselves():
    ranks = RankedList([1, "1", np.int64(2), ("a", 3)], [1])
    state = ranks.get_state()
    assert state["order"] == ["1", "'1'", "2", "('a', 3)"]
    assert state["grades"] == {"1": 1, "'1'": 0, "2": 0, "('a', 3)": 0}
    assert [each["id"] for each in state["fixed"]["items"]] == state["order"]
    ranks.set_state({"order": ["'1'", "2", "1", "('a', 3)"]})
    assert ranks.order == ("1", 2, 1, ("a", 3))
    ranks.move(2, to=4)
    assert ranks.order == ("1", 1, ("a", 3), 2)
    ranks.order = [np.int64(1), ("a", 3)]
    assert str(ranks.order) == "(1, ('a', 3))"


def test_what_nobody_judged_counts_as_0_until_it_is_judged():
    explorer = Explorer(["a", "b"], {"b": 2, "a": None}, max_grade=3, measures=["nDCG", "Judged"])
    ranks = explorer.ranks
    assert ranks.page_state()["grades"] == {"a": None, "b": 2}
    assert repr(ranks) == "RankedList(a:– > b:2)"
    assert explorer.values["Judged"] == 1 / 2
    ranks.move("b", to=1)
    ranks.grades = {"a": 0, "b": 2}
    assert explorer.values == {"nDCG": 1, "Judged": 1}
    ranks.set_state({"grades": {"b": 3}})  # None was lost on its way
    assert ranks.grades == {"a": None, "b": 3}


def test_a_list_of_nothing_is_worth_nothing():
    empty = Explorer([], {"D4"})
    assert empty.values == {"RR": 0.0, "AP": 0.0, "nDCG": 0.0}
    assert "nothing retrieved" in repr(empty)


def test_a_number_alone_has_no_name_yet():
    explorer = Explorer(["a", "b"], {"b"}, shows="number", measures="AP@2")
    assert repr(explorer) == "Explorer(a > b*; the number=0.500)"


SECOND = 1 / log2(3)
TOOLS = ["trec_eval -c", "sklearn", "xgboost"]  # the gains of the last are 3 and 1
BINARY = ["RR", "AP", "RR(rel=1)"]


@pytest.mark.parametrize(
    ("options", "sent", "before", "after"),
    [
        ({"measures": ["RR", "P"], "k": 1}, {"k": 3}, [0, 0], [1 / 2, 2 / 3]),
        (
            {"measures": BINARY, "relevant_from": 1},
            {"relevant_from": 2},
            [1 / 2, 7 / 18, 1 / 2],
            [1 / 3, 1 / 6, 1 / 2],
        ),
        (
            {"shows": "ideal", "conventions": TOOLS},
            {"conventions": "xgboost"},
            [(SECOND + 1) / (2 + 2 * SECOND + 1 / 2)],
            [(SECOND + 3 / 2) / (3 + SECOND)],
        ),
    ],
)
def test_what_a_reader_chooses_beside_a_list_counts_at_once(options, sent, before, after):
    list_, grades = ["x", "b", "a"], {"a": 2, "b": 1, "c": 2, "x": 0}
    explorer = Explorer(list_, grades, max_grade=2, **options)
    assert [*explorer.values.values()] == pytest.approx(before, abs=1e-12)
    explorer.set_state(sent)  # as a browser does
    assert [*explorer.values.values()] == pytest.approx(after, abs=1e-12)
    assert [*explorer.steps.filter(like="share of").sum()] == pytest.approx(after, abs=1e-12)


def test_one_measure_stands_side_by_side_as_several_tools_have_it():
    given = {"measures": "nDCG@2", "max_grade": 2, "conventions": ["trec_eval", "sklearn"]}
    both = Explorer(["a", "b"], {"a": 1, "c": 2}, **given)
    # trec_eval's ideal has c at rank 1 and a at rank 2, sklearn's has a alone
    assert both.values == {"trec_eval": pytest.approx(1 / (2 + SECOND)), "sklearn": 1.0}
    assert both.steps["trec_eval"]["share of nDCG@2"].sum() == both.values["trec_eval"]
