"""The picture of one list: where the hits are, and what each rank adds to each measure."""

import io
import re
import warnings
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, fields

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle

from helpers.widgets.scores import Lane, lanes_of

_LABEL_FITS = 4  # characters of a label that fit into the square of one rank
_NUMBERS_FIT = 10  # ranks up to which each bar can carry its number
_NAMES_FIT = 13  # squares up to which each can carry its rank and its label
_DOCK_FITS = 3  # items drawn as not retrieved; the others are counted
_LANE = 1.3  # height of one measure's lane, where a square of the list is 1


@dataclass(frozen=True)
class Palette:
    """The colours of a picture. In a notebook's live figure each becomes a colour of the theme."""

    ink: str = "#212122"
    quiet: str = "#5c5c5d"
    edge: str = "#c9cdd3"
    ground: str = "#fffffe"
    hit: str = "#0b5cad"
    hit_soft: str = "#e8f1fb"


class Picture(Figure):
    """A figure that a notebook shows as an image with a text alternative.

    Example:
        >>> Picture("A list with one hit", (3, 1)).alt
        'A list with one hit'
    """

    def __init__(self, alt: str, size: tuple[float, float]) -> None:
        super().__init__(figsize=size, layout="none", facecolor=Palette.ground)
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


def figure_size(n_measures: int) -> tuple[float, float]:
    """The width and height, in inches, of the picture of a list under so many measures."""
    return 4.6, 0.53 * (1.2 + _LANE * n_measures)


def new_axes(figure: Figure, *, bottom: float = 0.01, top: float = 0.99) -> Axes:
    """Axes that fill a figure, or a part of its height."""
    return figure.add_axes((0.005, bottom, 0.99, top - bottom))


def draw_lines(ax: Axes, lines: Sequence[str], *, palette: Palette | None = None) -> Axes:
    """Write lines of text under one another.

    Example:
        >>> [text.get_text() for text in draw_lines(new_axes(Figure()), ["one", "two"]).texts]
        ['one', 'two']
    """
    ax.set_axis_off()
    ax.set_xlim(0, 1)
    ax.set_ylim(len(lines), 0)
    for i, line in enumerate(lines):
        color = (palette or Palette()).ink
        _text(ax, 0.012, i + 0.5, line, color, size=9, ha="left")
    return ax


def draw_list(
    ax: Axes,
    ranked: Sequence[Hashable],
    relevant: Mapping[Hashable, int],
    *,
    measures: Sequence[str] = ("RR", "AP", "nDCG"),
    k: int | None = None,
    labels: Mapping[Hashable, str] | None = None,
    max_grade: int = 1,
    palette: Palette | None = None,
) -> Axes:
    """Draw a list as a row of squares, and under it one lane of bars a measure.

    A square with a bold frame is a hit. The height of a bar is what its rank adds to the measure,
    against the most that one rank can add. Relevant items that were not retrieved stand to the
    right, dashed.

    Args:
        ax: where to draw.
        ranked: the items, best first.
        relevant: item -> grade of the relevant items.
        measures: one lane each, from the top.
        k: the cutoff of measures without their own; ranks below it are pale.
        labels: item -> label; without it the item itself.
        max_grade: above 1, a hit's grade stands in its square.
        palette: the colours.

    Example:
        >>> ax = draw_list(new_axes(Figure()), ["D1", "D4"], {"D4": 1}, measures=["RR"])
        >>> [text.get_text() for text in ax.texts]
        ['1', 'D1', '2', 'D4', 'RR = 0.500', '0.500']
    """
    palette = palette or Palette()
    labels = labels or {}
    missed = [item for item in relevant if item not in set(ranked)]
    docked = min(len(missed), _DOCK_FITS)
    _prepare(ax, columns=len(ranked) + (docked + 0.6 if missed else 0), n_lanes=len(measures))

    roomy = len(ranked) + docked <= _NAMES_FIT

    def cell(x: float, rank: str, item: Hashable, **style: bool) -> None:
        name = _short(str(labels.get(item, item)))
        grade = relevant.get(item, 0) if max_grade > 1 else 0
        inside = f"{name}\n{_pips(grade)}".strip() if roomy else ""
        _cell(ax, x, rank, inside, palette, **style)

    for i, item in enumerate(ranked):
        rank = str(i + 1) if roomy or (i + 1) % 5 == 0 else ""
        cell(i, rank, item, hit=item in relevant, pale=k is not None and i >= k)
    for i, item in enumerate(missed[:docked]):
        cell(len(ranked) + 0.6 + i, "–", item, hit=True, missed=True)
    if missed:
        x, words = len(ranked) + 0.5 + docked, f"{len(missed)} not\nretrieved"
        _text(ax, x, 1.1, words, palette.quiet, size=8, ha="right", va="top")
    for n, lane in enumerate(lanes_of(measures, ranked, relevant, k=k).values()):
        _lane(ax, n, lane, palette)
    if k is not None and k < len(ranked):
        ax.plot([k, k], [0, len(measures) * _LANE + 1], color=palette.quiet, lw=1, ls=(0, (3, 2)))
    return ax


def _short(label: str) -> str:
    return label if len(label) <= _LABEL_FITS else label[: _LABEL_FITS - 1] + "…"


def _pips(grade: int) -> str:
    return "●" * grade if grade <= 3 else f"grade {grade}"


def _prepare(ax: Axes, *, columns: float, n_lanes: int) -> None:
    ax.set_axis_off()
    ax.set_xlim(-0.05, max(columns, 5) + 0.05)
    ax.set_ylim(n_lanes * _LANE + 1.15, -0.05)


def _text(ax: Axes, x: float, y: float, text: str, color: str, *, size: float, **style) -> None:
    style = {"ha": "center", "va": "center", **style}
    # a label may hold a dollar sign, which is no formula here
    ax.text(x, y, text, color=color, size=size, parse_math=False, **style)


def _cell(
    ax: Axes,
    x: float,
    rank: str,
    name: str,
    palette: Palette,
    *,
    hit: bool = False,
    pale: bool = False,
    missed: bool = False,
) -> None:
    box = FancyBboxPatch(
        (x + 0.07, 0.3),
        0.86,
        0.66,
        boxstyle="round,pad=0,rounding_size=0.08",
        facecolor="none" if missed or not hit else palette.hit_soft,
        edgecolor=palette.hit if hit else palette.edge,
        linewidth=1.6 if hit else 1,
        linestyle=(0, (2.5, 1.5)) if missed else "-",
        alpha=0.4 if pale else 1,
    )
    ax.add_patch(box)
    _text(ax, x + 0.5, 0.14, rank, palette.quiet, size=8.5)
    color, weight = (palette.hit, "bold") if hit else (palette.quiet, "normal")
    _text(ax, x + 0.5, 0.63, name, color, size=8.5, weight=weight, alpha=0.6 if pale else 1)


def _lane(ax: Axes, n: int, lane: Lane, palette: Palette) -> None:
    ceiling = 1.15 + n * _LANE
    floor, height = ceiling + _LANE - 0.12, 0.5
    ax.plot([0, len(lane.shares)], [floor, floor], color=palette.edge, lw=1)
    title = f"{lane.name} = {lane.value:.3f}"
    _text(ax, 0.07, ceiling + 0.2, title, palette.ink, size=9.5, ha="left", weight="bold")
    for i, share in enumerate(lane.shares):
        if share <= 0:
            continue
        tall = height * min(share / lane.most, 1)
        bar = Rectangle((i + 0.2, floor - tall), 0.6, tall, facecolor=palette.hit, linewidth=0)
        ax.add_patch(bar)
        if len(lane.shares) <= _NUMBERS_FIT:
            _text(ax, i + 0.5, floor - tall - 0.11, f"{share:.3f}", palette.ink, size=8)


def text_alternative(
    ranked: Sequence[Hashable], relevant: Mapping[Hashable, int], values: str
) -> str:
    """What the picture shows, in one or two sentences.

    Example:
        >>> text_alternative(["D1", "D4"], {"D4": 1, "D9": 1}, "RR = 0.500")
        'Hits at rank 2 of 2. Relevant items not retrieved: 1. RR = 0.500.'
    """
    ranks = [str(rank) for rank, item in enumerate(ranked, start=1) if item in relevant]
    where = f"Hits at rank {', '.join(ranks)} of {len(ranked)}." if ranks else "No hits."
    missed = len(set(relevant) - set(ranked))
    unseen = f" Relevant items not retrieved: {missed}." if missed else ""
    return f"{where}{unseen}" + (f" {values}." if values else "")


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

    def svg(self, draw: Callable[[Axes], object]) -> str:
        """The SVG element after `draw` has drawn on empty axes."""
        self._figure.clear()
        draw(new_axes(self._figure))
        buffer = io.StringIO()
        # text stays text: smaller, in the notebook's own font, and in any script it has
        style = {"svg.fonttype": "none", "svg.hashsalt": "helpers"}
        with mpl.rc_context(style), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Glyph", category=UserWarning)
            self._canvas.print_svg(buffer, metadata={"Date": None, "Creator": None})
        text = buffer.getvalue()
        return _themed(text[text.index("<svg") :])


def _themed(svg: str) -> str:
    for each in fields(Palette):
        name = each.name.replace("_", "-")
        svg = svg.replace(each.default, f"var(--rm-{name}, {each.default})")
    # the page's own width decides, and the page's background shows through
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    return re.sub(r'<g id="patch_1">.*?</g>', "", svg, count=1, flags=re.DOTALL)
