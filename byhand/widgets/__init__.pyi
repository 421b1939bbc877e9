from .bench import Bench as Bench
from .challenge import Challenge as Challenge
from .coin_tosses import CoinTosses as CoinTosses
from .dials import (
    Dial as Dial,
    Experiment as Experiment,
    Stops as Stops,
    steps as steps,
)
from .draws import Draws as Draws
from .duel import Duel as Duel
from .explorer import Explorer as Explorer
from .first_hits import FirstHits as FirstHits
from .goals import Goal as Goal
from .lengths import Lengths as Lengths
from .negatives import Negatives as Negatives
from .own_list import OwnList as OwnList
from .prediction import Prediction as Prediction
from .queries import Queries as Queries
from .ranked_list import RankedList as RankedList
from .rare_drops import Drops as Drops
from .shuffles import Shuffles as Shuffles
from .suspects import Suspects as Suspects
from .switchboard import Switchboard as Switchboard
