"""What an Explorer can show beside its list: which measure it is of, and what is refused."""

import pytest

from byhand.widgets import Explorer
from byhand.widgets.board import explorer_state

ITEMS, RELEVANT = ["a", "b", "c"], {"b", "z"}


@pytest.mark.parametrize(
    ("shows", "measures"),
    [
        ("bars", ["RR", "AP", "nDCG"]),
        ("number", ["RR"]),
        ("curve", ["RR"]),
        ("area", ["AP"]),
        ("discount", ["DCG"]),
        ("ideal", ["nDCG"]),
    ],
)
def test_what_is_shown_brings_its_measure(shows, measures):
    explorer = Explorer(ITEMS, RELEVANT, shows=shows)
    assert list(explorer.values) == measures
    assert explorer.page_state()["fixed"]["shows"] == shows
    assert explorer.page_state() == explorer_state(ITEMS, RELEVANT, shows=shows)


@pytest.mark.parametrize("measure", ["RR", "AP@2", "nDCG"])
def test_a_number_alone_has_no_name_anywhere(measure):
    explorer = Explorer(ITEMS, RELEVANT, shows="number", measures=measure, trace=True)
    stem = measure.partition("@")[0]
    (value,) = explorer.values.values()
    assert repr(explorer).endswith(f"the number={value:.3f})")
    assert stem not in repr(explorer)
    assert stem not in explorer.picture().alt


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"shows": "circle"}, "shows is 'circle'. It is one of 'bars', 'number'"),
        ({"shows": "number", "measures": ["RR", "AP"]}, "of one measure, and there are 2: RR, AP"),
        ({"shows": "curve", "measures": "AP"}, "a picture of RR, not of AP. Leave measures out"),
        ({"shows": "area", "measures": "RR"}, "a picture of AP, not of RR"),
        ({"shows": "ideal", "measures": "DCG"}, "a picture of nDCG, not of DCG"),
        ({"trace": True}, "A trace belongs to shows='number', not to shows='bars'"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_words(asked, said):
    with pytest.raises(ValueError, match=said):
        Explorer(ITEMS, RELEVANT, **asked)
