"""How often a widget draws: one picture for a list and a change of it."""

import pytest

from helpers.metrics import explain
from helpers.metrics.measures import measure
from helpers.widgets import Challenge, Duel, Explorer, Goal, scores
from helpers.widgets.picture import LiveFigure

LIST = ["D1", "D2", "D3", "D4", "D5"]
GOALS = [Goal.highest("AP"), Goal.reach("RR", "1/2")]


@pytest.fixture
def drawn(monkeypatch):
    """A list that grows by one entry for each SVG."""
    calls, svg = [], LiveFigure.svg

    def counted(self, draw):
        calls.append(self)
        return svg(self, draw)

    monkeypatch.setattr(LiveFigure, "svg", counted)
    return calls


def count(drawn, act):
    """How many SVGs `act` draws."""
    drawn.clear()
    act()
    return len(drawn)


def test_an_explorer_draws_once_a_change(drawn):
    explorer = Explorer(LIST, {"D2", "D4", "D9"}, k=3)
    assert len(drawn) == 1
    assert count(drawn, lambda: explorer.ranks.move("D4", to=1)) == 1
    assert count(drawn, lambda: explorer.ranks.set_grade("D1", 1)) == 1
    assert count(drawn, lambda: explorer.ranks.take_out("D1")) == 1
    assert count(drawn, lambda: setattr(explorer, "k", 2)) == 1
    assert count(drawn, explorer.ideal) == 1
    assert count(drawn, explorer.shuffle) == 1
    assert count(drawn, explorer.reset) == 1
    assert explorer.k == 3
    assert count(drawn, explorer.reset) == 0


def test_a_challenge_draws_once_a_change(drawn):
    challenge = Challenge(LIST, {"D2", "D4"}, GOALS)
    assert len(drawn) == 1
    assert count(drawn, lambda: challenge.ranks.move("D4", to=1)) == 1
    assert count(drawn, challenge.reset) == 1
    assert count(drawn, challenge.reset) == 0
    assert count(drawn, challenge.show_solution) == 1
    assert count(drawn, challenge.show_solution) == 0
    assert count(drawn, lambda: setattr(challenge, "current", 1)) == 1
    assert count(drawn, lambda: setattr(challenge, "current", 0)) == 0


def test_a_duel_draws_each_list_that_changed_once(drawn):
    duel = Duel({"old": ["D1", "D4", "D5"], "new": ["D2", "D4", "D3"]}, {"D4", "D5"})
    assert len(drawn) == 2
    assert count(drawn, lambda: duel.lists["old"].move("D5", to=1)) == 1
    assert count(drawn, lambda: duel.lists["new"].move("D3", to=1)) == 1
    assert count(drawn, lambda: duel.lists["new"].set_grade("D4", 0)) == 2
    duel.lists["new"].set_grade("D3", 1)
    assert count(drawn, duel.reset) == 2
    assert count(drawn, duel.reset) == 0


def test_a_duel_draws_only_the_list_whose_picture_changes(drawn):
    duel = Duel([["D1", "D4"], ["D2", "D3"]], {"D4"})
    assert count(drawn, lambda: duel.lists["B"].set_grade("D2", 1)) == 1


@pytest.mark.parametrize(
    "make",
    [
        lambda: Explorer(LIST, {"D2", "D4", "D9"}, k=3),
        lambda: Challenge(LIST, {"D2", "D4"}, GOALS),
        lambda: Duel({"A": LIST, "B": LIST[::-1]}, {"D4", "D9"}),
    ],
)
def test_one_way_to_draw_for_all(make, drawn):
    """What is live and what is printed is the same list, with the same words."""
    picture, live = make().picture(), len(drawn)
    assert [len(ax.texts) > 5 for ax in picture.axes[:live]] == [True] * live


@pytest.fixture
def counted(monkeypatch):
    """A list that grows by one entry each time that lists are counted into hits."""
    calls = []
    for module in (explain, measure, scores):
        count = module.hits_of_lists
        monkeypatch.setattr(
            module, "hits_of_lists", lambda cases, count=count: calls.append(1) or count(cases)
        )
    return calls


def test_a_drop_counts_a_list_for_its_measures_and_once_more_for_its_steps_or_the_best(counted):
    explorer = Explorer(range(30), {1, 3}, measures=["RR", "AP", "nDCG", "P@5"])
    challenge = Challenge(range(4), {1, 3}, Goal.highest("AP"))
    duel = Duel([range(4), range(4, 8)], {1, 5})
    a, b = duel.lists.values()
    for ranks, times in ((explorer.ranks, 2), (challenge.ranks, 2), (a, 1), (b, 1)):
        counted.clear()
        ranks.move(ranks.order[-1], to=1)
        assert len(counted) == times


def test_a_change_while_the_picture_is_drawn_is_drawn_next(monkeypatch):
    explorer = Explorer(LIST, {"D4"})
    svg = LiveFigure.svg

    def interrupted(self, draw):
        monkeypatch.setattr(LiveFigure, "svg", svg)
        drawn = svg(self, draw)
        explorer.ranks.move("D4", to=1)  # as another thread of the kernel may
        return drawn

    monkeypatch.setattr(LiveFigure, "svg", interrupted)
    explorer.ranks.move("D4", to=5)
    assert "Hits at rank 1 of 5" in explorer._board.figure.value
    assert "RR = 1.000" in explorer._cards.value
