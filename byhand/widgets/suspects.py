"""A number to type, and the ways in which it may have come about: fewer with each digit."""

from typing import Unpack

import pandas as pd
import traitlets

from byhand.conventions.candidates import Candidates
from byhand.conventions.coincidences import Coincidences
from byhand.conventions.recomputer import Recomputer
from byhand.conventions.reported import read_reported
from byhand.conventions.variants import every_variant
from byhand.figures import draw_bars
from byhand.metrics.conventions import Conventions
from byhand.metrics.names import measures_named
from byhand.metrics.run_with_qrels import RunWithQrels
from byhand.tables.frames import Reading
from byhand.widgets.live import Live, Picture
from byhand.widgets.words import say
from byhand.words import localised, spoken

_DIGITS = 9


class Suspects(Live):
    """A field for a reported number, and the conventions or mistakes that give it.

    Args:
        run, qrels, conventions, departures, reading: as `which_conventions` takes them.
        measure: the measure of which a mean is reported, in ir_measures' notation.
        number: what stands in the field at first.

    Attributes:
        number: what stands in the field.

    Raises:
        DataError, ValueError: as `which_conventions`.

    Example:
        >>> run, qrels = {"q": {"a": 3, "b": 2, "c": 1}}, {"q": {"b": 1, "c": 2, "z": 3}}
        >>> suspects = Suspects(run, qrels, "nDCG", departures=1, number="0.2269")
        >>> suspects.explanations
        ['the gain of an item is 2^grade - 1']
    """

    number = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self,
        run: object,
        qrels: object,
        measure: object,
        *,
        number: str = "",
        conventions: str | Conventions = "trec_eval -c",
        departures: int = 2,
        **reading: Unpack[Reading],
    ) -> None:
        self._measures = measures_named(measure)
        ((self._name, measure),) = self._measures.items()
        recomputer = Recomputer(RunWithQrels(run, qrels, **reading), self._measures, conventions)
        self._tried = Candidates(recomputer, every_variant(recomputer, departures))
        single = {one: None for each in self._tried.variants for one in each.departures}
        names = [spoken(each.says) for each in single]
        place = {each: at for at, each in enumerate(single)}
        values, steps = self._tried.means[self._name], Coincidences(self._tried).steps(self._name)
        known = values.round(_DIGITS), self._tried.cut, self._tried.variants, steps.tolist()
        ways = [
            [value, int(cut), [place[each] for each in way.departures], step]
            for value, cut, way, step in zip(*known, strict=True)
        ]
        fixed = {"measure": self._name, "departures": names, "ways": ways}
        fixed |= {"percent": measure.highest is not None}
        super().__init__("suspects", fixed=fixed, number=number)

    def _explaining(self, number: str) -> list[str]:
        asked = read_reported({self._name: number}, self._measures, ())
        return [self._tried.variants[at].words for at in self._tried.explaining(asked)]

    @property
    def explanations(self) -> list[str]:
        """What gives the number, the simplest first; nothing where the field holds no number."""
        try:
            return self._explaining(self.number)
        except ValueError:
            return []

    def picture(self) -> Picture:
        """How many ways are left after each digit."""
        number = self.number.replace(",", ".")
        begun = range(len(number.partition(".")[0]) + 2, len(number) + 1)
        left = {localised(number[:end]): len(self._explaining(number[:end])) for end in begun}
        ways, title = say("suspects", "ways"), say("suspects", "title", measure=self._name)
        frame = pd.DataFrame({ways: left or {"": len(self._tried.variants)}})
        picture = Picture((6.4, 2.6))
        ax = picture.add_axes((0.1, 0.2, 0.87, 0.66))
        draw_bars(frame, title=title, ylabel=ways, digits=0, ax=ax)
        return picture

    @property
    def _line(self) -> str:
        left = f"{len(self.explanations)} of {len(self._tried.variants)}"
        return f"{self._name} = {self.number or '?'}: {left}"
