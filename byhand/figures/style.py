"""The style of figures: palette, axes, titles and legends, and display with the description."""

import html
import io
import re
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from matplotlib import rc_context, rcParams
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.text import Text
from matplotlib.ticker import Formatter, PercentFormatter, ScalarFormatter

from byhand import words as spoken
from byhand.theme import themed, tokens
from byhand.words import gettext as _, localised, localised_text

# the colours of pages, widgets and reports (tokens.css) in the light theme; a figure that `show`
# displays has the tokens instead, and so follows the theme
_NAMES = ("hit", "hit-soft", "hit-edge", "gap", "gap-soft", "ink", "quiet", "on-hit")
_NAMES += ("control", "line")
_COLOURS = dict(re.findall(r"--([\w-]+): (?:var\([\w-]+, )?light-dark\((#\w{6}),", tokens()))
HIT, HIT_SOFT, HIT_EDGE, GAP, GAP_SOFT, INK, QUIET, WHITE, GREY, PALE = map(_COLOURS.get, _NAMES)
# tokens of the systems, in the order of the report; the first few differ most
_SYSTEMS = tuple(f"c{n}" for n in (2, 4, 1, 8, 7, 3, 5, 6))
_LINES, _MARKERS = ("-", "--", "-.", ":"), "osDP*Xv^"
HATCHES = ("", "//", "..", "xx", "\\\\", "--", "||", "++")
_TOKENS = {_COLOURS[name]: name for name in (*_SYSTEMS, *_NAMES)} | {"#000000": "ink"}
_LEFT_OUT = re.compile(
    r"<\?.*?\?>|<!.*?>|<metadata>.*?</metadata>|<style.*?</style>"
    r"|font-family: [^;\"]*;? ?|(?<=<g) id=\"\w+_\d+\"",
    re.DOTALL,
)
_PIXELS = 112  # display pixels per inch
WIDEST = 8.75  # maximum width of a figure, in inches; pages scale figures to their own width

# fallback font, because matplotlib's own font has no Hangul
_HANGUL = "Ranking Metrics Hangul"
fontManager.addfont(Path(__file__).with_name("hangul.ttf"))
fontManager.ttflist.append(replace(fontManager.ttflist[-1], weight=700))  # avoids a warning
rcParams["font.size"] = 9  # 14 pixels, as the text of JupyterLab
rcParams["font.family"] = [*rcParams["font.family"], _HANGUL]


def new_axes(width: float, height: float) -> Axes:
    """Make empty axes in a new figure.

    Args:
        width, height: the size of the figure in inches, at most `WIDEST` (8.75) wide.
    """
    figure = Figure(figsize=(min(width, WIDEST), height), layout="constrained")
    FigureCanvasAgg(figure)
    ax = figure.add_subplot()
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def system_style(nth: int) -> dict[str, object]:
    """Return the colour, line and marker of a system by its position.

    Args:
        nth: the position, from 0. The first 16 styles differ, and the first eight also in colour
            and marker.

    Example:
        >>> system_style(0), system_style(8)["linestyle"]
        ({'color': '#1b4dc1', 'linestyle': '-', 'marker': 'o'}, '-.')
    """
    n, lines = len(_SYSTEMS), len(_LINES)
    line = _LINES[(nth + nth // lines) % lines]
    return {"color": _COLOURS[_SYSTEMS[nth % n]], "linestyle": line, "marker": _MARKERS[nth % n]}


def finished(ax: Axes, *, title: str, words: str, legend: int = 1, **names: object) -> Axes:
    """Add title, description, legend (with columns) and axis properties, and wrap long texts."""
    ax.set(**names)
    room, above = ax.get_window_extent().width, 6.0
    if legend:
        place = {"loc": "lower left", "bbox_to_anchor": (0, 1), "frameon": False, "fontsize": 9}
        drawn = ax.legend(ncols=legend, **place)
        for text in drawn.get_texts():
            fold(text, 0.45 * room)
        above += drawn.get_window_extent().height * 72 / ax.figure.dpi  # in points
    fold(ax.set_title(localised_text(title), pad=above), room)
    words = re.sub(r"(?<=[?!])\. ", " ", words)  # no period after a title with ? or !
    ax.set_label(localised_text(words))
    localise_ticks(ax)
    return ax


class _Ticks(Formatter):
    """Tick labels in the language that was current when they were drawn."""

    def __init__(self, plain: Formatter) -> None:
        self._plain, self._language = plain, spoken.language()

    def set_axis(self, axis: Axis) -> None:
        super().set_axis(axis)
        self._plain.set_axis(axis)

    def set_locs(self, locs: Sequence[float]) -> None:
        self._plain.set_locs(locs)

    def get_offset(self) -> str:
        return self._localised(self._plain.get_offset())

    def __call__(self, x: float, pos: int | None = None) -> str:
        return self._localised(self._plain(x, pos))

    def _localised(self, number: str) -> str:
        if number.isdigit() and self.axis.axis_name == "y":  # x may have years
            number = f"{int(number):,}"
        with spoken.speaking(self._language):
            return localised(number)


_NUMBERS = (ScalarFormatter, PercentFormatter)


def localise_ticks(ax: Axes) -> None:
    """Format the numbers of tick labels in the current language; names do not change."""
    for axis in (ax.xaxis, ax.yaxis):
        if isinstance(plain := axis.get_major_formatter(), _NUMBERS):
            axis.set_major_formatter(_Ticks(plain))


def fold(text: Text, room: float) -> None:
    """Break a text into lines, in place, if it is wider than `room` in pixels."""
    whole = text.get_text()
    width = len(whole)
    while width > 1 and (wide := text.get_window_extent().width) > room:
        width = min(width - 1, int(width * room / wide) + 1)
        # keep an escaped dollar sign on one line
        text.set_text(textwrap.fill(whole, width).replace("\\\n$", "\n\\$"))


def show(ax: Axes) -> None:
    """Display the figure of `ax`, as drawn by a function of this package, with its description."""
    from IPython.display import display

    words = ax.get_label()
    localise_ticks(ax)  # also for axes that a lesson drew on
    folded = html.escape(_("The figure in words"))
    title = html.escape(ax.get_title() or ax.get_title(loc="left") or _("The figure in words"))
    for side in ("left", "center"):
        ax.set_title("", loc=side)  # the output shows the title as text
    shown = themed_figure(ax.figure, words)
    below = f"<details><summary>{folded}</summary>{html.escape(words)}</details>"
    # the title comes first, because JupyterLab shows the first line of a folded output
    display({"text/html": f"{title}\n<br>{shown}\n{below}", "text/plain": words}, raw=True)


def themed_figure(figure: Figure, words: str) -> str:
    """Return the HTML of a figure as an image that follows the theme."""
    return themed(_svg(figure, words), words, figure.get_figwidth() * _PIXELS)


def _svg(figure: Figure, words: str) -> str:
    """Return a figure as a small SVG, with text as text and the colours of the page."""
    for each in (figure, *figure.axes):
        each.set_facecolor("none")
    made = io.StringIO()
    # the salt makes ids unique among the figures of a page
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": words}):
        figure.savefig(made, format="svg", metadata={"Date": None})
    text = re.sub("<[^>]+>", _short, _LEFT_OUT.sub("", made.getvalue()))
    return re.sub(r">\s+<", "><", text.strip())


def _short(tag: re.Match[str]) -> str:
    """Replace colours in an SVG tag by CSS variables, and round numbers to two decimals."""
    text = re.sub(r"\d+\.\d+", lambda match: f"{float(match[0]):.2f}", tag[0])
    text = re.sub("|".join(_TOKENS), lambda match: f"var(--{_TOKENS[match[0]]})", text)
    return " ".join(text.split())
