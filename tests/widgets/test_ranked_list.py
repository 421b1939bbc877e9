"""The ranked list without a browser: what it accepts, and what a browser sends it."""

import numpy as np
import pytest
from traitlets import TraitError

from byhand import DataError
from byhand.widgets import Explorer, RankedList


def send(widget, **state):
    """Have a widget receive what a browser would send."""
    widget.set_state(state)


@pytest.fixture
def ranks() -> RankedList:
    return RankedList(["D1", "D2", "D3", "D4"], {"D4", "D9"})


def test_what_was_not_retrieved_starts_in_the_dock_if_it_is_relevant(ranks):
    assert (ranks.order, ranks.docked) == (("D1", "D2", "D3", "D4"), ("D9",))
    assert ranks.relevant == {"D4": 1, "D9": 1}
    assert ranks.grades == {"D1": 0, "D2": 0, "D3": 0, "D4": 1, "D9": 1}
    graded = RankedList(["D1"], {"D1": 1, "D7": 0, "D8": 2.0}, max_grade=2)
    assert graded.grades == {"D1": 1, "D8": 2}


def test_a_mapping_gives_labels_and_order_says_what_is_retrieved():
    ranks = RankedList({7: "Zoo", 8: "Park", 9: "Museum"}, [9], order=[8, 9])
    assert ranks.order == (8, 9)
    assert ranks.docked == (7,)
    assert ranks.catalogue.labels[9] == "Museum"
    assert ranks.relevant == {9: 1}


def test_a_browser_knows_items_by_text_and_python_by_themselves():
    ranks = RankedList([1, "1", np.int64(2), ("a", 3)], [1])
    state = ranks.get_state()
    assert state["order"] == ["1", "'1'", "2", "('a', 3)"]
    assert state["grades"] == {"1": 1, "'1'": 0, "2": 0, "('a', 3)": 0}
    assert [each["id"] for each in state["fixed"]["items"]] == state["order"]
    send(ranks, order=["'1'", "2", "1", "('a', 3)"])
    assert ranks.order == ("1", 2, 1, ("a", 3))
    ranks.move(2, to=4)
    assert ranks.order == ("1", 1, ("a", 3), 2)
    ranks.order = [np.int64(1), ("a", 3)]
    assert str(ranks.order) == "(1, ('a', 3))"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: RankedList("ABC", []), "Put the items into a list"),
        (lambda: RankedList(["a", "b", "a"], []), "rank 1 and again at rank 3"),
        (lambda: RankedList([["a"]], []), r"\['a'\] \(list\), which cannot be an id"),
        (lambda: RankedList(["a"], "a"), "Put it into braces"),
        (lambda: RankedList(["a"], {"a": 2}), "from 0 .* to 1: .* larger max_grade"),
        (lambda: RankedList(["a"], {"a": -1}), "The grade of 'a' is -1"),
        (lambda: RankedList(["a"], {"a": 0.5}), "whole number"),
        (lambda: RankedList(["a"], {"a": float("nan")}), "whole number"),
        (lambda: RankedList(["a"], {"a": "high"}), "The grade of 'a' is 'high'"),
        (lambda: RankedList(["a"], [], max_grade=0), "max_grade is 0"),
        (lambda: RankedList(["a"], [], max_grade=10), "max_grade is 10"),
        (lambda: RankedList(["a"], [], order=["b"]), "'b' is not an item .* holds 'a'"),
    ],
)
def test_what_cannot_be_a_list_is_refused(make, words):
    with pytest.raises(DataError, match=words):
        make()


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (["D1", "D1"], "'D1' stands at rank 1 and again at rank 2 of order"),
        (["D1", "D5"], "'D5' is not an item of this list, which holds 'D1', 'D2', 'D3'"),
        ([["D1"]], "is not an item"),
    ],
)
def test_an_order_that_is_none_is_refused_and_changes_nothing(ranks, order, words):
    with pytest.raises(DataError, match=words):
        ranks.order = order
    with pytest.raises(TraitError, match=words):
        send(ranks, order=order)
    assert ranks.order == ("D1", "D2", "D3", "D4")


@pytest.mark.parametrize("grades", [{"D1": 2}, {"D1": -1}, {"D1": 0.5}, {"D1": "x"}, {"D7": 1}])
def test_a_grade_out_of_range_is_refused_and_changes_nothing(ranks, grades):
    before = ranks.grades
    with pytest.raises(DataError):
        ranks.grades = grades
    with pytest.raises(DataError):
        send(ranks, grades=grades)
    assert ranks.grades == before


def test_what_nobody_judged_counts_as_0_until_it_is_judged():
    explorer = Explorer(["a", "b"], {"b": 2, "a": None}, max_grade=3, measures=["nDCG", "Judged"])
    ranks = explorer.ranks
    assert ranks.grades == {"a": None, "b": 2}
    assert ranks.page_state()["grades"] == {"a": None, "b": 2}
    assert repr(ranks) == "RankedList(a:– > b:2)"
    assert ranks.relevant == {"b": 2}
    graded = Explorer(["a", "b"], {"b": 2}, max_grade=3, measures=["nDCG", "Judged"])
    assert explorer.values == {**graded.values, "Judged": 0.5}
    explorer.ideal()
    assert ranks.order == ("b", "a")
    ranks.set_grade("a", 0)
    assert explorer.values == {"nDCG": 1, "Judged": 1}
    explorer.reset()
    assert ranks.grades["a"] is None
    send(ranks, grades={"b": 3})  # None was lost on its way
    assert ranks.grades == {"a": None, "b": 3}


def test_grades_cannot_be_changed_behind_the_browser_s_back(ranks):
    with pytest.raises(TypeError, match=r"use \.set_grade\(item, grade\)"):
        ranks.grades["D1"] = 1
    with pytest.raises(TypeError, match="assign a new dict"):
        ranks.grades.pop("D1")


def test_move_take_out_and_bring_in(ranks):
    ranks.move("D4", to=1)
    assert ranks.order == ("D4", "D1", "D2", "D3")
    ranks.take_out("D4")
    assert ranks.docked == ("D4", "D9")
    ranks.move("D9", to=4)
    assert ranks.order == ("D1", "D2", "D3", "D9")
    ranks.reset()
    assert ranks.order == ("D1", "D2", "D3", "D4")
    for to in (0, 5, -1):
        with pytest.raises(DataError, match="ranks go from 1 to 4"):
            ranks.move("D4", to=to)
    for act in (ranks.take_out, lambda item: ranks.move(item, to=1)):
        with pytest.raises(DataError, match="'D5' is not an item of this list"):
            act("D5")


def test_repr_is_one_stable_line(ranks):
    assert repr(ranks) == "RankedList(D1 > D2 > D3 > D4*; not retrieved: D9*)"
    assert repr(RankedList(["a", "b"], {"b": 2}, max_grade=3)) == "RankedList(a:0 > b:2)"
    assert repr(RankedList([], {"b"})) == "RankedList(nothing retrieved; not retrieved: b*)"
    bundle, _ = ranks._repr_mimebundle_()
    assert bundle["text/plain"] == repr(ranks)


def test_a_set_of_relevant_items_is_docked_in_the_same_order_in_every_run():
    missed = {"D9", "D7", "D12", "D10", "D8"}
    assert RankedList(["D1"], missed).docked == ("D10", "D12", "D7", "D8", "D9")
    assert RankedList(["D1"], {3, "b", 1, "a"}).docked == (1, 3, "a", "b")
    assert RankedList(["D1"], ["D9", "D7"]).docked == ("D9", "D7")
