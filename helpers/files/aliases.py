"""What our columns may be called: one table of names, for files and for frames in memory."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from helpers.files.typed import Type, oddity

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
        "itemid iid movieid passageid pid corpusid productid spotid traintriple trainingtriple "
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
        "rating",  # what recommenders call the true ones; their own predictions mostly otherwise
    ),
}
_TIME = re.compile("time|date", re.IGNORECASE)  # of columns that hold numbers, but none of ours
_CROSSED = {"score": "relevance", "relevance": "score"}


@dataclass(frozen=True)
class Guess:
    """What missing columns may be called.

    Attributes:
        columns: for the name of each of theirs the one of ours that it may be.
        basis: "name" if each is a known name of that column alone, "likeness" if some only come
            close to one, "type" if some merely hold what such a column does; "part" if some of
            the missing columns are none of theirs.
    """

    columns: dict[str, str]
    basis: Literal["name", "likeness", "type", "part"]


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
    wanted = names_of(other) if other else []
    return next((name for name in names if plain(name) in wanted), None)


def guess(
    missing: Sequence[str], names: Sequence[str], types: Mapping[str, Type] | None = None
) -> Guess | None:
    """What missing columns may be called, if anything looks like them.

    Args:
        missing: those of ours that are missing.
        names: the names of the columns that could be them.
        types: what type of values each of those holds, where that is known.

    Example:
        >>> guess(["doc_id", "score"], ["DocNo", "bm25_score", "title"])
        Guess(columns={'DocNo': 'doc_id', 'bm25_score': 'score'}, basis='likeness')
        >>> guess(["doc_id", "score"], ["Punkte", "Hotel"], {"Punkte": "fraction"})
        Guess(columns={'Hotel': 'doc_id', 'Punkte': 'score'}, basis='type')
    """
    found: dict[str, str] = {}
    types = types or {}
    for basis, step in _STEPS:
        if step is crossed and len(missing) > 1:
            continue
        for ours in missing:
            rest = [name for name in names if name not in found.values()]
            rest = [name for name in rest if oddity(ours, types.get(name, "")) is not None]
            if step is _near:
                rest = [name for name in rest if not known_names([name])]
            if ours not in found and (theirs := step(ours, rest)) is not None:
                found[ours] = theirs
        if len(found) == len(missing):
            return Guess({found[ours]: ours for ours in missing}, basis)
    left = [ours for ours in missing if ours not in found]
    rest = [name for name in names if name not in found.values() and not known_names([name])]
    typed = _by_type(left, rest, types)
    if len(typed) == len(left) and (len(missing) > 1 or types):
        found |= typed
    basis = "type" if len(found) == len(missing) else "part"
    return Guess({found[ours]: ours for ours in missing if ours in found}, basis) if found else None


def _by_type(
    left: Sequence[str], names: Sequence[str], types: Mapping[str, Type]
) -> dict[str, str]:
    """For each of ours a name whose type allows it.

    The only fractions are scores, and texts are ids, if there are enough; for the rest the order
    decides if it can, or else the likeliest type. One of ours alone gets a name if no other is as
    likely.
    """

    def odd(ours: str, name: str) -> int | None:
        return oddity(ours, types.get(name, ""))

    names = [name for name in names if not _TIME.search(name)]
    found: dict[str, str] = {}
    if len(left) > 1:
        fractions = [name for name in names if types.get(name) == "fraction"]
        if "score" in left and len(fractions) == 1:
            found["score"] = fractions[0]
        texts = [name for name in names if types.get(name) == "text"]
        ids = [ours for ours in left if ours.endswith("_id")]
        if len(texts) >= len(ids):
            found |= zip(ids, texts, strict=False)
    rest = [ours for ours in left if ours not in found]
    names = [name for name in names if name not in found.values()]
    in_order = dict(zip(rest, names, strict=False))
    if len(in_order) == len(rest) > 1 and None not in [odd(*each) for each in in_order.items()]:
        return found | in_order
    # numbers first: most columns that hold none can be an id
    for ours in sorted(rest, key=lambda ours: ours.endswith("_id")):
        free = [name for name in names if name not in found.values()]
        free = [name for name in free if odd(ours, name) is not None]
        best = [name for name in free if odd(ours, name) == min(odd(ours, each) for each in free)]
        if best and (len(left) > 1 or len(best) == 1):
            found[ours] = best[0]
    return found


def _known(ours: str, names: Sequence[str]) -> str | None:
    theirs = {plain(name): name for name in names}
    return next((theirs[name] for name in names_of(ours) if name in theirs), None)


def _near(ours: str, names: Sequence[str]) -> str | None:
    """The name that comes close to a known one, or holds one."""
    theirs = {plain(name): name for name in names}
    for known in names_of(ours):
        close = get_close_matches(known, theirs, n=1, cutoff=0.75)
        inside = [name for name in theirs if len(known) > 3 and known in name]
        if close or inside:
            return theirs[(close or inside)[0]]
    return None


# from the surest to the boldest
_STEPS = (
    ("name", _known),
    ("likeness", crossed),
    ("likeness", _near),
)
