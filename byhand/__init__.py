"""Ranking metrics by hand: the library that the lessons teach with."""

import importlib

# Where each public name comes from. It is imported once it is asked for: a command must be ready
# for Ctrl+C before anything large is, and the readers need pyarrow.
_HOMES = {
    "PRESETS": "byhand.metrics.conventions",
    "Conventions": "byhand.metrics.conventions",
    "DataError": "byhand.errors",
    "Preflight": "byhand.checks.preflight",
    "average_precision": "byhand.metrics.functions",
    "chance": "byhand.metrics.chance",
    "chance_levels": "byhand.metrics.ranges",
    "compare": "byhand.statistics",
    "compare_groups": "byhand.statistics",
    "dcg": "byhand.metrics.functions",
    "evaluate": "byhand.metrics.evaluate",
    "explain": "byhand.metrics.steps",
    "mean_average_precision": "byhand.metrics.functions",
    "mean_reciprocal_rank": "byhand.metrics.functions",
    "measure_list": "byhand.metrics.names",
    "ndcg": "byhand.metrics.functions",
    "precision": "byhand.metrics.functions",
    "preflight": "byhand.checks.preflight",
    "queries_needed": "byhand.statistics",
    "read_judged_run": "byhand.files.read",
    "read_qrels": "byhand.files.read",
    "read_run": "byhand.files.read",
    "recall": "byhand.metrics.functions",
    "reciprocal_rank": "byhand.metrics.functions",
    "report": "byhand.reports.command",
    "scan_judged_run": "byhand.files.scan",
    "scan_qrels": "byhand.files.scan",
    "scan_run": "byhand.files.scan",
    "smallest_difference": "byhand.statistics",
    "success": "byhand.metrics.functions",
    "tie_range": "byhand.metrics.ranges",
    "unjudged_range": "byhand.metrics.ranges",
}
__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    """A public name, imported."""
    if name == "__version__":
        from importlib.metadata import version

        return version("ranking-metrics-by-hand")
    if name not in _HOMES:
        raise AttributeError(f"module 'byhand' has no attribute {name!r}")
    found = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
