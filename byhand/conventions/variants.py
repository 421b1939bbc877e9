"""Enumeration of variants of conventions: departures and their combinations."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from byhand.conventions.departures import (
    MISTAKES,
    Departure,
    Variant,
    conventions_otherwise,
    cutoffs_otherwise,
    measures_otherwise,
)
from byhand.conventions.recomputer import Recomputer
from byhand.metrics.conventions import CHOICES, OF_QUERIES
from byhand.words import N_, Message


def every_variant(recomputer: Recomputer, departures: int) -> Iterator[Variant]:
    """Yield every combination of up to `departures` departures on different topics."""
    about = {each: _about(recomputer, each) for each in every_departure(recomputer)}
    for n in range(departures + 1):
        for chosen in combinations(about, n):
            of, mean = {each.of for each in chosen}, Variant(chosen).setting("mean")
            if (mean and of.intersection(OF_QUERIES)) or (mean == "micro" and "rounding" in of):
                continue
            settled = [about[each] for each in chosen]
            if len(set().union(*settled)) == sum(map(len, settled)):
                yield Variant(chosen)


def every_departure(recomputer: Recomputer) -> list[Departure]:
    """Return all departures, with intended options of tools before mistakes."""
    measures = recomputer.measures.values()
    low_grades = recomputer.tables.relevant_from is not None
    single = [*conventions_otherwise(recomputer.preset.choices, low_grades=low_grades)]
    departures = [*single, *_several_choices(recomputer, single)]
    for k in dict.fromkeys(measure.k for measure in measures):
        departures += cutoffs_otherwise(k)
    if len(measures) == 1:
        departures += measures_otherwise(*measures)
    departures += [each for each in MISTAKES if recomputer.ranked(each.rows) is not None]
    return [each for each in departures if any(map(each.applied_to, measures))]


def _several_choices(recomputer: Recomputer, single: list[Departure]) -> Iterator[Departure]:
    """Yield the presets that differ by more than one departure, grouped if equal."""
    seen = [
        {
            name: recomputer.settled(name, recomputer.chosen(each, name)[1])
            for name in recomputer.measures
        }
        for each in [Variant(()), *(Variant((departure,)) for departure in single)]
    ]
    for tool, chosen in recomputer.presets.items():
        if chosen not in seen:
            seen.append(chosen)
            presets = recomputer.presets.items()
            tools = [each for each, theirs in presets if theirs == chosen]
            says = Message(N_("as {tool} computes it"), tool=tool)
            if len(tools) > 1:
                says = Message(N_("as {tools} compute it"), tools=names_together(tools))
            yield Departure(of="preset", says=says, preset=tool)


def names_together(names: Sequence[str]) -> str:
    """Join names with commas and an "and" that is translated when it is shown."""
    *first, last = names
    return Message(N_("{names} and {last}"), names=", ".join(first), last=last) if first else last


def _about(recomputer: Recomputer, departure: Departure) -> set[str]:
    """Return the topics of a departure; for a preset, all choices that it changes."""
    of = {departure.of}
    for name, theirs in recomputer.presets.get(departure.preset, {}).items():
        ours = recomputer.measures[name].chosen_by(recomputer.preset)
        of |= {each for each in CHOICES if getattr(ours, each) != getattr(theirs, each)}
    return of
