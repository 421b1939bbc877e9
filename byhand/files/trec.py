"""Runs and qrels of TREC: fields between blanks, comments behind #."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import pyarrow as pa

from byhand.column_map import ColumnNames, Columns, refuse_given
from byhand.columns import TableKind, is_number, known_names
from byhand.errors import DataError, shown
from byhand.files.fields import Fields
from byhand.files.file import File
from byhand.files.head import DELIMITERS, Head, fields_of
from byhand.files.table_file import NotPlainError
from byhand.words import N_, Message

_KINDS = {"run": "a TREC run", "qrels": "TREC qrels"}
A_TREC = {"run": Message("a run"), "qrels": Message("qrels")}
NAMES = {
    "run": ("query_id", "Q0", "doc_id", "rank", "score", "tag"),
    "qrels": ("query_id", "iteration", "doc_id", "relevance"),
}
_HIGHEST = 100  # no scale of grades goes further; times and ids do
_BEFORE = (b"\n#", b"\r#", b" #", b"\t#")  # many ids hold the sign, and few begin with it
_COMMENTS = re.compile(rb"(^|[\r\n])([ \t]*#[^\r\n]*)")
_QUERIES = re.compile(rb"(?:^|[\r\n])[ \t]*([^ \t\r\n]+)")


@dataclass(frozen=True)
class Trec(Fields):
    """A run or qrels of TREC; while it is read, its comments and long lines are noted."""

    comments: list[int] = field(default_factory=list)  # one for each
    hashtags: list[bytes] = field(default_factory=list)  # of each row that begins with # its query
    tails: list[int] = field(default_factory=list)  # lines of a run that go on behind the tag

    @classmethod
    def of(cls, head: Head, wanted: TableKind, given: ColumnNames) -> Fields | None:
        """Where our columns stand in a TREC file, or where the user counted them to be."""
        file = head.file
        if file.no_table or file.is_torn_json:
            return None
        lines = [line for line in head.lines if not _is_comment(line)]
        kind = _kind(lines)
        if kind is None or _tabbed(lines) or _is_named(head, lines):
            return None
        rows = [fields_of(line, None) for line in lines]
        if any(isinstance(theirs, int) for theirs in given):
            return Fields.counted(file, wanted, given, len(rows[0]), None)
        _refuse_other_tables(file, wanted, given, kind)
        if known_names(rows[0]) > 2 and not any(map(is_number, rows[0])):
            raise DataError(
                "{file}, line 1 names the columns: {lines!r}. TREC files have no header: remove "
                "that line.",
                [file.name, lines[0][:80]],
            )
        if kind == "run":
            _refuse_swapped(file, rows)
        else:
            _refuse_times(file, lines[0], rows)
        positions = {ours: NAMES[kind].index(ours) for ours in wanted.needs}
        notes = _rising(rows) if kind == "run" else ()
        return cls(file, _KINDS[kind], Columns(positions, NAMES[kind], notes), None).doubting()

    @property
    def later(self) -> list[str]:
        """What was passed over, as trec_eval does."""
        notes = []
        if lines := sum(self.comments):
            one = N_("1 line begins with #: passed over as a comment, as by trec_eval 10.")
            many = N_("{n:,} lines begin with #: passed over as comments, as by trec_eval 10.")
            notes.append(Message(one if lines == 1 else many, n=lines))
        if rows := len(self.hashtags):
            one = N_("1 row is of a query that begins with #: trec_eval 10 passes over it.")
            many = N_("{n:,} rows are of queries that begin with #: trec_eval 10 passes over them.")
            notes.append(Message(one if rows == 1 else many, n=rows))
        if lines := len(self.tails):
            one = N_("Line {first} goes on after the tag: passed over, as by trec_eval.")
            many = N_(
                "{n:,} lines, first line {first}, go on after the tag: passed over, as by "
                "trec_eval."
            )
            notes.append(Message(one if lines == 1 else many, n=lines, first=self.tails[0]))
        return notes

    def tables(self, *, few: bool = False) -> Iterator[pa.Table]:
        """Our columns, some rows at a time; in the end it is known whether # begins a comment."""
        yield from super().tables(few=few)
        if self.hashtags:
            queries = {each for block in self.file.blocks() for each in _QUERIES.findall(block)}
            odd = {each for each in self.hashtags if each.lstrip(b"#") in queries}
            for number, line in self.file.filled_lines() if odd else ():
                if (query := line.split(maxsplit=1)[0]) in odd:
                    plain = shown(query.decode().lstrip("#"))
                    raise self._either(number, line, Message("a row of query {query}", query=plain))

    def blocks(self, size: int) -> Iterator[bytes | bytearray]:
        """The blocks of the file; whoever asks for them begins anew."""
        self._forget()
        yield from super().blocks(size)

    def parse(self, block: bytes | bytearray) -> pa.Table:
        """Our columns of a block, without its comments."""
        if b"#" in block and (block[:1] == b"#" or any(sign in block for sign in _BEFORE)):
            block = _COMMENTS.sub(self._without, block)
        return super().parse(block)

    def _without(self, line: re.Match[bytes]) -> bytes:
        """What is left of a line that begins with #, behind the end of the one before it."""
        read = self._read(line[2])
        if read == "either":
            raise NotPlainError
        return line[1] if read == "comment" else line[0]

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """The fields of every line that is no comment, with its number, without any tail."""
        self._forget()
        for number, line in self.file.filled_lines():
            if _hashed(line) and (read := self._read(line)) != "row":
                if read == "either":
                    raise self._either(number, line, Message("words"))
                continue
            fields = fields_of(self.file.decoded(line, number), None)
            if _has_tail(fields, self.width):
                self.tails.append(number)
                fields = fields[:6]
            yield number, fields

    def _read(self, line: bytes) -> str:
        """What a line is that begins with #, which is counted."""
        read = _with_hashtag(line, self.width)
        if read == "comment":
            self.comments.append(1)
        elif read == "row":
            self.hashtags.append(line.split(maxsplit=1)[0])
        return read

    def _forget(self) -> None:
        for each in (self.comments, self.hashtags, self.tails):
            each.clear()

    def _either(self, number: int, line: bytes, other: str) -> DataError:
        row = self.file.decoded(line, number)
        query = shown(fields_of(row, None)[0])
        return DataError(
            "{file}, line {number} begins with #: {row!r}. It may be a row of query {query}, or a "
            "comment: {other} behind a #. If it is a comment, remove it; if it is a row, write "
            "the file as CSV, where # is a letter like any other.",
            [self.file.name, number, row[:80], query, other],
        )

    @property
    def _expected(self) -> str:
        form = " ".join(self.columns.names)
        message = N_("A line of {kind} has {n}: {form!r}")
        return Message(message, kind=Message(self.kind), n=self.width, form=form)


def _is_named(head: Head, lines: Sequence[str]) -> bool:
    """Whether the first line is the header of a table."""
    # an id may be called as a column is; a header may begin as a comment or hold line ends
    heads = map(known_names, map(lines[0].split, DELIMITERS))
    tables = (known_names(head.rows(each).rows[0]) for each in DELIMITERS)
    return max(heads) > (_kind(lines[:1]) is not None) or max(tables) > 1


def _has_tail(fields: Sequence[str], width: int) -> bool:
    """Whether a line of a TREC run goes on behind its tag, and no id seems to be in pieces."""
    return len(fields) > width == 6 and [*map(is_number, fields[3:6])] == [True, True, False]


def _with_hashtag(line: bytes, width: int) -> str:
    """Whether a line that begins with # is a "row", a "comment", or may be "either".

    A comment is a line that cannot be a row: of a row the numbers are where they belong.
    """
    fields = fields_of(line.decode(errors="replace"), None)
    numbers = fields[3:5] if width == 6 else fields[3:]
    whole = len(fields) == width or _has_tail(fields, width)
    whole = whole and all(map(is_number, numbers))
    mark = fields[1] if len(fields) > 2 else ""
    if not fields[0].strip("#") or not (mark in ("Q0", "q0") or is_number(mark)):
        return "either" if whole else "comment"
    return "row" if whole or mark in ("Q0", "q0") else "comment"


def _is_comment(line: str) -> bool:
    """Whether a line is a comment, in whichever file of TREC it stands."""
    line, widths = line.encode(), map(len, NAMES.values())
    return _hashed(line) and all(_with_hashtag(line, width) == "comment" for width in widths)


def _hashed(line: bytes) -> bool:
    return line.lstrip()[:1] == b"#"


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


def _refuse_other_tables(file: File, wanted: TableKind, given: ColumnNames, kind: str) -> None:
    """Complain about a run that is read as qrels, and about names that a TREC file lacks."""
    if wanted.kind == "judged run":
        lacks = N_(
            "{file} is a TREC run, which holds no judgements. A judged run has both in one table; "
            "TREC keeps them in two files: name both."
        )
        if kind == "qrels":
            lacks = N_(
                "{file} is TREC qrels, which hold no scores. A judged run has both in one table; "
                "TREC keeps them in two files: name both."
            )
        lacking = "relevance" if kind == "run" else "score"
        raise DataError(lacks, [file.name], missing=[lacking])
    if wanted.kind != kind:
        there, here = A_TREC[kind], A_TREC[wanted.kind]
        raise DataError(
            "{file} is {there}, not {here}: its lines read {names!r}. Were the two files swapped?",
            [file.name, there, here, " ".join(NAMES[kind])],
        )
    counted = {NAMES[kind].index(ours): ours for ours in wanted.needs}
    what = Message("{file} is {kind}", file=file.name, kind=Message(_KINDS[kind]))
    refuse_given(given, what, [counted])


def _rising(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """A note if higher scores stand at lower places, as distances do."""
    falls = rises = 0
    for a, b in pairwise(row for row in rows if len(row) == 6):
        if a[0] == b[0] and all(map(is_number, (*a[3:5], *b[3:5]))) and float(b[3]) > float(a[3]):
            rises += float(b[4]) > float(a[4])
            falls += float(b[4]) < float(a[4])
    message = N_(
        "In its first lines the score rises as the rank goes down. Here the highest score comes "
        "first: turn the sign of distances."
    )
    return () if rises < 5 or falls else (message,)


def _refuse_times(file: File, line: str, rows: Sequence[Sequence[str]]) -> None:
    """Complain about lines that end in what no grade is, as those of MovieLens do in a time."""
    if all(len(row) == 4 and is_number(row[3]) and float(row[3]) > _HIGHEST for row in rows):
        raise DataError(
            "{file} begins with {line!r}. Read as TREC qrels, its fourth column is the grade, and "
            "it is no grade. If the columns are user, item, rating and time, count them from 0:",
            [file.name, line[:80]],
            columns={0: "query_id", 1: "doc_id", 2: "relevance"},
        )


def _refuse_swapped(file: File, rows: Sequence[Sequence[str]]) -> None:
    """Complain about a TREC run whose rank and score changed places."""
    ranks, scores = ([row[place] for row in rows if len(row) == 6] for place in (3, 4))
    whole = all(score.isdigit() for score in scores)
    if whole and all(map(is_number, ranks)) and any(float(rank) % 1 for rank in ranks):
        raise DataError(
            "{file}: rank and score look swapped: the first line has rank {rank} and score "
            "{score}. A TREC run reads {names!r}: write it in that order.",
            [file.name, ranks[0], scores[0], " ".join(NAMES["run"])],
        )
