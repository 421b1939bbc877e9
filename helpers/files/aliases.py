"""What our columns may be called: one table of names, for files and for frames in memory."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

OURS = ("query_id", "doc_id", "score", "rank", "relevance")
# names in falling order of trust, without case, blanks and punctuation; those on one line are
# equals, and two of them in one file are a question that only its owner can answer
_ALIASES = {
    "query_id": (
        "qid queryid",
        "topicid userid uid questionid testtriple testedge testid",
        "query topic user question",
    ),
    "doc_id": (
        "docno",  # before docid, which some tools use for an internal number
        "docid documentid did",
        "itemid iid passageid pid corpusid productid spotid traintriple trainingtriple "
        "trainedge trainingedge trainid",
        "doc document item passage",
    ),
    "score": (
        "score",
        "sim similarity prediction pred predicted scores tracinscore",
    ),
    "rank": ("rank", "position"),
    "relevance": (
        "relevance rel qrel",
        "label grade judgment judgement relevant isrelevant inpath",
    ),
}
# Suggested, never taken: most recommenders call the true ratings so, and their own predictions
# otherwise, but some do not; and a rating of 1 out of 5, above 0, would count as relevant.
_DOUBTFUL = {"relevance": ["rating"]}
_CROSSED = {"score": "relevance", "relevance": "score"}


@dataclass(frozen=True)
class Guess:
    """What missing columns may be called.

    Attributes:
        columns: for the name of each of theirs the one of ours that it may be.
        basis: "name" if each is a known name of that column alone, "likeness" if some only come
            close to one, "order" if some merely stand in the same order; "part" if some of the
            missing columns are none of theirs.
    """

    columns: dict[str, str]
    basis: Literal["name", "likeness", "order", "part"]


def plain(name: str) -> str:
    """A column name without case, blanks and punctuation.

    Example:
        >>> plain("Query-ID ")
        'queryid'
    """
    return re.sub(r"[\W_]+", "", name.casefold())


def tiers(ours: str) -> list[list[str]]:
    """The plain names of one of our columns, in falling order of trust.

    Example:
        >>> tiers("rank")
        [['rank'], ['position']]
    """
    return [line.split() for line in _ALIASES[ours]]


def names_of(ours: str) -> list[str]:
    """Every plain name that one of our columns is known by.

    Example:
        >>> names_of("rank")
        ['rank', 'position']
    """
    return [name for tier in tiers(ours) for name in tier]


def known_names(names: Sequence[str]) -> int:
    """How many of our columns these names offer.

    Example:
        >>> known_names(["qid", "docno", "color"])
        2
    """
    found = {plain(name) for name in names}
    return sum(not found.isdisjoint(names_of(ours)) for ours in OURS)


def crossed(ours: str, names: Sequence[str]) -> str | None:
    """A grade where a score is missing, or a score where a grade is.

    Example:
        >>> crossed("score", ["docno", "rating"])
        'rating'
    """
    other = _CROSSED.get(ours)
    wanted = [*names_of(other), *_DOUBTFUL.get(other, [])] if other else []
    return next((name for name in names if plain(name) in wanted), None)


def guess(missing: Sequence[str], names: Sequence[str]) -> Guess | None:
    """What missing columns may be called, if anything looks like them.

    Args:
        missing: those of ours that are missing.
        names: the names of the columns that could be them.

    Example:
        >>> guess(["doc_id", "score"], ["DocNo", "bm25_score", "title"])
        Guess(columns={'DocNo': 'doc_id', 'bm25_score': 'score'}, basis='likeness')
    """
    found: dict[str, str] = {}
    for basis, step in _STEPS:
        if step is crossed and len(missing) > 1:
            continue
        for ours in missing:
            rest = [name for name in names if name not in found.values()]
            if step is _near:
                rest = [name for name in rest if not known_names([name])]
            if ours not in found and (theirs := step(ours, rest)) is not None:
                found[ours] = theirs
        if len(found) == len(missing):
            return Guess({found[ours]: ours for ours in missing}, basis)
    left = [ours for ours in missing if ours not in found]
    rest = [name for name in names if name not in found.values() and not known_names([name])]
    basis = "part"
    if len(missing) > 1 and len(left) <= len(rest):
        found |= zip(left, rest, strict=False)
        basis = "order"
    return Guess({found[ours]: ours for ours in missing if ours in found}, basis) if found else None


def _known(ours: str, names: Sequence[str]) -> str | None:
    theirs = {plain(name): name for name in names}
    return next((theirs[name] for name in names_of(ours) if name in theirs), None)


def _doubtful(ours: str, names: Sequence[str]) -> str | None:
    return next((name for name in names if plain(name) in _DOUBTFUL.get(ours, [])), None)


def _near(ours: str, names: Sequence[str]) -> str | None:
    """The name that comes close to a known one, or holds one."""
    theirs = {plain(name): name for name in names}
    for known in [*names_of(ours), *_DOUBTFUL.get(ours, [])]:
        close = get_close_matches(known, theirs, n=1, cutoff=0.75)
        inside = [name for name in theirs if len(known) > 3 and known in name]
        if close or inside:
            return theirs[(close or inside)[0]]
    return None


# from the surest to the boldest
_STEPS = (
    ("name", _known),
    ("likeness", _doubtful),
    ("likeness", crossed),
    ("likeness", _near),
)
