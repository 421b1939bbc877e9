"""Ranking metrics by hand: the small package behind the lessons."""

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

__all__ = [
    "PRESETS",
    "Conventions",
    "DataError",
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
    "recall",
    "reciprocal_rank",
    "success",
]
