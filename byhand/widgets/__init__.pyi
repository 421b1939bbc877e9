from .bench import Bench as Bench
from .challenge import Challenge as Challenge
from .draws import Draws as Draws
from .experiment import (
    Dial as Dial,
    Experiment as Experiment,
    Stops as Stops,
    steps as steps,
)
from .explorer import Explorer as Explorer
from .groups import ShuffledGroups as ShuffledGroups
from .list.goals import Goal as Goal
from .list.ranked_list import RankedList as RankedList
from .negatives import Negatives as Negatives
from .orders import RandomOrders as RandomOrders
from .own import (
    OwnList as OwnList,
    OwnQueries as OwnQueries,
)
from .prediction import Prediction as Prediction
from .queries import Queries as Queries
from .shuffle import Shuffle as Shuffle
from .switchboard import Switchboard as Switchboard
from .tosses import CoinTosses as CoinTosses
from .visitors import Visitors as Visitors
