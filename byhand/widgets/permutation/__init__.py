"""A widget that runs a permutation test step by step."""

from collections.abc import Mapping

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from byhand.errors import DataError
from byhand.figures import draw_histogram
from byhand.statistics import as_extreme_as, complete
from byhand.widgets.live import Live
from byhand.widgets.phrases import say
from byhand.widgets.picture import Picture
from byhand.words import typeset

_MOST, _IN_PICTURE = 10_000, 1000  # permutations


class PermutationTest(Live):
    """Run a permutation test, one permutation at a time, and show a histogram of the means.

    Each permutation flips the signs of paired differences at random, or permutes the labels of two
    groups. If the systems or groups did not differ, each permutation would be as likely as the
    observed data. The p value is the share of permutations whose mean difference is at least as
    extreme as the observed one.

    Args:
        values: finite difference of each query; or two groups, a mapping name -> values. The name
            of a Series is that of its axis.
        names: names of the two systems, "A" and "B" by default; ignored for groups.
        seed: seed of the permutations; 0 by default.

    Attributes:
        shuffles: number of permutations so far, at most 10,000.
        reached: number of permutations at least as extreme as the observed difference.

    Raises:
        DataError: If there are no values, not two groups, or a value is not finite.

    References:
        Fisher 1935, "The Design of Experiments"; Pitman 1937.

    Example:
        >>> test = PermutationTest([0.5, 0.25, 0], names=("new", "old"))
        >>> test, test.p  # before any, the observed difference counts as one
        (PermutationTest(new - old: +0.250; 0 permutations), 1.0)
    """

    shuffles = traitlets.Int(0, min=0, max=_MOST).tag(sync=True)
    reached = traitlets.Int(0, min=0).tag(sync=True)

    def __init__(
        self,
        values: ArrayLike | Mapping[str, ArrayLike],
        *,
        names: tuple[str, str] = ("A", "B"),
        seed: int = 0,
    ) -> None:
        groups = values if isinstance(values, Mapping) else {"differences": values}
        if groups is values:
            names = (*groups,)
        if len(names) != 2:
            raise DataError(
                f"values is {values!r}. Expected differences, or two groups: {{'many': values, "
                "'few': values}."
            )
        parts = [complete(each, str(name)) for name, each in groups.items()]
        means = [float(each.mean()) for each in parts]
        self.difference = means[0] - sum(means[1:])
        self._permuted = _permuted(parts, np.random.default_rng(seed))
        # sums over groups vary with the order of the values, so they need a tolerance
        far = as_extreme_as(parts[0]) if groups is not values else abs(self.difference) - 1e-9
        spread = float(self._permuted.std())
        fixed = {
            "kind": "labels" if groups is values else "signs",
            "names": [*map(str, names)],
            "measure": str(getattr(next(iter(groups.values())), "name", None) or ""),
            "values": [each.tolist() for each in parts],
            "far": max(0.0, far),  # lowest absolute mean that counts as extreme
            "end": max(4 * spread, 1.1 * abs(self.difference)) or 1.0,
            "seed": seed,
        }
        super().__init__("permutation", fixed=fixed)

    @property
    def p(self) -> float:
        """The p value so far; it counts the observed difference, so it is above 0."""
        return (self.reached + 1) / (self.shuffles + 1)

    def picture(self) -> Picture:
        """Draw the histogram of a thousand permutations."""
        picture, observed = Picture((6.4, 3)), typeset(f"{self.difference:+.3f}")
        names = self.fixed["names"]
        draw_histogram(
            self._permuted,
            title=say(self.fixed["kind"], "thousand", difference=observed),
            xlabel=say("draws", "axis", name=names[0], other=names[1]),
            beyond=abs(self.difference) or None,
            ax=picture.axes_at(0.1, 0.18, 0.87, 0.68),
        )
        return picture

    @property
    def _line(self) -> str:
        result = f", {self.reached} as extreme: p = {self.p:.3f}" if self.shuffles else ""
        names = " - ".join(self.fixed["names"])
        return f"{names}: {self.difference:+z.3f}; {self.shuffles} permutations{result}"


def _permuted(parts: list[np.ndarray], rng: np.random.Generator) -> np.ndarray:
    """Return the mean difference of each of a batch of permutations."""
    if len(parts) == 1:
        return (rng.choice([-1, 1], (_IN_PICTURE, len(parts[0]))) * parts[0]).mean(axis=1)
    every = np.tile(np.concatenate(parts), (_IN_PICTURE, 1))
    first, second = np.split(rng.permuted(every, axis=1), [len(parts[0])], axis=1)
    return first.mean(axis=1) - second.mean(axis=1)
