"""A list in random order, again and again: the mean of its RR settles on the chance level."""

import pandas as pd
import traitlets

from byhand.figures import draw_bars
from byhand.metrics.chance import chance
from byhand.widgets.dials import Dial, Experiment
from byhand.widgets.live import Picture
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
        n, relevant = self.items, self.relevant
        likely, left = {}, 1.0  # left: that none was met so far
        for rank in range(1, min(_SHOWN, n - relevant + 1) + 1):
            likely[rank] = left * relevant / (n - rank + 1)
            left -= likely[rank]
        known = {"items": n, "n": relevant, "chance": localised(f"{self.chance:.3f}")}
        title, share = say("shuffles", "of", **known).removesuffix("."), say("shuffles", "share")
        table = pd.DataFrame({share: likely}).rename_axis(say("shuffles", "first"))
        picture = Picture((6.4, 3.2))
        draw_bars(table, title=title, ylabel=share, ax=picture.axes_at(0.1, 0.18, 0.87, 0.68))
        return picture
