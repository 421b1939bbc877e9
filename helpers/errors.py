"""The one exception that speaks about a user's data, and how it shows a value."""

import numpy as np


class DataError(ValueError):
    """What is wrong with the data: what was found, where, what was expected, what to do.

    Every complaint of this package about data that a user supplied is a `DataError`,
    so one `except DataError` catches them all. It is a `ValueError`.

    Example:
        >>> from helpers import reciprocal_rank
        >>> try:
        ...     reciprocal_rank(["D4", "D1", "D4"], {"D4"})
        ... except DataError as error:
        ...     print(error)
        'D4' stands at rank 1 and again at rank 3 of the ranked list. \
A ranked list holds each item once: remove the repeat.
    """


def shown(value: object) -> str:
    """A value as Python writes it.

    Example:
        >>> shown(np.int64(7))
        '7'
    """
    return repr(value.item() if isinstance(value, np.generic) else value)
