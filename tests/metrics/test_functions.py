"""The functions of one list, called with arguments that do not fit."""

import re

import pytest

import byhand


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
