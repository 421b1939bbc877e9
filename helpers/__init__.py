"""Ranking metrics by hand: the small package behind the lessons."""

import importlib

from helpers.chance import chance
from helpers.compare import compare
from helpers.conventions import PRESETS, Conventions
from helpers.documented import documented_values
from helpers.errors import DataError
from helpers.evaluate import evaluate
from helpers.explain import explain
from helpers.groups import compare_groups
from helpers.measures import (
    average_precision,
    dcg,
    mean_average_precision,
    mean_reciprocal_rank,
    measure_list,
    ndcg,
    precision,
    recall,
    reciprocal_rank,
    success,
)
from helpers.preflight import Preflight, preflight

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
    "read_judged_run",
    "read_qrels",
    "read_run",
    "recall",
    "reciprocal_rank",
    "success",
]

_READERS = ("read_judged_run", "read_qrels", "read_run")


def __getattr__(name: str) -> object:
    """The readers, once they are asked for: they need pyarrow, and nothing else here does."""
    if name in _READERS:
        return getattr(importlib.import_module("helpers.read"), name)
    raise AttributeError(f"module 'helpers' has no attribute {name!r}")
