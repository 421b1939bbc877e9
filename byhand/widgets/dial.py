"""A widget's trait for a number with a slider."""

from collections.abc import Iterable
from math import isclose

import traitlets

from byhand.errors import DataError
from byhand.widgets.live import Live, refusing


def steps(least: float, most: float, step: float) -> tuple[float, ...]:
    """Return evenly spaced stops of a slider.

    Example:
        >>> steps(0, 0.1, 0.025)
        (0.0, 0.025, 0.05, 0.075, 0.1)
    """
    # 3 * 0.1 is not 0.3
    return tuple(round(least + i * step, 9) for i in range(round((most - least) / step) + 1))


class Slider(traitlets.TraitType):
    """A trait of a widget for a number with a slider.

    Args:
        start: initial value.
        values: stops of the slider, in order.
        digits: number of decimals to display; 0 by default.
    """

    def __init__(self, start: float, values: Iterable[float], *, digits: int = 0) -> None:
        self.values, self.digits = tuple(values), digits
        super().__init__(start)
        self.tag(sync=True)

    @property
    def shown(self) -> dict[str, object]:
        """The slider's data for the browser, an entry of `dials` in `fixed`."""
        return {"name": self.name, "values": self.values, "digits": self.digits}

    def validate(self, obj: Live, value: object) -> float:
        """Return the stop that equals a value, or raise `DataError`."""
        with refusing():
            return self.nearest(self.name, value)

    def nearest(self, name: str, value: object) -> float:
        """Return the stop that equals a number up to rounding."""
        number = isinstance(value, int | float) and not isinstance(value, bool)
        for each in self.values if number else ():
            if isclose(each, value, abs_tol=1e-9):
                return each
        first, last = (f"{end:,.{self.digits}f}" for end in (self.values[0], self.values[-1]))
        raise DataError(
            f"{name} is {value!r}. Expected one of its {len(self.values)} stops from {first} to "
            f"{last}."
        )
