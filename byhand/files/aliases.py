"""What our columns may be called: one table of names, for files and for frames in memory."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import product
from math import prod
from typing import Literal

from byhand.files.typed import Type, oddity

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
Option = tuple[str, str]  # the name of one of theirs, and what it is of ours
_CROSSED = {"score": "relevance", "relevance": "score"}


@dataclass(frozen=True)
class Guess:
    """What missing columns may be called.

    Attributes:
        ways: for the name of each of theirs the one of ours that it may be; several, if only their
            owner can tell which is right.
        basis: "name" if each is a known name of that column alone, "likeness" if some only come
            close to one, "type" if some merely hold what such a column does; "part" if some of
            the missing columns are none of theirs.
    """

    ways: tuple[dict[str, str], ...]
    basis: Literal["name", "likeness", "type", "part"]

    @property
    def columns(self) -> dict[str, str]:
        """The one way; nothing if there are several."""
        return self.ways[0] if len(self.ways) == 1 else {}


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

    An id may be guessed by its type and place: a wrong one finds nothing, and that is seen. A
    number is guessed by its type only where no other column could be it, as a rank that is taken
    for a score turns every ranking round.

    Args:
        missing: those of ours that are missing.
        names: the names of the columns that could be them.
        types: what type of values each of those holds, where that is known.

    Example:
        >>> guess(["doc_id", "score"], ["DocNo", "bm25_score", "title"])
        Guess(ways=({'DocNo': 'doc_id', 'bm25_score': 'score'},), basis='likeness')
        >>> guess(["doc_id", "score"], ["Punkte", "Hotel"], {"Punkte": "fraction"}).columns
        {'Hotel': 'doc_id', 'Punkte': 'score'}
        >>> types = {"Buch": "text", "Rang": "whole", "Wert": "fraction"}
        >>> for way in guess(["doc_id", "score"], [*types], types).ways:
        ...     print(way)
        {'Buch': 'doc_id', 'Wert': 'score'}
        {'Buch': 'doc_id', 'Rang': 'rank'}
        {'Buch': 'doc_id', 'Rang': 'score'}
    """
    if len(names) > _MANY:
        return None
    types = types or {}
    named: dict[str, list[Option]] = {}
    bases = ["name"]
    for basis, step in _STEPS:
        for ours in missing:
            taken = {name for options in named.values() for name, _ in options}
            rest = [name for name in names if name not in taken]
            rest = [name for name in rest if oddity(ours, types.get(name, "")) is not None]
            if step is _crossed and (len(missing) > 1 or _others(ours, rest, types)):
                continue
            if ours not in named and (options := step(ours, rest)):
                named[ours] = options
                bases.append(basis)
    taken = {name for options in named.values() for name, _ in options}
    free = [name for name in names if name not in taken and not known_names([name])]
    if len(missing) == 1 and (name := crossed(missing[0], names)):
        free.append(name)
    left = [ours for ours in missing if ours not in named]
    if left and (len(missing) > 1 or types):
        named |= _by_type(left, free, types)
        bases.append("type")
    ways = _ways([named[ours] for ours in missing if ours in named])
    if not ways:
        return None
    part = len(ways[0]) < len(missing)
    return Guess(ways, "part" if part else max(bases, key=_BASES.index))


def _others(ours: str, names: Sequence[str], types: Mapping[str, Type]) -> bool:
    """Whether further columns hold numbers beside the one that is a grade, or a score."""
    free = [name for name in names if not (known_names([name]) or _TIME.search(name))]
    return ours == "score" and any(
        types.get(name, "") in ("whole", "fraction", "") for name in free
    )


def _ways(options: Sequence[Sequence[Option]]) -> tuple[dict[str, str], ...]:
    """Each choice among options that takes no column twice; what is left to too many is not."""
    while prod(map(len, options)) > _MOST:
        longest = max(map(len, options))
        options = [each for each in options if len(each) < longest]
    ways = [dict(way) for way in product(*options)]
    return tuple(way for way in ways if way and len(way) == len(options))


def _by_type(
    left: Sequence[str], names: Sequence[str], types: Mapping[str, Type]
) -> dict[str, list[Option]]:
    """For each of ours the names whose type allows it: of an id the likeliest, of a number all."""

    def odd(option: Option) -> int | None:
        return oddity(option[1], types.get(option[0], ""))

    free = [name for name in names if not _TIME.search(name)]
    found: dict[str, list[Option]] = {}
    ids = [ours for ours in left if ours.endswith("_id")]
    texts = [name for name in free if types.get(name) == "text"]
    enough = len(texts) >= len(ids)
    for ours in ids:
        options = [(name, ours) for name in (texts if enough else free) if name in free]
        options = [option for option in options if odd(option) is not None]
        least = min(map(odd, options), default=None)
        best = [option for option in options if odd(option) == least]
        if best and (len(left) > 1 or len(best) == 1):
            found[ours] = options[:1] if len(left) > 1 else best
            free.remove(found[ours][0][0])
    for ours in (ours for ours in left if ours not in ids):
        options = [(name, each) for name in free for each in _READINGS.get(ours, (ours,))]
        options = [option for option in options if odd(option) is not None]
        if options:
            found[ours] = sorted(options, key=lambda option: (odd(option), option[1] == "rank"))
    return found


def _known(ours: str, names: Sequence[str]) -> list[Option]:
    for tier in tiers(ours):
        if found := [(name, ours) for name in names if plain(name) in tier]:
            return found
    return []


def _crossed(ours: str, names: Sequence[str]) -> list[Option]:
    name = crossed(ours, names)
    return [(name, ours)] if name else []


def _near(ours: str, names: Sequence[str]) -> list[Option]:
    """The names that come close to a known one, or hold one; of an id the first."""
    names = [name for name in names if not known_names([name])]
    if ours == "score":
        ranks = [name for name in names if any(each in plain(name) for each in names_of("rank"))]
        names = [name for name in names if name not in ranks]
    theirs = {plain(name): name for name in names}
    found = {}
    for known in names_of(ours):
        close = get_close_matches(known, theirs, n=len(theirs) or 1, cutoff=0.75)
        inside = [name for name in theirs if len(known) > 3 and known in name]
        found |= dict.fromkeys(theirs[name] for name in close or inside)
        if found and ours.endswith("_id"):
            return [(next(iter(found)), ours)]
    return [(name, ours) for name in found]


_MANY = 1000  # of so many columns none is guessed: that takes seconds, and finds chance likenesses
_MOST = 6  # ways that a message offers
_READINGS = {"score": ("score", "rank")}
_BASES = ("name", "likeness", "type")
# from the surest to the boldest
_STEPS = (
    ("name", _known),
    ("likeness", _crossed),
    ("likeness", _near),
)
