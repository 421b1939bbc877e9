"""What each system gets on each query, and what follows: numbers, computed once, no words."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from byhand.errors import DataError, shown
from byhand.metrics.conventions import Conventions
from byhand.metrics.evaluate import MissingQueriesWarning
from byhand.metrics.measure_names import measure_named
from byhand.metrics.measures.judged import Judged
from byhand.metrics.measures.measure import keeps_low_grades
from byhand.metrics.measures.recall import R
from byhand.metrics.presets import preset_named
from byhand.metrics.ranges import unjudged_range
from byhand.reports.data import Data
from byhand.reports.words import POOL_LIMIT
from byhand.statistics import (
    CONFIDENCE,
    MISSING_LIMIT,
    Resampling,
    Verdict,
    compare_values,
    interval_caution,
    mean_interval,
    overlap,
)
from byhand.statistics.clusters import cluster_values
from byhand.tables.counting import ABOVE_ZERO
from byhand.words import N_, language

if TYPE_CHECKING:
    from byhand.statistics import Correct

HIGHER = (Verdict.A_HIGHER, Verdict.B_HIGHER)
_TOP = 10  # how many items are looked at if the first measure has no cutoff
_CUTOFFS = [m * 10**power for power in range(7) for m in (1, 2, 3, 5)]
_FEWEST = 10_000  # assignments of signs
_LEVEL = round(1 - CONFIDENCE, 12)
_ROUNDING = 1e-12  # what is left of a tie, added up in another order
_VISIBLE = 0.00005  # a change of a mean that four digits show
_MOST_GROUPS, _OTHERS = 30, N_("(no group)")
_ORDERS = ("expected", "best", "worst")
_MOST_ROWS = 1_000_000  # beyond, to judge every item for the sake of a range takes too long
_TURNED = {Verdict.A_HIGHER: Verdict.B_HIGHER.value, Verdict.B_HIGHER: Verdict.A_HIGHER.value}


@dataclass(frozen=True)
class Alternative:
    """What would come out under other choices: the values of each system, and their comparison."""

    tables: dict[str, pd.DataFrame]
    comparison: pd.DataFrame | None

    @property
    def rows(self) -> list[dict[str, object]]:
        """The rows of the comparison."""
        return rows_of(self.comparison)


@dataclass(frozen=True)
class Groups:
    """The first measure by group of queries."""

    queries: dict[str, pd.Index]  # the judged queries of each group, the largest group first
    rest: str  # what the queries of no group are called
    left: int  # how many smaller groups are left out
    comparison: pd.DataFrame | None  # the group in the place of the measure


class Results:
    """What each system gets on each query, and what could come out otherwise.

    The arguments are those of `report`; a `DataError` says what cannot be used.
    """

    def __init__(
        self,
        data: Data,
        *,
        all_pairs: bool = False,
        matters: float | None = None,
        judged_by: str | None = None,
        correct: "Correct" = "all",
        reported: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        data.check()
        self.data, self.all_pairs, self.matters = data, all_pairs, matters
        self.judged_by = judged_by
        self.correct, self.reported = correct, reported
        self.measures, self.preset = list(data.measures), preset_named(data.conventions)
        first = measure_named(self.measures[0])
        # the column of how much that is relevant it saw; how many items of a list matter most
        self.recall, self.top = str(R(k=first.k, rel=first.rel)), first.k or _TOP
        base, _, k = self.measures[0].rpartition("@")
        self.base = base or k  # the first measure without its cutoff
        cutoffs = {measure_named(name).k for name in self.measures[1:]} - {None} | {self.top}
        extra = [self.recall]
        if not (data.scanned and data.judged_run):  # there every row of the run is a judgement
            extra += [str(Judged(k=k)) for k in sorted(cutoffs)]
        wanted = dict.fromkeys([*self.measures, *extra])
        self.tables = {
            name: data.evaluation(name, wanted).table("chance", "ties", lenient=True)
            for name in data.runs
        }
        self.systems = list(self.tables)
        self.first, self.subject = self.tables[self.systems[0]], self.systems[0]
        self.pairs = [(self.systems[0], other) for other in self.systems[1:]]
        if all_pairs:
            self.pairs = list(combinations(self.systems, 2))
        if all_pairs and len(self.pairs) > 1:  # whom the first screen is about: the highest
            self.subject = max(
                self.systems, key=lambda name: self.tables[name][self.measures[0]].mean()
            )
        n = len(self.pairs)  # p is corrected for so many comparisons together
        self.family = {"all": len(self.measures) * n, "measure": n, "none": 1}[correct]
        self.missing = {  # the judged queries that a system did not answer
            name: table.index.difference(data.sizes_of(name).index, sort=False)
            for name, table in self.tables.items()
        }
        self._found: dict[frozenset[tuple[str, str]], Alternative] = {}
        self._answers: dict[str, pd.DataFrame] = {}
        # what is wrong with them is said before anything is written
        _ = self.comparison, self.groups
        try:
            _ = self.explained
        except ValueError as error:
            raise DataError(str(error)) from None

    def chosen(self, measure: str) -> Conventions:
        """The conventions of this measure."""
        return measure_named(measure).named_by(self.preset)

    @property
    def keeps_low_grades(self) -> bool:
        """Whether to the first measure an item below the lowest relevant grade gains, too."""
        return keeps_low_grades(measure_named(self.measures[0]), self.chosen(self.measures[0]))

    @property
    def lowest_relevant(self) -> float:
        """The lowest grade that is relevant to the first measure."""
        if self.keeps_low_grades:
            return ABOVE_ZERO
        options = (measure_named(self.measures[0]).rel, self.data.relevant_from)
        return max(grade or ABOVE_ZERO for grade in options)

    @cached_property
    def relevant_counts(self) -> pd.Series:
        """How many items of each judged query are relevant to the first measure."""
        judged = self.data.judgements.wanted(self.lowest_relevant)
        counts = np.bincount(judged.query, minlength=len(judged.query_ids))
        return pd.Series(counts, judged.query_ids).reindex(self.first.index, fill_value=0)

    @cached_property
    def means(self) -> pd.DataFrame:
        """For each measure and system the mean, its interval, and what a random order gets."""
        rows = []
        for name, table in self.tables.items():
            for measure in self.measures:
                known = table[measure].dropna()
                drawn = self.drawn(known)
                low, high = mean_interval(drawn)
                row = {"measure": measure, "system": name, "mean": table[measure].mean()}
                row |= {"low": low, "high": high, "median": table[measure].median()}
                level = table[f"{measure} chance"].mean()
                row |= {"chance": level, "lift": row["mean"] / level if level > 0 else np.nan}
                caution = interval_caution(drawn, lowest=0, number=self.numbered(known.index))
                row |= {"queries": len(known), "caution": caution or ""}
                rows.append(row | {"judged": self.judged(name, measure_named(measure).k)})
        return pd.DataFrame(sorted(rows, key=lambda row: self.measures.index(row["measure"])))

    @cached_property
    def best(self) -> pd.Series:
        """The highest mean in each measure, less what rounding may leave of a tie."""
        return self.means.groupby("measure")["mean"].max() - _ROUNDING

    def cutoff_of(self, measure: str) -> int:
        """How many first items of a list count most for a measure: its cutoff, or the top."""
        return measure_named(measure).k or self.top

    def judged(self, system: str, k: int | None) -> float:
        """The mean Judged@k over the queries that a system answered; NaN if that is not known."""
        if k is None or self.data.relevant_only or (self.data.scanned and self.data.judged_run):
            return np.nan
        return self.tables[system][str(Judged(k=k))].drop(self.missing[system]).mean()

    def by_judgements(self, row: Mapping[str, object]) -> bool:
        """Whether a verdict may be one on the judgements: on judged items only it is another.

        Or else, of the first items of one of the two far more have a judgement.
        """
        here = row["measure"], frozenset((row["a"], row["b"]))
        doubtful = here in self._turned_by_judgements or self._judged_apart(row["a"], row["b"])
        return row["verdict"] in HIGHER and doubtful

    def _judged_apart(self, a: str, b: str) -> bool:
        removed = self.chosen(self.measures[0]).unjudged == "removed"
        apart = abs(self.judged(a, self.top) - self.judged(b, self.top))
        return not removed and bool(round(apart, 9) > POOL_LIMIT)

    @cached_property
    def judged_dependent(self) -> pd.DataFrame:
        """The rows of the comparison that decide otherwise on judged items only, as they are."""
        judged = self.by_choice.get("judged")
        changed = self.comparison.index[:0] if judged is None else self.changed(judged).index
        return self.comparison.loc[changed]

    @cached_property
    def _turned_by_judgements(self) -> set[tuple[str, frozenset[str]]]:
        rows = rows_of(self.judged_dependent)
        return {(row["measure"], frozenset((row["a"], row["b"]))) for row in rows}

    @property
    def pool_may_decide(self) -> bool:
        """Whether what is judged may decide which of any two is higher in the first measure."""
        turned = any(measure == self.measures[0] for measure, _ in self._turned_by_judgements)
        return turned or any(self._judged_apart(a, b) for a, b in self.pairs)

    def lacking(self, share: float) -> list[tuple[list[str], int]]:
        """The systems that lack more than a share of the judged queries, and how many they lack."""
        of: dict[int, list[str]] = {}
        for name, gone in self.missing.items():
            if len(gone) > share * len(self.first):
                of.setdefault(len(gone), []).append(name)
        return [(names, count) for count, names in of.items()]

    @cached_property
    def comparison(self) -> pd.DataFrame | None:
        """The table of `compare_values`, a row a measure and pair; None if there is one system."""
        return self._compared(self.tables, signs=10**9)

    @cached_property
    def rows(self) -> list[dict[str, object]]:
        """The same row by row; none if there is one system."""
        return rows_of(self.comparison)

    @property
    def agreeing_tests(self) -> int:
        """In how many comparisons the paired t test is on the same side of 0.05, uncorrected."""
        rows = self.comparison.dropna(subset="p_t")
        return int(((rows["p"] <= _LEVEL) == (rows["p_t"] <= _LEVEL)).sum())

    @cached_property
    def same_texts(self) -> list[str]:
        """The judged queries that ask what another one asks, if nobody said what hangs together."""
        if self.data.clusters or not (asked := self.data.asked):
            return []
        texts = pd.Series({query: " ".join(each.text.split()) for query, each in asked.items()})
        return [*texts.index[texts.str.casefold().duplicated(keep=False)]]

    def drawn(self, values: pd.Series) -> np.ndarray:
        """What was drawn by itself: the value of each query, or one of each cluster."""
        sample, number = values.to_numpy(), self.numbered(values.index)
        return sample if number is None else cluster_values(sample, number)

    def numbered(self, queries: pd.Index) -> np.ndarray | None:
        """The number of the cluster of each of these queries; None if each stands for itself."""
        clusters = self.data.clusters
        return clusters.numbered(queries) if clusters is not None and len(queries) else None

    def differences(self, measure: str, a: str, b: str) -> pd.Series:
        """For each query with a value of both systems, that of a minus that of b."""
        theirs = self.tables[b][measure]
        return (self.tables[a][measure] - theirs.reindex(self.tables[a].index)).dropna()

    def seen(self, measure: str, name: str, other: str) -> dict[str, object] | None:
        """The row in which two systems are compared, if one does, so that `name` is its a."""
        if (measure, name, other) in self._seen:
            return self._seen[measure, name, other]
        row = self._seen.get((measure, other, name))
        return None if row is None else turned(row)

    def against(self, measure: str) -> list[dict[str, object] | None]:
        """How the subject compares with each system in a measure, where it does."""
        return [self.seen(measure, self.subject, other) for other in self.systems]

    @cached_property
    def _seen(self) -> dict[tuple[str, str, str], dict[str, object]]:
        return {(row["measure"], row["a"], row["b"]): row for row in self.rows}

    @cached_property
    def above(self) -> dict[tuple[str, str], dict[str, bool]]:
        """A measure and system -> those that it is higher than, and whether with a caution."""
        found: dict[tuple[str, str], dict[str, bool]] = {}
        for (measure, a, b), row in self._seen.items():
            if row["verdict"] in HIGHER:
                higher, lower = (a, b) if row["verdict"] == Verdict.A_HIGHER else (b, a)
                found.setdefault((measure, higher), {})[lower] = bool(row["caution"])
        return found

    @cached_property
    def overlaps(self) -> dict[tuple[str, str], pd.Series]:
        """For each pair the share of the first items in both, by query; not of what is scanned."""
        runs = self.data.runs
        if self.data.scanned:
            return {}
        return {(a, b): overlap(runs[a], runs[b], self.top) for a, b in self.pairs}

    @cached_property
    def groups(self) -> Groups | None:
        """The groups that have a query with a value, and how the systems compare in each."""
        named = self.data.groups
        if not named:
            return None
        values = {name: table[self.measures[0]] for name, table in self.tables.items()}
        judged = pd.concat(values, axis=1).dropna().index
        found = {name: judged[judged.isin(queries)] for name, queries in named.items()}
        found = sorted(
            ((n, each) for n, each in found.items() if len(each)), key=lambda each: -len(each[1])
        )
        if not found:
            theirs, ours = next(iter(named.values()))[0], self.first.index[0]
            raise DataError(
                "None of the groups has a query that is judged and has a value. Theirs are such as "
                f"{shown(theirs)}, the judged ones such as {shown(ours)}: check that these are the "
                "same ids."
            )
        some, others = dict(found[:_MOST_GROUPS]), _OTHERS
        rest = judged[~judged.isin([query for queries in named.values() for query in queries])]
        while others in named:  # a group of theirs that is really called so
            others = f"({others})"
        some |= {others: rest} if len(rest) else {}
        left = len(found[_MOST_GROUPS:])
        if not self.pairs:
            return Groups(some, others, left, None)
        # to the table, each group is a measure, which has no value for any other query
        parts = {
            system: pd.DataFrame({name: of.where(of.index.isin(some[name])) for name in some})
            for system, of in values.items()
        }
        how = "none" if self.correct == "none" else "all"
        bounded = measure_named(self.measures[0]).highest == 1  # its name is not that of a column
        extra = {"clusters": self.data.clusters, "matters": self.matters if bounded else None}
        table = compare_values(parts, pairs=self.pairs, correct=how, **extra)
        for place, row in table.iterrows():
            queries = some[row["measure"]]
            lacking = max(queries.isin(self.missing[name]).sum() for name in (row["a"], row["b"]))
            if lacking > MISSING_LIMIT * len(queries):
                table.loc[place, "verdict"] = Verdict.WITHHELD.value
        return Groups(some, others, left, table)

    @property
    def explained(self) -> pd.DataFrame | None:
        """What gives the reported means, as `which_conventions` says; None if there are none."""
        if not self.reported or language() in self._answers:
            return self._answers.get(language())
        if self.data.scanned:
            raise DataError(
                "reported: a run that is scanned cannot be ranked anew. Give it more memory, such "
                "as --memory 8GB, or call which_conventions with a part of the queries."
            )
        from byhand.conventions.explanations import which_conventions

        found = which_conventions(
            self.data.counted[self.systems[0]].run,
            self.data.judgements,
            self.reported,
            conventions=self.data.conventions,
            relevant_from=self.data.relevant_from,
        )
        return self._answers.setdefault(language(), found)

    def interval_over(self, queries: pd.Index) -> tuple[float, float]:
        """The interval of the mean of the first measure over some queries, for one system."""
        return mean_interval(self.drawn(self.first[self.measures[0]][queries]))

    @cached_property
    def cutoffs(self) -> dict[str, pd.DataFrame]:
        """For each system the first measure at round cutoffs, and at those asked for."""
        longest = max(int(self.data.sizes_of(name).max()) for name in self.data.runs)
        asked = {measure_named(name).k for name in self.measures} - {None}
        names = [f"{self.base}@{k}" for k in sorted({*_CUTOFFS, *asked}) if k <= longest]
        return {name: self.data.evaluation(name, names).table() for name in self.tables}

    # What could come out otherwise

    def under(self, **choices: str) -> Alternative:
        """What comes out under other conventions."""
        asked = frozenset(choices.items())
        if asked not in self._found:
            self._found[asked] = self._under(choices)
        return self._found[asked]

    def _under(self, choices: Mapping[str, str]) -> Alternative:
        groups: dict[Conventions, list[str]] = {}
        for name in self.measures:
            groups.setdefault(self.chosen(name).but(**choices), []).append(name)
        tables = {}
        for system in self.systems:
            parts = (self.data.evaluation(system, names, how) for how, names in groups.items())
            tables[system] = pd.concat([part.table() for part in parts], axis=1)
        return Alternative(tables, self._compared(tables))

    @cached_property
    def answered(self) -> Alternative:
        """What comes out over the queries that every system answered."""
        lacking = pd.Index([]).append(list(self.missing.values()))
        answered = self.first.index.difference(lacking, sort=False)
        tables = {name: table.loc[answered] for name, table in self.tables.items()}
        return Alternative(tables, self._compared(tables))

    @cached_property
    def orders(self) -> dict[str, Alternative]:
        """Where ties touch a mean, what comes out if they are broken in other ways."""
        touched = any(
            table[f"{measure} best"].mean() - table[f"{measure} worst"].mean() >= _VISIBLE
            for table in self.tables.values()
            for measure in self.measures
        )
        try:
            return {order: self.under(ties=order) for order in _ORDERS} if touched else {}
        except ValueError:  # a measure whose mean over all orders is not known
            return {}

    @cached_property
    def by_choice(self) -> dict[str, Alternative]:
        """What else could come out, by the choice that would change it; only those that apply."""
        found = {f"ties {order}": each for order, each in self.orders.items()}
        chosen = self.chosen(self.measures[0])
        if self.lacking(0) and chosen.missing == "zero":
            found["answered"] = self.answered
        elif self.lacking(0):
            found["missing"] = self.under(missing="zero")
        if self.unjudged and chosen.unjudged != "removed":
            found["judged"] = self.under(unjudged="removed")
        return found

    def changed(self, found: Alternative) -> pd.DataFrame:
        """The rows of the comparison with which other choices decide otherwise, as these say."""
        before, after = (each.comparison["verdict"].map(decided) for each in (self, found))
        return found.comparison[after != before]

    @cached_property
    def tie_dependent(self) -> pd.DataFrame:
        """The rows of the comparison whose verdict another order of equal scores would change."""
        rows = {row for other in self.orders.values() for row in self.changed(other).index}
        return self.comparison[self.comparison.index.isin(rows)]

    @property
    def unjudged(self) -> list[str]:
        """The measures to which items that nobody judged may matter."""
        return [
            name
            for name in self.measures
            if not (measure := measure_named(name)).of_judged
            and any(self.judged(system, measure.k) < 1 for system in self.systems)
        ]

    @cached_property
    def unjudged_means(self) -> dict[str, dict[str, dict[str, float]]] | None:
        """Of each system what these measures get if those are judged; None if it takes long."""
        data, names, found = self.data, self.unjudged, {}
        if data.n_rows > _MOST_ROWS or data.scanned:
            return None
        options = {"conventions": data.conventions, "relevant_from": data.relevant_from}
        for system, run in data.runs.items():
            with warnings.catch_warnings():  # the report says itself what is missing
                warnings.simplefilter("ignore", MissingQueriesWarning)
                means = unjudged_range(run, data.qrels, names, **options).mean()
            ends = ("none", "all", "least", "most")
            found[system] = {n: {end: means[f"{n} {end}"] for end in ends} for n in names}
        return found

    def _compared(
        self, tables: Mapping[str, pd.DataFrame], *, signs: int = 10**8
    ) -> pd.DataFrame | None:
        """The comparison of such tables; with many queries it draws fewer assignments of signs."""
        values = {name: table[self.measures] for name, table in tables.items()}
        answered = pd.concat(values, axis=1).dropna(how="all")
        if len(values) < 2 or answered.empty:
            return None
        lacking = {
            name: len(gone.intersection(values[name].index)) for name, gone in self.missing.items()
        }
        drawn = min(Resampling.permutations, max(_FEWEST, signs // len(answered)))
        how = {"pairs": self.pairs, "correct": self.correct, "matters": self.matters}
        how["permutations"] = drawn
        how["clusters"] = self.data.clusters
        return compare_values(values, missing=lacking, **how).assign(permutations=drawn)


def rows_of(table: pd.DataFrame | None) -> list[dict[str, object]]:
    """The rows of a table; none of None."""
    return [] if table is None else table.to_dict("records")


def decided(verdict: str) -> str:
    """Which of two systems is higher; whatever leaves it open is the same."""
    return verdict if verdict in HIGHER else Verdict.CANNOT_TELL


def turned(row: Mapping[str, object]) -> dict[str, object]:
    """A row of a comparison as b minus a."""
    found = {"difference": -row["difference"], "low": -row["high"], "high": -row["low"]}
    found |= {"at_least": -row["at_most"], "at_most": -row["at_least"]}
    found |= {"wins": row["losses"], "losses": row["wins"], "a": row["b"], "b": row["a"]}
    return {**row, **found, "verdict": _TURNED.get(row["verdict"], row["verdict"])}
