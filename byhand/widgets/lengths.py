"""Two data sets, and lists whose lengths nobody published: is the lead between them chance?"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import traitlets

from byhand.errors import DataError
from byhand.figures import BLUE, ORANGE
from byhand.metrics import chance_at_mean
from byhand.widgets.dials import Dial, Experiment, Stops
from byhand.widgets.live import Picture
from byhand.widgets.words import say
from byhand.words import localised

_TEN = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9)
_LENGTHS = (*(round(each * ten) for ten in (1_000, 10_000) for each in _TEN), 100_000)
Ends = tuple[float | None, float | None]


class Lengths(Experiment):
    """The means of two data sets beside those of random orders, by the length of the lists of each.

    The *lift* of a mean is how many times that of a random order it is. The *lead* is the lift of
    the first data set divided by that of the second: what is left of the ratio of their means.

    Args:
        reported: a table, or columns by name, with a column for each of the two data sets: in the
            row "relevant" the mean number of relevant items, below 1,000, and in the others the
            means of measures, such as "MRR".
        tasks: what to find -> between which ends both lifts ("lift") or the lead ("lead") are to
            be by the first measure; None for no end.
        start: the lengths at first, `first` and `second`, each where a dial can stand.

    Attributes:
        first, second: the length of the lists of each data set, 1,000 to 100,000 items.
        done: which tasks are done, counted from 0.

    Raises:
        DataError: not two data sets, no row "relevant" and another one, what is no number above 0,
            or a task that asks for something else.
        ValueError: an unknown measure.

    Example:
        >>> a, b = {"relevant": 17, "MRR": 0.02}, {"relevant": 2, "MRR": 0.01}
        >>> Lengths({"A": a, "B": b})  # chance(10_000, 17) is 0.0109, chance(10_000, 2) is 0.0018
        Lengths(A: 10,000, B: 10,000; MRR 2.0 times, random orders 6.2 times, lifts 1.8 and 5.7)
    """

    first = Dial(10_000, _LENGTHS)
    second = Dial(10_000, _LENGTHS)
    done = traitlets.List(traitlets.Int()).tag(sync=True)

    def __init__(
        self,
        reported: pd.DataFrame | Mapping[str, Mapping[str, float]],
        *,
        tasks: Mapping[str, Mapping[str, Ends]] = {},
        **start: float,
    ) -> None:
        self._means, relevant = _read(reported)
        for text, within in tasks.items():
            if [*within] not in (["lift"], ["lead"]):
                raise DataError(
                    f"The task {text!r} asks for {within!r}. Expected the ends of the lifts or of "
                    "the lead, such as {'lead': (2, None)}."
                )
        lengths = np.array(_LENGTHS)
        self._levels = {
            measure: np.stack([chance_at_mean(lengths, each, measure) for each in relevant])
            for measure in self._means.index
        }
        every = [self._means.to_numpy().ravel(), *map(np.ravel, self._levels.values())]
        decades = np.log10(np.concatenate(every))
        fixed = {
            "names": [*self._means],
            "measures": [
                {"name": name, "means": means.tolist(), "levels": self._levels[name].tolist()}
                for name, means in self._means.iterrows()
            ],
            "decades": [int(np.floor(decades.min())), int(np.ceil(decades.max()))],
            "tasks": [{"text": text, **within} for text, within in tasks.items()],
        }
        stops = {dial: Stops(_LENGTHS, label=label) for dial, label in self._dials.items()}
        super().__init__("lengths", fixed=fixed, stops=stops, **start)

    @property
    def _dials(self) -> dict[str, str]:
        """Dial -> what it is called."""
        labels = [say("lengths", "length", data=name) for name in self._means]
        return dict(zip(("first", "second"), labels, strict=True))

    @property
    def levels(self) -> pd.DataFrame:
        """What random orders get on average, in lists of these lengths: like the means reported."""
        at = [_LENGTHS.index(self.first), _LENGTHS.index(self.second)]
        rows = [levels[[0, 1], at] for levels in self._levels.values()]
        return pd.DataFrame(rows, index=self._means.index, columns=self._means.columns)

    @property
    def lifts(self) -> pd.DataFrame:
        """The means reported, divided by those of random orders."""
        return self._means / self.levels

    def picture(self) -> Picture:
        """Both means of each measure and those of random orders."""
        picture = Picture((6.4, 1.9 * len(self._means)), self._said)
        tall = 1 / len(self._means)
        low, high = (10.0**each for each in self.fixed["decades"])
        for i, (measure, means) in enumerate(self._means.iterrows()):
            ax = picture.axes_at(0.12, 1 - tall * (i + 0.72), 0.85, tall * 0.5)
            levels = self.levels.loc[measure]
            ax.hlines([1, 0], levels, means, color=BLUE)
            ring = {
                "facecolor": "none",
                "edgecolor": ORANGE,
                "label": say("lengths", "random order"),
            }
            ax.scatter(levels, [1, 0], zorder=3, **ring)
            ax.scatter(means, [1, 0], color=BLUE, zorder=3, label=say("lengths", "reported"))
            ax.set(xscale="log", xlim=(low, high), ylim=(-0.6, 1.6), title=measure)
            ax.set_yticks([1, 0], [*self._means])
        ax.legend(frameon=False, ncols=2, loc="upper left", fontsize=8)
        return picture

    def _found(self, measure: str) -> tuple[pd.DataFrame, dict[str, str]]:
        """Of each data set mean, chance, lift; and how many times the second's the first's are."""
        rows = {"mean": self._means, "chance": self.levels, "lift": self.lifts}
        table = pd.DataFrame({name: each.loc[measure] for name, each in rows.items()})
        ratios = table.iloc[0] / table.iloc[1]
        return table, {n: f"{each:.{2 if each < 1 else 1}f}" for n, each in ratios.items()}

    @property
    def _said(self) -> str:
        """The lengths, and what random orders of them get, in sentences."""
        said = [
            f"{label}: {localised(f'{getattr(self, dial):,}')}."
            for dial, label in self._dials.items()
        ]
        for measure in self._means.index:
            table, times = self._found(measure)
            name, other = table.index
            known = {"ratio": localised(times["mean"]), "chance": localised(times["chance"])}
            said.append(say("lengths", "ratio", measure=measure, name=name, other=other, **known))
            digits = {"mean": 4, "chance": 4, "lift": 1}
            for name, row in table.iterrows():
                values = {each: localised(f"{row[each]:.{n}f}") for each, n in digits.items()}
                said.append(say("lengths", "lane said", name=name, **values))
        return " ".join(said)

    @property
    def _line(self) -> str:
        lengths = zip(self._means, (self.first, self.second), strict=True)
        said = [", ".join(f"{name}: {length:,}" for name, length in lengths)]
        for measure in self._means.index:
            table, times = self._found(measure)
            ratios = f"{times['mean']} times, random orders {times['chance']} times"
            lifts = " and ".join(f"{each:.1f}" for each in table["lift"])
            said.append(f"{measure} {ratios}, lifts {lifts}")
        return "; ".join(said)


def _read(reported: object) -> tuple[pd.DataFrame, list[float]]:
    """The means of the measures, and the mean number of relevant items of each data set."""
    table = pd.DataFrame(reported)
    fits = table.shape[1] == 2 and "relevant" in table.index and len(table) > 1
    if not fits or not all(
        0 < each < np.inf for each in pd.to_numeric(table.to_numpy().ravel(), "coerce")
    ):
        raise DataError(
            f"reported has the columns {[*table]} and the rows {[*table.index]}. Expected a column "
            "of numbers above 0 for each of two data sets, with the row 'relevant' and one for "
            "each measure: {'A': {'relevant': 2, 'MRR': 0.1}, 'B': {'relevant': 1, 'MRR': 0.1}}."
        )
    relevant = table.loc["relevant"].tolist()
    if max(relevant) >= _LENGTHS[0]:
        raise DataError(
            f"{max(relevant):g} items are relevant on average, and the shortest list has "
            f"{_LENGTHS[0]:,}. Expected less."
        )
    return table.drop(index="relevant").astype(float), relevant
