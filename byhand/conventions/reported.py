"""Reported numbers: parsing of the printed text, and matching of values."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.metrics.measures import Measure

EXACT = 1e-9


class Reported(NamedTuple):
    """A reported number of a measure."""

    measure: str
    query: int | None  # position of its query, or None for the mean
    number: float
    unit: float  # unit of its last digit

    def matches(self, values: np.ndarray, cut: np.ndarray) -> np.ndarray:
        """Return a mask of the values that are printed as this number; `cut` means truncated."""
        apart = values - self.number
        low = np.where(cut, 0.0, -self.unit / 2)
        high = np.where(cut, self.unit - 2 * EXACT, self.unit / 2)
        return (apart >= low - EXACT) & (apart <= high + EXACT)


def read_reported(
    reported: Mapping[object, object] | pd.DataFrame,
    measures: Mapping[str, Measure],
    query_ids: Sequence[str],
    *,
    most: float = 1.0,
) -> list[Reported]:
    """Read the numbers for `which_conventions`; those above `most` are percent."""
    queries = [None]
    if isinstance(reported, pd.DataFrame):
        queries = pd.Index(query_ids).get_indexer([str(each) for each in reported.index])
        if (queries < 0).any():
            odd = reported.index[(queries < 0).argmax()]
            raise DataError(
                f"Query {shown(odd)} is reported, but the qrels do not judge it. Remove it, or add "
                "its judgements."
            )
        reported = {name: reported[name].tolist() for name in reported}
    else:
        reported = {name: [value] for name, value in reported.items()}
    found = [
        Reported(str(name), query, *_number(str(name), value, measures[str(name)], most))
        for name, values in reported.items()
        for query, value in zip(queries, values, strict=True)
    ]
    if not found:
        raise ValueError('Nothing is reported. Pass numbers as text, as {"nDCG@10": "0.3654"}.')
    return found


def _number(name: str, text: object, measure: Measure, most: float) -> tuple[float, float]:
    if not isinstance(text, str):
        raise ValueError(
            f"{name}: {text!r} is not text, and a number alone does not say how many digits "
            f'were printed. Pass it in quotes, as {{"{name}": "{text}"}}.'
        )
    found = re.fullmatch(r"\s*(\d*[.,]?(\d*))\s*(%?)\s*", text)
    if not found or not re.search(r"\d", text):
        raise ValueError(f"{name}: {text!r} is not a number. Pass it as printed, such as '0.3654'.")
    number, digits = float(found[1].replace(",", ".")), len(found[2])
    if found[3] or (number > most and measure.highest is not None):
        number, digits = number / 100, digits + 2
    return round(number, digits), 10.0**-digits
