"""What holds for every widget: what a browser may send, what is drawn, and what is refused."""

import base64
import contextlib
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from refused import alike, cases_of, refusal_of
from traitlets import TraitError
from widgets import WIDGETS

from byhand import Conventions, widgets
from byhand.widgets import OwnQueries, PermutationTest, Queries, embed
from byhand.widgets.list.goals import solve
from helpers import Question, check, predict

SENT = [0, -1, 10**30, 1.5, "x", None, True, [], [None], ["x"], [1], [{}], ["a", "a"], {}]
SENT += [{"x": 1}, {"steady": 1, "patchy": [1, 2]}]


def test_every_folder_with_a_view_is_a_widget_that_is_tried_here():
    folders = {path.parent.name for path in Path(embed.__file__).parent.glob("*/view.js")}
    assert folders == {make().view for make in WIDGETS.values()}


@pytest.mark.parametrize("name", WIDGETS)
class TestEveryWidget:
    def test_the_picture_in_an_output_is_a_drawing_with_every_colour_that_it_uses(self, name):
        data, _ = WIDGETS[name]()._repr_mimebundle_()
        for drawing in re.findall(r"svg\+xml;base64,([\w+/=]+)", data.get("text/html", "")):
            svg = base64.b64decode(drawing).decode()
            ElementTree.fromstring(svg)
            used, known = (
                set(re.findall(each, svg)) for each in (r"var\(--([\w-]+)", r"--([\w-]+):")
            )
            assert "ink" in used
            assert used <= known | {"jp-layout-color0", "jp-ui-font-color1"}

    def test_what_a_browser_may_not_send_is_refused_in_words_and_changes_nothing(self, name):
        widget = WIDGETS[name]()
        before = widget.get_state()
        for trait in widget.page_state().keys() - {"view", "fixed"}:
            for sent in SENT:
                with contextlib.suppress(TraitError):
                    widget.set_state({trait: sent})
                    assert type(widget).__name__ in repr(widget)
                    widget.set_state({trait: before[trait]})
                assert widget.get_state() == before, (trait, sent)


LIST, RELEVANT = ["D1", "D4", "D2"], {"D4"}
NAMES = {name: getattr(widgets, name) for name in widgets.__all__}
NAMES |= {"np": np, "solve": solve, "Question": Question, "check": check, "predict": predict}
NAMES |= {"LIST": LIST, "RELEVANT": RELEVANT, "LISTS": {"soup": (LIST, RELEVANT)}}
NAMES |= {"REMOVED": Conventions(unjudged="removed"), "COMMENTS": {"a": "No.", "b": "Yes."}}
CASES = cases_of(Path(__file__).with_name("refusals.txt"))


@pytest.mark.parametrize("name", CASES)
def test_a_mistake_is_said_to_whoever_made_it(name):
    call, said = CASES[name]
    assert alike(refusal_of(call, NAMES), " ".join(said))


def test_p_counts_what_was_observed_as_one():
    coins = PermutationTest([0.5, -0.25, 0.0])
    coins.shuffles, coins.reached = 9, 4
    assert coins.p == 0.5
    assert repr(coins).endswith("; 9 permutations, 4 as extreme: p = 0.500)")


def test_the_values_of_own_queries_open_no_more_widgets(monkeypatch):
    own = OwnQueries("museum\nMarket\nPier *")
    monkeypatch.setattr(Queries, "open", pytest.fail)  # sends a widget to the browser
    assert (own.values, own.mean) == ({"museum": 0.5}, 0.5)
    own.text = "museum\nPier\nPier"  # as a reader types
    assert repr(own).startswith("OwnQueries(Line 3 has “Pier” again, as line 2 does.")
