"""The Explorer without a browser: its values, its table, its picture, what a browser is told."""

import pytest

from byhand import average_precision, ndcg, precision, reciprocal_rank
from byhand.figures import Lane, draw_list
from byhand.metrics.measures import MEASURES
from byhand.metrics.measures.measure import RankWeighted
from byhand.metrics.names import measures_named
from byhand.metrics.steps import shares_of
from byhand.widgets import Explorer
from byhand.widgets.board import explorer_state
from byhand.widgets.embed import LIVE

LIST = ["D1", "D2", "D3", "D4"]


@pytest.fixture
def explorer() -> Explorer:
    return Explorer(LIST, {"D4", "D9"})


def test_values_are_right_as_soon_as_a_trait_changes(explorer):
    assert explorer.values == {"RR": 0.25, "AP": 0.125, "nDCG": pytest.approx(0.264, abs=5e-4)}
    explorer.ranks.order = ["D9", "D4", "D1"]
    assert explorer.values == {"RR": 1.0, "AP": 1.0, "nDCG": 1.0}
    explorer.ranks.set_grade("D1", 1)
    assert explorer.values["AP"] == 1.0
    explorer.ranks.take_out("D9")
    assert explorer.values["AP"] == pytest.approx(2 / 3)
    empty = Explorer([], {"D4"})
    assert empty.values == {"RR": 0.0, "AP": 0.0, "nDCG": 0.0}
    assert "nothing retrieved" in repr(empty)
    empty.ideal()
    assert empty.values["RR"] == 1.0


@pytest.mark.parametrize("k", [2, 3, 4])
def test_values_are_those_of_the_package(k):
    relevant = {"D2": 1, "D4": 3}
    cut = Explorer(LIST, relevant, max_grade=3, k=k, measures=["RR", "AP", "nDCG", "P"])
    functions = (reciprocal_rank, average_precision, ndcg, precision)
    assert list(cut.values.values()) == [each(LIST, relevant, k=k) for each in functions]


def test_reset_shuffle_and_ideal(explorer):
    explorer.shuffle()
    first = explorer.ranks.order
    assert first != tuple(LIST)
    assert sorted(first) == LIST
    explorer.ideal()
    assert explorer.ranks.order[:2] in (("D4", "D9"), ("D9", "D4"))
    assert explorer.values["nDCG"] == 1.0
    explorer.reset()
    assert (explorer.ranks.order, explorer.ranks.docked) == (tuple(LIST), ("D9",))
    again = Explorer(LIST, {"D4", "D9"}, docking=False, k=3)
    again.shuffle()
    assert again.ranks.order == first
    again.ideal()
    assert again.ranks.order[0] == "D4"  # without a dock, what is not retrieved stays away
    assert again.ranks.docked == ("D9",)
    again.ranks.set_grade("D1", 1)
    again.k = 1
    again.reset()
    assert (again.ranks.relevant, again.k) == ({"D4": 1, "D9": 1}, 3)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        *(({"k": k}, "cutoff") for k in (0, -1, 2.5, True)),
        ({"measures": ["RRR"]}, r"'RRR' is not a measure.*nearest is 'RR'"),
    ],
)
def test_what_cannot_be_is_refused_at_once(options, words):
    with pytest.raises(ValueError, match=words):
        Explorer(LIST, {"D4"}, **options)


def test_bars_are_what_each_rank_adds():
    ranked, relevant = ["D4", "D1", "D5"], {"D4": 1, "D5": 1}
    shares = shares_of(measures_named("AP"), ranked, relevant)["AP"]
    ax = draw_list(ranked, relevant, lanes=[Lane("AP", *shares)])
    first, second = (patch for patch in ax.patches if type(patch).__name__ == "Rectangle")
    assert (first.get_x(), second.get_x()) == (pytest.approx(0.7), pytest.approx(2.7))
    assert second.get_height() / first.get_height() == pytest.approx((2 / 3) / 1)
    assert [t.get_text() for t in ax.texts][-3:] == ["AP = 0.833", "0.500", "0.333"]


def test_a_cutoff_counts_at_once():
    explorer = Explorer(LIST, {"D4"}, k=3)
    assert explorer.values["RR"] == 0.0
    explorer.set_state({"k": 4})  # what a browser sends
    assert explorer.values["RR"] == 0.25
    explorer.k = 2
    assert repr(explorer) == "Explorer(D1 > D2 > D3 > D4*; RR@2=0.000, AP@2=0.000, nDCG@2=0.000)"
    assert len(explorer.steps) == 2


def test_the_conventions_of_a_tool_go_to_values_steps_and_browser():
    capped = Explorer(["a", "b"], {"a", "c", "d"}, k=2, measures=["AP"], conventions="recommenders")
    assert capped.values == {"AP": 0.5}
    assert capped.steps["share of AP"].sum() == 0.5
    assert capped.fixed["measures"][0]["denominator"] == "capped"
    named = Explorer(["a"], {"a"}, measures=["nDCG(dcg='exp-log2')@5", "RR(rel=2)@3"])
    spec, other = named.fixed["measures"]
    assert (spec["stem"], spec["k"], spec["gain"]) == ("nDCG(dcg='exp-log2')", 5, "exponential")
    assert (other["kind"], other["rel"], other["k"]) == ("RR", 2, 3)


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


def test_an_output_carries_picture_words_and_the_state_for_a_page(explorer):
    words = "Explorer(D1 > D2 > D3 > D4*; not retrieved: D9*; RR=0.250, AP=0.125, nDCG=0.264)"
    data, metadata = explorer._repr_mimebundle_()
    assert data["image/png"].startswith(b"\x89PNG")
    assert metadata["image/png"]["alt"].startswith("Hits at rank 4 of 4. Relevant items not")
    assert data["text/plain"] == repr(explorer) == words
    state = data[LIVE]
    assert state == explorer_state(LIST, {"D4", "D9"})  # made without a notebook's libraries
    assert (sorted(state), state["view"]) == (["answers", "fixed", "k", "view"], "explorer")
    ranks = state["fixed"]["ranks"]
    assert (ranks["view"], ranks["order"]) == ("list", LIST)
    assert ranks["fixed"]["start"]["grades"]["D9"] == 1
