"""What columns of ours are called and hold, and what others may be by their names and values."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import product
from math import isnan, prod
from typing import TYPE_CHECKING, Literal, NamedTuple

from byhand.errors import DataError, shown
from byhand.words import N_, text

if TYPE_CHECKING:
    import pyarrow

OURS = ("query_id", "doc_id", "score", "rank", "relevance")
# names in falling order of trust, without case, blanks and punctuation; those on one line are
# equals, and two of them in one file are a question that only its owner can answer
ALIASES = {
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
        "clicked isclicked click",
        "rating",  # what recommenders call the true ones; their own predictions mostly otherwise
    ),
}
CROSSED = {"relevance": "score", "score": "relevance"}
_TIME = re.compile("time|date", re.IGNORECASE)  # of columns that hold numbers, but none of ours
_MANY = 1000  # of so many columns none is guessed: that takes seconds, and finds chance likenesses
_MOST = 6  # ways that a message offers

# what a column holds; an empty one is the type of a column of which nothing is known
Type = Literal["text", "whole", "fraction", "truth", "nested", ""]
# which of the rows of one query and item stays
Duplicates = Literal["first", "best"]
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[+-]?\d+")
_FRACTION = re.compile(r"[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?|[+-]?(inf|infinity)|nan")
# how odd a type is for a column of ours; one that is not quoted cannot be it
_ODD: Mapping[str, Mapping[Type, int]] = {
    "query_id": {"text": 0, "": 1, "whole": 1},
    "doc_id": {"text": 0, "": 1, "whole": 1},
    "score": {"fraction": 0, "": 1, "whole": 1},
    "rank": {"whole": 0, "": 1},
    "relevance": {"truth": 0, "whole": 0, "": 1, "fraction": 2},
}
Option = tuple[str, str]  # the name of one of theirs, and what it is of ours


@dataclass(frozen=True)
class Wanted:
    """What is wanted of a table."""

    kind: str  # what the table is called in messages
    table: str  # which of the two tables of an evaluation it is or holds first
    needs: tuple[str, ...]  # the columns that must be there; a rank can stand in for the score
    # of a table of words: for each column the plain names that it may have, the likeliest first;
    # and the columns where there is no line of names, by how many there are
    names: Mapping[str, str] = field(default_factory=dict)
    bare: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    def known(self, names: Sequence[str]) -> int:
        """How many of the columns these names offer."""
        if not self.names:
            return known_names(names)
        found = {plain(name) for name in names}
        return sum(not found.isdisjoint(each.split()) for each in self.names.values())

    @property
    def scored(self) -> bool:
        """Whether the table ranks its items."""
        return "score" in self.needs


RUN = Wanted("run", "run", ("query_id", "doc_id", "score"))
QRELS = Wanted("qrels", "qrels", ("query_id", "doc_id", "relevance"))
JUDGED_RUN = Wanted("judged run", "run", ("doc_id", "score", "relevance"))


def plain(name: str) -> str:
    """A column name without case, blanks and punctuation: "Query-ID " is "queryid"."""
    return re.sub(r"[\W_]+", "", name.casefold())


def names_of(ours: str) -> list[str]:
    """Every plain name that one of our columns is known by, in falling order of trust."""
    return " ".join(ALIASES[ours]).split()


def known_names(names: Sequence[str]) -> int:
    """How many of our columns these names offer."""
    found = {plain(name) for name in names}
    return sum(not found.isdisjoint(names_of(ours)) for ours in OURS)


def quoted(names: Sequence[object]) -> str:
    """Names for a message; of very many, the first."""
    some = ", ".join(shown(name) for name in names[:20])
    return (some or "none") + (f" and {len(names) - 20} more" if len(names) > 20 else "")


def left_out(repeated: int, duplicates: Duplicates) -> list[str]:
    """The note on rows that repeat a query and its item, if there are such."""
    if not repeated:
        return []
    message = {
        (True, "first"): N_("1 row repeats a query and its item: of each, the first row stays."),
        (True, "best"): N_("1 row repeats a query and its item: of each, the best row stays."),
        (False, "first"): N_(
            "{n:,} rows repeat a query and its item: of each, the first row stays."
        ),
        (False, "best"): N_("{n:,} rows repeat a query and its item: of each, the best row stays."),
    }[repeated == 1, duplicates]
    return [text(message, n=repeated)]


KEPT = "duplicates='best' keeps the one with the highest score, 'first' the first one"


def unordered() -> DataError:
    """What to say where the first of some rows is asked for, and none of them is."""
    return DataError(
        "run: duplicates='first' keeps the first of the rows as they stand, and a table that is "
        "not in memory has no order. duplicates='best' keeps the one with the highest score."
    )


def number_of(text: str | None) -> float:
    """The number that a text says, and NaN if it says none: "1_0" does not, though float reads it.

    Example:
        >>> number_of("2.5e1"), number_of("1_0")
        (25.0, nan)
    """
    return float(text) if text and _NUMBER.fullmatch(text) else float("nan")


def is_number(text: str) -> bool:
    """Whether a text says a finite number, with a decimal point if it is a fraction."""
    return not isnan(number_of(text))


def type_of(values: Iterable[object]) -> Type:
    """The type of some values, written as text or not; missing ones tell nothing."""
    values = [value for value in values if value is not None]
    if any(isinstance(value, list | dict) for value in values):
        return "nested"
    texts = [text for value in values if (text := str(value).strip().lower())]
    if not texts:
        return ""
    if all(map(_WHOLE.fullmatch, texts)):
        return "whole"
    if all(map(_FRACTION.fullmatch, texts)):
        return "fraction"
    return "truth" if {"true", "false"}.issuperset(texts) else "text"


def type_of_arrow(kind: "pyarrow.DataType") -> Type:
    """The type of values that Arrow has a type of its own for."""
    import pyarrow as pa

    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    if pa.types.is_integer(kind):
        return "whole"
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return "fraction"
    if pa.types.is_null(kind):
        return ""
    if pa.types.is_nested(kind):
        return "nested"
    return "truth" if pa.types.is_boolean(kind) else "text"


class Guess(NamedTuple):
    """What missing columns may be called, and what that is guessed by."""

    ways: tuple[dict[str, str], ...]  # theirs: ours; several, if only their owner can tell
    basis: Literal["name", "likeness", "type", "part"]  # part: some are none of theirs


def guess(
    missing: Sequence[str], names: Sequence[str], types: Mapping[str, Type] | None = None
) -> Guess | None:
    """What missing columns may be called, if anything looks like them.

    An id may be guessed by its type and place: a wrong one finds nothing, and that is seen. A
    number is guessed by its type only where no other column could be it, as a rank that is taken
    for a score turns every ranking round.

    Example:
        >>> guess(["doc_id", "score"], ["DocNo", "bm25_score", "title"])
        Guess(ways=({'DocNo': 'doc_id', 'bm25_score': 'score'},), basis='likeness')
    """
    if len(names) > _MANY:
        return None
    types, alone = types or {}, len(missing) == 1
    found: dict[str, list[Option]] = {}
    basis = "name"

    def free() -> list[str]:
        taken = {name for options in found.values() for name, _ in options}
        return [name for name in names if name not in taken]

    for likeness, step in (("name", _known), ("likeness", crossed), ("likeness", _near)):
        for ours in (ours for ours in missing if ours not in found):
            fitting = [name for name in free() if types.get(name, "") in _ODD[ours]]
            if step is crossed and (not alone or _others(ours, fitting)):
                continue
            if like := step(ours, fitting):
                found[ours] = [(name, ours) for name in like]
                basis = likeness
    left = [ours for ours in missing if ours not in found]
    if left and (types or not alone):
        unknown = [name for name in free() if not known_names([name])]
        found |= _by_type(left, unknown + crossed(missing[0], names) * alone, types)
        basis = "type"
    ways = _ways([found[ours] for ours in missing if ours in found])
    if not ways:
        return None
    return Guess(ways, "part" if len(ways[0]) < len(missing) else basis)


def _others(ours: str, names: Sequence[str]) -> bool:
    """Whether further columns than that of the grades may hold the scores."""
    unknown = (name for name in names if not (known_names([name]) or _TIME.search(name)))
    return ours == "score" and any(unknown)


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
    kinds = {name: types.get(name, "") for name in names if not _TIME.search(name)}
    found: dict[str, list[Option]] = {}
    ids = [ours for ours in left if ours.endswith("_id")]
    could = [name for name, kind in kinds.items() if kind == "text"]
    if len(could) < len(ids):
        could = [name for name, kind in kinds.items() if kind in _ODD["doc_id"]]
    for ours in ids:
        if len(could) == 1 or (could and len(left) > 1):
            found[ours] = [(could.pop(0), ours)]
            del kinds[found[ours][0][0]]
    for ours in (ours for ours in left if ours not in ids):
        readings = ("score", "rank") if ours == "score" else (ours,)
        odd = {
            (name, each): _ODD[each][kind]
            for each in readings
            for name, kind in kinds.items()
            if kind in _ODD[each]
        }
        if odd:
            found[ours] = sorted(odd, key=odd.get)
    return found


def _known(ours: str, names: Sequence[str]) -> list[str]:
    tiers = (line.split() for line in ALIASES[ours])
    found = ([name for name in names if plain(name) in tier] for tier in tiers)
    return next(filter(None, found), [])


def crossed(ours: str, names: Sequence[str]) -> list[str]:
    """A grade where a score is missing, or a score where a grade is."""
    known = names_of(CROSSED[ours]) if ours in CROSSED else []
    return [name for name in names if plain(name) in known][:1]


def _near(ours: str, names: Sequence[str]) -> list[str]:
    """The names that come close to a known one, or hold one; of an id the first."""
    names = [name for name in names if not known_names([name])]
    if ours == "score":
        names = [name for name in names if not any(r in plain(name) for r in names_of("rank"))]
    theirs = {plain(name): name for name in names}
    found = {}
    for known in names_of(ours):
        close = get_close_matches(known, theirs, n=len(theirs) or 1, cutoff=0.75)
        inside = [name for name in theirs if len(known) > 3 and known in name]
        found |= dict.fromkeys(theirs[name] for name in close or inside)
        if found and ours.endswith("_id"):
            return [*found][:1]
    return [*found]
