"""The ranked list and the Explorer without a browser: what they accept, say, and are sent."""

from math import log2

import numpy as np
import pytest
from traitlets import TraitError

from byhand import DataError
from byhand.metrics.measures import MEASURES, RankWeighted
from byhand.widgets import Explorer, RankedList

LIST = ["D1", "D2", "D3", "D4"]


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
    assert RankedList(["D1"], {3, "b", 1, "a"}).docked == (1, 3, "a", "b")  # in every run


def test_a_mapping_gives_labels_and_order_says_what_is_retrieved():
    assert repr(RankedList([], {"b"})) == "RankedList(nothing retrieved; not retrieved: b*)"
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
    ("name", "value", "words"),
    [
        ("order", ["D1", "D1"], "'D1' is at rank 1 and at rank 2 of order"),
        ("order", ["D1", "D5"], "'D5' is not an item of this list, which contains 'D1', 'D2'"),
        ("order", [["D1"]], "is not an item"),
        ("grades", {"D1": 2}, "'D1' is .* whole number from 0"),
        ("grades", {"D1": 0.5}, "'D1' is .* whole number from 0"),
        ("grades", {"D7": 1}, "'D7' is not an item"),
    ],
)
def test_an_order_or_a_grade_that_is_none_is_refused_and_changes_nothing(ranks, name, value, words):
    before = ranks.get_state()
    with pytest.raises(DataError, match=words):
        setattr(ranks, name, value)
    with pytest.raises((DataError, TraitError), match=words):
        send(ranks, **{name: value})
    assert ranks.get_state() == before


def test_what_nobody_judged_counts_as_0_until_it_is_judged():
    explorer = Explorer(["a", "b"], {"b": 2, "a": None}, max_grade=3, measures=["nDCG", "Judged"])
    ranks = explorer.ranks
    assert ranks.grades == {"a": None, "b": 2}
    assert ranks.page_state()["grades"] == {"a": None, "b": 2}
    assert repr(ranks) == "RankedList(a:– > b:2)"
    assert ranks.relevant == {"b": 2}
    ranks.move("b", to=1)
    ranks.grades = {"a": 0, "b": 2}
    assert explorer.values == {"nDCG": 1, "Judged": 1}
    send(ranks, grades={"b": 3})  # None was lost on its way
    assert ranks.grades == {"a": None, "b": 3}


def test_move_and_bring_in(ranks):
    ranks.move("D4", to=1)
    assert ranks.order == ("D4", "D1", "D2", "D3")
    ranks.order = ["D1", "D2", "D3"]
    assert ranks.docked == ("D4", "D9")
    ranks.move("D9", to=4)
    assert ranks.order == ("D1", "D2", "D3", "D9")
    for to in (0, 6, -1):
        with pytest.raises(DataError, match="Expected a rank from 1 to 5"):
            ranks.move("D4", to=to)
    with pytest.raises(DataError, match="'D5' is not an item of this list"):
        ranks.move("D5", to=1)


def test_values_are_right_as_soon_as_a_trait_changes():
    explorer = Explorer(LIST, {"D4", "D9"})
    assert explorer.values == {"RR": 0.25, "AP": 0.125, "nDCG": pytest.approx(0.264, abs=5e-4)}
    explorer.ranks.order = ["D9", "D4", "D1"]
    assert explorer.values == {"RR": 1.0, "AP": 1.0, "nDCG": 1.0}
    explorer.ranks.grades = {**explorer.ranks.grades, "D1": 1}
    assert explorer.values["AP"] == 1.0
    explorer.ranks.order = ["D4", "D1"]
    assert explorer.values["AP"] == pytest.approx(2 / 3)
    empty = Explorer([], {"D4"})
    assert empty.values == {"RR": 0.0, "AP": 0.0, "nDCG": 0.0}
    assert "nothing retrieved" in repr(empty)


def test_a_cutoff_counts_at_once():
    explorer = Explorer(LIST, {"D4"}, k=3)
    assert explorer.values["RR"] == 0.0
    explorer.set_state({"k": 4})  # what a browser sends
    assert explorer.values["RR"] == 0.25
    explorer.k = 2
    assert repr(explorer) == "Explorer(D1 > D2 > D3 > D4*; RR@2=0.000, AP@2=0.000, nDCG@2=0.000)"
    assert len(explorer.steps) == 2


def test_a_lowest_relevant_grade_is_of_measures_that_name_none():
    list_ = ["k", "minestrone", "gazpacho", "l", "f", "bisque", "s", "t"]
    grades = {"bisque": 3, "gazpacho": 2, "harira": 2, "minestrone": 1, "rasam": 1}
    measures = ["RR", "AP", "P@5", "RR(rel=1)", "nDCG"]
    explorer = Explorer(list_, grades, measures=measures, max_grade=3, relevant_from=2)
    first = [1 / 3, 2 / 9, 1 / 5, 1 / 2]
    ndcg = explorer.values["nDCG"]
    assert list(explorer.values.values()) == pytest.approx([*first, ndcg], abs=1e-12)
    assert explorer.steps["share of AP(rel=2)"].sum() == pytest.approx(2 / 9, abs=1e-12)
    assert "Hits at ranks 3, 6 of 8. Relevant items not retrieved: 1." in explorer.picture().alt
    explorer.set_state({"relevant_from": 3})  # what a browser sends
    assert list(explorer.values.values()) == pytest.approx(
        [1 / 6, 1 / 6, 0, 1 / 2, ndcg], abs=1e-12
    )
    with pytest.raises(DataError, match=r"relevant_from is 4\. Expected a grade from 1 to 3"):
        explorer.relevant_from = 4


def test_one_measure_stands_side_by_side_as_several_tools_have_it():
    given = {"measures": "nDCG@2", "max_grade": 2, "conventions": ["trec_eval", "sklearn"]}
    both = Explorer(["a", "b"], {"a": 1, "c": 2}, **given)
    # log2(3) is 1.585: trec_eval's ideal has c at rank 1 and a at rank 2, sklearn's has a alone
    assert both.values == {"trec_eval": pytest.approx(1 / (2 + 1 / 1.58496)), "sklearn": 1.0}
    assert both.steps["trec_eval"]["share of nDCG@2"].sum() == both.values["trec_eval"]
    assert "trec_eval=0.380, sklearn=1.000" in repr(both)
    with pytest.raises(ValueError, match="conventions is empty"):
        Explorer(["a"], {"a"}, conventions=[])


def test_the_conventions_of_another_picture_are_chosen_one_at_a_time():
    list_, grades = ["a", "x", "b"], {"a": 2, "b": 1, "c": 2, "x": 0}
    tools = ["trec_eval -c", "sklearn", "xgboost"]
    explorer = Explorer(list_, grades, shows="ideal", conventions=tools, max_grade=2)
    mine, third, second = 2 + 1 / 2, 1 / 2, 1 / log2(3)
    assert explorer.values == {"nDCG": pytest.approx(mine / (2 + 2 * second + third), abs=1e-12)}
    explorer.set_state({"conventions": "sklearn"})  # what a browser sends
    assert explorer.values == {"nDCG": pytest.approx(mine / (2 + second), abs=1e-12)}
    explorer.conventions = "xgboost"  # its gains are 3 and 1
    value = (3 + third) / (3 + second)
    assert explorer.values == {"nDCG": pytest.approx(value, abs=1e-12)}
    assert explorer.picture().said[1:] == ["As xgboost computes it."]
    with pytest.raises(DataError, match=r"conventions is 'ranx'\. Expected one of .* 'xgboost'"):
        explorer.conventions = "ranx"
    with pytest.raises(DataError, match="has no choice of tools"):
        Explorer(list_, grades, max_grade=2).conventions = "sklearn"


def test_a_row_for_several_ranks_counts_as_so_many():
    explorer = Explorer(["a", "gap", "b"], {"b"}, spans={"gap": 36}, measures=["RR", "P"], k=50)
    assert explorer.values == {"RR": 1 / 38, "P": 1 / 50}
    fixed = Explorer(["a", "gap", "b"], {"b"}, spans={"gap": 36}, k=5).page_state()["fixed"]
    assert fixed["most_k"] == 38  # the cutoff goes as far as the ranks do
    assert fixed["ranks"]["fixed"]["spans"] == {"gap": 36}


def test_python_answers_for_a_measure_that_no_browser_knows(monkeypatch):
    class Hits(RankWeighted):
        """The hits."""

        name = "Hits"
        meaning = "how many hits there are"
        source = "this test"

    monkeypatch.setitem(MEASURES, "Hits", Hits)
    explorer = Explorer(["a", "b"], {"b"}, measures=["Hits", "RR"])
    assert [spec["kind"] for spec in explorer.fixed["measures"]] == ["", "RR"]
    assert explorer.answers["lanes"] == {"Hits": {"value": 1.0, "shares": [0.0, 1.0], "most": 1.0}}
    explorer.ranks.order = ["b", "a"]
    assert explorer.answers["order"] == ["b", "a"]
    assert explorer.answers["lanes"]["Hits"]["shares"] == [1.0, 0.0]
    assert Explorer(["a"], {"a"}).answers == {}


@pytest.mark.parametrize("measure", ["RR", "AP@2", "nDCG"])
def test_a_number_alone_has_no_name_anywhere(measure):
    explorer = Explorer(LIST, {"D2", "D9"}, shows="number", measures=measure, trace=True)
    stem = measure.partition("@")[0]
    (value,) = explorer.values.values()
    assert repr(explorer).endswith(f"the number={value:.3f})")
    assert stem not in repr(explorer)
    assert stem not in explorer.picture().alt
