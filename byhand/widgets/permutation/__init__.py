"""Would chance do it, too? Signs are flipped, or labels permuted, again and again."""

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
    """A permutation test, one permutation at a time: each mean lands in a heap.

    For paired differences the signs are flipped at random; for two groups the labels are permuted.
    If it made no difference which system, or which group, a value comes from, that would be as
    likely as what was observed. The share of permutations whose mean difference is at least as far
    from 0 as the observed one is p.

    Args:
        values: finite differences, one a query; or two groups, name -> values.
        names: of the two systems whose values were subtracted; groups have names of their own.
        seed: of the permutations, alike each time.

    Attributes:
        shuffles: how many permutations there were so far, 10,000 at most.
        reached: how many of them were at least as far from 0 as what was observed.

    Raises:
        DataError: No values, not two groups, or a value that is not a finite number.

    Source:
        Fisher 1935, "The Design of Experiments"; Pitman 1937.

    Example:
        >>> coins = PermutationTest([0.5, 0.25, 0], names=("new", "old"))
        >>> coins, coins.p  # before any, the observed difference counts as one
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
        # of the groups the sums are in another order each time
        far = as_extreme_as(parts[0]) if groups is not values else abs(self.difference) - 1e-9
        spread = float(self._permuted.std())
        fixed = {
            "kind": "labels" if groups is values else "signs",  # what is permuted
            "names": [*map(str, names)],
            "values": [each.tolist() for each in parts],
            "far": max(0.0, far),  # a mean as far from 0 as that is as extreme
            "end": max(4 * spread, 1.1 * abs(self.difference)) or 1.0,
            "seed": seed,
        }
        super().__init__("permutation", fixed=fixed)

    @property
    def p(self) -> float:
        """The p of the permutations so far, the observed one among them: never 0."""
        return (self.reached + 1) / (self.shuffles + 1)

    def reset(self) -> None:
        """Forget the permutations."""
        self.shuffles = self.reached = 0

    def picture(self) -> Picture:
        """What a thousand permutations make."""
        picture, observed = Picture((6.4, 3)), typeset(f"{self.difference:+.3f}")
        draw_histogram(
            self._permuted,
            title=say(self.fixed["kind"], "thousand", difference=observed),
            xlabel=" − ".join(self.fixed["names"]),
            beyond=abs(self.difference) or None,
            ax=picture.axes_at(0.1, 0.18, 0.87, 0.68),
        )
        return picture

    @property
    def _line(self) -> str:
        said = f", {self.reached} as far: p = {self.p:.3f}" if self.shuffles else ""
        names = " - ".join(self.fixed["names"])
        return f"{names}: {self.difference:+z.3f}; {self.shuffles} permutations{said}"


def _permuted(parts: list[np.ndarray], rng: np.random.Generator) -> np.ndarray:
    """The mean differences of some permutations."""
    if len(parts) == 1:
        return (rng.choice([-1, 1], (_IN_PICTURE, len(parts[0]))) * parts[0]).mean(axis=1)
    every = np.tile(np.concatenate(parts), (_IN_PICTURE, 1))
    first, second = np.split(rng.permuted(every, axis=1), [len(parts[0])], axis=1)
    return first.mean(axis=1) - second.mean(axis=1)
