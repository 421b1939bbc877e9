"""A look at a run and qrels before they are evaluated: what is there, and what it means."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape

import numpy as np
import pandas as pd

from helpers.errors import DataError, both
from helpers.metrics.preflight_counts import TOP, Counts, count, head
from helpers.tables.checked import qrels_of, run_of
from helpers.tables.frames import frames_of
from helpers.tables.lazy import LazyQrels, LazyRun, Repeats
from helpers.tables.pairs import Pairs

# values stand to the right and words to the left, in a notebook as in a page
_STYLE = (
    "<style>.preflight td{text-align:right}"
    ".preflight :is(th,td:last-child){text-align:left !important}</style>"
)


@dataclass(frozen=True)
class Fact:
    """One thing that was counted: its name, its value as text, and what it means for a mean."""

    name: str
    value: str
    meaning: str = ""


@dataclass(frozen=True)
class Preflight:
    """What a run and qrels hold, what stops an evaluation, and what to know before one.

    Attributes:
        facts: what was counted.
        problems: what makes the numbers wrong or impossible, as sentences.
        notes: what changes how the numbers read, as sentences.
        counts: the same as numbers; None if the data cannot be counted.
    """

    facts: tuple[Fact, ...]
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    counts: Counts | None = field(default=None, compare=False)

    def raise_if_problems(self) -> None:
        """Stop here if there is a problem.

        Raises:
            DataError: the problems, all of them.
        """
        if self.problems:
            raise DataError("\n".join(self.problems))

    def __repr__(self) -> str:
        names = max((len(fact.name) for fact in self.facts), default=0)
        values = max((len(fact.value) for fact in self.facts), default=0)
        rows = [
            f"{fact.name:<{names}}  {fact.value:<{values}}  {fact.meaning}".rstrip()
            for fact in self.facts
        ]
        problems = [f"Problem: {text}" for text in self.problems] or ["No problems."]
        return "\n".join([*rows, *problems, *(f"Note: {text}" for text in self.notes)])

    def _repr_html_(self) -> str:
        facts = pd.DataFrame(list(self.facts), columns=["name", "value", "meaning"])
        with pd.option_context("display.max_colwidth", None):
            table = facts.set_index("name").to_html(
                header=False, index_names=False, border=0, classes="preflight"
            )
        said = [("Problem", text) for text in self.problems] + [("Note", t) for t in self.notes]
        items = "".join(f"<li><strong>{kind}:</strong> {escape(text)}</li>" for kind, text in said)
        none = "" if self.problems else "<p>No problems.</p>"
        table = table.replace("<th>", '<th scope="row">')
        return f"{_STYLE}{table}{none}<ul>{items}</ul>"


def preflight(
    run: object,
    qrels: object,
    *,
    relevant_from: float | None = None,
    repeats: Repeats = "all",
) -> Preflight:
    """Count what a run and qrels hold, and say what that means for the numbers.

    Args:
        run: one row a retrieved item, as `evaluate` takes it.
        qrels: one row a judgement, as `evaluate` takes it.
        relevant_from: the lowest grade that is relevant; None for any above 0.
        repeats: as in `evaluate`.

    Returns:
        Facts, problems and notes. Data that `evaluate` would refuse is a problem here and is
        not raised, so that all of it can be shown at once.

    Example:
        >>> run = pd.DataFrame({"query_id": "q1", "doc_id": ["D1", "D4"], "score": [0.9, 0.4]})
        >>> qrels = pd.DataFrame({"query_id": ["q1"], "doc_id": ["D4"], "relevance": [1]})
        >>> preflight(run, qrels).problems
        ()
    """
    told = tuple(text for frame in (run, qrels) for text in _told_by_the_reader(frame))
    run, qrels = frames_of(run, qrels)
    same = run is qrels
    refused: list[str] = []
    with _collected(refused):
        run = run_of(run, repeats=repeats)
    with _collected(refused):
        qrels = qrels_of(qrels, run=run if same and not refused else None)
    if refused:
        return Preflight((), tuple(refused), told)
    try:
        counts = count(run, qrels, relevant_from=relevant_from, judged_run=same)
    except DataError as error:
        return Preflight((), (f"{error}{_hint(run, qrels)}",), told)
    return Preflight(
        tuple(_facts(counts)), tuple(_problems(counts)), (*_notes(counts), *told), counts
    )


@contextmanager
def _collected(refused: list[str]) -> Iterator[None]:
    """Keep what is said of a table instead of raising it."""
    try:
        yield
    except DataError as error:
        refused.append(str(error))


def _told_by_the_reader(frame: object) -> list[str]:
    notes = getattr(frame, "attrs", {}).get("notes", [])
    return [f"{frame.attrs.get('file', 'table')}: {note}" for note in notes]


def _hint(run: object, qrels: object) -> str:
    """What would make a run and qrels without one query in common have some."""
    (run_queries, run_docs), (judged, judged_docs) = (_ids(run), _ids(qrels))
    if run_queries & judged:
        return ""
    if run_queries & judged_docs and judged & run_docs:
        return " In one of them query_id and doc_id look swapped."
    spelled: dict[str, Callable[[str], str]] = {
        "without blanks at their ends": str.strip,
        "without regard to case": str.casefold,
        "without leading zeros": lambda text: text.lstrip("0"),
        "without a '.0' at their end": lambda text: text.removesuffix(".0"),
    }
    for how, change in spelled.items():
        if set(map(change, run_queries)) & set(map(change, judged)):
            return f" Compared {how} they would have some."
    return ""


def _ids(table: Pairs | LazyRun | LazyQrels) -> tuple[set[str], set[str]]:
    """The queries and the items of a table; of one in an engine, some of its items."""
    if not isinstance(table, Pairs):
        return {*table.table.census["query"]}, {*head(table)["doc_id"]}
    return {*table.query_ids}, {*table.doc.text(np.arange(len(table)))}


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "none"


def _some(ids: Sequence[str]) -> str:
    return ", ".join(repr(str(text)) for text in ids[:3]) + (", …" if len(ids) > 3 else "")


def _facts(c: Counts) -> Iterator[Fact]:
    found = c.retrieved[c.retrieved > 0]
    common = c.judged - len(c.missing)
    lengths = f"{found.min()} / {np.median(found):g} / {found.max()}"
    yield Fact("queries judged", f"{c.judged:,}", "the mean is over these")
    yield Fact("queries in the run", f"{common + c.run_only:,}")
    yield Fact("queries in both", f"{common:,}")
    yield Fact("judged queries the run lacks", f"{len(c.missing):,}", "count 0, unless skipped")
    yield Fact("queries without a relevant item", f"{len(c.empty):,}", "count 0, unless skipped")
    yield Fact("queries nobody judged", f"{c.run_only:,}", "left out")
    yield Fact("rows of the run", f"{c.rows:,}")
    yield Fact("items a query: min / median / max", lengths, "what is not retrieved cannot hit")
    yield Fact("judgements", f"{c.judgements:,}", f"{c.relevant:,} of them relevant")
    yield Fact("grades used", _grades(c.grades), f"{_relevant_grades(c)} is relevant")
    yield Fact(
        "retrieved items that are judged",
        _share(c.judged_retrieved, int(c.retrieved.sum())),
        "the others count as not relevant",
    )
    yield Fact(f"… among the first {TOP}", _share(c.judged_top, c.top))
    yield Fact("rows with a tied score", _share(c.tied, c.rows), "their order is a convention")
    yield Fact(
        "queries with a relevant item in a tie", f"{c.touched:,}", "their values depend on it"
    )


def _relevant_grades(c: Counts) -> str:
    return "above 0" if c.relevant_from is None else f"{c.relevant_from:g} or more"


def _grades(grades: np.ndarray) -> str:
    some = ", ".join(f"{grade:g}" for grade in grades[:8])
    return some + (f", … ({len(grades)} in all)" if len(grades) > 8 else "")


def _problems(c: Counts) -> Iterator[str]:
    if c.relevant == 0:
        low = "0 or below" if c.relevant_from is None else f"below {c.relevant_from:g}"
        ask = f"is {c.grades[-1]:g} your relevant grade?"
        yield (
            f"No item is relevant: all grades are {low} ({_grades(c.grades)}), so every value "
            f"is 0. Is this the right column, or {ask}"
        )
    elif c.judged_retrieved == 0:
        yield (
            "No judged item is in the run, so every value is 0. The run's items begin with "
            f"{c.first[0]!r}, the judged ones with {c.first[1]!r}. Both must name their items "
            "alike."
        )
    if c.tied and c.one_score:
        yield (
            "All scores are equal: the order is the tie order, and the numbers say nothing of "
            "the system. Is this the right column?"
        )


def _tie_range(c: Counts) -> str:
    moved = [
        f"of {name} from {low:.4f} to {high:.4f}"
        for name, (low, high) in c.tie_range.items()
        if f"{low:.4f}" != f"{high:.4f}"
    ]
    if not moved:
        return "The means of RR, AP and nDCG hardly do: four digits are the same in any order."
    return f"It can move the mean {both(moved)}."


def _all_relevant(grades: np.ndarray) -> str:
    """What to ask where no judgement says that an item is not relevant."""
    if len(grades) == 1:
        return (
            f"Every judgement has grade {grades[0]:g} and counts as relevant. So no item is known "
            "to be not relevant: those without a judgement only count as such."
        )
    low, high = grades[0], grades[-1]
    likely = grades[grades >= low + 0.75 * (high - low)][0]
    return (
        f"Every judgement counts as relevant, also the lowest grade, {low:g}. If low grades mean "
        f"that an item is not relevant, say from which one on it is: relevant_from={likely:g}, "
        f"for example, or --relevant-from {likely:g} in the command."
    )


def _notes(c: Counts) -> Iterator[str]:
    if len(c.missing):
        yield (
            f"The run lacks {len(c.missing)} of {c.judged} judged queries ({_some(c.missing)}): "
            "each counts 0 in the mean, unless the conventions skip it (their choice `missing`)."
        )
    if len(c.empty) and c.relevant:
        yield (
            f"{len(c.empty)} of {c.judged} judged queries have no relevant item "
            f"({_some(c.empty)}): each counts 0 in the mean, whatever the system does, unless "
            "the conventions skip it (their choice `no_relevant`)."
        )
    if c.relevant == c.judgements:
        yield _all_relevant(c.grades)
    if c.run_only:
        yield f"Queries of the run that nobody judged: {c.run_only:,}. They do not count."
    if c.top and c.judged_top < c.top / 2:
        yield (
            f"Only {_share(c.judged_top, c.top)} of the first {TOP} items are judged. The others "
            "count as not relevant, so the true values may be higher."
        )
    if c.touched:
        yield (
            f"In {c.touched} of {c.judged} queries a relevant item shares its score with another "
            f"item: the values depend on the tie order. {_tie_range(c)}"
        )
    if c.tied_as_float32 > c.tied:
        yield (
            f"{c.tied_as_float32 - c.tied:,} more rows are tied if scores are rounded to float32, "
            "as pytrec_eval and trec_eval before 9.0.8 do: their values may differ from these in "
            "those queries."
        )
    if c.precision and c.rows > 1:
        yield (
            f"Every score fits into {c.precision}, which has two or three digits: were they "
            "rounded? Export them in full, or ties decide the order."
        )
    if c.grades[0] < 0:
        yield "Some grades are negative: like 0 they mean not relevant, and gain nothing in nDCG."
    if (c.grades % 1).any():
        yield (
            f"Some grades are fractions: any {_relevant_grades(c)} is relevant; nDCG gains the "
            "fraction itself."
        )
    if c.blank_ends is not None:
        yield (
            f"Some ids begin or end with a blank, such as {c.blank_ends!r}. They are compared "
            "exactly as written, blank included."
        )
