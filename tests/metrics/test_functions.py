"""The functions of one list, called with arguments that do not fit."""

import re

import numpy as np
import pytest

import byhand
from byhand import mean_reciprocal_rank, ndcg, recall, success


def test_a_list_of_grades_alone_is_answered_with_a_call_that_works():
    with pytest.raises(TypeError, match="ndcg: missing a required argument: 'relevant'") as said:
        ndcg([3, 2, 3])
    assert "ndcg takes ranked, the items of a list, best first, and relevant" in str(said.value)
    (call,) = re.findall(r"write (ndcg\(.*\))\.", str(said.value))
    log3 = np.log2(3)
    # gains 3, 2, 3 over the best order of the same, 3, 3, 2
    wanted = (3 + 2 / log3 + 3 / 2) / (3 + 3 / log3 + 2 / 2)
    assert eval(call, vars(byhand) | {"ndcg": ndcg}) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: recall(), "recall: missing a required argument: 'ranked'"),
        (lambda: recall(["a"]), "recall(['d2', 'd7'], ['d7'])"),
        (lambda: recall(["a"], ["a"], 5), "recall: too many positional arguments"),
        (lambda: recall(["a"], ["a"], at=5), "recall: got an unexpected keyword argument 'at'"),
        (lambda: success(["a"], ["a"]), "success(['d2', 'd7'], ['d7'], k=10)"),
        (lambda: mean_reciprocal_rank(["a"], ["a"]), "takes a list of (ranked, relevant) pairs"),
    ],
)
def test_arguments_that_do_not_fit_are_answered_with_what_is_needed(call, said):
    with pytest.raises(TypeError) as error:
        call()
    assert said in str(error.value)


@pytest.mark.parametrize("name", ["recall", "success"])
def test_the_calls_that_are_offered_work(name):
    function = getattr(byhand, name)
    with pytest.raises(TypeError) as error:
        function(["a"])
    calls = re.findall(rf"{name}\(\['d2'.*?\)(?=, or|\.)", str(error.value))
    assert [eval(call, {name: function}) for call in calls] == [1.0, 1.0]
