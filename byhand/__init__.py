"""Ranking metrics by hand: the library that the lessons teach with."""

from byhand.lazily import face

# nothing is imported before it is asked for: a command must be ready for Ctrl+C before anything
# large is, and the readers need pyarrow
__all__, _imported = face(
    __name__,
    {
        "checks.preflight": "Preflight preflight",
        "errors": "DataError",
        "files.read": "read_judged_run read_qrels read_run",
        "files.scan": "scan_judged_run scan_qrels scan_run",
        "metrics.chance": "chance",
        "metrics.conventions": "Conventions",
        "metrics.evaluate": "evaluate",
        "metrics.functions": "average_precision dcg expected_reciprocal_rank "
        "mean_average_precision mean_reciprocal_rank ndcg precision rank_biased_precision recall "
        "reciprocal_rank success",
        "metrics.names": "measure_list",
        "metrics.presets": "PRESETS",
        "metrics.ranges": "chance_levels tie_range unjudged_range",
        "metrics.steps": "explain",
        "reports.command": "report",
        "words": "use_language",
        "statistics": "compare compare_groups queries_needed smallest_difference which_conventions",
    },
)


def __getattr__(name: str) -> object:
    """A public name, imported."""
    if name == "__version__":
        from importlib.metadata import version

        return version("ranking-metrics-by-hand")
    return _imported(name)
