"""What columns are called and hold, here and elsewhere: one table of names, and one advice."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import product
from math import isnan, prod
from typing import TYPE_CHECKING, Literal

from byhand.errors import DataError, shown
from byhand.words import N_, text

if TYPE_CHECKING:
    import pyarrow

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
_CROSSED = {"score": "relevance", "relevance": "score"}
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
# how odd a type is for a column of ours; one that is not listed cannot be it
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
    """What is wanted of a table.

    Attributes:
        kind: what the table is called in messages.
        table: which of the two tables of an evaluation it is or holds first.
        needs: the columns that must be there; a rank can stand in for the score.
        names: for each column of a table of words the plain names that it may have, between
            blanks, the likeliest first.
        bare: the columns of such a table without a line of names, by how many there are.
    """

    kind: str
    table: str
    needs: tuple[str, ...]
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


def tiers(ours: str) -> list[list[str]]:
    """The plain names of one of our columns, in falling order of trust.

    Example:
        >>> tiers("rank")
        [['rank'], ['position']]
    """
    return [line.split() for line in _ALIASES[ours]]


def names_of(ours: str) -> list[str]:
    """Every plain name that one of our columns is known by."""
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
    wanted = names_of(_CROSSED[ours]) if ours in _CROSSED else []
    return next((name for name in names if plain(name) in wanted), None)


def listed(names: Sequence[object]) -> str:
    """Names for a message; of very many, the first."""
    some = ", ".join(shown(name) for name in names[:20])
    return (some or "none") + (f" and {len(names) - 20} more" if len(names) > 20 else "")


def left_out(repeated: int, duplicates: Duplicates) -> list[str]:
    """The note on rows that repeat a query and its item, if there are such.

    Example:
        >>> left_out(2, "best")
        ['2 rows repeat a query and its item: of each, the best row stays.']
    """
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
    """The type of some values, written as text or not; missing ones tell nothing.

    Example:
        >>> type_of(["1", "2.5", ""]), type_of([7, None]), type_of(["q1", "7"]), type_of([])
        ('fraction', 'whole', 'text', '')
    """
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


def advice(missing: Sequence[str], needs: Sequence[str], found: Guess, *, then: str = ",") -> str:
    """The sentence that offers the ways of a guess, which follow it.

    Args:
        missing: those of ours that a table lacks.
        needs: those of ours that it has to have.
        found: what they may be called.
        then: what comes between an offer and what to paste.

    Example:
        >>> found = guess(["score"], ["title", "bm25_score"])
        >>> print(advice(["score"], RUN.needs, found), *found.ways)
        If 'bm25_score' is it, {'bm25_score': 'score'}
    """
    scored, one = "score" in missing, len(missing) == 1
    if len(found.ways) > 1:
        best = "; the highest score is best, and the lowest rank" * scored
        return f"Only you can tell which column is which{best}. Whichever is right{then}"
    if found.basis == "part":
        return f"Expected the columns {', '.join(needs)}. For those that are there{then}"
    if found.basis == "name":
        return f"Rename {'it' if one else 'them'}{then}"
    if one:
        return f"If {repr(*found.columns)} is it{then}"
    best = " and the highest score is best" * (scored and found.basis == "type")
    return f"If these are the columns{best}{then}"


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
        >>> types = {"Buch": "text", "Rang": "whole", "Wert": "fraction"}
        >>> for way in guess(["doc_id", "score"], [*types], types).ways:
        ...     print(way)
        {'Buch': 'doc_id', 'Wert': 'score'}
        {'Buch': 'doc_id', 'Rang': 'rank'}
        {'Buch': 'doc_id', 'Rang': 'score'}
    """
    if len(names) > _MANY:
        return None
    types, alone = types or {}, len(missing) == 1
    found: dict[str, list[Option]] = {}
    basis = "name"

    def free() -> list[str]:
        taken = {name for options in found.values() for name, _ in options}
        return [name for name in names if name not in taken]

    for likeness, step in (("name", _known), ("likeness", _crossed), ("likeness", _near)):
        for ours in (ours for ours in missing if ours not in found):
            fitting = [name for name in free() if types.get(name, "") in _ODD[ours]]
            if step is _crossed and (not alone or _others(ours, fitting, types)):
                continue
            if like := step(ours, fitting):
                found[ours] = [(name, ours) for name in like]
                basis = likeness
    left = [ours for ours in missing if ours not in found]
    if left and (types or not alone):
        unknown = [name for name in free() if not known_names([name])]
        found |= _by_type(left, unknown + _crossed(missing[0], names) * alone, types)
        basis = "type"
    ways = _ways([found[ours] for ours in missing if ours in found])
    if not ways:
        return None
    return Guess(ways, "part" if len(ways[0]) < len(missing) else basis)


def _others(ours: str, names: Sequence[str], types: Mapping[str, Type]) -> bool:
    """Whether further columns hold numbers beside the one that is a grade, or a score."""
    free = [name for name in names if not (known_names([name]) or _TIME.search(name))]
    numbers = ("whole", "fraction", "")
    return ours == "score" and any(types.get(name, "") in numbers for name in free)


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
    free = [name for name in names if not _TIME.search(name)]
    kinds = {name: types.get(name, "") for name in free}
    found: dict[str, list[Option]] = {}
    ids = [ours for ours in left if ours.endswith("_id")]
    could = [name for name in free if kinds[name] == "text"]
    if len(could) < len(ids):
        could = [name for name in free if kinds[name] in _ODD["doc_id"]]
    for ours in ids:
        least = min((_ODD[ours][kinds[name]] for name in could), default=0)
        best = [name for name in could if len(left) > 1 or _ODD[ours][kinds[name]] == least]
        if len(best) == 1 or (best and len(left) > 1):
            found[ours] = [(best[0], ours)]
            could.remove(best[0])
            free.remove(best[0])
    for ours in (ours for ours in left if ours not in ids):
        readings = ("score", "rank") if ours == "score" else (ours,)
        options = [(name, each) for each in readings for name in free if kinds[name] in _ODD[each]]
        if options:
            order = {option: _ODD[option[1]][kinds[option[0]]] for option in options}
            found[ours] = sorted(options, key=lambda each: (order[each], each[1] == "rank"))
    return found


def _known(ours: str, names: Sequence[str]) -> list[str]:
    found = ([name for name in names if plain(name) in tier] for tier in tiers(ours))
    return next(filter(None, found), [])


def _crossed(ours: str, names: Sequence[str]) -> list[str]:
    name = crossed(ours, names)
    return [name] if name else []


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
