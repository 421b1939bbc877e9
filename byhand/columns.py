"""What columns of ours are called and hold, and what others may be by their names and values."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from math import isnan
from typing import TYPE_CHECKING, Literal

from byhand.errors import shown
from byhand.words import Message

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

# what a column holds; an empty one is the type of a column of which nothing is known
Type = Literal["text", "whole", "fraction", "truth", "nested", ""]
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[+-]?\d+")
_FRACTION = re.compile(r"[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?|[+-]?(inf|infinity)|nan")
# the types that a column of ours may have, and those by which a column without a name is guessed
_HOLDS: Mapping[str, Sequence[Type]] = {
    "query_id": ("text", "whole"),
    "doc_id": ("text", "whole"),
    "score": ("fraction", "whole"),
    "relevance": ("truth", "whole", "fraction"),
}
_ORDERED: Mapping[str, Sequence[Type]] = {**_HOLDS, "score": ("fraction",)}


@dataclass(frozen=True)
class TableKind:
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


RUN = TableKind("run", "run", ("query_id", "doc_id", "score"))
QRELS = TableKind("qrels", "qrels", ("query_id", "doc_id", "relevance"))
JUDGED_RUN = TableKind("judged run", "run", ("doc_id", "score", "relevance"))


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
    if names[20:]:
        return Message("{names} and {n} more", names=some, n=len(names) - 20)
    return some or Message("none")


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


def guess(
    missing: Sequence[str], names: Sequence[str], types: Mapping[str, Type]
) -> dict[str, str]:
    """One way to name all missing columns, by names that come close or else in order, or none.

    A wrong id finds nothing, and that is seen. A whole number may be a rank, which turns every
    ranking round if it is taken for a score: only a fraction is, unless its name comes close.

    Example:
        >>> guess(["doc_id", "score"], ["Buch", "bm25_score"], {"Buch": "text"})
        {'Buch': 'doc_id', 'bm25_score': 'score'}
    """
    if len(names) > _MANY:
        return {}
    found: dict[str, str] = {}
    for ours in missing:
        for name in names:
            holds = types.get(name, "") in ("", *_HOLDS[ours])
            if ours not in found and name not in found.values() and holds and _is_near(name, ours):
                found[ours] = name
    left = [ours for ours in missing if ours not in found]
    free = [name for name in names if name not in found.values() and not known_names([name])]
    free = [name for name in free if not _TIME.search(name)]
    texts = [name for name in free if types.get(name) == "text"]
    ids = sum(ours.endswith("_id") for ours in left)
    for ours in left:
        enough = ours.endswith("_id") and len(texts) >= ids
        fitting = texts if enough else (each for each in free if types.get(each) in _ORDERED[ours])
        if (name := next((each for each in fitting if each not in found.values()), None)) is None:
            return {}
        found[ours] = name
    return {found[ours]: ours for ours in missing}


def _is_near(name: str, ours: str) -> bool:
    """Whether a name comes close to one that is known, or holds one; of no rank for a score."""
    theirs, known = plain(name), names_of(ours)
    if known_names([name]) or (ours == "score" and any(r in theirs for r in names_of("rank"))):
        return False
    inside = any(len(each) > 3 and each in theirs for each in known)
    return inside or bool(get_close_matches(theirs, known, n=1, cutoff=0.75))


def crossed(ours: str, names: Sequence[str]) -> str:
    """The name of a grade where a score is missing, or of a score where a grade is, if any is."""
    known = names_of(CROSSED[ours]) if ours in CROSSED else []
    return next((name for name in names if plain(name) in known), "")
