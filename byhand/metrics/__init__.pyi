from . import measures as measures
from .cases import hits_of_lists as hits_of_lists
from .chance import chance_at_mean as chance_at_mean
from .conventions import CHOICES as CHOICES
from .evaluate import (
    Evaluation as Evaluation,
    MissingQueriesWarning as MissingQueriesWarning,
    NoCommonItemsWarning as NoCommonItemsWarning,
)
from .hits import Hits as Hits
from .measure_names import (
    measure_named as measure_named,
    measures_named as measures_named,
)
from .run_with_qrels import RunWithQrels as RunWithQrels
from .steps import shares_of as shares_of
