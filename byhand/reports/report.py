"""The report: what the templates say of `Results`, as a page, section by section, or as text."""

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike

import numpy as np
import pandas as pd
from markupsafe import Markup

from byhand.errors import both
from byhand.metrics.conventions import CHOICES, FLOAT32
from byhand.metrics.names import measure_named, measures_named
from byhand.reports import figures
from byhand.reports.lists import Lists
from byhand.reports.page import page, plain, templates
from byhand.reports.results import Alternative, Results
from byhand.reports.words import made_with
from byhand.statistics import (
    CONFIDENCE,
    MISSING_LIMIT,
    Verdict,
    queries_needed,
    smallest_difference,
    verdict_rule,
)

SUMMARY = "summary"
SECTIONS = (
    *("comparison", "groups", "moved", "worst", "best", "means", "distributions", "cutoffs"),
    *("ties", "unjudged", "data", "files", "methods"),
)
_WIDE = 0.05  # how much of a mean may hang on unjudged items before they have a table
_LOOKED_AT = 3  # queries named at the top
_HIGHER = (Verdict.A_HIGHER, Verdict.B_HIGHER)
_MARKS = dict(zip(Verdict, "▲▼??–", strict=True))


@dataclass(frozen=True)
class Section:
    """A part of a report, which a notebook shows.

    Attributes:
        html: what a page shows.
    """

    html: str

    @property
    def text(self) -> str:
        """The same in plain words."""
        return plain(self.html)

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        # keeps a notebook from reading "$x$" in a name as a formula
        return f'<div class="tex2jax_ignore mathjax_ignore">{self.html}</div>'


class Report:
    """What there is to say of results: whole, or section by section.

    Args:
        results: the numbers.
        language: of the words.

    Attributes:
        results: the numbers.
        lists: the lists of single queries.
    """

    def __init__(self, results: Results, language: str = "en") -> None:
        self.results, self.language, self.lists = results, language, Lists(results)
        environment = templates(language)
        names = {
            "report": self,
            "r": results,
            "lists": self.lists,
            "rows": _records(results.comparison),
            "group_rows": _records(results.groups.comparison) if results.groups else [],
            "means_of": _records(results.means),
            "several": len(results.pairs) > 1,
            "several_systems": len(results.systems) > 1,
            "made_with": made_with(),
            "rule": verdict_rule(alpha=1 - CONFIDENCE),
            "V": Verdict,
            "HIGHER": _HIGHER,
            "MARKS": _MARKS,
            "LIMIT": MISSING_LIMIT,
        }
        self._parts = environment.get_template("sections.html.j2").make_module(names)

    @property
    def title(self) -> str:
        """Which systems the report is about, and which of them it is against."""
        return self._said("title")

    def html(self, done: Callable[[int, int], None] = lambda *_: None) -> str:
        """The whole page.

        Args:
            done: called after each section with how many are done, and of how many.
        """
        shown, total = {}, len(SECTIONS) + 1
        for place, name in enumerate((SUMMARY, *SECTIONS), 1):
            shown[name] = self.section(name).html
            done(place, total)
        today = datetime.date.today()
        summary = shown.pop(SUMMARY)
        body = [f"<section>\n{html}\n</section>" for html in shown.values() if html]
        return page(
            title=self.title,
            head=f"<h1>{self._parts.title()}</h1>\n<p>{today.day} {today:%B %Y}</p>\n{summary}",
            body="\n".join(body),
            foot=self._parts.foot(),
            language=self.language,
        )

    def section(self, name: str) -> Section:
        """One section of the page: `"summary"`, or one of `SECTIONS`; empty if nothing is there.

        Raises:
            ValueError: another name.
        """
        if name not in (SUMMARY, *SECTIONS):
            known = ", ".join((SUMMARY, *SECTIONS))
            raise ValueError(f"{name!r} is no section of a report. Choose from {known}.")
        return Section(str(self._parts.SECTIONS[name]()).strip())

    def text(self, name: str | None = None) -> str:
        """What a section says in plain words; without a name, all of the report."""
        if name is not None:
            return self.section(name).text
        texts = (self.section(each).text for each in (SUMMARY, *SECTIONS))
        return "\n\n".join([self.title, *filter(None, texts)])

    def sentences(self, name: str) -> list[str]:
        """The sentences of a paragraph: `"summary"` or `"methods"`."""
        macro = {SUMMARY: "sentences", "methods": "method_sentences"}[name]
        lines = (Markup(line).striptags() for line in self._parts.PHRASES[macro]().splitlines())
        return list(filter(None, lines))

    def phrase(self, name: str) -> str:
        """Part of a sentence in plain words: `"computed_as"`, `"conventions"` or `"relevant"`."""
        return self._said(name, *[self.results.data.relevant_from] * (name == "relevant"))

    def named(self, row: Mapping[str, object]) -> str:
        """What a row of the comparison is about, as short as tells it from the others."""
        return self._said("named", row)

    def _said(self, macro: str, *arguments: object) -> str:
        return Markup(self._parts.PHRASES[macro](*arguments)).striptags()

    def save(self, **forms: str | PathLike[str] | None) -> None:
        """Write it in the forms that others take, each of them whole or not at all.

        Args:
            forms: where to: `html` the page, `csv` the value of each query, `json` every number,
                `latex` a table of the means, `figures` a folder for every figure. None is nowhere.

        Raises:
            DataError: a path is that of a file that was read, or a form is none of these.
        """
        from byhand.reports.saved import save

        save(self, forms)

    def __repr__(self) -> str:
        return f"{self.title}\n\n{self.text(SUMMARY)}"

    def _repr_html_(self) -> str:
        return self.section(SUMMARY)._repr_html_()

    # What the templates ask

    def figures(self, name: str) -> list[figures.Drawing]:
        """The figures of a section."""
        if name == "cutoffs":
            return [figures.curve(self.results)]
        return list(getattr(figures, name)(self.results))

    @property
    def texts(self) -> list[tuple[str, str, str, int]]:
        """The files of texts: of what, the first, its format, how many more."""
        found = []
        for kind, files in self.results.data.texts.items():
            tables = [table for each in files for table in each.tables]
            if tables:
                first = tables[0]
                found.append((kind, first.file.path.name, first.layout.kind, len(tables) - 1))
        return found

    @property
    def against_others(self) -> list[dict[str, object]]:
        """What the subject of the first screen is to the others, those alike together."""
        results, found = self.results, {}
        for other in results.systems:
            row = results.seen(results.measures[0], results.subject, other)
            if row is None:
                continue
            verdict = Verdict(row["verdict"])
            verdict = Verdict.CANNOT_TELL if verdict is Verdict.TOO_FEW else verdict
            higher = verdict in _HIGHER
            judged = higher and results.judged_apart(row["a"], row["b"])
            key = (verdict, judged, higher and bool(row["caution"]))
            found.setdefault(key, []).append(other)
        names = ("verdict", "judged", "caution", "others")
        return [dict(zip(names, (*key, others), strict=True)) for key, others in found.items()]

    @property
    def places(self) -> list[dict[str, object]]:
        """Where to look first: groups that lost, queries that lost most, or the worst."""
        results, found = self.results, []
        if results.groups is not None and results.comparison is not None:
            table = results.groups.comparison
            lower = table["verdict"].eq(Verdict.B_HIGHER) & table["a"].eq(results.systems[0])
            found += [row | {"group": row["measure"]} for row in _records(table[lower])]
        for pair, ((new, old), difference) in enumerate(self.lists.moved.items()):
            queries = difference.index[difference < 0][:_LOOKED_AT]
            lost = [{"query": q, "anchor": f"moved-{pair}-{n}"} for n, q in enumerate(queries)]
            if lost:
                found.append({"new": new, "old": old, "lost": lost})
        worst = self.lists.ends[0][:_LOOKED_AT]
        if not self.lists.moved and worst:
            found.append({"lost": [], "worst": worst})
        return found

    @property
    def means_by_height(self) -> list[dict[str, object]]:
        """The means of the first measure, the highest first."""
        means = self.results.means
        means = means[means["measure"] == self.results.measures[0]]
        return _records(means.sort_values("mean", ascending=False, kind="stable"))

    @cached_property
    def above(self) -> dict[str, list[dict[str, object]]]:
        """Which system is higher in the first measure than which others."""
        found: dict[str, list[dict[str, object]]] = {}
        for row in _records(self.results.comparison):
            if row["measure"] == self.results.measures[0] and row["verdict"] in _HIGHER:
                higher, lower = row["a"], row["b"]
                if row["verdict"] == Verdict.B_HIGHER:
                    higher, lower = lower, higher
                judged = self.results.judged_apart(higher, lower)
                each = {"system": lower, "judged": judged, "caution": bool(row["caution"])}
                found.setdefault(higher, []).append(each)
        return found

    @property
    def told(self) -> int:
        """How many pairs can be told apart."""
        return sum(map(len, self.above.values()))

    @property
    def verdicts(self) -> dict[str, str]:
        """Measure -> the verdict in words."""
        rows = _records(self.results.comparison)
        return {row["measure"]: self._said("verdict", row) for row in rows}

    @property
    def cautions_of_means(self) -> dict[str, str]:
        """Mean -> why its interval may be too narrow."""
        rows = _records(self.results.means)
        return {self._said("mean_of", row): row["caution"] for row in rows if row["caution"]}

    @property
    def cautions_of_rows(self) -> dict[str, str]:
        """Row of the comparison -> the same."""
        rows = _records(self.results.comparison)
        return {self.named(row): row["caution"] for row in rows if row["caution"]}

    @property
    def cautions_of_summary(self) -> dict[str, str]:
        """What the first paragraph says -> the same."""
        results = self.results
        said = {self._said("the_mean"): results.means["caution"].iloc[0]}
        for row in _records(results.comparison)[: len(results.pairs)]:
            said[self._said("difference_of", row)] = row["caution"]
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
        other = self.results.preset.except_that
        # without scores that become one when they are rounded, the first changes nothing
        return "" if other == FLOAT32 and not rounded else other

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
        return (1 - CONFIDENCE) / len(self.results.comparison)

    @property
    def wide(self) -> list[tuple[str, str, float, float]]:
        """The means that hang on unjudged items, if none and if all of these are relevant."""
        found = []
        for name in self.results.unjudged:
            ends = {
                system: [table[f"{name} {kind}"].mean() for kind in ("none", "all")]
                for system, table in self.results.unjudged_ranges.items()
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
        """The rows of the first measure whose verdict other choices change."""
        used = found.comparison["measure"] == self.results.measures[0]
        differs = found.comparison["verdict"] != self.results.comparison["verdict"]
        return found.comparison[used & differs].to_dict("records")

    @property
    def counts(self) -> list[tuple[str, str, dict[str, int]]]:
        """For each system over how many queries its means are, and what was counted."""
        found = []
        for name, table in self.results.tables.items():
            averaged = table[self.results.measures].count()
            over = f"{averaged.iloc[0]:,}"
            if averaged.nunique() > 1:  # measures may differ in what they call relevant
                over = both([f"{n:,} ({measure})" for measure, n in averaged.items()])
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


def _records(table: pd.DataFrame | None) -> list[dict[str, object]]:
    return [] if table is None else table.to_dict("records")
