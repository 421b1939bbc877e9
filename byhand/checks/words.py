"""What the counts of a run and its qrels mean for the numbers, in words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from byhand.checks.counts import TOP, Counts
from byhand.errors import both, shown

_CLEARLY = 4  # standard errors: of 30,000 random orders one lies so far below


@dataclass(frozen=True)
class Fact:
    """One thing that was counted: its name, its value as text, and what it means for a mean."""

    name: str
    value: str
    meaning: str = ""


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "none"


def _some(ids: Sequence[str]) -> str:
    return ", ".join(shown(str(text)) for text in ids[:3]) + (", …" if len(ids) > 3 else "")


def facts_of(c: Counts) -> Iterator[Fact]:
    """What was counted, a line each."""
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


def problems_of(c: Counts) -> Iterator[str]:
    """What makes the numbers wrong or impossible."""
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
            f"{shown(c.first[0])}, the judged ones with {shown(c.first[1])}. Both must name their "
            "items alike."
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
        means = f"mean{'s' * (len(c.tie_range) > 1)} of {both([*c.tie_range])}"
        return f"With our default conventions four digits of the {means} are the same in any order."
    return f"With our default conventions it can move the mean {both(moved)}."


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


def doubt_of(c: Counts) -> str:
    """What suggests that every list stands on its head, and what would turn it; else nothing."""
    signs = []
    if c.numbered:
        signs.append(
            "In every query the scores are whole numbers from 1 to n (or 0 to n - 1), each once, "
            "as ranks are, and the highest comes first."
        )
    ap, by_chance = c.by_chance
    if c.below > _CLEARLY and ap < by_chance:
        signs.append(
            f"Relevant items stand lower than in a random order: the mean AP is {ap:.4f}, and "
            f"{by_chance:.4f} by chance."
        )
    if not signs:
        return ""
    return " ".join(
        [
            *signs,
            "If low scores are the better ones, as of ranks and distances, every list stands on "
            "its head. To turn a frame: run.assign(score=-run['score']). Of a file, say that the "
            "column NAME is a rank: read_run(file, columns={'NAME': 'rank'}), or --run-columns "
            "FILE NAME=rank in the command; of a TREC file the columns are 0=query_id 2=doc_id "
            "4=rank.",
        ]
    )


def notes_of(c: Counts) -> Iterator[str]:
    """What changes how the numbers read."""
    if doubt := doubt_of(c):
        yield doubt
    if len(c.missing):
        yield (
            f"The run lacks {len(c.missing)} of {c.judged} judged queries ({_some(c.missing)}): "
            "each counts 0 in the mean, unless the conventions skip it (their choice 'missing')."
        )
    if len(c.empty) and c.relevant:
        yield (
            f"{len(c.empty)} of {c.judged} judged queries have no relevant item "
            f"({_some(c.empty)}): each counts 0 in the mean, whatever the system does, unless "
            "the conventions skip it (their choice 'no_relevant')"
            + " or let lower grades gain (their choice 'low_grades')"
            * (c.relevant_from is not None)
            + "."
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
            f"Some ids begin or end with a blank, such as {shown(c.blank_ends)}. They are compared "
            "exactly as written, blank included."
        )
