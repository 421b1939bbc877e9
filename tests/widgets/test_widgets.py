"""What holds for every widget: what a browser is told, what a page keeps, what is refused."""

import base64
import contextlib
import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from traitlets import TraitError

from byhand import Conventions, DataError
from byhand.statistics import as_extreme_as, queries_needed, sign_flip_means
from byhand.widgets import (
    Challenge,
    Explorer,
    FormulaComparison,
    Goal,
    IntervalSamples,
    OwnList,
    OwnQueries,
    PermutationTest,
    Prediction,
    Queries,
    RankedList,
    Shuffle,
    Visitors,
    embed,
)
from byhand.widgets.prediction.answers import Order

LIST, RELEVANT = ["D1", "D4", "D2"], {"D4"}
REMOVED = Conventions(unjudged="removed")
LISTS = {"soup": (LIST, RELEVANT)}
# view -> how to make it, its text, and with what the words of its picture begin
WIDGETS = {
    "list": (
        lambda: RankedList(["a", "b"], {"b": 2, "z": 1}, max_grade=3),
        "RankedList(a:0 > b:2; not retrieved: z:1)",
        None,
    ),
    "bench": (
        lambda: FormulaComparison(
            {"lone": (LIST, RELEVANT), "top": (["D4"], {"D4": 2})}, ["rank", "1/rank"]
        ),
        "FormulaComparison(lone: D1 > D4* > D2; top: D4*; rank: 2, 1; 1/rank: 1/2, 1)",
        "lone: D1, D4, D2. Hit at rank 2 of 3. top: D4. Hit at rank 1 of 1. The rank",
    ),
    "explorer": (
        lambda: Explorer(LIST, {"D4", "D9"}, k=2, measures=["Judged", "RR"]),
        "Explorer(D1 > D4* > D2; not retrieved: D9*; Judged@2=1.000, RR@2=0.500)",
        "D1, D4, D2. Hit at rank 2 of 3. Relevant items not retrieved: 1. Judged@2 = 1.000",
    ),
    "challenge": (
        lambda: Challenge(LIST, RELEVANT, Goal.reach("RR", 1)),
        "Challenge(D1 > D4* > D2; goal not reached)",
        "Make RR = 1. D1, D4, D2. Hit at rank 2 of 3.",
    ),
    "own": (
        lambda: OwnList("a\nb *", measures="RR"),
        "OwnList(a > b*; RR=0.500)",
        "a, b. Hit at rank 2 of 2. RR = 0.500",
    ),
    "prediction": (
        lambda: Prediction("Best first?", Order(answer=["a", "b"], start=["b", "a"])),
        "Prediction('Best first?'; no guess yet)",
        "A question: Best first? Your order: b, a.",
    ),
    "queries": (
        lambda: Queries({"soup": (LIST, {"D4", "D9"}), "bread": (["D1"], ())}),
        "Queries(soup: D1 > D4* > D2; not retrieved: D9*; bread: D1; mean of all RR = 1/4)",
        "Mean RR is 1/4. soup: D1, D4, D2. Hit at rank 2 of 3. Relevant items not",
    ),
    "draws": (
        lambda: IntervalSamples([0.5, 0.25, -0.5, 0], names=("new", "old"), n=30),
        "IntervalSamples(truth=0.050, n=30, draws=0)",
        "The latest intervals, of samples of 30 queries. 23 of 24 contain the true difference, "
        "+0.050.",
    ),
    "shuffle": (
        lambda: Shuffle(LIST, {"D4", "D9"}, others=9),
        "Shuffle(D1 > D4* > D2; not retrieved: D9*; AP=0.250)",
        "Your order: D1, D4, D2. Hit at rank 2 of 3. Relevant items not retrieved: 1. AP",
    ),
    "permutation": (
        lambda: PermutationTest({"many": [0.5, 0.25], "few": [0.25, 0]}),
        "PermutationTest(many - few: +0.250; 0 permutations)",
        "Observed: +0.250; labels permuted a thousand times. 1,000 values of mean "
        "difference, many − few:",
    ),
    "visitors": (
        lambda: Visitors(LIST, {"D4", "D9"}),
        "Visitors(D1 > D4* > D2; not retrieved: D9*; RR=0.500, AP=0.250)",
        "D1, D4, D2. Hit at rank 2 of 3. Relevant items not retrieved: 1.",
    ),
}

SENT = [0, -1, 10**30, 1.5, "x", None, True, [], [None], ["x"], [1], [{}], ["a", "a"], {}]
SENT += [{"x": 1}, {"steady": 1, "patchy": [1, 2]}]


def test_an_explorer_says_its_means():
    means = {"two": {"a": (LIST, ["D2"]), "b": LISTS["soup"]}}
    widget = Explorer(LIST, {"D4"}, measures="RR", means=means)
    assert repr(widget) == "Explorer(D1 > D4* > D2; RR=0.500; two: mean 0.4167)"
    found = "D1, D4, D2. Hit at rank 2 of 3. RR = 0.500."
    assert widget.picture().alt == f"{found} two: a = 0.3333, b = 0.5000, mean = 0.4167."


def test_every_folder_with_a_view_is_a_widget_that_is_tried_here():
    assert {path.parent.name for path in Path(embed.__file__).parent.glob("*/view.js")} == {
        *WIDGETS
    }


@pytest.mark.parametrize("view", WIDGETS)
class TestEveryWidget:
    def test_an_output_carries_a_title_a_picture_in_words_and_the_state_for_a_page(self, view):
        make, words, pictured = WIDGETS[view]
        widget = make()
        data, _ = widget._repr_mimebundle_()
        assert repr(widget) == words
        assert data[embed.LIVE] == widget.page_state()
        assert data[embed.LIVE]["view"] == view
        if not pictured:
            assert data["text/plain"] == words
            assert "text/html" not in data
            return
        title, said = data["text/plain"].split("\n")
        assert title.startswith(("A ", "An ", "Ranked lists"))
        assert said.startswith(pictured)
        run, image = data["text/html"].split("\n<br>")
        assert run.startswith("Run this cell (Shift+Enter) to ")
        form = r'<img src="data:image/svg\+xml;base64,([\w+/=]+)" width="\d+" alt="([^"]*)">'
        drawing, alt = re.fullmatch(form, image).groups()
        assert unescape(alt) == said
        svg = base64.b64decode(drawing).decode()
        ElementTree.fromstring(svg)
        used, known = (set(re.findall(each, svg)) for each in (r"var\(--([\w-]+)", r"--([\w-]+):"))
        assert "ink" in used
        assert used <= known | {"jp-layout-color0", "jp-ui-font-color1"}
        assert widget._repr_mimebundle_()[0]["text/html"] == data["text/html"]

    def test_what_a_browser_may_not_send_is_refused_in_words_and_changes_nothing(self, view):
        widget = WIDGETS[view][0]()
        before = widget.get_state()
        for name in widget.page_state().keys() - {"view", "fixed"}:
            for sent in SENT:
                with contextlib.suppress(TraitError):
                    widget.set_state({name: sent})
                    assert type(widget).__name__ in repr(widget)
                    widget.set_state({name: before[name]})
                assert widget.get_state() == before, (name, sent)


# of a name or a number that is none, which is no matter of data
PLAIN = ("cutoff", "'RRR'", "is not a", "shows is", "one measure", "draws", "only with")


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        (lambda: RankedList("ABC", []), "Put the items into a list"),
        (lambda: RankedList([["a"]], []), r"\['a'\] \(list\), which cannot be an id"),
        (lambda: RankedList(["a"], "a"), r"If it is one item, pass \{'a'\}"),
        (lambda: RankedList(["a"], {"a": 2}), "from 0 .* to 1. .* larger max_grade"),
        (lambda: Explorer(LIST, RELEVANT, spans={"D1": 0}), "span of 'D1' is 0. .*: 1 or more"),
        (lambda: Explorer(LIST, RELEVANT, conventions=REMOVED), "pass unjudged='not_relevant'"),
        (lambda: Explorer(LIST, RELEVANT, k=2.5), "cutoff"),
        (lambda: Explorer(LIST, RELEVANT, measures=["RRR"]), "'RRR' is not a .*nearest is 'RR'"),
        (lambda: Explorer(LIST, RELEVANT, shows="circle"), "shows is 'circle'. Expected one of"),
        (lambda: Explorer(LIST, RELEVANT, shows="number", measures=["RR", "AP"]), "one measure"),
        (lambda: Explorer(LIST, RELEVANT, shows="curve", measures="AP"), "draws RR, not AP. Rem"),
        (lambda: Explorer(LIST, RELEVANT, trace=True), "only with shows='number', but shows is"),
        (lambda: Challenge(LIST, RELEVANT, "AP"), r"goal is 'AP'. Pass .*Goal.highest\('AP'\)"),
        (lambda: Goal("AP", "highst"), "aim is 'highst'. Expected one of 'reach', 'nearest', "),
        (lambda: PermutationTest([]), "differences has no values"),
        (lambda: Shuffle(LIST, RELEVANT, measures="Bpref"), "Bpref depends on more .* Pass 'RR'"),
        (
            lambda: Shuffle(LIST, RELEVANT, times=[10, 0]),
            r"times is \[10, 0\]. Expected whole numbers from 1 to 10,000",
        ),
        (lambda: PermutationTest({"many": [1]}), "values is {'many'.*Expected differences, or two"),
        (lambda: Visitors(LIST, RELEVANT, measures="nDCG"), "measures is 'nDCG'. Expected 'RR'"),
        (lambda: setattr(Visitors(LIST, RELEVANT, measures="RR"), "measure", "AP"), "one of RR"),
        (lambda: IntervalSamples([0.5], goal=0.2), "goal is 0.2. Expected one of .0.0, 0.01"),
        (lambda: PermutationTest([np.nan, 0.5]), "differences: 1 of 2 values is missing"),
        (lambda: Queries({}), r"lists is \{\}. Expected a dict of lists"),
        (
            lambda: Queries(LISTS, formulas=["mean"]),
            "no formula 'mean' here. Expected one of 'mean ",
        ),
        (lambda: Queries(LISTS, measure="AP", formulas=["mean rank"]), "pass measure='RR'"),
        (lambda: Queries(LISTS, measure="Judged"), "measure is 'Judged', for which"),
        (lambda: FormulaComparison(LISTS, []), "There is no formula. Expected one of 'rank', "),
        (lambda: setattr(FormulaComparison(LISTS, ["rank"]), "formula", "AP2"), "no formula 'AP2'"),
    ],
)
def test_a_mistake_is_said_to_whoever_made_it(mistake, said):
    with pytest.raises(ValueError, match=said) as refused:
        mistake()
    assert isinstance(refused.value, DataError) or said.startswith(PLAIN)


@pytest.mark.parametrize("start", [{"n": 31}, {"truth": "all"}])
def test_samples_begin_at_stops_of_their_sliders(start):
    with pytest.raises(TraitError, match=r"expected any of \[(10, 16|0.0, 0.01)"):
        IntervalSamples([0.5, 0.25], **start)


def test_the_goal_of_samples_is_the_fewest_queries_that_have_the_power():
    differences = np.random.default_rng(0).normal(0, 0.18, 200)
    draws = IntervalSamples(differences, goal=0.03)
    assert draws.fixed["goal"] == {"truth": 0.03, "n": 300, "draws": 100, "power": 0.8}
    assert 200 < queries_needed(differences.std(), 0.03) <= 300


class TestPermutationTest:
    def test_it_knows_where_far_begins_and_p_counts_what_was_observed_as_one(self):
        coins = PermutationTest([0.5, -0.25, 0.0], seed=3)
        assert coins.fixed["far"] == as_extreme_as(np.array([0.5, -0.25, 0.0]))
        assert coins.p == 1
        coins.shuffles, coins.reached = 99, 4
        said = "PermutationTest(A - B: +0.083; 99 permutations, 4 as extreme: p = 0.050)"
        assert (coins.p, repr(coins)) == (0.05, said)

    def test_the_picture_has_a_thousand_permutations_that_are_as_far_as_all_ways(self):
        twelve = np.linspace(-0.2, 0.3, 12)
        exact = (np.abs(sign_flip_means(twelve)) >= as_extreme_as(twelve)).mean()
        picture = PermutationTest(twelve, names=("new", "old")).picture()
        assert sum(bar.get_height() for bar in picture.axes[0].patches) == 1000
        assert picture.alt.startswith("Observed: +0.050; signs flipped a thousand times. 1,000 val")
        far = float(picture.alt.rpartition(": ")[2].rstrip("%.")) / 100
        assert far == pytest.approx(exact, abs=4 * np.sqrt(exact / 1000))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("museum\nPier\n\nmuseum", "Line 4 has the search “museum” again, as line 1 does."),
        ("museum\n\nharbour\nPier\nPier", "Line 5 has “Pier” again, as line 4 does."),
        ("museum\n\nharbour\n**", "Line 4 has stars, but no item."),
        ("\n\n", "Write what you typed, then the results"),
    ],
)
def test_queries_of_ones_own_say_which_line_is_wrong(text, says):
    own = OwnQueries("museum\nPier *\n\nharbour")
    assert (own.mean, own.picture().alt[:28]) == (0.5, "Mean RR is 1/2. museum: Pier")
    own.text = text
    assert repr(own).startswith(f"OwnQueries({says}")
    with pytest.raises(DataError, match=re.escape(says)):
        OwnQueries(text)


def test_the_values_of_own_queries_open_no_more_widgets(monkeypatch):
    own = OwnQueries("museum\nMarket\nPier *")
    monkeypatch.setattr(Queries, "open", pytest.fail)  # sends a widget to the browser
    assert (own.values, own.mean) == ({"museum": 0.5}, 0.5)
