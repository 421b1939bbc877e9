"""Goals for a challenge: what a reader is to make of a list, said in one line."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Literal, get_args

from byhand.errors import DataError
from byhand.metrics.names import measure_named
from byhand.widgets.scores import as_fraction, number_in
from byhand.widgets.words import listed, say

Number = float | str | Fraction
Aim = Literal["reach", "highest", "lowest", "change"]
NEAR = 1e-9  # two values of a measure that differ by less are one value


@dataclass(frozen=True)
class Goal:
    """What to make of a list; best made by `reach`, `highest`, `lowest`, `change` or `swap`.

    Attributes:
        measure: the measure that the goal is about.
        aim: reach a value, go as high or as low as can be, or move it away from the first value.
        target: the value to reach, for the aim "reach".
        given: measures that must have a value all the while; None means that of the first order.
        one_swap: whether the order must be the first one with exactly one pair exchanged.
        text: what the reader is told; made from the rest when it is empty.

    Raises:
        DataError: an aim that does not exist, or no value to reach.
        ValueError: an unknown measure.

    Example:
        >>> Goal.highest("AP", given={"RR": "1/2"}).sentence
        'Keep RR = 1/2 and make AP as high as you can.'
        >>> Goal.change("AP", keep="RR").sentence
        'Keep RR as it is and change AP.'
        >>> Goal.swap("nDCG", "lose").sentence
        'Swap one pair of items and lose as much nDCG as you can.'
    """

    measure: str
    aim: Aim
    target: float | None = None
    given: tuple[tuple[str, float | None], ...] = ()
    one_swap: bool = False
    text: str = ""

    def __post_init__(self) -> None:
        for name in self.measures:
            measure_named(name)
        if self.aim not in get_args(Aim):
            known = ", ".join(map(repr, get_args(Aim)))
            raise DataError(f"The aim of a goal is one of {known}, not {self.aim!r}.")
        if self.aim == "reach" and self.target is None:
            raise DataError(
                f"There is no value to reach. Write Goal.reach({self.measure!r}, '1/2')."
            )

    @classmethod
    def reach(
        cls,
        measure: str,
        value: Number,
        *,
        given: Mapping[str, Number] | None = None,
        text: str = "",
    ) -> "Goal":
        """Give a measure a value, such as `Goal.reach("RR", "1/3")`."""
        return cls(measure, "reach", _number(value), _given(given), text=text)

    @classmethod
    def highest(
        cls, measure: str, *, given: Mapping[str, Number] | None = None, text: str = ""
    ) -> "Goal":
        """Make a measure as high as it can be, while others have the values `given`."""
        return cls(measure, "highest", given=_given(given), text=text)

    @classmethod
    def lowest(
        cls, measure: str, *, given: Mapping[str, Number] | None = None, text: str = ""
    ) -> "Goal":
        """Make a measure as low as it can be, while others have the values `given`."""
        return cls(measure, "lowest", given=_given(given), text=text)

    @classmethod
    def change(cls, measure: str, *, keep: str, text: str = "") -> "Goal":
        """Change a measure while another one keeps the value of the first order."""
        return cls(measure, "change", given=((keep, None),), text=text)

    @classmethod
    def swap(cls, measure: str, aim: Literal["lose", "gain"], *, text: str = "") -> "Goal":
        """Exchange exactly one pair of the first order, and lose or gain the most."""
        if aim not in ("lose", "gain"):
            raise DataError(f"The aim of a swap is 'lose' or 'gain', not {aim!r}.")
        return cls(measure, "lowest" if aim == "lose" else "highest", one_swap=True, text=text)

    @property
    def measures(self) -> tuple[str, ...]:
        """Every measure that the goal speaks of."""
        return tuple(dict.fromkeys([*(name for name, _ in self.given), self.measure]))

    @property
    def sentence(self) -> str:
        """What the reader is told."""
        if self.text:
            return self.text
        if self.one_swap:
            name = "lose" if self.aim == "lowest" else "gain"
            return say("goals", name, measure=self.measure)
        target = shown(self.target or 0.0)
        what = say("goals", self.aim, measure=self.measure, target=target)
        kept = [
            say(
                "goals",
                "as it is" if value is None else "at",
                measure=name,
                target=shown(value or 0),
            )
            for name, value in self.given
        ]
        whole = say("goals", "keep", kept=listed(kept), what=what) if kept else what
        return f"{whole[0].upper()}{whole[1:]}."

    def score(self, values: Mapping[str, float], first: Mapping[str, float]) -> float:
        """How well an order does, higher is better, whatever the aim."""
        value = values[self.measure]
        return {
            "highest": value,
            "lowest": -value,
            "change": abs(value - first[self.measure]),
            "reach": -abs(value - (self.target or 0.0)),
        }[self.aim]

    def reached(self, score: float, best: float) -> bool:
        """Whether a score is all that was asked for."""
        return score > NEAR if self.aim == "change" else score > best - NEAR

    def unmet(
        self, values: Mapping[str, float], first: Mapping[str, float]
    ) -> list[tuple[str, float]]:
        """Each measure that has not the value it has to have, and that value.

        Example:
            >>> Goal.highest("AP", given={"RR": "1/2"}).unmet({"RR": 0.25, "AP": 0.25}, {})
            [('RR', 0.5)]
        """
        wanted = [(name, first[name] if value is None else value) for name, value in self.given]
        return [(name, value) for name, value in wanted if abs(values[name] - value) > NEAR]

    def as_json(self) -> dict[str, object]:
        """What a browser has to know of it."""
        given = [list(pair) for pair in self.given]
        return asdict(self) | {"given": given, "sentence": self.sentence}


def shown(value: float) -> str:
    """A value as a fraction if it is a simple one, else with three decimals.

    Example:
        >>> shown(0.5), shown(1.0), shown(0.6309)
        ('1/2', '1', '0.631')
    """
    return as_fraction(value, largest=60) or (
        f"{value:.0f}" if value == int(value) else f"{value:.3f}"
    )


def _number(value: Number) -> float:
    number = number_in(str(value))
    if number is None:
        raise DataError(
            f"A goal asks for the value {value!r}, which is no number. Write 0.5 or '1/2'."
        )
    return number


def _given(given: Mapping[str, Number] | None) -> tuple[tuple[str, float | None], ...]:
    return tuple((name, _number(value)) for name, value in (given or {}).items())
