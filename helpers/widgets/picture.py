"""Figures in a notebook: an image with its words, and one that changes in the theme's colours."""

import io
import re
import warnings
from collections.abc import Callable, Sequence
from html import escape

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from helpers.figures.style import BLUE, BLUE_SOFT, GREY, INK, PALE, QUIET, WHITE

# in a notebook's live figure each colour becomes the one of this name in `base.css`
_THEME = {
    INK: "ink",
    QUIET: "quiet",
    GREY: "control",
    PALE: "edge",
    BLUE: "hit",
    BLUE_SOFT: "hit-soft",
    WHITE: "on-hit",
}


class Picture(Figure):
    """A figure that a notebook shows as an image with a text alternative.

    Example:
        >>> Picture("A list with one hit", (3, 1)).alt
        'A list with one hit'
    """

    def __init__(self, alt: str, size: tuple[float, float]) -> None:
        super().__init__(figsize=size, layout="none", facecolor=WHITE)
        FigureCanvasAgg(self)
        self.alt = alt

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> tuple:
        buffer = io.BytesIO()
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Glyph", category=UserWarning)
            self.savefig(buffer, format="png", dpi=120, metadata={"Software": None})
        plain = f"<Picture: {self.alt}>"
        png = buffer.getvalue()
        return {"image/png": png, "text/plain": plain}, {"image/png": {"alt": self.alt}}


class Pictured:
    """A widget that is also an image of its state, for a page on which it cannot run.

    A notebook that runs shows the widget; a code host, a printed page and a notebook that has not
    been run yet show the image. Mixed into a widget with a method `picture`.
    """

    def _repr_mimebundle_(self, **kwargs: object) -> tuple:
        bundle = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        image, of_image = self.picture()._repr_mimebundle_()
        return data | {"image/png": image["image/png"]}, metadata | of_image


def axes_in(figure: Figure, *, bottom: float = 0.01, top: float = 0.99) -> Axes:
    """Axes that fill a figure, or a part of its height."""
    return figure.add_axes((0.005, bottom, 0.99, top - bottom))


def write_lines(ax: Axes, lines: Sequence[str]) -> Axes:
    """Write lines of text under one another.

    Example:
        >>> [text.get_text() for text in write_lines(axes_in(Figure()), ["one", "two"]).texts]
        ['one', 'two']
    """
    ax.set_axis_off()
    ax.set_xlim(0, 1)
    ax.set_ylim(len(lines), 0)
    for i, line in enumerate(lines):
        # a question may hold a dollar sign, which is no formula here
        ax.text(0.012, i + 0.5, line, color=INK, size=9, va="center", parse_math=False)
    return ax


class LiveFigure:
    """One figure, drawn again and again, as SVG in the colours of the notebook's theme.

    Args:
        size: width and height in inches.

    Example:
        >>> svg = LiveFigure((2, 1)).svg(lambda ax: ax.text(0.5, 0.5, "<D4>"))
        >>> svg[:4], "&lt;D4&gt;" in svg
        ('<svg', True)
    """

    def __init__(self, size: tuple[float, float]) -> None:
        self._figure = Figure(figsize=size, layout="none")
        self._canvas = FigureCanvasSVG(self._figure)

    def html(self, draw: Callable[[Axes], object]) -> str:
        """The SVG as an image whose text alternative is the label that `draw` gave the axes."""
        svg = self.svg(draw)
        said = escape(self._figure.axes[0].get_label())
        return f'<div class="rm rm-figure" role="img" aria-label="{said}">{svg}</div>'

    def svg(self, draw: Callable[[Axes], object]) -> str:
        """The SVG element after `draw` has drawn on empty axes."""
        self._figure.clear()
        draw(axes_in(self._figure))
        buffer = io.StringIO()
        # text stays text: smaller, in the notebook's own font, and in any script it has
        style = {"svg.fonttype": "none", "svg.hashsalt": "helpers"}
        with mpl.rc_context(style), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Glyph", category=UserWarning)
            self._canvas.print_svg(buffer, metadata={"Date": None, "Creator": None})
        text = buffer.getvalue()
        return _themed(text[text.index("<svg") :])


def _themed(svg: str) -> str:
    for colour, name in _THEME.items():
        svg = svg.replace(colour.lower(), f"var(--rm-{name}, {colour})")
    # the page's own width decides, and the page's background shows through
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    return re.sub(r'<g id="patch_1">.*?</g>', "", svg, count=1, flags=re.DOTALL)
