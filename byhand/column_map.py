"""Which columns of a table are ours: by what its owner says and what they are called, or advice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import zip_longest
from numbers import Integral, Real
from os import PathLike, fspath
from os.path import basename

from byhand.columns import (
    ALIASES,
    CROSSED,
    OURS,
    QRELS,
    TableKind,
    Type,
    crossed,
    guess,
    known_names,
    plain,
    quoted,
)
from byhand.errors import DataError, both, option, shown
from byhand.words import N_, Message, together

_SWAPPED = {
    "relevance": N_("It has {name!r}, as a run does: is it the run?"),
    "score": N_("It has {name!r}, as qrels do: is it the qrels?"),
}
_CALLED_ALIKE = N_("{file}: {n} columns are called {name!r}; rename one.")
# for the name of each of theirs the one of ours; and "relevance": 1 where every row is a hit
ColumnNames = Mapping[object, str | float]


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
        if theirs == ours:
            return Message("column {name!r}", name=ours)
        return Message("column {name} ({ours})", name=shown(theirs), ours=ours)


def grade_of(given: ColumnNames) -> float | None:
    """The grade that the user gave to every row."""
    grade = given.get("relevance")
    if not isinstance(grade, Real):
        return None
    return int(grade) if isinstance(grade, Integral) else float(grade)


def with_grade(columns: ColumnNames | None, grade: float | None) -> ColumnNames | None:
    """The `columns=` of a reader, with the grade that every row is to have, if there is one."""
    if grade is None or not isinstance(columns, Mapping | None):
        return columns
    return {**(columns or {}), "relevance": grade}


def columns_of(
    columns: Mapping[object, object] | None, path: str | PathLike[str]
) -> ColumnNames | None:
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
        said = N_(
            "Columns are named for {name}, which is several of the runs: {files}. Name one of them "
            "by its path."
        )
        if not found:
            said = N_(
                "Columns are named for {name}, which is none of the runs: {files}. Name one of "
                "them by its path."
            )
        raise DataError(said, [shown(name), quoted(files)])
    return found[0]


def refuse_given(given: ColumnNames, what: str, ways: Sequence[Mapping[object, str]] = ()) -> None:
    """Refuse the `columns=` of a file whose form says by itself what is what."""
    if grade_of(given) is not None:
        raise DataError("{what}, with grades: leave relevance=1 out.", [what])
    if given:
        found = N_("{what}, whose columns have no names. Leave {option} out.")
        if ways:
            found = N_(
                "{what}, whose columns have no names. Leave {option} out, or count them from 0:"
            )
        raise DataError(found, [what, option("columns")], columns=ways)


def check_mapping(columns: ColumnNames | None) -> dict[object, str | float]:
    """The `columns=` of a reader, checked as far as that goes without the file."""
    if columns is None:
        return {}
    if not isinstance(columns, Mapping):
        raise DataError(
            "columns is a {type}. Expected a mapping from the file's names to ours, such as "
            "{{'TestTriple': 'query_id'}}.",
            [type(columns).__name__],
        )
    grade = grade_of(columns)
    if grade is not None and not 0 < grade < float("inf"):
        raise DataError(
            "relevance={grade!r} is no grade of a hit. Expected a number above 0.", [grade]
        )
    for theirs, ours in columns.items():
        if theirs == "relevance" and grade is not None:
            continue
        if ours not in OURS:
            turn = N_(" Turn it round: {{{ours!r}: {theirs!r}}}.")
            turned = Message(turn, ours=ours, theirs=theirs) if theirs in OURS else ""
            raise DataError(
                "columns={{{theirs!r}: {ours!r}}}: {ours!r} is not one of our columns, which are "
                "{names}.{turned}",
                [theirs, ours, ", ".join(OURS), turned],
            )
        if list(columns.values()).count(ours) > 1:
            raise DataError("columns gives {ours!r} to more than one column; choose one.", [ours])
    return dict(columns)


def find_columns(
    names: Sequence[str],
    wanted: TableKind,
    given: ColumnNames,
    file: str,
    *,
    types: Sequence[Type] = (),
    hint: str = "",
) -> Columns:
    """Which of a file's columns are ours; a DataError where some are missing, or two could be one.

    What the user gave comes before any alias. Of formats that can tell there are the types of all
    columns, and a hint where the format knows better than a guess why a column is missing.
    """
    if wanted.names:
        return _columns_of_words(names, wanted, file)
    grade = grade_of(given)
    if grade is not None and wanted is not QRELS:
        raise DataError(
            "{file} is read as a {kind}, and relevance={grade!r} is for qrels.",
            [file, wanted.kind, grade],
        )
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
        notes.append(Message(message, grade=grade))
    if ranked:
        message = N_("There are no scores: score is minus the rank in {rank!r}.")
        notes.append(Message(message, rank=names[positions["rank"]]))
    else:
        positions.pop("rank", None)
    kept = {ours: positions[ours] for ours in OURS if ours in positions}
    if "query_id" not in kept:
        notes.append(N_("There is no query column: all rows are one query, called 'all'."))
    return Columns(kept, tuple(names), tuple(notes), grade)


def _lacking(
    file: str,
    wanted: TableKind,
    given: ColumnNames,
    names: Sequence[str],
    positions: Mapping[str, int],
    missing: Sequence[str],
    held: Mapping[str, Type],
    hint: str,
) -> DataError:
    """What to say of a file that lacks columns, with a guess at how to name them."""
    rank = Message("'score' (or 'rank')")
    named = both([rank if ours == "score" else repr(ours) for ours in missing])
    one = N_("{file} has no column {named}. Columns found: {found}.")
    many = N_("{file} has no columns {named}. Columns found: {found}.")
    found = Message(many if missing[1:] else one, file=file, named=named, found=quoted(names))
    if hint:
        return DataError(together([found, Message(hint)]), missing=missing)
    free = [name for place, name in enumerate(names) if place not in positions.values()]
    asked = missing
    texts = [name for name in free if held.get(name) == "text"]
    if "doc_id" in missing and "query_id" not in (*missing, *positions) and len(texts) > 1:
        asked = ["query_id", *missing]  # enough columns to be both
    advice, way = advised(asked, free, wanted, held)
    columns = {**given, **way} if way else None
    return DataError(together([found, advice]), columns=columns, missing=missing)


def advised(
    missing: Sequence[str], free: Sequence[str], wanted: TableKind, types: Mapping[str, Type]
) -> tuple[str, dict[str, str | float]]:
    """What to say of columns that are missing, and if there is a guess, what they may be called."""
    way: dict[str, str | float] = {**guess(missing, free, types)}
    said = []
    for ours, question in _SWAPPED.items():
        if ours in missing and CROSSED[ours] not in missing and (name := crossed(ours, free)):
            said.append(Message(question, name=name))
    if wanted is QRELS and "relevance" in missing and not said:
        others = [ours for ours in missing if ours != "relevance"]
        rest = guess(others, free, types)
        if not way and len(rest) == len(others):
            clicks = Message("If every row is a hit, as in a log of clicks,")
            return clicks, {**rest, "relevance": 1}
        said.append(
            Message("If every row is a hit, as in a log of clicks, name it so: relevance=1.")
        )
    whole = (types.get(name) == "whole" and not known_names([name]) for name in free)
    if way and {"score", "relevance"}.isdisjoint(missing):
        said.append(Message("If this guess is right,"))
    elif way:
        said.append(Message("If this guess is right and the highest numbers are best,"))
    elif "score" in missing and any(whole) and len(free) >= len(missing):
        message = N_(
            "Name them with {option} yourself: only you can tell a score, of which the highest is "
            "best, from a rank, of which 1 is."
        )
        said.append(Message(message, option=option("columns")))
    elif len(missing) > 1:
        said.append(Message("Expected the columns {names}.", names=", ".join(wanted.needs)))
    elif not free:
        said.append(Message("Add it."))
    else:
        said.append(Message("Name the column that holds it, as {ours}.", ours=missing[0]))
    return together(said), way


def _columns_of_words(names: Sequence[str], wanted: TableKind, file: str) -> Columns:
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
        found = Message("{file} has the columns {names}", file=file, names=quoted(names))
        raise not_of_words(found, wanted)
    for name in found.values():
        if (many := names.count(name)) > 1:
            raise DataError(_CALLED_ALIKE, [file, many, name])
    return Columns({ours: names.index(name) for ours, name in found.items()}, tuple(names))


def not_of_words(found: str, wanted: TableKind) -> DataError:
    """What to say of a table that holds other columns than what queries or items are about."""
    more = [repr(ours) for ours in wanted.names if ours not in wanted.needs]
    needs = both([repr(ours) for ours in wanted.needs])
    if not more:
        expected = N_("{found}. Expected the columns {needs}: rename those that are these.")
        return DataError(expected, [found, needs])
    expected = N_(
        "{found}. Expected the columns {needs}, and optionally {more}: rename those that are these."
    )
    return DataError(expected, [found, needs, both(more)])


def _look_at_grades(
    positions: dict[str, int],
    names: Sequence[str],
    types: Sequence[Type],
    wanted: TableKind,
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
            notes.append(Message(message, whose=whose))
    elif "relevance" in positions and plain(name := names[positions["relevance"]]) == "rating":
        notes.append(Message(N_("relevance is read from {name}."), name=shown(name)))


def _given_place(theirs: object, ours: str, names: Sequence[str], file: str) -> int:
    found = [place for place, name in enumerate(names) if name == str(theirs)]
    if len(found) == 1:
        return found[0]
    if found:
        raise DataError(_CALLED_ALIKE, [file, len(found), theirs])
    close = get_close_matches(str(theirs), names, n=1)
    likely = Message(" Did you mean {name!r}?", name=close[0]) if close else ""
    raise DataError(
        "{file} has no column {theirs!r}, which {option} names. Columns found: {names}.{likely}",
        [file, theirs, option("columns"), quoted(names), likely],
        missing=[ours],
    )


def _place_by_alias(
    ours: str, free: dict[int, str], given: Mapping[object, str], file: str, notes: list[str]
) -> int | None:
    exact = [place for place, name in free.items() if name.strip().casefold() == ours]
    lines = [exact] + [
        [place for place, name in free.items() if plain(name) in line.split()]
        for line in ALIASES[ours]
    ]
    candidates = list(dict.fromkeys(place for line in lines for place in line))
    best = next(filter(None, lines), [])
    if len(best) > 1:
        names = [free[place] for place in best]
        could = [file, both([*map(shown, names)]), ours]
        if names[0] == names[1]:
            alike = N_("{file}: columns {names} could each be {ours}. Give them different names.")
            raise DataError(alike, could)
        ways = [{**given, name: ours} for name in names]
        either = N_("{file}: columns {names} could each be {ours}. Whichever is right,")
        raise DataError(either, could, columns=ways)
    if len(candidates) > 1:
        left = quoted([free[place] for place in candidates[1:]])
        message, name = N_("{ours} is read from {name}, not from {left}."), shown(free[best[0]])
        notes.append(Message(message, ours=ours, name=name, left=left))
    return best[0] if best else None
