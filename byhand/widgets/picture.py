"""The image of a widget, for a page on which it cannot run."""

import io
import warnings
from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from byhand.figures import INK, localise_ticks, on_any_ground
from byhand.widgets.ranking import Ranked


class Picture(Figure):
    """A figure that a notebook shows as an image with a text alternative."""

    def __init__(self, alt: str, size: tuple[float, float]) -> None:
        super().__init__(figsize=size, layout="none")
        FigureCanvasAgg(self)
        self.alt = alt

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> tuple:
        for ax in self.axes:
            localise_ticks(ax)
        buffer = io.BytesIO()
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Glyph", category=UserWarning)
            on_any_ground(self).savefig(buffer, format="png", dpi=120, metadata={"Software": None})
        plain = f"<Picture: {self.alt}>"
        png = buffer.getvalue()
        return {"image/png": png, "text/plain": plain}, {"image/png": {"alt": self.alt}}


def picture_of_lists(lists: Mapping[str, Ranked], line: str) -> Picture:
    """The image of lists under one another; its words end with a line of what is made of them."""
    from byhand.figures import draw_lists

    width = 2 + 0.95 * max(len(each.catalogue.labels) for each in lists.values())
    picture = Picture("", (width, 0.9 + 0.55 * len(lists)))
    ax = picture.add_axes((1.1 / width, 0.22, 0.98 - 1.1 / width, 0.6))
    ax.spines[["top", "right"]].set_visible(False)
    draw_lists({name: (each.order, each.relevant) for name, each in lists.items()}, ax=ax)
    picture.alt = f"{ax.get_label()} {line}"
    return picture


def axes_in(figure: Figure, *, bottom: float = 0.01, top: float = 0.99) -> Axes:
    """Axes that fill a figure, or a part of its height."""
    return figure.add_axes((0.005, bottom, 0.99, top - bottom))


def write_lines(ax: Axes, lines: Sequence[str]) -> Axes:
    """Write lines of text under one another."""
    ax.set_axis_off()
    ax.set_xlim(0, 1)
    ax.set_ylim(len(lines), 0)
    for i, line in enumerate(lines):
        # a question may hold a dollar sign, which is no formula here
        ax.text(0.012, i + 0.5, line, color=INK, size=9, va="center", parse_math=False)
    return ax
