"""The Duel without a browser."""

import pytest

from byhand import DataError
from byhand.widgets import Duel


@pytest.fixture
def duel() -> Duel:
    lists = {"old": ["D1", "D4", "D5", "D2"], "new": ["D2", "D4", "D3", "D5"]}
    return Duel(lists, {"D4", "D5"})


def test_which_measures_tell_two_lists_apart(duel):
    assert duel.told_apart == {"RR": False, "AP": True, "nDCG": True}
    assert duel.values["old"]["AP"] == pytest.approx(7 / 12)
    duel.lists["old"].move("D5", to=4)
    assert duel.told_apart == {"RR": False, "AP": False, "nDCG": False}


def test_judgements_are_shared(duel):
    duel.lists["old"].set_grade("D2", 1)
    assert duel.lists["new"].grades["D2"] == 1
    duel.lists["new"].set_grade("D3", 1)
    assert duel.lists["old"].relevant == {"D4": 1, "D5": 1, "D2": 1, "D3": 1}


def test_reset_brings_both_back(duel):
    before = repr(duel)
    duel.lists["old"].move("D5", to=1)
    duel.lists["new"].set_grade("D4", 0)
    duel.reset()
    assert repr(duel) == before


@pytest.mark.parametrize("lists", [[["a"]], [["a"], ["b"], ["c"]], {"one": ["a"]}, []])
def test_a_duel_is_between_two(lists):
    with pytest.raises(DataError, match="between two lists"):
        Duel(lists, {"a"})


def test_repr_and_picture(duel):
    assert repr(duel) == (
        "Duel(old: D1 > D4* > D5* > D2; not retrieved: D3; "
        "new: D2 > D4* > D3 > D5*; not retrieved: D1; "
        "RR 0.500 = 0.500, AP 0.583 ≠ 0.500, nDCG 0.693 ≠ 0.651)"
    )
    picture = duel.picture()
    assert [ax.get_title(loc="left") for ax in picture.axes] == ["old", "new"]
    assert picture.alt.startswith("old: Hits at rank 2, 3 of 4. RR = 0.500")


def test_a_cutoff_shows_in_the_names():
    duel = Duel([["a", "b"], ["b", "a"]], {"a"}, k=1, measures=["RR"])
    assert repr(duel) == "Duel(A: a* > b; B: b > a*; RR@1 1.000 ≠ 0.000)"
