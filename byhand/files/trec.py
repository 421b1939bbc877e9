"""TREC files: runs and qrels without names, their fields between blanks and tabs."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import pyarrow as pa

from byhand.columns import Wanted, is_number, known_names
from byhand.errors import DataError
from byhand.files.file import File
from byhand.files.header import Columns, Given, refuse_given
from byhand.files.text import DELIMITERS, Fields, fields_of, first_lines, is_comment
from byhand.words import N_, text

KINDS = {"run": "a TREC run", "qrels": "TREC qrels"}
NAMES = {
    "run": ("query_id", "Q0", "doc_id", "rank", "score", "tag"),
    "qrels": ("query_id", "iteration", "doc_id", "relevance"),
}
MARKS = ({"0"}, {"Q0"}, {"q0"})  # what stands in the second column of all lines
HIGHEST = 100  # no scale of grades goes further; times and ids do
_TORN_MARK = re.compile(r'[^\0-\x7f]{1,3}[{\[]\s*[{\["]')  # of byte order, before JSON
_BEFORE = (b"\n#", b"\r#", b" #", b"\t#")  # many ids hold the sign, and few begin with it
_COMMENTS = re.compile(rb"(^|[\r\n])[ \t]*#[^\r\n]*")


@dataclass(frozen=True)
class Trec(Fields):
    """A run or qrels of TREC, where a line may be a comment.

    Attributes:
        comments: how many lines of each block were comments.
        tails: the numbers of the lines that go on behind the last column, in a run.
    """

    comments: list[int] = field(default_factory=list, compare=False, repr=False)
    tails: list[int] = field(default_factory=list, compare=False, repr=False)

    @classmethod
    def recognises(cls, file: File) -> bool:
        """Whether most lines are those of a TREC file, and the first is no header of a table."""
        if file.no_table or is_torn_json(file):
            return False
        lines = first_lines(file, comments=False)
        if not lines or _tabbed(lines):
            return False
        # an id may be called what a column may be, and a header may begin as a comment does
        named = [(lines[0], _kind(lines[:1]) is not None), (first_lines(file)[0].lstrip("# "), 1)]
        known = [max(map(known_names, map(line.split, DELIMITERS))) > most for line, most in named]
        return not any(known) and _kind(lines) is not None

    @classmethod
    def of(cls, file: File, wanted: Wanted, given: Given) -> Fields:
        """Where our columns stand in a TREC file, or where the user counted them to be."""
        lines = first_lines(file, comments=False)
        rows = [fields_of(line, None) for line in lines]
        if any(isinstance(theirs, int) for theirs in given):
            return Fields.counted(file, wanted, given, len(rows[0]), None)
        kind = _kind(lines)
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
        return cls(file, KINDS[kind], Columns(positions, NAMES[kind], notes), None).doubting()

    @property
    def later(self) -> list[str]:
        """What was passed over, as trec_eval does."""
        notes = []
        if lines := sum(self.comments):
            message = (
                N_("1 line begins with #: passed over as a comment, as by trec_eval 10.")
                if lines == 1
                else N_("{n:,} lines begin with #: passed over as comments, as by trec_eval 10.")
            )
            notes.append(text(message, n=lines))
        if self.tails:
            many, first = len(self.tails), self.tails[0]
            message = (
                N_("Line {first} goes on after the tag: passed over, as by trec_eval.")
                if many == 1
                else N_(
                    "{n:,} lines, first line {first}, go on after the tag: passed over, as by "
                    "trec_eval."
                )
            )
            notes.append(text(message, n=many, first=first))
        return notes

    def blocks(self, size: int) -> Iterator[bytes | bytearray]:
        """The blocks of the file; whoever asks for them begins anew."""
        self.comments.clear()
        self.tails.clear()
        yield from super().blocks(size)

    def parse(self, block: bytes | bytearray, exact: bool) -> pa.Table:
        """Our columns of a block, without its comments."""
        if b"#" in block and (block[:1] == b"#" or any(sign in block for sign in _BEFORE)):
            block, count = _COMMENTS.subn(rb"\1", block)
            self.comments.append(count)
        return super().parse(block, exact)

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """The fields of every line that is no comment, with its number, without any tail."""
        self.comments.clear()
        self.tails.clear()
        for number, line in self.file.filled_lines():
            if is_comment(line):
                self.comments.append(1)
                continue
            fields = fields_of(self.file.decoded(line, number), None)
            if _has_tail(fields, self.width):
                self.tails.append(number)
                fields = fields[:6]
            yield number, fields

    @property
    def _expected(self) -> str:
        form = " ".join(self.columns.names)
        return f"A line of {self.kind} has {self.width}: {form!r}"


def is_torn_json(file: File) -> bool:
    """Whether a text begins as JSON does, but for a byte order mark that an accident changed."""
    return bool(_TORN_MARK.match(file.head[:100].decode(errors="replace")))


def _has_tail(fields: Sequence[str], width: int) -> bool:
    """Whether a line of a TREC run goes on behind its tag, and no id seems to be in pieces."""
    return len(fields) > width == 6 and [*map(is_number, fields[3:6])] == [True, True, False]


def _tabbed(lines: Sequence[str]) -> bool:
    """Whether the lines are three columns between tabs, with blanks inside of an id."""
    rows = [fields_of(line.strip(" \t"), "\t") for line in lines]
    if not all(len(row) == 3 for row in rows):
        return False
    marks = {place for line in lines for place in fields_of(line, None)[1:2]}
    blanks = any(len(fields_of(field, None)) > 1 for row in rows for field in row)
    return blanks and not marks <= {"0", "Q0", "q0"}


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
    counted = {NAMES[kind].index(ours): ours for ours in wanted.needs}
    refuse_given(given, f"{file.name} is {KINDS[kind]}", [counted])


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
        N_(
            "In its first lines the score rises as the rank goes down. Here the highest score "
            "comes first: turn the sign of distances."
        ),
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
