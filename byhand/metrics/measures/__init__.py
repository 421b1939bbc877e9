"""The measures, one file each, and the register that everything else asks."""

from byhand.metrics.measures.ap import AP
from byhand.metrics.measures.dcg import DCG
from byhand.metrics.measures.err import ERR
from byhand.metrics.measures.judged import Judged
from byhand.metrics.measures.measure import Binary, Measure, RankWeighted, option
from byhand.metrics.measures.ndcg import nDCG
from byhand.metrics.measures.precision import P
from byhand.metrics.measures.rbp import RBP
from byhand.metrics.measures.recall import R
from byhand.metrics.measures.rr import RR
from byhand.metrics.measures.success import Success

MEASURES: dict[str, type[Measure]] = {
    measure.name: measure for measure in (RR, AP, nDCG, DCG, ERR, RBP, P, R, Success, Judged)
}

__all__ = ["MEASURES", "Binary", "Measure", "RankWeighted", "option", "register"]


def register(measure: type[Measure]) -> type[Measure]:
    """Make a measure known by its name, wherever measures are named; also as a decorator.

    Example:
        >>> register(RR).name
        'RR'
    """
    if MEASURES.setdefault(measure.name, measure) is not measure:
        raise ValueError(f"There is a measure {measure.name!r} already: choose another name.")
    return measure
