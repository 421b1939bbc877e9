"""Two or more systems, or groups of queries: differences, intervals and tests."""

from byhand.lazily import face

__all__, __getattr__ = face(
    __name__,
    {
        "paired": "compare compare_values verdict verdict_rule fewest_queries Verdict "
        "MissingQueriesWarning MISSING_LIMIT CORRECTIONS Correct",
        "independent": "compare_groups",
        "intervals": "CONFIDENCE mean_interval difference_interval superiority_interval "
        "interval_caution paired_t_p",
        "randomisation": "Resampling randomisation_p tossed_means as_far_from is_exact p_text holm",
        "drops": "non_inferiority mean_bounds Decision Outcome",
        "power": "queries_needed smallest_difference comparison_power queries_to_tell gate_power",
        "skill": "lift_interval random_order_p",
        "alike": "overlap same_rankings",
        "explanations": "which_conventions",
        "samples": "numbers complete aligned differences",
    },
)
