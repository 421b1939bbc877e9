"""The Explorer without a browser: its values, its buttons, its table and its picture."""

import re

import matplotlib as mpl
import pytest

from helpers import average_precision, ndcg, precision, reciprocal_rank
from helpers.figures import draw_list
from helpers.widgets import Explorer
from helpers.widgets.scores import lanes_of, values_of

LIST = ["D1", "D2", "D3", "D4"]


@pytest.fixture
def explorer() -> Explorer:
    return Explorer(LIST, {"D4", "D9"})


def press(explorer: Explorer, name: str) -> None:
    """What a browser sends for a pressed button."""
    explorer.controls._handle_custom_msg({"press": name}, [])


def test_values_are_right_as_soon_as_a_trait_changes(explorer):
    assert explorer.values == {"RR": 0.25, "AP": 0.125, "nDCG": pytest.approx(0.264, abs=5e-4)}
    explorer.ranks.order = ["D9", "D4", "D1"]
    assert explorer.values == {"RR": 1.0, "AP": 1.0, "nDCG": 1.0}
    explorer.ranks.set_grade("D1", 1)
    assert explorer.values["AP"] == 1.0
    explorer.ranks.take_out("D9")
    assert explorer.values["AP"] == pytest.approx(2 / 3)


def test_values_are_those_of_the_package():
    explorer = Explorer(LIST, {"D2": 1, "D4": 3}, max_grade=3, measures=["RR", "AP", "nDCG", "P"])
    for k in (2, 3, 4):
        cut = Explorer(LIST, {"D2": 1, "D4": 3}, max_grade=3, k=k, measures=explorer.measures)
        relevant = {"D2": 1, "D4": 3}
        assert cut.values == {
            "RR": reciprocal_rank(LIST, relevant, k=k),
            "AP": average_precision(LIST, relevant, k=k),
            "nDCG": ndcg(LIST, relevant, k=k),
            "P": precision(LIST, relevant, k=k),
        }


def test_text_table_picture_and_status_follow_a_move(explorer):
    explorer.ranks.set_state({"order": ["D4", "D1", "D2", "D3"], "moved": "D4"})
    shown = explorer._cards.value
    assert "RR = 1.000" in shown
    assert "was 0.250" in shown
    assert '<span class="rm-fraction">1/2</span>' in shown  # AP: 1/1 over two relevant items
    assert explorer._table.table["marked"] == 0
    assert explorer._table.table["total"][-1] == "0.613"
    words = "Hits at rank 1 of 4. Relevant items not retrieved: 1. RR = 1.000, AP = 0.500"
    assert f'role="img" aria-label="{words}' in explorer._board.figure.value
    assert explorer.ranks.status.startswith("D4 moved to rank 1 of 4. RR = 1.000, AP = 0.500")


def test_text_goes_out_before_the_picture_is_drawn(explorer):
    sent = []
    explorer._cards.observe(lambda _: sent.append("values"), "value")
    explorer._table.observe(lambda _: sent.append("table"), "table")
    explorer._board.figure.observe(lambda _: sent.append("figure"), "value")
    explorer.ranks.move("D4", to=2)
    assert sent == ["values", "table", "figure"]


def test_reset_shuffle_and_ideal_buttons(explorer):
    press(explorer, "shuffle")
    first = explorer.ranks.order
    assert first != tuple(LIST)
    assert sorted(first) == LIST
    press(explorer, "ideal")
    assert explorer.ranks.order[:2] in (("D4", "D9"), ("D9", "D4"))
    assert explorer.values["nDCG"] == 1.0
    press(explorer, "reset")
    assert explorer.ranks.order == tuple(LIST)
    assert explorer.ranks.docked == ("D9",)
    again = Explorer(LIST, {"D4", "D9"})
    press(again, "shuffle")
    assert again.ranks.order == first
    press(explorer, "no such button")


def test_reset_brings_grades_and_cutoff_back():
    explorer = Explorer(LIST, {"D4"}, k=3)
    explorer.ranks.set_grade("D1", 1)
    explorer.k = 1
    press(explorer, "reset")
    assert (explorer.ranks.relevant, explorer.k) == ({"D4": 1}, 3)


def test_ideal_without_a_dock_leaves_what_is_not_retrieved():
    explorer = Explorer(LIST, {"D4", "D9"}, docking=False)
    explorer.ideal()
    assert explorer.ranks.order == ("D4", "D1", "D2", "D3")


def test_cutoff_slider_and_trait_are_one():
    explorer = Explorer(LIST, {"D4"}, k=3)
    assert explorer.values["RR"] == 0.0
    explorer.controls.set_state({"values": {"k": 4}})
    assert explorer.k == 4
    assert explorer.values["RR"] == 0.25
    explorer.k = 2
    assert explorer.controls.values == {"k": 2}
    assert "RR@2 = 0.000" in explorer._cards.value
    assert repr(explorer) == "Explorer(D1 > D2 > D3 > D4*; RR@2=0.000, AP@2=0.000, nDCG@2=0.000)"


def test_without_k_there_is_no_slider(explorer):
    assert [each["kind"] for each in explorer.controls.controls] == ["button"] * 3


@pytest.mark.parametrize("k", [0, -1, 2.5, True])
def test_a_cutoff_that_is_none_is_refused(k):
    with pytest.raises(ValueError, match="cutoff"):
        Explorer(LIST, {"D4"}, k=k)


def test_an_unknown_measure_is_refused_at_once():
    with pytest.raises(ValueError, match=r"'MRR' is not a measure.*ask for 'RR'"):
        Explorer(LIST, {"D4"}, measures=["MRR"])


def test_repr_is_one_stable_line(explorer):
    words = "Explorer(D1 > D2 > D3 > D4*; not retrieved: D9*; RR=0.250, AP=0.125, nDCG=0.264)"
    assert repr(explorer) == words


def test_labels_never_become_markup():
    explorer = Explorer({1: "<b>&"}, {1})
    assert "<b>" not in explorer._board.figure.value
    assert "&lt;b&gt;" in explorer._board.figure.value


def test_the_live_picture_is_the_same_for_the_same_state(explorer):
    first = explorer._board.figure.value
    explorer.ranks.move("D4", to=1)
    explorer.ranks.move("D4", to=4)
    assert explorer._board.figure.value == first
    assert not re.search(r"<dc:date>|\d{4}-\d\d-\d\d", first)
    assert mpl.rcParams["svg.fonttype"] == "path"


def test_the_static_picture_shows_the_first_state(explorer):
    explorer.ranks.move("D4", to=1)
    picture = explorer.picture()
    texts = [text.get_text() for text in picture.axes[0].texts]
    assert "RR = 0.250" in texts
    bundle, metadata = picture._repr_mimebundle_()
    assert bundle["image/png"].startswith(b"\x89PNG")
    assert metadata["image/png"]["alt"].startswith("Hits at rank 4 of 4. Relevant items not")


def bars(ax):
    return [patch for patch in ax.patches if type(patch).__name__ == "Rectangle"]


def test_bars_are_what_each_rank_adds():
    ranked, relevant = ["D4", "D1", "D5"], {"D4": 1, "D5": 1}
    ax = draw_list(ranked, relevant, lanes=[*lanes_of(["AP"], ranked, relevant).values()])
    first, second = bars(ax)
    assert first.get_x() == pytest.approx(0.2)
    assert second.get_x() == pytest.approx(2.2)
    assert second.get_height() / first.get_height() == pytest.approx((2 / 3) / 1)
    assert [t.get_text() for t in ax.texts][-3:] == ["AP = 0.833", "0.500", "0.333"]


@pytest.mark.parametrize("measure", ["RR", "AP", "nDCG", "DCG", "P", "R", "Success", "P@2", "AP@2"])
def test_shares_add_up_to_the_measure(measure):
    explorer = Explorer(["a", "b", "c", "d"], {"b": 2, "d": 1, "z": 3}, max_grade=3)
    order, relevant = explorer.ranks.order, explorer.ranks.relevant
    lane = lanes_of([measure], order, relevant)[measure]
    assert sum(lane.shares) == pytest.approx(values_of(order, relevant, [measure])[measure])
    assert min(lane.shares) >= 0
    assert max(lane.shares) <= lane.most + 1e-12


def test_an_empty_list_is_a_list():
    explorer = Explorer([], {"D4"})
    assert explorer.values == {"RR": 0.0, "AP": 0.0, "nDCG": 0.0}
    assert "nothing retrieved" in repr(explorer)
    explorer.ideal()
    assert explorer.values["RR"] == 1.0
