"""The figures of a report for a paper: they show the data of those that its page draws itself."""

import re
import warnings
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import TYPE_CHECKING

from byhand.errors import DataError, printable
from byhand.reports.comparison_rows import HIGHER
from byhand.reports.results import Results
from byhand.words import gettext as _

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HEIGHT = 3.4  # inches
# with neither a date nor an id that is drawn, the same data give the same file
_FORMATS = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}


def _drawn(results: Results) -> Iterator[tuple[str, "Axes"]]:
    """Every figure with its name, drawn when it is its turn."""
    try:
        from byhand.figures import (
            WIDEST,
            draw_curve,
            draw_differences,
            draw_distribution,
            new_axes,
        )
    except ValueError as error:  # of matplotlib, of what surrounds it
        raise DataError(f"matplotlib cannot be loaded: {error}. Unset MPLBACKEND.") from None

    compared, tables = results.comparison is not None, results.tables
    if compared:
        yield "forest", draw_forest(results)
    for measure in results.measures:
        values = {name: table[measure] for name, table in tables.items()}
        if all(column.notna().any() for column in values.values()):
            ax = new_axes(WIDEST, _HEIGHT)
            yield (
                f"distribution {measure}",
                draw_distribution(_safe(values), measure=measure, ax=ax),
            )
    if any(table.notna().any(axis=None) for table in results.cutoffs.values()):
        ax = new_axes(WIDEST, _HEIGHT)
        yield "cutoffs", draw_curve(_safe(results.cutoffs), measure=results.first_uncut, ax=ax)
    if compared:
        measure = results.measures[0]
        values = _safe({name: table[measure] for name, table in tables.items()})
        every = results.all_pairs
        yield "differences", draw_differences(values, measure=measure, all_pairs=every)


def _safe(values: Mapping[str, object]) -> dict[str, object]:
    """The same under names that matplotlib takes for text, and each for a line of the legend."""
    # with it, none begins with what keeps a name out of the legend
    before = "run " if any(name.startswith("_") for name in values) else ""
    return {before + _text(name): each for name, each in values.items()}


def _text(name: str) -> str:
    """A name that is no formula, and whose letters XML knows."""
    return printable(name).replace("$", r"\$")


def draw_forest(results: Results) -> "Axes":
    """Draw a row a measure and pair: filled is decided, open is not, shaded is too small."""
    from byhand.figures import GREY, HIT, WIDEST, new_axes

    rows, several = results.comparison.to_dict("records"), len(results.pairs) > 1
    ax, names = new_axes(WIDEST, 0.9 + 0.3 * len(rows)), []
    for place, row in enumerate(rows):
        ax.plot([row["low"], row["high"]], [place, place], color=HIT)
        face = HIT if row["verdict"] in HIGHER else "none"
        ax.plot(row["difference"], place, "o", color=HIT, markerfacecolor=face, zorder=3)
        pair = f" ({row['a']} − {row['b']})" if several else ""
        names.append(_text(f"{row['measure']}{pair}"))
    ax.axvline(0, color=GREY, linewidth=1)
    if results.matters is not None:
        ax.axvspan(-results.matters, results.matters, color=GREY, alpha=0.12, linewidth=0)
    ax.set_yticks(range(len(rows)), names)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    a, b = (_text(rows[0][name]) for name in "ab")
    ax.set_xlabel(_("difference") if several else f"{a} − {b}")
    ax.set_label(_("Differences with their 95% intervals"))
    return ax


def figures_of(results: Results) -> dict[str, bytes]:
    """Every figure as SVG and as PDF, by the name of its file."""
    found = {}
    with warnings.catch_warnings():  # a name may have letters that the font has not
        warnings.filterwarnings("ignore", message="Glyph", category=UserWarning)
        for title, ax in _drawn(results):
            from matplotlib import rc_context  # `byhand.figures` has said if it is missing

            ax.set_label(ax.get_label().replace(r"\$", "$"))
            name = re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-")
            # in a PDF, letters stay letters
            with rc_context({"svg.hashsalt": name, "svg.fonttype": "none", "pdf.fonttype": 42}):
                for kind, metadata in _FORMATS.items():
                    ax.figure.savefig(drawn := BytesIO(), format=kind, metadata=metadata)
                    found[f"{name}.{kind}"] = drawn.getvalue()
    return found
