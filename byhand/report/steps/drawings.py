"""The figures of a report: what each of them draws, for the page and for a paper."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from matplotlib import rc_context
from matplotlib.axes import Axes

from byhand.figures import draw_curve, draw_differences, draw_distribution
from byhand.report.steps.display import drawn
from byhand.report.steps.results import Results

# with neither a date nor an id that is drawn, the same data give the same file
_FORMATS = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}


@dataclass(frozen=True)
class Drawing:
    """A figure that is still to be drawn.

    Attributes:
        name: what it is called among the others.
        draw: a function of `byhand.figures`.
        values: what it draws, by the name of the system.
        options: what else it takes.
    """

    name: str
    draw: Callable[..., Axes]
    values: Mapping[str, object]
    options: Mapping[str, object]


def distributions(results: Results) -> Iterator[Drawing]:
    """How the values of each measure are spread over the queries."""
    for measure in results.measures:
        values = {name: table[measure] for name, table in results.tables.items()}
        if all(column.notna().any() for column in values.values()):
            yield Drawing(
                f"distribution {measure}", draw_distribution, values, {"measure": measure}
            )


def curve(results: Results) -> Drawing:
    """The mean of the first measure over its cutoff."""
    return Drawing("cutoffs", draw_curve, results.cutoffs, {"measure": results.base})


def differences(results: Results) -> Iterator[Drawing]:
    """Who is higher on which part of the queries; nothing if there is one system."""
    if results.comparison is None:
        return
    values = {name: each[results.measures[0]] for name, each in results.tables.items()}
    options = {"measure": results.measures[0], "all_pairs": results.all_pairs, "height": None}
    yield Drawing("differences", draw_differences, values, options)


def write_figures(results: Results, folder: Path) -> None:
    """Write every figure as SVG and as PDF.

    Args:
        results: what `results_of` returns.
        folder: where to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for each in (*distributions(results), curve(results), *differences(results)):
        ax = drawn(each.draw, each.values, **each.options)
        name = re.sub(r"[^A-Za-z0-9]+", "-", each.name).strip("-")
        # in a PDF, letters stay letters
        with rc_context({"svg.hashsalt": name, "svg.fonttype": "none", "pdf.fonttype": 42}):
            for kind, metadata in _FORMATS.items():
                ax.figure.savefig(folder / f"{name}.{kind}", metadata=metadata)
