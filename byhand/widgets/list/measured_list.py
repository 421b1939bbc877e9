"""The measures of a list, in Python and as data for the browser."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import pandas as pd

from byhand.errors import DataError
from byhand.metrics.conventions import CHOICES, Conventions
from byhand.metrics.measure_names import measures_named
from byhand.metrics.measures import Measure
from byhand.metrics.measures.measure import cutoff
from byhand.metrics.presets import Preset, preset_named
from byhand.metrics.steps import Shares, explain, shares_of
from byhand.widgets.list.ranking import Ranked, Ranking
from byhand.widgets.phrases import english, say
from byhand.widgets.still import Lane, ListPicture
from byhand.words import spoken

Shows = Literal["bars", "number", "curve", "area", "discount", "ideal"]
_DEFAULTS = {
    "bars": ("RR", "AP", "nDCG"),
    "number": ("RR",),
    "curve": ("RR",),
    "area": ("AP",),
    "discount": ("DCG",),
    "ideal": ("nDCG",),
}


def _shown(shows: str, measures: Iterable[object] | None, *, trace: bool) -> dict[str, Measure]:
    """Return the requested measures, or those of the picture; raise ValueError on a mismatch."""
    if shows not in _DEFAULTS:
        known = ", ".join(map(repr, _DEFAULTS))
        raise ValueError(f"shows is {shows!r}. Expected one of {known}.")
    found = measures_named(_DEFAULTS[shows] if measures is None else measures)
    kinds = [measure.name for measure in found.values()]
    drawn = "one measure" if shows == "number" else _DEFAULTS[shows][0]
    if shows != "bars" and (len(kinds) != 1 or drawn not in ("one measure", *kinds)):
        raise ValueError(
            f"shows={shows!r} draws {drawn}, not {', '.join(kinds)}. "
            "Remove measures, or remove shows."
        )
    if trace and shows != "number":
        raise ValueError(
            f"trace=True works only with shows='number', but shows is {shows!r}. Pass "
            "shows='number', or remove trace."
        )
    return found


class MeasuredList:
    """The measures of a list, with the options and errors of `Explorer`."""

    def __init__(
        self,
        ranks: Ranked,
        measures: Iterable[object] | None = None,
        *,
        k: int | None = None,
        conventions: str | Conventions | Sequence[str] = "trec_eval -c",
        shows: Shows = "bars",
        trace: bool = False,
        relevant_from: int | None = None,
    ) -> None:
        self._ranks, self.k, self.relevant_from = ranks, cutoff(k), relevant_from
        self._shown = {"shows": shows, "trace": trace}
        self.measures, several = _shown(shows, measures, trace=trace), ()
        if not isinstance(conventions, str | Conventions):
            several = tuple(conventions)
            if not several:
                raise ValueError("conventions is empty. Pass the name of a preset, or of several.")
            conventions = several[0]
        beside = shows == "bars" and len(self.measures) == 1
        self._tools, self.choices = (several, ()) if beside else ((), several)
        self.conventions = conventions  # used unless tools are compared
        if self._tools:
            self.measures = dict.fromkeys(self._tools, next(iter(self.measures.values())))
        for measure in self.measures.values():
            measure.check_grade(ranks.max_grade)
        asked = [preset_named(each) for each in several or [conventions]]
        if any(each.choices.unjudged == "removed" for each in asked):
            raise DataError(
                "The conventions have unjudged='removed', but a list to drag keeps all its "
                "items. Remove the unjudged items from the list, and pass "
                "unjudged='not_relevant'."
            )

    @property
    def names(self) -> list[str]:
        """The measures with their cutoffs, or the tools; a single number has no name yet."""
        if self._tools:
            return [*self._tools]
        if self._shown["shows"] == "number":
            return [say("number", "name")]
        return [str(measure.with_cutoff(self.k)) for measure in self.measures.values()]

    @property
    def values(self) -> dict[str, float]:
        """Mapping measure as requested -> current value."""
        return {name: shares.value for name, shares in self._shares(self.measures).items()}

    def value_of(self, ranked: Sequence[Hashable], grades: Mapping[Hashable, float]) -> float:
        """Compute the first measure of another list."""
        name, measure = next(iter(self.measures.items()))
        by = {"k": self.k, "preset": self._preset(name)}
        return shares_of({name: self._counted(measure)}, ranked, grades, **by)[name].value

    @property
    def line(self) -> str:
        """The values in one line."""
        named = zip(self.names, self.values.values(), strict=True)
        return ", ".join(f"{name}={value:.3f}" for name, value in named)

    @property
    def steps(self) -> pd.DataFrame:
        """The step table of the current list."""
        ranks, by = self._ranks, {"k": self.k}
        if not self._tools:
            measures = map(self._counted, self.measures.values())
            by |= {"measures": measures, "conventions": self.conventions}
            return explain(ranks.unfolded, self._judged, **by)
        tables = [
            explain(ranks.unfolded, self._judged, measures=[measure], conventions=tool, **by)
            for tool, measure in self.measures.items()
        ]
        return pd.concat(tables, axis="columns", keys=self._tools)

    @property
    def specs(self) -> list[dict[str, object]]:
        """The browser's data for each measure."""
        return self._specs(self.conventions)

    def _specs(self, conventions: str | Conventions) -> list[dict[str, object]]:
        return [
            _spec(name, each, preset_named(name if self._tools else conventions))
            | ({"by": name} if self._tools else {})
            for name, each in self.measures.items()
        ]

    @property
    def answers(self) -> dict[str, object]:
        """The list and Python's values, for measures that browsers cannot compute."""
        asked = {name: each for name, each in self.measures.items() if not in_browser(each)}
        lanes = {
            name: {"value": value, "shares": list(ranks), "most": most}
            for name, (value, ranks, most) in self._shares(asked).items()
        }
        cut = {"k": self.k, "from": self.relevant_from, "by": self.chosen}
        return {**self._ranks.state(), **cut, "lanes": lanes} if asked else {}

    def rows(self, caption: str = "", *, shows: str | None = None) -> ListPicture:
        """Return the current list for drawing, by default with the picture of `Explorer`."""
        found = zip(self.names, self._shares(self.measures).values(), strict=True)
        lanes = [Lane(name, *shares, tool=bool(self._tools)) for name, shares in found]
        shows = self._shown["shows"] if shows is None else shows
        ideal = self._ideal if shows == "ideal" else {}
        known = {"least": self.relevant_from or 1, "scale": self._scale}
        return ListPicture(self._ranks, caption, lanes, shows, self.k, ideal, **known)

    @property
    def _scale(self) -> str:
        """The label of the bars."""
        if self._tools:
            measure = next(iter(self.measures.values())).with_cutoff(self.k)
            return say("panel", "scale of tools", measure=str(measure))
        return say("panel", "what each rank adds" if len(self.measures) < 2 else "shared scale")

    @property
    def _ideal(self) -> dict[Hashable, float]:
        """The items of the ideal list, best first, with their contributions."""
        (name, measure), relevant = next(iter(self.measures.items())), self._ranks.relevant
        best, by = sorted(relevant, key=lambda item: -relevant[item]), self._preset(name)
        if measure.chosen_by(by).ideal == "retrieved":
            best = [item for item in best if item in self._ranks.order]
        found = shares_of({name: measure}, best, self._judged, k=self.k, preset=by)[name]
        return dict(zip(best, found.ranks, strict=True))

    @property
    def fixed(self) -> dict[str, object]:
        """The constant data of an Explorer's view, except its list."""
        n_ranks = sum(self._ranks.spans.get(item, 1) for item in self._ranks.catalogue)
        cuts = {"start_k": self.k, "most_k": max(self.k or 1, n_ranks)}
        choices = [
            {"name": name, "says": self._says(name), "measures": self._specs(name)}
            for name in self.choices
        ]
        fixed = {"measures": self.specs, **cuts, "start_from": self.relevant_from, **self._shown}
        return fixed | ({"choices": choices} if choices else {})

    @property
    def chosen(self) -> str | None:
        """The current conventions; None if the reader cannot choose them."""
        return self.conventions if self.choices else None

    def _preset(self, name: str) -> Preset:
        return preset_named(name if self._tools else self.conventions)

    def _says(self, conventions: str) -> str:
        """Return the options of a preset that affect these measures."""
        preset = preset_named(conventions)
        options = {
            choice.name: getattr(measure.chosen_by(preset), choice.name)
            for measure in self.measures.values()
            for choice in CHOICES.values()
            if choice.concerns and choice.brief and choice.name in measure.conventions
        }
        known = ((CHOICES[name], option) for name, option in options.items())
        return " · ".join(f"{spoken(c.label)}: {spoken(c.brief[option])}" for c, option in known)

    def _shares(self, measures: Mapping[str, Measure]) -> dict[str, Shares]:
        list_, k = (self._ranks.unfolded, self._judged), self.k
        return {
            name: shares_of({name: self._counted(each)}, *list_, k=k, preset=self._preset(name))[
                name
            ]
            for name, each in measures.items()
        }

    def _counted(self, measure: Measure) -> Measure:
        """Set the lowest relevant grade of a binary measure without its own."""
        return replace(measure, rel=self.relevant_from) if counts_hits(measure) else measure

    @property
    def _judged(self) -> dict[Hashable, int]:
        """The graded items, without rows of several items."""
        grades, spans = self._ranks.grades, self._ranks.spans
        return {i: grade for i, grade in grades.items() if grade is not None and i not in spans}


def explorer_state(ranks: Ranking, **shown: object) -> dict[str, object]:
    """Return the state of an `Explorer` for a page, without the packages for notebooks.

    Args:
        ranks: the list.
        shown: arguments of `Explorer`, such as `measures`, `k` and `shows`.
    """
    measured = MeasuredList(ranks, **shown)
    fixed = {**measured.fixed, "ranks": ranks.page_state()}
    cuts = {"k": measured.k, "relevant_from": measured.relevant_from}
    cuts["conventions"] = measured.chosen
    return {"view": "explorer", "fixed": fixed, **cuts, "answers": measured.answers}


def counts_hits(measure: Measure) -> bool:
    """Return whether a measure is binary and has no lowest relevant grade of its own."""
    return measure.rel is None and "rel" in measure.options()


def in_browser(measure: Measure) -> bool:
    """Return whether the browser has the formula of a measure (and so its words)."""
    return measure.name in english()["adds"]


def _spec(name: str, measure: Measure, preset: Preset) -> dict[str, object]:
    chosen = measure.as_named(measure.chosen_by(preset))
    return {
        "asked": name,
        "stem": str(replace(measure, k=None)),
        "kind": measure.name if in_browser(measure) else "",
        "k": measure.k,
        **({"rel": measure.rel} if "rel" in measure.options() else {}),
        **{on: measure.basis(working, chosen) for working, on in measure.workings.items() if on},
        "workings": dict(measure.workings) if in_browser(measure) else {},
        **{name: getattr(chosen, name) for name, choice in CHOICES.items() if choice.concerns},
    }
