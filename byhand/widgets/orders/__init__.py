"""Random orders: how far down the first relevant item stands, by how many are relevant."""

import numpy as np

from byhand.errors import DataError
from byhand.figures import HIT_EDGE, INK
from byhand.metrics.chance import chance
from byhand.widgets.experiment import Dial, Experiment, ExperimentFixed, Stops
from byhand.widgets.phrases import say
from byhand.widgets.picture import Picture
from byhand.words import in_row, localised

_LISTS = 12  # that are drawn
_MEASURES = ("RR", "AP")


class RandomOrdersFixed(ExperimentFixed):
    """What its view has to know, once."""

    items: int
    lists: int
    seed: int
    levels: dict[str, list[float]]  # measure -> its chance level for each stop of the dial


class RandomOrders(Experiment):
    """Some random orders, each a line: more relevant items leave less room before the first one.

    Args:
        n_items: how many items are ordered.
        least, most: the ends of the dial: how many of them are relevant.
        seed: from which the orders are drawn, alike each time.
        relevant: how many are relevant at first; `least` if it is not given.

    Attributes:
        relevant: how many are relevant now.

    Raises:
        DataError: a dial that cannot be turned, or that stands where it cannot.

    Example:
        >>> orders = RandomOrders(10_000)
        >>> orders
        RandomOrders(2 of 10,000 relevant: RR 0.0018, AP 0.0011)
        >>> orders.relevant = 17
        >>> round(orders.levels["RR"], 4)  # as chance(10_000, 17)
        0.0109
    """

    fixed: RandomOrdersFixed
    relevant = Dial(2, ())

    def __init__(
        self,
        n_items: int,
        *,
        least: int = 2,
        most: int = 17,
        seed: int = 0,
        relevant: int | None = None,
    ) -> None:
        if not 1 <= least < most <= n_items:
            raise DataError(
                "least is {least!r} and most {most!r}. Of {n_items:,} items at least 1 and at "
                "most {n_items:,} are relevant, and least is below most.",
                [least, most, n_items],
            )
        stops = tuple(range(least, most + 1))
        levels = {name: [chance(n_items, n, name) for n in stops] for name in _MEASURES}
        fixed = {"items": n_items, "lists": _LISTS, "seed": seed, "levels": levels}
        super().__init__(
            "orders",
            fixed=fixed,
            stops={"relevant": Stops(stops)},
            relevant=least if relevant is None else relevant,
        )

    @property
    def levels(self) -> dict[str, float]:
        """What the measures are expected to be for as many relevant items as there are now."""
        at = self.stops["relevant"].values.index(self.relevant)
        return {name: values[at] for name, values in self.fixed["levels"].items()}

    def picture(self) -> Picture:
        """The orders, each a line."""
        items, n = self.fixed["items"], self.relevant
        rng = np.random.default_rng(self.fixed["seed"])
        ranks = np.sort([rng.choice(items, n, replace=False) + 1 for _ in range(_LISTS)])
        picture = Picture((6.4, 3.0))
        ax = picture.axes_at(0.04, 0.18, 0.92, 0.79)
        for y, (first, *others) in enumerate(ranks.tolist()):
            ax.axhline(y, color=INK, linewidth=0.3)
            ax.plot(others, [y] * len(others), "o", color=INK, markersize=3)
            ax.plot([first], [y], "o", color=HIT_EDGE, markersize=7)
        ax.set(xlim=(1, items), yticks=[], xlabel=say("orders", "x"))
        ax.spines["left"].set_visible(False)
        levels = in_row(localised(f"{name} {value:.4f}") for name, value in self.levels.items())
        ax.set_label(say("orders", "picture", n=n, items=items, levels=levels))
        return picture

    @property
    def _line(self) -> str:
        levels = ", ".join(f"{name} {value:.4f}" for name, value in self.levels.items())
        return f"{self.relevant} of {self.fixed['items']:,} relevant: {levels}"
