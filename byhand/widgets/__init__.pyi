from .challenge import Challenge as Challenge
from .dials import (
    Dial as Dial,
    Experiment as Experiment,
    Stops as Stops,
    steps as steps,
)
from .duel import Duel as Duel
from .explorer import Explorer as Explorer, OwnList as OwnList
from .formulas import Bench as Bench, Queries as Queries
from .goals import Goal as Goal
from .negatives import Negatives as Negatives
from .prediction import Prediction as Prediction
from .ranked_list import RankedList as RankedList
from .switchboard import Switchboard as Switchboard
from .trials import (
    CoinTosses as CoinTosses,
    Draws as Draws,
    Drops as Drops,
)
