"""Small experiments: dials to turn, and what a browser makes of where they stand."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isclose
from typing import TypedDict

import traitlets

from byhand.errors import DataError
from byhand.widgets.live import Live, refusing


@dataclass(frozen=True)
class Stops:
    """Where a dial can stand, in order, and how a browser shows it."""

    values: Sequence[float]
    digits: int = 0  # decimals that are written

    def nearest(self, name: str, value: object) -> float:
        """The one of the values that a number is, but for rounding."""
        number = isinstance(value, int | float) and not isinstance(value, bool)
        for each in self.values if number else ():
            if isclose(each, value, abs_tol=1e-9):
                return each
        first, last = (f"{end:,.{self.digits}f}" for end in (self.values[0], self.values[-1]))
        raise DataError(
            "{name} is {value!r}. Expected one of its {n} stops from {first} to {last}.",
            [name, value, len(self.values), first, last],
        )


def steps(least: float, most: float, step: float) -> tuple[float, ...]:
    """The stops of a dial, evenly spaced.

    Example:
        >>> steps(0, 0.1, 0.025)
        (0.0, 0.025, 0.05, 0.075, 0.1)
    """
    # rounded, as 3 * 0.1 is not 0.3
    return tuple(round(least + i * step, 9) for i in range(round((most - least) / step) + 1))


class Dial(traitlets.TraitType):
    """A number of an experiment that a slider sets; the class that has it declares it once.

    Args:
        start: where it stands at first.
        values: where it can stand, in order; an instance may have others (`Experiment`).
        digits: how many decimals are written.
    """

    def __init__(self, start: float, values: Iterable[float], *, digits: int = 0) -> None:
        self.stops = Stops(tuple(values), digits)
        super().__init__(start)
        self.tag(sync=True)

    def validate(self, obj: "Experiment", value: object) -> float:
        """One of the stops that this experiment has."""
        with refusing():
            return obj.stops.get(self.name, self.stops).nearest(self.name, value)


class ExperimentFixed(TypedDict):
    """What the view of any experiment has to know, once."""

    dials: list[dict[str, object]]  # the name, the stops and the decimals of each


class Experiment(Live):
    """Dials, and what a view of the browser makes of them: its numbers are all that is kept.

    A subclass declares its dials (`n = Dial(50, steps(10, 200, 10))`), and `draws`, how often was
    drawn so far.

    Args:
        view: which of the browser's views shows it.
        fixed: what that view has to know and nobody changes.
        stops: name -> other stops than the class declares.
        start: name -> where a dial stands at first.

    Raises:
        DataError: a dial that is to stand where it cannot.
    """

    fixed: ExperimentFixed
    stops: Mapping[str, Stops] = {}

    def __init__(
        self,
        view: str,
        *,
        fixed: Mapping[str, object],
        stops: Mapping[str, Stops] = {},
        **start: float,
    ) -> None:
        own = {name: each for name, each in vars(type(self)).items() if isinstance(each, Dial)}
        self.stops = {name: stops.get(name, each.stops) for name, each in own.items()}
        dials = [{"name": name, **asdict(each)} for name, each in self.stops.items()]
        first = {name: each.default_value for name, each in own.items()}
        super().__init__(view, fixed={**fixed, "dials": dials}, **first | start)

    @property
    def _line(self) -> str:
        now = [
            f"{name}={getattr(self, name):,.{each.digits}f}" for name, each in self.stops.items()
        ]
        drawn = [f"draws={self.draws:,}"] if self.has_trait("draws") else []
        return ", ".join(now + drawn)
