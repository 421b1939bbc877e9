"""What the templates of a report ask: what stands where, and what is said together."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

import numpy as np
import pandas as pd

from byhand.metrics.conventions import CHOICES
from byhand.metrics.names import measure_named, measures_named
from byhand.metrics.presets import FLOAT32
from byhand.reports.forest import Curve, Scale, scale_of, spread
from byhand.reports.lists import Lists
from byhand.reports.results import HIGHER, Results, decided, turned
from byhand.statistics import CONFIDENCE, Verdict, queries_needed, smallest_difference
from byhand.statistics.intervals import CAUTIONS
from byhand.words import listed, localised, said_by

_WIDE = 0.05  # how much of a mean may hang on unjudged items before they have a table
_LOOKED_AT = 3  # queries named at the top
_OVERTURNS = 4  # rows of the comparison whose other outcomes stand there, too
_NARROW, _NARROW_PART = 0.005, 0.05  # an interval, and its part of a mean, that is small anyway


class Asked:
    """What the templates ask of a report, which has these numbers and lists, and says words."""

    results: Results
    lists: Lists
    _said: Callable[..., str]

    @property
    def base(self) -> str:
        """The system from which the first screen takes its differences."""
        systems = self.results.systems
        return systems[1] if len(systems) == 2 else self.results.subject

    @property
    def scale(self) -> Scale:
        """The scale of the first figure: of differences from the base, or of means if none."""
        results, base = self.results, self.base
        rows = [results.seen(m, name, base) for m in results.measures for name in results.systems]
        seen = list(filter(None, rows))
        return self.scale_of(seen) if seen else scale_of(records_of(results.means))

    def scale_of(self, rows: Iterable[Mapping[str, object]]) -> Scale:
        """The scale of some differences."""
        return scale_of(rows, self.results.matters)

    def narrow(self, row: Mapping[str, object]) -> bool:
        """Whether a difference that may be none is at any rate a small one."""
        most, matters = max(abs(row["low"]), abs(row["high"])), self.results.matters
        if row["verdict"] != Verdict.CANNOT_TELL or row["caution"] or not most > 0:
            return False
        means = self.results.means[self.results.means["measure"] == row["measure"]]["mean"]
        return most < (min(_NARROW, _NARROW_PART * means.max()) if matters is None else matters)

    def _alike(
        self, rows: Iterable[Mapping[str, object]], *, narrow: bool = False
    ) -> list[dict[str, object]]:
        """Rows that say the same together: the verdict, by these judgements, with a caution.

        If need be also by how much they differ at `most`, where that is not much.
        """
        found: dict[tuple[object, ...], list[Mapping[str, object]]] = {}
        for row in rows:
            verdict = Verdict(row["verdict"])
            verdict = Verdict.CANNOT_TELL if verdict is Verdict.TOO_FEW else verdict
            higher = verdict in HIGHER
            judged = higher and self.results.judged_apart(row["a"], row["b"])
            kind = verdict, judged, higher and bool(row["caution"]), narrow and self.narrow(row)
            found.setdefault(kind, []).append(row)
        parts = []
        for (verdict, judged, caution, small), alike in found.items():
            most = max(abs(row[end]) for row in alike for end in ("low", "high")) if small else 0
            part = {"verdict": verdict, "judged": judged, "caution": caution, "most": most}
            parts.append(part | {"rows": alike})
        return parts

    @property
    def by_verdict(self) -> list[dict[str, object]]:
        """What two systems are to each other, the measures alike together."""
        return self._alike(records_of(self.results.comparison), narrow=True)

    def against_others(self, measure: str) -> list[dict[str, object]]:
        """What the subject of the first screen is to the others, those alike together."""
        seen, of = self.results.seen, self.results.subject
        rows = (seen(measure, of, other) for other in self.results.systems)
        return self._alike(row for row in rows if row is not None)

    @cached_property
    def overturns(self) -> list[dict[str, object]]:
        """Differences under every other choice: the first one, and those whose verdict turns."""
        results, found = self.results, []
        if results.comparison is None:
            return found
        choices = {name: records_of(each.comparison) for name, each in results.by_choice.items()}
        for place, row in enumerate(records_of(results.comparison)):
            others = [
                (name, rows[place])
                for name, rows in choices.items()
                if rows  # else no query is left
                and name != f"ties {results.chosen(row['measure']).ties}"
                and not pd.isna(rows[place]["difference"])
            ]
            verdict = decided(row["verdict"])
            turns = [each for each in others if decided(each[1]["verdict"]) != verdict]
            first = place == 0 and len(results.pairs) == 1
            if first:
                mean = "ties expected"
                others = [each for each in others if each[0] != mean or each in turns]
            if (shown := others if first else turns) and len(found) < _OVERTURNS:
                shown = [("used", row), *shown]
                if row["a"] == self.base:  # as in the figure above
                    shown = [(name, turned(each)) for name, each in shown]
                found.append({"turns": bool(turns), "rows": shown})
        return found

    @property
    def places(self) -> list[dict[str, object]]:
        """Where to look first: groups that lost, queries that moved most, the worst, the rest."""
        results, found = self.results, []
        if results.groups is not None and results.comparison is not None:
            table = results.groups.comparison
            lower = table["verdict"].eq(Verdict.B_HIGHER) & table["a"].eq(results.systems[0])
            found += [{"kind": "group", "row": row} for row in records_of(table[lower])]
        for pair, ((_, old), difference) in enumerate(self.lists.moved.items()):
            anchors = {query: f"moved-{pair}-{n}" for n, query in enumerate(difference.index)}
            for kind, some in (("lost", difference < 0), ("gained", difference > 0)):
                links = [(query, anchors[query]) for query in difference.index[some][:_LOOKED_AT]]
                few = kind == "lost" or len(self.lists.moved) == 1
                found += [{"kind": kind, "old": old, "links": links}] if links and few else []
        ends = enumerate(self.lists.ends[0][:_LOOKED_AT])
        worst = [(query, f"worst-{n}") for n, query in ends]
        if not self.lists.moved and worst:
            found.append({"kind": "worst", "links": worst})
        gone = results.missing[results.systems[0]][:_LOOKED_AT]
        if len(gone):
            found.append({"kind": "missing", "links": [(query, "not-answered") for query in gone]})
        return found

    @property
    def distributions(self) -> list[tuple[str, float, list[Curve]]]:
        """For each measure the highest value, and how the values of each system are spread."""
        found, results = [], self.results
        for measure in results.measures:
            columns = {name: table[measure].dropna() for name, table in results.tables.items()}
            if all(map(len, columns.values())):
                top = max(1.0, *(column.max() for column in columns.values()))
                curves = [
                    Curve(name, spread(column, top), round(100 * column.mean() / top, 1))
                    for name, column in columns.items()
                ]
                found.append((measure, top, curves))
        return found

    @property
    def facts(self) -> list[tuple[str, str, list[str]]]:
        """What was counted in the data: its name, what it means, and its value for each system."""
        found: dict[str, tuple[str, dict[str, str]]] = {}
        systems = self.results.data.checked
        for system, checked in systems.items():
            for name, value, meaning in checked.facts:
                found.setdefault(name, (meaning, {}))[1][system] = value
        return [
            (name, meaning, [values.get(system, "–") for system in systems])
            for name, (meaning, values) in found.items()
        ]

    @property
    def notes(self) -> dict[str, list[str]]:
        """What the data say that changes how numbers read, and of which systems."""
        found: dict[str, list[str]] = {}
        for system, checked in self.results.data.checked.items():
            for note in checked.notes:
                found.setdefault(note, []).append(system)
        return found

    def cautions(
        self, rows: Iterable[Mapping[str, object]], macro: str, name: str = "caution"
    ) -> dict[str, str]:
        """What rows are about, as a macro says it -> why its interval may be too narrow."""
        return {self._said(macro, row): said_by(row[name], CAUTIONS) for row in rows if row[name]}

    @property
    def low_grades_lost(self) -> bool:
        """Whether a measure would gain from grades that are not relevant here, as tools let it."""
        lowest = self.results.data.relevant_from
        used = np.concatenate([each.counts.grades for each in self.results.data.checked.values()])
        if lowest is None or not ((used > 0) & (used < lowest)).any():
            return False
        return any(
            "low_grades" in measure_named(name).conventions
            and self.results.chosen(name).low_grades == "nothing"
            and self.results.chosen(name).gain != "binary"
            for name in self.results.measures
        )

    @property
    def exception(self) -> str:
        """What the tool of the preset does otherwise, as far as it can show in these data."""
        counts = [checked.counts for checked in self.results.data.checked.values()]
        rounded = any(count.tied_as_float32 > count.tied for count in counts)
        preset = self.results.preset
        # without scores that become one when they are rounded, the first changes nothing
        return "" if preset.except_that == (FLOAT32,) and not rounded else preset.exception

    def could_show(self, row: Mapping[str, object]) -> float:
        """How small a true difference so many queries show in four of five samples.

        If somebody said what matters, how many queries show that.
        """
        results = self.results
        spread = results.differences(row["measure"], row["a"], row["b"]).std()
        # at or below which p counts in the first step of Holm's procedure
        alpha = (1 - CONFIDENCE) / results.family
        if results.matters is None:
            return smallest_difference(spread, row["queries"], alpha=alpha)
        return queries_needed(spread, results.matters, alpha=alpha)

    @property
    def wide(self) -> list[tuple[str, str, float, float]]:
        """The means that hang on unjudged items, if none and if all of these are relevant."""
        found = []
        for name in self.results.unjudged:
            means = self.results.unjudged_means
            ends = {system: (*each[name].values(),) for system, each in means.items()}
            if any(round(abs(high - low), 9) > _WIDE for low, high in ends.values()):
                found += [(name, system, *pair) for system, pair in ends.items()]
        return found

    @property
    def counts(self) -> list[tuple[str, str, dict[str, int]]]:
        """For each system over how many queries its means are, and what was counted."""
        found = []
        for name, table in self.results.tables.items():
            averaged = table[self.results.measures].count()
            over = localised(f"{averaged.iloc[0]:,}")
            if averaged.nunique() > 1:  # measures may differ in what they call relevant
                over = listed([localised(f"{n:,}") + f" ({name})" for name, n in averaged.items()])
            found.append((name, over, table.attrs))
        return found

    @property
    def choices(self) -> list[dict[str, object]]:
        """Every choice that concerns the measures, and which of them if they differ in it."""
        measures, lowest = measures_named(self.results.measures), self.results.data.relevant_from
        found = []
        for name, choice in CHOICES.items():
            if choice.of_low_grades and lowest is None:
                continue
            of: dict[str, list[str]] = {}
            for measure, kind in measures.items():
                if name in kind.conventions or not choice.concerns:
                    option = getattr(self.results.chosen(str(measure)), name)
                    of.setdefault(option, []).append(str(measure))
            found += [
                {"measures": which if len(of) > 1 else [], "clause": choice.clause(option, lowest)}
                for option, which in of.items()
            ]
        return found


def records_of(table: pd.DataFrame | None) -> list[dict[str, object]]:
    """The rows of a table; none of None."""
    return [] if table is None else table.to_dict("records")
