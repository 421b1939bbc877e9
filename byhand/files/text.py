"""Lines of text into columns: files of TREC, CSV and TSV."""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import dropwhile, islice, pairwise
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv

from byhand.columns import Type, Wanted, is_number, known_names, quoted, type_of
from byhand.errors import DataError, both, shown
from byhand.files.file import BOM, HEAD, LONGEST, File
from byhand.files.source import Lines, NotPlainError
from byhand.find_columns import (
    Columns,
    Given,
    advised,
    find_columns,
    grade_of,
    not_of_words,
    refuse_given,
)
from byhand.words import N_, Message

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_FIRST = 50  # lines that tell what a file is
_BLANKS = re.compile(r"[ \t]+")
_AT_ONCE = 1 << 22  # bytes that one of pyarrow's threads takes


@dataclass(frozen=True)
class Fields(Lines):
    """Lines of fields."""

    delimiter: str | None  # None: any mix of blanks and tabs
    header: int = 0  # lines before the first row: those that name the columns
    quotes: bool = True  # between tabs, without names above, a quote is a letter like any other

    @classmethod
    def counted(
        cls, file: File, wanted: Wanted, given: Given, width: int, delimiter: str | None
    ) -> Self:
        """A file without names, whose columns the user counted from 0."""
        columns = find_columns([*map(str, range(width))], wanted, given, file.name)
        kind = f"text without a header, separated by {DELIMITERS.get(delimiter, 'blanks')}"
        return cls(file, kind, columns, delimiter).doubting()

    def doubting(self) -> Self:
        """The same, with a note if the file may have been cut where nobody can see it."""
        read = {place: ours for ours, place in self.columns.positions.items()}
        last = read.get(self.width - 1)
        if not last or self.file.last_byte in b'\r\n"':
            return self
        message = N_(
            "The last line has no line end: if the file was cut there, so may be its {column}."
        )
        notes = (*self.columns.notes, Message(message, column=self.columns.named(last)))
        return replace(self, columns=replace(self.columns, notes=notes))

    @property
    def width(self) -> int:
        """How many fields a line has."""
        return len(self.columns.names)

    def blocks(self, size: int) -> Iterator[bytes | bytearray]:
        """The blocks of the file behind its header."""
        header = sum(len(line) for _, line in islice(self.file.lines(HEAD), self.header))
        for block in self.file.blocks(size):
            if len(block) > header:
                yield block[header:] if header else block
            header = max(header - len(block), 0)

    def parse(self, block: bytes | bytearray) -> pa.Table:
        """Our columns of a block, as text."""
        delimiter = self.delimiter
        if delimiter is None:
            delimiter, block = _one_separator(block)
        if block.startswith(BOM):
            block = BOM + block  # pyarrow takes one off every block
        names = [str(place) for place in range(self.width)]
        for ours, place in self.columns.positions.items():
            names[place] = ours
        types = dict.fromkeys(self.columns.positions, pa.large_string())
        types |= dict.fromkeys({"score", "rank"} & {*types}, pa.string())  # less than the ids
        in_quotes = self.quotes and self.delimiter is not None and b'"' in block
        if in_quotes and not _plainly_quoted(block, delimiter):
            raise NotPlainError
        return pacsv.read_csv(
            pa.BufferReader(block),
            pacsv.ReadOptions(column_names=names, block_size=_AT_ONCE),
            pacsv.ParseOptions(delimiter=delimiter, quote_char='"' if in_quotes else False),
            pacsv.ConvertOptions(column_types=types, include_columns=[*types], null_values=[]),
        )

    def rows(self) -> Iterator[tuple[int, list[str | None]]]:
        """Every row as the text of our columns, with the number of its line."""
        for number, fields in self.records():
            if number > self.header:
                if len(fields) != self.width:
                    raise self._ragged(number, fields)
                yield number, [fields[place] for place in self.columns.positions.values()]

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """The fields of every line that is not blank, with its number, the names first."""
        if self.delimiter is None:
            for number, line in self.file.filled_lines():
                yield number, _fields_of(self.file.decoded(line, number), None)
            return
        lines = (self.file.decoded(line, number) for number, line in self.file.lines())
        reader = _csv_reader(lines, self.delimiter, strict=True, quotes=self.quotes)
        first = 1
        try:
            for fields in reader:
                if len(fields) > 1 or any(map(str.strip, fields)):
                    yield first, fields
                first = reader.line_num + 1
        except csv.Error as error:
            last = reader.line_num
            opened = f"line {first}" + (f" to {last}" if last > first else "")
            raise DataError(
                f"{self.file.name}, {opened}: {error}. A quoted field ends with a quote before the "
                f"next {self.delimiter!r} or the line's end; a quote inside it is doubled. Mend "
                f"that line.{self.file.if_cut(last)}"
            ) from None

    def _ragged(self, number: int, fields: Sequence[str]) -> DataError:
        few = f"{len(fields)} field" + "s" * (len(fields) != 1)
        line = " ".join(fields) if self.delimiter is None else self.delimiter.join(fields)
        mend = "Mend that line" + ("; its ids hold no blanks." if self.delimiter is None else ".")
        return DataError(
            f"{self.file.name}, line {number} has {few}: {line[:80]!r}. {self._expected}. {mend}"
            f"{self.file.if_cut(number)}"
        )

    @property
    def _expected(self) -> str:
        return f"Expected {self.width}, as in {'its header' if self.header else 'the first line'}"


def _first_lines(file: File, *, comments: bool = True) -> list[str]:
    """The first lines of a file that are not blank, with comments or without."""
    lines = file.filled_lines(HEAD)
    some = islice((each for each in lines if comments or not _is_comment(each[1])), _FIRST)
    return [file.decoded(line, number) for number, line in some]


def _first_rows(file: File, delimiter: str, *, quotes: bool = True) -> tuple[list[list[str]], int]:
    """The fields of the first rows, as far as quotes are whole, and which line ends the first.

    That is 0 if its own quotes are not whole; reading the rows says what is wrong with them.
    """
    lines = [*islice(dropwhile(lambda each: not each[1].strip(), file.lines(HEAD)), _FIRST)]
    texts = (file.decoded(line, number) for number, line in lines)
    reader = _csv_reader(texts, delimiter, strict=True, quotes=quotes)
    rows, end, blank = [], 0, lines[0][0] - 1
    with suppress(csv.Error):
        for row in reader:
            fields = [field.strip() for field in row]
            if any(fields):
                rows.append(fields)
                end = end or blank + reader.line_num
    return rows or [_fields_of(_first_lines(file)[0], delimiter)], end


def _fields_of(line: str, delimiter: str | None) -> list[str]:
    """The fields of one line, without the blanks around them."""
    if delimiter is None:
        return _BLANKS.split(line.strip(" \t"))
    return [name.strip() for name in next(_csv_reader([line], delimiter))]


def _csv_reader(
    lines: Iterable[str], delimiter: str, *, strict: bool = False, quotes: bool = True
) -> Any:
    """Python's own reader, for fields as long as a line may be."""
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST))
    quoting = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    return csv.reader(lines, delimiter=delimiter, strict=strict, quoting=quoting)


def _one_separator(block: bytes | bytearray) -> tuple[str, bytes | bytearray]:
    """The one character between the fields of a TREC block, after making it one where it is not.

    Once nothing doubles, begins or ends a line, pyarrow's fields are those between blanks.
    """
    tabs, low = b"\t" in block, np.frombuffer(block, np.uint8) <= 32
    ends = block[:1] in (b" ", b"\t") or block[-1:] in (b" ", b"\t")
    if not (ends or (low[1:] & low[:-1]).any() or (tabs and b" " in block)):
        return "\t" if tabs else " ", block
    block = block.replace(b"\t", b" ").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    while b"  " in block:
        block = block.replace(b"  ", b" ")
    return " ", block.replace(b" \n", b"\n").replace(b"\n ", b"\n").strip(b" ")


def _plainly_quoted(block: bytes | bytearray, delimiter: str) -> bool:
    """Whether quotes only stand around whole fields, each on one line, or doubled inside them.

    pyarrow takes any other quote for something, and never says so.
    """
    data = np.frombuffer(block, np.uint8)
    line_end, quote = (data == 10) | (data == 13), data == 34
    quotes = np.flatnonzero(quote)
    opening, closing = quotes[::2], quotes[1::2]
    # of a doubled quote the first seems to close and the second to open: side by side
    beside = np.concatenate([[True], line_end | quote | (data == ord(delimiter)), [True]])
    if len(opening) != len(closing) or not (beside[opening].all() and beside[closing + 2].all()):
        return False
    ends = np.flatnonzero(line_end)
    return bool((np.searchsorted(opening, ends) == np.searchsorted(closing, ends)).all())


_KINDS = {"run": "a TREC run", "qrels": "TREC qrels"}
_NAMES = {
    "run": ("query_id", "Q0", "doc_id", "rank", "score", "tag"),
    "qrels": ("query_id", "iteration", "doc_id", "relevance"),
}
_MARKS = ({"0"}, {"Q0"}, {"q0"})  # what stands in the second column of all lines
_HIGHEST = 100  # no scale of grades goes further; times and ids do
_TORN_MARK = re.compile(r'[^\0-\x7f]{1,3}[{\[]\s*[{\["]')  # of byte order, before JSON
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
    def recognises(cls, file: File) -> bool:
        """Whether most lines are those of a TREC file, and the first is no header of a table."""
        if file.no_table or _is_torn_json(file):
            return False
        lines = _first_lines(file, comments=False)
        if not lines or _tabbed(lines):
            return False
        # an id may be called as a column is; a header may begin as a comment or hold line ends
        heads = map(known_names, map(lines[0].split, DELIMITERS))
        tables = (known_names(_first_rows(file, each)[0][0]) for each in DELIMITERS)
        named = max(heads) > (_kind(lines[:1]) is not None) or max(tables) > 1
        return not named and _kind(lines) is not None

    @classmethod
    def of(cls, file: File, wanted: Wanted, given: Given) -> Fields:
        """Where our columns stand in a TREC file, or where the user counted them to be."""
        lines = _first_lines(file, comments=False)
        rows = [_fields_of(line, None) for line in lines]
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
        positions = {ours: _NAMES[kind].index(ours) for ours in wanted.needs}
        notes = _rising(rows) if kind == "run" else ()
        return cls(file, _KINDS[kind], Columns(positions, _NAMES[kind], notes), None).doubting()

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
                    raise self._either(number, line, f"a row of query {plain}")

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
                    raise self._either(number, line, "words")
                continue
            fields = _fields_of(self.file.decoded(line, number), None)
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
        query = shown(_fields_of(row, None)[0])
        return DataError(
            f"{self.file.name}, line {number} begins with #: {row[:80]!r}. It may be a row of "
            f"query {query}, or a comment: {other} behind a #. If it is a comment, remove it; if "
            "it is a row, write the file as CSV, where # is a letter like any other."
        )

    @property
    def _expected(self) -> str:
        form = " ".join(self.columns.names)
        return f"A line of {self.kind} has {self.width}: {form!r}"


def _is_torn_json(file: File) -> bool:
    """Whether a text begins as JSON does, but for a byte order mark that an accident changed."""
    return bool(_TORN_MARK.match(file.head[:100].decode(errors="replace")))


def _has_tail(fields: Sequence[str], width: int) -> bool:
    """Whether a line of a TREC run goes on behind its tag, and no id seems to be in pieces."""
    return len(fields) > width == 6 and [*map(is_number, fields[3:6])] == [True, True, False]


def _with_hashtag(line: bytes, width: int) -> str:
    """Whether a line that begins with # is a "row", a "comment", or may be "either".

    A comment is a line that cannot be a row: of a row the numbers are where they belong.
    """
    fields = _fields_of(line.decode(errors="replace"), None)
    numbers = fields[3:5] if width == 6 else fields[3:]
    whole = len(fields) == width or _has_tail(fields, width)
    whole = whole and all(map(is_number, numbers))
    mark = fields[1] if len(fields) > 2 else ""
    if not fields[0].strip("#") or not (mark in ("Q0", "q0") or is_number(mark)):
        return "either" if whole else "comment"
    return "row" if whole or mark in ("Q0", "q0") else "comment"


def _is_comment(line: bytes) -> bool:
    """Whether a line is a comment, in whichever file of TREC it stands."""
    widths = map(len, _NAMES.values())
    return _hashed(line) and all(_with_hashtag(line, width) == "comment" for width in widths)


def _hashed(line: bytes) -> bool:
    return line.lstrip()[:1] == b"#"


def _tabbed(lines: Sequence[str]) -> bool:
    """Whether the lines are three columns between tabs, with blanks inside of an id."""
    rows = [_fields_of(line.strip(" \t"), "\t") for line in lines]
    if not all(len(row) == 3 for row in rows):
        return False
    marks = {place for line in lines for place in _fields_of(line, None)[1:2]}
    blanks = any(len(_fields_of(field, None)) > 1 for row in rows for field in row)
    return blanks and not marks <= {"0", "Q0", "q0"}


def _kind(lines: Sequence[str]) -> str | None:
    """Whether most lines are those of a TREC run or of TREC qrels."""
    votes = {"run": 0, "qrels": 0}
    for line in lines:
        fields = _fields_of(line, None)
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
            f"{file.name} is {_KINDS[kind]}, which {lacks}. A judged run has both in one table; "
            "TREC keeps them in two files: name both.",
            missing=["relevance" if kind == "run" else "score"],
        )
    if wanted.kind != kind:
        there, here = ("a run", "qrels") if kind == "run" else ("qrels", "a run")
        raise DataError(
            f"{file.name} is {there}, not {here}: its lines read {' '.join(_NAMES[kind])!r}. Were "
            "the two files swapped?"
        )
    counted = {_NAMES[kind].index(ours): ours for ours in wanted.needs}
    refuse_given(given, f"{file.name} is {_KINDS[kind]}", [counted])


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
            f"score {scores[0]}. A TREC run reads {' '.join(_NAMES['run'])!r}: write it in that "
            "order."
        )


_ALONE = (
    "Expected columns separated by commas, semicolons or tabs, their names in the first line; or "
    "the lines of a TREC file, as in 'q1 Q0 d7 1 0.93 mine' or 'q1 0 d7 1'."
)
_NO_NAMES = (
    "Its first line begins with #. If that is a comment, remove it: the first line names the "
    "columns."
)
_NO_JSON = (
    "It begins as JSON does, and is none: there, names and text stand in double quotes, and "
    "nothing stands beside them. Write it anew, for example with json.dump."
)
_A = {"run": "a run", "qrels": "qrels"}


class Delimited(Fields):
    """Columns between delimiters."""

    @classmethod
    def recognises(cls, file: File) -> bool:
        """Any text: what no other format took is such a table, or is explained as one."""
        return not file.no_table

    @classmethod
    def of(cls, file: File, wanted: Wanted, given: Given) -> Self:
        """Find our columns by the first line, or by position if the user counted them."""
        found = {each: _first_rows(file, each) for each in DELIMITERS}
        heads = {each: rows[0] for each, (rows, _) in found.items()}
        delimiter = max(heads, key=lambda each: (wanted.known(heads[each]), len(heads[each])))
        (names, *rows), header = found[delimiter]
        if wanted.bare and not wanted.known(names):
            return cls._bare(file, wanted)
        # a header may be 0, 1, 2, which pandas writes for columns without names
        counts = {str(key) for key in given if isinstance(key, int)}
        if counts and not counts <= {*names}:
            delimiter, rows = _best_rows(file, found)
            return cls.counted(file, wanted, given, len(rows[0]), delimiter)
        first = names if len(names) > 1 else _fields_of(_first_lines(file)[0], None)
        data = any(map(_may_be_number, first)) and not known_names(first)
        if data and len(first) > 1 and not {*given} - {"relevance"}:
            raise _nameless(file, wanted, grade_of(given), _best_rows(file, found)[1])
        hint = "" if len(names) > 1 else _ALONE
        hint = _NO_NAMES if names[0].startswith("#") and not wanted.known(names) else hint
        hint = _NO_JSON if _is_torn_json(file) or file.head.lstrip()[:1] in b"{[" else hint
        whole = [row for row in rows if len(row) == len(names)]
        types = [type_of(row[place] for row in whole) for place in range(len(names))]
        columns = find_columns(names, wanted, given, file.name, types=types, hint=hint)
        name = "TSV" if delimiter == "\t" else "CSV"
        kind = f"{name}, separated by {DELIMITERS[delimiter]}"
        table = cls(file, kind, columns, delimiter, header).doubting()
        if not header:
            next(table.records())  # says what is wrong with the quotes
        return table

    @classmethod
    def _bare(cls, file: File, wanted: Wanted) -> Self:
        """Words without a line of names: the id goes to where the first sign stands."""
        rows = {each: _first_rows(file, each, quotes=each != "\t")[0] for each in DELIMITERS}
        widths = {each: sorted({*map(len, rows[each])}) for each in DELIMITERS}
        even = [
            each for each in DELIMITERS if len(widths[each]) == 1 and widths[each][0] in wanted.bare
        ]
        if not even:
            delimiter = max(DELIMITERS, key=lambda each: (widths[each][-1], -len(widths[each])))
            if len(widths[delimiter]) > 1:
                raise DataError(
                    f"{file.name} has no line of names, and between {DELIMITERS[delimiter]} its "
                    f"lines have {both([*map(str, widths[delimiter])])} columns. Put each text "
                    "that holds one into double quotes, or write tabs between the columns."
                )
            (width,) = widths[delimiter]
            columns = f"{width} column{'s' * (width != 1)} without names"
            raise not_of_words(f"{file.name} has {columns}", wanted)
        delimiter = min(even, key=lambda each: len(rows[each][0][0]))
        ours = wanted.bare[widths[delimiter][0]]
        names = (*map(str, range(len(ours))),)
        columns = Columns({name: place for place, name in enumerate(ours)}, names)
        kind = f"text without a header, separated by {DELIMITERS[delimiter]}"
        return cls(file, kind, columns, delimiter, quotes=delimiter != "\t")


def _may_be_number(text: str) -> bool:
    return type_of([text]) in ("whole", "fraction")


def _nameless(
    file: File, wanted: Wanted, grade: float | None, rows: Sequence[Sequence[str]]
) -> DataError:
    """What to say of a table without a line of names: what its columns may be, counted from 0."""
    columns = [*map(list, zip(*rows, strict=True))]
    begins = f"{file.name} has no line of names: it begins with {quoted(rows[0])}."
    add = "Add one, or count the columns from 0."
    needs = [each for each in wanted.needs if grade is None or each != "relevance"]
    every = {} if grade is None else {"relevance": grade}
    kinds = {len(names): kind for kind, names in _NAMES.items()}
    of_trec = kinds.get(len(columns)) if {*columns[1]} in _MARKS else None
    if of_trec and wanted.kind in _NAMES and of_trec != wanted.kind:
        return DataError(
            f"{begins} These are the columns of {_A[of_trec]}, not of {_A[wanted.kind]}. Were the "
            "two files swapped?"
        )
    if of_trec and wanted.kind in _NAMES:
        way = {_NAMES[of_trec].index(ours): ours for ours in needs}
        found = f"{begins} {add} If these are the columns of {_A[of_trec]},"
        return DataError(found, columns={**way, **every}, missing=wanted.needs)
    types = {str(place): _type(values) for place, values in enumerate(columns)}
    asked = needs
    if "query_id" not in needs and len(columns) > len(needs):
        asked = ["query_id", *needs]  # a judged run may have one query only
    advice, guessed = advised(asked, [*types], wanted, types)
    way = {int(place) if place in types else place: ours for place, ours in guessed.items()}
    offered = {**way, **every} if way else None
    return DataError(f"{begins} {add} {advice}", columns=offered, missing=wanted.needs)


def _best_rows(
    file: File, found: Mapping[str, tuple[list[list[str]], int]]
) -> tuple[str | None, list[list[str]]]:
    """What separates the columns, and the first rows, as far as they are as long as the first."""
    rows = {each: first for each, (first, _) in found.items() if len(first[0]) > 1}
    rows[None] = [_fields_of(line, None) for line in _first_lines(file)]
    even = {each: [row for row in of if len(row) == len(of[0])] for each, of in rows.items()}
    best = max([*rows][:-1], key=lambda each: (len(even[each]), len(even[each][0])), default=None)
    return best, even[best]


def _type(values: Sequence[str]) -> Type:
    """The type of a column that may be of numbers but for a few, which reading will name."""
    numbers = [*filter(_may_be_number, values)]
    return type_of(
        numbers if 2 * len(numbers) > len(values) and _may_be_number(values[0]) else values
    )
