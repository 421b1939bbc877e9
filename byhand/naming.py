"""Recognise our columns in a table by their names and by the types of their values."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import product, zip_longest
from math import isnan, nextafter
from numbers import Integral, Real
from os import PathLike, fspath
from os.path import basename
from typing import TYPE_CHECKING, Literal

from byhand.errors import DataError, both, shown
from byhand.words import N_, Message

if TYPE_CHECKING:
    import pyarrow

OURS = ("query_id", "doc_id", "score", "rank", "relevance")
# plain names, the most reliable first; if a file has two names of one line, its owner must choose
ALIASES = {
    "query_id": (
        "qid queryid",
        "topicid userid uid questionid testtriple testedge testid",
        "query topic user question",
    ),
    "doc_id": (
        "docno",  # first, because some tools use docid for an internal number
        "docid documentid did",
        "itemid iid movieid passageid pid corpusid productid spotid traintriple trainingtriple "
        "trainedge trainingedge trainid",
        "doc document item passage",
    ),
    "score": (
        "score",
        "sim similarity prediction pred predicted scores tracinscore ypred",
    ),
    "rank": ("rank", "position"),
    "relevance": (
        "relevance rel qrel",
        "label grade judgment judgement relevant isrelevant inpath ytrue",
        "clicked isclicked click",
        "rating",  # in recommendation data: the true ratings, rarely predictions
    ),
}
LISTS = "hits results retrieved retrieveddocs docs documents items"  # columns of lists of items
_GROUPS = ("group", "groupid")  # learning to rank: the query; elsewhere a group of queries
_ID = re.compile(r"(?i:(^|[\W_])(id|no|nr|key|name)$)|[a-z](I[Dd]|N[or])$")  # names of identifiers
# names that are never suggested: times are not grades, and systems are not ids
_NEVER = re.compile("time|date|^(system|run|run_?id|run_?name|tag|model|method)$", re.IGNORECASE)
_MANY = 1000  # with more columns, suggestions would be slow and matched by chance

WHOLE = 2.0**53  # float64 tells whole numbers apart only below
ABOVE_ZERO = nextafter(0.0, 1.0)  # the lowest relevant grade, if any above 0 is relevant
NAME = "NAME"  # stands for the user's column in a mapping to fill in
_BEST = " and the highest numbers are best"
_ONLY_YOU = "Only you can tell a score (the highest is best) from a rank (1 is best). "

# the type of a column's values: nested for lists and objects, numbers for lists of fractions;
# empty if unknown
Type = Literal["text", "whole", "fraction", "truth", "nested", "numbers", ""]
_LISTS = ("nested", "numbers")
_VECTORS = re.compile("embed|vector", re.IGNORECASE)  # lists of fractions that are not scores
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[+-]?\d+")
_FRACTION = re.compile(r"[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?|[+-]?(inf|infinity)|nan")
_ARROW: Mapping[Type, str] = {
    "whole": "u?int",
    "fraction": "float|halffloat|double|decimal",
    "truth": "bool",
    "numbers": "(large_|fixed_size_)?list<[^<]*: (float|halffloat|double)",
    "nested": "list|large_list|fixed_size_list|struct|map",
    "": "null",
}
# from the table's names to ours; also {"relevance": 1} if every row is relevant
ColumnNames = Mapping[object, str | float]


@dataclass(frozen=True)
class TableKind:
    """A kind of table: its name and its columns."""

    kind: str  # name in messages
    table: str  # argument of `evaluate`: run or qrels
    needs: tuple[str, ...]  # required columns; a rank can replace the score
    # tables of texts and groups: plain names of each column, the likeliest first; and the columns
    # of a file without a header, by their number
    names: Mapping[str, str] = field(default_factory=dict)
    bare: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    def known(self, names: Sequence[str]) -> int:
        """Count the columns that these names match."""
        if not self.names:
            return known_names(names)
        found = {plain(name) for name in names}
        return sum(not found.isdisjoint(each.split()) for each in self.names.values())

    @property
    def scored(self) -> bool:
        """Return whether the table ranks its items."""
        return "score" in self.needs


RUN = TableKind("run", "run", ("query_id", "doc_id", "score"))
QRELS = TableKind("qrels", "qrels", ("query_id", "doc_id", "relevance"))
JUDGED_RUN = TableKind("judged run", "run", ("doc_id", "score", "relevance"))


@dataclass(frozen=True)
class Columns:
    """The positions of our columns in a table; a judged row without an id is an item of its own."""

    positions: dict[str, int]  # our name -> position in the table, from 0
    names: tuple[str, ...]  # the table's names; without a header the positions as text
    notes: tuple[str, ...] = ()  # decisions, as sentences
    grade: float | None = None  # the relevance of every row, if the user passed one
    lists: bool = False  # whether doc_id has a list of items in each row
    listed: str = ""  # for lists of items: the column made from their numbers or places

    @property
    def others(self) -> list[str]:
        """Return the names of the columns that are not read."""
        used = set(self.positions.values())
        return [name for place, name in enumerate(self.names) if place not in used]

    @property
    def theirs(self) -> dict[str, str]:
        """Map our names to those of the table."""
        return {ours: self.names[place] for ours, place in self.positions.items()}

    def named(self, ours: str) -> str:
        """Return the name of one of our columns for messages, with the user's own name."""
        theirs = self.theirs.get(ours, ours)
        if theirs == ours:
            return Message("column {name!r}", name=ours)
        return Message("column {name} ({ours})", name=shown(theirs), ours=ours)


def plain(name: str) -> str:
    """Return a column name without case, blanks and punctuation: "Query-ID " is "queryid"."""
    return re.sub(r"[\W_]+", "", name.casefold())


def names_of(ours: str) -> list[str]:
    """Return the plain names of one of our columns, the most reliable first."""
    return " ".join(ALIASES[ours]).split()


def known_names(names: Iterable[str]) -> int:
    """Count our columns that these names match."""
    found = {plain(name) for name in names}
    return sum(not found.isdisjoint(names_of(ours)) for ours in OURS)


def quoted(names: Sequence[object]) -> str:
    """Return at most 20 names for a message."""
    more = f" and {len(names) - 20} more" if len(names) > 20 else ""
    return (", ".join(shown(name) for name in names[:20]) or "none") + more


def number_of(text: str | None) -> float:
    """Return the number that a text contains, or NaN: "1_0" is not one, although float reads it.

    Example:
        >>> number_of("2.5e1"), number_of("1_0")
        (25.0, nan)
    """
    return float(text) if text and _NUMBER.fullmatch(text) else float("nan")


def is_number(text: str) -> bool:
    """Test whether a text is a finite number, with a decimal point in fractions."""
    return not isnan(number_of(text))


def too_large(number: object) -> tuple[str, str]:
    """Return the problem with a whole score beyond the precision of float64, and its fix."""
    return (
        f"{number} is a whole number of 2^53 or more, and scores are float64, which cannot "
        "distinguish such numbers",
        "Subtract the same number from all scores, or use ranks (1 is best) instead.",
    )


def type_of(values: Iterable[object]) -> Type:
    """Return the type of some values, which may be text; missing values are ignored."""
    values = [value for value in values if value is not None]
    if any(isinstance(value, list | dict | tuple) for value in values):
        lists = [value for value in values if isinstance(value, list)]
        fractions = type_of(each for value in lists for each in value) == "fraction"
        return "numbers" if fractions else "nested"
    texts = [text for value in values if (text := str(value).strip().lower())]
    if not texts:
        return ""
    if all(map(_WHOLE.fullmatch, texts)):
        return "whole"
    if all(map(_FRACTION.fullmatch, texts)):
        return "fraction"
    return "truth" if {"true", "false"}.issuperset(texts) else "text"


def type_of_arrow(kind: "pyarrow.DataType") -> Type:
    """Return the type of a column of Arrow."""
    import pyarrow as pa

    name = str(kind.value_type if pa.types.is_dictionary(kind) else kind)
    return next((known for known, pattern in _ARROW.items() if re.match(pattern, name)), "text")


# ---- options of the user ------------------------------------------------------------------------


def grade_of(given: ColumnNames) -> float | None:
    """Return the grade that the user passed for every row, or None."""
    grade = given.get("relevance")
    if not isinstance(grade, Real):
        return None
    return int(grade) if isinstance(grade, Integral) else float(grade)


def with_grade(columns: ColumnNames | None, grade: float | None) -> ColumnNames | None:
    """Add the grade for every row, if there is one, to the `columns` of a reader."""
    if grade is None or not isinstance(columns, Mapping | None):
        return columns
    return {**(columns or {}), "relevance": grade}


def columns_of(
    columns: Mapping[object, object] | None, path: str | PathLike[str]
) -> ColumnNames | None:
    """Return the column names for one of several files: its own, or those for all files."""
    if not isinstance(columns, Mapping):
        return columns
    for name in (fspath(path), basename(path)):
        if isinstance(columns.get(name), Mapping):
            return columns[name]
    return {name: ours for name, ours in columns.items() if not isinstance(ours, Mapping)} or None


def check_files(columns: Mapping[object, object] | None, paths: Sequence[object]) -> None:
    """Refuse columns for a file that is not read, or for an ambiguous name."""
    named = columns.items() if isinstance(columns, Mapping) else ()
    for name in (name for name, ours in named if isinstance(ours, Mapping)):
        index_of_file(name, [fspath(path) for path in paths])


def index_of_file(name: object, files: Sequence[str], systems: Sequence[str | None] = ()) -> int:
    """Find the one file that a name refers to: its path, its file name or its system."""
    each = [*zip_longest(files, systems)]
    found = [n for n, (file, _) in enumerate(each) if file == name] or [
        n for n, (file, system) in enumerate(each) if name in (basename(file), system)
    ]
    if len(found) != 1:
        which = "several" if found else "none"
        raise DataError(
            f"run_columns contains {shown(name)}, which matches {which} of the runs: "
            f"{quoted(files)}. Use the path of one of them."
        )
    return found[0]


def check_mapping(columns: ColumnNames | None) -> dict[object, str | float]:
    """Check the `columns` of a reader, as far as possible without the file."""
    if columns is None:
        return {}
    if not isinstance(columns, Mapping):
        raise DataError(
            f"columns is of type {type(columns).__name__}. Expected a mapping from the file's "
            "names to ours, such as {'TestTriple': 'query_id'}."
        )
    grade = grade_of(columns)
    if grade is not None and not 0 < grade < float("inf"):
        raise DataError(f"relevance={grade!r} is not a grade of a hit. Pass a number above 0.")
    for theirs, ours in columns.items():
        if theirs == "relevance" and grade is not None:
            continue
        if ours not in OURS:
            turned = f" Swap the two: {{{ours!r}: {theirs!r}}}." if theirs in OURS else ""
            raise DataError(
                f"columns={{{theirs!r}: {ours!r}}}: {ours!r} is not one of our columns, which are "
                f"{', '.join(OURS)}.{turned}"
            )
        if list(columns.values()).count(ours) > 1:
            raise DataError(f"columns maps more than one column to {ours!r}. Keep one of them.")
    return dict(columns)


# ---- which is which -----------------------------------------------------------------------------


def find_columns(
    names: Sequence[str],
    wanted: TableKind,
    given: ColumnNames,
    file: str,
    *,
    types: Sequence[Type] = (),
    hint: str = "",
) -> Columns:
    """Find our columns in a table; raise a DataError if one is missing or ambiguous.

    `given` names come before aliases. `types` are the types of all columns, if the format has them.
    `hint` replaces the suggestions in an error, if the format explains a missing column better.
    """
    if wanted.names:
        return _columns_of_words(names, wanted, file)
    grade = grade_of(given)
    if grade is not None and wanted is not QRELS:
        raise DataError(
            f"{file} is read as a {wanted.kind}, but relevance={grade!r} is for qrels only. "
            "Remove it."
        )
    types = types or [""] * len(names)
    needs = [ours for ours in wanted.needs if grade is None or ours != "relevance"]
    positions = {
        ours: _named_by_user(theirs, ours, names, file)
        for theirs, ours in given.items()
        if isinstance(ours, str)
    }
    notes: list[str] = []
    for ours in ("query_id", *needs, *(["rank"] if wanted.scored else [])):
        if ours in positions or {ours, *positions} >= {"rank", "score"}:
            continue  # the user's rank replaces a score
        free = _free(names, positions)
        position = _by_alias(ours, free, given, file, notes, types)
        if position is None and ours == "query_id" and wanted is JUDGED_RUN:
            position = next((at for at, name in free.items() if plain(name) in _GROUPS), None)
        if position is None and ours == "relevance" and wanted is QRELS:
            position = _grades_called_score(names, positions, types)
        if position is not None:
            positions[ours] = position
            if ours == "relevance" and plain(name := names[position]) in ("rating", "score"):
                notes.append(Message(N_("relevance is read from {name}."), name=shown(name)))
    free = _free(names, positions)
    ranked = "score" not in positions and "rank" in positions
    found = {*positions, "score"} if ranked else {*positions}
    lists, listed = "doc_id" in positions and types[positions["doc_id"]] in _LISTS, ""
    if lists:
        number = wanted.needs[-1]
        if wanted is not JUDGED_RUN and grade is None and number not in found:
            listed = "" if "score" in map(plain, free.values()) else number
    unread = [name for at, name in free.items() if listed and types[at] == "numbers"]
    if unread := [name for name in unread if not _VECTORS.search(name)]:
        raise DataError(
            f"{file} has lists of numbers in {quoted(unread)} beside its items. If these are the "
            f"{'scores' if listed == 'score' else 'grades'},",
            columns={**given, unread[0]: listed},
            missing=[listed],
        )
    missing = [ours for ours in needs if ours not in found and ours != listed]
    numbers = all(types[at] in ("whole", "fraction", "truth") for at in free)
    features = numbers and not any(map(_ID.search, free.values()))
    if missing == ["doc_id"] and wanted is JUDGED_RUN and features:
        missing = []
        notes.append(N_("No column contains item ids: each row is an item of its own."))
    if missing:
        free_types = {name: types[at] for at, name in free.items()}
        raise _lacking(file, wanted, given, names, free_types, missing, hint)
    if grade is not None:
        message = N_(
            "Every row is relevant, with grade {grade:g}; rows that repeat a query and its item "
            "count once."
        )
        notes.append(Message(message, grade=grade))
    if ranked:
        message = N_("There are no scores: score is minus the rank in {rank!r}.")
        notes.append(Message(message, rank=names[positions["rank"]]))
    else:
        positions.pop("rank", None)
    if "query_id" not in positions:
        notes.append(N_("There is no query column: all rows are one query, called 'all'."))
    positions = {ours: positions[ours] for ours in OURS if ours in positions}
    return Columns(positions, tuple(names), tuple(notes), grade, lists, listed)


def _free(names: Sequence[str], positions: Mapping[str, int]) -> dict[int, str]:
    return {at: name for at, name in enumerate(names) if at not in positions.values()}


def _named_by_user(theirs: object, ours: str, names: Sequence[str], file: str) -> int:
    found = [at for at, name in enumerate(names) if name == str(theirs)]
    if len(found) == 1:
        return found[0]
    if found:
        raise _called_alike(file, len(found), theirs)
    close = get_close_matches(str(theirs), names, n=1)
    likely = f" Did you mean {close[0]!r}?" if close else ""
    raise DataError(
        f"{file} has no column {theirs!r}, which columns= refers to. Columns found: "
        f"{quoted(names)}.{likely}",
        missing=[ours],
    )


def _called_alike(file: str, many: int, name: object) -> DataError:
    return DataError(
        f"{file}: {many} columns are called {name!r}. Keep this name for one of them only."
    )


def is_called(name: str, ours: str, kind: Type = "") -> bool:
    """Test whether a name fits one of our columns; for lists also in the plural ("doc_ids")."""
    if kind not in _LISTS:
        return plain(name) in names_of(ours)
    one = plain(name).removesuffix("s")
    return one in names_of(ours) or (ours == "doc_id" and f"{one}s" in LISTS.split())


def _by_alias(
    ours: str,
    free: Mapping[int, str],
    given: Mapping[object, object],
    file: str,
    notes: list[str],
    types: Sequence[Type],
) -> int | None:
    """Return the position of the most reliable name, and note the names that it is preferred to."""
    ranks = [[at for at, name in free.items() if name.strip().casefold() == ours]]
    for line in ALIASES[ours]:
        ranks.append([at for at, name in free.items() if plain(name) in line.split()])
    lists = (at for at in free if types[at] in _LISTS)
    ranks += [[at] for at in lists if is_called(free[at], ours, "nested")]
    best = next(filter(None, ranks), [])
    if len(best) > 1:
        candidates = [free[at] for at in best]
        problem = f"{file}: columns {' and '.join(map(shown, candidates))} could each be {ours}."
        if candidates[0] == candidates[1]:
            raise DataError(f"{problem} Rename one of them.")
        ways = [{**given, name: ours} for name in candidates]
        raise DataError(f"{problem} To choose one,", columns=ways)
    others = dict.fromkeys(at for rank in ranks for at in rank if at not in best)
    if others:
        message = N_("{ours} is read from {name}, not from {left}.")
        left = quoted([free[at] for at in others])
        notes.append(Message(message, ours=ours, name=shown(free[best[0]]), left=left))
    return best[0] if best else None


def _grades_called_score(
    names: Sequence[str], positions: Mapping[str, int], types: Sequence[Type]
) -> int | None:
    """Return the column called score of qrels as BEIR and ranx write them, or None."""
    beir = "doc_id" in positions and plain(names[positions["doc_id"]]) == "corpusid"
    # runs of ranx have the same names, but rarely whole scores
    ranx = [*names] == ["q_id", "doc_id", "score"] and types[2] == "whole"
    free = _free(names, positions).items() if beir or ranx else ()
    return next((at for at, name in free if plain(name) == "score"), None)


# ---- advice on missing columns ------------------------------------------------------------------


def _lacking(
    file: str,
    wanted: TableKind,
    given: ColumnNames,
    names: Sequence[str],
    free: Mapping[str, Type],
    missing: Sequence[str],
    hint: str,
) -> DataError:
    """Return the error for missing columns, with mappings to pass."""
    lacks = both(["'score' (or 'rank')" if ours == "score" else repr(ours) for ours in missing])
    problem = f"{file} has no column{'s' * (len(missing) > 1)} {lacks}. Columns found: "
    problem += f"{quoted(names)}."
    if hint:
        return DataError(f"{problem} {hint}", missing=missing)
    advice, ways = advised(missing, free, wanted)
    if wanted is JUDGED_RUN and [*missing] == ["relevance"] and not ways:
        advice = "Add it, or pass the judgements as qrels."
    other = {"score": "relevance", "relevance": "score"}.get("".join(missing))
    if other and (name := next((name for name in free if plain(name) in names_of(other)), "")):
        names = "a run" if other == "score" else "qrels"
        order = " Their order is evaluate(run, qrels)." * (file == wanted.table)  # not of a file
        advice = f"{wanted.kind} has the columns of {names}: were the two swapped?{order} If "
        advice += f"{name!r} is the {missing[0]},"
        ways = [{name: missing[0]}]
    return DataError(f"{problem} {advice}", columns=[given | way for way in ways], missing=missing)


def advised(
    missing: Sequence[str], free: Mapping[str, Type], wanted: TableKind
) -> tuple[str, list[dict[object, str | float]]]:
    """Return advice on missing columns, and a mapping to pass: a guess, or one to fill in."""
    if way := _guessed(missing, free):
        return f"If this guess is right{_BEST * bool({'score', 'relevance'} & {*missing})},", [way]
    others = [ours for ours in missing if ours != "relevance"]
    hits = _guessed(others, free)
    if wanted is QRELS and len(hits) == len(others) < len(missing):
        return "If every row is relevant, as in a log of clicks,", [{**hits, "relevance": 1}]
    if not free:
        return "Add it." if len(missing) == 1 else "Add them.", []
    template = {f"{NAME}{n}": ours for n, ours in enumerate(missing, 1)}
    many = "s" * (len(missing) > 1)
    advice = f"With your column{many} in place of {both([*template])},"
    return _ONLY_YOU * ("score" in missing) + advice, [template]


def _guessed(missing: Sequence[str], free: Mapping[str, Type]) -> dict[str, str]:
    """Guess a column for every missing one, or none: by similar names, the rest by position.

    Positions count only if no other columns are left and the types fit. Whole numbers may be ranks,
    which reverse every ranking if they are read as scores.
    """
    free = {name: kind for name, kind in free.items() if not _NEVER.search(name)}
    found: dict[str, str] = {}
    for ours, name in product(missing, free if len(free) <= _MANY else ()):
        if ours not in found.values() and _is_near(name, ours):
            found.setdefault(name, ours)
    left = [ours for ours in missing if ours not in found.values()]
    rest = [name for name in free if name not in found]
    fits = {"score": ("fraction",), "relevance": ("fraction", "whole", "truth")}
    pairs = zip(rest, left, strict=False)
    fit = (free[name] in fits.get(ours, ("text", "whole")) for name, ours in pairs)
    if len(rest) == len(left) and not known_names(rest) and all(fit):
        found |= dict(zip(rest, left, strict=True))
    return found if len(found) == len(missing) else {}


def _is_near(name: str, ours: str) -> bool:
    """Test whether a name is similar to one of ours or contains it; a rank is never a score."""
    theirs, known = plain(name), names_of(ours)
    if known_names([name]) or (ours == "score" and any(r in theirs for r in names_of("rank"))):
        return False
    inside = any(len(each) > 3 and each in theirs for each in known)
    inside = inside and (not ours.endswith("_id") or bool(_ID.search(name)))
    return inside or bool(get_close_matches(theirs, known, n=1, cutoff=0.75))


# ---- tables of texts and groups -----------------------------------------------------------------


def _columns_of_words(names: Sequence[str], wanted: TableKind, file: str) -> Columns:
    """Find the columns of texts or groups; a title replaces a missing text."""
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
            raise _called_alike(file, many, name)
    return Columns({ours: names.index(name) for ours, name in found.items()}, tuple(names))


def not_of_words(found: str, wanted: TableKind) -> DataError:
    """Return the error for a table without the expected columns of texts or groups."""
    needs, more = (
        " and ".join(map(repr, each))
        for each in (wanted.needs, [ours for ours in wanted.names if ours not in wanted.needs])
    )
    optional = f", and optionally {more}" if more else ""
    return DataError(
        f"{found}. Expected the columns {needs}{optional}. Rename the columns that contain these."
    )
