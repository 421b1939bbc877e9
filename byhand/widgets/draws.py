"""Samples from a world whose truth is known: what intervals catch, and what a test finds."""

import traitlets
from numpy.typing import ArrayLike

from byhand.statistics import comparison_power, complete
from byhand.widgets.dials import Dial, Experiment, steps

_QUERIES = (10, 16, 20, 30, 50, 75, 100, 150, 200, 300, 400)


class Draws(Experiment):
    """Samples of queries, drawn again and again: their intervals, and what the test finds.

    The world is that of the differences given, shifted so that their mean is the true difference
    that the reader chooses. A query may be drawn again.

    Args:
        differences: one a query, finite: the value of the one system minus that of the other.
        names: what the two systems are called.
        seed: from which samples are drawn, alike each time.
        start: where the dials stand at first: `truth`, the true mean difference, and `n`, how many
            queries a sample has.

    Attributes:
        draws: how many samples were drawn so far.

    Raises:
        DataError: no differences, one that is no finite number, or a dial where it cannot stand.

    Example:
        >>> Draws([0.5, 0.25, -0.25, 0], n=30)
        Draws(truth=0.050, n=30, draws=0)
    """

    truth = Dial(0.05, steps(0, 0.1, 0.01), digits=3)
    n = Dial(50, _QUERIES)
    draws = traitlets.Int(0, min=0, max=1000).tag(sync=True)

    def __init__(
        self,
        differences: ArrayLike,
        *,
        names: tuple[str, str] = ("A", "B"),
        seed: int = 0,
        **start: float,
    ) -> None:
        seen = complete(differences, "differences")
        sd = float(seen.std())  # of the whole world
        truths = type(self).truth.stops.values
        power = {str(n): [comparison_power(sd, each, n) for each in truths] for n in _QUERIES}
        fixed = {"differences": seen.tolist(), "names": [*map(str, names)], "seed": seed}
        side = 1.2 * sd
        fixed |= {"power": power, "from": -side, "to": truths[-1] + side}
        super().__init__("draws", fixed=fixed, **start)
