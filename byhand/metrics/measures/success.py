"""Success, also called hit rate: Success@k."""

from dataclasses import dataclass
from typing import ClassVar

from byhand.metrics.measures.rr import FirstHit


@dataclass(frozen=True, kw_only=True)
class Success(FirstHit):
    """Success, or hit rate."""

    name = "Success"
    meaning = "1 if a relevant item is in the first k ranks, else 0"
    source = "`success_k` of trec_eval; also called hit rate"
    aliases = ("HIT", "HITS", "HR", "HIT_RATE", "HITRATE", "HIT_RATIO")
    workings: ClassVar = {"hits so far": "rel"}
