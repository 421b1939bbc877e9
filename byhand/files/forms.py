"""Recognise the format, the columns and the layout of a file from its first lines."""

import csv
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike

import pyarrow as pa

from byhand.errors import DataError, shown
from byhand.files import jsons
from byhand.files.opening import LIMITS, File
from byhand.naming import (
    JUDGED_RUN,
    ColumnNames,
    Columns,
    TableKind,
    advised,
    check_mapping,
    find_columns,
    grade_of,
    is_called,
    is_number,
    known_names,
    not_of_words,
    number_of,
    quoted,
    type_of,
    type_of_arrow,
)
from byhand.words import N_, Message

TREC = {
    "run": ("query_id", "Q0", "doc_id", "rank", "score", "tag"),
    "qrels": ("query_id", "iteration", "doc_id", "relevance"),
}
BLANKS = re.compile(r"[ \t]+")
_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", None: "blanks"}
_MARKS = ({"0"}, {"Q0"}, {"q0"})  # the constant second column of TREC files
_HIGHEST = 100  # the highest plausible grade; times and ids are higher
_SEVERAL = re.compile(r"[^\s,;|]+([\s,;|]+[^\s,;|]+)+")
_TORN_JSON = re.compile(rb"[^\0-\x7f]+[{\[]\s*[{\[\"]")  # after an incomplete byte order mark
_SEP = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)  # a first line for Excel
_ALONE = (
    "Expected columns separated by commas, semicolons or tabs, their names in the first line; or "
    "the lines of a TREC file, as in 'q1 Q0 d7 1 0.93 mine' or 'q1 0 d7 1'."
)
_NO_JSON = (
    "It begins like JSON, but is not valid JSON, which has double quotes around names and text. "
    "Write it again, for example with json.dump."
)


@dataclass(frozen=True)
class Form:
    """A file, its format, and the positions of the wanted columns."""

    file: File
    kind: str  # name of the format, which chooses its parser and is in messages
    columns: Columns
    delimiter: str | None = None  # None: any blanks
    header: int = 0  # lines before the first row
    quotes: bool = True  # False, between tabs without a header: quotes are ordinary
    first: Mapping[str, object] = field(default_factory=dict)  # JSON Lines: the first object
    records: int | None = None  # JSON records: where their list begins, after blanks
    table: pa.Table | None = None  # our columns, if the whole file is already in memory
    noted: Counter[str] = field(default_factory=Counter)  # lines or lists, by the note on them

    @property
    def width(self) -> int:
        """Return the number of fields in a line."""
        return len(self.columns.names)


def form_of(
    path: str | PathLike[str] | File, wanted: TableKind, given: ColumnNames | None = None
) -> Form:
    """Recognise the format of a file from its beginning."""
    mapping, file = check_mapping(given), path if isinstance(path, File) else File.at(path)
    if file.head.startswith(b"PAR1") and min(file.head[4:64], default=0) < 9:
        return _of_parquet(file, wanted, mapping)
    file.refuse_other()
    if jsons.BEGINS.match(file.head):
        return _of_json(file, wanted, mapping)
    form = _of_text(file, wanted, mapping)
    read = {place: ours for ours, place in form.columns.positions.items()}
    if (last := read.get(form.width - 1)) and file.last not in b'\r\n"':
        message = N_(
            "The last line has no line break: if the file was truncated, its {column} may be "
            "incomplete."
        )
        notes = (*form.columns.notes, Message(message, column=form.columns.named(last)))
        return replace(form, columns=replace(form.columns, notes=notes))
    return form


def _of_parquet(file: File, wanted: TableKind, given: ColumnNames) -> Form:
    from byhand.files import parquet

    schema = parquet.footer(file)[1]
    types = [*map(type_of_arrow, schema.types)]
    return Form(file, "Parquet", find_columns(schema.names, wanted, given, file.name, types=types))


def _of_json(file: File, wanted: TableKind, given: ColumnNames) -> Form:
    """Recognise JSON: an object for each line, a list of objects, or queries with their items."""
    records = jsons.records_at(file)
    if records is None and not wanted.names and (first := jsons.first_queries(file)) is not None:
        return _of_nested(file, wanted, given, first)
    rows = jsons.first_objects(file, records)
    names = [*dict.fromkeys(name for row in rows for name in row)]
    columns = _columns(
        file, names, wanted, given, [[row.get(name) for name in names] for row in rows]
    )
    kind = "JSON Lines" if records is None else "JSON records"
    return Form(file, kind, columns, first=rows[0] if rows else {}, records=records)


def _of_nested(file: File, wanted: TableKind, given: ColumnNames, first: Mapping[str, str]) -> Form:
    if wanted is JUDGED_RUN:
        raise DataError(
            f"{file.name} is nested JSON, which has one number for each item. A judged run needs "
            "both a score and a grade. Pass a file of scores as the run, and one of grades as "
            "the qrels.",
            missing=["relevance"],
        )
    if known_names([*first][:5]) > 1:
        raise DataError(
            f"{file.name} is JSON with one object for each column. Expected one object for each "
            "row. From pandas, save it with to_json(path, orient='records', lines=True)."
        )
    _refuse_given(given, f"{file.name} is nested JSON")
    names = ("query_id", "doc_id", wanted.needs[-1])
    listed = names[-1] if "[" in [*first.values()][:1] else ""
    positions = {name: place for place, name in enumerate(names)}
    columns = Columns(positions, names, lists=True, listed=listed)
    return Form(file, "JSON lists" if listed else "nested JSON", columns)


def _refuse_given(given: ColumnNames, what: str, counted: Mapping[int, str] | None = None) -> None:
    """Refuse `columns` for a format whose columns are fixed."""
    grade = grade_of(given)
    if grade is not None:
        raise DataError(
            f"{what}, but relevance={grade!r} is only for tables of hits without grades. Remove it."
        )
    if given:
        count = ", or count the columns from 0:" if counted else "."
        problem = f"{what}, whose columns have no names. Remove columns={count}"
        raise DataError(problem, columns=counted)


def _columns(
    file: File,
    names: Sequence[str],
    wanted: TableKind,
    given: ColumnNames,
    rows: Sequence[Sequence[object]],
    hint: str = "",
) -> Columns:
    even = [row for row in rows if len(row) == len(names)]
    values = [[row[place] for row in even] for place in range(len(names))]
    types = [*map(type_of, values)]
    try:
        return find_columns(names, wanted, given, file.name, types=types, hint=hint)
    except DataError as error:
        numbers_lack = {"score", "relevance"} & {*error.missing}
        for name, cells in zip(names, values, strict=True) if numbers_lack else ():
            if not is_called(name, "doc_id", "nested"):
                continue
            texts = [each for each in cells if isinstance(each, str)]
            several = [each for each in texts if _SEVERAL.fullmatch(each.strip())]
            if several and 2 * len(several) > len(cells):
                raise DataError(
                    f"{file.name}, column {name!r} seems to contain several ids in one cell: "
                    f"{shown(several[0][:80])}. Write a row for each item, or JSON Lines with a "
                    'list: {"query_id": "q1", "doc_id": ["d9", "d1"]}.',
                    missing=error.missing,
                ) from None
        raise


def _first_lines(file: File) -> list[tuple[int, str]]:
    """Return the first lines with their numbers: 50 that are neither blank nor comments."""
    found, filled, below = [], 0, 0
    for number, line in file.lines(LIMITS.head):
        found.append((number, file.decoded(line, number) if line.strip() else line.decode()))
        filled += line.strip()[:1] not in (b"", b"#")
        below += bool(below or line.strip())  # lines since the first that is not blank
        if filled == 50 or below > 1000:
            break
    return found


def _of_text(file: File, wanted: TableKind, given: ColumnNames) -> Form:
    """Recognise fields between delimiters or blanks, with or without a header."""
    numbered = _first_lines(file)
    filled = [(number, text) for number, text in numbered if text.strip()]
    lines = [
        text.strip("\r\n")
        for _, text in filled
        if not all(is_comment(text, width) for width in (4, 6))
    ]
    lines = lines or [filled[0][1].strip("\r\n")]
    texts, before = [text for _, text in numbered], filled[0][0] - 1
    sep = _SEP.fullmatch(filled[0][1])
    before += bool(sep)
    texts = texts[before:]
    heads = {each: _first_row(texts, each) for each in ([sep[1]] if sep else ",;\t|")}
    delimiter = max(heads, key=lambda each: (wanted.known(heads[each][0]), len(heads[each][0])))
    names, last = heads[delimiter]
    blanks = BLANKS.split(lines[0].strip(" \t"))
    if wanted.bare and not wanted.known(names):
        return _bare(file, wanted, texts)
    known = wanted.known(names)
    counted = {str(each) for each in given if isinstance(each, int)}
    if not wanted.names and not sep:
        named = known_names(blanks) > max(known, min(2, len(blanks) - 1))
        named = named and not any(map(is_number, blanks))
        if named:  # a header above fields separated by blanks
            rows = [BLANKS.split(line.strip(" \t")) for line in lines[1:]]
            columns = _columns(file, blanks, wanted, given, rows)
            return Form(file, "text, separated by blanks", columns, header=filled[0][0])
        trec = _trec(lines) if known <= (1 if len(names) < 2 else known_names(blanks)) else None
        if trec and known <= 1 and not (_tabbed(lines) or _TORN_JSON.match(file.head)):
            if counted:
                return _counted(file, wanted, given, len(blanks), None)
            return _of_trec(file, trec, wanted, given, lines)
    # pandas writes 0, 1, 2 as the header of columns without names
    if counted and not counted <= {*names}:
        delimiter, rows = _evenest(lines)
        return _counted(file, wanted, given, len(rows[0]), delimiter)
    data = names if len(names) > 1 else blanks
    numbers = any(type_of([each]) in ("whole", "fraction") for each in data)
    nameless = len(data) > 1 and numbers and not known_names(data)
    if nameless and not {*given} - {"relevance"}:
        raise _nameless(file, wanted, grade_of(given), _evenest(lines)[1])
    hint = "" if len(names) > 1 else _ALONE
    if file.head.lstrip()[:1] in b"{[" or _TORN_JSON.match(file.head):
        hint = _NO_JSON
    rows = [*csv.reader(texts[last:], delimiter=delimiter)]
    columns = _columns(file, names, wanted, given, rows, hint)
    kind = {"\t": "TSV", " ": "text"}.get(delimiter, "CSV")
    between = _DELIMITERS.get(delimiter, repr(delimiter))
    return Form(file, f"{kind}, separated by {between}", columns, delimiter, before + last)


def _counted(
    file: File, wanted: TableKind, given: ColumnNames, width: int, delimiter: str | None
) -> Form:
    """Return the form of a file without a header, whose columns the user counted from 0."""
    columns = find_columns([*map(str, range(width))], wanted, given, file.name)
    between = _DELIMITERS.get(delimiter, repr(delimiter))
    return Form(file, f"text without a header, separated by {between}", columns, delimiter)


def _first_row(texts: Sequence[str], delimiter: str) -> tuple[tuple[str, ...], int]:
    """Return the first row that is not blank, and the number of lines up to its end."""
    csv.field_size_limit(max(csv.field_size_limit(), LIMITS.line))
    reader = csv.reader(texts, delimiter=delimiter)
    row = next((row for row in reader if any(map(str.strip, row))), [""])
    return tuple(each.strip() for each in row), reader.line_num


def _bare(file: File, wanted: TableKind, texts: Sequence[str]) -> Form:
    """Return the form of texts without a header, whose ids end at the first delimiter."""
    first = next(text for text in texts if text.strip())
    delimiter = min(",;\t|", key=lambda each: first.find(each) % (1 << 60))
    quotes = delimiter != "\t"
    quoting = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    rows = csv.reader(texts, delimiter=delimiter, quoting=quoting)
    row = next(row for row in rows if any(map(str.strip, row)))
    if (width := len(row)) not in wanted.bare:
        columns = "1 column" if width == 1 else f"{width} columns"
        raise not_of_words(f"{file.name} has {columns} without names", wanted)
    ours = wanted.bare[width]
    columns = Columns({name: at for at, name in enumerate(ours)}, (*map(str, range(len(ours))),))
    kind = f"text without a header, separated by {_DELIMITERS[delimiter]}"
    return Form(file, kind, columns, delimiter, quotes=quotes)


def _evenest(lines: Sequence[str]) -> tuple[str | None, list[list[str]]]:
    """Choose the delimiter of lines without a header: most rows of equal width, then the widest."""
    parted = {each: [*csv.reader(lines, delimiter=each)] for each in ",;\t|"}
    rows: dict[str | None, list[list[str]]] = {
        each: of for each, of in parted.items() if len(of[0]) > 1
    }
    rows = rows or {None: [BLANKS.split(line.strip(" \t")) for line in lines]}
    even = {each: [row for row in of if len(row) == len(of[0])] for each, of in rows.items()}
    best = max(even, key=lambda each: (len(even[each]), len(even[each][0])))
    return best, [[field.strip() for field in row] for row in even[best]]


def _nameless(
    file: File, wanted: TableKind, grade: float | None, rows: Sequence[Sequence[str]]
) -> DataError:
    """Return the error for a table without a header, with suggestions for its columns."""
    columns = [*map(list, zip(*rows, strict=True))]
    error = f"{file.name} has no header: it begins with {quoted(rows[0])}."
    kinds = {len(names): kind for kind, names in TREC.items()}
    of_trec = kinds.get(len(columns)) if {*columns[1]} in _MARKS else None
    if of_trec and wanted.kind in TREC and of_trec != wanted.kind:
        return DataError(
            f"{error} These are the columns of {_a(of_trec)}, not of {_a(wanted.kind)}. Were the "
            "two files swapped?"
        )
    error += " Add one, or count the columns from 0."
    needs = [each for each in wanted.needs if grade is None or each != "relevance"]
    if of_trec and wanted.kind in TREC:
        advice = f"If these are the columns of {_a(of_trec)},"
        ways = [{TREC[of_trec].index(ours): ours for ours in needs}]
    else:
        if wanted is JUDGED_RUN and len(columns) > len(needs):  # not required: it may be one query
            needs = ["query_id", *needs]
        types = {str(place): type_of(values) for place, values in enumerate(columns)}
        advice, ways = advised(needs, types, wanted)
        ways = [
            {int(name) if name in types else name: ours for name, ours in way.items()}
            for way in ways
        ]
    every = {} if grade is None else {"relevance": grade}
    ways = [{**way, **every} for way in ways]
    return DataError(f"{error} {advice}", columns=ways, missing=wanted.needs)


def _a(kind: str) -> str:
    return "a run" if kind == "run" else kind


# ---- TREC ---------------------------------------------------------------------------------------


def is_comment(line: str, width: int) -> bool:
    """Test whether a TREC line is a comment: it begins with # and the rest is not a row."""
    fields = BLANKS.split(line.strip(" \t\r\n"))
    if not fields[0].startswith("#"):
        return False
    mark = fields[1] if len(fields) > 2 and fields[0].strip("#") else ""
    whole = len(fields) == width or has_tail(fields, width)
    whole = whole and all(map(is_number, fields[3:5] if width == 6 else fields[3:]))
    return not (mark in ("Q0", "q0") or (is_number(mark) and whole))


def has_tail(fields: Sequence[str], width: int) -> bool:
    """Test whether a line of a TREC run continues after its tag, and its ids contain no blanks."""
    return len(fields) > width == 6 and [*map(is_number, fields[3:6])] == [True, True, False]


def _trec(lines: Sequence[str]) -> str | None:
    """Return "run" or "qrels" if most lines look like such TREC lines."""
    votes = {"run": 0, "qrels": 0}
    for fields in (BLANKS.split(line.strip(" \t")) for line in lines):
        if all(field.endswith((",", ";")) for field in fields[:-1]):
            continue  # delimiters followed by blanks
        of_run = len(fields) >= 6 and is_number(fields[4])
        of_run = of_run and (len(fields) == 6 or not is_number(fields[5]))
        marked = len(fields) > 2 and fields[1] in ("Q0", "q0")
        if len(fields) == 4 and is_number(fields[3]):
            votes["qrels"] += 1
        elif of_run or marked:
            votes["run"] += 1
        elif len(fields) > 2 and fields[1] == "0" and not is_number(fields[2]):
            votes["qrels"] += 1
    kind = max(votes, key=votes.__getitem__)
    return kind if 2 * votes[kind] > len(lines) else None


def _tabbed(lines: Sequence[str]) -> bool:
    """Test whether the lines are three columns between tabs, with blanks in an id."""
    rows = [next(csv.reader([line.strip(" \t")], delimiter="\t")) for line in lines]
    marks = {each for line in lines for each in BLANKS.split(line.strip(" \t"))[1:2]}
    inside = any(BLANKS.search(each.strip(" \t")) for row in rows for each in row)
    return all(len(row) == 3 for row in rows) and inside and not marks <= {"0", "Q0", "q0"}


def _of_trec(
    file: File, trec_kind: str, wanted: TableKind, given: ColumnNames, lines: Sequence[str]
) -> Form:
    """Return the form of a TREC file; refuse the wrong kind and swapped columns."""
    kind = "a TREC run" if trec_kind == "run" else "TREC qrels"
    if wanted is JUDGED_RUN:
        lacks = "which contains no judgements" if trec_kind == "run" else "which contain no scores"
        raise DataError(
            f"{file.name} is {kind}, {lacks}. A judged run has scores and judgements in one "
            "table, but TREC has them in two files. Pass both files.",
            missing=["relevance" if trec_kind == "run" else "score"],
        )
    if wanted.kind != trec_kind:
        raise DataError(
            f"{file.name} is {_a(trec_kind)}, not {_a(wanted.kind)}: its lines read "
            f"{' '.join(TREC[trec_kind])!r}. Were the two files swapped?"
        )
    positions = {ours: TREC[trec_kind].index(ours) for ours in wanted.needs}
    counted = {place: ours for ours, place in positions.items()}
    _refuse_given(given, f"{file.name} is {kind}", counted)
    rows = [BLANKS.split(line.strip(" \t")) for line in lines]
    if trec_kind == "run":
        ranks, scores = ([row[place] for row in rows if len(row) == 6] for place in (3, 4))
        if all(map(str.isdigit, scores)) and any(number_of(rank) % 1 > 0 for rank in ranks):
            raise DataError(
                f"{file.name}: rank and score look swapped: the first line has rank {ranks[0]} "
                f"and score {scores[0]}. The columns of a TREC run are {' '.join(TREC['run'])!r}. "
                "Write them in that order."
            )
    elif all(len(row) == 4 and number_of(row[3]) > _HIGHEST for row in rows):
        raise DataError(
            f"{file.name} begins with {lines[0][:80]!r}. The fourth column of TREC qrels is the "
            "grade, but here it is too large for a grade. If the columns are user, item, rating "
            "and time, count them from 0:",
            columns={0: "query_id", 1: "doc_id", 2: "relevance"},
        )
    return Form(file, kind.removeprefix("a "), Columns(positions, TREC[trec_kind]))
