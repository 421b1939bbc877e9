"""Intervals of changes against what matters: a limit to drag, and what a gate says by it."""

from collections.abc import Mapping

from byhand.errors import DataError
from byhand.figures import GAP, HIT_EDGE, INK
from byhand.widgets.experiment import Dial, Experiment, ExperimentFixed, steps
from byhand.widgets.phrases import say
from byhand.widgets.picture import Picture
from byhand.words import typeset

Ends = tuple[float, float, float]  # the lower end, the mean change, the upper end


class LimitFixed(ExperimentFixed):
    """What its view has to know, once."""

    changes: list[tuple[str, Ends]]  # a notebook sorts the keys of a mapping


class Limit(Experiment):
    """How far a mean may drop, and whether each of some changes passes then.

    Args:
        changes: name -> lower end, mean change and upper end, as `non_inferiority` finds them.
        start: where `limit` stands at first, 0 or below.

    Raises:
        DataError: no changes, ends that are in another order, or a limit where it cannot stand.

    Example:
        >>> Limit({"cheap": (-0.03, -0.01, 0.01)}, limit=-0.04)
        Limit(limit=-0.040)
    """

    fixed: LimitFixed
    limit = Dial(-0.02, steps(-0.09, 0, 0.001), digits=3)

    def __init__(self, changes: Mapping[str, Ends], **start: float) -> None:
        ends = {name: tuple(map(float, each)) for name, each in changes.items()}
        if not ends or any(not low <= mean <= high for low, mean, high in ends.values()):
            raise DataError(
                "changes is {changes!r}. Expected a name and three numbers for each: the lower "
                "end, the mean change and the upper end.",
                [changes],
            )
        super().__init__("limit", fixed={"changes": [*ends.items()]}, **start)

    def verdict(self, ends: Ends) -> str:
        """What a gate says of a change."""
        low, _, high = ends
        if low > self.limit:
            return say("limit", "pass")
        if high < self.limit:
            return say("limit", "fail")
        return say("limit", "lower" if high < 0 else "open")

    def picture(self) -> Picture:
        """The intervals, and the limit."""
        changes = [(name, ends, self.verdict(ends)) for name, ends in self.fixed["changes"]]
        picture = Picture((6.4, 0.9 + 0.5 * len(changes)))
        foot = 0.5 / picture.get_figheight()
        ax = picture.axes_at(0.15, foot, 0.67, 0.95 - foot)
        for y, (_, (low, mean, high), verdict) in enumerate(changes):
            color = HIT_EDGE if low > self.limit else GAP if high < self.limit else INK
            ax.plot([low, high], [y, y], color=color)
            ax.plot([mean], [y], "o", color=color)
            beside = {"transform": ax.get_yaxis_transform(), "va": "center", "color": INK}
            ax.text(1.02, y, verdict, **beside)
        ax.axvline(self.limit, color=INK, linestyle="--", linewidth=1)
        ax.set_yticks(range(len(changes)), [name for name, *_ in changes])
        ax.set(ylim=(len(changes) - 0.5, -0.5), xlabel=say("limit", "axis"))
        told = "; ".join(f"{name}: {verdict}" for name, _, verdict in changes)
        ax.set_label(say("limit", "picture", limit=typeset(f"{self.limit:.3f}"), told=told))
        return picture
