"""What the templates of a report ask: what stands where, and what is said together."""

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np
import pandas as pd

from byhand.metrics.conventions import CHOICES
from byhand.metrics.names import measure_named, measures_named
from byhand.metrics.presets import FLOAT32
from byhand.reports.alternatives import HIGHER, Alternative, Alternatives, decided
from byhand.reports.forest import Curve, Scale, over_cutoffs, scale_of, spread
from byhand.reports.lists import Lists
from byhand.reports.results import Results, turned
from byhand.statistics import (
    CONFIDENCE,
    Verdict,
    queries_needed,
    smallest_difference,
)
from byhand.statistics.intervals import CAUTIONS
from byhand.words import listed, localised, said_by

_WIDE = 0.05  # how much of a mean may hang on unjudged items before they have a table
_LOOKED_AT = 3  # queries named at the top
_OVERTURNS = 4  # rows of the comparison whose other outcomes stand there, too
_NARROW, _NARROW_PART = 0.005, 0.05  # an interval, and its part of a mean, that is small anyway


class Asked:
    """What the templates ask of a report, which has these numbers and lists, and says words.

    Attributes:
        results: the numbers.
        otherwise: the same under other choices.
        lists: the lists of single queries.
    """

    results: Results
    otherwise: Alternatives
    lists: Lists
    named: Callable[[Mapping[str, object]], str]
    _said: Callable[..., str]

    @property
    def texts(self) -> list[tuple[str, str, str, int]]:
        """The files of texts: of what, the first, its format, how many more."""
        found = []
        for kind, files in self.results.data.texts.items():
            tables = [table for each in files for table in each.tables]
            if tables:
                first = tables[0]
                found.append((kind, first.file.path.name, first.kind, len(tables) - 1))
        return found

    @property
    def base(self) -> str:
        """The system from which the first screen takes its differences."""
        systems = self.results.systems
        return systems[1] if len(systems) == 2 else self.results.subject

    @cached_property
    def seen(self) -> list[dict[str, object]]:
        """The differences of the first screen, each in the row of the system it is about."""
        results = self.results
        names = [name for name in results.systems if name != self.base]
        rows = (results.seen(m, name, self.base) for m in results.measures for name in names)
        return [row for row in rows if row is not None]

    @property
    def scale(self) -> Scale:
        """The scale of the first figure: of differences, or of the means of one system."""
        matters = self.results.matters if self.seen else None
        return scale_of(self.seen or records_of(self.results.means), matters)

    @property
    def best(self) -> dict[str, list[str]]:
        """The systems with the highest mean in each measure, if there are several systems."""
        means = self.results.means[["measure", "system", "mean"]]
        top = means.groupby("measure")["mean"].transform("max")
        of = means[np.isclose(means["mean"], top, rtol=0, atol=1e-12)]
        several = len(self.results.systems) > 1
        return {
            name: of.loc[of["measure"] == name, "system"].tolist() if several else []
            for name in self.results.measures
        }

    def narrow(self, row: Mapping[str, object]) -> bool:
        """Whether a difference that may be none is at any rate a small one."""
        most, matters = max(abs(row["low"]), abs(row["high"])), self.results.matters
        if row["verdict"] != Verdict.CANNOT_TELL or row["caution"] or not most > 0:
            return False
        means = self.results.means[self.results.means["measure"] == row["measure"]]["mean"]
        return most < (min(_NARROW, _NARROW_PART * means.max()) if matters is None else matters)

    def _kind(self, row: Mapping[str, object]) -> tuple[Verdict, bool, bool]:
        """The verdict of a row, and whether it is one by these judgements, or with a caution."""
        verdict = Verdict(row["verdict"])
        verdict = Verdict.CANNOT_TELL if verdict is Verdict.TOO_FEW else verdict
        higher = verdict in HIGHER
        judged = higher and self.results.judged_apart(row["a"], row["b"])
        return verdict, judged, higher and bool(row["caution"])

    @property
    def by_verdict(self) -> list[dict[str, object]]:
        """What two systems are to each other, the measures alike together."""
        found: dict[tuple[object, ...], list[dict[str, object]]] = {}
        for row in records_of(self.results.comparison):
            found.setdefault((*self._kind(row), self.narrow(row)), []).append(row)
        return [
            {
                "verdict": verdict,
                "judged": judged,
                "caution": caution,
                "first": place == 0,
                "names": [row["measure"] for row in rows],
                "most": max(abs(row[end]) for row in rows for end in ("low", "high"))
                if narrow
                else 0,
            }
            for place, ((verdict, judged, caution, narrow), rows) in enumerate(found.items())
        ]

    def against_others(self, measure: str) -> list[dict[str, object]]:
        """What the subject of the first screen is to the others, those alike together."""
        results, found = self.results, {}
        for other in results.systems:
            row = results.seen(measure, results.subject, other)
            if row is not None:
                found.setdefault(self._kind(row), []).append(other)
        names = ("verdict", "judged", "caution", "others")
        return [dict(zip(names, (*key, others), strict=True)) for key, others in found.items()]

    @cached_property
    def overturns(self) -> list[dict[str, object]]:
        """Differences under every other choice: the first one, and those whose verdict turns."""
        results, found = self.results, []
        if results.comparison is None:
            return found
        choices = {
            name: records_of(each.comparison) for name, each in self.otherwise.by_choice.items()
        }
        for place, row in enumerate(records_of(results.comparison)):
            others = [
                (name, rows[place])
                for name, rows in choices.items()
                if name != f"ties {results.chosen(row['measure']).ties}"
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
    def scale_of_overturns(self) -> Scale:
        """The scale that they share."""
        rows = [row for each in self.overturns for _, row in each["rows"]]
        return scale_of(rows, self.results.matters)

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
    def means_by_height(self) -> list[dict[str, object]]:
        """The means of the first measure, the highest first."""
        means = self.results.means
        means = means[means["measure"] == self.results.measures[0]]
        return records_of(means.sort_values("mean", ascending=False, kind="stable"))

    @cached_property
    def above(self) -> dict[str, list[dict[str, object]]]:
        """Which system is higher in the first measure than which others."""
        found: dict[str, list[dict[str, object]]] = {}
        for row in records_of(self.results.comparison):
            if row["measure"] == self.results.measures[0] and row["verdict"] in HIGHER:
                higher, lower = row["a"], row["b"]
                if row["verdict"] == Verdict.B_HIGHER:
                    higher, lower = lower, higher
                judged = self.results.judged_apart(higher, lower)
                each = {"system": lower, "judged": judged, "caution": bool(row["caution"])}
                found.setdefault(higher, []).append(each)
        return found

    @property
    def scale_of_groups(self) -> Scale:
        """The scale of the differences within groups."""
        return scale_of(records_of(self.results.groups.comparison), self.results.matters)

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
    def over_cutoffs(self) -> tuple[list[Curve], list, list]:
        """The mean of the first measure over its cutoff, as curves."""
        return over_cutoffs(self.results.cutoffs)

    @property
    def means_at_cutoffs(self) -> list[tuple[str, list[float]]]:
        """The same as numbers: for each cutoff the mean of every system."""
        tables = self.results.cutoffs.values()
        names = next(iter(tables)).columns
        return [(name.rpartition("@")[2], [each[name].mean() for each in tables]) for name in names]

    @property
    def facts(self) -> list[tuple[str, str, list[str]]]:
        """What was counted in the data: its name, what it means, and its value for each system."""
        found: dict[str, tuple[str, dict[str, str]]] = {}
        for system, checked in self.results.data.checked.items():
            for name, value, meaning in checked.facts:
                found.setdefault(name, (meaning, {}))[1][system] = value
        systems = self.results.data.checked
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

    @property
    def cautions_of_means(self) -> dict[str, str]:
        """Mean -> why its interval may be too narrow."""
        rows = records_of(self.results.means)
        return {self._said("mean_of", row): caution(row) for row in rows if row["caution"]}

    @property
    def cautions_of_lifts(self) -> dict[str, str]:
        """Mean -> why the interval of its lift may be too narrow, where its own is not."""
        rows = [row for row in records_of(self.results.means) if not row["caution"]]
        return {
            self._said("lift_of", row): caution(row, "lift_caution")
            for row in rows
            if row["lift_caution"]
        }

    @property
    def cautions_of_rows(self) -> dict[str, str]:
        """Row of the comparison -> the same."""
        rows = records_of(self.results.comparison)
        return {self.named(row): caution(row) for row in rows if row["caution"]}

    @property
    def cautions_of_summary(self) -> dict[str, str]:
        """What the first paragraph says -> the same."""
        results = self.results
        said = {self._said("the_mean"): caution(results.means.iloc[0])}
        for row in records_of(results.comparison)[: len(results.pairs)]:
            said[self._said("difference_of", row)] = caution(row)
        return {what: text for what, text in said.items() if text}

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

    def least_shown(self, row: Mapping[str, object]) -> float:
        """How small a true difference so many queries show in four of five samples."""
        return smallest_difference(self._spread(row), row["queries"], alpha=self._alpha)

    def needed(self, row: Mapping[str, object]) -> int:
        """How many queries show the difference that matters in four of five samples."""
        return queries_needed(self._spread(row), self.results.matters, alpha=self._alpha)

    def _spread(self, row: Mapping[str, object]) -> float:
        return self.results.differences(row["measure"], row["a"], row["b"]).std()

    @property
    def _alpha(self) -> float:
        """At or below which p counts in the first step of Holm's procedure."""
        return (1 - CONFIDENCE) / self.results.family

    @property
    def wide(self) -> list[tuple[str, str, float, float]]:
        """The means that hang on unjudged items, if none and if all of these are relevant."""
        found = []
        for name in self.otherwise.unjudged:
            ends = {
                system: [table[f"{name} {kind}"].mean() for kind in ("none", "all")]
                for system, table in self.otherwise.unjudged_ranges.items()
            }
            if any(round(abs(high - low), 9) > _WIDE for low, high in ends.values()):
                found += [(name, system, *pair) for system, pair in ends.items()]
        return found

    def careful_against(self, base: str) -> bool:
        """Whether a caution concerns any comparison with this system."""
        seen = (
            self.results.seen(m, name, base)
            for m in self.results.measures
            for name in self.results.tables
        )
        return any(row and row["caution"] for row in seen)

    def changed(self, found: Alternative) -> list[dict[str, object]]:
        """The rows of the comparison whose verdict other choices change."""
        return records_of(found.comparison[found.decides_otherwise(self.results.comparison)])

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
    def intervals(self) -> set[str]:
        """Whether there are some intervals, and whether some are none."""
        tables = [self.results.means, self.results.comparison]
        none = pd.concat([table["low"] for table in tables if table is not None]).isna()
        return ({"some"} if not none.all() else set()) | ({"none"} if none.any() else set())

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


def caution(row: Mapping[str, object], name: str = "caution") -> str:
    """Why an interval of a row may be too narrow, in the language that is spoken."""
    return said_by(row[name], CAUTIONS)


def records_of(table: pd.DataFrame | None) -> list[dict[str, object]]:
    """The rows of a table; none of None."""
    return [] if table is None else table.to_dict("records")
