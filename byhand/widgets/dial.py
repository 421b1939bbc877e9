"""A number of a widget that a slider sets."""

from collections.abc import Iterable
from math import isclose

import traitlets

from byhand.errors import DataError
from byhand.widgets.live import Live, refusing


def steps(least: float, most: float, step: float) -> tuple[float, ...]:
    """The stops of a dial, evenly spaced.

    Example:
        >>> steps(0, 0.1, 0.025)
        (0.0, 0.025, 0.05, 0.075, 0.1)
    """
    # rounded, as 3 * 0.1 is not 0.3
    return tuple(round(least + i * step, 9) for i in range(round((most - least) / step) + 1))


class Slider(traitlets.TraitType):
    """A number that a slider sets, as a trait of a widget.

    Args:
        start: where it stands at first.
        values: where it can stand, in order.
        digits: how many decimals are written.
    """

    def __init__(self, start: float, values: Iterable[float], *, digits: int = 0) -> None:
        self.values, self.digits = tuple(values), digits
        super().__init__(start)
        self.tag(sync=True)

    @property
    def shown(self) -> dict[str, object]:
        """What a browser's view has to know, among the `dials` of what is `fixed`."""
        return {"name": self.name, "values": self.values, "digits": self.digits}

    def validate(self, obj: Live, value: object) -> float:
        """One of its stops."""
        with refusing():
            return self.nearest(self.name, value)

    def nearest(self, name: str, value: object) -> float:
        """The one of its stops that a number is, but for rounding."""
        number = isinstance(value, int | float) and not isinstance(value, bool)
        for each in self.values if number else ():
            if isclose(each, value, abs_tol=1e-9):
                return each
        first, last = (f"{end:,.{self.digits}f}" for end in (self.values[0], self.values[-1]))
        raise DataError(
            f"{name} is {value!r}. Expected one of its {len(self.values)} stops from {first} to "
            f"{last}."
        )
