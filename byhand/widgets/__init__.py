"""Lists that a reader drags, and what the measures make of them."""

from byhand.widgets.challenge import Challenge
from byhand.widgets.coin_tosses import CoinTosses
from byhand.widgets.duel import Duel
from byhand.widgets.explorer import Explorer
from byhand.widgets.goals import Goal
from byhand.widgets.own_list import OwnList
from byhand.widgets.prediction import Prediction
from byhand.widgets.ranked_list import RankedList
from byhand.widgets.switchboard import Switchboard

__all__ = [
    "Challenge",
    "CoinTosses",
    "Duel",
    "Explorer",
    "Goal",
    "OwnList",
    "Prediction",
    "RankedList",
    "Switchboard",
]
