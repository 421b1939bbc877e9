"""What preflight counts and says: one table of counts, one of sentences, by their severity."""

from collections.abc import Callable, Sequence

import numpy as np

from byhand.checks.counts import TOP, Counts
from byhand.errors import shown
from byhand.words import N_, Text, text, together

# name, value, what it means for a mean; templates for the counts `c` and for `words_of` them
FACTS = (
    (N_("queries judged"), "{c.judged:,}", N_("the mean is over these")),
    (N_("queries in the run"), "{in_run:,}", ""),
    (N_("queries in both"), "{in_both:,}", ""),
    (N_("judged queries the run lacks"), "{missing:,}", N_("count 0, unless skipped")),
    (N_("queries without a relevant item"), "{empty:,}", N_("count 0, unless skipped")),
    (N_("queries nobody judged"), "{c.run_only:,}", N_("left out")),
    (N_("rows of the run"), "{c.rows:,}", ""),
    (N_("items a query: min / median / max"), "{lengths}", N_("what is not retrieved cannot hit")),
    (N_("judgements"), "{c.judgements:,}", N_("{c.relevant:,} of them relevant")),
    (N_("grades used"), "{grades}", N_("{which} is relevant")),
    (
        N_("retrieved items that are judged"),
        "{share_judged}",
        N_("the others count as not relevant"),
    ),
    (N_("… among the first {top}"), "{share_top}", ""),
    (N_("rows with a tied score"), "{share_tied}", N_("their order is a convention")),
    (N_("queries with a relevant item in a tie"), "{c.touched:,}", N_("their values depend on it")),
)

_STRANGE = 0.05  # the share of judged queries up to which some may be missing, and others too many

# severity -> when it is said, and what: a problem makes the numbers wrong or impossible, a doubt is
# that every list stands on its head, a note is on how the numbers read
SENTENCES: dict[str, tuple[tuple[Callable[[Counts], object], str], ...]] = {
    "problem": (
        (
            lambda c: c.relevant == 0,
            N_(
                "No item is relevant: all grades are {low} ({grades}), so every value is 0. Is "
                "this the right column, or is {highest:g} your relevant grade?"
            ),
        ),
        (
            lambda c: c.relevant and c.judged_retrieved == 0,
            N_(
                "No judged item is in the run, so every value is 0. The run's items begin with "
                "{first[0]}, the judged ones with {first[1]}. Both must name their items alike."
            ),
        ),
        (
            lambda c: c.tied and c.one_score,
            N_(
                "All scores are equal: the order is the tie order, and the numbers say nothing of "
                "the system. Is this the right column?"
            ),
        ),
    ),
    "doubt": (
        (
            lambda c: c.numbered,
            N_(
                "In every query the scores are whole numbers from 1 to n (or 0 to n - 1), each "
                "once, as ranks are, and the highest comes first."
            ),
        ),
        (
            lambda c: c.upside_down,
            N_(
                "Relevant items stand lower than in a random order: the mean AP is "
                "{c.by_chance[0]:.4f}, and {c.by_chance[1]:.4f} by chance."
            ),
        ),
        (
            lambda c: c.numbered or c.upside_down,
            N_(
                "If low scores are the better ones, as of ranks and distances, every list stands "
                "on its head. To turn a frame: run.assign(score=-run['score']). Of a file, say "
                "that the column NAME is a rank: read_run(file, columns={{'NAME': 'rank'}}), or "
                "--run-columns FILE NAME=rank in the command; of a TREC file the columns are "
                "0=query_id 2=doc_id 4=rank."
            ),
        ),
    ),
    "note": (
        (
            lambda c: len(c.missing),
            N_(
                "The run lacks {missing:,} of {c.judged:,} judged queries ({some_missing}): each "
                "counts 0 in the mean, unless the conventions skip it (their choice 'missing')."
            ),
        ),
        (
            lambda c: len(c.empty) and c.relevant and c.relevant_from is None,
            N_(
                "{empty:,} of {c.judged:,} judged queries have no relevant item ({some_empty}): "
                "each counts 0 in the mean, whatever the system does, unless the conventions skip "
                "it (their choice 'no_relevant')."
            ),
        ),
        (
            lambda c: len(c.empty) and c.relevant and c.relevant_from is not None,
            N_(
                "{empty:,} of {c.judged:,} judged queries have no relevant item ({some_empty}): "
                "each counts 0 in the mean, whatever the system does, unless the conventions skip "
                "it (their choice 'no_relevant') or let lower grades gain (their choice "
                "'low_grades')."
            ),
        ),
        (
            lambda c: c.relevant == c.judgements and len(c.grades) == 1,
            N_(
                "Every judgement has grade {c.grades[0]:g} and counts as relevant. So no item is "
                "known to be not relevant: those without a judgement only count as such."
            ),
        ),
        (
            lambda c: c.relevant == c.judgements and len(c.grades) > 1,
            N_(
                "Every judgement counts as relevant, also the lowest grade, {c.grades[0]:g}. If "
                "low grades mean that an item is not relevant, say from which one on it is: "
                "relevant_from={likely:g}, for example, or --relevant-from {likely:g} in the "
                "command."
            ),
        ),
        (
            lambda c: c.run_only,
            N_("Queries of the run that nobody judged: {c.run_only:,}. They do not count."),
        ),
        (
            lambda c: min(len(c.missing), c.run_only) > _STRANGE * c.judged,
            N_(
                "The run lacks queries of the qrels, and has others in their place. Does the same "
                "id mean the same query in both? Numbers that look alike may come from two lists."
            ),
        ),
        (
            lambda c: c.judged_top < c.top / 2,
            N_(
                "Only {share_top} of the first {top} items are judged. The others count as not "
                "relevant, so the true values may be higher."
            ),
        ),
        (
            lambda c: c.touched,
            N_(
                "In {c.touched:,} of {c.judged:,} queries a relevant item shares its score with "
                "another item: the values depend on the tie order. {tie_range}"
            ),
        ),
        (
            lambda c: c.tied_as_float32 > c.tied,
            N_(
                "{more_tied:,} more rows are tied if scores are rounded to float32, as pytrec_eval "
                "and trec_eval before 9.0.8 do: their values may differ from these in those "
                "queries."
            ),
        ),
        (
            lambda c: c.precision and c.rows > 1,
            N_(
                "Every score fits into {c.precision}, which has two or three digits: were they "
                "rounded? Export them in full, or ties decide the order."
            ),
        ),
        (
            lambda c: c.grades[0] < 0,
            N_(
                "Some grades are negative: like 0 they mean not relevant, and gain nothing in nDCG."
            ),
        ),
        (
            lambda c: (c.grades % 1).any(),
            N_(
                "Some grades are fractions: any {which} is relevant; nDCG gains the fraction "
                "itself."
            ),
        ),
        (
            lambda c: c.blank_ends is not None,
            N_(
                "Some ids begin or end with a blank, such as {blank_ends}. They are compared "
                "exactly as written, blank included."
            ),
        ),
    ),
}


def words_of(c: Counts) -> dict[str, object]:
    """What the templates speak of besides the counts themselves."""
    found = c.retrieved[c.retrieved > 0]
    low, high = c.grades[0], c.grades[-1]
    some = ", ".join(f"{grade:g}" for grade in c.grades[:8])
    in_both = c.judged - len(c.missing)
    return {
        "in_run": in_both + c.run_only,
        "in_both": in_both,
        "missing": len(c.missing),
        "some_missing": _some(c.missing),
        "empty": len(c.empty),
        "some_empty": _some(c.empty),
        "lengths": f"{found.min()} / {np.median(found):g} / {found.max()}",
        "grades": text(N_("{some}, … ({n:,} in all)"), some=some, n=len(c.grades))
        if len(c.grades) > 8
        else some,
        "highest": high,
        "low": text(N_("0 or below"))
        if c.relevant_from is None
        else text(N_("below {grade:g}"), grade=c.relevant_from),
        "likely": c.grades[c.grades >= low + 0.75 * (high - low)][0],
        "which": text(N_("above 0"))
        if c.relevant_from is None
        else text(N_("{grade:g} or more"), grade=c.relevant_from),
        "share_judged": _share(c.judged_retrieved, int(c.retrieved.sum())),
        "share_top": _share(c.judged_top, c.top),
        "share_tied": _share(c.tied, c.rows),
        "top": TOP,
        "more_tied": c.tied_as_float32 - c.tied,
        "tie_range": _tie_range(c),
        "first": [*map(shown, c.first)],
        "blank_ends": shown(c.blank_ends),
    }


def _some(ids: Sequence[str]) -> str:
    return ", ".join(shown(str(text)) for text in ids[:3]) + (", …" if len(ids) > 3 else "")


def _share(part: int, whole: int) -> Text:
    return text("{share:.1%}", share=part / whole) if whole else text(N_("none"))


def _tie_range(c: Counts) -> Text:
    """How far the order moves the means that were asked for; nothing of those without a range."""
    moved = [
        {"name": name, "low": low, "high": high}
        for name, (low, high) in c.tie_range.items()
        if f"{low:.4f}" != f"{high:.4f}"
    ]
    if len(moved) == 1:
        message = N_("It can move the mean {name} from {low:.4f} to {high:.4f}.")
        return text(message, **moved[0])
    if moved:
        each = [text(N_("{name} from {low:.4f} to {high:.4f}"), **mean) for mean in moved]
        return text(N_("It can move these means: {moved}."), moved=together(each, ", "))
    if not c.tie_range:
        return text(N_("How far it moves the means is not known under these conventions."))
    names = ", ".join(c.tie_range)
    if len(c.tie_range) == 1:
        return text(N_("Four digits of the mean {name} are the same in any order."), name=names)
    return text(N_("Four digits of each mean are the same in any order: {names}."), names=names)
