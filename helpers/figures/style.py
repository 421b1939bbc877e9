"""One style: the palette, empty axes, and how a figure is shown beside its words.

Each function of this room draws on an `ax` (or makes one), says in words what it drew, and
returns it. The words are the axes' label (`ax.get_label()`); `show` puts them beside the picture.
"""

import html
import io
import textwrap
from collections.abc import Sequence

from IPython.display import display
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

# Okabe and Ito's palette: told apart with any colour vision
BLUE, ORANGE, GREEN = "#0072B2", "#D55E00", "#009E73"
# text is INK, QUIET or BLUE on WHITE, BLUE on BLUE_SOFT, or WHITE on BLUE: 4.5 to 1 or more
INK, QUIET, WHITE, BLUE_SOFT = "#222222", "#5C5C5C", "#FFFFFF", "#E8F1FB"
GREY, PALE = "#868C94", "#D8DBE0"  # lines
_DPI = 144


def new_axes(width: float, height: float) -> Axes:
    """Empty axes in a figure of its own, sizes in inches."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    ax = figure.add_subplot()
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def fold(text: Text, room: float) -> None:
    """Break a text into lines, in place, if it is wider than so many pixels.

    Example:
        >>> title = new_axes(2, 1).set_title("a name that is long")
        >>> fold(title, 110)
        >>> title.get_text()
        'a name that\\nis long'
    """
    whole = text.get_text()
    width = len(whole)
    while width > 1 and (wide := text.get_window_extent().width) > room:
        width = min(width - 1, int(width * room / wide) + 1)
        # a dollar keeps the backslash that says it begins no formula
        text.set_text(textwrap.fill(whole, width).replace("\\\n$", "\n\\$"))


def show(ax: Axes) -> None:
    """Display the figure of `ax`, and its words in a line that opens.

    Args:
        ax: axes that a function of this module drew.
    """
    picture = io.BytesIO()
    figure = ax.figure
    figure.savefig(picture, dpi=_DPI, format="png", metadata={"Software": None})
    words = ax.get_label()
    display(
        {"image/png": picture.getvalue(), "text/plain": words},
        metadata={"image/png": {"width": round(figure.get_figwidth() * 80)}},
        raw=True,
    )
    folded = f"<details><summary>The figure in words</summary>{html.escape(words)}</details>"
    display({"text/html": folded, "text/plain": words}, raw=True)


def in_words(names: Sequence[object], values: Sequence[float]) -> str:
    """Values with their names, for the words of a figure."""
    return ", ".join(f"{name}: {value:.2f}" for name, value in zip(names, values, strict=True))
