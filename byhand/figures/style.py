"""One style: the palette, empty axes, how a figure ends, and how it is shown beside its words."""

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
from byhand.theme import themed
from byhand.words import gettext as _, localised, localised_text

# what is coloured counts, what is hatched is missing: the tokens of the lists to drag on a light
# page. A figure has one colour for either page; on a dark one it is its edge that stands out
HIT, HIT_SOFT, HIT_EDGE = "#1b4dc1", "#dde7fc", "#6488dd"
GAP, GAP_SOFT = "#b13d08", "#fde9dd"
# Okabe and Ito's palette: told apart with any colour vision
ORANGE, GREEN = "#d55e00", "#009e73"
# one a system: of any two that meet, the lightness or the hue differs with any colour vision (8 of
# 100 in OKLab or more, the last two 6), and each is 3 to 1 on a white page and on a dark one
_SYSTEMS = ("#0072b2", ORANGE, GREEN, "#c30f96", "#875a5a", "#872df0", "#d25aff", "#a587b4")
_SYSTEMS += ("#c80028", "#f0648c")
_LINES, _MARKERS = ("-", "--", "-.", ":"), "osDPX*^v<>"
HATCHES = ("", "//", "..", "xx", "\\\\", "--", "||", "++")
# text is INK or QUIET on the page, WHITE on HIT, HIT on HIT_SOFT, GAP on GAP_SOFT: 4.5 to 1 or more
INK, QUIET, WHITE = "#222222", "#5c5c5c", "#ffffff"
GREY, PALE = "#868c94", "#d8dbe0"  # lines
# what a page of the course sets in its own type and colours, by the tokens of its lists
_TOKENS = {"#000000": "ink", INK: "ink", QUIET: "quiet", GREY: "control", PALE: "line"}
_TOKENS |= {HIT: "hit", HIT_SOFT: "hit-soft", HIT_EDGE: "hit-edge", WHITE: "on-hit"}
_TOKENS |= {GAP: "gap", GAP_SOFT: "gap-soft"}
_LEFT_OUT = re.compile(
    r"<\?.*?\?>|<!.*?>|<metadata>.*?</metadata>|<style.*?</style>"
    r"|font-family: [^;\"]*;? ?|(?<=<g) id=\"\w+_\d+\"",
    re.DOTALL,
)
_PIXELS = 112  # an inch is shown in so many
WIDEST = 8.75  # of a figure, in inches: where it is shown it is made as wide as there is room

# Hangul comes out as boxes in matplotlib's own font; as the last one, this counts nowhere else
_HANGUL = "Ranking Metrics Hangul"
fontManager.addfont(Path(__file__).with_name("hangul.ttf"))
fontManager.ttflist.append(replace(fontManager.ttflist[-1], weight=700))  # not to be warned of
rcParams["font.family"] = [*rcParams["font.family"], _HANGUL]


def new_axes(width: float, height: float) -> Axes:
    """Empty axes in a figure of its own, sizes in inches, at most `WIDEST`."""
    figure = Figure(figsize=(min(width, WIDEST), height), layout="constrained")
    FigureCanvasAgg(figure)
    ax = figure.add_subplot()
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def system_style(place: int) -> dict[str, object]:
    """Colour, line and marker of a system by its place among the others: ten that differ.

    Example:
        >>> system_style(0), system_style(8)["linestyle"]
        ({'color': '#0072b2', 'linestyle': '-', 'marker': 'o'}, '-.')
    """
    n, lines = len(_SYSTEMS), len(_LINES)
    line = _LINES[(place + place // lines) % lines]
    return {"color": _SYSTEMS[place % n], "linestyle": line, "marker": _MARKERS[place % n]}


def finished(ax: Axes, *, title: str, words: str, legend: object = True, **names: object) -> Axes:
    """The axes with title, words, legend (or its options), and `xlabel` and its kin, folded."""
    ax.set(**names)
    room = ax.get_window_extent().width
    fold(ax.set_title(localised_text(title)), room)
    if legend:
        options = legend if isinstance(legend, dict) else {}
        for text in ax.legend(frameon=False, **options).get_texts():
            fold(text, 0.45 * room)
    words = re.sub(r"(?<=[?!])\. ", " ", words)  # a title may be a question
    ax.set_label(localised_text(words))
    localise_ticks(ax)
    return ax


class _Ticks(Formatter):
    """Numbers at ticks as the language wrote them that was spoken when they were drawn."""

    def __init__(self, plain: Formatter) -> None:
        self._plain, self._language = plain, spoken.language()

    def set_axis(self, axis: Axis) -> None:
        super().set_axis(axis)
        self._plain.set_axis(axis)

    def set_locs(self, locs: Sequence[float]) -> None:
        self._plain.set_locs(locs)

    def get_offset(self) -> str:
        return self._said(self._plain.get_offset())

    def __call__(self, x: float, pos: int | None = None) -> str:
        return self._said(self._plain(x, pos))

    def _said(self, number: str) -> str:
        if number.isdigit() and self.axis.axis_name == "y":  # those across may be years
            number = f"{int(number):,}"
        with spoken.speaking(self._language):
            return localised(number)


_NUMBERS = (ScalarFormatter, PercentFormatter)


def localise_ticks(ax: Axes) -> None:
    """Write the numbers at the ticks as the language does; names stay."""
    for axis in (ax.xaxis, ax.yaxis):
        if isinstance(plain := axis.get_major_formatter(), _NUMBERS):
            axis.set_major_formatter(_Ticks(plain))


def fold(text: Text, room: float) -> None:
    """Break a text into lines, in place, if it is wider than so many pixels."""
    whole = text.get_text()
    width = len(whole)
    while width > 1 and (wide := text.get_window_extent().width) > room:
        width = min(width - 1, int(width * room / wide) + 1)
        # a dollar keeps the backslash that says it begins no formula
        text.set_text(textwrap.fill(whole, width).replace("\\\n$", "\n\\$"))


def show(ax: Axes) -> None:
    """Display the figure of `ax`, which a function of this room drew, and its words to open."""
    from IPython.display import display

    words = ax.get_label()
    localise_ticks(ax)  # of axes that a lesson drew in itself
    folded = html.escape(_("The figure in words"))
    title = html.escape(ax.get_title() or ax.get_title(loc="left") or _("The figure in words"))
    for side in ("left", "center"):
        ax.set_title("", loc=side)  # it stands above
    shown = themed_figure(ax.figure, words)
    below = f"<details><summary>{folded}</summary>{html.escape(words)}</details>"
    # what it is, without a number, where it is folded
    display({"text/html": f"{title}\n<br>{shown}\n{below}", "text/plain": words}, raw=True)


def themed_figure(figure: Figure, words: str) -> str:
    """A figure as an image that follows the theme."""
    return themed(_svg(figure, words), words, figure.get_figwidth() * _PIXELS)


def _svg(figure: Figure, words: str) -> str:
    """A figure to stand in a page that has the tokens: its text is text, and small in bytes."""
    for each in (figure, *figure.axes):
        each.set_facecolor("none")
    made = io.StringIO()
    # what is referred to has a name of its own among the figures of a page
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": words}):
        figure.savefig(made, format="svg", metadata={"Date": None})
    text = re.sub("<[^>]+>", _short, _LEFT_OUT.sub("", made.getvalue()))
    return re.sub(r">\s+<", "><", text.strip())


def _short(tag: re.Match[str]) -> str:
    """A tag of a figure: in the tokens of a page, and to a hundredth of a point."""
    text = re.sub(r"\d+\.\d+", lambda found: f"{float(found[0]):.2f}", tag[0])
    text = re.sub("|".join(_TOKENS), lambda found: f"var(--{_TOKENS[found[0]]})", text)
    return " ".join(text.split())
