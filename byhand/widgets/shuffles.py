"""A list in random order, again and again: the mean of its RR settles on the chance level."""

import traitlets

from byhand.metrics.chance import chance
from byhand.widgets.dials import Dial, Experiment
from byhand.widgets.picture import Picture
from byhand.widgets.words import say
from byhand.words import localised

_SHOWN = 10  # ranks in the picture


class Shuffles(Experiment):
    """Shuffles of a list, the RR of each, their mean so far, and the chance level.

    Args:
        seed: from which the orders are drawn, alike each time.
        start: where the dials stand at first: `items`, how many items the list has, and
            `relevant`, how many of them are relevant.

    Attributes:
        draws: how many shuffles there were so far.

    Raises:
        DataError: a dial that is to stand where it cannot.

    Example:
        >>> shuffles = Shuffles(items=20)
        >>> shuffles
        Shuffles(items=20, relevant=3, draws=0)
        >>> round(shuffles.chance, 3)
        0.35
    """

    items = Dial(8, (8, 12, 20, 50, 100, 200, 500, 1000))
    relevant = Dial(3, (1, 2, 3, 4, 5, 6, 7, 8))
    draws = traitlets.Int(0, min=0, max=1000).tag(sync=True)

    def __init__(self, *, seed: int = 0, **start: float) -> None:
        super().__init__("shuffles", fixed={"seed": seed}, **start)

    @property
    def chance(self) -> float:
        """The expected RR of a random order."""
        return chance(int(self.items), int(self.relevant), "RR")

    def picture(self) -> Picture:
        """Where the first relevant item stands in a random order, where nothing can be shuffled."""
        import pandas as pd

        from byhand.figures import draw_bars

        n, relevant = self.items, self.relevant
        likely, left = {}, 1.0  # left: that none was met so far
        for rank in range(1, min(_SHOWN, n - relevant + 1) + 1):
            likely[rank] = left * relevant / (n - rank + 1)
            left -= likely[rank]
        words = {"items": n, "n": relevant, "chance": localised(f"{self.chance:.3f}")}
        table = pd.DataFrame({say("shuffles", "share"): likely})
        picture = Picture("", (6.4, 3.2))
        ax = picture.add_axes((0.1, 0.18, 0.87, 0.68))
        ax.spines[["top", "right"]].set_visible(False)
        draw_bars(
            table.rename_axis(say("shuffles", "first")),
            title=say("shuffles", "of", **words).removesuffix("."),
            ylabel=say("shuffles", "share"),
            ax=ax,
        )
        picture.alt = ax.get_label()
        return picture
