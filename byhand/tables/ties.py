"""The orders that items with equal scores can have."""

from typing import Literal

TieOrder = Literal["doc_id", "doc_id_ascending", "input", "best", "worst", "expected"]
