"""Pictures drawn by matplotlib, which only some widgets import."""

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from byhand.figures import localise_ticks, themed_figure
from byhand.widgets.still import outputs


class Picture(Figure):
    """A widget's picture, with an alternative text, by default from its axes."""

    def __init__(self, size: tuple[float, float], alt: str = "") -> None:
        super().__init__(figsize=size, layout="none")
        FigureCanvasAgg(self)
        self._given = alt

    @property
    def alt(self) -> str:
        """The alternative text."""
        return self._given or " ".join(ax.get_label() for ax in self.axes)

    def axes_at(self, left: float, bottom: float, width: float, height: float) -> Axes:
        """Add axes without the top and right lines."""
        ax = self.add_axes((left, bottom, width, height))
        ax.spines[["top", "right"]].set_visible(False)
        return ax

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> tuple:
        for ax in self.axes:
            localise_ticks(ax)
        return outputs("experiment", themed_figure(self, self.alt), self.alt), {}
