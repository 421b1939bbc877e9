"""The rows of a comparison: a measure and a pair of systems each, with the verdict on them."""

from collections.abc import Mapping

import pandas as pd

from byhand.statistics import Verdict

HIGHER = (Verdict.A_HIGHER, Verdict.B_HIGHER)
_TURNED = {Verdict.A_HIGHER: Verdict.B_HIGHER.value, Verdict.B_HIGHER: Verdict.A_HIGHER.value}


def rows_of(table: pd.DataFrame | None) -> list[dict[str, object]]:
    """The rows of a table; none of None."""
    return [] if table is None else table.to_dict("records")


def side_of(verdict: str) -> str:
    """Which of two systems is higher; whatever leaves it open is the same."""
    return verdict if verdict in HIGHER else Verdict.CANNOT_TELL


def turned(row: Mapping[str, object]) -> dict[str, object]:
    """A row of a comparison as b minus a."""
    found = {"difference": -row["difference"], "low": -row["high"], "high": -row["low"]}
    found |= {"at_least": -row["at_most"], "at_most": -row["at_least"]}
    found |= {"wins": row["losses"], "losses": row["wins"], "a": row["b"], "b": row["a"]}
    return {**row, **found, "verdict": _TURNED.get(row["verdict"], row["verdict"])}
