"""The measures, one file each, and their registry."""

import re
from dataclasses import Field

from byhand.metrics.measures.ap import AP
from byhand.metrics.measures.bpref import Bpref
from byhand.metrics.measures.dcg import DCG
from byhand.metrics.measures.err import ERR
from byhand.metrics.measures.judged import Judged
from byhand.metrics.measures.measure import Binary, Measure, RankWeighted, option
from byhand.metrics.measures.ndcg import nDCG
from byhand.metrics.measures.precision import P
from byhand.metrics.measures.rbp import RBP
from byhand.metrics.measures.recall import R
from byhand.metrics.measures.rprec import Rprec
from byhand.metrics.measures.rr import RR
from byhand.metrics.measures.success import Success

MEASURES: dict[str, type[Measure]] = {
    measure.name: measure
    for measure in (RR, AP, nDCG, DCG, ERR, RBP, P, R, Rprec, Success, Bpref, Judged)
}

_NAME = re.compile(r"(?!.*_\d+$)[^\W\d_]\w*")  # no final number, which would be a cutoff

__all__ = ["MEASURES", "Binary", "Measure", "RankWeighted", "option", "register"]


def register(measure: type[Measure]) -> type[Measure]:
    """Register a measure under its name and aliases; also a class decorator.

    A class that is defined again, for example by running a notebook cell twice, replaces itself.

    Raises:
        ValueError: If its name or an alias is taken (ignoring case) or cannot be parsed as a name,
            or its options need `@dataclass`.

    Example:
        >>> register(RR).name
        'RR'
    """
    name = getattr(measure, "name", "")
    if options := [each for each, value in vars(measure).items() if isinstance(value, Field)]:
        raise ValueError(
            f"{measure.__name__} declares the option {options[0]}, but is not a dataclass. "
            "Write @dataclass(frozen=True, kw_only=True) between @register and the class."
        )
    others = [kind for kind in MEASURES.values() if _definition(kind) != _definition(measure)]
    taken = {each: kind.name for kind in others for each in _names(kind)}
    for each in (name, *measure.aliases):
        if not isinstance(each, str) or not _NAME.fullmatch(each):
            raise ValueError(
                f"{each!r} cannot be the name of a measure. Use letters and digits, such as 'HLU'; "
                "a number after @ or _, as in 'HLU@5' and 'HLU_5', is a cutoff."
            )
        if each.upper() in taken:
            raise ValueError(
                f"The name {each!r} is taken by the measure {taken[each.upper()]!r} (ignoring "
                "case). Use another name."
            )
    MEASURES[name] = measure
    return measure


def _definition(kind: type[Measure]) -> tuple[str, str]:
    """Return the identity of a class that survives its redefinition."""
    return kind.__module__, kind.__qualname__


def _names(kind: type[Measure]) -> tuple[str, ...]:
    return (kind.name.upper(), *kind.aliases)
