"""How a text file holds its columns, found out by its first lines: TREC, CSV or TSV."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from helpers.errors import DataError
from helpers.files.columns import Columns, Wanted, find_columns, known_names
from helpers.files.file import File

_BLANKS = re.compile(r"[ \t]+")
DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_TREC = {"run": "a TREC run", "qrels": "TREC qrels"}
TREC_RUN = ("query_id", "Q0", "doc_id", "rank", "score", "tag")
TREC_QRELS = ("query_id", "iteration", "doc_id", "relevance")


@dataclass(frozen=True)
class Layout:
    """How a text file holds its columns.

    Attributes:
        kind: what to call the format.
        columns: which of the file's columns are ours.
        delimiter: what separates them; None: any mix of blanks and tabs.
        header: whether the first line that is not blank names the columns.
    """

    kind: str
    columns: Columns
    delimiter: str | None
    header: bool

    @property
    def width(self) -> int:
        """How many fields a line has."""
        return len(self.columns.names)


def layout_of(file: File, wanted: Wanted, given: dict[object, str]) -> Layout:
    """Find out how a text file holds its columns.

    Raises:
        DataError: a column is missing, or the file is another table than the one wanted.
    """
    lines = [decoded(file, line, number) for number, line in islice(_head_lines(file), 50)]
    first = lines[0]
    delimiter = max(DELIMITERS, key=lambda d: _promise(first, d))
    if any(isinstance(theirs, int) for theirs in given):
        return _by_position(file, wanted, given, lines)
    names = fields_of(first, delimiter)
    if not (known_names(names) > 1 and len(names) > 1) and (kind := _trec_kind(lines)):
        return _trec(file, wanted, given, kind, lines)
    hint = _header_hint(names, file)
    columns = find_columns(names, wanted, given, file.name, hint)
    name = "TSV" if delimiter == "\t" else "CSV"
    return Layout(f"{name}, separated by {DELIMITERS[delimiter]}", columns, delimiter, True)


def _head_lines(file: File) -> Iterator[tuple[int, bytes]]:
    """The lines in the file's head that are whole and not blank."""
    lines = file.head.splitlines()
    if len(lines) > 1 and not file.head.endswith((b"\n", b"\r")):
        lines.pop()  # it may go on behind the head; the parsers will see it whole
    return ((n, line) for n, line in enumerate(lines, start=1) if line.strip())


def decoded(file: File, line: bytes, number: int) -> str:
    """A line as text.

    Raises:
        DataError: bytes that are not UTF-8.
    """
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        near = line[max(error.start - 10, 0) : error.start + 10].decode("latin-1")
        raise DataError(
            f"{file.name}, line {number} holds the byte 0x{line[error.start]:02x}, which is not "
            f"UTF-8 text. Read as Latin-1 it would be {near!r}; if that looks right, save the "
            "file as UTF-8 (in a spreadsheet: CSV UTF-8)."
        ) from None


def fields_of(line: str, delimiter: str | None) -> list[str]:
    """The fields of one line, without the blanks around them."""
    if delimiter is None:
        return _BLANKS.split(line.strip(" \t"))
    return [name.strip() for name in next(csv.reader([line], delimiter=delimiter))]


def _promise(line: str, delimiter: str) -> tuple[int, int]:
    names = fields_of(line, delimiter)
    return known_names(names), len(names)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _trec_kind(lines: Sequence[str]) -> str | None:
    """Whether most lines are those of a TREC run or of TREC qrels."""
    votes = {"run": 0, "qrels": 0}
    for line in lines:
        fields = fields_of(line, None)
        if any(field.endswith((",", ";")) for field in fields):
            continue
        of_run = len(fields) == 6 and _is_number(fields[4])
        of_qrels = len(fields) == 4 and _is_number(fields[3])
        marked = len(fields) > 2 and fields[1] in ("Q0", "q0")
        if of_qrels:
            votes["qrels"] += 1
        elif of_run or marked:
            votes["run"] += 1
        elif len(fields) > 2 and fields[1] == "0" and not _is_number(fields[2]):
            votes["qrels"] += 1
    kind = max(votes, key=votes.__getitem__)
    return kind if 2 * votes[kind] > len(lines) else None


def _trec(
    file: File, wanted: Wanted, given: dict[object, str], kind: str, lines: Sequence[str]
) -> Layout:
    if given:
        raise DataError(
            f"{file.name} is {_TREC[kind]}, whose columns have no names. Leave columns= out, or "
            "count them from 0, for example columns={0: 'query_id', 2: 'doc_id', 4: 'score'}."
        )
    if wanted.kind == "judged run":
        lacks = "holds no judgements" if kind == "run" else "hold no scores"
        raise DataError(
            f"{file.name} is {_TREC[kind]}, which {lacks}. A judged run has both in one "
            "table; TREC keeps them in two files: read_run for one, read_qrels for the other."
        )
    if wanted.kind != kind:
        there, here = ("a run", "qrels") if kind == "run" else ("qrels", "a run")
        fields = " ".join(TREC_RUN if kind == "run" else TREC_QRELS)
        raise DataError(
            f"{file.name} is {there}, not {here}: its lines read {fields!r}. Read it with "
            f"read_{kind}; were the two files swapped?"
        )
    names = TREC_RUN if kind == "run" else TREC_QRELS
    first = fields_of(lines[0], None)
    if known_names(first) > 2 and not any(map(_is_number, first)):
        raise DataError(
            f"{file.name}, line 1 names the columns: {lines[0][:80]!r}. TREC files have no "
            "header: remove that line."
        )
    if kind == "run":
        _refuse_swapped(file, lines)
    positions = {ours: names.index(ours) for ours in wanted.needs}
    notes = _rising(lines) if kind == "run" else ()
    return Layout(_TREC[kind], Columns(positions, names, notes), None, False)


def _rising(lines: Sequence[str]) -> tuple[str, ...]:
    """A note if higher scores stand at lower places, as distances do."""
    rows = [fields_of(line, None) for line in lines]
    falls = rises = 0
    for a, b in pairwise(row for row in rows if len(row) == 6):
        if a[0] == b[0] and all(map(_is_number, (a[3], a[4], b[3], b[4]))):
            lower = float(b[3]) > float(a[3])
            rises += lower and float(b[4]) > float(a[4])
            falls += lower and float(b[4]) < float(a[4])
    if rises < 5 or falls:
        return ()
    return (
        "In its first lines the score rises as the rank goes down. Here the highest score comes "
        "first: turn the sign of distances.",
    )


def _refuse_swapped(file: File, lines: Sequence[str]) -> None:
    """Complain about a TREC run whose rank and score changed places."""
    rows = [fields for fields in (fields_of(line, None) for line in lines) if len(fields) == 6]
    ranks, scores = ([fields[place] for fields in rows] for place in (3, 4))
    if (
        all(map(_is_number, ranks))
        and any(float(rank) % 1 for rank in ranks)
        and all(score.isdigit() for score in scores)
    ):
        raise DataError(
            f"{file.name}: rank and score look swapped: the first line has rank {ranks[0]} and "
            f"score {scores[0]}. A TREC run reads {' '.join(TREC_RUN)!r}: write it in that order."
        )


def _by_position(
    file: File, wanted: Wanted, given: dict[object, str], lines: Sequence[str]
) -> Layout:
    """The layout of a file without names, whose columns the user counted."""
    delimiter = max(DELIMITERS, key=lambda d: len(fields_of(lines[0], d)))
    if _trec_kind(lines) or len(fields_of(lines[0], delimiter)) == 1:
        delimiter = None
    names = [str(place) for place in range(len(fields_of(lines[0], delimiter)))]
    columns = find_columns(names, wanted, given, file.name)
    separated = DELIMITERS.get(delimiter, "blanks")
    return Layout(f"text without a header, separated by {separated}", columns, delimiter, False)


def _header_hint(names: Sequence[str], file: File) -> str:
    """What to say of a first line that holds data where names belong."""
    if len(names) == 1:
        return (
            "Expected columns separated by commas, semicolons or tabs, their names in the first "
            "line; or the lines of a TREC file, as in 'q1 Q0 d7 1 0.93 mine' or 'q1 0 d7 1'."
        )
    if any(_is_number(name) for name in names):
        return (
            "The first line seems to hold data instead of names. Add a line of names, or count "
            "the columns from 0: columns={0: 'query_id', 1: 'doc_id', 2: 'score'}."
        )
    return ""
