"""How much chance is drawn for a test, and how sure an interval is to be."""

from dataclasses import dataclass

import numpy as np

Rng = int | np.random.Generator


@dataclass(frozen=True, kw_only=True)
class Resampling:
    """How much chance is drawn for a test and from which seed, and how sure intervals are to be.

    Attributes:
        permutations: how many random assignments of signs the randomisation test draws.
        confidence: of the intervals, between 0 and 1.
        rng: a seed, from which each test begins anew, or a generator.

    Raises:
        ValueError: a count below 1, or a confidence that is not between 0 and 1.

    Example:
        >>> Resampling(confidence=0.9).confidence
        0.9
    """

    permutations: int = 100_000
    confidence: float = 0.95
    rng: Rng = 0

    def __post_init__(self) -> None:
        count = self.permutations
        if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
            raise ValueError(
                f"permutations={count!r}: expected a whole number from 1, such as 100_000."
            )
        check_confidence(self.confidence)

    @property
    def generator(self) -> np.random.Generator:
        """The generator to draw from."""
        return np.random.default_rng(self.rng)

    @property
    def alpha(self) -> float:
        """At or below which p counts, so that test and interval are as strict: 1 - confidence."""
        return round(1 - self.confidence, 12)

    def as_dict(self) -> dict[str, object]:
        """The options by name, as plain values that any file format keeps."""
        drawn = isinstance(self.rng, np.random.Generator)
        return {**vars(self), "rng": "a generator" if drawn else self.rng}


def check_confidence(confidence: float) -> None:
    """Complain unless it is between 0 and 1.

    Raises:
        ValueError: it is not.

    Example:
        >>> check_confidence(95)
        Traceback (most recent call last):
        ValueError: confidence=95: expected a number between 0 and 1, such as 0.95.
    """
    if not 0 < confidence < 1:
        raise ValueError(
            f"confidence={confidence!r}: expected a number between 0 and 1, such as 0.95."
        )


DEFAULT = Resampling()
