from .bounds import mean_bounds as mean_bounds
from .drops import (
    Decision as Decision,
    Outcome as Outcome,
    non_inferiority as non_inferiority,
)
from .independent import compare_groups as compare_groups
from .intervals import (
    CONFIDENCE as CONFIDENCE,
    difference_interval as difference_interval,
    interval_caution as interval_caution,
    mean_interval as mean_interval,
    paired_t_p as paired_t_p,
)
from .paired import (
    Correct as Correct,
    MissingQueriesWarning as MissingQueriesWarning,
    NoCommonItemsWarning as NoCommonItemsWarning,
    compare as compare,
    compare_values as compare_values,
    family_sizes as family_sizes,
)
from .per_query import (
    aligned as aligned,
    complete as complete,
    differences as differences,
    numbers as numbers,
)
from .power import (
    comparison_power as comparison_power,
    gate_power as gate_power,
    queries_needed as queries_needed,
    queries_to_tell as queries_to_tell,
    smallest_difference as smallest_difference,
)
from .randomisation import (
    Resampling as Resampling,
    as_extreme_as as as_extreme_as,
    holm as holm,
    is_exact as is_exact,
    p_text as p_text,
    randomisation_p as randomisation_p,
    sign_flip_means as sign_flip_means,
)
from .similarity import (
    overlap as overlap,
    same_rankings as same_rankings,
)
from .verdicts import (
    MISSING_LIMIT as MISSING_LIMIT,
    Size as Size,
    Verdict as Verdict,
    size_of as size_of,
    verdict as verdict,
    verdict_rule as verdict_rule,
)
