"""Tables and sentences as a notebook displays them: whatever comes from the data is text."""

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape

import numpy as np
from IPython.display import display
from matplotlib.axes import Axes

from byhand.errors import both
from byhand.figures import WIDEST, new_axes, show, table_html, table_text

_HEIGHT = 3.4  # inches
_NOTHING = 1e-9  # what computing leaves of a difference of 0
# keeps a notebook from reading "$x$" in a name as a formula
_NO_MATH = "tex2jax_ignore mathjax_ignore"


def show_table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, texts: int = 1) -> None:
    """Display a table as HTML and as text; every cell is text."""
    show_html(table_html(heads, rows, texts=texts), table_text(heads, rows, texts=texts))


def show_html(html: str, text: str) -> None:
    """Display HTML, whose names are escaped already, with the same in plain text."""
    framed = f'<div class="{_NO_MATH}">{html}</div>'
    display({"text/html": framed, "text/plain": text}, raw=True)


def show_text(*sentences: str) -> None:
    """Display sentences as a paragraph."""
    text = " ".join(sentences)
    show_html(f"<p>{escape(text)}</p>", text)


def grouped(said: Mapping[str, str]) -> list[str]:
    """A sentence for each text, with all that it is said of.

    Example:
        >>> grouped({"AP": "b is higher", "RR": "cannot tell", "P@5": "b is higher"})
        ['AP and P@5: b is higher.', 'RR: cannot tell.']
    """
    of: dict[str, list[str]] = {}
    for what, text in said.items():
        of.setdefault(text, []).append(what)
    return [f"{both(these)}: {text.removesuffix('.')}." for text, these in of.items()]


def number(value: float, digits: int = 4, *, beside: Iterable[float] = ()) -> str:
    """A number with as many decimals as its size asks for, a dash where there is none.

    Args:
        value: the number.
        digits: how many decimals it has at least; a small one has more, until two digits tell.
        beside: what it is said together with, such as the ends of its interval: the largest of
            them decides.

    Example:
        >>> number(0.5), number(-0.25, 2), number(np.nan), number(0.00851, 3)
        ('0.5000', '−0.25', '–', '0.0085')
        >>> number(-0.0000123, beside=[0.0012])
        '0.0000'
    """
    return _written(value, _decimals(digits, value, *beside), "")


def signed(value: float, digits: int = 4, *, beside: Iterable[float] = ()) -> str:
    """A difference with its sign; otherwise as `number`.

    Example:
        >>> signed(0.5), signed(-0.2871, 2), signed(-0.00032, 3), signed(0.0, 3)
        ('+0.5000', '−0.29', '−0.00032', '0.000')
    """
    return _written(value, _decimals(digits, value, *beside), "+")


def _decimals(least: int, *values: float) -> int:
    size = max((abs(value) for value in values if np.isfinite(value)), default=0)
    return max(least, 1 - math.floor(math.log10(size))) if size > _NOTHING else least


def _written(value: float, decimals: int, sign: str) -> str:
    if np.isnan(value):
        return "–"
    rounded = round(value, decimals) + 0.0  # without the sign of a zero
    text = f"{rounded:{sign if rounded else ''}.{decimals}f}"
    return text.replace("-", "−")


def show_figure(draw: Callable[..., Axes], values: Mapping[str, object], **options: object) -> None:
    """Draw what each system has and display it.

    Args:
        draw, values, options: as of `drawn`.
    """
    ax = drawn(draw, values, **options)
    with _unknown_letters():
        show(ax)


def drawn(
    draw: Callable[..., Axes],
    values: Mapping[str, object],
    *,
    height: float | None = _HEIGHT,
    **options: object,
) -> Axes:
    """Draw what each system has; the names of systems are no formulas.

    Args:
        draw: a function of `byhand.figures`.
        values: what it draws, by the name of the system.
        height: in inches, as wide as a page; None leaves the size to the function.
        options: what else it takes.
    """
    # matplotlib reads "$x$" as a formula, and leaves "_x" out of the legend
    safe = {name.replace("$", r"\$"): each for name, each in values.items()}
    safe = {f"run {name}" if name.startswith("_") else name: each for name, each in safe.items()}
    if height is not None:
        options["ax"] = new_axes(WIDEST, height)
    with _unknown_letters():
        ax = draw(safe, **options)
    ax.set_label(ax.get_label().replace(r"\$", "$"))
    return ax


@contextmanager
def _unknown_letters() -> Iterator[None]:
    """Let a name have letters that the font has not."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph", category=UserWarning)
        yield
