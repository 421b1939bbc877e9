"""What to do about columns that a file lacks."""

from collections.abc import Mapping, Sequence

from byhand.files.aliases import crossed, guess, plain
from byhand.files.typed import Type

ALL_HITS = "If every row is a hit, as in a log of clicks, say relevance=1. "


def one_of(missing: Sequence[str]) -> str:
    """How several ways to name missing columns are offered.

    Example:
        >>> one_of(["doc_id"])
        'Only you can tell which column is which. Whichever is right'
    """
    best = "; the highest score is best, and the lowest rank" * ("score" in missing)
    return f"Only you can tell which column is which{best}. Whichever is right"


def all_hits(grade: float) -> str:
    """The note on a grade that the user gave to every row.

    Example:
        >>> all_hits(1)
        'Every row is a hit, with relevance 1; rows that repeat a query and its item count once.'
    """
    return (
        f"Every row is a hit, with relevance {grade:g}; rows that repeat a query and its item "
        "count once."
    )


def advice(
    missing: Sequence[str], free: Sequence[str], needs: Sequence[str], types: Mapping[str, Type]
) -> tuple[str, tuple[dict[str, str | float], ...]]:
    """What to do about missing columns: a sentence, and the ways to name them, of which one is it.

    Args:
        missing: those of ours that a file lacks.
        free: the names of its columns that are none of ours.
        needs: those of ours that have to be there.
        types: what type of values each column holds, where that is known.

    Example:
        >>> advice(["score"], ["title", "bm25_score"], ("query_id", "doc_id", "score"), {})
        ("If 'bm25_score' is it, pass", ({'bm25_score': 'score'},))
    """
    ours, likely = missing[0], guess(missing, free, types)
    graded = likely and "relevance" in likely.ways[0].values()
    scored = {"score", *map(plain, free)} if "score" in needs else {*map(plain, free)}
    if "relevance" in missing and not graded and "score" not in scored:
        others = [each for each in missing if each != "relevance"]
        rest = guess(others, free, types)
        if rest or not others:
            ways = rest.ways if rest else ({},)
            return "That is, pass", tuple({**way, "relevance": 1} for way in ways)
    swapped = "" if {"score", "relevance"} <= {*missing} else _swapped(missing, free)
    if likely and len(likely.ways) > 1:
        return f"{swapped}{one_of(missing)}, pass", likely.ways
    if len(missing) == 1 and swapped and likely and crossed(ours, free) in likely.columns:
        thing = "grades" if ours == "relevance" else "scores"
        return f"{swapped}If that column holds {thing}, pass", likely.ways
    if likely and likely.basis == "type" and len(missing) > 1:
        best = " (the highest score is best)" * ("score" in missing)
        return f"{swapped}Say which is which{best}, for example", likely.ways
    if likely and likely.basis != "part":
        it = repr(*likely.columns) + " is it" if len(missing) == 1 else "they are these"
        return f"{swapped}If {it}, pass", likely.ways
    if len(missing) > 1:
        expected = f"{swapped}Expected the columns {', '.join(needs)}"
        if likely:
            return f"{expected}. For those that are there, pass", likely.ways
        return f"{expected}.", ()
    numbered = "Items without ids need one each, such as their row number. " * (ours == "doc_id")
    where = f"Name the column that holds it in columns=, as {ours}" if free else "Add it"
    return f"{swapped}{numbered}{where}.", ()


def _swapped(missing: Sequence[str], free: Sequence[str]) -> str:
    """What to say of grades where scores are missing, and of scores where grades are."""
    for ours, what, reader in (
        ("relevance", "a run does", "read_run"),
        ("score", "qrels do", "read_qrels"),
    ):
        if ours in missing and (name := crossed(ours, free)):
            return f"It has {name!r}, as {what}: {reader} reads those. "
    return ""
