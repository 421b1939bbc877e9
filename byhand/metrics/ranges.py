"""What a value leaves open, beside it: equal scores, items that nobody judged, and chance."""

from collections.abc import Iterable, Mapping
from typing import Unpack

import numpy as np
import pandas as pd

from byhand.errors import DataError
from byhand.metrics.conventions import Conventions
from byhand.metrics.evaluate import MEASURES, Evaluation, Part, answering
from byhand.metrics.hits import JudgedHits
from byhand.metrics.measures import Measure
from byhand.metrics.measures.measure import keeps_low_grades
from byhand.metrics.run_with_qrels import RunWithQrels
from byhand.metrics.unjudged_lists import FIXED, UnjudgedLists
from byhand.tables.qrels import ABOVE_ZERO
from byhand.tables.runs_and_qrels import Reading


@answering
def tie_range(
    run: object,
    qrels: object,
    measures: Iterable[object] = MEASURES,
    *,
    conventions: str | Conventions = "trec_eval -c",
    queries: Iterable[object] | None = None,
    relevant_from: float | None = None,
    **reading: Unpack[Reading],
) -> pd.DataFrame:
    """The table of `evaluate`, and how far the order of equal scores can move each value.

    Args:
        run, qrels, measures, conventions, queries, relevant_from: as in `evaluate`.
        reading: further options of `evaluate`: `duplicates`, `run_columns` and so on.

    Returns:
        Beside each measure its `worst` and its `best` value; in the end a column `tied`: whether
        a relevant item of the query shares its score.

    Raises:
        DataError: as `evaluate`; AP divided by the hits found, with a cutoff that splits a tie.

    Example:
        >>> run, qrels = {"q": {"a": 1, "b": 1}}, {"q": {"a": 1}}
        >>> tie_range(run, qrels, "RR").loc["q"].to_dict()
        {'RR': 0.5, 'RR worst': 0.5, 'RR best': 1.0, 'tied': True}
    """
    reading |= {"queries": queries, "relevant_from": relevant_from}
    return Evaluation.of(run, qrels, measures, conventions, **reading).as_given("ties")


@answering
def chance_levels(
    run: object,
    qrels: object,
    measures: Iterable[object] = MEASURES,
    *,
    conventions: str | Conventions = "trec_eval -c",
    queries: Iterable[object] | None = None,
    relevant_from: float | None = None,
    **reading: Unpack[Reading],
) -> pd.DataFrame:
    """The table of `evaluate`, and what the same items would get in a random order.

    Args:
        run, qrels, measures, conventions, queries, relevant_from, reading: as in `tie_range`.

    Returns:
        Beside each measure its `chance` value, expected over all orders of the items that the
        query retrieved. `.attrs["lift"]` has for each measure the mean divided by the mean of its
        chance values; a mean of such ratios would be that of a few queries with tiny levels.

    Raises:
        ValueError: as `evaluate`; a measure whose chance level is not known.

    Source:
        McSherry and Najork 2008, applied to one tie of all items, as in `chance`.

    Example:
        >>> run, qrels = {"q": {"a": 2, "b": 1}}, {"q": {"a": 1}}
        >>> found = chance_levels(run, qrels, "RR")
        >>> found.loc["q"].to_dict(), found.attrs["lift"]
        ({'RR': 1.0, 'RR chance': 0.75}, {'RR': 1.3333333333333333})
    """
    reading |= {"queries": queries, "relevant_from": relevant_from}
    frame = Evaluation.of(run, qrels, measures, conventions, **reading).as_given("chance")
    means = frame.mean()
    levels = {name: means[f"{name} chance"] for name in frame.columns[::2]}
    frame.attrs["lift"] = {
        name: float(means[name] / level) if level > 0 else np.nan for name, level in levels.items()
    }
    return frame


@answering
def unjudged_range(
    run: object,
    qrels: object,
    measures: Iterable[object] = MEASURES,
    *,
    conventions: str | Conventions = "trec_eval -c",
    queries: Iterable[object] | None = None,
    relevant_from: float | None = None,
    **reading: Unpack[Reading],
) -> pd.DataFrame:
    """The table of `evaluate`, and how far the retrieved items that nobody judged could move it.

    Args:
        run, qrels: as in `evaluate`, both in memory.
        measures, conventions, queries, relevant_from, reading: as in `tie_range`.

    Returns:
        In the end for each measure its value if `none` of these items is relevant, and if `all`
        are (with grade 1, or else the lowest that is relevant to the measure). Behind those two
        the `least` and the `most` that it can have if some are, each with any grade up to the
        highest that is judged (or that of `all`, if that is higher): AP, nDCG and R are lower
        where only items far down are relevant than where none is. They are exact, but where the
        order of equal scores depends on what is relevant (`"expected"`, `"best"`, `"worst"`), or a
        query without a relevant item counts 1: there the value is at least and at most that. They
        are NaN for a measure of which neither is known. Of RBP also its `residual`: what all ranks
        without a judged item could add, in the list, beyond its end and beyond the cutoff.
        Relevant items that were not retrieved are in none of these, and nobody knows how many
        there are: each would lower AP, nDCG and R further.

    Raises:
        DataError: as `evaluate`; a table that lives in an engine.

    Source:
        Moffat and Zobel 2008, section 4, for the residual; the least and the most are ours.

    Example:
        >>> run, qrels = {"q": {"a": 3, "b": 2, "c": 1}}, {"q": {"b": 1}}
        >>> found = unjudged_range(run, qrels, "R@2").loc["q"]
        >>> found.tolist()  # none, all, only c, only a
        [1.0, 1.0, 0.6666666666666666, 0.5, 1.0]
    """
    reading |= {"queries": queries, "relevant_from": relevant_from}
    as_it_is = Evaluation.of(run, qrels, measures, conventions, **reading)
    tables, measures = as_it_is.tables, as_it_is.measures
    if tables.run.lazy or tables.qrels.lazy:
        raise DataError(
            "unjudged_range makes a judgement of every retrieved item, so it needs run and qrels "
            "in memory. preflight counts how many items are judged."
        )
    frame, choices = as_it_is.table(), as_it_is.preset.choices
    if choices.unjudged == "removed":
        conventions = choices.but(unjudged="not_relevant")
    lowest = {
        name: float(max(relevant_from or 1, each.rel or 0)) for name, each in measures.items()
    }
    judged = _Judged(tables, measures, conventions)
    found = {
        "none": judged.values(
            {name: 0.0 if measures[name].of_judged else None for name in measures}
        ),
        "all": judged.values(lowest),
    }
    for kind, values in found.items():
        frame[[f"{name} {kind}" for name in measures]] = pd.DataFrame(values, frame.index)
    for name, part in judged.none.parts.items():
        ends = dict(zip(("least", "most"), judged.bounds(name, lowest[name]), strict=True))
        ends["residual"] = part.measure.residual(judged.known_hits(part), part.chosen)
        for kind, values in ends.items():
            if values is not None:
                frame[f"{name} {kind}"] = np.where(frame[f"{name} none"].isna(), np.nan, values)
    return frame.set_index(tables.as_given(frame.index))


class _Judged:
    """Measures of a run once the retrieved items that nobody judged have a grade."""

    def __init__(
        self, tables: RunWithQrels, measures: Mapping[str, Measure], conventions: str | Conventions
    ) -> None:
        self.tables, self.measures, self.conventions = tables, measures, conventions
        self.known, run = tables.qrels.rows_of(), tables.run.rows_of()
        ours = run.loc[run["query_id"].isin(self.known["query_id"]), ["query_id", "doc_id"]]
        every = pd.concat([self.known, ours.assign(relevance=np.nan)], ignore_index=True)
        self.every = every.drop_duplicates(["query_id", "doc_id"])
        self.none = Evaluation(tables, measures, conventions=conventions)
        self._tables: dict[float, RunWithQrels] = {}

    def values(self, grades: Mapping[str, float | None]) -> dict[str, np.ndarray]:
        """Each measure if all of these items have this grade; where it is None, as they are."""
        found = {}
        for grade in dict.fromkeys(grades.values()):
            names, of = [name for name in grades if grades[name] == grade], self.none
            if grade is not None:
                of = Evaluation(self._given(grade), names, conventions=self.conventions)
            found |= {name: values.to_numpy() for name, values in of.table()[names].items()}
        return found

    def bounds(self, name: str, least: float) -> tuple[np.ndarray, np.ndarray]:
        """The least and the most if each of these items has any grade up to the highest judged."""
        part = self.none.parts[name]
        measure, chosen = part.measure, part.chosen
        highest = max(least, self.known_hits(part).relevant_grade.max(initial=0))
        if measure.rises:
            low, high = measure.values(part.hits, chosen), self.values({name: highest})[name]
        else:
            ends = measure.judged_otherwise(self._lists(part, highest), chosen)
            low, high = ends or np.full((2, len(part.empty)), np.nan)
        if chosen.no_relevant == "one":  # as long as none of them is relevant
            low = np.where(part.empty & ~self._lists(part, highest).any, 1.0, low)
            high = np.where(part.empty, np.fmax(high, 1.0), high)
        return low, high

    def known_hits(self, part: Part) -> JudgedHits:
        """What was judged of the lists of a measure."""
        return self.tables.hits(ties=part.chosen.ties, judged=True)

    def _lists(self, part: Part, highest: float) -> UnjudgedLists:
        unknown = float(np.nextafter(min(float(self.known["relevance"].min()), 0.0), -np.inf))
        ties, lowest = part.chosen.ties, self.tables.relevant_from
        if lowest is None or keeps_low_grades(part.measure, part.chosen):
            lowest = ABOVE_ZERO
        order = ties if ties in FIXED else "expected"
        every = self._given(unknown).hits(ties=order, judged=True).judged
        return UnjudgedLists(every, unknown, ties, lowest, highest)

    def _given(self, grade: float) -> RunWithQrels:
        """The tables with this grade for what nobody judged."""
        if grade not in self._tables:
            self._tables[grade] = RunWithQrels(
                self.tables.run,
                self.every.fillna({"relevance": grade}),
                queries=self.tables.queries,
                relevant_from=self.tables.relevant_from,
            )
        return self._tables[grade]
