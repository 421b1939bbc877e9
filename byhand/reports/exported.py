"""What a report is asked for when it is written: no module that writes it imports it."""

from collections.abc import Callable
from typing import Protocol

from byhand.reports.claims import Claims
from byhand.reports.other_choices import OtherChoices
from byhand.reports.pool import Pool
from byhand.reports.results import Results


class Exported(Protocol):
    """A report, as those see it that write it."""

    results: Results
    others: OtherChoices
    pool: Pool
    claims: Claims
    html: Callable[..., str]
    phrase: Callable[..., str]
    sentences: Callable[..., list[str]]
