"""A switch for each choice on which tools differ, and what the measures become."""

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import product
from math import isnan
from statistics import fmean
from typing import TypedDict

import traitlets

from byhand.errors import DataError, shown
from byhand.metrics.conventions import CHOICES, OF_QUERIES, Conventions
from byhand.metrics.evaluate import Evaluation, RefusedError
from byhand.metrics.measure_names import measures_named
from byhand.metrics.presets import PRESETS
from byhand.metrics.run_with_qrels import RunWithQrels
from byhand.widgets.live import Live, checks
from byhand.widgets.phrases import say
from byhand.widgets.still import Still
from byhand.words import in_row, listed, localised, spoken


class SwitchboardFixed(TypedDict):
    """What its view has to know, once."""

    queries: list[str]
    choices: list[list]  # the name, the label and the options of each, in words and in few
    measures: list[dict[str, object]]
    presets: list[list]  # the name, whether it is followed in part only, and its choices
    goal: list[list]  # the measure, the number in print, and how far off a mean may be


class Switchboard(Live):
    """The means of a run under conventions that a reader chooses, and the queries behind them.

    Every combination of choices is worked out at once, so it is meant for a few queries.

    Args:
        run, qrels: as `evaluate` takes them.
        measures: names in ir_measures' notation, or just one.
        goal: what means are to become, as somebody reported them: `{"AP": "0.42"}`.

    Attributes:
        chosen: measure -> each choice that concerns it -> the option that is on.

    Raises:
        DataError: what `evaluate` refuses; a goal that is no number, or for another measure.
        ValueError: an unknown measure.

    Example:
        >>> board = Switchboard({"q": {"a": 2, "b": 1}}, {"q": {"a": 1, "c": 1}}, measures="AP")
        >>> board
        Switchboard(AP = 0.5000 as trec_eval -c, ir_measures, haystack, mlflow, phoenix)
        >>> board.turn(denominator="retrieved")
        >>> board.values
        {'AP': 1.0}
    """

    fixed: SwitchboardFixed
    chosen = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        run: object,
        qrels: object,
        *,
        measures: Iterable[object] = ("RR", "AP"),
        goal: Mapping[str, object] | None = None,
    ) -> None:
        self._tables, self._measures = RunWithQrels(run, qrels), measures_named(measures)
        self._presets = {name: self._as(name) for name in PRESETS}
        begin = next(iter(self._presets.values()))
        shown = {each: CHOICES[each] for chosen in begin.values() for each in chosen}
        fixed: SwitchboardFixed = {
            "queries": [str(each) for each in self._tables.hits().query_ids],
            "choices": [
                [
                    n,
                    spoken(each.label),
                    [
                        [option, spoken(says), spoken(each.brief[option])]
                        for option, says in each.options.items()
                    ],
                ]
                for n, each in shown.items()
            ],
            "measures": [self._worked_out(name, chosen) for name, chosen in begin.items()],
            "presets": [
                [name, bool(PRESETS[name].except_that), of] for name, of in self._presets.items()
            ],
            "goal": [self._wanted(name, str(value)) for name, value in (goal or {}).items()],
        }
        super().__init__("switchboard", fixed=fixed, chosen=begin)

    @checks("chosen")
    def _check_chosen(self, chosen: Mapping[str, object]) -> Mapping[str, Mapping[str, str]]:
        begin = next(iter(self._presets.values()))
        for name in begin.keys() | chosen.keys():
            known, asked = begin.get(name, {}), chosen.get(name)
            if not isinstance(asked, Mapping) or asked.keys() != known.keys():
                raise DataError(
                    "The choices of {name} are {asked}. Expected an option for each of: {known}; "
                    "the measures are {begin}.",
                    [name, shown(asked), ", ".join(known), ", ".join(begin)],
                )
            Conventions(**asked)
        return chosen

    def turn(self, **choices: str) -> None:
        """Turn switches for all measures, such as `turn(ties="worst")`."""
        Conventions(**choices)
        self.chosen = {
            name: chosen | {each: choices[each] for each in choices if each in chosen}
            for name, chosen in self.chosen.items()
        }

    def take(self, preset: str) -> None:
        """Choose all as a preset does, by its name in `PRESETS`."""
        self.chosen = self._presets[preset]

    @property
    def conventions(self) -> dict[str, Conventions]:
        """Measure -> its conventions, as `evaluate` takes them."""
        return {name: Conventions(**chosen) for name, chosen in self.chosen.items()}

    @property
    def values(self) -> dict[str, float | None]:
        """The mean of each measure; None where its conventions refuse the data, or every query."""
        means: dict[str, float | None] = {}
        for name, chosen in self.chosen.items():
            found = self._found(name, **chosen)
            counted = [] if isinstance(found, str) else [each for each in found if each is not None]
            means[name] = fmean(counted) if counted else None
        return means

    def picture(self) -> Still:
        """The means, and whose choices they are."""
        means = [
            f"{name} = "
            + (say("switchboard", "no mean") if value is None else localised(f"{value:.4f}"))
            for name, value in self.values.items()
        ]
        whose, alike = say("switchboard", "nobody"), self._alike
        if alike:
            whose = say("switchboard", "whose", tools=listed(alike))
        lines = [f"{in_row(means)}.", whose]
        return Still(lines, "experiment").lines(*lines)

    @property
    def _alike(self) -> list[str]:
        return [name for name, chosen in self._presets.items() if chosen == self.chosen]

    def _as(self, preset: str) -> dict[str, dict[str, str]]:
        """Measure -> what a preset chooses of all that concerns it."""
        return {
            name: {
                choice.name: getattr(measure.chosen_by(PRESETS[preset]), choice.name)
                for choice in CHOICES.values()
                # none is said to be low here
                if not choice.of_low_grades
                and (not choice.concerns or choice.name in measure.conventions)
            }
            for name, measure in self._measures.items()
        }

    def _found(self, name: str, **chosen: str) -> list[float | None] | str:
        """The value of each query, None where it is left out of the mean; or why there is none."""
        measure, how = [self._measures[name]], Conventions(**chosen)
        try:
            values = Evaluation(self._tables, measure, conventions=how).table().iloc[:, 0]
        except RefusedError as error:
            return spoken(error.what)
        except ValueError as error:
            return str(error).partition(". ")[0]
        return [None if isnan(value) else value for value in values]

    def _worked_out(self, name: str, concern: Iterable[str]) -> dict[str, object]:
        """What a browser picks from: values by their choices, and those of such queries."""
        of = [each for each in concern if each not in OF_QUERIES]
        values = {
            " ".join(options): self._found(name, **dict(zip(of, options, strict=True)))
            for options in product(*(CHOICES[each].options for each in of))
        }
        of_some = {option: self._of_some(name, option) for option in CHOICES["unjudged"].options}
        return {"name": name, "of": of, "values": values, "of_some": of_some}

    def _of_some(self, name: str, unjudged: str) -> dict[str, dict[str, list | str]]:
        found = partial(self._found, name, unjudged=unjudged)
        return {n: {each: found(**{n: each}) for each in CHOICES[n].options} for n in OF_QUERIES}

    def _wanted(self, name: str, printed: str) -> list[object]:
        """A goal: the measure, its mean as it was printed, and how far the rounding may be off."""
        if name not in self._measures or not printed.replace(".", "", 1).isdecimal():
            known = ", ".join(self._measures)
            raise DataError(
                "The goal {name} = {printed} cannot be reached here. Expected decimals for one of "
                "the measures {known}, such as goal={{{first!r}: '0.42'}}.",
                [name, printed, known, next(iter(self._measures))],
            )
        return [name, printed, 0.5 * 10.0 ** -len(printed.partition(".")[2])]

    @property
    def _line(self) -> str:
        said = [
            f"{name} {'refused' if value is None else f'= {value:.4f}'}"
            for name, value in self.values.items()
        ]
        return f"{', '.join(said)} as {', '.join(self._alike) or 'no preset'}"
