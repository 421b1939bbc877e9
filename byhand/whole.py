"""A frame of results, which has more columns than a terminal is wide."""

import pandas as pd


class WholeFrame(pd.DataFrame):
    """A frame that prints all its columns; frames derived from it print as usual.

    Example:
        >>> wide = WholeFrame([[0.5] * 30])
        >>> "..." in repr(wide), "..." in repr(wide.copy())
        (False, True)
    """

    def __repr__(self) -> str:
        with pd.option_context("display.max_columns", None, "display.max_colwidth", None):
            return super().__repr__()

    def _repr_html_(self) -> str | None:
        with pd.option_context("display.max_columns", None, "display.max_colwidth", None):
            return super()._repr_html_()
