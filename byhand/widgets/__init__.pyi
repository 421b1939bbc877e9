from .bench import FormulaComparison as FormulaComparison
from .challenge import Challenge as Challenge
from .draws import IntervalSamples as IntervalSamples
from .explorer import Explorer as Explorer
from .list.goals import Goal as Goal
from .list.ranked_list import RankedList as RankedList
from .own import (
    OwnList as OwnList,
    OwnQueries as OwnQueries,
)
from .permutation import PermutationTest as PermutationTest
from .prediction import Prediction as Prediction
from .queries import Queries as Queries
from .shuffle import Shuffle as Shuffle
from .visitors import Visitors as Visitors
