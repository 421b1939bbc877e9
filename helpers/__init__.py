"""Ranking metrics by hand: the small package behind the lessons."""

import importlib

# Where each public name comes from. It is imported once it is asked for: a command must be ready
# for Ctrl+C before anything large is, and the readers need pyarrow.
_HOMES = {
    "PRESETS": "helpers.metrics.conventions",
    "Conventions": "helpers.metrics.conventions",
    "DataError": "helpers.errors",
    "Preflight": "helpers.metrics.preflight",
    "average_precision": "helpers.metrics.measures.ap",
    "chance": "helpers.metrics.chance",
    "compare": "helpers.statistics.compare",
    "compare_groups": "helpers.statistics.groups",
    "dcg": "helpers.metrics.measures.dcg",
    "documented_values": "helpers.lessons.record.values",
    "evaluate": "helpers.metrics.evaluate",
    "explain": "helpers.metrics.explain",
    "mean_average_precision": "helpers.metrics.measures.ap",
    "mean_reciprocal_rank": "helpers.metrics.measures.rr",
    "measure_list": "helpers.metrics.names",
    "ndcg": "helpers.metrics.measures.ndcg",
    "precision": "helpers.metrics.measures.precision",
    "preflight": "helpers.metrics.preflight",
    "queries_needed": "helpers.statistics.power",
    "read_judged_run": "helpers.files.read",
    "read_qrels": "helpers.files.read",
    "read_run": "helpers.files.read",
    "recall": "helpers.metrics.measures.recall",
    "reciprocal_rank": "helpers.metrics.measures.rr",
    "scan_judged_run": "helpers.files.scan",
    "scan_qrels": "helpers.files.scan",
    "scan_run": "helpers.files.scan",
    "smallest_difference": "helpers.statistics.power",
    "success": "helpers.metrics.measures.success",
}
__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    """A public name, imported."""
    if name not in _HOMES:
        raise AttributeError(f"module 'helpers' has no attribute {name!r}")
    found = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
