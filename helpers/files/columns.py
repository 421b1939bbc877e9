"""Which column of a file is which of ours."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from helpers.errors import DataError, shown

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


@dataclass(frozen=True)
class Wanted:
    """What a reader wants of a file.

    Attributes:
        kind: what the table is called in messages.
        function: the reader that the user called.
        needs: the columns that must be there; a rank can stand in for the score.
    """

    kind: str
    function: str
    needs: tuple[str, ...]

    @property
    def scored(self) -> bool:
        """Whether the table ranks its items."""
        return "score" in self.needs


RUN = Wanted("run", "read_run", ("query_id", "doc_id", "score"))
QRELS = Wanted("qrels", "read_qrels", ("query_id", "doc_id", "relevance"))
JUDGED_RUN = Wanted("judged run", "read_judged_run", ("doc_id", "score", "relevance"))


@dataclass(frozen=True)
class Columns:
    """Where our columns stand in a file.

    Attributes:
        positions: for each of ours the position of theirs, from 0.
        names: what the file calls its columns; positions as text if it has no names.
        notes: what was decided on the way, as sentences.
    """

    positions: dict[str, int]
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def others(self) -> list[str]:
        """The names of the columns that are not read."""
        used = set(self.positions.values())
        return [name for place, name in enumerate(self.names) if place not in used]

    def named(self, ours: str) -> str:
        """How a message calls one of our columns: by the name its owner knows."""
        theirs = self.names[self.positions[ours]]
        if theirs == ours:
            return f"column {ours!r}"
        return f"column {theirs!r} ({ours})"


def plain(name: str) -> str:
    """A column name without case, blanks and punctuation.

    Example:
        >>> plain("Query-ID ")
        'queryid'
    """
    return re.sub(r"[\W_]+", "", name.casefold())


def known_names(names: Sequence[str]) -> int:
    """How many of our columns these names offer.

    Example:
        >>> known_names(["qid", "docno", "color"])
        2
    """
    found = {plain(name) for name in names}
    return sum(
        any(alias in found for line in lines for alias in line.split())
        for lines in _ALIASES.values()
    )


def check_mapping(columns: Mapping[object, str] | None) -> dict[object, str]:
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
    for theirs, ours in columns.items():
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
    names: Sequence[str], wanted: Wanted, given: Mapping[object, str], file: str, hint: str = ""
) -> Columns:
    """Which of a file's columns are ours.

    Args:
        names: the file's column names, in order.
        wanted: what the reader needs.
        given: the user's `columns=`, which comes before any alias.
        file: the file's name, for messages.
        hint: what else to say if a column is missing.

    Raises:
        DataError: a column that is missing, or that two columns could be.
    """
    positions = {ours: _given_place(theirs, names, file) for theirs, ours in given.items()}
    notes: list[str] = []
    taken = set(positions.values())
    free = {place: name for place, name in enumerate(names) if place not in taken}
    for ours in ("query_id", *wanted.needs, *(["rank"] if wanted.scored else [])):
        if ours in positions or (ours == "rank" and "score" in positions):
            continue
        place = _place_by_alias(ours, free, file, notes)
        if place is not None:
            positions[ours] = place
            free.pop(place)
    if wanted is QRELS and "relevance" not in positions and "doc_id" in positions:
        # BEIR's qrels call their grades score; their name for an item is nobody else's
        scores = [place for place, name in free.items() if plain(name) == "score"]
        if scores and plain(names[positions["doc_id"]]) == "corpusid":
            positions["relevance"] = scores[0]
            notes.append("relevance is read from 'score', as in the qrels of BEIR.")
    ranked_by = {"score": "rank"} if "score" not in positions and "rank" in positions else {}
    for ours in wanted.needs:
        if ranked_by.get(ours, ours) not in positions:
            raise _missing(ours, names, free, wanted, file, hint)
    if ranked_by:
        notes.append(
            f"There are no scores: score is minus the rank in {names[positions['rank']]!r}."
        )
    else:
        positions.pop("rank", None)
    kept = {ours: positions[ours] for ours in OURS if ours in positions}
    if "query_id" not in kept:
        notes.append("There is no query column: all rows are one query, called 'all'.")
    return Columns(kept, tuple(names), tuple(notes))


def _given_place(theirs: object, names: Sequence[str], file: str) -> int:
    found = [place for place, name in enumerate(names) if name == str(theirs)]
    if len(found) == 1:
        return found[0]
    if found:
        raise DataError(f"{file}: {len(found)} columns are called {theirs!r}; rename one.")
    close = get_close_matches(str(theirs), names, n=1)
    likely = f" Did you mean {close[0]!r}?" if close else ""
    raise DataError(
        f"{file} has no column {theirs!r}, which columns= names. Columns found: "
        f"{listed(names)}.{likely}"
    )


def _place_by_alias(ours: str, free: dict[int, str], file: str, notes: list[str]) -> int | None:
    exact = [place for place, name in free.items() if name.strip().casefold() == ours]
    lines = [exact] + [
        [place for place, name in free.items() if plain(name) in line.split()]
        for line in _ALIASES[ours]
    ]
    candidates = list(dict.fromkeys(place for line in lines for place in line))
    best = next((line for line in lines if line), [])
    if len(best) > 1:
        both = " and ".join(repr(free[place]) for place in best)
        raise DataError(
            f"{file}: columns {both} could each be {ours}. Say which it is, for example "
            f"columns={{{free[best[0]]!r}: {ours!r}}}"
            + ("." if free[best[0]] != free[best[1]] else ", after giving them different names.")
        )
    if len(candidates) > 1:
        left = listed([free[place] for place in candidates[1:]])
        notes.append(f"{ours} is read from {free[best[0]]!r}, not from {left}.")
    return best[0] if best else None


def listed(names: Sequence[str]) -> str:
    """Names for a message; of very many, the first."""
    some = ", ".join(shown(name) for name in names[:20])
    return (some or "none") + (f" and {len(names) - 20} more" if len(names) > 20 else "")


def _missing(
    ours: str, names: Sequence[str], free: dict[int, str], wanted: Wanted, file: str, hint: str
) -> DataError:
    what = f"{ours!r} (or 'rank')" if ours == "score" else f"{ours!r}"
    found = f"{file} has no column {what}. Columns found: {listed(names)}. "
    if hint:
        return DataError(found + hint)
    scores, grades = _offered("score", free), _offered("relevance", free)
    if ours == "relevance" and scores:
        return DataError(
            f"{found}It has {scores[0]!r}, as a run does: read_run reads those. If that column "
            f"holds grades, pass columns={{{scores[0]!r}: 'relevance'}}."
        )
    if ours == "score" and grades:
        return DataError(
            f"{found}It has {grades[0]!r}, as qrels do: read_qrels reads those. If that column "
            f"holds scores, pass columns={{{grades[0]!r}: 'score'}}."
        )
    likely = _likely(ours, free)
    if likely:
        return DataError(f"{found}If {likely!r} is it, pass columns={{{likely!r}: {ours!r}}}.")
    numbered = " Items without ids need one each, such as their row number." * (ours == "doc_id")
    return DataError(
        f"{found}Name the column that holds it: columns={{'its name': {ours!r}}}.{numbered}"
    )


def _offered(ours: str, free: dict[int, str]) -> list[str]:
    known = {alias for line in _ALIASES[ours] for alias in line.split()}
    return [name for name in free.values() if plain(name) in known]


def _likely(ours: str, free: dict[int, str]) -> str | None:
    """The column whose name comes close to one that we know, or holds one."""
    known = [alias for line in _ALIASES[ours] for alias in line.split()]
    theirs = {plain(name): name for name in free.values()}
    for alias in known:
        close = get_close_matches(alias, theirs, n=1, cutoff=0.75)
        inside = [name for name in theirs if len(alias) > 3 and alias in name]
        if close or inside:
            return theirs[(close or inside)[0]]
    return None
