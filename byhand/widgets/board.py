"""A list and its measures: what Python knows of the list that a browser shows."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace

import pandas as pd
from matplotlib.axes import Axes

from byhand.errors import DataError
from byhand.figures import Lane, draw_list, list_size
from byhand.metrics.conventions import CHOICES, Conventions, Preset, preset_named
from byhand.metrics.measures import Measure
from byhand.metrics.names import measures_named
from byhand.metrics.steps import explain
from byhand.widgets.picture import Picture, axes_in
from byhand.widgets.ranked_list import RankedList
from byhand.widgets.scores import lanes_of
from byhand.widgets.words import words


class Board:
    """The values of one list, as it is now.

    Args:
        ranks: the list.
        measures: names in ir_measures' notation, in the order in which they are shown; or just one.
        k: the cutoff of the measures that have none of their own.
        conventions: the name of a preset, or a `Conventions` value.

    Attributes:
        measures: each measure by its name, as it was asked for.

    Raises:
        DataError: conventions that remove unjudged items: such a list keeps them.
        ValueError: an unknown measure or preset.

    Example:
        >>> board = Board(RankedList(["D1", "D4"], {"D4"}), ["RR"])
        >>> board.values
        {'RR': 0.5}
        >>> board.ranks.move("D4", to=1)
        >>> board.values
        {'RR': 1.0}
    """

    def __init__(
        self,
        ranks: RankedList,
        measures: Iterable[object],
        *,
        k: int | None = None,
        conventions: str | Conventions = "trec_eval -c",
    ) -> None:
        self.ranks, self.k = ranks, k
        self._conventions = conventions
        self._preset = preset_named(conventions)
        self.measures = measures_named(measures)
        chosen = [measure.named_by(self._preset) for measure in self.measures.values()]
        if any(each.unjudged == "removed" for each in chosen):
            raise DataError(
                "The conventions have unjudged='removed', but a list to drag keeps all its "
                "items. Leave the items that nobody judged out of the list, "
                "and choose unjudged='not_relevant'."
            )

    @property
    def values(self) -> dict[str, float]:
        """Measure, as it was asked for, -> its value for the list as it is now."""
        return {name: lane.value for name, lane in self._lanes(self.measures).items()}

    @property
    def steps(self) -> pd.DataFrame:
        """The step table of the list as it is now."""
        return explain(
            self._ranked,
            self.ranks.relevant,
            k=self.k,
            measures=list(self.measures),
            conventions=self._conventions,
        )

    @property
    def specs(self) -> list[dict[str, object]]:
        """What a browser has to know of each measure."""
        return [_spec(name, each, self._preset) for name, each in self.measures.items()]

    @property
    def answers(self) -> dict[str, object]:
        """What Python says of the measures that a browser has no formula for.

        They are for one state of the list, which goes with them.
        """
        asked = {name: each for name, each in self.measures.items() if not in_browser(each)}
        if not asked:
            return {}
        sent = self.ranks.get_state(key={"order", "grades"})
        return {
            **sent,
            "k": self.k,
            "lanes": {
                name: {"value": lane.value, "shares": list(lane.shares), "most": lane.most}
                for name, lane in self._lanes(asked).items()
            },
        }

    def draw(self, ax: Axes) -> Axes:
        """Draw the list as it is now."""
        return draw_list(
            self._ranked,
            self.ranks.relevant,
            lanes=list(self._lanes(self.measures).values()),
            k=self.k,
            labels=self.ranks.catalogue.labels,
            max_grade=self.ranks.max_grade,
            ax=ax,
        )

    @property
    def size(self) -> tuple[float, float]:
        """The width and height of its picture, in inches."""
        return list_size(len(self.measures))

    def picture(self) -> Picture:
        """The image of the list, with its words."""
        picture = Picture("", self.size)
        picture.alt = self.draw(axes_in(picture)).get_label()
        return picture

    def _lanes(self, measures: Mapping[str, Measure]) -> dict[str, Lane]:
        judged = {item: grade for item, grade in self.ranks.grades.items() if grade is not None}
        return lanes_of(measures, self._ranked, judged, k=self.k, preset=self._preset)

    @property
    def _ranked(self) -> list[Hashable]:
        """The list rank by rank: a row for several ranks as so many items."""
        spans: Mapping[Hashable, int] = self.ranks.spans
        return [
            each
            for item in self.ranks.order
            for each in ([(item, n) for n in range(spans[item])] if item in spans else [item])
        ]


def in_browser(measure: Measure) -> bool:
    """Whether a browser has the formula of a measure: whether it has words for what it adds."""
    return measure.name in words()["adds"]


def _spec(name: str, measure: Measure, preset: Preset) -> dict[str, object]:
    chosen = measure.choose(measure.named_by(preset))
    return {
        "asked": name,
        "stem": str(replace(measure, k=None)),
        "kind": measure.name if in_browser(measure) else "",
        "k": measure.k,
        "rel": measure.rel,
        "workings": dict(measure.workings) if in_browser(measure) else {},
        **{name: getattr(chosen, name) for name, choice in CHOICES.items() if choice.concerns},
    }
