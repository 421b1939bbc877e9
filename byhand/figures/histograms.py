"""How often a value came up: bars over bins, in which 0 has a bin of its own."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from byhand.figures.style import BLUE, INK, ORANGE, WHITE, new_axes
from byhand.statistics import complete

_BINS = 15  # on either side of 0
_SPREADS = 4.5  # standard deviations; what lies further out stands in the last bin


def draw_histogram(
    values: ArrayLike,
    *,
    title: str,
    xlabel: str,
    ylabel: str = "how many",
    marks: Mapping[str, float] | None = None,
    beyond: float | None = None,
    digits: int = 3,
    ax: Axes | None = None,
) -> Axes:
    """How values are spread: a bar for each bin, as high as values fall into it.

    The middle bin is centred at 0, so values of 0 are neither above nor below it.

    Args:
        values: finite numbers.
        title: the title of the figure.
        xlabel: what the values are.
        ylabel: what is counted.
        marks: name -> where to draw a line of that name.
        beyond: a distance from 0; bars at least so far from it are filled in another colour and
            hatched. A bin begins there.
        digits: how many decimals the words have.
        ax: where to draw; None makes a figure.

    Raises:
        DataError: no values, or one that is no finite number.

    Example:
        >>> draw_histogram([0.5, 0, -0.25], title="Three", xlabel="difference").get_label()
        'Three. 3 values of difference: 1 above 0, 1 at 0, 1 below 0. From -0.250 to 0.500.'
    """
    numbers = complete(values, "values")
    ax = ax or new_axes(6.4, 3.0)
    middles, counts, width = _binned(numbers, beyond)
    far = np.zeros(len(middles), bool) if not beyond else np.abs(middles) > beyond
    for side, colour, hatch in ((~far, BLUE, ""), (far, ORANGE, "//")):
        ax.bar(
            middles[side],
            counts[side],
            width * 0.94,
            color=colour,
            hatch=hatch,
            edgecolor=WHITE,  # of the hatch
            linewidth=0,
        )
    ax.axvline(0, color=INK, linewidth=0.8)
    for name, at in (marks or {}).items():
        ax.axvline(at, color=INK, linestyle="--", linewidth=1.5, label=f"{name} {at:+z.{digits}f}")
    ax.set(title=title, xlabel=xlabel, ylabel=ylabel)
    ax.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    if marks:
        ax.margins(y=0.16)
        ax.legend(frameon=False, loc="best", fontsize=9)
    ax.set_label(_in_words(numbers, title, xlabel, marks or {}, beyond, digits))
    return ax


def _binned(numbers: np.ndarray, beyond: float | None) -> tuple[np.ndarray, np.ndarray, float]:
    """The middles of the bins, how many values each has, and how wide they are."""
    spread = float(np.sqrt((numbers**2).mean()))
    reach = max(min(np.abs(numbers).max(), _SPREADS * spread), (beyond or 0) * 1.3) or 1.0
    width = reach / _BINS
    if beyond:
        width = beyond / (max(1, round(beyond / width + 0.5)) - 0.5)
    last = max(1, round(reach / width))
    # a value on the edge belongs to the bin further out
    places = np.rint(numbers / width * (1 + 1e-9)).clip(-last, last).astype(int)
    counts = np.bincount(places + last, minlength=2 * last + 1)
    return np.arange(-last, last + 1) * width, counts, width


def _in_words(
    numbers: np.ndarray,
    title: str,
    what: str,
    marks: Mapping[str, float],
    beyond: float | None,
    digits: int,
) -> str:
    above, below = int((numbers > 0).sum()), int((numbers < 0).sum())
    said = [
        f"{title}. {len(numbers):,} values of {what}: {above:,} above 0, "
        f"{len(numbers) - above - below:,} at 0, {below:,} below 0.",
        f"From {numbers.min():.{digits}f} to {numbers.max():.{digits}f}.",
    ]
    said += [f"Marked: {name} {at:.{digits}f}." for name, at in marks.items()]
    if beyond:
        far = (np.abs(numbers) >= beyond * (1 - 1e-9)).mean()
        said.append(f"At least {beyond:.{digits}f} from 0: {far:.2%}.")
    return " ".join(said)
