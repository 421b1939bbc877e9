"""The Explorer without a browser: its values, its table, its picture, what a browser is told."""

import pytest

from byhand import average_precision, ndcg, precision, reciprocal_rank
from byhand.figures import Lane, draw_list
from byhand.metrics.measures import MEASURES
from byhand.metrics.measures.measure import RankWeighted
from byhand.metrics.names import measure_named
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


def test_values_are_those_of_the_package():
    for k in (2, 3, 4):
        cut = Explorer(
            LIST, {"D2": 1, "D4": 3}, max_grade=3, k=k, measures=["RR", "AP", "nDCG", "P"]
        )
        relevant = {"D2": 1, "D4": 3}
        assert cut.values == {
            "RR": reciprocal_rank(LIST, relevant, k=k),
            "AP": average_precision(LIST, relevant, k=k),
            "nDCG": ndcg(LIST, relevant, k=k),
            "P": precision(LIST, relevant, k=k),
        }


def test_reset_shuffle_and_ideal(explorer):
    explorer.shuffle()
    first = explorer.ranks.order
    assert first != tuple(LIST)
    assert sorted(first) == LIST
    explorer.ideal()
    assert explorer.ranks.order[:2] in (("D4", "D9"), ("D9", "D4"))
    assert explorer.values["nDCG"] == 1.0
    explorer.reset()
    assert explorer.ranks.order == tuple(LIST)
    assert explorer.ranks.docked == ("D9",)
    again = Explorer(LIST, {"D4", "D9"})
    again.shuffle()
    assert again.ranks.order == first


def test_reset_brings_grades_and_cutoff_back():
    explorer = Explorer(LIST, {"D4"}, k=3)
    explorer.ranks.set_grade("D1", 1)
    explorer.k = 1
    explorer.reset()
    assert (explorer.ranks.relevant, explorer.k) == ({"D4": 1}, 3)


def test_ideal_without_a_dock_leaves_what_is_not_retrieved():
    explorer = Explorer(LIST, {"D4", "D9"}, docking=False)
    explorer.ideal()
    assert explorer.ranks.order == ("D4", "D1", "D2", "D3")


@pytest.mark.parametrize("k", [0, -1, 2.5, True])
def test_a_cutoff_that_is_none_is_refused(k):
    with pytest.raises(ValueError, match="cutoff"):
        Explorer(LIST, {"D4"}, k=k)


def test_an_unknown_measure_is_refused_at_once():
    with pytest.raises(ValueError, match=r"'RRR' is not a measure.*nearest is 'RR'"):
        Explorer(LIST, {"D4"}, measures=["RRR"])


def test_repr_is_one_stable_line(explorer):
    words = "Explorer(D1 > D2 > D3 > D4*; not retrieved: D9*; RR=0.250, AP=0.125, nDCG=0.264)"
    assert repr(explorer) == words


def shares_in(measure, ranked, relevant):
    return shares_of({measure: measure_named(measure)}, ranked, relevant)[measure]


def bars(ax):
    return [patch for patch in ax.patches if type(patch).__name__ == "Rectangle"]


def test_bars_are_what_each_rank_adds():
    ranked, relevant = ["D4", "D1", "D5"], {"D4": 1, "D5": 1}
    lane = Lane("AP", *shares_in("AP", ranked, relevant))
    ax = draw_list(ranked, relevant, lanes=[lane])
    first, second = bars(ax)
    assert first.get_x() == pytest.approx(0.7)
    assert second.get_x() == pytest.approx(2.7)
    assert second.get_height() / first.get_height() == pytest.approx((2 / 3) / 1)
    assert [t.get_text() for t in ax.texts][-3:] == ["AP = 0.833", "0.500", "0.333"]


@pytest.mark.parametrize("measure", ["RR", "AP", "nDCG", "DCG", "P", "R", "Success", "P@2", "AP@2"])
def test_shares_add_up_to_the_measure(measure):
    explorer = Explorer(["a", "b", "c", "d"], {"b": 2, "d": 1, "z": 3}, max_grade=3)
    order, relevant = explorer.ranks.order, explorer.ranks.relevant
    value, shares, most = shares_in(measure, order, relevant)
    assert sum(shares) == pytest.approx(value)
    assert value == measure_named(measure).of_list(order, relevant)
    assert 0 <= min(shares) <= max(shares) <= most + 1e-12


def test_an_empty_list_is_a_list():
    explorer = Explorer([], {"D4"})
    assert explorer.values == {"RR": 0.0, "AP": 0.0, "nDCG": 0.0}
    assert "nothing retrieved" in repr(explorer)
    explorer.ideal()
    assert explorer.values["RR"] == 1.0


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
    explorer = Explorer(["a", "gap", "b"], {"b"}, spans={"gap": 7}, measures=["RR", "P"])
    assert explorer.values == {"RR": 1 / 9, "P": 1 / 9}
    assert explorer.page_state()["fixed"]["ranks"]["fixed"]["spans"] == {"gap": 7}


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
    data, metadata = explorer._repr_mimebundle_()
    assert data["image/png"].startswith(b"\x89PNG")
    assert metadata["image/png"]["alt"].startswith("Hits at rank 4 of 4. Relevant items not")
    assert data["text/plain"] == repr(explorer)
    state = data[LIVE]
    assert state["view"] == "explorer"
    ranks = state["fixed"]["ranks"]
    assert (ranks["view"], ranks["order"]) == ("list", LIST)
    assert ranks["fixed"]["start"]["grades"]["D9"] == 1
    assert sorted(state) == ["answers", "fixed", "k", "view"]
    assert state == explorer_state(LIST, {"D4", "D9"})


def test_the_cutoff_goes_as_far_as_the_ranks_do():
    explorer = Explorer(["a", "gap", "b"], {"a", "b"}, spans={"gap": 36}, k=5)
    assert explorer.fixed["most_k"] == 38
