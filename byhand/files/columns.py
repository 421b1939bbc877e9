"""Which column of a file is which of ours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from numbers import Integral, Real
from os import PathLike, fspath
from os.path import basename

from byhand.errors import DataError, both, shown
from byhand.files.advice import ALL_HITS, advice, all_hits
from byhand.files.aliases import OURS, guess, known_names, plain, tiers
from byhand.files.typed import Type


@dataclass(frozen=True)
class Wanted:
    """What a reader wants of a file.

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


@dataclass(frozen=True)
class Columns:
    """Where our columns stand in a file.

    Attributes:
        positions: for each of ours the position of theirs, from 0.
        names: what the file calls its columns; positions as text if it has no names.
        notes: what was decided on the way, as sentences.
        grade: what the relevance of every row is, where the user said so; else None.
    """

    positions: dict[str, int]
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()
    grade: float | None = None

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
        if theirs == ours:
            return f"column {ours!r}"
        return f"column {shown(theirs)} ({ours})"


# for the name of each of theirs the one of ours; and "relevance": 1 where every row is a hit
Given = Mapping[object, str | float]


def grade_of(given: Given) -> float | None:
    """The grade that the user gave to every row.

    Example:
        >>> grade_of({"song": "doc_id", "relevance": 1}), grade_of({"relevance": "score"})
        (1, None)
    """
    grade = given.get("relevance")
    if not isinstance(grade, Real):
        return None
    return int(grade) if isinstance(grade, Integral) else float(grade)


def with_grade(columns: Given | None, grade: float | None) -> Given | None:
    """The `columns=` of a reader, with the grade that every row is to have, if there is one.

    Example:
        >>> with_grade({"song": "doc_id"}, 1)
        {'song': 'doc_id', 'relevance': 1}
    """
    if grade is None or not isinstance(columns, Mapping | None):
        return columns
    return {**(columns or {}), "relevance": grade}


def columns_of(columns: Mapping[object, object] | None, path: str | PathLike[str]) -> Given | None:
    """The names of one of several files: those under its path or its name, or else those for all.

    Example:
        >>> columns_of({"Edge": "doc_id", "b.csv": {"Item": "doc_id"}}, "runs/b.csv")
        {'Item': 'doc_id'}
        >>> columns_of({"Edge": "doc_id", "b.csv": {"Item": "doc_id"}}, "runs/a.csv")
        {'Edge': 'doc_id'}
    """
    if not isinstance(columns, Mapping):
        return columns
    for name in (fspath(path), basename(path)):
        if isinstance(columns.get(name), Mapping):
            return columns[name]
    return {name: ours for name, ours in columns.items() if not isinstance(ours, Mapping)} or None


def apart(path: str | PathLike[str]) -> str:
    """How to name the columns of one of several files.

    Example:
        >>> apart("b.csv")
        "Where the runs differ, name the columns of each: run_columns={'b.csv': {…: …}}."
    """
    named = f"{{{fspath(path)!r}: {{…: …}}}}"
    return f"Where the runs differ, name the columns of each: run_columns={named}."


def check_files(columns: Mapping[object, object] | None, paths: Sequence[object]) -> None:
    """Refuse columns that are named for a file that is not read, or for two that are.

    Raises:
        DataError: which.
    """
    named = columns.items() if isinstance(columns, Mapping) else ()
    for name in (name for name, ours in named if isinstance(ours, Mapping)):
        files = [fspath(path) for path in paths]
        called = [path for path in files if name in (path, basename(path))]
        if len(called) != 1 and name not in files:
            found = "several of the runs" if called else "none of the runs"
            raise DataError(
                f"Columns are named for {shown(name)}, which is {found}: {listed(files)}. Name "
                "one of them by its path."
            )


def check_mapping(columns: Given | None) -> dict[object, str | float]:
    """The `columns=` of a reader, checked as far as that goes without the file.

    Raises:
        DataError: not a mapping, a name that is not one of ours, or one of ours twice.
    """
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
    """Which of a file's columns are ours.

    Args:
        names: the file's column names, in order.
        wanted: what the reader needs.
        given: the user's `columns=`, which comes before any alias.
        file: the file's name, for messages.
        types: what type of values each column holds, where the format can tell.
        hint: what to say if a column is missing, when the format knows better than a guess.

    Raises:
        DataError: columns that are missing, or one that two columns could be.
    """
    if wanted.names:
        return _columns_of_words(names, wanted, file)
    grade = grade_of(given)
    if grade is not None and wanted is not QRELS:
        raise DataError(f"{file} is read as a {wanted.kind}, and relevance={grade!r} is for qrels.")
    known = {theirs: ours for theirs, ours in given.items() if isinstance(ours, str)}
    positions = {ours: _given_place(theirs, ours, names, file) for theirs, ours in known.items()}
    needs = [ours for ours in wanted.needs if grade is None or ours != "relevance"]
    notes: list[str] = []
    taken = set(positions.values())
    free = {place: name for place, name in enumerate(names) if place not in taken}
    for ours in ("query_id", *needs, *(["rank"] if wanted.scored else [])):
        if ours in positions or (ours == "rank" and "score" in positions):
            continue
        place = _place_by_alias(ours, free, given, file, notes)
        if place is not None:
            positions[ours] = place
            free.pop(place)
    if "relevance" in needs and "doc_id" in positions:
        _look_at_grades(positions, names, types, wanted, notes)
    ranked_by = {"score": "rank"} if "score" not in positions and "rank" in positions else {}
    missing = [ours for ours in needs if ranked_by.get(ours, ours) not in positions]
    if missing:
        found = f"{file} has no {_columns(missing)}. Columns found: {listed(names)}. "
        if hint:
            raise DataError(found + hint, missing=missing)
        held = dict(zip(names, types, strict=True)) if types else {}
        if wanted is QRELS and "relevance" in missing and "score" not in map(plain, free.values()):
            found += ALL_HITS
        names_free = list(free.values())
        asked = [*_query_too(positions, missing, names_free, held), *missing]
        lead, likely = advice(asked, names_free, wanted.needs, held)
        ways = [{**given, **way} for way in likely]
        raise DataError(found + lead, columns=ways, missing=missing)
    if grade is not None:
        notes.append(all_hits(grade))
    if ranked_by:
        notes.append(
            f"There are no scores: score is minus the rank in {names[positions['rank']]!r}."
        )
    else:
        positions.pop("rank", None)
    kept = {ours: positions[ours] for ours in OURS if ours in positions}
    if "query_id" not in kept:
        notes.append("There is no query column: all rows are one query, called 'all'.")
    return Columns(kept, tuple(names), tuple(notes), grade)


def _columns_of_words(names: Sequence[str], wanted: Wanted, file: str) -> Columns:
    """Which columns say what queries or items are about; a title is a text where nothing else is.

    Raises:
        DataError: one that is missing, or a name that two columns share.
    """
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
        raise not_of_words(f"{file} has the columns {listed(names)}", wanted)
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
            notes.append(f"relevance is read from 'score', as in the qrels of {whose}.")
    elif "relevance" in positions and plain(name := names[positions["relevance"]]) == "rating":
        notes.append(f"relevance is read from {shown(name)}.")


def _query_too(
    positions: Mapping[str, int],
    missing: Sequence[str],
    free: Sequence[str],
    held: Mapping[str, Type],
) -> list[str]:
    """The query, to ask for with the item, if columns hold texts enough to be both."""
    if "query_id" in positions or "query_id" in missing or "doc_id" not in missing:
        return []
    likely = guess(["query_id", *missing], free, held)
    texts = sum(held.get(name) == "text" for name in free)
    both_there = likely and likely.basis == "type" and texts > 1
    return ["query_id"] if both_there else []


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
        f"{listed(names)}.{likely}",
        missing=[ours],
    )


def _place_by_alias(
    ours: str, free: dict[int, str], given: Mapping[object, str], file: str, notes: list[str]
) -> int | None:
    exact = [place for place, name in free.items() if name.strip().casefold() == ours]
    lines = [exact] + [
        [place for place, name in free.items() if plain(name) in tier] for tier in tiers(ours)
    ]
    candidates = list(dict.fromkeys(place for line in lines for place in line))
    best = next((line for line in lines if line), [])
    if len(best) > 1:
        names = [free[place] for place in best]
        could = f"{file}: columns {' and '.join(map(shown, names))} could each be {ours}. "
        if names[0] == names[1]:
            raise DataError(f"{could}Give them different names.")
        ways = [{**given, name: ours} for name in names]
        raise DataError(f"{could}Whichever is right, pass", columns=ways)
    if len(candidates) > 1:
        left = listed([free[place] for place in candidates[1:]])
        notes.append(f"{ours} is read from {shown(free[best[0]])}, not from {left}.")
    return best[0] if best else None


def listed(names: Sequence[str]) -> str:
    """Names for a message; of very many, the first."""
    some = ", ".join(shown(name) for name in names[:20])
    return (some or "none") + (f" and {len(names) - 20} more" if len(names) > 20 else "")


def _columns(missing: Sequence[str]) -> str:
    named = [repr(ours) + " (or 'rank')" * (ours == "score") for ours in missing]
    return f"column{'s' * (len(named) > 1)} {both(named)}"
