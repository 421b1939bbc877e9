"""TREC files: runs and qrels without names, their fields between blanks and tabs."""

from collections.abc import Sequence
from itertools import pairwise

from byhand.columns import Wanted, is_number, known_names
from byhand.errors import DataError
from byhand.files.file import File
from byhand.files.header import Columns, Given, grade_of
from byhand.files.text import (
    DELIMITERS,
    TextLayout,
    counted,
    fields_of,
    first_lines,
    laid_out,
    place,
    read,
    torn_json,
)

__all__ = ["find", "place", "read", "recognises"]
KINDS = {"run": "a TREC run", "qrels": "TREC qrels"}
NAMES = {
    "run": ("query_id", "Q0", "doc_id", "rank", "score", "tag"),
    "qrels": ("query_id", "iteration", "doc_id", "relevance"),
}
MARKS = ({"0"}, {"Q0"}, {"q0"})  # what stands in the second column of all lines
HIGHEST = 100  # no scale of grades goes further; times and ids do


def recognises(file: File) -> bool:
    """Whether most lines are those of a TREC file, and the first is no header of a table."""
    if file.no_table or torn_json(file):
        return False
    lines = first_lines(file, comments=False)
    if not lines or _tabbed(lines):
        return False
    # an id may be called what a column may be, and a header may begin as a comment does
    named = [(lines[0], _kind(lines[:1]) is not None), (first_lines(file)[0].lstrip("# "), 1)]
    known = [max(map(known_names, map(line.split, DELIMITERS))) > most for line, most in named]
    return not any(known) and _kind(lines) is not None


def _tabbed(lines: Sequence[str]) -> bool:
    """Whether the lines are three columns between tabs, with blanks inside of an id."""
    rows = [fields_of(line.strip(" \t"), "\t") for line in lines]
    if not all(len(row) == 3 for row in rows):
        return False
    marks = {place for line in lines for place in fields_of(line, None)[1:2]}
    blanks = any(len(fields_of(field, None)) > 1 for row in rows for field in row)
    return blanks and not marks <= {"0", "Q0", "q0"}


def find(file: File, wanted: Wanted, given: Given) -> TextLayout:
    """Where our columns stand in a TREC file, or where the user counted them to be."""
    lines = first_lines(file, comments=False)
    if any(isinstance(theirs, int) for theirs in given):
        return counted(file, wanted, given, len(fields_of(lines[0], None)), None)
    kind = _kind(lines)
    rows = [fields_of(line, None) for line in lines]
    _refuse_other_tables(file, wanted, given, kind)
    if known_names(rows[0]) > 2 and not any(map(is_number, rows[0])):
        raise DataError(
            f"{file.name}, line 1 names the columns: {lines[0][:80]!r}. TREC files have no "
            "header: remove that line."
        )
    if kind == "run":
        _refuse_swapped(file, rows)
    else:
        _refuse_times(file, lines[0], rows)
    positions = {ours: NAMES[kind].index(ours) for ours in wanted.needs}
    notes = _rising(rows) if kind == "run" else ()
    return laid_out(file, KINDS[kind], Columns(positions, NAMES[kind], notes), None, 0)


def _kind(lines: Sequence[str]) -> str | None:
    """Whether most lines are those of a TREC run or of TREC qrels."""
    votes = {"run": 0, "qrels": 0}
    for line in lines:
        fields = fields_of(line, None)
        if all(field.endswith((",", ";")) for field in fields[:-1]):
            continue  # the delimiter and a blank
        of_run = len(fields) >= 6 and is_number(fields[4])
        of_run = of_run and (len(fields) == 6 or not is_number(fields[5]))
        of_qrels = len(fields) == 4 and is_number(fields[3])
        marked = len(fields) > 2 and fields[1] in ("Q0", "q0")
        if of_qrels:
            votes["qrels"] += 1
        elif of_run or marked:
            votes["run"] += 1
        elif len(fields) > 2 and fields[1] == "0" and not is_number(fields[2]):
            votes["qrels"] += 1
    kind = max(votes, key=votes.__getitem__)
    return kind if 2 * votes[kind] > len(lines) else None


def _refuse_other_tables(file: File, wanted: Wanted, given: Given, kind: str) -> None:
    """Complain about a run that is read as qrels, and about names that a TREC file lacks."""
    if wanted.kind == "judged run":
        lacks = "holds no judgements" if kind == "run" else "hold no scores"
        raise DataError(
            f"{file.name} is {KINDS[kind]}, which {lacks}. A judged run has both in one table; "
            "TREC keeps them in two files: name both.",
            missing=["relevance" if kind == "run" else "score"],
        )
    if wanted.kind != kind:
        there, here = ("a run", "qrels") if kind == "run" else ("qrels", "a run")
        raise DataError(
            f"{file.name} is {there}, not {here}: its lines read {' '.join(NAMES[kind])!r}. Were "
            "the two files swapped?"
        )
    if grade_of(given) is not None:
        raise DataError(f"{file.name} is {KINDS[kind]}, with grades: leave relevance=1 out.")
    if given:
        raise DataError(
            f"{file.name} is {KINDS[kind]}, whose columns have no names. Leave columns= out, or "
            "count them from 0, for example,",
            columns={NAMES[kind].index(ours): ours for ours in wanted.needs},
        )


def _rising(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """A note if higher scores stand at lower places, as distances do."""
    falls = rises = 0
    for a, b in pairwise(row for row in rows if len(row) == 6):
        if a[0] == b[0] and all(map(is_number, (*a[3:5], *b[3:5]))) and float(b[3]) > float(a[3]):
            rises += float(b[4]) > float(a[4])
            falls += float(b[4]) < float(a[4])
    if rises < 5 or falls:
        return ()
    return (
        "In its first lines the score rises as the rank goes down. Here the highest score comes "
        "first: turn the sign of distances.",
    )


def _refuse_times(file: File, line: str, rows: Sequence[Sequence[str]]) -> None:
    """Complain about lines that end in what no grade is, as those of MovieLens do in a time."""
    if all(len(row) == 4 and is_number(row[3]) and float(row[3]) > HIGHEST for row in rows):
        raise DataError(
            f"{file.name} begins with {line[:80]!r}. Read as TREC qrels, its fourth column is "
            "the grade, and it is no grade. If the columns are user, item, rating and time, count "
            "them from 0:",
            columns={0: "query_id", 1: "doc_id", 2: "relevance"},
        )


def _refuse_swapped(file: File, rows: Sequence[Sequence[str]]) -> None:
    """Complain about a TREC run whose rank and score changed places."""
    ranks, scores = ([row[place] for row in rows if len(row) == 6] for place in (3, 4))
    whole = all(score.isdigit() for score in scores)
    if whole and all(map(is_number, ranks)) and any(float(rank) % 1 for rank in ranks):
        raise DataError(
            f"{file.name}: rank and score look swapped: the first line has rank {ranks[0]} and "
            f"score {scores[0]}. A TREC run reads {' '.join(NAMES['run'])!r}: write it in that "
            "order."
        )
