"""The image of an experiment, drawn by matplotlib, which only such a widget imports."""

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from byhand.figures import localise_ticks, themed_figure
from byhand.widgets.still import outputs


class Picture(Figure):
    """The image of a widget, with a text alternative: what is said of its axes, if not given."""

    def __init__(self, size: tuple[float, float], alt: str = "") -> None:
        super().__init__(figsize=size, layout="none")
        FigureCanvasAgg(self)
        self._given = alt

    @property
    def alt(self) -> str:
        """What it shows, in words."""
        return self._given or " ".join(ax.get_label() for ax in self.axes)

    def axes_at(self, left: float, bottom: float, width: float, height: float) -> Axes:
        """Axes in a part of it, open above and on the right."""
        ax = self.add_axes((left, bottom, width, height))
        ax.spines[["top", "right"]].set_visible(False)
        return ax

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> tuple:
        for ax in self.axes:
            localise_ticks(ax)
        return outputs("experiment", themed_figure(self, self.alt), self.alt), {}
