"""Lists that a reader drags, and what the measures make of them."""

from helpers.widgets.challenge import Challenge
from helpers.widgets.coin_tosses import CoinTosses
from helpers.widgets.duel import Duel
from helpers.widgets.explorer import Explorer
from helpers.widgets.goals import Goal
from helpers.widgets.own_list import OwnList
from helpers.widgets.prediction import Prediction
from helpers.widgets.ranked_list import RankedList
from helpers.widgets.switchboard import Switchboard

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
