"""Each measure by itself: its means, how its values are spread, and how they grow with depth."""

from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd

from byhand.files.writing import refuse_source, replacing
from byhand.report.steps.display import grouped, number, show_figure, show_table, show_text
from byhand.report.steps.drawings import curve, distributions
from byhand.report.steps.results import Results
from byhand.report.steps.told import told


def show_means(results: Results) -> None:
    """Display the mean of each measure, its interval, and what a random order would get."""
    means = results.means
    some_judged = bool(means["judged"].notna().any())
    rows = []
    for row in means.to_dict("records"):
        lift = row["mean"] / row["chance"] if row["chance"] > 0 else np.nan
        together = [row[name] for name in ("mean", "low", "high")]
        cells = [number(value, beside=together) for value in together]
        cells += [number(row[name]) for name in ("median", "chance")]
        judged = [_share(row["judged"])] * some_judged
        cells += [number(lift, 1), *judged, f"{row['queries']:,}"]
        rows.append([row["measure"], row["system"], *cells])
    heads = ["measure", "system", "mean", "low", "high", "median", "chance", "lift"]
    show_table([*heads, *["judged"] * some_judged, "queries"], rows, texts=2)
    careful = means[means["caution"] != ""]
    if len(careful):
        named = careful["measure"] + " of " + careful["system"]
        show_text(*grouped(dict(zip(named, careful["caution"], strict=True))))


def _share(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.1%}"


def show_distributions(results: Results) -> None:
    """Display how the values of each measure are spread over the queries."""
    for each in distributions(results):
        show_figure(each.draw, each.values, **each.options)


def show_curve(results: Results) -> None:
    """Display the mean of the first measure over its cutoff."""
    each = curve(results)
    show_figure(each.draw, each.values, **each.options)


@told
def write_per_query(results: Results, path: str | PathLike[str] | None) -> None:
    """Write the value of each query to a CSV file: one row a query and system.

    Args:
        results: what `results_of` returns.
        path: where to; None writes nothing.

    Raises:
        DataError: the path is that of a file to read.
    """
    if path is None:
        return
    refuse_source(path, results.data.paths.values())
    columns = [name for measure in results.measures for name in (measure, f"{measure} chance")]
    tables = []
    for name, table in results.tables.items():
        values = table[columns].reset_index()
        values.insert(1, "system", name)
        values.insert(2, "answered", ~table.index.isin(results.missing[name]))
        tables.append(values)
    with replacing(Path(path)) as new:
        pd.concat(tables).to_csv(new, index=False)
