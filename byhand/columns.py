"""What columns are called and hold, and which is which of ours: one table, and one advice."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import product, zip_longest
from math import isnan, prod
from numbers import Integral, Real
from os import PathLike, fspath
from os.path import basename
from typing import TYPE_CHECKING, Literal, NamedTuple

from byhand.errors import DataError, both, shown
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
_CROSSED = {"relevance": "score", "score": "relevance"}
_SWAPPED = {
    "relevance": "It has {!r}, as a run does: is it the run? ",
    "score": "It has {!r}, as qrels do: is it the qrels? ",
}
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
    return " ".join(_ALIASES[ours]).split()


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
    tiers = (line.split() for line in _ALIASES[ours])
    found = ([name for name in names if plain(name) in tier] for tier in tiers)
    return next(filter(None, found), [])


def _crossed(ours: str, names: Sequence[str]) -> list[str]:
    """A grade where a score is missing, or a score where a grade is."""
    known = names_of(_CROSSED[ours]) if ours in _CROSSED else []
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


ALL_HITS = "If every row is a hit, as in a log of clicks, name it so: relevance=1. "
# for the name of each of theirs the one of ours; and "relevance": 1 where every row is a hit
Given = Mapping[object, str | float]


@dataclass(frozen=True)
class Columns:
    """Where our columns stand in a file."""

    positions: dict[str, int]  # for each of ours that of theirs, from 0
    names: tuple[str, ...]  # what the file calls its columns; positions as text if it does not
    notes: tuple[str, ...] = ()  # what was decided on the way, as sentences
    grade: float | None = None  # the relevance of every row, where the user said so

    @property
    def others(self) -> list[str]:
        """The names of the columns that are not read."""
        used = set(self.positions.values())
        return [name for place, name in enumerate(self.names) if place not in used]

    @property
    def theirs(self) -> dict[str, str]:
        """For each of ours the name that the file has for it."""
        return {ours: self.names[place] for ours, place in self.positions.items()}

    def named(self, ours: str) -> str:
        """How a message calls one of our columns: by the name its owner knows."""
        theirs = self.theirs[ours]
        return f"column {ours!r}" if theirs == ours else f"column {shown(theirs)} ({ours})"


def grade_of(given: Given) -> float | None:
    """The grade that the user gave to every row."""
    grade = given.get("relevance")
    if not isinstance(grade, Real):
        return None
    return int(grade) if isinstance(grade, Integral) else float(grade)


def with_grade(columns: Given | None, grade: float | None) -> Given | None:
    """The `columns=` of a reader, with the grade that every row is to have, if there is one."""
    if grade is None or not isinstance(columns, Mapping | None):
        return columns
    return {**(columns or {}), "relevance": grade}


def columns_of(columns: Mapping[object, object] | None, path: str | PathLike[str]) -> Given | None:
    """The names of one of several files: those under its path or name, or else those for all."""
    if not isinstance(columns, Mapping):
        return columns
    for name in (fspath(path), basename(path)):
        if isinstance(columns.get(name), Mapping):
            return columns[name]
    return {name: ours for name, ours in columns.items() if not isinstance(ours, Mapping)} or None


def check_files(columns: Mapping[object, object] | None, paths: Sequence[object]) -> None:
    """Refuse columns that are named for a file that is not read, or for two that are."""
    named = columns.items() if isinstance(columns, Mapping) else ()
    for name in (name for name, ours in named if isinstance(ours, Mapping)):
        place_called(name, [fspath(path) for path in paths])


def place_called(name: object, files: Sequence[str], systems: Sequence[str | None] = ()) -> int:
    """Which of several files a name is of: by its path, or else by its own name or its system's."""
    each = [*zip_longest(files, systems)]
    found = [n for n, (file, _) in enumerate(each) if file == name] or [
        n for n, (file, system) in enumerate(each) if name in (basename(file), system)
    ]
    if len(found) != 1:
        which = "several of the runs" if found else "none of the runs"
        raise DataError(
            f"Columns are named for {shown(name)}, which is {which}: {quoted(files)}. Name one of "
            "them by its path."
        )
    return found[0]


def refuse_given(given: Given, what: str, ways: Sequence[Mapping[object, str]] = ()) -> None:
    """Refuse the `columns=` of a file whose form says by itself what is what."""
    if grade_of(given) is not None:
        raise DataError(f"{what}, with grades: leave relevance=1 out.")
    if given:
        count = ", or count them from 0:" if ways else "."
        found = f"{what}, whose columns have no names. Leave columns= out{count}"
        raise DataError(found, columns=ways)


def check_mapping(columns: Given | None) -> dict[object, str | float]:
    """The `columns=` of a reader, checked as far as that goes without the file."""
    if columns is None:
        return {}
    if not isinstance(columns, Mapping):
        raise DataError(
            f"columns is a {type(columns).__name__}. Expected a mapping from the file's names "
            "to ours, such as {'TestTriple': 'query_id'}."
        )
    grade = grade_of(columns)
    if grade is not None and not 0 < grade < float("inf"):
        raise DataError(f"relevance={grade!r} is no grade of a hit. Expected a number above 0.")
    for theirs, ours in columns.items():
        if theirs == "relevance" and grade is not None:
            continue
        if ours not in OURS:
            turned = f" Turn it round: {{{ours!r}: {theirs!r}}}." if theirs in OURS else ""
            raise DataError(
                f"columns={{{theirs!r}: {ours!r}}}: {ours!r} is not one of our columns, which are "
                f"{', '.join(OURS)}.{turned}"
            )
        if list(columns.values()).count(ours) > 1:
            raise DataError(f"columns gives {ours!r} to more than one column; choose one.")
    return dict(columns)


def find_columns(
    names: Sequence[str],
    wanted: Wanted,
    given: Given,
    file: str,
    *,
    types: Sequence[Type] = (),
    hint: str = "",
) -> Columns:
    """Which of a file's columns are ours; a DataError where some are missing, or two could be one.

    Args:
        names: the file's column names, in order.
        wanted: what the reader needs.
        given: the user's `columns=`, which comes before any alias.
        file: the file's name, for messages.
        types: what type of values each column holds, where the format can tell.
        hint: what to say if a column is missing, when the format knows better than a guess.
    """
    if wanted.names:
        return _columns_of_words(names, wanted, file)
    grade = grade_of(given)
    if grade is not None and wanted is not QRELS:
        raise DataError(f"{file} is read as a {wanted.kind}, and relevance={grade!r} is for qrels.")
    positions = {
        ours: _given_place(theirs, ours, names, file)
        for theirs, ours in given.items()
        if isinstance(ours, str)
    }
    needs = [ours for ours in wanted.needs if grade is None or ours != "relevance"]
    notes: list[str] = []
    free = {place: name for place, name in enumerate(names) if place not in positions.values()}
    for ours in ("query_id", *needs, *(["rank"] if wanted.scored else [])):
        if ours in positions or (ours == "rank" and "score" in positions):
            continue
        place = _place_by_alias(ours, free, given, file, notes)
        if place is not None:
            positions[ours] = place
            free.pop(place)
    if "relevance" in needs and "doc_id" in positions:
        _look_at_grades(positions, names, types, wanted, notes)
    ranked = "score" not in positions and "rank" in positions
    missing = [ours for ours in needs if ours not in positions and not (ours == "score" and ranked)]
    if missing:
        held = dict(zip(names, types, strict=True)) if types else {}
        raise _lacking(file, wanted, given, names, positions, missing, held, hint)
    if grade is not None:
        message = N_(
            "Every row is a hit, with relevance {grade:g}; rows that repeat a query and its item "
            "count once."
        )
        notes.append(text(message, grade=grade))
    if ranked:
        message = N_("There are no scores: score is minus the rank in {rank!r}.")
        notes.append(text(message, rank=names[positions["rank"]]))
    else:
        positions.pop("rank", None)
    kept = {ours: positions[ours] for ours in OURS if ours in positions}
    if "query_id" not in kept:
        notes.append(N_("There is no query column: all rows are one query, called 'all'."))
    return Columns(kept, tuple(names), tuple(notes), grade)


def _lacking(
    file: str,
    wanted: Wanted,
    given: Given,
    names: Sequence[str],
    positions: Mapping[str, int],
    missing: Sequence[str],
    held: Mapping[str, Type],
    hint: str,
) -> DataError:
    """What to say of a file that lacks columns, with the ways to name them, of which one is it."""
    named = [repr(ours) + " (or 'rank')" * (ours == "score") for ours in missing]
    found = f"{file} has no column{'s' * (len(named) > 1)} {both(named)}."
    found = f"{found} Columns found: {quoted(names)}. "
    if hint:
        return DataError(found + hint, missing=missing)
    free = [name for place, name in enumerate(names) if place not in positions.values()]
    asked = [*missing]
    if "doc_id" in missing and "query_id" not in (*missing, *positions):
        likely = guess(["query_id", *missing], free, held)
        texts = sum(held.get(name) == "text" for name in free)
        if likely and likely.basis == "type" and texts > 1:  # enough to be both
            asked = ["query_id", *missing]
    if wanted is QRELS and "relevance" in missing and "score" not in map(plain, free):
        found += ALL_HITS
    lead, ways = _advice(asked, free, wanted.needs, held)
    return DataError(found + lead, columns=[{**given, **way} for way in ways], missing=missing)


def _advice(
    missing: Sequence[str], free: Sequence[str], needs: Sequence[str], types: Mapping[str, Type]
) -> tuple[str, Sequence[Mapping[str, str | float]]]:
    """A sentence on missing columns, and the ways to name them."""
    likely, alone = guess(missing, free, types), len(missing) == 1
    ways = likely.ways if likely else ()
    graded = likely and "relevance" in ways[0].values()
    scored = {"score", *map(plain, free)} if "score" in needs else {*map(plain, free)}
    if "relevance" in missing and not graded and "score" not in scored:
        others = [each for each in missing if each != "relevance"]
        rest = guess(others, free, types)
        if rest or not others:
            return "That is,", [{**way, "relevance": 1} for way in (rest.ways if rest else ({},))]
    swapped = name = ""
    for ours, sentence in _SWAPPED.items():
        if ours in missing and _CROSSED[ours] not in missing and (name := _crossed(ours, free)):
            swapped = sentence.format(*name)
            break
    if alone and swapped and len(ways) == 1 and name[0] in ways[0]:
        thing = "grades" if missing[0] == "relevance" else "scores"
        return f"{swapped}If that column holds {thing},", ways
    if not likely and not alone:
        return f"{swapped}Expected the columns {', '.join(needs)}.", ()
    if not likely:
        numbered = "Items without ids need one each, such as their row number. "
        where = f"Name the column that holds it, as {missing[0]}" if free else "Add it"
        return f"{swapped}{numbered * (missing == ['doc_id'])}{where}.", ()
    by_type = likely.basis == "type"
    if len(ways) > 1:
        best = "; the highest score is best, and the lowest rank" * ("score" in missing)
        lead = f"Only you can tell which column is which{best}. Whichever is right,"
    elif likely.basis == "part":
        lead = f"Expected the columns {', '.join(needs)}. For those that are there,"
    elif likely.basis == "name":
        lead = f"Rename {'it' if alone else 'them'},"
    elif alone:
        lead = f"If {repr(*ways[0])} is it,"
    else:
        best = " and the highest score is best" * ("score" in missing and by_type)
        lead = f"If these are the columns{best},"
    return swapped + lead, ways


def _columns_of_words(names: Sequence[str], wanted: Wanted, file: str) -> Columns:
    """Which columns say what queries or items are about; a title may be all the text there is."""
    free, found = list(names), {}
    for ours, known in wanted.names.items():
        theirs = {plain(name): name for name in reversed(free)}
        if name := next((theirs[each] for each in known.split() if each in theirs), None):
            found[ours] = name
            free.remove(name)
    id_, needed = wanted.needs
    if needed not in found and "title" in found:
        found[needed] = found.pop("title")
    if needed not in found and needed == "group" and len(free) == 1 and id_ in found:
        found[needed] = free[0]
    if not {*wanted.needs} <= {*found}:
        raise not_of_words(f"{file} has the columns {quoted(names)}", wanted)
    for name in found.values():
        if (many := names.count(name)) > 1:
            raise DataError(f"{file}: {many} columns are called {name!r}; rename one.")
    return Columns({ours: names.index(name) for ours, name in found.items()}, tuple(names))


def not_of_words(found: str, wanted: Wanted) -> DataError:
    """What to say of a table that holds other columns than what queries or items are about."""
    more = [repr(ours) for ours in wanted.names if ours not in wanted.needs]
    optional = f", and optionally {both(more)}" * bool(more)
    needs = both([repr(ours) for ours in wanted.needs])
    return DataError(
        f"{found}. Expected the columns {needs}{optional}: rename those that are these."
    )


def _look_at_grades(
    positions: dict[str, int],
    names: Sequence[str],
    types: Sequence[Type],
    wanted: Wanted,
    notes: list[str],
) -> None:
    """Find the grades of qrels that call them score, and say that ratings are taken for grades."""
    if "relevance" not in positions and wanted is QRELS:
        free = [place for place in range(len(names)) if place not in positions.values()]
        scores = [place for place in free if plain(names[place]) == "score"]
        of_beir = plain(names[positions["doc_id"]]) == "corpusid"  # nobody else's name for an item
        # a run of ranx has the same names, but hardly whole numbers
        of_ranx = [*names] == ["q_id", "doc_id", "score"] and [*types][2:] == ["whole"]
        if scores and (of_beir or of_ranx):
            positions["relevance"] = scores[0]
            whose = "BEIR" if of_beir else "ranx"
            message = N_("relevance is read from 'score', as in the qrels of {whose}.")
            notes.append(text(message, whose=whose))
    elif "relevance" in positions and plain(name := names[positions["relevance"]]) == "rating":
        notes.append(text(N_("relevance is read from {name}."), name=shown(name)))


def _given_place(theirs: object, ours: str, names: Sequence[str], file: str) -> int:
    found = [place for place, name in enumerate(names) if name == str(theirs)]
    if len(found) == 1:
        return found[0]
    if found:
        raise DataError(f"{file}: {len(found)} columns are called {theirs!r}; rename one.")
    close = get_close_matches(str(theirs), names, n=1)
    likely = f" Did you mean {close[0]!r}?" if close else ""
    raise DataError(
        f"{file} has no column {theirs!r}, which columns= names. Columns found: "
        f"{quoted(names)}.{likely}",
        missing=[ours],
    )


def _place_by_alias(
    ours: str, free: dict[int, str], given: Mapping[object, str], file: str, notes: list[str]
) -> int | None:
    exact = [place for place, name in free.items() if name.strip().casefold() == ours]
    lines = [exact] + [
        [place for place, name in free.items() if plain(name) in line.split()]
        for line in _ALIASES[ours]
    ]
    candidates = list(dict.fromkeys(place for line in lines for place in line))
    best = next((line for line in lines if line), [])
    if len(best) > 1:
        names = [free[place] for place in best]
        could = f"{file}: columns {' and '.join(map(shown, names))} could each be {ours}. "
        if names[0] == names[1]:
            raise DataError(f"{could}Give them different names.")
        ways = [{**given, name: ours} for name in names]
        raise DataError(f"{could}Whichever is right,", columns=ways)
    if len(candidates) > 1:
        left = quoted([free[place] for place in candidates[1:]])
        message, name = N_("{ours} is read from {name}, not from {left}."), shown(free[best[0]])
        notes.append(text(message, ours=ours, name=name, left=left))
    return best[0] if best else None
