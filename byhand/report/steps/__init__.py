"""The steps of lesson 10: files in, everything that its report says of them out."""

from byhand.report.steps.by_group import show_groups
from byhand.report.steps.comparison import show_comparison
from byhand.report.steps.inputs import OwnData, read_own_data, show_preflight
from byhand.report.steps.left_open import show_ties, show_unjudged
from byhand.report.steps.means import show_curve, show_distributions, show_means, write_per_query
from byhand.report.steps.methods import show_methods
from byhand.report.steps.moved import show_moved
from byhand.report.steps.queries import show_best, show_worst
from byhand.report.steps.results import Results, results_of
from byhand.report.steps.summary import show_summary
from byhand.report.steps.written import write_results

__all__ = [
    "OwnData",
    "Results",
    "read_own_data",
    "results_of",
    "show_best",
    "show_comparison",
    "show_curve",
    "show_distributions",
    "show_groups",
    "show_means",
    "show_methods",
    "show_moved",
    "show_preflight",
    "show_summary",
    "show_ties",
    "show_unjudged",
    "show_worst",
    "write_per_query",
    "write_results",
]
