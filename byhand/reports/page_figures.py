"""Positions of a figure's marks, in percent of its width or of a square."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from byhand.words import localised, typeset

_MARGIN = 0.04  # free share of the range at each end
_TICKS = 3  # approximate number
_STEPS = 120  # most points of a curve
_GAP = 12.0  # least distance of two marks, in percent of the height

# colours (tokens.css) of the systems; the first few differ most
COLOURS = (2, 4, 1, 8, 7, 3, 5, 6)

Ticks = list[tuple[str, str]]  # (position, label)

# eight shapes around (0, 0); no triangles because these mean higher and lower
MARKERS = (
    "M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0z",
    "M-5-5H5V5H-5z",
    "M0-7 7 0 0 7-7 0z",
    "M-2-6.5H2V-2H6.5V2H2V6.5H-2V2H-6.5V-2H-2z",
    "M0-7 1.9-2.3 6.9-2 3 1.1 4.3 6 0 3.2-4.3 6-3 1.1-6.9-2-1.9-2.3z",
    "M-6-6H6L1.5 0 6 6H-6L-1.5 0z",
    "M-6-3.2-3.2-6 0-2.8 3.2-6 6-3.2 2.8 0 6 3.2 3.2 6 0 2.8-3.2 6-6 3.2-2.8 0z",
    "M-2.6-7.5H2.6V7.5H-2.6z",
)


@dataclass(frozen=True)
class Scale:
    """A linear scale over the width of a figure."""

    low: float
    high: float

    def place(self, value: float) -> float:
        """Return the position of a value in percent, rounded to a tenth."""
        return round(100 * (value - self.low) / (self.high - self.low), 1)

    def at(self, value: float) -> str:
        """Return the position as CSS."""
        return _percent(self.place(value))

    @property
    def ticks(self) -> Ticks:
        """Return positions and labels of round values, including 0."""
        return [(self.at(value), text) for value, text in self.round_values]

    @property
    def round_values(self) -> list[tuple[float, str]]:
        """Return round values and their labels, including 0."""
        width = self.high - self.low
        step = _round_step(width / _TICKS)
        if width < 2 * step:  # a single tick shows no scale
            step = _round_step(width / (2 * _TICKS))
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        first = math.ceil(self.low / step - 1e-9)
        values = [n * step for n in range(first, math.floor(self.high / step + 1e-9) + 1)]
        return [(v, typeset(f"{v + 0.0:.{digits}f}") if v else "0") for v in values]


def _round_step(least: float) -> float:
    power = 10 ** math.floor(math.log10(least))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= least * (1 - 1e-9))


def scale_of(rows: Iterable[Mapping[str, object]], matters: float | None = None) -> Scale:
    """Return a scale for differences or means, their intervals, 0 and `matters`."""
    names = ("difference", "mean", "low", "high", "chance")
    values = [row[name] for row in rows for name in names if name in row]
    values = [value for value in values if math.isfinite(value)]
    values += [0.0] if matters is None else [-matters, 0.0, matters]
    low, high = min(values), max(values)
    if high == low:
        low, high = -1.0, 1.0
    margin = _MARGIN * (high - low)
    return Scale(low - margin * (low < 0), high + margin)


@dataclass(frozen=True)
class Curve:
    """A line of a figure: its points in a square of 100, and the position of its mark."""

    name: str
    points: str
    label: float


def distributions_of(
    tables: Mapping[str, pd.DataFrame], measures: Iterable[str]
) -> list[tuple[str, float, list[Curve]]]:
    """Return each measure, its highest value, and the cumulative distribution by system."""
    figures = []
    for measure in measures:
        columns = {name: table[measure].dropna().to_numpy() for name, table in tables.items()}
        if not all(map(len, columns.values())):
            continue
        top = max(1.0, *(column.max() for column in columns.values()))
        at, curves = np.linspace(0, top, _STEPS + 1), []
        for name, column in columns.items():
            share = np.searchsorted(np.sort(column), at + 1e-12, side="right") / len(column)
            points = _joined(100 * at / top, 100 - 100 * share)
            curves.append(Curve(name, points, round(100 * column.mean() / top, 1)))
        figures.append((measure, top, curves))
    return figures


def over_cutoffs(means: Mapping[str, Mapping[str, float]]) -> tuple[list[Curve], Ticks, Ticks]:
    """Return a curve per system of the mean by cutoff (logarithmic), and the ticks of both axes."""
    of = {name: [*each.values()] for name, each in means.items()}
    of = {name: each for name, each in of.items() if not np.isnan(each).all()}
    if not of:
        return [], [], []
    cutoffs = [int(name.rpartition("@")[2]) for name in next(iter(means.values()))]
    across = [math.log(k) / math.log(max(cutoffs[-1], 2)) * 100 for k in cutoffs]
    high = max(map(np.nanmax, of.values())) or 1.0
    scale = Scale(0.0, high * 1.08)
    ends = _apart([100 - scale.place(each[-1]) for each in of.values()])
    curves = [
        Curve(name, _joined(across, [100 - scale.place(v) for v in each]), end)
        for (name, each), end in zip(of.items(), ends, strict=True)
    ]
    kept = [k for k in cutoffs if str(k)[0] == "1" or k in (cutoffs[-1], 5, 50)]
    bottom = [(_percent(across[cutoffs.index(k)]), localised(f"{k:,}")) for k in kept]
    left = [(_percent(100 - scale.place(value)), text) for value, text in scale.round_values]
    return curves, bottom, left


def _apart(places: Sequence[float]) -> list[float]:
    """Move positions apart to the minimum distance, as little as possible."""
    order, moved = np.argsort(places, kind="stable"), np.array(places, dtype=float)
    steps = np.arange(len(places)) * min(_GAP, 100 / max(len(places) - 1, 1))
    free = moved[order] - steps
    # halfway between the highest before and the lowest after: the smallest largest move
    middle = (np.maximum.accumulate(free) + np.minimum.accumulate(free[::-1])[::-1]) / 2
    moved[order] = middle.clip(0, 100 - steps[-1]) + steps
    return moved.tolist()


def _percent(place: float) -> str:
    return f"{place:.1f}%"


def _joined(across: Iterable[float], down: Iterable[float]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(across, down, strict=True))
