"""Ranking metrics by hand: the small package behind the lessons."""

import importlib

from helpers.errors import DataError
from helpers.metrics.chance import chance
from helpers.metrics.conventions import PRESETS, Conventions
from helpers.metrics.evaluate import evaluate
from helpers.metrics.explain import explain
from helpers.metrics.measures.ap import average_precision, mean_average_precision
from helpers.metrics.measures.dcg import dcg
from helpers.metrics.measures.ndcg import ndcg
from helpers.metrics.measures.precision import precision
from helpers.metrics.measures.recall import recall
from helpers.metrics.measures.rr import mean_reciprocal_rank, reciprocal_rank
from helpers.metrics.measures.success import success
from helpers.metrics.names import measure_list
from helpers.metrics.preflight import Preflight, preflight
from helpers.statistics.compare import compare
from helpers.statistics.groups import compare_groups
from helpers.statistics.power import queries_needed

__all__ = [
    "PRESETS",
    "Conventions",
    "DataError",
    "Preflight",
    "average_precision",
    "chance",
    "compare",
    "compare_groups",
    "dcg",
    "documented_values",
    "evaluate",
    "explain",
    "mean_average_precision",
    "mean_reciprocal_rank",
    "measure_list",
    "ndcg",
    "precision",
    "preflight",
    "queries_needed",
    "read_judged_run",
    "read_qrels",
    "read_run",
    "recall",
    "reciprocal_rank",
    "success",
]

# the readers need pyarrow, and the record is for lessons: imported once they are asked for
_LATE = {
    "documented_values": "helpers.lessons.record.values",
    "read_judged_run": "helpers.files.read",
    "read_qrels": "helpers.files.read",
    "read_run": "helpers.files.read",
}


def __getattr__(name: str) -> object:
    """What is imported late."""
    if name in _LATE:
        return getattr(importlib.import_module(_LATE[name]), name)
    raise AttributeError(f"module 'helpers' has no attribute {name!r}")
