"""The figures of a report for a paper: they show the data of those that its page draws itself."""

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from byhand.reports.results import Results
from byhand.statistics import Verdict
from byhand.words import gettext as _

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HEIGHT = 3.4  # inches
# with neither a date nor an id that is drawn, the same data give the same file
_FORMATS = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}


@dataclass(frozen=True)
class Drawing:
    """A figure that is still to be drawn, by a function of `byhand.figures`.

    Without a `height` in inches, its size is left to that function.
    """

    name: str
    draw: Callable[..., "Axes"]
    values: Mapping[str, object]
    height: float | None = _HEIGHT
    options: Mapping[str, object] = field(default_factory=dict)

    def drawn(self) -> "Axes":
        """Draw what each system has; the names of systems are no formulas."""
        from byhand.figures import WIDEST, new_axes

        # matplotlib reads "$x$" as a formula, and leaves "_x" out of the legend
        safe = {name.replace("$", r"\$"): each for name, each in self.values.items()}
        safe = {f"run {n}" if n.startswith("_") else n: each for n, each in safe.items()}
        options = dict(self.options)
        if self.height is not None:
            options["ax"] = new_axes(WIDEST, self.height)
        with _unknown_letters():
            ax = self.draw(safe, **options)
        ax.set_label(ax.get_label().replace(r"\$", "$"))
        return ax


def distributions(results: Results) -> Iterator[Drawing]:
    """How the values of each measure are spread over the queries."""
    from byhand.figures import draw_distribution

    for measure in results.measures:
        values = {name: table[measure] for name, table in results.tables.items()}
        if all(column.notna().any() for column in values.values()):
            name, options = f"distribution {measure}", {"measure": measure}
            yield Drawing(name, draw_distribution, values, options=options)


def curve(results: Results) -> Drawing:
    """The mean of the first measure over its cutoff."""
    from byhand.figures import draw_curve

    return Drawing("cutoffs", draw_curve, results.cutoffs, options={"measure": results.base})


def differences(results: Results) -> Iterator[Drawing]:
    """Who is higher on which part of the queries; nothing if there is one system."""
    from byhand.figures import draw_differences

    if results.comparison is None:
        return
    measure = results.measures[0]
    values = {name: each[measure] for name, each in results.tables.items()}
    options = {"measure": measure, "all_pairs": results.all_pairs}
    yield Drawing("differences", draw_differences, values, None, options)


def forest(results: Results) -> Iterator[Drawing]:
    """Each difference with its interval; nothing if there is one system."""
    if results.comparison is not None:
        rows = results.comparison.to_dict("records")
        options = {"rows": rows, "several": len(results.pairs) > 1, "matters": results.matters}
        yield Drawing("forest", draw_forest, {}, 0.9 + 0.3 * len(rows), options)


def draw_forest(
    values: Mapping[str, object],
    *,
    rows: Sequence[Mapping[str, object]],
    several: bool,
    matters: float | None,
    ax: "Axes",
) -> "Axes":
    """Draw a row a measure and pair: filled is decided, open is not, shaded is too small."""
    from byhand.figures import BLUE, GREY

    names = []
    for place, row in enumerate(rows):
        decided = row["verdict"] in (Verdict.A_HIGHER, Verdict.B_HIGHER)
        ax.plot([row["low"], row["high"]], [place, place], color=BLUE)
        face = BLUE if decided else "none"
        ax.plot(row["difference"], place, "o", color=BLUE, markerfacecolor=face, zorder=3)
        pair = f" ({row['a']} − {row['b']})" if several else ""
        names.append(f"{row['measure']}{pair}".replace("$", r"\$"))
    ax.axvline(0, color=GREY, linewidth=1)
    if matters is not None:
        ax.axvspan(-matters, matters, color=GREY, alpha=0.12, linewidth=0)
    ax.set_yticks(range(len(rows)), names)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    a, b = (rows[0][name].replace("$", r"\$") for name in "ab")
    ax.set_xlabel(_("difference") if several else f"{a} − {b}")
    ax.set_label(_("Differences with their 95% intervals"))
    return ax


def write_figures(results: Results, folder: Path) -> None:
    """Write every figure as SVG and as PDF.

    Args:
        results: what they show.
        folder: where to.
    """
    from matplotlib import rc_context

    folder.mkdir(parents=True, exist_ok=True)
    drawings = (*forest(results), *distributions(results), curve(results), *differences(results))
    for each in drawings:
        ax = each.drawn()
        name = re.sub(r"[^A-Za-z0-9]+", "-", each.name).strip("-")
        # in a PDF, letters stay letters
        with (
            rc_context({"svg.hashsalt": name, "svg.fonttype": "none", "pdf.fonttype": 42}),
            _unknown_letters(),
        ):
            for kind, metadata in _FORMATS.items():
                ax.figure.savefig(folder / f"{name}.{kind}", metadata=metadata)


@contextmanager
def _unknown_letters() -> Iterator[None]:
    """Let a name have letters that the font has not."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph", category=UserWarning)
        yield
