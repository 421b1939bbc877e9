from .cranfield import (
    colleagues_runs as colleagues_runs,
    first_attempt as first_attempt,
)
from .examples import (
    WorkedCase as WorkedCase,
    as_tables as as_tables,
    worked_example as worked_example,
)
from .exercises import (
    ask as ask,
    check as check,
    predict as predict,
)
from .places import DATA as DATA
from .questions import Question as Question
from .record import documented_values as documented_values
from .record_tables import (
    show_record as show_record,
)
from .recorded_tools import (
    tool_case as tool_case,
    tool_links as tool_links,
    tool_results as tool_results,
    tool_versions as tool_versions,
    tools_by_value as tools_by_value,
    tools_on as tools_on,
)
from .worked_out import (
    by_hand as by_hand,
    printed_beside as printed_beside,
)
