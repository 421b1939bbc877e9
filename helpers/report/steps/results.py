"""The values of each system: per query, their means, how they are spread, and by depth."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from os import PathLike

import numpy as np
import pandas as pd

from helpers.figures.comparisons import draw_curve, draw_distribution
from helpers.metrics.conventions import Conventions, preset_named
from helpers.metrics.evaluate import evaluate
from helpers.metrics.names import measure_named, measures_named
from helpers.report.steps.display import show_figure, show_table, show_text
from helpers.report.steps.inputs import OwnData
from helpers.statistics.compare import compare_values
from helpers.statistics.resampling import bootstrap_interval

_CUTOFFS = [m * 10**power for power in range(7) for m in (1, 2, 3, 5)]


@dataclass(frozen=True)
class Results:
    """What each system gets on each query.

    Attributes:
        data: what was evaluated.
        measures: the names of the measures; the first one sorts the queries.
        conventions: how they were computed.
        preset: the name of these conventions, or "none".
        tables: for each system the table of `evaluate`, with chance values.
    """

    data: OwnData
    measures: list[str]
    conventions: Conventions
    preset: str
    tables: dict[str, pd.DataFrame]

    @property
    def first(self) -> pd.DataFrame:
        """The table of the system in question."""
        return next(iter(self.tables.values()))

    @cached_property
    def means(self) -> pd.DataFrame:
        """For each measure and system the mean, its interval, and what a random order gets."""
        rows = []
        for measure in self.measures:
            for name, table in self.tables.items():
                values = table[measure].dropna().to_numpy()
                low, high = bootstrap_interval((values,), np.mean)
                row = {"measure": measure, "system": name, "mean": table[measure].mean()}
                row |= {"low": low, "high": high, "median": table[measure].median()}
                row |= {"chance": table[f"{measure} chance"].mean(), "queries": len(values)}
                rows.append(row)
        return pd.DataFrame(rows)

    @cached_property
    def comparison(self) -> pd.DataFrame | None:
        """The table of `compare_values`, a row a measure; None if there is one system only."""
        if len(self.tables) < 2:
            return None
        return compare_values({name: table[self.measures] for name, table in self.tables.items()})


def results_of(
    data: OwnData, measures: Iterable[object], *, conventions: str | Conventions = "trec_eval -c"
) -> Results:
    """Evaluate each system.

    Args:
        data: what `read_own_data` returns.
        measures: names in ir_measures' notation; the first one sorts the queries.
        conventions: the name of a preset, or a `Conventions` value.

    Raises:
        DataError: data that `evaluate` refuses.
        ValueError: an unknown measure or preset, or no measure.
    """
    names = list(measures_named(measures))
    if not names:
        raise ValueError("measures is empty: name at least one, such as ['nDCG@10', 'AP', 'RR'].")
    tables = {
        name: evaluate(run, data.qrels, names, conventions=conventions, chance=True)
        for name, run in data.runs.items()
    }
    preset = conventions if isinstance(conventions, str) else "none"
    return Results(data, names, preset_named(conventions).choices, preset, tables)


def number(value: float, digits: int = 4) -> str:
    """A number for a table, a dash where there is none.

    Example:
        >>> number(0.5), number(np.nan)
        ('0.5000', '–')
    """
    return "–" if np.isnan(value) else f"{value:.{digits}f}"


def show_means(results: Results) -> None:
    """Display the mean of each measure, its interval, and what a random order would get."""
    rows = []
    for row in results.means.to_dict("records"):
        lift = row["mean"] / row["chance"] if row["chance"] > 0 else np.nan
        cells = [number(row[name]) for name in ("mean", "low", "high", "median", "chance")]
        rows.append([row["measure"], row["system"], *cells, number(lift, 1), f"{row['queries']:,}"])
    heads = ["measure", "system", "mean", "low", "high", "median", "chance", "lift", "queries"]
    show_table(heads, rows, texts=2)


def show_summary(results: Results) -> None:
    """Display the main result in two sentences."""
    row = results.means.iloc[0]
    if row["queries"] == 0:
        show_text(f"No query of {row['system']} has a value, so there is no mean.")
        return
    said = [
        f"Over {row['queries']:,} queries, {row['system']} gets a mean {row['measure']} of "
        f"{row['mean']:.3f}{_interval(row['low'], row['high'])}; a random order of the same items "
        f"would get {row['chance']:.3f}."
    ]
    if results.comparison is not None:
        said.append(_difference(results.comparison.iloc[0]))
    show_text(*said)


def _difference(row: pd.Series) -> str:
    other, size, low, high = row["b"], row["difference"], row["low"], row["high"]
    if size == 0:
        return f"The mean of {other} is the same."
    side = "above" if size > 0 else "below"
    sure = ", so it may be chance" if low <= 0 <= high else ""
    interval = _interval(low, high, "+.3f")
    return f"That mean is {abs(size):.3f} {side} that of {other}{interval}{sure}."


def _interval(low: float, high: float, form: str = ".3f") -> str:
    return "" if np.isnan(low) else f" (95% interval {low:{form}} to {high:{form}})"


def show_distributions(results: Results) -> None:
    """Display how the values of each measure are spread over the queries."""
    for measure in results.measures:
        values = {name: table[measure] for name, table in results.tables.items()}
        if all(column.notna().any() for column in values.values()):
            show_figure(draw_distribution, values, measure=measure)


def show_curve(results: Results) -> None:
    """Display the mean of the first measure over its cutoff."""
    base, _, k = results.measures[0].rpartition("@")
    base = base or k
    cutoffs = _cutoffs(results)
    names = [f"{base}@{k}" for k in cutoffs]
    curves = {
        name: evaluate(run, results.data.qrels, names, conventions=results.conventions)
        for name, run in results.data.runs.items()
    }
    show_figure(draw_curve, curves, measure=base)


def _cutoffs(results: Results) -> list[int]:
    """Round numbers up to the longest list, and the cutoffs of the measures."""
    longest = max(int(_sizes(run).max()) for run in results.data.runs.values())
    asked = {measure_named(name).k for name in results.measures} - {None}
    return sorted({k for k in _CUTOFFS if k <= longest} | {k for k in asked if k <= longest})


def _sizes(run: pd.DataFrame) -> pd.Series:
    return run["query_id"].value_counts(sort=False)


def write_per_query(results: Results, path: str | PathLike[str] | None) -> None:
    """Write the value of each query to a CSV file: one row a query and system.

    Args:
        results: what `results_of` returns.
        path: where to; None writes nothing.
    """
    if path is None:
        return
    tables = [table.reset_index().assign(system=name) for name, table in results.tables.items()]
    joined = pd.concat(tables)
    order = ["query_id", "system", *(c for c in joined if c not in ("query_id", "system"))]
    joined[order].to_csv(path, index=False)
