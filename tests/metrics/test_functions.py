"""The functions of one list, called with arguments that do not fit."""

import re

import pytest

import byhand
from byhand import mean_reciprocal_rank, recall


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: recall(), "recall: missing a required argument: 'ranked'"),
        (lambda: recall(["a"]), "recall takes ranked, the items of a list, best first, and"),
        (lambda: recall(["a"], ["a"], 5), "recall: too many positional arguments"),
        (lambda: recall(["a"], ["a"], at=5), "recall has no option at. The options are ranked,"),
        (lambda: mean_reciprocal_rank(["a"], ["a"]), "takes a list of (ranked, relevant) pairs"),
    ],
)
def test_arguments_that_do_not_fit_are_answered_with_what_is_needed(call, said):
    with pytest.raises(TypeError) as error:
        call()
    assert said in str(error.value)


@pytest.mark.parametrize("name", ["recall", "success", "ndcg"])
def test_the_calls_that_are_offered_work(name):
    function, grades = getattr(byhand, name), [3, 2, 3]
    with pytest.raises(TypeError) as error:
        function(grades)
    calls = re.findall(rf"{name}\(\[.d2.*?k=10\)|{name}\(\['d2', 'd7'\].*?\)", str(error.value))
    assert len(calls) == 2
    (whole,) = re.findall(rf"write ({name}\(.*\))\.", str(error.value))
    for call in [*calls, whole]:
        assert 0 < eval(call, {name: function, "grades": grades}) <= 1
