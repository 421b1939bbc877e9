from . import (
    errors as errors,
    figures as figures,
    metrics as metrics,
    statistics as statistics,
    widgets as widgets,
)
from .checks.preflight import (
    Preflight as Preflight,
    preflight as preflight,
)
from .conventions.explanations import which_conventions as which_conventions
from .errors import DataError as DataError
from .metrics.chance import chance as chance
from .metrics.conventions import Conventions as Conventions
from .metrics.evaluate import evaluate as evaluate
from .metrics.functions import (
    average_precision as average_precision,
    dcg as dcg,
    mean_average_precision as mean_average_precision,
    mean_reciprocal_rank as mean_reciprocal_rank,
    ndcg as ndcg,
    precision as precision,
    recall as recall,
    reciprocal_rank as reciprocal_rank,
    success as success,
)
from .metrics.lists_of_tables import lists_of as lists_of
from .metrics.measure_names import measure_list as measure_list
from .metrics.presets import PRESETS as PRESETS
from .metrics.ranges import (
    chance_levels as chance_levels,
    tie_range as tie_range,
    unjudged_range as unjudged_range,
)
from .metrics.steps import explain as explain
from .reports.gate_command import gate as gate
from .reports.report_command import report as report
from .statistics import (
    compare as compare,
    compare_groups as compare_groups,
    queries_needed as queries_needed,
    smallest_difference as smallest_difference,
)
from .tables.reading import (
    read_judged_run as read_judged_run,
    read_qrels as read_qrels,
    read_run as read_run,
)
from .tables.scan import scan as scan
from .words import use_language as use_language

__version__: str
